"""Requests are measured as searches, on both ways."""

from __future__ import annotations

from typing import Any

import pytest
import request as benchmark_of_requests

from solstis_ai import benchmark, engine


def test_a_repeated_question_over_grpc_is_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run, runs = engine.Search.run, []

    def spied(search: engine.Search, *limits: Any) -> bool:
        runs.append(search)
        return run(search, *limits)

    monkeypatch.setattr(engine.Search, "run", spied)
    with benchmark_of_requests.loopback() as client:
        for _ in range(3):
            client.recommend(benchmark.opening(), iterations=20, seed=5)
    assert len({id(search) for search in runs}) == 3


def test_each_request_has_another_seed() -> None:
    asked: list[tuple[int, int]] = []

    def way(_observation: object, iterations: int, seed: int) -> Any:
        asked.append((iterations, seed))

    piece = benchmark_of_requests.requests(way, benchmark.opening(), 30)
    assert [piece() for _ in range(3)] == [1, 1, 1]
    assert {iterations for iterations, _ in asked} == {30}
    assert len({seed for _, seed in asked}) == 3
