"""Helper threads: kept for a while, apart for each thread that searches, never lost."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from solstis_ai.engine import recommend
from solstis_ai.game import Game
from solstis_ai.search import helpers
from solstis_ai.search.types import Limits

WAIT = 20.0


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test begins without helpers, which then stay for as long as the test takes."""
    monkeypatch.setattr(helpers, "KEPT_SECONDS", WAIT)
    monkeypatch.setattr(helpers, "_kept", helpers._Kept())
    yield
    monkeypatch.setattr(helpers, "KEPT_SECONDS", 0.01)
    for helper in helpers._kept.idle:
        helper.takes(helpers.Task(lambda: None))


def started(work: Callable[[], None]) -> helpers.Task:
    """A task that a helper has."""
    task = helpers.Task(work)
    helpers.give(task)
    return task


def where(number: int = 1) -> list[threading.Thread]:
    """The threads that do so much work at the same time."""
    found: list[threading.Thread] = []
    together = threading.Barrier(number, timeout=WAIT)

    def work() -> None:
        found.append(threading.current_thread())
        together.wait()

    tasks = [started(work) for _ in range(number)]
    for task in tasks:
        task.join()
    return found


def in_a_thread(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(timeout=WAIT)
    assert not thread.is_alive()


def is_over(thread: threading.Thread) -> bool:
    thread.join(timeout=WAIT)
    return not thread.is_alive()


def test_a_helper_is_kept_for_the_next_task() -> None:
    [first] = where()
    assert first is not threading.current_thread()
    assert first.daemon
    assert where() == where() == [first]


def test_as_many_as_are_asked_for_work_at_the_same_time() -> None:
    assert len(set(where(9))) == 9


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "MOST_KEPT", 2)
    found = where(5)
    kept = set(helpers._kept.idle)
    assert len(kept) == 2
    assert all(is_over(thread) for thread in set(found) - kept)
    assert set(where(2)) == kept


def test_a_helper_without_work_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "KEPT_SECONDS", 0.01)
    [first] = where()
    assert is_over(first)
    assert where() != [first]


def test_a_helper_that_is_taken_and_given_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever took it may have been interrupted; who comes too late gets another one."""
    monkeypatch.setattr(helpers, "KEPT_SECONDS", 0.01)
    taken = helpers._Helper([], helpers.Task(lambda: None))  # in no list that anybody looks at
    taken.start()
    assert is_over(taken)
    assert not taken.takes(helpers.Task(lambda: None))
    helpers._kept.idle.append(taken)
    assert where() != [taken]


def test_a_task_that_was_never_given_is_ended() -> None:
    done: list[int] = []
    task = helpers.Task(lambda: done.append(1))
    task.end()
    task.end()
    helpers.give(task)
    task.join()
    assert done == []


def test_a_task_under_way_is_waited_for() -> None:
    begun, goes_on, done = threading.Event(), threading.Event(), []

    def work() -> None:
        begun.set()
        assert goes_on.wait(WAIT)
        done.append(1)

    task = started(work)
    assert begun.wait(WAIT)
    threading.Timer(0.05, goes_on.set).start()
    task.end()
    task.end()
    assert done == [1]


def test_every_thread_has_helpers_of_its_own() -> None:
    mine, others = where(), []
    in_a_thread(lambda: others.extend(where()))
    assert mine != others
    assert where() == mine


def test_work_that_fails_is_joined_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)

    def fail() -> None:
        raise MemoryError

    started(fail).join()
    assert helpers._kept.idle == []
    assert len(where()) == 1


def test_nothing_is_kept_of_the_work() -> None:
    class Work:
        def __call__(self) -> None:
            pass

        def __del__(self) -> None:
            gone.set()

    gone = threading.Event()
    started(Work()).join()
    assert gone.wait(timeout=WAIT)
    assert len(helpers._kept.idle) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_helpers_of_its_own() -> None:
    observation = Game(seed=3).observation(0)
    limits = Limits(iterations=500, threads=2)
    move = recommend(observation, limits).move
    assert len(helpers._kept.idle) == 1
    child = os.fork()
    if child == 0:
        os._exit(0 if recommend(observation, limits).move == move else 1)
    end = time.monotonic() + WAIT
    while (status := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > end:
            os.kill(child, 9)
        time.sleep(0.01)
    assert os.waitstatus_to_exitcode(status[1]) == 0


def test_many_searches_at_once_give_the_same_answer() -> None:
    observation = Game(seed=3).observation(0)
    limits = Limits(iterations=2_000, threads=3)
    wanted = recommend(observation, limits).alternatives
    found: list[bool] = []

    def search() -> None:
        found.extend(recommend(observation, limits).alternatives == wanted for _ in range(5))

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert found == [True] * 20
