"""Every sentence of `board_facts`, in random games, against what the game then does.

What is told is read back from its words; squares, icons and light are counted anew here, the
rest is what `Game` shows before and after the move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from random_games import VARIANTS, decisions
from seeds import changing_seeds, tell

from solstis_ai.game import Game
from solstis_ai.notation import ChanceEvent, ChanceKind
from solstis_ai.observation import EvilSpiritPlace, Observation, Panorama
from solstis_ai.position import EvilSpiritSeat, Position
from solstis_ai.search.facts import board_facts
from solstis_ai.vocabulary import CELLS, SQUARES, Move, MoveKind, Phase, Rules, cells_of_square

FIRES = {"b2", "k3", "p4", "p5", "p6", "p7", "k8", "b9"}
SEATS = (EvilSpiritSeat.PLAYER_0, EvilSpiritSeat.PLAYER_1)


@dataclass(frozen=True)
class Step:
    """What was told of a move, and the game before and after it."""

    said: tuple[str, ...]
    seen: Observation
    before: Position
    game: Game
    moves: tuple[Move, ...]
    events: tuple[ChanceEvent, ...]
    heard: set[str] = field(default_factory=set)
    """The sentences that some check has read."""

    @property
    def after(self) -> Position:
        return self.game.position()

    @property
    def seat(self) -> int:
        return self.before.player

    @property
    def own(self) -> tuple[Panorama, Panorama]:
        """The own panorama before and after."""
        return self.before.panoramas[self.seat], self.after.panoramas[self.seat]

    def happened(self, kind: ChanceKind) -> bool:
        return any(event.kind is kind for event in self.events)

    def told(self, pattern: str) -> list[str]:
        """What the group of ``pattern`` says in each sentence that it fits as a whole."""
        return [match.group(match.lastindex or 0) for match in self.matches(pattern)]

    def matches(self, pattern: str) -> list[re.Match[str]]:
        found = [match for it in self.said if (match := re.fullmatch(pattern, it))]
        self.heard.update(match.string for match in found)
        return found


def codes(words: str) -> set[str]:
    return set(re.findall(r"\b[rogbkp]\d+\b", words))


def filled(panorama: Panorama) -> set[str]:
    return {*panorama.tiles, *panorama.rainbows}


def full(cells: set[str]) -> set[str]:
    return {square for square in SQUARES if set(cells_of_square(square)) <= cells}


def icons(tiles: set[str]) -> set[str]:
    return (tiles & FIRES) | ({"ninth"} if {"p5", "p6"} <= tiles else set())


def lit(panorama: Panorama) -> set[str]:
    """Filled cells that are joined to row 1, grown step by step."""
    cells = filled(panorama)
    light = {cell for cell in cells if cell[0] == "r"}
    while more := {cell for cell in cells - light if light & near(cell)}:
        light |= more
    return light


def near(cell: str) -> set[str]:
    rows, column = "rogbkp", int(cell[1:])
    row = rows.index(cell[0])
    beside = {f"{cell[0]}{column - 1}", f"{cell[0]}{column + 1}"}
    over = {f"{rows[it]}{column}" for it in (row - 1, row + 1) if 0 <= it < len(rows)}
    return (beside | over) & set(CELLS)


# ---- what is checked, by what is told -----------------------------------------------------


def check_capture_or_second_chance(step: Step) -> None:
    [move, *rest] = step.moves
    if move.kind is not MoveKind.PLAY:
        return
    told = [codes(words) for words in step.told(rf"{move.target} can capture (.*)\.")]
    if rest:
        assert rest[0].target in set().union(*told)
    elif step.told(r".* leads to a second chance\."):
        assert not told
        assert step.events[0].kind is ChanceKind.DECK
    else:
        assert told == [{it.target for it in step.game.legal_moves}]


def check_squares(step: Step) -> None:
    if step.moves[-1].kind in (MoveKind.EVIL, *NOT_PLACING):
        assert not step.told(COMPLETE)
        return
    before, after = map(filled, step.own)
    new = full(after) - full(before)
    pairs = [(codes(found[1]), codes(found[2])) for found in step.matches(COMPLETE)]
    assert [squares for _, squares in pairs] == [new] * bool(new)
    for makers, _ in pairs:
        assert all(full(after - {cell}) & new != new for cell in makers)


COMPLETE = r"(?!The opponent)(.*) completes? the squares? (.*?)(, (?:but|too).*)?\."


def check_use(step: Step) -> None:
    """A square that brings nothing says so, another that is said to brings a spirit."""
    for found in step.matches(COMPLETE):
        meets = after_placing(step).phase in (Phase.MEET, Phase.MEET_DRAWN)
        useful = step.seen.rules.fireflies and step.seen.turn.met_spirit
        assert (found[3] is None) == (meets or bool(useful))
    if step.told(r"The squares? .* full before and counts? as new again\."):
        assert after_placing(step).phase is Phase.MEET


def after_placing(step: Step) -> Game:
    later = step.game.copy()
    while later.phase is Phase.RAINBOW:
        later.push(next(iter(later.legal_moves)))
    return later


NOT_PLACING = (MoveKind.MEET, MoveKind.PASS, MoveKind.COVER)
"""What these place by chance, or by the squirrel, is told of by nobody."""


def not_placing(step: Step) -> bool:
    return step.moves[-1].kind in NOT_PLACING


def check_fires(step: Step) -> None:
    one, two = step.own
    gained = icons(set(two.tiles)) - icons(set(one.tiles))
    shining = [icons(set(it.tiles) & lit(it)) for it in (one, two)]
    bright = shining[1] - shining[0]
    told = step.told(r"That brings (\d+ fires?, .*)\.")
    older = step.told(r"It lights (\d+) fires? already there\.")
    if not_placing(step):
        assert not told + older
        return
    number = len(bright & gained)
    light = (
        "not lit yet" if not number else "lit" if number == len(gained) else f"{number} of them lit"
    )
    noun = "fire" if len(gained) == 1 else "fires"
    assert told == [f"{len(gained)} {noun}, {light}"] * bool(gained)
    assert older == [str(len(bright - gained))] * bool(bright - gained)


def check_area(step: Step) -> None:
    if not_placing(step):
        return
    start = Game.from_position(step.before).score(step.seat).area
    end = step.game.score(step.seat).area
    grows = step.told(r"The largest area grows from (\d+ to \d+ land tiles?)\.")
    noun = "land tile" if end == 1 else "land tiles"
    assert grows == [f"{start} to {end} {noun}"] * (end > start and bool(filled(step.own[0])))
    falls = step.told(r"The largest area now has (\d+ land tiles? instead of \d+)\.")
    assert falls == [f"{end} {noun} instead of {start}"] * (end < start)


def check_discards(step: Step) -> None:
    if not_placing(step):
        return
    told = set(step.told(r"(\w+) is discarded, since (?:a locked rainbow|the evil spirit) .*"))
    assert told == set(step.after.discarded_tiles) - set(step.before.discarded_tiles)
    evil = set(step.told(r"(\w+) is discarded, since the evil spirit lies on its cell\."))
    assert evil == told & {step.own[0].evil_spirit_cell}
    moved = set(step.told(r"The rainbow on (\w+) is placed anew\."))
    assert moved == set(step.own[0].rainbows) & set(step.own[1].tiles)


def check_queue(step: Step) -> None:
    if step.moves[-1].kind in (MoveKind.CAPTURE, MoveKind.ADD):
        told = step.told(r"A face-down tile under (\w+) is turned up\.")
        assert told == [step.moves[-1].target] * step.happened(ChanceKind.FLIP)


def check_denial(step: Step) -> None:
    for words in step.told(r"(The opponent, for whom .* cannot have it\.)"):
        tile = step.moves[-1].target
        other = step.before.panoramas[1 - step.seat]
        would = full({*filled(other), tile}) - full(filled(other))
        told = words.replace(f"for whom {tile}", "")
        assert codes(told) == would or (not codes(told) and not spirits_left(step.seen))
        assert not codes(told) or spirits_left(step.seen)
        fire = len(icons({*other.tiles, tile})) - len(icons(set(other.tiles)))
        assert (f"bring {fire} fire" in words) == (fire > 0)
        assert step.before.deck_size or step.before.hands[1 - step.seat]


def spirits_left(seen: Observation) -> int:
    return seen.spirit_deck_size + len(seen.spirit_line)


EFFECTS: dict[str, tuple[str, Callable[[Step], bool]]] = {
    "fish": ("places a rainbow at once", lambda it: it.game.phase is Phase.RAINBOW),
    "deer": ("places another tile of the hand at once", lambda it: it.game.phase is Phase.ADD),
    "eagle": ("places a random tile of the deck at once", lambda it: grown(it) == 1),
    "bear": ("draws a tile and raises the hand limit to four", lambda it: bool(it.events)),
    "fly": ("takes a random tile of .*", lambda it: it.happened(ChanceKind.STEAL)),
    "beetle": ("takes a tile of the queue", lambda it: it.game.phase is Phase.ADD),
    "viper": ("takes an isolated tile of .*", lambda it: it.game.phase is Phase.TAKE),
    "fox": ("shows the opponent's hand and forces a tile", lambda it: it.game.phase is Phase.FORCE),
}


def grown(step: Step) -> int:
    """Tiles that have come to the own panorama or out of the game."""
    discarded = len(step.after.discarded_tiles) - len(step.before.discarded_tiles)
    return len(step.own[1].tiles) - len(step.own[0].tiles) + discarded


def check_effects(step: Step) -> None:
    [move, *_] = step.moves
    if move.kind is not MoveKind.MEET or move.target not in EFFECTS:
        return
    words, happens = EFFECTS[move.target]
    told = bool(step.told(rf"(The {move.target} {words})\."))
    assert told == happens(step)
    assert told != bool(step.told(rf"(The {move.target} has no effect, since .*)\."))


def check_groundhog(step: Step) -> None:
    if step.moves[0].kind is MoveKind.MEET and step.moves[0].target == "groundhog":
        told = bool(step.told("The groundhog gives another turn.*"))
        later = after_turn(step)
        assert told == (later.player == step.seat and not later.over)
        if step.told("The groundhog .*, in which no tile can be played."):
            assert [str(move) for move in later.legal_moves] == ["pass"]


def after_turn(step: Step) -> Game:
    """The game once the turn has ended, whatever is still to be decided in it."""
    later = step.game.copy()
    while later.phase not in (Phase.PLAY, Phase.OVER):
        later.push(next(iter(later.legal_moves)))
    return later


def check_meeting(step: Step) -> None:
    [move, *_] = step.moves
    if move.kind is not MoveKind.MEET:
        return
    added = set(step.after.spirit_line) - set(step.before.spirit_line)
    assert set(step.told(r"The (\w+) goes to the line\.")) == added
    later = after_turn(step)
    evil = step.told(r"The evil spirit (.*)\.")
    place = later.position().evil_spirit
    assert len(evil) <= 1
    if "goes to the opponent" in evil:
        assert place is SEATS[1 - step.seat]
    elif "stays with you" in evil:
        assert place is SEATS[step.seat]


def check_fireflies(step: Step) -> None:
    squares = step.told(r"(?:A firefly goes|Fireflies go) to the squares? (.*)\.")
    wins = step.told(r"The fourth firefly wins at once\.")
    number = step.told(r"That brings (\d+) firefl(?:y|ies).*")
    if not squares + wins + number:
        return
    later = after_turn(step)
    had = set(step.own[0].firefly_squares)
    has = set(later.panorama(step.seat).firefly_squares)
    assert set().union(*map(codes, squares)) <= has - had
    if number:
        assert len(has) - len(had) >= int(number[0])
    if wins:
        assert later.over
        assert len(has) == 4


def check_cover(step: Step) -> None:
    [move, *_] = step.moves
    if move.kind is not MoveKind.COVER or len(
        step.told(r".*(, and what it places|, as it is now).*")
    ):
        return
    before = Game.from_position(step.before).score(1 - step.seat).total
    after = step.game.score(1 - step.seat).total
    told = step.told(r"The \w+ is worth (\d+ stars?) to the opponent\.")
    assert told == [f"{before - after} star{'s' * (before - after != 1)}"]


def check_last_pass(step: Step) -> None:
    if step.moves[0].kind is MoveKind.PASS:
        told = bool(step.told("The opponent has passed, too, so that the game ends."))
        ends = step.game.phase in (Phase.OVER, Phase.COVER, Phase.FINAL_RAINBOW)
        assert told == ends


def check_fox(step: Step) -> None:
    if step.moves[0].kind is not MoveKind.FORCE:
        return
    later = after_turn(step)
    if later.over:
        return
    [choice] = later.legal_moves
    told = [
        codes(it) for it in step.told(r"As the queue is, the opponent can capture (.*) with .*")
    ]
    passes = bool(step.told(r".*, so that the opponent has to pass\."))
    assert (choice.kind is MoveKind.PASS) == passes
    if not passes:
        later.push(choice)
        captures = {move.target for move in later.legal_moves if move.kind is MoveKind.CAPTURE}
        assert (told == [captures]) if told else step.told(r"As the queue is, .* matches nothing\.")


def check_evil_spirit_ahead(step: Step) -> None:
    if not step.told(r"With the spirit met there, the evil spirit goes to the opponent.*\."):
        return
    assert step.seen.evil_spirit is EvilSpiritPlace.YOU
    later = after_turn(step)
    assert later.over or later.position().evil_spirit is SEATS[1 - step.seat]


def check_scores(step: Step) -> None:
    """Of blue spirits; those of fireflies may come in the same turn."""
    [move, *_] = step.moves
    told = step.told(r"The \w+ scores .*: (\d+) as it is now\.")
    if told and move.target != "phoenix":
        assert told == [str(step.game.score(step.seat).spirit_bonus.get(move.target, 0))]
    if move.target == "squirrel" and move.kind is MoveKind.MEET:
        assert step.told(r"The squirrel places what is left of the hand at the end\.")


def check_lit_fireflies(step: Step) -> None:
    one, two = step.own
    lights = len(set(one.firefly_squares) & (lit(two) - lit(one)))
    told = step.told(r"It lights (\d+ firefl(?:y|ies))\.")
    if not not_placing(step):
        assert told == [f"{lights} firefl{'y' if lights == 1 else 'ies'}"] * bool(lights)


def check_evil_spirit_placed(step: Step) -> None:
    [move, *_] = step.moves
    if move.kind is not MoveKind.EVIL:
        return
    assert step.after.panoramas[1 - step.seat].evil_spirit_cell == move.target
    assert step.told(rf"As long as it lies on {move.target}, the opponent can place nothing .*")
    assert "".join(step.told(r"It leaves (\w+) of your panorama\.")) == step.own[0].evil_spirit_cell
    other = filled(step.before.panoramas[1 - step.seat])
    blocked = full({*other, move.target}) - full(other)
    assert list(map(codes, step.told(r"It blocks the squares? (.*)\."))) == [blocked] * bool(
        blocked
    )


def check_left_line(step: Step) -> None:
    for words in step.told(r"It leaves (.*) in the line\."):
        left = set(re.findall(r"\w+", words)) - {"and"}
        assert left == set(step.before.spirit_line)
        assert not left & {move.target for move in step.game.legal_moves}


def check_plain_facts(step: Step) -> None:
    """What the observation says in so many words."""
    [move, *_] = step.moves
    turn, hand = step.seen.turn, step.seen.your_hand
    told = step.told(r"(The opponent loses \w+|The hand is empty|.* can(?:not)? capture)\.")
    if move.kind is MoveKind.PASS:
        any_tile = "No tile of the hand can capture" if hand else "The hand is empty"
        assert told == [f"{turn.forced_tile} cannot capture" if turn.forced_tile else any_tile]
    if move.kind is MoveKind.TAKE:
        assert told == [f"The opponent loses {move.target}"]
        assert move.target in step.before.panoramas[1 - step.seat].tiles
        assert move.target not in step.after.panoramas[1 - step.seat].tiles
    forced = step.told(r"The fox has forced this tile\.")
    assert bool(forced) == (move.kind is MoveKind.PLAY and turn.forced_tile == move.target)


def check_nothing_else_is_told(step: Step) -> None:
    assert set(step.said) == step.heard


CHECKS = (
    check_capture_or_second_chance,
    check_squares,
    check_use,
    check_fires,
    check_area,
    check_discards,
    check_queue,
    check_denial,
    check_effects,
    check_groundhog,
    check_meeting,
    check_fireflies,
    check_cover,
    check_last_pass,
    check_fox,
    check_evil_spirit_ahead,
    check_scores,
    check_lit_fireflies,
    check_evil_spirit_placed,
    check_left_line,
    check_plain_facts,
    check_nothing_else_is_told,  # the last: all the others have listened
)


def steps(game: Game) -> Iterator[Step]:
    """Each legal move, and each play with each capture that can follow it."""
    seen, before = game.observation(game.player), game.position()
    for move in game.legal_moves:
        one = game.copy()
        events = one.push(move)
        yield Step(tuple(board_facts(seen, [move])), seen, before, one, (move,), events)
        if move.kind is not MoveKind.PLAY or events:
            continue
        for capture in one.legal_moves:
            two = one.copy()
            more, line = two.push(capture), (move, capture)
            yield Step(tuple(board_facts(seen, line)), seen, before, two, line, more)


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_what_is_told_happens(rules: Rules) -> None:
    for seed in changing_seeds(6):
        for game in decisions(seed, rules):
            for step in steps(game):
                try:
                    for check in CHECKS:
                        check(step)
                except AssertionError as error:
                    error.add_note(f"{'; '.join(map(str, step.moves))}: {step.said}")
                    tell(error, seed)
                    raise
