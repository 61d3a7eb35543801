"""What meeting a spirit does in this position, in plain sentences (R14-R18, R25, R26)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from solstis_ai.observation import EvilSpiritPlace, Observation, Panorama
from solstis_ai.search.panoramas import bonus, matches
from solstis_ai.validation.geometry import allowed_cells, isolated, new_squares
from solstis_ai.vocabulary import BLUE_SPIRITS, CELLS, RAINBOW_TOTAL, RED_SPIRIT, Move

__all__ = [
    "FOURTH_FIREFLY",
    "counted",
    "evil_moves",
    "fireflies_after",
    "listed",
    "meeting_facts",
    "noun",
    "series",
    "sure_to_meet",
    "wins_at_once",
]

FOURTH_FIREFLY = "The fourth firefly wins at once."

_TO_WIN = 4  # fireflies (R25)

_EFFECTS = {
    "fish": "places a rainbow at once",
    "deer": "places another tile of the hand at once",
    "eagle": "places a random tile of the deck at once",
    "bear": "draws a tile and raises the hand limit to four",
    "fly": "takes a random tile of the opponent's hand",
    "beetle": "takes a tile of the queue",
    "groundhog": "gives another turn",
    "viper": "takes an isolated tile of the opponent's panorama",
    "fox": "shows the opponent's hand and forces a tile",
    "bee": "scores a star for each brown spirit",
    "ladybug": "scores a star for each fire that is not lit",
    "wolf": "scores a star for each area",
    "squirrel": "places what is left of the hand at the end",
    "bird": "scores a star for each other blue spirit",
    "frog": "scores a star for each rainbow",
    "moth": "scores another star for each lit fire",
    "cow": "scores the second largest area",
    "phoenix": "scores another star for each firefly",
}

_PLACING = frozenset({"fish", "deer", "eagle", "fly", "beetle", "viper"})


def meeting_facts(observation: Observation, move: Move) -> Iterator[str]:
    """What the spirit of ``move`` does now, and what else the meeting brings."""
    spirit = move.target
    won = wins_at_once(observation, observation.you, [])
    if not (won and spirit == "groundhog"):  # a game that is won has no further turn
        yield _effect(observation, spirit)
    for other in observation.turn.drawn_spirits:
        if other not in (spirit, RED_SPIRIT):
            yield f"The {other} goes to the line."
    yield from _fireflies(observation, move)
    if not won:
        yield from _evil_spirit(observation)


def wins_at_once(observation: Observation, own: Panorama, placed: Collection[str]) -> bool:
    """Whether the turn is sure to give the fourth firefly, once ``own`` holds ``placed``."""
    return len(own.firefly_squares) + fireflies_after(observation, own, placed) >= _TO_WIN


def fireflies_after(observation: Observation, own: Panorama, placed: Collection[str]) -> int:
    """How many squares are sure to get a firefly this turn, one with a spirit left out (R25)."""
    if not observation.rules.fireflies:
        return 0
    squares = new_squares(own, {*observation.turn.filled_cells, *placed})
    if observation.turn.met_spirit:
        return len(squares)
    return max(len(squares) - 1, 0) if sure_to_meet(observation) else 0


def sure_to_meet(observation: Observation) -> bool:
    """Whether a new square brings a spirit: the last one drawn may be the evil one (R14, R15)."""
    hidden = observation.rules.evil_spirit and observation.evil_spirit is EvilSpiritPlace.HIDDEN
    drawn = set(observation.turn.drawn_spirits) - {RED_SPIRIT}
    return bool(drawn or observation.spirit_line or observation.spirit_deck_size > hidden)


def evil_moves(observation: Observation) -> str:
    """Where the evil spirit that is with you goes when you meet a spirit; empty if it does not."""
    if observation.evil_spirit is not EvilSpiritPlace.YOU:
        return ""
    if not observation.rules.fireflies:
        return "to the opponent"
    return "to the opponent's panorama" if allowed_cells(observation.opponent) else ""


# ---- sentences ---------------------------------------------------------------------------


def _effect(observation: Observation, spirit: str) -> str:
    if why := _no_effect(observation, spirit):
        return f"The {spirit} has no effect, since {why}."
    rest = ""
    if spirit in BLUE_SPIRITS and spirit != "squirrel":
        rest = f": {bonus(observation.you, spirit)} as it is now"
    elif spirit == "groundhog" and not _can_play(observation):
        rest = ", in which no tile can be played"
    return f"The {spirit} {_EFFECTS[spirit]}{rest}."


def _can_play(observation: Observation) -> bool:
    """Whether the own next turn has a tile to play, if it follows at once (R20)."""
    queue = [place.tile for place in observation.queue]
    return observation.deck_size > 0 or any(matches(it, queue) for it in observation.your_hand)


_Test = Callable[[Observation], bool]

_WITHOUT: dict[str, tuple[tuple[_Test, str], ...]] = {
    "fish": (
        (lambda seen: not _rainbows_left(seen), "no rainbow is left"),
        (lambda seen: not allowed_cells(seen.you), "no cell is free for a rainbow"),
    ),
    "deer": ((lambda seen: not seen.your_hand, "the hand is empty"),),
    "eagle": ((lambda seen: not seen.deck_size, "the deck is empty"),),
    "bear": ((lambda seen: not seen.deck_size, "the deck is empty"),),
    "fly": ((lambda seen: not seen.opponent_hand_size, "the opponent's hand is empty"),),
    "beetle": ((lambda seen: not seen.queue, "the queue is empty"),),
    "viper": (
        (
            lambda seen: not isolated(seen.opponent.tiles, seen.opponent),
            "the opponent has no isolated tile",
        ),
    ),
    "fox": ((lambda seen: not seen.opponent_hand_size, "the opponent's hand is empty"),),
}
"""When a brown spirit does nothing (R17)."""


def _no_effect(observation: Observation, spirit: str) -> str:
    """Why a spirit does nothing; empty where it does something."""
    return next((why for test, why in _WITHOUT.get(spirit, ()) if test(observation)), "")


def _rainbows_left(observation: Observation) -> int:
    placed = len(observation.you.rainbows) + len(observation.opponent.rainbows)
    return RAINBOW_TOTAL - placed - observation.turn.rainbows_to_place


def _fireflies(observation: Observation, move: Move) -> Iterator[str]:
    """What becomes of the other new squares (R25)."""
    own = observation.you
    if wins_at_once(observation, own, []):
        yield FOURTH_FIREFLY
    elif number := fireflies_after(observation, own, []):
        others = new_squares(own, observation.turn.filled_cells) - {move.square}
        if move.target in _PLACING:  # it may win, and then not all squares get theirs
            yield f"That brings {counted(number, 'firefly', 'fireflies')} besides the spirit."
        else:
            yield f"{'A firefly goes' if number == 1 else 'Fireflies go'} to {noun(others)}."


def _evil_spirit(observation: Observation) -> Iterator[str]:
    """What the meeting does to the evil spirit (R15, R16, R26)."""
    if where := evil_moves(observation):
        yield f"The evil spirit goes {where}."
    elif observation.evil_spirit is EvilSpiritPlace.DRAWN:
        yield f"The evil spirit {_drawn_evil_spirit(observation)}."


def _drawn_evil_spirit(observation: Observation) -> str:
    if not observation.rules.fireflies:
        return "stays with you"
    if allowed_cells(observation.opponent):
        return "goes to the opponent's panorama"
    return "leaves the game"


# ---- words -------------------------------------------------------------------------------


def listed(codes: Collection[str]) -> str:
    """Codes of cells in board order, as one reads them."""
    return series(sorted(codes, key=CELLS.index))


def series(words: Sequence[str]) -> str:
    """Words with commas and a last "and"."""
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def noun(squares: Collection[str]) -> str:
    """Squares by name."""
    return f"the square{'s' * (len(squares) > 1)} {listed(squares)}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, whose plural takes an s by default."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
