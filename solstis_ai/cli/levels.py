"""``solstis-ai levels``: the levels of play."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from solstis_ai.search.levels import LEVELS, Level

__all__ = ["command"]


@click.command("levels")
@click.option("--json", "as_json", is_flag=True, help="Print the levels as JSON.")
def command(*, as_json: bool) -> None:
    """List the levels of play, from a first-time player to full strength.

    Elo is the measured difference to level 1 in the base game; "overlooks" is the probability
    of each legal move to go unnoticed.
    """
    if as_json:
        click.echo(json.dumps([asdict(level) for level in LEVELS]))
    else:
        click.echo(_table())


def _table() -> str:
    heads = f"{'':>2}  {'level':<10}  {'Elo':>4}  {'iterations':>10}  {'overlooks':>9}"
    return "\n".join([heads, *map(_row, LEVELS)])


def _row(level: Level) -> str:
    return (
        f"{level.number:>2}  {level.name:<10}  {level.elo:>4}  {level.iterations:>10,}  "
        f"{level.overlooks:>9.1%}  {level.description}"
    )
