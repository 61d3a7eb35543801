"""Helper threads, kept for the next search.

To start a thread takes a quarter of a millisecond, in which a search does hundreds of iterations.
So a helper waits a second for more work when it is done. It belongs to the thread that started
it, whose priority it has: searches at the same time share no helper and never wait for one.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

__all__ = ["KEPT_SECONDS", "MOST_KEPT", "Task", "start"]

KEPT_SECONDS = 1.0
"""How long a helper waits for work before it ends."""

MOST_KEPT = max(1, (os.cpu_count() or 1) - 1)
"""Helpers that wait for one thread: without a core of their own they start none the sooner."""


class Task:
    """Work on a helper.

    Args:
        work: What to do; nothing that it raises gets to who waits for it.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work: Callable[[], None] | None = work
        self._under_way = threading.Lock()
        self._under_way.acquire()

    def run(self) -> None:
        """Do the work, once, and let go of it."""
        try:
            if self._work is not None:
                self._work()
        finally:
            self._work = None

    def finish(self) -> None:
        """Let those who wait go on."""
        self._under_way.release()

    def join(self) -> None:
        """Wait until the work is done or has failed."""
        with self._under_way:
            pass


class _Helper(threading.Thread):
    """A thread that does one task after the other; in ``idle`` while it waits for one."""

    def __init__(self, idle: list[_Helper]) -> None:
        super().__init__(name="search helper", daemon=True)
        self._idle = idle
        self._tasks: SimpleQueue[Task] = SimpleQueue()

    def give(self, task: Task) -> None:
        self._tasks.put(task)

    def run(self) -> None:
        stays = True
        while stays and (task := self._next()) is not None:
            try:
                task.run()
                stays = self._offer()
            finally:
                task.finish()
            del task

    def _offer(self) -> bool:
        """Wait for work from now on; False when enough others do."""
        if len(self._idle) >= MOST_KEPT:
            return False
        self._idle.append(self)
        return True

    def _next(self) -> Task | None:
        while True:
            try:
                return self._tasks.get(timeout=KEPT_SECONDS)
            except Empty:
                if self._retires():
                    return None

    def _retires(self) -> bool:
        """False when somebody has just taken this helper, and will give it a task."""
        try:
            self._idle.remove(self)
        except ValueError:
            return False
        return True


class _Kept(threading.local):
    """The helpers that wait for the current thread."""

    def __init__(self) -> None:
        self.idle: list[_Helper] = []


_kept = _Kept()


def start(work: Callable[[], None]) -> Task:
    """Do ``work`` on a helper, at the same time as whatever comes next.

    Raises:
        RuntimeError: If a new thread is needed and there is none to be had.
    """
    task = Task(work)
    try:
        helper = _kept.idle.pop()
    except IndexError:
        helper = _Helper(_kept.idle)
        helper.start()
    helper.give(task)
    return task


def _forget() -> None:
    """A forked process has the thread that forked, and none of its helpers."""
    _kept.idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
