"""The scripts that make a network: each does its part, and the parts fit together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import headline
import numpy as np
import pytest
from deals import deal
from positions import WORDS, Array, faded, features_in, mirrored_features, read

from solstis_ai import bridge
from solstis_ai.game import Game
from solstis_ai.search.selfplay import Table
from solstis_ai.search.weights import read_evaluator
from solstis_ai.vocabulary import Rules

TRAINING = Path(__file__).resolve().parent.parent / "training"


def run(name: str, *arguments: object) -> str:
    """Run a script and return what it prints."""
    command = [sys.executable, str(TRAINING / f"{name}.py"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of self-play games."""
    path = tmp_path_factory.mktemp("training") / "games.npz"
    run("generate", path, "it=40,c=0.5,slips=0.1", "--games", 20)
    return path


def test_games_repeat_by_their_seed(games: Path, tmp_path: Path) -> None:
    again, other = tmp_path / "again.npz", tmp_path / "other.npz"
    run("generate", again, "it=40,c=0.5,slips=0.1", "--games", 20)
    run("generate", other, "it=40,c=0.5,slips=0.1", "--games", 20, "--seed", 7)
    with np.load(games) as one, np.load(again) as two, np.load(other) as three:
        assert all(np.array_equal(one[name], two[name]) for name in one.files)
        assert not np.array_equal(one["features"][:100], three["features"][:100])


def test_results_are_told_from_the_side_that_decided(games: Path) -> None:
    with np.load(games) as file:
        results, sides = file["results"], file["sides"]
        deck = file["features"][:, 37] & np.uint64((1 << 49) - 1)
        assert 0.05 < file["slipped"].mean() < 0.2
        assert ((file["values"] >= 0) & (file["values"] <= 1)).all()
    game = np.cumsum(np.append(False, deck[1:] > deck[:-1]))
    for number in range(game[-1] + 1):
        of_first = np.where(sides == 0, results, 1 - results)[game == number]
        assert len(set(of_first)) == 1


def test_a_trained_evaluator_plays(games: Path, tmp_path: Path) -> None:
    network, policy, packed = (tmp_path / f"{name}.npz" for name in ("n", "p", "e"))
    assert "epoch 2" in run("train", network, games, "--epochs", 2, "--batch", 64)
    run("train_policy", policy, games, "--steps", 20)
    run("pack", network, policy, packed)
    evaluator = read_evaluator(packed)
    chances = {
        evaluator.judge(bridge.state_of_position(Game(seed=seed).position())) for seed in range(9)
    }
    assert len(chances) > 3
    match = run("match", f"it=40,net={packed},c=0.4", "it=40", "--pairs", 2, "--workers", 1)
    assert "2 pairs" in match


def test_a_table_without_room_for_positions_says_so() -> None:
    state, chance = deal(Rules(), 1)
    table = Table([(None, 0, 5, 0.7, 0.0, 0.0)] * 2, True)

    def play_many() -> None:
        for seed in range(4096):
            table.play(state, chance, seed, False)

    with pytest.raises(ValueError, match="take the samples"):
        play_many()
    kept = len(table.take_samples()[1])
    assert 3500 < kept < 4096
    table.play(state, chance, 0, False)


def test_positions_whose_moves_were_all_overlooked_have_a_value() -> None:
    state, chance = deal(Rules(), 1)
    table = Table([(None, 0, 2, 0.7, 0.0, 0.9)] * 2, True)
    table.play(state, chance, 1, False)
    assert np.isfinite(table.take_samples()[1]).all()


def test_an_unknown_option_of_a_style_is_refused() -> None:
    command = [sys.executable, str(TRAINING / "match.py"), "it=40,depth=3", "it=40"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "there is no option 'depth'" in done.stderr


def test_a_mirror_twice_is_no_mirror() -> None:
    mirror = mirrored_features()
    assert np.array_equal(mirror[mirror], np.arange(64 * WORDS))
    assert (mirror != np.arange(64 * WORDS)).sum() > 1000


def test_features_come_with_their_mirrors(games: Path) -> None:
    features = set(features_in(read(games, 0.5).words).tolist())
    assert {int(mirrored_features()[feature]) for feature in features} == features


def test_targets_fade_into_what_comes_later() -> None:
    words = np.zeros((4, WORDS), np.uint64)
    words[:, 37] = [1 << 9, 1 << 8, 1 << 7, 1 << 12]  # three positions of one game, one of another
    file: dict[str, Array] = {
        "features": words,
        "values": np.array([0.5, 0.2, 0.4, 0.9], np.float32),
        "results": np.array([0.0, 1.0, 0.0, 1.0], np.float32),
        "sides": np.array([0, 1, 0, 0], np.int8),
        "slipped": np.array([False, False, True, False]),
    }
    assert faded(file, 0.0) == pytest.approx([0.5, 0.2, 0.4, 0.9])
    last = 0.4  # a random decision followed: what came later does not count
    second = 0.5 * 0.2 + 0.5 * (1 - last)
    first = 0.5 * 0.5 + 0.5 * (1 - second)
    assert faded(file, 0.5) == pytest.approx([first, second, last, 0.95])


def test_the_headline_matches_are_played_in_both_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(headline, "BUDGETS", (20,))
    monkeypatch.setattr(headline, "PAIRS_BY_TIME", {0.001: 0.5})
    monkeypatch.setattr(sys, "argv", ["headline.py", "--pairs", "4"])
    headline.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        f"{game}, {match}"
        for game in ("base game", "Fireflies")
        for match in (
            "network against textbook, 20 iterations each",
            "search against textbook, 1 ms each",
        )
    ]
    assert [line.split()[-2].strip("(") for line in lines] == ["4", "2", "4", "2"]
