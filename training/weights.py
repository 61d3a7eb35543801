"""Networks on file: float weights for training, 16-bit ones for the engine."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from solstis_ai.search.evaluator import SCALES, Evaluator
from solstis_ai.search.selfplay import PolicyTables


def quantized(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    one, output_one = SCALES
    return {
        "rows": np.round(weights["rows"] * one).clip(-32767, 32767).astype(np.int16),
        "bias": np.round(weights["bias"] * one).astype(np.int16),
        "output": np.round(weights["output"] * output_one).clip(-32767, 32767).astype(np.int16),
        "output_bias": np.round(weights["output_bias"] * one * output_one).astype(np.int32),
    }


def load(path: str | Path) -> Evaluator:
    with np.load(path) as file:
        return Evaluator(file["rows"], file["bias"], file["output"], file["output_bias"])


def load_policy(path: str | Path) -> PolicyTables:
    with np.load(path) as file:
        return PolicyTables(file["cell"], file["capture"], file["spirit"])
