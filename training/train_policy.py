"""Fit the tables of a policy to the visits of searches, with numpy alone.

    python training/train_policy.py OUT.npz DATA.npz... [--steps 600]

The logit of an option is the sum of its table entries; the loss is the cross entropy with the
shares of visits. Entries are pulled to the sum of weights of their single facts, so that rare
combinations fall back on those.
"""

from __future__ import annotations

import argparse

import numpy as np

STAGES, KINDS, FACTS, SPIRITS = 3, 11, 512, 20
MEET, COVER = 4, 10
CELLS = STAGES * KINDS * FACTS


def design(facts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two parameter numbers for each option; the last parameter stays 0."""
    stage, kind, cell, capture = (facts[:, i].astype(np.int64) for i in range(1, 5))
    spirits = (kind == MEET) | (kind == 3) | (kind == COVER)
    base = (stage * KINDS + kind) * FACTS
    first = np.where(spirits, 2 * CELLS + (stage * 2 + (kind == COVER)) * SPIRITS + cell, base + cell)
    second = np.where(spirits, 2 * CELLS + STAGES * 2 * SPIRITS, CELLS + base + capture)
    return first, second


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("data", nargs="+")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--decay", type=float, default=1e-4)
    options = parser.parse_args()
    facts, shares, offset = [], [], 0
    for path in options.data:
        with np.load(path) as file:
            found = file["facts"].astype(np.int64)
            found[:, 0] += offset
            offset = found[-1, 0] + 1
            facts.append(found)
            shares.append(file["shares"])
    facts, shares = np.concatenate(facts), np.concatenate(shares)
    starts = np.flatnonzero(np.diff(facts[:, 0], prepend=-1))
    sizes = np.diff(np.append(starts, len(facts)))
    group = np.repeat(np.arange(len(starts)), sizes)
    first, second = design(facts)
    size = 2 * CELLS + STAGES * 2 * SPIRITS + 1
    theta, m, v = np.zeros(size), np.zeros(size), np.zeros(size)
    weight = 1.0 / len(starts)
    for step in range(1, options.steps + 1):
        logits = theta[first] + theta[second]
        exps = np.exp(logits)
        p = exps / np.add.reduceat(exps, starts)[group]
        d = (p - shares) * weight
        g = np.bincount(first, d, size) + np.bincount(second, d, size) + options.decay * theta / size * 100
        g[-1] = 0
        m += 0.1 * (g - m)
        v += 0.01 * (g * g - v)
        rate = 0.1 if step < options.steps // 2 else 0.03
        theta -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.99**step)) + 1e-9)
        if step % 100 == 0 or step == 1:
            loss = -(shares * np.log(p)).sum() * weight
            entropy = -(shares * np.log(np.maximum(shares, 1e-9))).sum() * weight
            best = np.maximum.reduceat(np.where(shares == np.maximum.reduceat(shares, starts)[group], p, 0), starts).mean()
            print(f"step {step}: cross entropy {loss:.4f} (visits' own {entropy:.4f}), "
                  f"on the best move {best:.3f}", flush=True)
    tables = np.exp(theta.clip(-6, 6)).astype(np.float32)
    np.savez_compressed(
        options.out,
        cell=tables[:CELLS].reshape(STAGES, KINDS, FACTS),
        capture=tables[CELLS : 2 * CELLS].reshape(STAGES, KINDS, FACTS),
        spirit=tables[2 * CELLS : -1].reshape(STAGES, 2, SPIRITS),
    )


if __name__ == "__main__":
    main()
