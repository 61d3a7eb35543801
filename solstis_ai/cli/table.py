"""``solstis-ai table``: a table to play at, in lines of JSON."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, TextIO

import click

from solstis_ai.errors import IllegalMoveError, NotationError
from solstis_ai.game import Game
from solstis_ai.vocabulary import Rules
from solstis_ai.wire import observation_to_json

__all__ = ["command"]


@click.command("table")
@click.option("--fireflies", is_flag=True, help="Play the Fireflies expansion.")
@click.option("--beginner", is_flag=True, help="Play the beginner's game, without evil spirit.")
@click.option("--seed", type=int, help="Determines the whole shuffle; random by default.")
@click.argument("moves", type=click.File("r", encoding="utf-8"), default="-")
def command(*, fireflies: bool, beginner: bool, seed: int | None, moves: TextIO) -> None:
    """Run one game: write what the seat to decide sees, read its move, until the end.

    Each decision is one line of JSON: "seat" (0 or 1), "observation" as the service takes it,
    and "legalMoves" in words. The answer is one line with the words of a move, such as
    "play g5", from standard input or the file MOVES. A line that is no legal move is answered
    with "error", and the decision is asked again. The last line has "over": true, "winner" (0,
    1, or null for a draw) and "scores" of both seats.

    The program that runs the table has to be trusted by both seats; each line shows what one
    seat may see and no more.
    """
    if fireflies and beginner:
        raise click.UsageError("--fireflies and --beginner do not go together")
    game = Game(Rules(fireflies=fireflies, evil_spirit=not beginner), seed=seed)
    while not game.over:
        _write(_decision(game))
        _take(game, _next_line(moves))
    _write(_end(game))


def _take(game: Game, words: str) -> None:
    try:
        game.push(words)
    except (NotationError, IllegalMoveError) as error:
        _write({"error": str(error)})


def _next_line(moves: TextIO) -> str:
    line = moves.readline()
    if not line:
        raise click.ClickException("the moves ended before the game did")
    return line.strip()


def _decision(game: Game) -> dict[str, Any]:
    seat = game.player
    return {
        "seat": seat,
        "observation": json.loads(observation_to_json(game.observation(seat))),
        "legalMoves": sorted(map(str, game.legal_moves)),
    }


def _end(game: Game) -> dict[str, Any]:
    scores = [dataclasses.asdict(game.score(seat)) for seat in (0, 1)]
    return {"over": True, "winner": game.winner, "scores": scores}


def _write(line: dict[str, Any]) -> None:
    click.echo(json.dumps(line))
