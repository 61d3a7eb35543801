"""``solstis-ai recommend``: which move to play."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from solstis_ai.cli.connecting import PLAIN, Connection, connection_options
from solstis_ai.cli.parameters import SERVER, FiniteRange
from solstis_ai.cli.reading import read_observation
from solstis_ai.drawing import draw_analysis, draw_position
from solstis_ai.errors import InvalidSearchError
from solstis_ai.marking import marks_of
from solstis_ai.observation import Observation
from solstis_ai.search.levels import Level, level_of_text
from solstis_ai.search.types import (
    DEFAULT_TIME_SECONDS,
    MAX_ITERATIONS,
    MAX_SEED,
    MAX_THREADS,
    Analysis,
    Limits,
)

if TYPE_CHECKING:
    from solstis_ai.service.client import OpponentClient

__all__ = ["command"]


def _writable(_ctx: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a file that cannot be written, before a search is wasted on it."""
    if path is not None and not path.exists():
        folder = path.parent
        if not folder.is_dir():
            raise click.BadParameter(f"there is no directory {str(folder)!r}; create it first")
        if not os.access(folder, os.W_OK):
            raise click.BadParameter(f"the directory {str(folder)!r} is not writable")
    return path


def _level(_ctx: click.Context, _option: click.Parameter, text: str | None) -> Level | None:
    try:
        return None if text is None else level_of_text(text)
    except InvalidSearchError as error:
        raise click.BadParameter(error.reason) from error


@click.command("recommend")
@click.argument("path", metavar="OBSERVATION.json")
@click.option(
    "--server",
    type=SERVER,
    metavar="HOST:PORT",
    help="Ask this service. Without it, the search runs in this process.",
)
@click.option(
    "--iterations", type=click.IntRange(1, MAX_ITERATIONS), help="Stop after this many iterations."
)
@click.option(
    "--time",
    "time_seconds",
    type=FiniteRange(min=0, min_open=True),
    help=f"Stop after this many seconds; {DEFAULT_TIME_SECONDS:g} if nothing else stops it.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, MAX_THREADS),
    default=1,
    show_default=True,
    help="Search threads.",
)
@click.option(
    "--level",
    callback=_level,
    metavar="LEVEL",
    help="Play at this level, a number or name of `solstis-ai levels`, instead of within limits.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    help="Seed of the search. The same seed and iterations give the same answer.",
)
@click.option(
    "--timeout",
    type=FiniteRange(min=0, min_open=True),
    default=120.0,
    show_default=True,
    help="With --server: give up after this many seconds.",
)
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    callback=_writable,
    metavar="FILE",
    help="Also draw position and answer as an SVG picture; FILE is overwritten.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@connection_options
def command(
    *,
    path: str,
    server: str | None,
    iterations: int | None,
    time_seconds: float | None,
    threads: int,
    level: Level | None,
    seed: int | None,
    timeout: float,
    svg: Path | None,
    as_json: bool,
    connection: Connection,
) -> None:
    """Recommend a move for what one seat sees.

    OBSERVATION.json is an observation in the JSON form of the service; - reads it from
    standard input.
    """
    seen = read_observation(path)
    limits = Limits(iterations, time_seconds, threads)
    if level is not None:
        level.granted(limits)  # refuses any
    else:
        limits = limits.or_time(DEFAULT_TIME_SECONDS)
    number = level.number if level is not None else None
    if server is None:
        if connection != PLAIN:
            raise click.UsageError("--ca, --cert, --key and --token-file need --server")
        analysis = _searched(seen, limits, seed, number)
    else:
        with _client(server, timeout, connection) as client:
            analysis = _asked(client, seen, limits, seed, number)
    if svg is not None:
        svg.write_text(_picture(seen, analysis), encoding="utf-8")
    if as_json:
        click.echo(_json(analysis))
    else:
        _show(seen, analysis)


def _searched(
    observation: Observation, limits: Limits, seed: int | None, level: int | None
) -> Analysis:
    from solstis_ai import engine  # noqa: PLC0415 - not needed when a server searches

    return engine.recommend(observation, limits, seed, level=level)


def _client(server: str, timeout: float, connection: Connection) -> OpponentClient:
    from solstis_ai.service.client import OpponentClient  # noqa: PLC0415 - only with --server

    return OpponentClient(
        server,
        timeout=timeout,
        credentials=connection.credentials,
        token=connection.token,
        health_checks=False,  # one call needs none, and servers may ask a token for them
    )


def _asked(
    client: OpponentClient,
    observation: Observation,
    limits: Limits,
    seed: int | None,
    level: int | None,
) -> Analysis:
    return client.recommend(
        observation,
        iterations=limits.iterations,
        time_seconds=limits.time_seconds,
        threads=limits.threads,
        seed=seed,
        level=level,
    )


def _show(observation: Observation, analysis: Analysis) -> None:
    console = Console(highlight=False)
    console.print(draw_position(observation, marks_of(observation, analysis.line)))
    console.print(draw_analysis(analysis))


def _picture(observation: Observation, analysis: Analysis) -> str:
    from solstis_ai.picture import draw_picture  # noqa: PLC0415 - only with --svg

    return draw_picture(observation, analysis)


def _json(analysis: Analysis) -> str:
    from google.protobuf.json_format import MessageToJson  # noqa: PLC0415 - only with --json

    from solstis_ai.service.converters import analysis_to_proto  # noqa: PLC0415

    return MessageToJson(analysis_to_proto(analysis), always_print_fields_with_no_presence=True)
