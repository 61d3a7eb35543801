"""Cancels, deadlines, the queue and the end of the server."""

from __future__ import annotations

import asyncio
import errno
import http.client
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
from fakes.engine import FakeEngine, FakeSearch
from fakes.observations import FORCED, OPENING
from fakes.servers import RunningServer, wait_for
from google.protobuf.message import Message

from solstis_ai.errors import (
    ConfigurationError,
    DeadlineError,
    OverloadedError,
    ServiceUnavailableError,
)
from solstis_ai.observation import Observation
from solstis_ai.search.types import Analysis, Limits, SearchConfig
from solstis_ai.service.admission import Admission
from solstis_ai.service.calls import Journal
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.config import Priority, ServerConfig
from solstis_ai.service.converters import recommend_request
from solstis_ai.service.desk import Question, SearchDesk
from solstis_ai.service.job import Viewer
from solstis_ai.service.pool import SearchPool
from solstis_ai.service.retry import NO_RETRY
from solstis_ai.service.server import SERVICE_NAME
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc
from solstis_ai.vocabulary import Move

StartServer = Callable[..., RunningServer]

LONG = 30.0


def test_closing_a_stream_stops_the_search(server: RunningServer, client: OpponentClient) -> None:
    stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
    next(stream)
    stream.close()  # type: ignore[attr-defined]  # a generator

    assert server.engine.searches[0].stopped.wait(5.0)
    server.wait_until_idle()


def test_cancelling_a_call_stops_the_search(server: RunningServer) -> None:
    with grpc.insecure_channel(server.address) as channel:
        request = recommend_request(OPENING, Limits(time_seconds=LONG), None)
        call = pb_grpc.OpponentServiceStub(channel).RecommendMove.future(request)
        wait_for(lambda: server.server.running_searches == 1)
        call.cancel()

        assert server.engine.searches[0].stopped.wait(5.0)
        server.wait_until_idle()


def test_a_dropped_connection_stops_the_search(server: RunningServer) -> None:
    channel = grpc.insecure_channel(server.address)
    request = recommend_request(OPENING, Limits(time_seconds=LONG), None)
    call = pb_grpc.OpponentServiceStub(channel).RecommendMove.future(request)
    wait_for(lambda: server.server.running_searches == 1)
    channel.close()

    assert server.engine.searches[0].stopped.wait(5.0)
    assert call.code() is grpc.StatusCode.CANCELLED
    server.wait_until_idle()


def test_an_answer_comes_before_the_deadline(client: OpponentClient) -> None:
    analysis = client.recommend(OPENING, time_seconds=LONG, timeout=2.0)

    assert analysis.truncated
    assert 0 < analysis.elapsed_seconds < 2.0


def test_a_short_deadline_is_enough(client: OpponentClient) -> None:
    """On a busy machine answers may be late, but not all of them."""
    answers = (_answer_within(client, 0.02) for _ in range(200))
    in_time = [*islice((answer for answer in answers if answer is not None), 5)]

    assert len(in_time) == 5
    assert all(answer.truncated for answer in in_time)


def test_a_stream_ends_before_the_deadline(client: OpponentClient) -> None:
    answers = list(client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.05, timeout=2.0))

    assert answers[-1].truncated
    assert not answers[0].truncated


def test_queue_time_counts(start_server: StartServer) -> None:
    """A request that never gets a slot still answers in time, with a legal move."""
    server = start_server(search_slots=1)
    with OpponentClient(server.address) as client:
        stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)
        analysis = client.recommend(OPENING, time_seconds=0.01, timeout=1.0)
        stream.close()  # type: ignore[attr-defined]  # a generator

    assert (analysis.truncated, analysis.iterations) == (True, 0)
    assert server.engine.searches[1].runs == 0


def test_a_full_queue_refuses_and_tells_when_to_retry(start_server: StartServer) -> None:
    server = start_server(search_slots=1, queue_length=1)
    with OpponentClient(server.address) as client, ThreadPoolExecutor(1) as threads:
        stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)
        waits = threads.submit(client.recommend, OPENING, iterations=5)
        wait_for(lambda: server.server.waiting_searches == 1)
        with pytest.raises(OverloadedError) as caught:
            client.recommend(OPENING, iterations=6)
        stream.close()  # type: ignore[attr-defined]  # a generator

        assert waits.result(10.0).iterations == 5
    assert caught.value.retry_after_seconds == 0.5
    assert client_can_search(server)


def test_a_client_has_a_share_of_the_queue(start_server: StartServer, tmp_path: Path) -> None:
    """Tokens tell clients apart; the one that fills its share leaves room for the other."""
    tokens = tmp_path / "tokens"
    tokens.write_text("a:a-secret-of-site-a\nb:a-secret-of-site-b\n", encoding="utf-8")
    server = start_server(search_slots=1, queue_length=3, queue_share=1, token_file=tokens)
    with (
        OpponentClient(server.address, token="a-secret-of-site-a", retry=NO_RETRY) as first,
        OpponentClient(server.address, token="a-secret-of-site-b", retry=NO_RETRY) as second,
        ThreadPoolExecutor(2) as threads,
    ):
        stream = first.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)
        waits = threads.submit(first.recommend, OPENING, iterations=5)
        wait_for(lambda: server.server.waiting_searches == 1)
        with pytest.raises(OverloadedError, match="its share"):
            first.recommend(OPENING, iterations=6)
        waits_too = threads.submit(second.recommend, OPENING, iterations=7)
        wait_for(lambda: server.server.waiting_searches == 2)
        stream.close()  # type: ignore[attr-defined]  # a generator

        assert waits.result(10.0).iterations == 5
        assert waits_too.result(10.0).iterations == 7


def test_a_client_has_half_of_the_queue_by_default(start_server: StartServer) -> None:
    server = start_server(search_slots=1, queue_length=5)
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        requests = [
            recommend_request(OPENING, Limits(time_seconds=LONG), seed) for seed in range(5)
        ]
        running = stub.RecommendMove.future(requests[0])
        wait_for(lambda: server.server.running_searches == 1)
        waiting = [stub.RecommendMove.future(request) for request in requests[1:4]]
        wait_for(lambda: server.server.waiting_searches == 3)
        with pytest.raises(grpc.RpcError, match="3 requests of this client wait"):
            stub.RecommendMove(requests[4], timeout=20)
        for call in (running, *waiting):
            call.cancel()


def test_a_request_takes_a_slot_for_each_thread(start_server: StartServer) -> None:
    server = start_server(search_slots=3, queue_length=0)
    with OpponentClient(server.address) as client:
        stream = client.analyse(OPENING, time_seconds=LONG, threads=2, interval_seconds=0.01)
        next(stream)
        with pytest.raises(OverloadedError):
            client.recommend(OPENING, iterations=5, threads=2)
        assert client.recommend(OPENING, iterations=5, threads=1).iterations == 5
        stream.close()  # type: ignore[attr-defined]  # a generator


def test_a_cancelled_wait_leaves_the_queue(start_server: StartServer) -> None:
    server = start_server(search_slots=1, queue_length=1)
    request = recommend_request(OPENING, Limits(iterations=5), None)
    with OpponentClient(server.address) as client, grpc.insecure_channel(server.address) as channel:
        stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)
        waiting = pb_grpc.OpponentServiceStub(channel).RecommendMove.future(request)
        wait_for(lambda: server.server.waiting_searches == 1)
        waiting.cancel()
        wait_for(lambda: _is_queued(client))
        stream.close()  # type: ignore[attr-defined]  # a generator

    assert server.engine.searches[1].runs == 0
    assert client_can_search(server)


def test_health_answers_while_every_slot_searches(start_server: StartServer) -> None:
    server = start_server(search_slots=1, queue_length=0)
    with OpponentClient(server.address) as client:
        stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)
        begin = time.monotonic()
        assert server.health(SERVICE_NAME) == "SERVING"
        assert client.engine_info(timeout=5.0).search_slots == 1
        stream.close()  # type: ignore[attr-defined]  # a generator

    assert time.monotonic() - begin < 5.0


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_searches_step_back_behind_the_event_loop(
    server: RunningServer, client: OpponentClient
) -> None:
    client.recommend(OPENING, iterations=5)

    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert server.engine.searches[0].niceness == min(own + 5, 19)


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="threads have no policy of their own")
@pytest.mark.parametrize("priority", list(Priority))
def test_searches_take_what_nobody_wants_by_choice(
    start_server: StartServer, priority: Priority
) -> None:
    policies: list[int] = []

    class Watched(FakeSearch):
        def run(self, max_seconds: float | None = None) -> bool:
            policies.append(os.sched_getscheduler(0))
            return super().run(max_seconds)

    server = start_server(search_priority=priority)
    server.engine.Search = Watched  # type: ignore[method-assign,assignment]
    with OpponentClient(server.address) as client:
        client.recommend(OPENING, iterations=5)

    assert set(policies) == {os.SCHED_IDLE if priority is Priority.IDLE else os.SCHED_OTHER}


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
@pytest.mark.parametrize("priority", list(Priority))
def test_a_system_that_lets_no_thread_step_back_searches_all_the_same(
    start_server: StartServer,
    priority: Priority,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "setpriority", refuse)
    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    with OpponentClient(start_server(search_priority=priority).address) as client:
        assert client.recommend(OPENING, iterations=5).iterations == 5

    assert "searches have the priority of all else: Operation not permitted" in caplog.text


def test_a_system_without_idle_priority_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "SCHED_IDLE", raising=False)
    with pytest.raises(ConfigurationError, match="use 'low'"):
        ServerConfig(search_priority=Priority.IDLE)


def test_drain_lets_a_search_finish_and_refuses_new_ones(start_server: StartServer) -> None:
    server = start_server(grace_seconds=20.0)
    with OpponentClient(server.address) as client, ThreadPoolExecutor(1) as threads:
        running = threads.submit(client.recommend, OPENING, time_seconds=1.0)
        wait_for(lambda: server.server.running_searches == 1)
        server.begin_drain()
        wait_for(lambda: server.health(SERVICE_NAME) == "NOT_SERVING")
        with pytest.raises(ServiceUnavailableError):
            client.recommend(OPENING, iterations=5)

        assert not running.result(10.0).truncated


def test_drain_refuses_what_needs_no_search_too(start_server: StartServer) -> None:
    """A closing server answers alike, whatever it remembers; what it is can still be asked."""
    server = start_server(web_port=0, grace_seconds=20.0)
    remembered, running = Limits(iterations=5), Limits(time_seconds=5.0)
    with OpponentClient(server.address, retry=NO_RETRY) as client, ThreadPoolExecutor(1) as threads:
        client.recommend(OPENING, iterations=5, seed=1)
        client.recommend(OPENING, iterations=5, seed=1)
        assert len(server.engine.searches) == 2  # and the second one never ran
        assert server.engine.searches[1].runs == 0
        busy = threads.submit(client.recommend, OPENING, time_seconds=5.0, seed=2)
        wait_for(lambda: server.server.running_searches == 1)
        server.begin_drain()
        wait_for(lambda: server.health(SERVICE_NAME) == "NOT_SERVING")
        for observation, limits, seed in (
            (OPENING, remembered, 1),
            (FORCED, remembered, 1),
            (OPENING, running, 2),  # could share the search under way
        ):
            request = recommend_request(observation, limits, seed)
            assert _both_codes(server, "RecommendMove", request) == ("UNAVAILABLE", 503)
        question = pb.ListLegalMovesRequest(observation=request.observation)
        assert _both_codes(server, "ListLegalMoves", question) == ("UNAVAILABLE", 503)
        assert _both_codes(server, "GetEngineInfo", pb.GetEngineInfoRequest()) == ("OK", 200)

        assert not busy.result(20.0).truncated


def _both_codes(server: RunningServer, method: str, request: Message) -> tuple[str, int]:
    """What the gRPC port answers and what the port for browsers does."""
    with grpc.insecure_channel(server.address) as channel:
        call: Any = channel.unary_unary(f"/{SERVICE_NAME}/{method}")
        code = call.future(request.SerializeToString(), timeout=10).code().name
    link = http.client.HTTPConnection(urlsplit(server.server.web_url or "").netloc, timeout=10)
    headers = {"content-type": "application/proto"}
    link.request("POST", f"/{SERVICE_NAME}/{method}", request.SerializeToString(), headers)
    return code, link.getresponse().status


def test_a_question_in_preparation_when_the_drain_begins_is_refused(
    start_server: StartServer,
) -> None:
    """Even a forced one: it came too late."""
    server = start_server(grace_seconds=0.0)
    begun, goes_on = threading.Event(), threading.Event()

    class HeldSearch(FakeSearch):
        @property
        def forced(self) -> bool:
            begun.set()
            assert goes_on.wait(20.0)
            return super().forced

    server.engine.Search = HeldSearch  # type: ignore[method-assign,assignment]
    request = recommend_request(FORCED, Limits(iterations=5), None)
    with grpc.insecure_channel(server.address) as channel:
        call = pb_grpc.OpponentServiceStub(channel).RecommendMove.future(request, timeout=20)
        assert begun.wait(20.0)
        server.close_pool()
        goes_on.set()
        assert call.code() is grpc.StatusCode.UNAVAILABLE


def test_a_refusal_makes_no_answer_first(start_server: StartServer) -> None:
    """The first answer costs as much as all else that a refusal needs."""
    server = start_server(search_slots=1, queue_length=0)
    with OpponentClient(server.address, retry=NO_RETRY) as client:
        stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)
        with pytest.raises(OverloadedError):
            client.recommend(OPENING, iterations=5)
        stream.close()  # type: ignore[attr-defined]  # a generator

    taken, refused = server.engine.searches
    assert taken.answered_on
    assert not refused.answered_on


def test_a_refusal_waits_for_no_other_thread(start_server: StartServer) -> None:
    """Threads that wait for a processor while all of them search are what makes it slow."""
    began_on: list[str] = []

    class Watched(FakeSearch):
        def __init__(self, *arguments: Any) -> None:
            began_on.append(threading.current_thread().name.partition("_")[0])
            super().__init__(*arguments)

    server = start_server(search_slots=1, queue_length=0)
    server.engine.Search = Watched  # type: ignore[method-assign,assignment]
    with OpponentClient(server.address, retry=NO_RETRY) as client:
        stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)
        for _ in range(3):
            with pytest.raises(OverloadedError):
                client.recommend(OPENING, iterations=5)
        stream.close()  # type: ignore[attr-defined]  # a generator

    assert began_on[0] == "prepare"
    assert "prepare" not in began_on[1:]


def test_a_full_server_reads_one_question_at_a_time() -> None:
    """Between two of them the event loop does whatever else there is to do."""
    order: list[str] = []

    class Watched(FakeSearch):
        def __init__(self, *arguments: Any) -> None:
            order.append("question")
            asyncio.get_running_loop().call_soon(order.append, "other work")
            super().__init__(*arguments)

    async def ask(desk: SearchDesk) -> None:
        Journal([]).begin("RecommendMove", (), "")
        with pytest.raises(OverloadedError):
            await desk.answer(Question(lambda: OPENING, Limits(iterations=5), None), Viewer())

    async def ask_all() -> None:
        admission, engine = Admission(1, 0), FakeEngine()
        engine.Search = Watched  # type: ignore[method-assign,assignment]
        desk = SearchDesk(engine, ServerConfig(), SearchPool(admission, 1))
        await admission.acquire(1, None)
        await asyncio.gather(*(ask(desk) for _ in range(8)))

    asyncio.run(ask_all())
    assert order == ["question", "other work"] * 8


def test_a_slot_that_becomes_free_meanwhile_is_taken(start_server: StartServer) -> None:
    """There was no room when the question came, and there is when it is read."""
    server = start_server(search_slots=1, queue_length=0)
    begun, goes_on = threading.Event(), threading.Event()

    def held(_: Observation) -> list[Move]:
        begun.set()
        assert goes_on.wait(20.0)
        return []

    with OpponentClient(server.address, retry=NO_RETRY) as client, ThreadPoolExecutor(2) as threads:
        stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)
        server.engine.legal_moves = held  # type: ignore[method-assign,assignment]
        threads.submit(client.legal_moves, OPENING)
        assert begun.wait(20.0)
        waits = threads.submit(client.recommend, OPENING, iterations=5, timeout=20.0)
        wait_for(lambda: server.waiting_questions == 1)
        stream.close()  # type: ignore[attr-defined]  # a generator
        server.wait_until_idle()
        goes_on.set()
        assert waits.result(20.0).iterations == 5


def test_a_search_that_does_not_look_at_the_clock_is_stopped_at_the_cap(
    start_server: StartServer,
) -> None:
    """A growing tree heeds stop alone."""
    server = start_server(max_time_seconds=0.2)

    class Deaf(FakeSearch):
        def _run(self, max_seconds: float | None) -> bool:
            assert self.stopped.wait(20.0), "nobody stopped it"
            return False

    server.engine.Search = Deaf  # type: ignore[method-assign,assignment]
    with OpponentClient(server.address, timeout=25.0) as client:
        assert client.recommend(OPENING, time_seconds=LONG).truncated


def test_an_answer_that_takes_long_to_make_is_not_late(server: RunningServer) -> None:
    """Sampling the outlook may begin right before the deadline; the one before it is sent then."""
    slow = threading.Event()

    class SlowToAnswer(FakeSearch):
        def analysis(self) -> Analysis:
            if self.answered_on.count("search_0") >= 1:
                slow.set()
                time.sleep(2.0)
            return super().analysis()

    server.engine.Search = SlowToAnswer  # type: ignore[method-assign,assignment]
    with OpponentClient(server.address) as client:
        begun = time.monotonic()
        answer = client.recommend(OPENING, time_seconds=LONG, timeout=1.0)

    assert slow.is_set()
    assert answer.truncated
    assert answer.iterations > 0
    assert time.monotonic() - begun < 1.0


def test_answers_are_never_made_on_the_event_loop(start_server: StartServer) -> None:
    """They sample games and write sentences; health checks would wait."""
    server = start_server(search_slots=2, queue_length=4, queue_share=4)
    with OpponentClient(server.address) as client:
        client.recommend(OPENING, iterations=5)
        client.recommend(FORCED, iterations=5)
        client.recommend(OPENING, time_seconds=LONG, timeout=0.3)
        list(client.analyse(OPENING, time_seconds=0.2, interval_seconds=0.02))

    threads = [name for search in server.engine.searches for name in search.answered_on]
    assert {name.partition("_")[0] for name in threads} == {"prepare", "search"}


def test_a_forced_move_is_not_made_on_the_event_loop_of_a_full_server(
    start_server: StartServer,
) -> None:
    server = start_server(search_slots=1, queue_length=0)
    with OpponentClient(server.address) as client:
        stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)
        assert client.recommend(FORCED).solved
        stream.close()  # type: ignore[attr-defined]  # a generator

    _, forced = server.engine.searches
    assert {name.partition("_")[0] for name in forced.answered_on} == {"prepare"}


def test_drain_stops_what_outlasts_the_grace(start_server: StartServer) -> None:
    server = start_server(search_slots=1, grace_seconds=0.1)
    with OpponentClient(server.address) as client, ThreadPoolExecutor(2) as threads:
        running = threads.submit(client.recommend, OPENING, time_seconds=LONG)
        wait_for(lambda: server.server.running_searches == 1)
        waiting = threads.submit(client.recommend, OPENING, time_seconds=LONG, seed=1)
        wait_for(lambda: server.server.waiting_searches == 1)
        server.drain()

        answer: Analysis = running.result(10.0)
        assert answer.truncated
        with pytest.raises(ServiceUnavailableError):
            waiting.result(10.0)


def client_can_search(server: RunningServer) -> bool:
    """Whether no slot is stuck."""
    with OpponentClient(server.address, timeout=10.0) as client:
        return client.recommend(OPENING, iterations=3).iterations == 3


def _answer_within(client: OpponentClient, timeout: float) -> Analysis | None:
    try:
        return client.recommend(OPENING, time_seconds=LONG, timeout=timeout)
    except DeadlineError:
        return None


def _is_queued(client: OpponentClient) -> bool:
    """Whether there is room in a queue of one again."""
    try:
        return client.recommend(OPENING, iterations=6, timeout=0.5).truncated
    except OverloadedError:
        return False


def test_a_search_ends_its_life_on_its_own_thread(server: RunningServer) -> None:
    """Giving back a large tree takes longer than the event loop has."""
    places: list[str] = []

    class MortalSearch(FakeSearch):
        def __del__(self) -> None:
            places.append(threading.current_thread().name)

    server.engine.Search = MortalSearch  # type: ignore[method-assign,assignment]
    with OpponentClient(server.address, timeout=10.0) as client:
        client.recommend(OPENING, iterations=5)
        list(client.analyse(OPENING, time_seconds=0.1, interval_seconds=0.03))
        wait_for(lambda: len(places) == 2)

    assert {place.partition("_")[0] for place in places} == {"search"}


@pytest.mark.parametrize("heeds_stop", [True, False])
def test_a_search_that_is_late_does_not_make_the_answer_late(
    server: RunningServer, heeds_stop: bool
) -> None:
    """A thread in a growing tree heeds stop alone; one without a processor heeds nothing."""

    class LateSearch(FakeSearch):
        def _run(self, max_seconds: float | None) -> bool:
            if heeds_stop:
                self.stopped.wait(2.0)
            else:
                time.sleep(2.0)
            return False

    searches: list[FakeSearch] = []

    def begin(
        observation: Observation,
        limits: Limits,
        seed: int | None = None,
        config: SearchConfig | None = None,
    ) -> FakeSearch:
        searches.append(LateSearch(observation, limits, seed))
        return searches[-1]

    server.engine.Search = begin  # type: ignore[method-assign]
    with OpponentClient(server.address) as client:
        begun = time.monotonic()
        answer = client.recommend(OPENING, time_seconds=LONG, timeout=1.0)

    assert answer.truncated
    assert time.monotonic() - begun < 1.0
    assert searches[0].stopped.wait(0.5)
