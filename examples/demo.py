"""The whole path in one go: start a service, ask it for a move, print the answer, stop it.

Run by ``make demo``.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOLSTIS_AI = str(Path(sys.executable).with_name("solstis-ai"))
OBSERVATION = str(Path(__file__).with_name("midgame.json"))


@contextmanager
def service() -> Iterator[str]:
    """A service on a free loopback port; yields its address and stops it in the end."""
    command = [SOLSTIS_AI, "serve", "--port", "0", "--log-level", "warning"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        announcement = process.stdout.readline().strip()
        print(announcement, flush=True)
        try:
            yield announcement.rpartition(" ")[2]
        finally:
            process.terminate()
    print("the service has stopped")


def main() -> int:
    """Ask for a move; the exit code is that of the command."""
    with service() as address:
        command = [SOLSTIS_AI, "recommend", OBSERVATION, "--server", address, "--time", "1"]
        print(f"$ solstis-ai {' '.join(command[1:])}\n", flush=True)
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
