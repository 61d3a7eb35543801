"""Processes that work side by side, and do not outlive the one that has started them."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread

__all__ = ["worker_pool"]


def worker_pool(workers: int | None = None) -> ProcessPoolExecutor:
    """A pool of so many processes; one for each core by default.

    They are started anew and not forked, which is safe beside threads. When the process that owns
    the pool is killed, they end too: otherwise they would wait for work for ever.
    """
    return ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_end_with_parent
    )


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
