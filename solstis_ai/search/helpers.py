"""Helper threads, kept for the next search.

To start a thread takes a quarter of a millisecond, in which a search does hundreds of iterations.
So a helper waits a second for more work when it is done. It belongs to the thread that started
it, whose priority it has: searches at the same time share no helper and never wait for one.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue

__all__ = ["KEPT_SECONDS", "MOST_KEPT", "Task", "give", "together"]

KEPT_SECONDS = 1.0
"""How long a helper waits for work before it ends."""

MOST_KEPT = max(1, (os.cpu_count() or 1) - 1)
"""Helpers that wait for one thread: without a core of their own they start none the sooner."""


class Task:
    """Work for a helper.

    Args:
        work: What to do; nothing that it raises gets to who waits for it.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work: Callable[[], None] | None = work
        self._withdrawn = False
        self._lock = threading.Lock()
        self._under_way = threading.Lock()
        self._under_way.acquire()

    def run(self) -> None:
        """Do the work, once, and let go of it."""
        with self._lock:
            work, self._work = self._work, None
        if work is not None:
            work()

    def finish(self) -> None:
        """Let those who wait go on."""
        self._under_way.release()

    def join(self) -> None:
        """Wait until the work is done or has failed."""
        with self._under_way:
            pass

    def do_or_join(self) -> None:
        """Do the work here where no helper has begun it yet; else wait for it."""
        with self._lock:
            work, self._work = self._work, None
            self._withdrawn = work is not None
        if work is not None:
            work()
        else:
            self.join()

    def end(self) -> None:
        """See that nobody does the work: it never begins, or is waited for.

        Also where it is not known whether a helper has the task, and more than once.
        """
        with self._lock:
            self._withdrawn = self._withdrawn or self._work is not None
            self._work = None
        if not self._withdrawn:
            self.join()


class _Helper(threading.Thread):
    """A thread that does one task after the other; in ``idle`` when it has done one."""

    def __init__(self, idle: list[_Helper], first: Task) -> None:
        super().__init__(name="search helper", daemon=True)
        self._idle = idle
        self._lock = threading.Lock()
        self._gone = False
        self._tasks: SimpleQueue[Task] = SimpleQueue()
        self._tasks.put(first)

    def takes(self, task: Task) -> bool:
        """Give it a task; False when it has waited too long and is gone."""
        with self._lock:
            if not self._gone:
                self._tasks.put(task)
            return not self._gone

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
        """The next task; None when none has come for so long, which ends the helper."""
        try:
            return self._tasks.get(timeout=KEPT_SECONDS)
        except Empty:
            return self._last()

    def _last(self) -> Task | None:
        with self._lock:  # after which it takes no more
            self._gone = True
        with suppress(ValueError):  # somebody may have taken it, and given it nothing
            self._idle.remove(self)
        with suppress(Empty):
            return self._tasks.get_nowait()
        return None


class _Kept(threading.local):
    """The helpers that wait for the current thread."""

    def __init__(self) -> None:
        self.idle: list[_Helper] = []


_kept = _Kept()


def together(works: Sequence[Callable[[], None]], leave: Callable[[BaseException], None]) -> None:
    """Do all ``works`` at the same time, the first on this thread; none goes on afterwards.

    What no helper has begun when this thread is done with its own, it does as well.

    Args:
        works: What to do, at least one; each tells by itself of what it raises on a helper.
        leave: Told what was raised on this thread, such as KeyboardInterrupt; makes works end soon.

    Raises:
        RuntimeError: If a new thread is needed and there is none to be had.
    """
    tasks = [Task(work) for work in works[1:]]
    try:
        for task in tasks:
            give(task)
        works[0]()
        for task in tasks:
            task.do_or_join()
    except BaseException as failure:
        ended = False
        while not ended:  # however often Ctrl-C is pressed
            try:  # nothing is called outside of it: in calls Python hears Ctrl-C
                leave(failure)
                for task in tasks:
                    task.end()
                ended = True
            except BaseException:
                ended = False
        raise


def give(task: Task) -> None:
    """Have ``task`` done by a helper; whoever is interrupted here calls ``task.end()``.

    Raises:
        RuntimeError: If a new thread is needed and there is none to be had.
    """
    while _kept.idle:
        if _kept.idle.pop().takes(task):
            return
    _Helper(_kept.idle, task).start()


def _forget() -> None:
    """A forked process has the thread that forked, and none of its helpers."""
    _kept.idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
