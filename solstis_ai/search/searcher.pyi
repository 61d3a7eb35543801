from collections.abc import Sequence
from typing import final

from solstis_ai._fast import Knowledge
from solstis_ai.search.evaluator import Evaluator
from solstis_ai.search.team import Team

WIN_REWARD: int
NODE_BYTES: int

@final
class Searcher:
    def __init__(
        self,
        knowledge: Knowledge,
        seed: int,
        stream: int,
        exploration: float,
        evaluator: Evaluator | None,
        lookahead: int,
        max_nodes: int,
        expected: int,
        team: Team | None = None,
    ) -> None: ...
    def run(self, iterations: int, seconds: float, total_seconds: float) -> None: ...
    def stop(self) -> None: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def iterations(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def signature(self) -> int: ...
    @property
    def root_codes(self) -> list[int]: ...
    def noticed(self, seed: int, overlooks: float) -> list[int]: ...
    def statistics(self) -> list[tuple[int, int, int]]: ...
    def visits_after(self, path: Sequence[int]) -> int: ...
    def further_visits_after(self, path: Sequence[int], to: Searcher) -> int: ...

def play_games(
    fireflies: bool, spirits: int, games: int, seed: int
) -> tuple[int, int, int, int, int]: ...
