"""The flow of a game: decisions, chance, effects, end (rules R6 to R26).

Decisions where the rules leave room are marked "Reading" and listed in the package docstring.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oracle.chance import ChanceSource
from oracle.material import (
    BEAR_HAND_LIMIT,
    EVIL_SPIRIT,
    HAND_LIMIT,
    TILES,
    WINNING_FIREFLIES,
    matches,
)
from oracle.panorama import DISCARDED, DISPLACED
from oracle.score import score_sheet, total_stars
from oracle.state import Side, State, initial_state


class OracleGame:
    """One game of Solstis, slow and obvious."""

    def __init__(
        self,
        hands: list[list[str]],
        queue_up: list[tuple[str, bool]],
        *,
        fireflies: bool,
        evil_spirit: bool,
    ) -> None:
        self.state: State = initial_state(
            hands, queue_up, fireflies=fireflies, evil_spirit=evil_spirit
        )
        self._chance: ChanceSource | None = None  # only during apply
        self._events: list[str] = []

    # ---------------------------------------------------------------- building, copying, reading

    @classmethod
    def from_snapshot(
        cls, snapshot: dict[str, Any], *, fireflies: bool | None = None
    ) -> OracleGame:
        """The game in the state of a snapshot. The variant is inferred unless it is given."""
        game = cls.__new__(cls)
        game.state = State.from_snapshot(snapshot, fireflies)
        game._chance = None
        game._events = []
        return game

    def snapshot(self) -> dict[str, object]:
        """The complete state, see `State`."""
        return self.state.snapshot()

    def copy(self) -> OracleGame:
        """An independent game in the same state."""
        twin = OracleGame.__new__(OracleGame)
        twin.state = self.state.copy()
        twin._chance = None
        twin._events = []
        return twin

    @property
    def player(self) -> int:
        """Who decides: 0 or 1."""
        return self.state.player

    @property
    def over(self) -> bool:
        """Is the game finished?"""
        return self.state.phase == "over"

    @property
    def winner(self) -> int | None:
        """R24, R25: the winner of a finished game; None for a draw or an unfinished game."""
        if not self.over:
            return None
        for number, side in enumerate(self.state.sides):
            if len(side.panorama.firefly_squares) >= WINNING_FIREFLIES:
                return number
        totals = [total_stars(side.panorama) for side in self.state.sides]
        if totals[0] == totals[1]:
            return None
        return 0 if totals[0] > totals[1] else 1

    def score(self, player: int) -> dict[str, Any]:
        """The player's entry of `final[]` of a recorded game; always a true count of stars."""
        side = self.state.sides[player]
        return score_sheet(side.panorama, side.hand)

    @property
    def _mine(self) -> Side:
        return self.state.sides[self.state.player]

    @property
    def _theirs(self) -> Side:
        return self.state.sides[1 - self.state.player]

    # ---------------------------------------------------------------- legal decisions (rules §10)

    def legal(self) -> list[str]:
        """All legal decisions, sorted; [] when the game is over."""
        by_phase: dict[str, Callable[[], list[str]]] = {
            "play": self._legal_plays,
            "capture": lambda: [f"capture {tile}" for tile in self._capturable_by_active_tile()],
            "rainbow": self._legal_rainbows,
            "meet": self._legal_meetings,
            "meet_drawn": self._legal_meetings,
            "add": lambda: [f"add {tile}" for tile in self._addable_tiles()],
            "take": lambda: [f"take {tile}" for tile in self._theirs.panorama.isolated_tiles()],
            "force": lambda: [f"force {tile}" for tile in self._theirs.hand],
            "evil": lambda: [f"evil {cell}" for cell in self._theirs.panorama.allowed_cells()],
            "cover": lambda: [f"cover {spirit}" for spirit in self._theirs.panorama.met],
            "final_rainbow": self._legal_rainbows,
            "over": lambda: [],
        }
        return sorted(by_phase[self.state.phase]())

    def _legal_plays(self) -> list[str]:
        """R7, R20, R22: a tile, or a pass when there is none to play."""
        return [f"play {tile}" for tile in self._playable_tiles()] or ["pass"]

    def _playable_tiles(self) -> list[str]:
        """R22: only the forced tile, if there is one. R20: deck empty, only what captures."""
        forced = self.state.forced_tile
        tiles = sorted(self._mine.hand) if forced is None else [forced]
        if self.state.deck_size > 0:
            return tiles
        return [tile for tile in tiles if self._capturable_by(tile)]

    def _capturable_by(self, tile: str) -> list[str]:
        """R7: the face-up queue tiles that the tile matches."""
        return [other for other in self.state.queue if matches(tile, other)]

    def _capturable_by_active_tile(self) -> list[str]:
        assert self.state.active_tile is not None
        return self._capturable_by(self.state.active_tile)

    def _legal_rainbows(self) -> list[str]:
        """R13."""
        return [f"rainbow {cell}" for cell in self._mine.panorama.allowed_cells()]

    def _new_squares(self) -> list[str]:
        """R14: the new squares of the player whose turn it is."""
        return self._mine.panorama.new_squares(self.state.filled_cells)

    def _legal_meetings(self) -> list[str]:
        """R14: draw (from a deck that is not empty, once), or a spirit on a new square."""
        may_draw = self.state.phase == "meet" and len(self.state.spirit_deck) > 0
        meetings = [
            f"meet {spirit} {square}"
            for spirit in self._spirits_on_offer()
            for square in self._new_squares()
        ]
        return (["draw"] if may_draw else []) + meetings

    def _spirits_on_offer(self) -> list[str]:
        """R14: before drawing the line, after it the drawn ones.

        R15: never the evil spirit; if it was drawn alone, the line.
        """
        drawn = self.state.drawn_spirits - {EVIL_SPIRIT}
        if self.state.phase == "meet_drawn" and drawn:
            return sorted(drawn)
        return sorted(self.state.spirit_line)

    def _addable_tiles(self) -> list[str]:
        """R17: the hand for the deer, the face-up queue tiles for the beetle."""
        if self.state.met_spirit == "deer":
            return sorted(self._mine.hand)
        return sorted(self.state.queue)

    # ---------------------------------------------------------------- performing a decision

    def apply(self, move: str, chance: ChanceSource) -> list[str]:
        """Perform a legal decision and all that follows, up to the next decision.

        Returns the chance events in order. Raises ValueError for an illegal move (nothing has
        happened then); an exception of the chance source leaves the game unusable.
        """
        if move not in self.legal():
            raise ValueError(f"illegal move {move!r}, legal are {self.legal()}")
        self._chance = chance
        self._events = []
        self._perform(*move.split())
        self._chance = None
        return self._events

    def _perform(self, verb: str, *words: str) -> None:
        by_verb: dict[str, Callable[..., None]] = {
            "play": self._play,
            "pass": self._pass,
            "capture": self._capture,
            "rainbow": self._rainbow,
            "draw": self._draw,
            "meet": self._meet,
            "add": self._add,
            "take": self._take,
            "force": self._force,
            "evil": self._evil,
            "cover": self._cover,
        }
        by_verb[verb](*words)

    def _choose(self, kind: str, options: set[str]) -> str:
        """One chance event."""
        assert self._chance is not None
        outcome = self._chance.choose(kind, sorted(options))
        self._events.append(f"{kind} {outcome}")
        return outcome

    def _take_from_deck(self) -> str:
        """The top tile of the deck, which must not be empty."""
        tile = self._choose("deck", self.state.pool)
        self.state.pool.remove(tile)
        self.state.deck_size -= 1
        return tile

    def _draw_to_hand(self, side: Side) -> None:
        """A tile of the deck goes to the hand."""
        side.hand.add(self._take_from_deck())

    def _take_from_queue(self, tile: str) -> None:
        """R8, R17 beetle: a face-up tile leaves; one that lay under it is turned up in place."""
        covers = self.state.queue.pop(tile)
        if covers:
            turned_up = self._choose("flip", self.state.pool)
            self.state.pool.remove(turned_up)
            self.state.queue[turned_up] = False

    # ---------------------------------------------------------------- R7 to R10: play and capture

    def _play(self, tile: str) -> None:
        """R7: a hand tile that matches goes on to capture (R8), another has a second chance."""
        self.state.passes = 0  # R21
        self.state.forced_tile = None  # R17 fox: the obligation is met
        self._mine.lose_from_hand(tile)
        if self._capturable_by(tile):
            self._begin_capture(tile)
        else:
            self._second_chance(tile)

    def _begin_capture(self, tile: str) -> None:
        """R8: choosing what to capture is a decision, also when there is only one tile."""
        self.state.active_tile = tile
        self.state.phase = "capture"

    def _second_chance(self, tile: str) -> None:
        """R9: the tile joins the queue; the top tile of the deck may capture, it included."""
        self.state.queue[tile] = False
        drawn = self._take_from_deck()
        if self._capturable_by(drawn):
            self._begin_capture(drawn)
        else:
            self.state.queue[drawn] = False  # R10
            self._take_rainbow()
            self._after_placing()

    def _take_rainbow(self) -> None:
        """R10, R17 fish: a rainbow of the supply is to be placed, if there is one."""
        if self.state.rainbow_supply > 0:
            self.state.rainbow_supply -= 1
            self.state.rainbows_to_place += 1

    def _capture(self, tile: str) -> None:
        """R8: captured tile and active tile go to the panorama."""
        active = self.state.active_tile
        assert active is not None
        self.state.active_tile = None
        self._take_from_queue(tile)
        self._place_tiles([active, tile])
        self._after_placing()

    # ---------------------------------------------------------------- R12, R13: placing

    def _place_tiles(self, tiles: list[str]) -> None:
        """R12: all tiles first; the rainbows they displace are to be placed afterwards.

        Reading: a cell that changes from a rainbow to a land tile is filled this turn.
        """
        for tile in tiles:
            result = self._mine.panorama.place_tile(tile)
            if result == DISCARDED:
                self.state.discarded.add(tile)
            else:
                self.state.filled_cells.add(tile)
            if result == DISPLACED:
                self.state.rainbows_to_place += 1

    def _return_rainbows_without_cell(self) -> None:
        """R13: if no cell is allowed, rainbows go back to the supply."""
        if not self._mine.panorama.allowed_cells():
            self.state.rainbow_supply += self.state.rainbows_to_place
            self.state.rainbows_to_place = 0

    def _rainbow(self, cell: str) -> None:
        """R13: one rainbow is placed."""
        self.state.rainbows_to_place -= 1
        self._mine.panorama.rainbows.add(cell)
        if self.state.phase == "final_rainbow":
            self._after_final_placing()
        else:
            self.state.filled_cells.add(cell)
            self._after_placing()

    def _after_placing(self) -> None:
        """R12: rainbows one after the other; then R14, or R25 if the placing was an effect."""
        self._return_rainbows_without_cell()
        if self.state.rainbows_to_place > 0:
            self.state.phase = "rainbow"
        elif self.state.met_spirit is None:
            self._look_for_meeting()
        else:
            self._after_effect()

    # ---------------------------------------------------------------- R14 to R16: meeting a spirit

    def _look_for_meeting(self) -> None:
        """R14: with a new square and a spirit in deck or line, one is met."""
        if self._new_squares() and (self.state.spirit_deck or self.state.spirit_line):
            self.state.phase = "meet"
        else:
            self._finish_turn()

    def _draw(self) -> None:
        """R14: the top two of the spirit deck, or the last one."""
        for _ in range(min(2, len(self.state.spirit_deck))):
            spirit = self._choose("spirit", self.state.spirit_deck)
            self.state.spirit_deck.remove(spirit)
            self.state.drawn_spirits.add(spirit)
        if EVIL_SPIRIT in self.state.drawn_spirits:
            self._keep_evil_spirit()
        self.state.phase = "meet_drawn"
        if not self._spirits_on_offer():
            self._meet_nobody()

    def _keep_evil_spirit(self) -> None:
        """R15 (base): the drawer keeps it. R26 (expansion): it waits to be placed."""
        if self.state.fireflies:
            self.state.evil_spirit = "drawn"
        else:
            self.state.evil_spirit = f"kept{self.state.player}"

    def _meet_nobody(self) -> None:
        """R15: the evil spirit was drawn alone, and the line is empty.

        Reading: in the expansion it is placed all the same (R26), but brings no fireflies (R25).
        """
        self.state.drawn_spirits.clear()
        self._look_for_evil_spirit()

    def _meet(self, spirit: str, square: str) -> None:
        """R14: the spirit goes to the square, a drawn one that is not met goes to the line."""
        self._pass_evil_spirit_on()
        self.state.spirit_line |= self.state.drawn_spirits - {EVIL_SPIRIT}
        self.state.spirit_line.remove(spirit)
        self.state.drawn_spirits.clear()
        self._mine.panorama.met[spirit] = square
        self.state.met_spirit = spirit
        self._start_effect(spirit)

    def _pass_evil_spirit_on(self) -> None:
        """R16 (base): its holder meets a spirit, except at the very meeting that drew it.

        Reading: a spirit of the line met because the evil spirit was drawn alone (R15) is still
        that very meeting.
        """
        held_before = EVIL_SPIRIT not in self.state.drawn_spirits
        if held_before and self.state.evil_spirit == f"kept{self.state.player}":
            self.state.evil_spirit = f"kept{1 - self.state.player}"

    # ---------------------------------------------------------------- R17: brown effects

    def _start_effect(self, spirit: str) -> None:
        """R17: at once. R18: a blue spirit (and the groundhog until later) does nothing."""
        by_spirit: dict[str, Callable[[], None]] = {
            "fish": self._fish,
            "deer": self._deer,
            "eagle": self._eagle,
            "bear": self._bear,
            "fly": self._fly,
            "beetle": self._beetle,
            "groundhog": self._groundhog,
            "viper": self._viper,
            "fox": self._fox,
        }
        by_spirit.get(spirit, self._after_effect)()

    def _fish(self) -> None:
        self._take_rainbow()
        self._after_placing()

    def _deer(self) -> None:
        if self._mine.hand:
            self.state.phase = "add"
        else:
            self._after_effect()

    def _eagle(self) -> None:
        if self.state.deck_size > 0:
            self._place_tiles([self._take_from_deck()])
        self._after_placing()

    def _bear(self) -> None:
        """R17: draws a tile at once (if there is one); the hand limit is in _hand_limit."""
        if self.state.deck_size > 0:
            self._draw_to_hand(self._mine)
        self._after_effect()

    def _fly(self) -> None:
        """R17: the other player is compensated before anything else happens."""
        if self._theirs.hand:
            tile = self._choose("steal", self._theirs.hand)
            self._theirs.lose_from_hand(tile)
            if self.state.deck_size > 0:
                self._draw_to_hand(self._theirs)
            self._place_tiles([tile])
        self._after_placing()

    def _beetle(self) -> None:
        if self.state.queue:
            self.state.phase = "add"
        else:
            self._after_effect()

    def _groundhog(self) -> None:
        self.state.extra_turn = True
        self._after_effect()

    def _viper(self) -> None:
        if self._theirs.panorama.isolated_tiles():
            self.state.phase = "take"
        else:
            self._after_effect()

    def _fox(self) -> None:
        """R17: the hand is shown: its tiles are known from now on."""
        if self._theirs.hand:
            self._theirs.known = set(self._theirs.hand)
            self.state.phase = "force"
        else:
            self._after_effect()

    def _add(self, tile: str) -> None:
        """R17 deer, beetle."""
        if self.state.met_spirit == "deer":
            self._mine.lose_from_hand(tile)
        else:
            self._take_from_queue(tile)
        self._place_tiles([tile])
        self._after_placing()

    def _take(self, tile: str) -> None:
        """R17 viper."""
        self._theirs.panorama.tiles.remove(tile)
        self._place_tiles([tile])
        self._after_placing()

    def _force(self, tile: str) -> None:
        """R17 fox."""
        self.state.forced_tile = tile
        self._after_effect()

    # ---------------------------------------------------------------- R25, R26: the expansion

    def _after_effect(self) -> None:
        """R25, then R26, then the end of the turn. Here a spirit has been met."""
        if self.state.fireflies:
            self._place_fireflies()
        if not self.over:
            self._look_for_evil_spirit()

    def _place_fireflies(self) -> None:
        """R25: on every other new square; whoever gets the fourth wins at once.

        Reading: at once means that no fifth is placed. They go down from the bottom row
        up and from left to right (only then does the order matter).
        """
        fireflies = self._mine.panorama.firefly_squares
        for square in sorted(self._new_squares(), key=TILES.index):
            if len(fireflies) < WINNING_FIREFLIES:
                fireflies.add(square)
        if len(fireflies) >= WINNING_FIREFLIES:
            self._end_game()

    def _look_for_evil_spirit(self) -> None:
        """R26: newly drawn, or on the panorama of a player who met a spirit: it is placed."""
        must_leave_me = self._evil_is_on_mine() and self.state.met_spirit is not None
        newly_drawn = self.state.evil_spirit == "drawn"
        if not must_leave_me and not newly_drawn:
            self._finish_turn()
        elif self._theirs.panorama.allowed_cells():
            self.state.phase = "evil"
        else:
            if newly_drawn:
                self.state.evil_spirit = "out"
            self._finish_turn()

    def _evil_is_on_mine(self) -> bool:
        return self.state.evil_spirit == f"on{self.state.player}"

    def _evil(self, cell: str) -> None:
        """R26: to the other panorama."""
        self._mine.panorama.evil_cell = None
        self._theirs.panorama.evil_cell = cell
        self.state.evil_spirit = f"on{1 - self.state.player}"
        self._finish_turn()

    # ---------------------------------------------------------------- R11: end of turn

    def _hand_limit(self) -> int:
        """R11, R17 bear."""
        return BEAR_HAND_LIMIT if "bear" in self._mine.panorama.met else HAND_LIMIT

    def _finish_turn(self) -> None:
        """R11: refill; R17 groundhog: another turn, else the other player's turn."""
        while len(self._mine.hand) < self._hand_limit() and self.state.deck_size > 0:
            self._draw_to_hand(self._mine)
        if not self.state.extra_turn:
            self.state.player = 1 - self.state.player
        self._begin_turn()

    def _begin_turn(self) -> None:
        self.state.phase = "play"
        self.state.filled_cells.clear()
        self.state.met_spirit = None
        self.state.extra_turn = False

    def _pass(self) -> None:
        """R20, R21, R22."""
        if self.state.forced_tile is None:
            self._learn_from_pass()
        self.state.forced_tile = None
        self.state.passes += 1
        if self.state.passes == 2:
            self._last_acts()
        else:
            self._finish_turn()

    def _learn_from_pass(self) -> None:
        """§9: no tile that matches a face-up queue tile can be in the hand."""
        self._mine.excluded |= {tile for tile in TILES if self._capturable_by(tile)}

    # ---------------------------------------------------------------- R21, R23: end of the game

    def _last_acts(self) -> None:
        """R23(a): if a player keeps the evil spirit, the other covers one of their spirits."""
        self.state.passes = 0
        self._begin_turn()  # nothing of the last turn is left
        for holder in (0, 1):
            if self.state.evil_spirit == f"kept{holder}" and self.state.sides[holder].panorama.met:
                self.state.player = 1 - holder
                self.state.phase = "cover"
        if self.state.phase != "cover":
            self._squirrel()

    def _cover(self, spirit: str) -> None:
        """R23(a)."""
        self._theirs.panorama.covered = spirit
        self._squirrel()

    def _squirrel(self) -> None:
        """R23(b): the owner of the uncovered squirrel places the rest of the hand."""
        for owner, side in enumerate(self.state.sides):
            if "squirrel" in side.panorama.met and side.panorama.covered != "squirrel":
                self.state.player = owner
                tiles = sorted(side.hand)
                side.lose_hand()
                self._place_tiles(tiles)
        self._after_final_placing()

    def _after_final_placing(self) -> None:
        """R23(b): displaced rainbows, but no spirits and no fireflies; then the game is over."""
        self._return_rainbows_without_cell()
        if self.state.rainbows_to_place > 0:
            self.state.phase = "final_rainbow"
            self.state.filled_cells.clear()
        else:
            self._end_game()

    def _end_game(self) -> None:
        self.state.phase = "over"
        self.state.filled_cells.clear()
