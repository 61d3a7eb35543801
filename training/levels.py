"""The figures of docs/levels.md: each level against the one below it, over paired deals.

    python training/levels.py [--pairs 1000] [--workers 2] [--records DIRECTORY]

Plays the first level against random play, too; base game and expansion. Writes docs/levels.json
after every match, and the table of docs/levels.md at the end. Matches that are there already,
with as many pairs and the same definitions, are kept, so that it goes on where it was
interrupted; ``--records`` keeps the pairs of the one long match as well. Short searches play up
to ten times ``--pairs``: that costs little, and the steps are small.

Two levels that overlook moves meet at a ``Table``, without Python in between. A level that
overlooks none solves endings, which a table does not know: it plays in the arena.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from match import Style, scores_of

from solstis_ai.arena import Match, elo, play_match
from solstis_ai.match_files import Record, write_pair
from solstis_ai.search.levels import LEVELS, Level
from solstis_ai.search.types import Evaluation
from solstis_ai.search.weights import evaluator_for
from solstis_ai.vocabulary import Rules
from solstis_ai.workers import worker_pool

DOCS = Path(__file__).resolve().parent.parent / "docs"
FIGURES, PAGE = DOCS / "levels.json", DOCS / "levels.md"
FIRST_DEAL = 30_000_000
GAMES = {"base game": Rules(), "Fireflies": Rules(fireflies=True)}
BEGIN, END = "<!-- made by training/levels.py -->\n", "<!-- end -->\n"

_AT_ONCE = 20  # pairs in a task of a worker
_CHEAP = 8000  # iterations of both sides together that are worth one pair
_MOST = 10  # times as many pairs as asked for
_CONFIDENCE = 1.959964  # standard errors of a two-sided interval of 95 %


@dataclass(frozen=True, slots=True)
class Play:
    """How one side plays: what defines a level."""

    iterations: int
    overlooks: float

    @property
    def spec(self) -> str:
        """The same as a player of the arena."""
        return f"search:iterations={self.iterations},overlooks={self.overlooks}"


RANDOM = Play(0, 0.0)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A level, the one below it (random play below the first), and the game."""

    game: str
    level: int
    stronger: Play
    weaker: Play


@dataclass(frozen=True, slots=True)
class Figure:
    """What came of a pairing.

    Attributes:
        pairing: Who met whom.
        pairs: Deals, each played twice.
        score: Share of points of the stronger level.
        error: Standard error of ``score``, from pairs.
    """

    pairing: Pairing
    pairs: int
    score: float
    error: float

    @property
    def elo(self) -> float:
        """The step in Elo."""
        return elo(self.score)

    @property
    def elo_range(self) -> tuple[float, float]:
        """Its 95 % confidence interval."""
        margin = _CONFIDENCE * self.error
        return elo(self.score - margin), elo(self.score + margin)


def pairings() -> Iterator[Pairing]:
    """All that is played."""
    plays = [RANDOM, *map(play_of, LEVELS)]
    for game in GAMES:
        for level in LEVELS:
            yield Pairing(game, level.number, plays[level.number], plays[level.number - 1])


def play_of(level: Level) -> Play:
    """What defines a level."""
    return Play(level.iterations, level.overlooks)


# ---- playing -----------------------------------------------------------------------------


def scores(pairing: Pairing, seeds: Sequence[int]) -> list[float]:
    """Share of the points of the stronger side in each pair, at a table."""
    rules = GAMES[pairing.game]
    return scores_of((_style(pairing.stronger, rules), _style(pairing.weaker, rules)), rules, seeds)


def _style(play: Play, rules: Rules) -> Style:
    level = Level(1, "", "", max(play.iterations, 1), play.overlooks, 0)
    evaluation = level.config.evaluation_within(level.limits)
    return (
        evaluator_for(rules) if evaluation is Evaluation.NETWORK else None,
        level.config.lookahead,
        play.iterations,
        level.config.exploration_for(evaluation),
        0.0,
        play.overlooks,
    )


def at_a_table(pairing: Pairing, seeds: Sequence[int], workers: int) -> list[float]:
    """``scores`` on several cores."""
    parts = [seeds[i : i + _AT_ONCE] for i in range(0, len(seeds), _AT_ONCE)]
    with worker_pool(workers) as pool:
        found = pool.map(scores, [pairing] * len(parts), parts)
        return [score for part in found for score in part]


def in_the_arena(
    pairing: Pairing, seeds: Sequence[int], workers: int, records: Path | None
) -> list[float]:
    """The same by players that solve endings; goes on in a record."""
    match = Match(pairing.stronger.spec, pairing.weaker.spec, GAMES[pairing.game], seeds)
    if records is None:
        return [pair.score for pair in play_match(match, workers=workers)]
    name = f"{pairing.game.split()[0].lower()}-{pairing.level}.jsonl"
    record = Record(records / name, match)
    done = [pair for pair in record.read() if pair.seed in seeds]
    found = [pair.score for pair in done]
    with record.open() as file:
        for pair in play_match(match, workers=workers, done=done):
            write_pair(file, pair)
            found.append(pair.score)
    return found


def played(
    pairing: Pairing, seeds: Sequence[int], workers: int, records: Path | None
) -> list[float]:
    """Share of the points of the stronger side in each pair."""
    if pairing.stronger.overlooks and (pairing.weaker.overlooks or pairing.weaker == RANDOM):
        return at_a_table(pairing, seeds, workers)
    return in_the_arena(pairing, seeds, workers, records)


def pairs_of(pairing: Pairing, least: int) -> int:
    """How many pairs are played; more where searches are short."""
    iterations = pairing.stronger.iterations + pairing.weaker.iterations
    return least * min(max(_CHEAP // iterations, 1), _MOST)


def measure(pairing: Pairing, pairs: int, workers: int, records: Path | None) -> Figure:
    """Play one pairing."""
    found = played(pairing, range(FIRST_DEAL, FIRST_DEAL + pairs), workers, records)
    mean, error = float(np.mean(found)), float(np.std(found, ddof=1)) / math.sqrt(pairs)
    return Figure(pairing, pairs, round(mean, 6), round(error, 6))


# ---- files -------------------------------------------------------------------------------


def read_figures() -> list[Figure]:
    """The figures on file; none when there is no file."""
    if not FIGURES.exists():
        return []
    return [
        Figure(pairing_of(row.pop("pairing")), **row)
        for row in json.loads(FIGURES.read_text(encoding="utf-8"))
    ]


def pairing_of(fields: dict[str, Any]) -> Pairing:
    """The pairing of its JSON."""
    stronger, weaker = Play(**fields["stronger"]), Play(**fields["weaker"])
    return Pairing(fields["game"], fields["level"], stronger, weaker)


def write_figures(figures: Iterable[Figure]) -> None:
    """Write them in the order of the games."""
    ordered = sorted(figures, key=lambda figure: (figure.pairing.game, figure.pairing.level))
    rows = ",\n".join(json.dumps(asdict(figure)) for figure in ordered)
    FIGURES.write_text(f"[\n{rows}\n]\n", encoding="utf-8")


def table(figures: Sequence[Figure]) -> str:
    """The table of docs/levels.md."""
    steps = {(figure.pairing.game, figure.pairing.level): figure for figure in figures}
    rows = [_row(level, [steps[game, level.number] for game in GAMES]) for level in LEVELS]
    heads = ["level", "name", "iterations", "overlooks", "Elo"]
    heads += [f"step, {game}" for game in GAMES]
    return "\n".join([_line(heads), _line(["---"] * len(heads)), *rows]) + "\n"


def _row(level: Level, steps: Sequence[Figure]) -> str:
    cells = [str(level.number), level.name, f"{level.iterations:,}", f"{level.overlooks:.1%}"]
    return _line([*cells, str(level.elo), *map(_step, steps)])


def _step(figure: Figure) -> str:
    low, high = figure.elo_range
    return f"{figure.elo:+z.0f} ({low:+z.0f} to {high:+z.0f})"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def elo_of_levels(figures: Iterable[Figure]) -> list[int]:
    """Elo of each level over level 1: sums of the steps in the base game."""
    steps = sorted(
        (figure.pairing.level, figure.elo)
        for figure in figures
        if figure.pairing.game == "base game" and figure.pairing.level > 1
    )
    sums = np.cumsum([0.0, *(step for _, step in steps)])
    return [round(float(total)) for total in sums]


def write_table(figures: Sequence[Figure]) -> None:
    """Put the table where the last one stands."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}{table(figures)}{END}{after}", encoding="utf-8")


def main() -> None:
    """Read the arguments, play what is missing, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pairs", type=int, default=1000, help="deals of a pairing, at least")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--records", type=Path, help="directory for the pairs of long matches")
    options = parser.parse_args()
    kept = {figure.pairing: figure for figure in read_figures()}
    figures: list[Figure] = []
    for pairing in pairings():
        figure, pairs = kept.pop(pairing, None), pairs_of(pairing, options.pairs)
        if figure is None or figure.pairs < pairs:
            figure = measure(pairing, pairs, options.workers, options.records)
        figures.append(figure)
        print(f"{pairing.game}, level {pairing.level}: {_step(figure)}", flush=True)
        write_figures([*figures, *kept.values()])
    write_figures(figures)
    write_table(figures)
    print(f"Elo of the levels: {elo_of_levels(figures)}")


if __name__ == "__main__":
    main()
