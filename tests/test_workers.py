"""Worker processes end with the process that has started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.servers import wait_for

from solstis_ai.workers import worker_pool

PATIENCE = 30.0
ARENA = ["arena", "textbook:iterations=100000", "random", "--pairs", "1000", "--workers", "2"]


def children(parent: int) -> set[int]:
    """Processes that a process has started, by /proc."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[1]) == parent:
            found.add(int(path.parent.name))
    return found


def alive(process: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has asked for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] != "Z"


def test_a_pool_works() -> None:
    with worker_pool(2) as pool:
        assert list(pool.map(abs, [-1, 2, -3])) == [1, 2, 3]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_of_a_killed_match_end(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "solstis_ai", *ARENA],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        # two workers, and one process that keeps track of what they share
        wait_for(lambda: len(children(process.pid)) == 3, PATIENCE)
        started = children(process.pid)
        os.kill(process.pid, number)
        process.wait(PATIENCE)
        wait_for(lambda: not any(map(alive, started)), PATIENCE)
