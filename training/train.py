"""Train a network on self-play games, with numpy alone.

    python training/train.py OUT.npz DATA.npz... [--epochs 12] [--fade 0.5]

The target of a position is what its search expected, mixed with later positions of its game
(`faded`); the loss is the cross entropy. The mountain is symmetric from left to right (R1, R2), so every second
batch is mirrored. Adam (Kingma & Ba 2015) with a falling learning rate.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from solstis_ai.search.evaluator import SCALES, SHAPE

FEATURES, HIDDEN, BUCKETS = SHAPE
WORDS = FEATURES // 64
DECK_WORD = 37
LIMIT = 120.0 / 24  # keeps sums of 16 bits from overflowing
SQUARE_WORDS = (5, 6, 19, 20, 35)
NUMBER_WORDS = (12, 13, 26, 27, 36, 37, 38, 39)


def mirror() -> np.ndarray:
    """Feature numbers of the mirrored mountain, by feature number."""
    found = np.arange(FEATURES)
    for word in range(WORDS):
        if word in NUMBER_WORDS:
            continue
        last = 8 if word in SQUARE_WORDS else 9
        for row in range(6):
            for column in range(last + 1):
                if 11 * row + column < 64 and 11 * row + last - column < 64:
                    found[64 * word + 11 * row + column] = 64 * word + 11 * row + last - column
    return found


def unpacked(words: np.ndarray, used: np.ndarray) -> np.ndarray:
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    return bits[:, used].astype(np.float32)


def buckets(words: np.ndarray) -> np.ndarray:
    deck = words[:, DECK_WORD] & np.uint64((1 << 49) - 1)
    return (np.log2(deck.astype(np.float64)).astype(int) + 3) // 4


def faded(file: np.lib.npyio.NpzFile, fade: float) -> np.ndarray:
    """Values mixed with those of later positions of the same game, and its result at last.

    target[t] = (1 - fade) * value[t] + fade * target[t + 1], told from the side of t: the
    lambda return (Sutton 1988), cut where a random decision was taken. Data without sides keeps its values.
    """
    values = file["values"]
    if "sides" not in file.files or fade == 0:
        return values
    sides, results = file["sides"], file["results"]
    slipped = file["slipped"] if "slipped" in file.files else np.zeros(len(values), bool)
    deck = file["features"][:, DECK_WORD] & np.uint64((1 << 49) - 1)
    last = np.append(deck[1:] > deck[:-1], True)  # the deck never grows within a game
    targets = values.astype(np.float64)
    following = 0.0
    for t in range(len(values) - 1, -1, -1):
        if last[t]:
            following = float(results[t])
        elif sides[t] != sides[t + 1]:
            following = 1 - following
        if not slipped[t]:
            targets[t] = (1 - fade) * targets[t] + fade * following
        following = targets[t]
    return targets.astype(np.float32)


def quantized(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Weights as the engine takes them."""
    one, output_one = SCALES
    return {
        "rows": np.round(weights["rows"] * one).clip(-32767, 32767).astype(np.int16),
        "bias": np.round(weights["bias"] * one).astype(np.int16),
        "output": np.round(weights["output"] * output_one).clip(-32767, 32767).astype(np.int16),
        "output_bias": np.round(weights["output_bias"] * one * output_one).astype(np.int32),
    }


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


class Model:
    def __init__(self, seed: int, used: np.ndarray, flip: np.ndarray) -> None:
        rng = np.random.default_rng(seed)
        self.flip = flip  # positions in `used` of mirrored features
        self.p = {
            "rows": rng.normal(0, 0.12, (len(used), HIDDEN)).astype(np.float32),
            "bias": np.full(HIDDEN, 0.3, np.float32),
            "output": rng.normal(0, 0.2, (BUCKETS, HIDDEN)).astype(np.float32)[:1].repeat(BUCKETS, 0),
            "output_bias": np.zeros(BUCKETS, np.float32),
        }
        self.m = {k: np.zeros_like(v) for k, v in self.p.items()}
        self.v = {k: np.zeros_like(v) for k, v in self.p.items()}
        self.t = 0

    def forward(self, x, b, mirrored):
        rows = self.p["rows"][self.flip] if mirrored else self.p["rows"]
        z = x @ rows + self.p["bias"]
        a = np.clip(z, 0, 1)
        return z, a, np.einsum("ij,ij->i", a, self.p["output"][b]) + self.p["output_bias"][b]

    def step(self, x, b, y, rate, mirrored):
        z, a, logit = self.forward(x, b, mirrored)
        d = (sigmoid(logit) - y) / len(y)
        g = {}
        hot = np.zeros((len(y), BUCKETS), np.float32)
        hot[np.arange(len(y)), b] = d
        g["output"] = hot.T @ a
        g["output_bias"] = hot.sum(0)
        dz = d[:, None] * self.p["output"][b] * ((z > 0) & (z < 1))
        g["bias"] = dz.sum(0)
        grows = x.T @ dz
        if mirrored:
            back = np.empty_like(grows)
            back[self.flip] = grows
            grows = back
        g["rows"] = grows
        self.t += 1
        for k in self.p:
            self.m[k] += 0.1 * (g[k] - self.m[k])
            self.v[k] += 0.001 * (g[k] ** 2 - self.v[k])
            mh = self.m[k] / (1 - 0.9**self.t)
            vh = self.v[k] / (1 - 0.999**self.t)
            self.p[k] -= rate * mh / (np.sqrt(vh) + 1e-8)
        np.clip(self.p["rows"], -LIMIT, LIMIT, out=self.p["rows"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("data", nargs="+")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--fade", type=float, default=0.5)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--turns-only", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    loaded = [np.load(path) for path in options.data]
    words = np.concatenate([file["features"] for file in loaded])
    values = np.concatenate([file["values"] for file in loaded])
    results = np.concatenate([file["results"] for file in loaded])
    target = np.concatenate([faded(file, options.fade) for file in loaded])
    if options.turns_only:
        begins = (words[:, 36] >> np.uint64(50) & np.uint64(1)).astype(bool)
        words, values, results, target = (
            column[begins] for column in (words, values, results, target))
    seen = np.zeros(FEATURES, bool)
    for i in range(0, len(words), 65536):
        merged = np.bitwise_or.reduce(words[i : i + 65536], axis=0)
        seen |= np.unpackbits(merged.view(np.uint8), bitorder="little").astype(bool)
    flip_all = mirror()
    seen |= seen[flip_all]
    used = np.flatnonzero(seen)
    place = np.full(FEATURES, -1)
    place[used] = np.arange(len(used))
    flip = place[flip_all[used]]
    held = max(len(words) // 20, 1)  # the last games, so that none is in both parts
    print(f"{len(words)} positions, {len(used)} features, {held} held out", flush=True)
    model = Model(options.seed, used, flip)
    rng = np.random.default_rng(options.seed)
    count = len(words) - held
    which = buckets(words)
    steps = options.epochs * (count // options.batch)
    done = 0
    begin = time.time()
    for epoch in range(options.epochs):
        order = rng.permutation(count)
        loss = 0.0
        for i in range(count // options.batch):
            pick = order[i * options.batch : (i + 1) * options.batch]
            rate = options.rate * 0.5 * (1 + np.cos(np.pi * done / steps)) + 1e-5
            model.step(unpacked(words[pick], used), which[pick], target[pick], rate, bool(i & 1))
            done += 1
        brier = against = 0.0
        for i in range(count, len(words), 8192):
            part = slice(i, min(i + 8192, len(words)))
            p = sigmoid(model.forward(unpacked(words[part], used), which[part], False)[2])
            brier += float(((p - results[part]) ** 2).sum())
            against += float(((p - values[part]) ** 2).sum())
        print(f"epoch {epoch}: Brier {brier / held:.5f}, against values {against / held:.5f}, "
              f"values' own {float(((values[count:] - results[count:]) ** 2).mean()):.5f}, "
              f"{time.time() - begin:.0f} s", flush=True)
    full = dict(model.p)
    full["rows"] = np.zeros((FEATURES, HIDDEN), np.float32)
    full["rows"][used] = model.p["rows"]
    print("largest weights", {k: float(np.abs(v).max()) for k, v in full.items()})
    np.savez_compressed(options.out, **quantized(full))


if __name__ == "__main__":
    main()
