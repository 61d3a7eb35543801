from typing import Any, final

import numpy as np

from solstis_ai._fast import GameState

_Array = np.ndarray[Any, Any]

FEATURES: int
SHAPE: tuple[int, int, int]
SCALES: tuple[int, int]
POLICY_SHAPE: tuple[int, int, int]
SPIRIT_SHAPE: tuple[int, int, int]

@final
class Evaluator:
    def __init__(
        self,
        rows: _Array,
        bias: _Array,
        output: _Array,
        output_bias: _Array,
        cell: _Array,
        capture: _Array,
        spirit: _Array,
    ) -> None: ...
    def judge(self, state: GameState) -> float: ...
