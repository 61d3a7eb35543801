"""Train a network on self-play games, with numpy alone.

    python training/train.py OUT.npz DATA.npz... [--epochs 5] [--fade 0.6]

The target of a position is what its search expected, mixed with later positions of its game
(`positions.faded`); the loss is the cross entropy. The mountain is symmetric from left to right,
so every second batch is mirrored. Adam (Kingma & Ba 2015) with a falling learning rate. The last
twentieth of the positions is held out.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from positions import (
    Array,
    Positions,
    buckets,
    features_in,
    mirrored_features,
    read_all,
    unpacked,
)

from solstis_ai.search.evaluator import FEATURES, SCALES, SHAPE

_, HIDDEN, BUCKETS = SHAPE
MOST = 5.0  # bound of a weight, so that sums of 16 bits do not overflow
BETAS = (0.9, 0.999)
AT_ONCE = 8192


def sigmoid(logits: Array) -> Array:
    """The logistic function."""
    found: Array = 1 / (1 + np.exp(-logits))
    return found


class Network:
    """The float weights of search/network.pxd, and their training.

    Args:
        features: Feature numbers that have weights; the others never occur.
        seed: Of the initial weights.
    """

    def __init__(self, features: Array, seed: int) -> None:
        rng = np.random.default_rng(seed)
        place = np.zeros(FEATURES, int)
        place[features] = np.arange(len(features))
        self.features = features
        self.mirror = place[mirrored_features()[features]]
        first_output = rng.normal(0, 0.2, (1, HIDDEN)).repeat(BUCKETS, 0)
        self.weights = {
            "rows": rng.normal(0, 0.12, (len(features), HIDDEN)).astype(np.float32),
            "bias": np.full(HIDDEN, 0.3, np.float32),
            "output": first_output.astype(np.float32),
            "output_bias": np.zeros(BUCKETS, np.float32),
        }
        self._moments = {
            name: (np.zeros_like(array), np.zeros_like(array))
            for name, array in self.weights.items()
        }
        self._steps = 0

    def forward(self, present: Array, bucket: Array, mirrored: bool) -> tuple[Array, Array]:
        """Hidden sums and logits."""
        rows = self.weights["rows"][self.mirror] if mirrored else self.weights["rows"]
        sums = present @ rows + self.weights["bias"]
        output = self.weights["output"][bucket]
        logits = np.einsum("ij,ij->i", np.clip(sums, 0, 1), output)
        return sums, logits + self.weights["output_bias"][bucket]

    def judge(self, words: Array) -> Array:
        """The chance to win in each position."""
        parts = [
            sigmoid(self.forward(unpacked(part, self.features), buckets(part), False)[1])
            for part in np.array_split(words, len(words) // AT_ONCE + 1)
        ]
        return np.concatenate(parts)

    def step(self, part: Positions, rate: float, mirrored: bool) -> None:
        """One step of Adam down the gradient of these positions."""
        present, bucket = unpacked(part.words, self.features), buckets(part.words)
        sums, logits = self.forward(present, bucket, mirrored)
        slopes = (sigmoid(logits) - part.targets) / len(logits)
        by_bucket = np.zeros((len(logits), BUCKETS), np.float32)
        by_bucket[np.arange(len(logits)), bucket] = slopes
        hidden = slopes[:, None] * self.weights["output"][bucket] * ((sums > 0) & (sums < 1))
        rows = present.T @ hidden
        if mirrored:
            rows[self.mirror] = rows.copy()
        self._adam(
            {
                "rows": rows,
                "bias": hidden.sum(0),
                "output": by_bucket.T @ np.clip(sums, 0, 1),
                "output_bias": by_bucket.sum(0),
            },
            rate,
        )

    def _adam(self, gradients: dict[str, Array], rate: float) -> None:
        self._steps += 1
        for name, gradient in gradients.items():
            mean, square = self._moments[name]
            mean += (1 - BETAS[0]) * (gradient - mean)
            square += (1 - BETAS[1]) * (gradient**2 - square)
            unbiased = mean / (1 - BETAS[0] ** self._steps)
            scale = np.sqrt(square / (1 - BETAS[1] ** self._steps)) + 1e-8
            self.weights[name] -= rate * unbiased / scale
        np.clip(self.weights["rows"], -MOST, MOST, out=self.weights["rows"])

    def quantized(self) -> dict[str, Array]:
        """The weights as the engine takes them."""
        one, output_one = SCALES
        rows = np.zeros((FEATURES, HIDDEN))
        rows[self.features] = self.weights["rows"]
        return {
            "rows": np.round(rows * one).astype(np.int16),
            "bias": np.round(self.weights["bias"] * one).astype(np.int16),
            "output": np.round(self.weights["output"] * output_one).astype(np.int16),
            "output_bias": np.round(self.weights["output_bias"] * one * output_one).astype(
                np.int32
            ),
        }


def train(network: Network, data: Positions, options: argparse.Namespace) -> None:
    """All epochs, with a report on the held-out positions after each."""
    held = len(data.words) // 20  # whole games but one, so that few are in both parts
    count = len(data.words) - held
    rng, begin = np.random.default_rng(options.seed), time.monotonic()
    batches = count // options.batch
    for epoch in range(options.epochs):
        order = rng.permutation(count)
        for i in range(batches):
            done = (epoch * batches + i) / (options.epochs * batches)
            rate = options.rate * 0.5 * (1 + np.cos(np.pi * done)) + 1e-5
            part = data.where(order[i * options.batch : (i + 1) * options.batch])
            network.step(part, rate, mirrored=bool(i & 1))
        report(network, data.where(np.arange(count, count + held)), epoch)
        print(f"  {time.monotonic() - begin:.0f} s", flush=True)


def report(network: Network, held: Positions, epoch: int) -> None:
    """Print how well the network foretells results and values."""
    judged = network.judge(held.words)
    print(
        f"epoch {epoch + 1}: Brier score {np.mean((judged - held.results) ** 2):.5f} "
        f"(that of the searches {np.mean((held.values - held.results) ** 2):.5f}), "
        f"squared distance to the searches {np.mean((judged - held.values) ** 2):.5f}",
        flush=True,
    )


def main() -> None:
    """Read the arguments, train, write."""
    parser = argparse.ArgumentParser(description="Train a network on self-play games.")
    parser.add_argument("out", type=Path)
    parser.add_argument("data", type=Path, nargs="+", help="files of generate.py")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--fade", type=float, default=0.6)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--turns-only", action="store_true", help="only beginnings of turns")
    options = parser.parse_args()
    data = read_all(options.data, options.fade)
    if options.turns_only:
        data = data.where(data.turn_begins)
    features = features_in(data.words)
    print(f"{len(data.words)} positions, {len(features)} features", flush=True)
    network = Network(features, options.seed)
    train(network, data, options)
    np.savez_compressed(options.out, **network.quantized())  # type: ignore[arg-type]  # by name


if __name__ == "__main__":
    main()
