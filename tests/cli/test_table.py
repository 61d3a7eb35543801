"""``solstis-ai table``: a whole game in lines of JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from solstis_ai.game import Game
from solstis_ai.vocabulary import Rules
from solstis_ai.wire import observation_from_json

Run = Callable[..., Result]


def first_moves(game: Game) -> list[str]:
    """A game in which everyone takes the first legal move; ``game`` is played to its end."""
    words = []
    while not game.over:
        words.append(min(map(str, game.legal_moves)))
        game.push(words[-1])
    return words


def lines_of(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ((), Rules()),
        (("--fireflies",), Rules(fireflies=True)),
        (("--beginner",), Rules(evil_spirit=False)),
    ],
)
def test_a_game_to_its_end(run: Run, options: tuple[str, ...], rules: Rules) -> None:
    game = Game(rules, seed=5)
    moves = first_moves(game)
    result = run("table", "--seed", "5", *options, stdin="\n".join(moves))
    *decisions, end = lines_of(result)

    assert result.exit_code == 0
    assert len(decisions) == len(moves)
    assert (end["over"], end["winner"]) == (True, game.winner)
    assert [it["total"] for it in end["scores"]] == [game.score(seat).total for seat in (0, 1)]


def test_a_decision_shows_what_its_seat_sees(run: Run) -> None:
    game = Game(seed=5)
    result = run("table", "--seed", "5", stdin="")
    (decision,) = lines_of(result)

    assert decision["seat"] == 0
    assert observation_from_json(json.dumps(decision["observation"])) == game.observation(0)
    assert decision["legalMoves"] == sorted(map(str, game.legal_moves))
    assert result.exit_code == 1
    assert "ended before the game did" in result.stderr


@pytest.mark.parametrize("words", ["play p7 twice", "play x9", "draw", ""])
def test_what_is_no_legal_move_is_asked_again(run: Run, words: str) -> None:
    first, error, again = lines_of(run("table", "--seed", "5", stdin=f"{words}\n"))

    assert error.keys() == {"error"}
    assert error["error"]
    assert first == again


def test_without_a_seed_games_differ(run: Run) -> None:
    one, other = (lines_of(run("table", stdin=""))[0] for _ in range(2))
    assert one != other


def test_moves_may_come_from_a_file(run: Run, tmp_path: Path) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text("\n".join(first_moves(Game(seed=5))), encoding="utf-8")

    assert lines_of(run("table", "--seed", "5", str(moves)))[-1]["over"]


def test_the_variants_do_not_go_together(run: Run) -> None:
    assert run("table", "--fireflies", "--beginner").exit_code == 2


def test_each_line_is_written_before_the_next_is_read() -> None:
    command = [sys.executable, "-m", "solstis_ai", "table", "--seed", "5"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        legal = json.loads(process.stdout.readline())["legalMoves"]
        process.stdin.write(f"{legal[0]}\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["observation"]
        process.kill()
