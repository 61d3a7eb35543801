from collections.abc import Sequence
from typing import Any, final

import numpy as np

from solstis_ai._fast import ChanceFeed, GameState
from solstis_ai.search.evaluator import Evaluator

_Style = tuple[Evaluator | None, int, int, float, float, float]
_Array = np.ndarray[Any, Any]

@final
class Table:
    def __init__(self, styles: Sequence[_Style], keep: bool) -> None: ...
    def play(
        self, state: GameState, feed: ChanceFeed, seed: int, swapped: bool
    ) -> tuple[int, int, int]: ...
    def take_options(self) -> tuple[_Array, _Array]: ...
    def take_samples(self) -> tuple[_Array, _Array, _Array, _Array, _Array]: ...
