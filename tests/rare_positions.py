"""Random positions at the edges of the rules: a position of a random game, pushed to an edge.

All material stays in the game: what leaves one place goes to another, as in `State`.
"""

from __future__ import annotations

import random
from typing import Any

from oracle import OracleGame, RandomChance
from oracle.invariants import check_invariants
from oracle.material import CELLS, EVIL_SPIRIT, SQUARES, matches
from oracle.random_play import random_game
from oracle_observation import position_of

from solstis_ai.position import Position
from solstis_ai.vocabulary import Rules

Snapshot = dict[str, Any]
Side = dict[str, Any]


class _Edges:
    """One snapshot under change."""

    def __init__(self, snapshot: Snapshot, rules: Rules, chooser: random.Random) -> None:
        self.snapshot, self.rules, self.random = snapshot, rules, chooser

        self.crowded: Side | None = None  # the side that gets all that it can hold

    def few(self, most: int) -> int:
        """A small number, the smallest most often."""
        return 0 if self.crowded else self.random.choice([0, 0, self.random.randint(0, most)])

    def taken(self, tiles: list[str]) -> str:
        return tiles.pop(self.random.randrange(len(tiles)))

    def to_panorama(self, tile: str) -> None:
        """To one of the panoramas that have its cell free, else out of the game."""
        sides = [side for side in self.snapshot["sides"] if tile in free_cells(side)]
        if self.crowded is not None and self.crowded in sides:
            self.crowded["tiles"].append(tile)
        elif sides:
            self.random.choice(sides)["tiles"].append(tile)
        else:
            self.snapshot["discarded"].append(tile)

    def no_room(self) -> None:
        """The panorama of the player who does not decide is as full as can be."""
        self.crowded = self.snapshot["sides"][1 - self.snapshot["player"]]
        self.end_of_the_deck()
        self.short_queue()
        self.short_hands()
        self.full_panorama()
        self.crowded = None

    def end_of_the_deck(self) -> None:
        left = self.few(3)
        while self.snapshot["deck_size"] > left:
            self.snapshot["deck_size"] -= 1
            self.to_panorama(self.taken(self.snapshot["pool"]))

    def no_deck(self) -> None:
        while self.snapshot["deck_size"]:
            self.snapshot["deck_size"] -= 1
            self.to_panorama(self.taken(self.snapshot["pool"]))

    def lay_away(self, hands: int, queue: int, covering: int) -> None:
        """Leave so many tiles in each hand, in the queue, and under it; without a deck."""
        places = self.snapshot["queue"]
        self.random.shuffle(places)
        places.sort(key=lambda place: not place[1])
        for place in places[covering:]:
            if place[1]:
                place[1] = False
                self.to_panorama(self.taken(self.snapshot["pool"]))
        while len(places) > queue:
            tile, covers = places.pop()
            self.to_panorama(tile)
            if covers:
                self.to_panorama(self.taken(self.snapshot["pool"]))
        for side in self.snapshot["sides"]:
            while len(side["hand"]) > hands:
                self.from_hand(side)
        if self.snapshot["forced_tile"] not in self.hand_under_force():
            self.snapshot["forced_tile"] = None

    def from_hand(self, side: Side) -> None:
        tile = self.taken(side["hand"])
        side["known"] = [known for known in side["known"] if known != tile]
        self.to_panorama(tile)

    def few_spirits(self, most: int) -> None:
        """Leave so many in the spirit deck and as many in the line at most."""
        deck, line = self.snapshot["spirit_deck"], self.snapshot["spirit_line"]
        self.random.shuffle(deck)
        for spirits in (deck, line):
            leaving, spirits[most:] = spirits[most:], []
            for spirit in leaving:
                self.put_away(spirit)

    def put_away(self, spirit: str) -> None:
        """To one of the panoramas if it can be, else to the line."""
        if spirit == EVIL_SPIRIT:
            self.evil_spirit_somewhere()
        else:
            self.seat(spirit)

    def short_queue(self) -> None:
        left = self.few(3)
        queue = self.snapshot["queue"]
        self.random.shuffle(queue)
        while len(queue) > left:
            tile, covers = queue.pop()
            self.to_panorama(tile)
            if covers:
                self.to_panorama(self.taken(self.snapshot["pool"]))

    def short_hands(self) -> None:
        """Only at the end: as long as there is a deck, hands are refilled (R11)."""
        if self.snapshot["deck_size"]:
            return
        for side in self.snapshot["sides"]:
            left = self.few(3)
            while len(side["hand"]) > left:
                self.from_hand(side)
        if self.snapshot["forced_tile"] not in self.hand_under_force():
            self.snapshot["forced_tile"] = None

    def few_rainbows(self) -> None:
        left = self.few(2)
        cells = [(side, cell) for side in self.snapshot["sides"] for cell in free_cells(side)]
        self.random.shuffle(cells)
        while self.snapshot["rainbow_supply"] > left and cells:
            side, cell = cells.pop()
            side["rainbows"].append(cell)
            self.snapshot["rainbow_supply"] -= 1

    def no_free_rainbows(self) -> None:
        """Nothing can be displaced (R12)."""
        for side in self.snapshot["sides"]:
            kept = {cell for square in self.fixed_squares(side) for cell in SQUARES[square]}
            self.snapshot["rainbow_supply"] += len(set(side["rainbows"]) - kept)
            side["rainbows"] = [cell for cell in side["rainbows"] if cell in kept]

    def full_panorama(self) -> None:
        """Nearly all free cells of one side get the tiles of the deck and of the other side.

        Squares in use, and those filled this turn, stay as they are.
        """
        side, other = self.random.sample(self.snapshot["sides"], 2)
        if self.crowded is other:
            side, other = other, side
        holes = set(self.random.sample(CELLS, self.few(4)))
        locked = {cell for square in self.fixed_squares(other) for cell in SQUARES[square]}
        for tile in sorted(set(other["tiles"]) - locked):
            if tile in free_cells(side) and tile not in holes:
                other["tiles"].remove(tile)
                side["tiles"].append(tile)
        for tile in sorted(self.snapshot["pool"]):
            if self.snapshot["deck_size"] and tile in free_cells(side) and tile not in holes:
                self.snapshot["pool"].remove(tile)
                self.snapshot["deck_size"] -= 1
                side["tiles"].append(tile)
        for cell in sorted(free_cells(side) - holes):
            if self.snapshot["rainbow_supply"]:
                self.snapshot["rainbow_supply"] -= 1
                side["rainbows"].append(cell)

    def few_tiles(self) -> None:
        """Panoramas too empty for many new squares; what lay there is out of the game."""
        for side in self.snapshot["sides"]:
            kept = {cell for square in self.fixed_squares(side) for cell in SQUARES[square]}
            kept |= set(self.random.sample(CELLS, 6))
            self.snapshot["discarded"] += [tile for tile in side["tiles"] if tile not in kept]
            side["tiles"] = [tile for tile in side["tiles"] if tile in kept]

    def fixed_squares(self, side: Side) -> set[str]:
        """Those in use, and those with a cell that was filled this turn."""
        filled = set(self.snapshot["filled_cells"])
        return squares_in_use(side) | {it for it in SQUARES if filled.intersection(SQUARES[it])}

    def end_of_the_spirits(self) -> None:
        """The deck keeps none to two, the evil spirit often among them; the line few or many."""
        deck, line = self.snapshot["spirit_deck"], self.snapshot["spirit_line"]
        self.random.shuffle(deck)
        deck.sort(key=lambda spirit: spirit != EVIL_SPIRIT or self.random.random() < 0.2)
        keep = self.random.choice([0, 1, 1, 1, 2])
        leaving, deck[keep:] = deck[keep:], []
        if EVIL_SPIRIT in leaving:
            leaving.remove(EVIL_SPIRIT)
            self.evil_spirit_somewhere()
        leaving += line
        line[:] = []
        for spirit in leaving:
            self.seat(spirit)

    def evil_spirit_somewhere(self) -> None:
        player = self.random.randint(0, 1)
        cells = sorted(free_cells(self.snapshot["sides"][player]))
        if not self.rules.fireflies:
            self.snapshot["evil_spirit"] = f"kept{player}"
        elif cells:
            self.snapshot["sides"][player]["evil_cell"] = self.random.choice(cells)
            self.snapshot["evil_spirit"] = f"on{player}"
        else:
            self.snapshot["evil_spirit"] = "out"

    def seat(self, spirit: str) -> None:
        """On a full square that was not filled this turn if there is one, else in the line."""
        places = [side for side in self.snapshot["sides"] if self.free_squares(side)]
        if places and spirit != EVIL_SPIRIT:
            side = self.random.choice(places)
            squares = self.free_squares(side)
            side["met"].append(f"{spirit}@{self.random.choice(squares)}")
        else:
            self.snapshot["spirit_line"].append(spirit)

    def fireflies(self) -> None:
        for side in self.snapshot["sides"]:
            squares = self.free_squares(side)
            while squares and len(side["firefly_squares"]) < 3:
                side["firefly_squares"].append(self.taken(squares))

    def free_squares(self, side: Side) -> list[str]:
        filled = {*side["tiles"], *side["rainbows"]} - set(self.snapshot["filled_cells"])
        return [
            square
            for square, cells in SQUARES.items()
            if filled.issuperset(cells) and square not in squares_in_use(side)
        ]

    def shown_hand(self) -> None:
        for side in self.snapshot["sides"]:
            side["known"] = self.random.sample(
                side["hand"], self.random.randint(0, len(side["hand"]))
            )

    def excluded_tiles(self) -> None:
        """As after a pass: some tiles under the queue are known not to be in the hands (§9)."""
        for side in self.snapshot["sides"] if self.snapshot["deck_size"] == 0 else []:
            pool = self.snapshot["pool"]
            side["excluded"] = self.random.sample(pool, self.random.randint(0, len(pool)))

    def hand_under_force(self) -> list[str]:
        player: int = self.snapshot["player"]
        whose = player if self.snapshot["phase"] == "play" else 1 - player
        hand: list[str] = self.snapshot["sides"][whose]["hand"]
        return hand

    def forced_tile(self) -> None:
        """One that cannot capture, if there is one."""
        if self.snapshot["phase"] == "play" and self.hand_under_force():
            queue = [tile for tile, _ in self.snapshot["queue"]]
            useless = [
                tile
                for tile in self.hand_under_force()
                if not any(matches(tile, other) for other in queue)
            ]
            self.snapshot["forced_tile"] = self.random.choice(useless or self.hand_under_force())

    def fox_at_the_end(self) -> None:
        """R22: the forced tile cannot capture, and the deck is empty."""
        self.no_deck()
        self.forced_tile()

    def just_passed(self) -> None:
        if self.snapshot["phase"] == "play" and self.snapshot["deck_size"] == 0:
            self.snapshot["passes"] = self.random.randint(0, 1)


def free_cells(side: Side) -> set[str]:
    return set(CELLS) - {*side["tiles"], *side["rainbows"], side["evil_cell"]}


def squares_in_use(side: Side) -> set[str]:
    return {entry.split("@")[1] for entry in side["met"]} | set(side["firefly_squares"])


def rare_position(seed: int, rules: Rules) -> tuple[OracleGame, Position]:
    """A position at some edges of the rules, for the oracle and for the package."""
    chooser = random.Random(seed)
    while True:
        oracle, played = _midway(chooser, rules, meeting=chooser.random() < 0.4)
        snapshot: Snapshot = oracle.snapshot()
        edges = _Edges(snapshot, rules, chooser)
        pushes = [
            edges.no_room,
            edges.end_of_the_deck,
            edges.short_queue,
            edges.full_panorama,
            edges.few_rainbows,
            edges.short_hands,
            edges.end_of_the_spirits,
            edges.shown_hand,
            edges.excluded_tiles,
            edges.just_passed,
            *(
                [edges.fireflies, edges.forced_tile, edges.fox_at_the_end]
                if rules.fireflies
                else []
            ),
        ]
        for number in sorted(chooser.sample(range(len(pushes)), chooser.randint(1, 5))):
            pushes[number]()
        pushed = OracleGame.from_snapshot(snapshot, fireflies=rules.fireflies)
        if pushed.legal():
            check_invariants(pushed)
            return pushed, position_of(snapshot, played)


def _midway(chooser: random.Random, rules: Rules, *, meeting: bool) -> tuple[OracleGame, str]:
    """A random game after some decisions, and the hand tile that is about to capture, if any.

    With ``meeting`` it goes on to the next meeting of a spirit, if there is one.
    """
    seed = chooser.getrandbits(40)
    game = random_game(seed, fireflies=rules.fireflies, evil_spirit=rules.evil_spirit)
    chance, played, decisions = RandomChance(seed), "", chooser.randint(0, 55)
    while not game.over and (decisions > 0 or (meeting and game.state.phase != "meet")):
        move = chooser.choice(game.legal())
        game.apply(move, chance)
        played = move.removeprefix("play ") if move.startswith("play ") else played
        decisions -= 1
    if game.over:
        return _midway(chooser, rules, meeting=meeting)
    return game, played if game.state.phase == "capture" else ""


def small_ending(seed: int, rules: Rules, *, hidden: bool = False) -> tuple[OracleGame, Position]:
    """A position with an empty deck and little left, for the oracle and for the package.

    One to three tiles in each hand, up to five in the queue, few of them with one under them,
    and few spirits in deck and line. With ``hidden`` something lies face down more often, and
    less happens besides.
    """
    chooser = random.Random(seed)
    while True:
        meeting = chooser.random() < (0.0 if hidden else 0.3)
        snapshot, played = _snapshot_midway(chooser, rules, meeting=meeting)
        _to_the_end(_Edges(snapshot, rules, chooser), chooser, hidden)
        if (pushed := _valid(snapshot, rules)) is not None:
            return pushed, position_of(snapshot, played)


def fox_ending(seed: int) -> tuple[OracleGame, Position]:
    """A meeting without a spirit deck, the fox in the line, and something face down."""
    chooser, rules = random.Random(seed), Rules(fireflies=True)
    while True:
        snapshot, _ = _snapshot_midway(chooser, rules, meeting=True)
        edges = _Edges(snapshot, rules, chooser)
        edges.no_deck()
        edges.lay_away(hands=2, queue=3, covering=1)
        edges.no_free_rainbows()
        edges.few_spirits(0)
        pushed = _valid(snapshot, rules)
        if pushed is not None and any(move.startswith("meet fox") for move in pushed.legal()):
            return pushed, position_of(snapshot)


def _snapshot_midway(
    chooser: random.Random, rules: Rules, *, meeting: bool
) -> tuple[Snapshot, str]:
    oracle, played = _midway(chooser, rules, meeting=meeting)
    snapshot: Snapshot = oracle.snapshot()
    return snapshot, played


def _valid(snapshot: Snapshot, rules: Rules) -> OracleGame | None:
    """The game in this state, if there is anything to decide."""
    pushed = OracleGame.from_snapshot(snapshot, fireflies=rules.fireflies)
    if not pushed.legal():
        return None
    check_invariants(pushed)
    return pushed


def _to_the_end(edges: _Edges, chooser: random.Random, hidden: bool) -> None:
    edges.no_deck()
    edges.lay_away(
        hands=chooser.choice([2, 2, 3] if hidden else [1, 2, 3]),
        queue=chooser.randint(3, 5) if hidden else chooser.randint(1, 5),
        covering=chooser.choice([1, 1, 2] if hidden else [0, 0, 1, 2]),
    )
    edges.few_spirits(chooser.choice([0, 0, 1, 2]))
    if chooser.random() < 0.8:
        edges.no_free_rainbows()
    if hidden or chooser.random() < 0.5:
        edges.few_tiles()
    pushes = [edges.shown_hand, edges.excluded_tiles, edges.just_passed, edges.few_rainbows]
    if edges.rules.fireflies:
        pushes += [edges.fireflies, edges.forced_tile]
    for push in chooser.sample(pushes, chooser.randint(0, 1 if hidden else 2)):
        push()
