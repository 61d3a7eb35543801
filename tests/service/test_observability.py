"""Logs, request ids, metrics and traces."""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from fakes.observations import FORCED, OPENING
from fakes.servers import RunningServer, wait_for
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from solstis_ai.errors import FieldError, InvalidObservationError, OverloadedError
from solstis_ai.notation import format_observation
from solstis_ai.observation import Observation
from solstis_ai.search.types import Limits
from solstis_ai.service import tracing
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.converters import recommend_request
from solstis_ai.service.logs import BackgroundHandler, JsonFormatter, TextFormatter
from solstis_ai.service.retry import RetryPolicy
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc

StartServer = Callable[..., RunningServer]
Fields = dict[str, Any]

LONG = 30.0
TOKEN = "a-token-that-is-never-logged"


class Lines(logging.Handler):
    """Collects the fields of request lines, and every line in both forms."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: list[Fields] = []
        self.text: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.text += [TextFormatter().format(record), JsonFormatter().format(record)]
        if hasattr(record, "fields"):
            self.fields.append(record.fields)


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler, logger = Lines(), logging.getLogger("solstis_ai")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(before)


def call_with(address: str, metadata: tuple[tuple[str, str], ...]) -> grpc.Call:
    with grpc.insecure_channel(address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        request = recommend_request(OPENING, Limits(iterations=5), None)
        _, call = stub.RecommendMove.with_call(request, metadata=metadata, timeout=10)
        assert isinstance(call, grpc.Call)
        return call


def request_id(call: grpc.Call) -> str:
    return str(dict(call.trailing_metadata() or ())["x-request-id"])


def test_one_line_a_request(server: RunningServer, client: OpponentClient, lines: Lines) -> None:
    client.recommend(OPENING, iterations=50)
    client.recommend(OPENING, iterations=50)
    client.recommend(FORCED)
    list(client.analyse(OPENING, time_seconds=0.05))
    client.legal_moves(OPENING)
    client.engine_info()
    server.engine.settles = True
    client.recommend(OPENING)
    wait_for(lambda: len(lines.fields) == 7)

    wanted = ("method", "code", "client", "phase", "source", "iterations", "truncated")
    seen = [tuple(fields.get(key) for key in wanted) for fields in lines.fields]
    search = ("OK", "127.0.0.1", "play")
    assert seen[0] == ("RecommendMove", *search, "search", 50, False)
    assert seen[1] == ("RecommendMove", *search, "cache", 50, False)
    assert seen[2][:5] == ("RecommendMove", *search, "forced")
    assert seen[3][:5] == ("AnalyzePosition", *search, "search")
    assert seen[4] == ("ListLegalMoves", *search, None, None, None)
    assert seen[5] == ("GetEngineInfo", "OK", "127.0.0.1", None, None, None, None)
    assert seen[6] == ("RecommendMove", *search, "solved", 0, False)
    assert all(fields["seconds"] > 0 and fields["request_id"] for fields in lines.fields)
    assert len({fields["request_id"] for fields in lines.fields}) == 7


def test_failures_are_logged_with_their_code(
    start_server: StartServer, lines: Lines, bad_observation: Observation
) -> None:
    server = start_server(search_slots=1, queue_length=0)
    with (
        OpponentClient(server.address, retry=RetryPolicy(attempts=1)) as client,
        grpc.insecure_channel(server.address) as channel,
    ):
        with pytest.raises(InvalidObservationError):
            client.recommend(bad_observation)
        stub = pb_grpc.OpponentServiceStub(channel)
        request = recommend_request(OPENING, Limits(time_seconds=LONG), None)
        call = stub.RecommendMove.future(request)
        wait_for(lambda: server.server.running_searches == 1)
        with pytest.raises(OverloadedError):
            client.recommend(OPENING, iterations=1)
        call.cancel()
        wait_for(lambda: len(lines.fields) == 3)

    codes = [fields["code"] for fields in lines.fields]
    assert codes == ["INVALID_ARGUMENT", "RESOURCE_EXHAUSTED", "CANCELLED"]


@pytest.fixture
def bad_observation() -> Observation:
    import dataclasses  # noqa: PLC0415 - of this fixture alone

    return dataclasses.replace(OPENING, your_hand=("r1", "x9", "k4"))


def test_time_in_the_queue_is_told(start_server: StartServer, lines: Lines) -> None:
    server = start_server(search_slots=1)
    with OpponentClient(server.address) as client:
        stream = client.analyse(OPENING, time_seconds=0.3, interval_seconds=0.05)
        next(stream)
        client.recommend(OPENING, iterations=10)
        list(stream)
        wait_for(lambda: len(lines.fields) == 2)

    waits = {fields["method"]: fields["queue_seconds"] for fields in lines.fields}
    assert waits["RecommendMove"] > 0.1 > waits["AnalyzePosition"]


def test_a_token_is_never_logged_and_names_the_client(
    start_server: StartServer, tmp_path: Path, lines: Lines
) -> None:
    path = tmp_path / "tokens"
    path.write_text(f"site:{TOKEN}", encoding="utf-8")
    server = start_server(token_file=path)
    call_with(server.address, (("authorization", f"Bearer {TOKEN}"),))
    with pytest.raises(grpc.RpcError):
        call_with(server.address, (("authorization", f"Bearer x{TOKEN}"),))
    wait_for(lambda: len(lines.fields) == 2)

    assert [(it["client"], it["code"]) for it in lines.fields] == [
        ("site", "OK"),
        ("127.0.0.1", "UNAUTHENTICATED"),
    ]
    assert not any(TOKEN in line for line in lines.text)


@pytest.mark.parametrize("wanted", [True, False])
def test_observations_are_logged_by_choice(
    start_server: StartServer, lines: Lines, wanted: bool
) -> None:
    server = start_server(log_observations=wanted)
    with OpponentClient(server.address) as client:
        client.recommend(OPENING, iterations=5)
        client.legal_moves(OPENING)
    wait_for(lambda: len(lines.fields) == 2)

    for fields in lines.fields:
        assert (fields.get("observation") == format_observation(OPENING)) == wanted
    assert any("your_hand" in line or "you.hand" in line for line in lines.text) == wanted


@pytest.mark.parametrize("given", ["abc-1.2_Z", "x" * 64])
def test_a_fit_request_id_is_kept(server: RunningServer, lines: Lines, given: str) -> None:
    assert request_id(call_with(server.address, (("x-request-id", given),))) == given
    assert lines.fields[0]["request_id"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "two words", 'a"b', "a=b"])
def test_an_unfit_request_id_is_replaced(server: RunningServer, lines: Lines, given: str) -> None:
    made = request_id(call_with(server.address, (("x-request-id", given),)))

    assert made != given
    assert len(made) == 32
    assert lines.fields[0]["request_id"] == made


def test_an_error_carries_the_request_id_and_its_details(server: RunningServer) -> None:
    with grpc.insecure_channel(server.address) as channel:
        call: Any = channel.unary_unary("/solstis_ai.v1.OpponentService/RecommendMove")
        with pytest.raises(grpc.RpcError) as caught:
            call(b"\xff", metadata=(("x-request-id", "mine"),), timeout=10)

    assert isinstance(caught.value, grpc.Call)
    assert request_id(caught.value) == "mine"
    assert "grpc-status-details-bin" in dict(caught.value.trailing_metadata() or ())


def test_an_unexpected_error_names_the_request(server: RunningServer, lines: Lines) -> None:
    server.engine.failure = ZeroDivisionError("oh")
    with pytest.raises(grpc.RpcError):
        call_with(server.address, (("x-request-id", "this-one"),))
    assert any("unexpected error in request this-one" in line for line in lines.text)


def test_lines_have_two_forms() -> None:
    record = logging.LogRecord("a.b", logging.INFO, "", 0, "hello %s", ("you",), None)
    record.fields = {"code": "OK", "truncated": True, "observation": "solstis a=b"}

    text = TextFormatter().format(record)
    assert text.endswith('INFO a.b: hello you code=OK truncated=true observation="solstis a=b"')
    line = json.loads(JsonFormatter().format(record))
    assert (line["message"], line["level"], line["logger"]) == ("hello you", "info", "a.b")
    assert (line["code"], line["truncated"]) == ("OK", True)
    assert line["time"].endswith("+00:00")


def test_a_traceback_is_part_of_the_line() -> None:
    try:
        raise ZeroDivisionError("oh")
    except ZeroDivisionError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("a", logging.ERROR, "", 0, "failed", (), info)

    assert "ZeroDivisionError: oh" in json.loads(JsonFormatter().format(record))["traceback"]
    assert "ZeroDivisionError: oh" in TextFormatter().format(record)


def test_a_full_log_drops_lines_and_says_so() -> None:
    gate, seen = threading.Event(), []

    class Stuck(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            gate.wait(10.0)
            seen.append(record.getMessage())

    handler = BackgroundHandler(Stuck(), room=2)
    for number in range(10):
        handler.emit(logging.LogRecord("a", logging.INFO, "", 0, str(number), (), None))
        time.sleep(0.01)
    gate.set()
    wait_for(lambda: len(seen) == 3)
    handler.emit(logging.LogRecord("a", logging.INFO, "", 0, "last", (), None))
    handler.finish()

    dropped = "7 log lines were dropped, since the log was not read"
    assert seen == ["0", "1", "2", dropped, "last"]


class Scrape:
    """The metrics of a server, by name and values of labels."""

    def __init__(self, server: RunningServer) -> None:
        with urllib.request.urlopen(
            f"http://{server.server.metrics_address}/metrics", timeout=10
        ) as response:
            text = response.read().decode()
        self._values = {
            (sample.name, *sorted(sample.labels.values())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    def __getitem__(self, key: tuple[str, ...]) -> float:
        return self._values.get((key[0], *sorted(key[1:])), 0.0)


def test_metrics(start_server: StartServer) -> None:
    server = start_server(search_slots=1, queue_length=1, metrics_port=0)
    once = RetryPolicy(attempts=1)
    with OpponentClient(server.address, timeout=20.0, retry=once) as client:
        client.recommend(OPENING, iterations=50)
        client.recommend(OPENING, iterations=50)
        client.recommend(FORCED)
        stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)
        with grpc.insecure_channel(server.address) as channel:
            stub = pb_grpc.OpponentServiceStub(channel)
            request = recommend_request(OPENING, Limits(iterations=7), None)
            waiting = stub.RecommendMove.future(request)
            wait_for(lambda: server.server.waiting_searches == 1)
            with pytest.raises(OverloadedError):
                client.recommend(OPENING, iterations=8)
            wait_for(lambda: Scrape(server)["solstis_requests_in_flight",] == 2)  # it has ended
            busy = Scrape(server)
            waiting.cancel()
            wait_for(lambda: server.server.waiting_searches == 0)
        stream.close()  # type: ignore[attr-defined]  # a generator
        server.wait_until_idle()
        wait_for(lambda: Scrape(server)["solstis_requests_in_flight",] == 0)
    after = Scrape(server)

    assert busy["solstis_queue_length",] == busy["solstis_search_slots_taken",] == 1
    assert busy["solstis_rejected_total",] == 1
    assert after["solstis_requests_total", "RecommendMove", "OK"] == 3
    assert after["solstis_requests_total", "RecommendMove", "RESOURCE_EXHAUSTED"] == 1
    assert after["solstis_request_seconds_count", "RecommendMove"] == 5
    assert after["solstis_cancelled_total",] == 2
    assert after["solstis_search_iterations_total",] == 50
    assert after["solstis_search_seconds_total",] > 0
    assert after["solstis_queue_seconds_count",] == 1
    sources = ("search", "cache", "forced", "shared")
    assert [after["solstis_answers_total", source] for source in sources] == [1, 1, 1, 0]
    assert after["solstis_search_slots_taken",] == after["solstis_queue_length",] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="the collector reads /proc")
def test_metrics_of_the_process(start_server: StartServer) -> None:
    scraped = Scrape(start_server(metrics_port=0))

    assert scraped["process_resident_memory_bytes",] > 1_000_000
    assert scraped["process_open_fds",] > 3


def test_no_metrics_without_a_port(server: RunningServer) -> None:
    assert server.server.metrics_address is None


@pytest.fixture(scope="module")
def provider() -> TracerProvider:
    """The one provider of this process: it can be set once."""
    provider = TracerProvider()
    trace.set_tracer_provider(provider)
    return provider


def test_a_call_is_a_span_below_the_callers(
    start_server: StartServer, provider: TracerProvider
) -> None:
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    server = start_server()
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    call_with(server.address, (("traceparent", parent), ("x-request-id", "traced")))
    wait_for(lambda: bool(exporter.get_finished_spans()))

    (span,) = exporter.get_finished_spans()
    assert span.name == "solstis_ai.v1.OpponentService/RecommendMove"
    assert span.parent is not None
    assert f"{span.parent.span_id:016x}" == "b7ad6b7169203331"
    attributes = dict(span.attributes or {})
    assert attributes["solstis.request_id"] == "traced"
    assert (attributes["solstis.iterations"], attributes["solstis.source"]) == (5, "search")


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (ZeroDivisionError("oh"), trace.StatusCode.ERROR),
        (FieldError("seed", "is bad"), trace.StatusCode.UNSET),
    ],
)
def test_a_span_tells_a_failure_of_the_server(
    start_server: StartServer,
    provider: TracerProvider,
    failure: Exception,
    status: trace.StatusCode,
) -> None:
    """And of no one else: bad input is the client's."""
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    server = start_server()
    server.engine.failure = failure
    with pytest.raises(grpc.RpcError):
        call_with(server.address, ())
    wait_for(lambda: bool(exporter.get_finished_spans()))

    (span,) = exporter.get_finished_spans()
    assert span.status.status_code is status


def test_without_the_extra_there_are_no_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry", None)
    assert tracing.tracers() == []


@pytest.mark.parametrize(
    ("variables", "exports"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "x", "OTEL_TRACES_EXPORTER": "none"}, False),
    ],
)
def test_the_environment_chooses_the_export(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], exports: bool
) -> None:
    seen: list[bool] = []
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(tracing, "_export", lambda: seen.append(True))
    tracing.configure()

    assert bool(seen) == exports


def test_a_missing_extra_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry", None)
    tracing.configure()

    assert "solstis-ai[otel]" in caplog.text
