"""Seeds that change on every run, and are told when a test fails.

``SOLSTIS_TEST_SEED=<number>`` repeats the run with this number.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator

RUN_SEED = int(os.environ.get("SOLSTIS_TEST_SEED") or secrets.randbits(32))


def changing_seeds(number: int) -> Iterator[int]:
    """Different seeds on every run; a failure inside the loop's body is told with ``tell``."""
    for offset in range(number):
        yield (RUN_SEED << 20) + offset


def tell(error: BaseException, seed: int) -> None:
    """Add to a failure how it is repeated."""
    error.add_note(f"seed {seed}; SOLSTIS_TEST_SEED={RUN_SEED} repeats the run")
