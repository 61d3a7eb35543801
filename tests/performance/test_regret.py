"""The benchmark of the moves of several threads."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import regret
import tasks

from solstis_ai.notation import parse_observation


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games and judgements that take no time."""
    monkeypatch.setattr(regret, "PLAYING_ITERATIONS", 2)
    monkeypatch.setattr(regret, "REFERENCE_ITERATIONS", 50)
    monkeypatch.setattr(regret, "POSITIONS_A_GAME", 3)


@pytest.mark.usefixtures("short")
def test_positions_are_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "judged.jsonl"
    with ThreadPoolExecutor(1) as pool:
        first = regret.judged_positions(4, file, pool)
        more = regret.judged_positions(12, file, pool)
        monkeypatch.setattr(regret, "judge_game", None)
        again = regret.judged_positions(12, file, pool)
    assert len(first) == 4
    assert more[:4] == first
    assert again == more
    assert len({text for text, _ in more}) == 12


@pytest.mark.parametrize(
    "line",
    ["", "{", "[1, 2]", '["a", "b", {}]', '[1, "no observation", {"pass": 0.5}]', '[1, "OBS", {}]'],
)
@pytest.mark.usefixtures("short")
def test_a_damaged_judgement_is_told_by_file_and_line(line: str, tmp_path: Path) -> None:
    [(text, values), *_] = regret.judge_game(1)
    file = tmp_path / "judged.jsonl"
    whole = json.dumps([1, text, values])
    file.write_text(f"{whole}\n{line.replace('OBS', text)}\n{whole}\n")
    with pytest.raises(ValueError, match=r"judged\.jsonl, line 2 is no judgement; delete the file"):
        regret.read_references(file)


def test_judgements_are_kept_in_this_checkout_where_git_ignores_them() -> None:
    assert regret.REFERENCES.parent == tasks.ROOT / "build"
    assert "build/" in (tasks.ROOT / ".gitignore").read_text().splitlines()
    assert str(regret.REFERENCE_ITERATIONS) in regret.REFERENCES.name


@pytest.mark.usefixtures("short")
def test_regret_is_what_the_best_move_is_worth_more() -> None:
    [(text, values), *_] = regret.judge_game(1)
    assert sorted(values) == sorted(
        str(row.move)
        for row in regret.searched(parse_observation(text), 50, 1, 77).analysis().alternatives
    )
    equal = dict.fromkeys(values, 0.25)
    assert regret.regrets((text, equal), iterations=60, seeds=2) == [0.0, 0.0, 0.0]
    worthless = {"no such move": 1.0}
    assert regret.regrets((text, worthless), iterations=60, seeds=2) == [1.0, 1.0, 1.0]


@pytest.mark.usefixtures("short")
def test_other_seeds_are_another_sample() -> None:
    def measured(first_seed: int) -> list[list[float]]:
        found = regret.judge_game(1)
        return [regret.regrets(one, iterations=20, seeds=3, first_seed=first_seed) for one in found]

    assert measured(0) == measured(0)
    assert measured(0) != measured(50)


@pytest.mark.usefixtures("short")
def test_the_hardest_positions_are_those_where_most_is_lost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    judged = [
        (text, dict.fromkeys(values, 0.5) | {"no such move": best})
        for (text, values), best in zip(regret.judge_game(1), (0.5, 0.5, 0.7), strict=True)
    ]
    with ThreadPoolExecutor(1) as pool:
        assert regret.hardest(judged, 1, 20, pool) == [judged[2]]
        assert regret.hardest(judged, 3, 20, pool) == judged
    assert "100% of what is lost is lost in the 1 hardest" in capsys.readouterr().out
