"""``solstis-ai arena``: a match between two players over paired deals."""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from solstis_ai.arena import (
    Match,
    PairResult,
    Sprt,
    Summary,
    play_match,
    summarize,
)
from solstis_ai.errors import ArenaError
from solstis_ai.match_files import Record, read_seeds, write_pair
from solstis_ai.vocabulary import Rules

__all__ = ["command"]


def _sprt(
    _ctx: click.Context, _option: click.Parameter, bounds: tuple[float, float] | None
) -> Sprt | None:
    try:
        return None if bounds is None else Sprt(*bounds)
    except ArenaError as error:
        raise click.BadParameter(str(error)) from error


@click.command("arena")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--pairs",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Deals to play, each twice with the seats swapped.",
)
@click.option("--fireflies", is_flag=True, help="Play the Fireflies expansion.")
@click.option("--no-evil-spirit", is_flag=True, help="Play the beginner's game.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Seed of the first deal; the next ones follow it.",
)
@click.option(
    "--seeds",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the seeds of the deals, one a line; instead of --pairs and --seed.",
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes; all cores by default.")
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    callback=_sprt,
    metavar="LOW HIGH",
    help="Stop as soon as a difference of HIGH Elo is more likely than LOW by SPRT, or "
    "the reverse, with about 5 % errors of each kind.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the pairs in this file; a match on file is resumed, with the engine that began it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    *,
    first: str,
    second: str,
    pairs: int,
    fireflies: bool,
    no_evil_spirit: bool,
    seed: int,
    seeds: Path | None,
    workers: int | None,
    sprt: Sprt | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Let player A meet player B and tell who is stronger.

    A player is a name with options: random, greedy, textbook:iterations=10000,
    search:time=0.1,exploration=0.5, level:5. A search without iterations and time takes a second
    a decision. Matches with iteration limits give the same figures every time. Ranges are 95 %
    confidence intervals, from pairs.
    """
    if seeds is not None:
        _refuse_beside_seeds("pairs", "seed")
    match = Match(
        first,
        second,
        Rules(fireflies=fireflies, evil_spirit=not no_evil_spirit),
        read_seeds(seeds) if seeds else range(seed, seed + pairs),
    )
    results = _play(match, workers or os.cpu_count() or 1, output, sprt)
    if sprt is not None:  # a match on file may go on after the pair that decides
        results = results[: sprt.decided([result.score for result in results])]
    summary = summarize(results)
    if as_json:
        click.echo(json.dumps(_fields(match, summary, sprt, results)))
    else:
        click.echo(_table(match, summary, _verdict(results, match, sprt)))


def _refuse_beside_seeds(*names: str) -> None:
    """A file of seeds tells all deals."""
    context = click.get_current_context()
    given = [n for n in names if context.get_parameter_source(n) is not ParameterSource.DEFAULT]
    if given:
        raise click.UsageError(f"--seeds names all deals; leave out --{given[0]}")


def _play(match: Match, workers: int, output: Path | None, sprt: Sprt | None) -> list[PairResult]:
    record = Record(output, match) if output else None
    on_file = {result.seed: result for result in (record.read() if record else [])}
    results = {seed: on_file[seed] for seed in match.seeds if seed in on_file}
    with _progress() as progress, contextlib.ExitStack() as stack:
        file = stack.enter_context(record.open()) if record else None
        task = progress.add_task("pairs", total=len(match.seeds), completed=len(results))
        for result in play_match(match, workers=workers, done=list(results.values()), sprt=sprt):
            results[result.seed] = result
            if file is not None:
                write_pair(file, result)
            progress.advance(task)
    return [results[seed] for seed in match.seeds if seed in results]


@contextlib.contextmanager
def _progress() -> Iterator[Progress]:
    """A progress bar on standard error, where that is a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal
    ) as progress:
        yield progress


def _accepted(results: Sequence[PairResult], sprt: Sprt) -> float | None:
    """The difference that the test accepts."""
    decided = sprt.verdict([result.score for result in results])
    return None if decided is None else {"low": sprt.low, "high": sprt.high}[decided]


def _verdict(results: Sequence[PairResult], match: Match, sprt: Sprt | None) -> str | None:
    if sprt is None:
        return None
    accepted = _accepted(results, sprt)
    if accepted is None:
        return f"open after {len(results)} of {len(match.seeds)} pairs"
    return f"{accepted:+g} Elo accepted"


def _fields(
    match: Match, summary: Summary, sprt: Sprt | None, results: Sequence[PairResult]
) -> dict[str, object]:
    """What was played and what came of it, for JSON."""
    fields: dict[str, object] = {
        "a": match.first,
        "b": match.second,
        "rules": asdict(match.rules),
        "seeds": [result.seed for result in results],
        **_finite(asdict(summary)),
        "sprt": None,
    }
    if sprt is not None:
        accepted = _accepted(results, sprt)
        fields["sprt"] = {"low": sprt.low, "high": sprt.high, "accepted": accepted}
    return fields


def _finite(fields: dict[str, object]) -> dict[str, object]:
    """JSON has no infinity: null instead."""
    return {name: _null_if_infinite(value) for name, value in fields.items()}


def _null_if_infinite(value: object) -> object:
    if isinstance(value, tuple):
        return [_null_if_infinite(part) for part in value]
    return None if isinstance(value, float) and math.isinf(value) else value


def _table(match: Match, summary: Summary, verdict: str | None) -> str:
    low, high = summary.score_range
    elo_low, elo_high = summary.elo_range
    lines = [
        f"A  {match.first}",
        f"B  {match.second}",
        f"pairs             {summary.pairs} ({2 * summary.pairs} games)",
        f"A scores          {summary.score:.1%}  ({low:.1%} to {high:.1%})",
        f"Elo of A over B   {summary.elo:+z.0f}  ({elo_low:+z.0f} to {elo_high:+z.0f})",
        f"A wins, draws, B  {summary.wins}, {summary.draws}, {summary.losses}",
        f"stars             {summary.stars[0]:.2f} to {summary.stars[1]:.2f}",
        f"first player      {summary.first_player_score:.1%}",
        "a decision takes  {:.1f} and {:.1f} ms".format(
            *(1000 * seconds for seconds in summary.seconds_per_decision)
        ),
        "iterations        {:,.0f} and {:,.0f} a decision".format(*summary.iterations_per_decision),
    ]
    return "\n".join(lines if verdict is None else [*lines, f"SPRT              {verdict}"])
