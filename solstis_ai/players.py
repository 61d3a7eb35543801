"""Players: whoever answers an observation with a move, by short text specs.

A spec is a name and options, ``"search:iterations=1000,exploration=0.5"``. All players are
fair by their type: they get an ``Observation`` and nothing else. What is random about them
derives from the observation and the option ``seed``, so that a game can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from solstis_ai import bridge
from solstis_ai._fast import ChanceFeed, GameState
from solstis_ai.errors import PlayerSpecError
from solstis_ai.observation import Observation
from solstis_ai.search.levels import level_of_text
from solstis_ai.search.session import Search
from solstis_ai.search.types import (
    TEXTBOOK_EXPLORATION,
    Evaluation,
    Limits,
    SearchConfig,
    check_seed,
    mixed_seed,
)
from solstis_ai.vocabulary import Move

__all__ = [
    "PLAYERS",
    "TEXTBOOK",
    "Choice",
    "GreedyPlayer",
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "player_from_spec",
]

_Number = TypeVar("_Number", int, float)

TEXTBOOK = SearchConfig(
    evaluation=Evaluation.PLAYOUTS,
    exploration=TEXTBOOK_EXPLORATION,
    endgame=False,
    overtaking=False,
)
"""The published algorithm and nothing else: the yardstick of strength.

Single-observer ISMCTS with UCB1 over availability counts, uniformly random playouts to the end,
rewards for win, draw and loss, most visits (Cowling, Powley & Whitehouse 2012).
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen move, and the search iterations that it took."""

    move: Move
    iterations: int = 0


class Player(Protocol):
    """Whoever can decide."""

    def choose(self, observation: Observation) -> Choice:
        """Decide in this situation, which must be a valid one."""
        ...


class RandomPlayer:
    """Plays uniformly random legal moves."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, observation: Observation) -> Choice:
        """A random legal move, the same for the same observation and seed."""
        codes = bridge.knowledge_of_observation(observation).legal_codes()
        feed = ChanceFeed.random(mixed_seed(observation, self._seed))
        return Choice(bridge.move_from_code(codes[feed.below(len(codes))]))


class GreedyPlayer:
    """Takes the turn that gives most stars at once, in one sampled world."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, observation: Observation) -> Choice:
        """The first move of the best turn; the same for the same observation and seed."""
        knowledge = bridge.knowledge_of_observation(observation)
        feed = ChanceFeed.random(mixed_seed(observation, self._seed))
        world = knowledge.sample(feed)
        best = max(knowledge.legal_codes(), key=lambda code: _lead_after(world, code, feed))
        return Choice(bridge.move_from_code(best))


def _lead_after(world: GameState, code: int, feed: ChanceFeed) -> int:
    """Lead in stars of side 0 after its best turn that begins with ``code``."""
    after = world.copy()
    after.apply(code, feed)
    if after.mover == 0 and after.legal_count() and not _same_turn_is_over(world, after):
        return max(_lead_after(after, following, feed) for following in after.legal_codes()[:12])
    return after.score(0)[0] - after.score(1)[0]


def _same_turn_is_over(before: GameState, after: GameState) -> bool:
    play = 0  # number of the phase in which a turn begins
    return after.phase == play and before.phase != play


class SearchPlayer:
    """Searches within limits."""

    def __init__(self, limits: Limits, config: SearchConfig) -> None:
        self._limits = limits
        self._config = config

    def choose(self, observation: Observation) -> Choice:
        """The move that the search recommends."""
        search = Search(observation, self._limits, config=self._config)
        if not search.forced:
            search.run()
        return Choice(search.best_move(), search.iterations)


# ---- specs -------------------------------------------------------------------------------


class _Options:
    """The options of a spec; every one must be taken."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self.name, _, self._text = spec.partition(":")

    def whole(self) -> str:
        """All that stands after the name, instead of options."""
        text, self._text = self._text, ""
        return text

    @cached_property
    def _texts(self) -> dict[str, str]:
        pairs = [self._pair(word) for word in self._text.split(",") if word]
        texts = dict(pairs)
        if len(texts) < len(pairs):
            raise PlayerSpecError(f"player {self._spec!r}: an option comes twice")
        return texts

    def _pair(self, word: str) -> tuple[str, str]:
        name, equals, value = word.partition("=")
        if not equals:
            raise PlayerSpecError(f"player {self._spec!r}: {word!r} is not option=value")
        return name, value

    def integer(self, name: str) -> int | None:
        return self._number(name, int)

    def real(self, name: str) -> float | None:
        return self._number(name, float)

    def switch(self, name: str) -> bool | None:
        number = self.integer(name)
        if number not in (None, 0, 1):
            raise PlayerSpecError(f"player {self._spec!r}: {name} is {number}, not 0 or 1")
        return None if number is None else bool(number)

    def evaluation(self) -> Evaluation | None:
        text = self._texts.pop("evaluation", None)
        if text is None:
            return None
        try:
            return Evaluation(text)
        except ValueError:
            raise PlayerSpecError(
                f"player {self._spec!r}: evaluation is {text!r}; "
                f"choose from {', '.join(Evaluation)}"
            ) from None

    def _number(self, name: str, kind: Callable[[str], _Number]) -> _Number | None:
        text = self._texts.pop(name, None)
        if text is None:
            return None
        try:
            return kind(text)
        except ValueError:
            raise PlayerSpecError(
                f"player {self._spec!r}: {name} is {text!r}, not a number"
            ) from None

    def finish(self) -> None:
        if self._texts:
            raise PlayerSpecError(
                f"player {self._spec!r}: {self.name} has no option {next(iter(self._texts))!r}"
            )


def _seed(options: _Options) -> int:
    return check_seed(options.integer("seed") or 0)


def _limits(options: _Options) -> Limits:
    threads = options.integer("threads")
    return Limits(
        iterations=options.integer("iterations"),
        time_seconds=options.real("time"),
        threads=1 if threads is None else threads,
    )


def _textbook(options: _Options) -> Player:
    return SearchPlayer(_limits(options), TEXTBOOK)


def _search(options: _Options) -> Player:
    limits, standard = _limits(options), SearchConfig()
    nodes, lookahead = options.integer("nodes"), options.integer("lookahead")
    endgame, overlooks = options.switch("endgame"), options.real("overlooks") or 0.0
    overtaking = options.switch("overtaking")
    return SearchPlayer(
        limits,
        SearchConfig(
            evaluation=options.evaluation(),
            exploration=options.real("exploration"),
            lookahead=standard.lookahead if lookahead is None else lookahead,
            max_nodes=standard.max_nodes if nodes is None else nodes,
            endgame=overlooks == 0 if endgame is None else endgame,
            overtaking=overlooks == 0 if overtaking is None else overtaking,
            overlooks=overlooks,
        ),
    )


def _level(options: _Options) -> Player:
    level = level_of_text(options.whole())
    return SearchPlayer(level.limits, level.config)


PLAYERS: dict[str, Callable[[_Options], Player]] = {
    "random": lambda options: RandomPlayer(_seed(options)),
    "greedy": lambda options: GreedyPlayer(_seed(options)),
    "textbook": _textbook,
    "search": _search,
    "level": _level,
}
"""Names of the players, with what makes each of them from its options."""


def player_from_spec(spec: str) -> Player:
    """The player of a spec: a name of ``PLAYERS``, and options ``name=value``; or ``level:5``.

    ``random`` and ``greedy`` take ``seed``; ``textbook`` and ``search`` take ``iterations``,
    ``time`` (seconds) and ``threads``; ``search`` also ``evaluation`` (of ``Evaluation``),
    ``exploration``, ``lookahead``, ``nodes``, ``overlooks`` (the probability of a move to go
    unnoticed), ``endgame`` (0 or 1: whether endings are solved exactly) and ``overtaking`` (0 or 1:
    whether a clearly better move overtakes the most visited one); by default those that overlook
    nothing do both.

    Raises:
        PlayerSpecError: If the name or an option is unknown, or a value is no number.
        InvalidSearchError: If a value is out of range.
    """
    options = _Options(spec)
    if options.name not in PLAYERS:
        raise PlayerSpecError(
            f"player {spec!r}: there is no {options.name!r}; choose from {', '.join(PLAYERS)}"
        )
    player = PLAYERS[options.name](options)
    options.finish()
    return player
