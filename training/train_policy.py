"""Fit the tables of a policy to the visits of searches, with numpy alone.

    python training/train_policy.py OUT.npz DATA.npz... [--steps 300]

The logit of an option is the sum of its two table entries (_fast/policy.pxd); the loss is the
cross entropy with the shares of visits that the search gave to the options.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from positions import Array

from solstis_ai.search.evaluator import POLICY_SHAPE, SPIRIT_SHAPE

DRAW, MEET, COVER = 3, 4, 10  # kinds of moves, see _fast/types.pxd
MOST = 6.0  # bound of a logit
BETAS = (0.9, 0.99)

CELLS = int(np.prod(POLICY_SHAPE))
SPIRITS = int(np.prod(SPIRIT_SHAPE))
PARAMETERS = 2 * CELLS + SPIRITS + 1
"""All table entries: by cell, by capture, by spirit; and one that stays 0."""


class Options(NamedTuple):
    """Options of many decisions, one after the other.

    Attributes:
        entries: int64, shape (2, n): the two table entries of each option.
        shares: float64, shape (n,): shares of visits.
        starts: Number of the first option of each decision.
        decisions: int64, shape (n,): number of the decision of each option.
    """

    entries: Array
    shares: Array
    starts: Array
    decisions: Array


def entries_of(facts: Array) -> Array:
    """The two table entries of each option, from its stage, kind and facts."""
    stage, kind, cell, capture = (facts[:, i].astype(np.int64) for i in range(1, 5))
    about_spirits = np.isin(kind, (DRAW, MEET, COVER))
    table = (stage * POLICY_SHAPE[1] + kind) * POLICY_SHAPE[2]
    spirit = (stage * SPIRIT_SHAPE[1] + (kind == COVER)) * SPIRIT_SHAPE[2] + cell
    first = np.where(about_spirits, 2 * CELLS + spirit, table + cell)
    second = np.where(about_spirits, PARAMETERS - 1, CELLS + table + capture)
    return np.stack([first, second])


def read(paths: list[Path]) -> Options:
    """The options of several files of ``generate.py``."""
    facts, shares, offset = [], [], 0
    for path in paths:
        with np.load(path) as file:
            found = file["facts"].astype(np.int64)
            shares.append(file["shares"].astype(np.float64))
        found[:, 0] += offset
        offset = int(found[-1, 0]) + 1
        facts.append(found)
    merged = np.concatenate(facts)
    starts = np.flatnonzero(np.diff(merged[:, 0], prepend=-1))
    decisions = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(merged))))
    return Options(entries_of(merged), np.concatenate(shares), starts, decisions)


def probabilities(logits: Array, options: Options) -> Array:
    """The softmax of every decision: float64, shape (n,)."""
    weights = np.exp(logits[options.entries].sum(axis=0))
    found: Array = weights / np.add.reduceat(weights, options.starts)[options.decisions]
    return found


def fit(options: Options, steps: int) -> Array:
    """The logits of all parameters, by Adam (Kingma & Ba 2015) over all options at once."""
    logits, mean, square = np.zeros(PARAMETERS), np.zeros(PARAMETERS), np.zeros(PARAMETERS)
    for step in range(1, steps + 1):
        found = probabilities(logits, options)
        slopes = (found - options.shares) / len(options.starts)
        gradient = np.zeros(PARAMETERS)
        for entry in options.entries:
            gradient += np.bincount(entry, slopes, PARAMETERS)
        gradient[-1] = 0
        mean += (1 - BETAS[0]) * (gradient - mean)
        square += (1 - BETAS[1]) * (gradient**2 - square)
        scale = np.sqrt(square / (1 - BETAS[1] ** step)) + 1e-9
        logits -= (0.1 if step < steps // 2 else 0.03) * mean / (1 - BETAS[0] ** step) / scale
        if step in (1, steps):
            report(found, options, step)
    return logits.clip(-MOST, MOST)


def report(found: Array, options: Options, step: int) -> None:
    """Print how well the policy foretells the visits."""
    entropy = -(options.shares * np.log(np.maximum(options.shares, 1e-9))).sum()
    loss = -(options.shares * np.log(found)).sum()
    count = len(options.starts)
    print(
        f"step {step}: cross entropy {loss / count:.4f}, at best {entropy / count:.4f}",
        flush=True,
    )


def tables(logits: Array) -> dict[str, Array]:
    """The tables of a policy, as the engine takes them."""
    weights = np.exp(logits).astype(np.float32)
    return {
        "cell": weights[:CELLS].reshape(POLICY_SHAPE),
        "capture": weights[CELLS : 2 * CELLS].reshape(POLICY_SHAPE),
        "spirit": weights[2 * CELLS : -1].reshape(SPIRIT_SHAPE),
    }


def main() -> None:
    """Read the arguments, fit, write."""
    parser = argparse.ArgumentParser(description="Fit a policy to the visits of searches.")
    parser.add_argument("out", type=Path)
    parser.add_argument("data", type=Path, nargs="+", help="files of generate.py")
    parser.add_argument("--steps", type=int, default=300)
    options = parser.parse_args()
    found = tables(fit(read(options.data), options.steps))
    np.savez_compressed(options.out, **found)  # type: ignore[arg-type]  # by name


if __name__ == "__main__":
    main()
