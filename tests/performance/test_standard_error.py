"""The script that compares standard errors with the answers of other seeds."""

from __future__ import annotations

import sys

import pytest
import standard_error
from fakes.observations import OPENING


def test_answers_of_other_seeds_differ_by_about_what_they_tell() -> None:
    found = standard_error.ratios(OPENING, iterations=4000, seeds=12)
    assert found
    assert all(0 < share < 1 for share, _ in found)
    assert min(ratio for _, ratio in found) > 0.3
    assert max(ratio for _, ratio in found) < 3


def test_moves_are_told_by_their_share_of_the_visits() -> None:
    found = [(0.6, 1.0), (0.5, 3.0), (0.1, 0.5)]
    assert list(standard_error.table(2000, found)) == [
        "2,000 iterations, most visited: median 2.00, root mean square 2.24, 50% above 2 (2 moves)",
        "2,000 iterations, others: median 0.50, root mean square 0.50, 0% above 2 (1 moves)",
    ]


def test_it_searches_and_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--positions", "3", "--seeds", "2", "--iterations", "300"]
    monkeypatch.setattr(sys, "argv", ["standard_error.py", *options])
    standard_error.main()
    assert capsys.readouterr().out.startswith("300 iterations, ")


def test_a_deviation_needs_two_seeds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["standard_error.py", "--seeds", "1"])
    with pytest.raises(SystemExit):
        standard_error.main()
    assert "--seeds: a deviation needs 2 or more" in capsys.readouterr().err
