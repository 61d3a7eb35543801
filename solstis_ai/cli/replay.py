"""``solstis-ai replay``: check recorded games against the rules."""

from __future__ import annotations

import json
from pathlib import Path

import click

from solstis_ai.recorded import MismatchError, ReplayReport, replay_files

__all__ = ["command"]

_SHOWN = 2000  # characters of one value in a message


@click.command("replay")
@click.argument(
    "files",
    metavar="FILE.jsonl...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(*, files: tuple[Path, ...], as_json: bool) -> None:
    """Replay recorded games and compare them with the rules.

    A file holds one game a line, as JSON: setup, decisions with the legal ones, chance events,
    final panoramas and scores. The first difference of each game is told, and what is no recorded
    game, which counts as a mismatch too. The exit code is 1 if there is any.
    """
    report = replay_files(list(files))
    click.echo(_json(report) if as_json else _text(report))
    if report.mismatches or report.malformed:
        raise SystemExit(1)


def _text(report: ReplayReport) -> str:
    lines = [
        f"game {mismatch.game}, event {mismatch.where}:\n"
        f"  expected {_short(mismatch.expected)}\n"
        f"  found    {_short(mismatch.found)}"
        for mismatch in report.mismatches
    ]
    lines += map(str, report.malformed)
    counts = (report.games, report.events, len(report.mismatches) + len(report.malformed))
    lines.append("{} games, {} events, {} mismatches".format(*counts))
    return "\n".join(lines)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _json(report: ReplayReport) -> str:
    return json.dumps(
        {
            "games": report.games,
            "events": report.events,
            "mismatches": [_row(mismatch) for mismatch in report.mismatches],
            "malformed": [str(error) for error in report.malformed],
        }
    )


def _row(mismatch: MismatchError) -> dict[str, object]:
    return {
        "game": mismatch.game,
        "event": mismatch.where,
        "expected": mismatch.expected,
        "found": mismatch.found,
    }
