"""One side of a comparison: a process that does a task for as long as each line of input says.

``python worker.py TASK OPTIONS ROOT``; ROOT is the folder that ``solstis_ai`` must come from.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import tasks

import solstis_ai


def main(name: str, options: str, root: str) -> None:
    """Answer each line of seconds with a line [units of work, seconds, processor seconds]."""
    found = Path(solstis_ai.__file__).resolve().parent.parent
    if found != Path(root).resolve():
        raise SystemExit(f"solstis_ai comes from {found}, not from {root}")
    piece = tasks.piece_of(name, json.loads(options))
    piece()
    print("ready", flush=True)
    for line in sys.stdin:
        wanted, work = float(line), 0
        begin, begin_cpu = time.perf_counter(), time.process_time()
        while (spent := time.perf_counter() - begin) < wanted or not work:
            work += piece()
        spent = time.perf_counter() - begin
        print(json.dumps([work, spent, time.process_time() - begin_cpu]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
