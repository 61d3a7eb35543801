"""Put a trained network and a trained policy into one file of the package.

python training/pack.py NETWORK.npz POLICY.npz solstis_ai/search/network_base.npz
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np


def main(network: Path, policy: Path, out: Path) -> None:
    """Write all arrays of both files to ``out``."""
    with np.load(network) as first, np.load(policy) as second:
        np.savez_compressed(out, **first, **second)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
