"""Several trees of one search: what they tell each other, and that nobody waits for ever."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FrameType

import pytest
from random_games import game_after

from solstis_ai import bridge
from solstis_ai.engine import Search, recommend
from solstis_ai.observation import Observation
from solstis_ai.search import helpers, session
from solstis_ai.search.searcher import Searcher
from solstis_ai.search.team import Team
from solstis_ai.search.types import Analysis, Limits, SearchConfig

ROUND = 16
"""Iterations of each member until the team first meets."""

_GAME = game_after(11, 32)
MIDGAME = _GAME.observation(_GAME.player)
"""A play of three tiles in the middle of a base game."""

_RAINBOW = game_after(11, 25)
MANY_MOVES = _RAINBOW.observation(_RAINBOW.player)
"""23 places for a rainbow."""


def members(
    size: int, together: bool = True, max_nodes: int = 1 << 20, seen: Observation = MIDGAME
) -> list[Searcher]:
    team = Team(size) if together else None
    return [member(stream, team, max_nodes, seen) for stream in range(size)]


def member(
    stream: int, team: Team | None, max_nodes: int = 1 << 20, seen: Observation = MIDGAME
) -> Searcher:
    knowledge = bridge.knowledge_of_observation(seen)
    return Searcher(knowledge, 1, stream, 0.7, None, 0, max_nodes, 2000, team)


def grow(trees: Sequence[Searcher], iterations: int, most: int = 1 << 30) -> None:
    """Grow all trees to so many iterations each, in turns of at most ``most`` in one thread."""
    while any(tree.iterations < iterations for tree in trees):
        for tree in trees:
            tree.run(min(tree.iterations + most, iterations), 0.0, -1.0)


def visits(tree: Searcher) -> list[int]:
    """What a tree knows of the moves of the root, told by others or not."""
    return [tree.visits_after([code]) for code in tree.root_codes]


def own_visits(trees: Sequence[Searcher]) -> list[list[int]]:
    """Iterations of each tree by move of the root."""
    return [[row[0] for row in tree.statistics()] for tree in trees]


def table(trees: Sequence[Searcher]) -> list[list[int]]:
    """Sums over the trees, one row for each move of the root."""
    return [sums(rows) for rows in zip(*(tree.statistics() for tree in trees), strict=True)]


def sums(rows: Sequence[Sequence[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def timeless(analysis: Analysis) -> Analysis:
    return replace(analysis, elapsed_seconds=0.0)


# ---- what is told


@pytest.mark.parametrize("size", [2, 3, 4])
def test_what_was_told_at_a_meeting_is_known_after_the_next(size: int) -> None:
    trees = members(size)
    grow(trees, ROUND)
    told = own_visits(trees)
    assert [visits(tree) for tree in trees] == told
    grow(trees, 2 * ROUND)
    assert [visits(tree) for tree in trees] == own_visits(trees)
    for tree in trees:
        tree.run(2 * ROUND + 1, -1.0, -1.0)
    for number, (known, own) in enumerate(zip(map(visits, trees), own_visits(trees), strict=True)):
        assert known == sums([own, *told[:number], *told[number + 1 :]])


@pytest.mark.parametrize("size", [2, 3])
def test_every_iteration_is_counted_once(size: int) -> None:
    trees = members(size)
    for iterations in (1, ROUND - 1, ROUND, ROUND + 1, 700, 3000):
        grow(trees, iterations)
        assert [sum(row) for row in own_visits(trees)] == [iterations] * size
        for visited, available, reward, *_ in table(trees):
            assert visited <= available <= size * iterations
            assert 0 <= reward <= visited << 16


@pytest.mark.parametrize("reader", [0, 1])
def test_visits_are_found_whether_told_read_or_neither(reader: int) -> None:
    trees = members(2)
    for turn in range(20):
        tree = trees[turn % 3 % 2]
        tree.run(tree.iterations + 40 + 9 * turn, 0.0, -1.0)
        one, other = trees[reader], trees[1 - reader]
        found = [
            one.visits_after([code]) + other.further_visits_after([code], one)
            for code in one.root_codes
        ]
        assert found == sums(own_visits(trees))


def test_often_visited_nodes_below_the_root_are_told() -> None:
    assert _told_below_the_root(members(2)) > 2
    assert _told_below_the_root(members(2, together=False)) == 0


def _told_below_the_root(trees: Sequence[Searcher]) -> int:
    """Sequences of two decisions of which one tree has told the other."""
    grow(trees, 4000)
    one, other = trees
    paths = [[code, below] for code in one.root_codes for below in range(1 << 12)]
    return sum(other.visits_after(path) > other.further_visits_after(path, one) for path in paths)


def test_at_first_every_visit_is_told() -> None:
    one, other = members(2)
    paths = [[code, below] for code in one.root_codes for below in range(1 << 12)]
    grow([one, other], ROUND)
    told = {tuple(path): visited for path in paths if (visited := one.visits_after(path))}
    assert min(told.values()) == 1
    grow([one, other], 2 * ROUND)
    other.run(2 * ROUND + 1, -1.0, -1.0)
    for path, visited in told.items():
        assert one.further_visits_after(path, other) == one.visits_after(path) - visited


def test_each_tree_tries_its_part_of_the_moves_first() -> None:
    for together in (True, False):
        trees = members(2, together, seen=MANY_MOVES)
        moves = len(trees[0].root_codes)
        grow(trees, moves // 4)
        tried = [{i for i, visited in enumerate(row) if visited} for row in own_visits(trees)]
        assert [len(tree) for tree in tried] == [moves // 4] * 2
        assert (tried[0] & tried[1] == set()) == together


def test_a_tree_goes_on_with_the_moves_of_others() -> None:
    tree, _ = members(2, seen=MANY_MOVES)
    tree.run(len(tree.root_codes), -1.0, -1.0)
    assert visits(tree) == [1] * len(tree.root_codes)


def test_a_team_of_one_is_a_tree_alone() -> None:
    (one,), (alone,) = members(1), members(1, together=False)
    grow([one], 3000)
    grow([alone], 3000)
    assert one.signature == alone.signature
    assert one.statistics() == alone.statistics()


# ---- reproducible


@pytest.mark.parametrize("most", [1, 63, 100, 1000])
def test_every_slicing_gives_the_same_trees(most: int) -> None:
    whole, sliced = members(3), members(3)
    grow(whole, 1500)
    grow(sliced, 1500, most)
    assert [it.signature for it in sliced] == [it.signature for it in whole]
    assert [it.statistics() for it in sliced] == [it.statistics() for it in whole]


@pytest.mark.parametrize("threads", [2, 3, 4])
@pytest.mark.parametrize("seconds", [0.0, 0.002])
def test_threads_and_slices_change_no_answer(threads: int, seconds: float) -> None:
    limits = Limits(iterations=10_001, threads=threads)
    whole, sliced = recommend(MIDGAME, limits, seed=5), Search(MIDGAME, limits, seed=5)
    runs = 1
    while not sliced.run(max_seconds=seconds):
        runs += 1
    assert runs > 1
    assert timeless(sliced.analysis()) == timeless(whole)
    assert whole.iterations == sum(row.visits for row in whole.alternatives) == 10_001
    assert not whole.truncated


def test_threads_do_what_their_trees_do_in_turns() -> None:
    trees = members(2)
    grow(trees, 3000)
    search = Search(MIDGAME, Limits(iterations=6000, threads=2), seed=1)
    search.run()
    rows = {row.move: (row.visits, row.available) for row in search.analysis().alternatives}
    moves = map(bridge.move_from_code, trees[0].root_codes)
    assert rows == {move: tuple(row[:2]) for move, row in zip(moves, table(trees), strict=True)}


# ---- limits


@pytest.mark.parametrize("iterations", [1, 2, 5, 9, 4 * ROUND, 4 * ROUND + 1, 4 * ROUND + 3])
def test_the_iteration_limit_is_exact_for_a_team(iterations: int) -> None:
    answer = recommend(MIDGAME, Limits(iterations=iterations, threads=4))
    assert answer.iterations == sum(row.visits for row in answer.alternatives) == iterations
    assert not answer.truncated


@pytest.mark.parametrize("max_nodes", [1, 2, 50, 300])
def test_full_trees_count_every_iteration_too(max_nodes: int) -> None:
    trees = members(3, max_nodes=max_nodes)
    grow(trees, 3000)
    assert [tree.nodes for tree in trees] == [max_nodes] * 3
    assert [sum(row) for row in own_visits(trees)] == [3000] * 3
    answers = []
    for _ in range(2):
        search = Search(
            MIDGAME, Limits(iterations=9000, threads=3), 1, SearchConfig(max_nodes=max_nodes)
        )
        search.run()
        answers.append(timeless(search.analysis()))
    assert answers[0] == answers[1]
    assert sum(row.visits for row in answers[0].alternatives) == 9000


@pytest.mark.parametrize(("seconds", "total"), [(0.05, -1.0), (-1.0, 0.05), (0.05, 30.0)])
def test_a_member_does_not_wait_beyond_its_time(seconds: float, total: float) -> None:
    tree = member(0, Team(2))
    tree.run(10_000, seconds, total)
    assert tree.iterations == 2 * ROUND


def test_a_member_that_waits_can_be_stopped() -> None:
    tree = member(0, Team(2))
    thread = threading.Thread(target=tree.run, args=(10_000, -1.0, -1.0), daemon=True)
    thread.start()
    while tree.iterations < 2 * ROUND:
        time.sleep(0.001)
    assert thread.is_alive()
    tree.stop()
    thread.join(timeout=5.0)
    assert not thread.is_alive()
    assert tree.iterations == 2 * ROUND


def test_a_member_that_has_waited_in_vain_goes_on_later() -> None:
    team = Team(2)
    tree = member(0, team)
    tree.run(3 * ROUND, 0.01, -1.0)
    assert tree.iterations == 2 * ROUND
    late = member(1, team)
    grow([late, tree], 3 * ROUND)
    whole = members(2)
    grow(whole, 3 * ROUND)
    assert [tree.signature, late.signature] == [it.signature for it in whole]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_one_thread_grows_all_trees_where_the_others_have_not_come(size: int) -> None:
    """As far as it needs them: the rest is for the other threads."""
    trees = members(size)
    trees[0].run(3000, -1.0, -1.0)
    assert trees[0].iterations == 3000
    assert {2700 < tree.iterations <= 3000 for tree in trees} == {True}
    grow(trees, 3000)
    whole = members(size)
    grow(whole, 3000, 1)
    assert [it.signature for it in trees] == [it.signature for it in whole]


def test_a_tree_that_is_gone_is_not_grown_by_others() -> None:
    tree, gone = members(2)
    grow([tree, gone], ROUND)
    del gone
    tree.run(3000, 0.02, -1.0)
    assert tree.iterations == 2 * ROUND


def test_a_stopped_tree_is_not_grown_by_others() -> None:
    tree, stopped = members(2)
    stopped.stop()
    tree.run(3000, 0.02, -1.0)
    assert (tree.iterations, stopped.iterations) == (2 * ROUND, 0)


@pytest.mark.parametrize("threads", [2, 4])
def test_a_search_needs_no_helper(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """Nothing waits for a thread that gets no processor."""
    limits = Limits(iterations=5000, threads=threads)
    answer = recommend(MIDGAME, limits, seed=3)
    monkeypatch.setattr(helpers, "give", lambda _: None)
    assert timeless(recommend(MIDGAME, limits, seed=3)) == timeless(answer)


def test_a_short_search_hands_nothing_over(monkeypatch: pytest.MonkeyPatch) -> None:
    given = _count_tasks(monkeypatch)
    assert recommend(MIDGAME, Limits(iterations=400, threads=3)).iterations == 400
    assert not given
    assert recommend(MIDGAME, Limits(iterations=401, threads=3)).iterations == 401
    assert len(given) == 2


def test_threads_come_and_go_in_the_middle() -> None:
    """Each thread runs any of the trees, a little of it at a time."""
    trees = members(3)
    chance = random.Random(1)
    streams = [chance.choices(range(3), k=3000) for _ in range(4)]

    def grow_some(stream: Sequence[int]) -> None:
        for number in stream:
            trees[number].run(6000, chance.random() * 1e-4, -1.0)

    threads = [threading.Thread(target=grow_some, args=(stream,)) for stream in streams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    grow(trees, 6000)
    whole = members(3)
    grow(whole, 6000)
    assert [it.signature for it in trees] == [it.signature for it in whole]
    assert [it.statistics() for it in trees] == [it.statistics() for it in whole]


@pytest.mark.parametrize("threads", [2, 4])
def test_a_time_limit_ends_all_threads(threads: int) -> None:
    search = Search(MIDGAME, Limits(time_seconds=0.2, threads=threads))
    assert search.run()
    done = search.iterations
    answer = search.analysis()
    assert 0.15 <= answer.elapsed_seconds < 2.0
    assert sum(row.visits for row in answer.alternatives) == answer.iterations == done
    assert not answer.truncated


def test_threads_live_as_long_as_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    given = _count_tasks(monkeypatch)
    monkeypatch.setattr(session, "_SLICE_SECONDS", 0.001)
    Search(MIDGAME, Limits(time_seconds=0.1, threads=3)).run()
    assert len(given) == 2


def _count_tasks(monkeypatch: pytest.MonkeyPatch) -> list[helpers.Task]:
    given: list[helpers.Task] = []
    give = helpers.give

    def counted(task: helpers.Task) -> None:
        given.append(task)
        give(task)

    monkeypatch.setattr(helpers, "give", counted)
    return given


# ---- failures


def _fails(stream: int, error: type[BaseException]) -> Callable[..., None]:
    """The method of a search that grows one tree, broken for one of them."""
    grow_one = Search._run_one

    def run_one(search: Search, which: int, begin: float, until: float) -> None:
        if which == stream:
            raise error("broken")
        grow_one(search, which, begin, until)

    return run_one


@pytest.mark.parametrize(("stream", "error"), [(0, KeyboardInterrupt), (1, MemoryError)])
def test_a_failure_in_one_thread_ends_all(
    monkeypatch: pytest.MonkeyPatch, stream: int, error: type[BaseException]
) -> None:
    given = _count_tasks(monkeypatch)
    search = Search(MIDGAME, Limits(iterations=10**9, threads=3))
    monkeypatch.setattr(Search, "_run_one", _fails(stream, error))
    with pytest.raises(error, match="broken"):
        search.run()
    assert len(given) == 2
    assert [task._work for task in given] == [None, None]
    given[0].join()
    given[1].join()


def test_threads_that_have_started_end_where_there_are_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = _count_tasks(monkeypatch)
    give = helpers.give

    def give_one(task: helpers.Task) -> None:
        if given:
            raise RuntimeError("can't start new thread")
        give(task)

    monkeypatch.setattr(helpers, "give", give_one)
    search = Search(MIDGAME, Limits(iterations=10**9, threads=3))
    with pytest.raises(RuntimeError, match="new thread"):
        search.run()
    assert [task._work for task in given] == [None]
    given[0].join()


def _interrupts(often: int) -> Callable[[int, FrameType | None], None]:
    """A signal handler that is so many times Ctrl-C, while threads of a search run."""
    left = [often]

    def handler(_: int, frame: FrameType | None) -> None:
        while frame is not None and frame.f_code is not helpers.together.__code__:
            frame = frame.f_back
        if frame is not None and left[0]:
            left[0] -= 1
            raise KeyboardInterrupt

    return handler


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
@pytest.mark.parametrize("milliseconds", [1, 3, 8])
def test_nobody_stays_in_a_tree_when_ctrl_c_is_pressed_again(milliseconds: int) -> None:
    """The second time while the first one waits for the other threads."""
    before = signal.signal(signal.SIGALRM, _interrupts(2))
    try:
        search = Search(MIDGAME, Limits(iterations=10**7, threads=3), seed=3)
        signal.setitimer(signal.ITIMER_REAL, 0.03, milliseconds / 1000)
        with pytest.raises(KeyboardInterrupt):
            search.run()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    iterations = search.iterations
    time.sleep(0.05)
    assert search.iterations == iterations
    search.run(0.05)
    assert search.iterations > iterations


def test_a_search_goes_on_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(iterations=5000, threads=2)
    search = Search(MIDGAME, limits, seed=3)
    monkeypatch.setattr(Search, "_run_one", _fails(0, KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        search.run()
    monkeypatch.undo()
    assert search.iterations < 5000
    assert search.run()
    assert timeless(search.analysis()) == timeless(recommend(MIDGAME, limits, seed=3))


def test_a_team_has_places_for_its_members_alone() -> None:
    knowledge, team = bridge.knowledge_of_observation(MIDGAME), Team(2)
    Searcher(knowledge, 1, 1, 0.7, None, 0, 100, 100, team)
    with pytest.raises(IndexError, match="no member 2"):
        Searcher(knowledge, 1, 2, 0.7, None, 0, 100, 100, team)
    with pytest.raises(ValueError, match="member 1"):
        Searcher(knowledge, 1, 1, 0.7, None, 0, 100, 100, team)
