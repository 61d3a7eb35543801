"""The service as a process of its own."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator

COMMAND = [sys.executable, "-m", "solstis_ai", "serve", "--port", "0"]
PATIENCE = 30.0


@contextlib.contextmanager
def service(
    *options: str, prefix: tuple[str, ...] = ()
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running service and its address; killed in the end if it is still there."""
    process = subprocess.Popen(
        [*prefix, *COMMAND, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().split()[-1]
        finally:
            process.kill()
