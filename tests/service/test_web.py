"""The port for browsers, as any HTTP client sees it: Connect, gRPC-Web, CORS and its end."""

from __future__ import annotations

import base64
import http.client
import json
import logging
import socket
import ssl
import struct
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fakes.certificates import Authority, Pair
from fakes.observations import OPENING
from fakes.servers import RunningServer, wait_for
from google.protobuf.json_format import MessageToDict
from google.rpc import error_details_pb2

from solstis_ai.errors import ListenError, MissingExtraError, OverloadedError
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.retry import NO_RETRY
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.wire import observation_to_proto

StartServer = Callable[..., RunningServer]

SERVICE = "/solstis_ai.v1.OpponentService"
SEEN = MessageToDict(observation_to_proto(OPENING))
BAD = MessageToDict(observation_to_proto(replace(OPENING, your_hand=("r1", "x9", "k4"))))
ORIGIN = "https://game.example"
JSON = "application/json"
MOVES = ["play g5", "play k4", "play r1"]
LONG = 30.0


@pytest.fixture
def web(start_server: StartServer) -> RunningServer:
    return start_server(web_port=0)


def connection(server: RunningServer) -> http.client.HTTPConnection:
    assert server.server.web_url is not None
    return http.client.HTTPConnection(urlsplit(server.server.web_url).netloc, timeout=20)


def send(
    server: RunningServer, method: str, body: bytes, content_type: str, **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    """POST ``body`` to a method of the service."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    link = connection(server)
    link.request("POST", f"{SERVICE}/{method}", body, {"content-type": content_type, **names})
    response = link.getresponse()
    content = response.read()
    link.close()
    return response, content


def call(
    server: RunningServer, method: str, request: dict[str, Any], **headers: str
) -> tuple[int, Any]:
    """A unary call in JSON; the status and the decoded answer."""
    response, content = send(server, method, json.dumps(request).encode(), JSON, **headers)
    return response.status, json.loads(content)


def limited(**limits: float) -> dict[str, Any]:
    names = {"time": "timeSeconds", "iterations": "iterations", "threads": "threads"}
    return {"observation": SEEN, "limits": {names[key]: value for key, value in limits.items()}}


def frames(content: bytes) -> list[tuple[int, bytes]]:
    """The enveloped messages of a stream, with their flags."""
    found = []
    while content:
        flags, size = struct.unpack(">BI", content[:5])
        found.append((flags, content[5 : 5 + size]))
        content = content[5 + size :]
    return found


def framed(message: bytes) -> bytes:
    return struct.pack(">BI", 0, len(message)) + message


def detail_of(error: dict[str, Any], kind: type[Any]) -> Any:
    """The only detail of a Connect error."""
    (detail,) = error["details"]
    assert detail["type"] == kind.DESCRIPTOR.full_name
    padding = "=" * (-len(detail["value"]) % 4)
    return kind.FromString(base64.b64decode(detail["value"] + padding))


def field_of(error: dict[str, Any]) -> str:
    assert error["code"] == "invalid_argument"
    (violation,) = detail_of(error, error_details_pb2.BadRequest).field_violations
    assert violation.description
    field: str = violation.field
    return field


def test_every_unary_call_in_json(web: RunningServer) -> None:
    status, answer = call(web, "RecommendMove", limited(iterations=100))
    assert status == 200
    assert answer["analysis"]["text"] == "play g5"
    assert answer["analysis"]["iterations"] == "100"  # 64-bit numbers are strings in JSON
    assert answer["analysis"]["truncated"] is False

    status, answer = call(web, "ListLegalMoves", {"observation": SEEN})
    assert [entry["text"] for entry in answer["moves"]] == MOVES

    status, answer = call(web, "GetEngineInfo", {})
    assert answer["rulesVersion"] == "fake-rules"


def test_a_unary_call_in_binary(web: RunningServer) -> None:
    request = pb.ListLegalMovesRequest(observation=observation_to_proto(OPENING))
    response, content = send(
        web, "ListLegalMoves", request.SerializeToString(), "application/proto"
    )

    assert response.headers["content-type"] == "application/proto"
    moves = pb.ListLegalMovesResponse.FromString(content).moves
    assert [entry.text for entry in moves] == MOVES


def test_a_stream_over_connect(web: RunningServer) -> None:
    request = {**limited(time=0.3), "intervalSeconds": 0.05}
    body = framed(json.dumps(request).encode())
    _, content = send(web, "AnalyzePosition", body, "application/connect+json")
    *messages, (flags, end) = frames(content)

    answers = [json.loads(message) for _, message in messages]
    assert len(answers) >= 3
    assert [answer["final"] for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert (flags, json.loads(end)) == (2, {})


def test_a_stream_over_grpc_web(web: RunningServer) -> None:
    request = pb.AnalyzePositionRequest(
        observation=observation_to_proto(OPENING), limits=pb.Limits(iterations=100)
    )
    body = framed(request.SerializeToString())
    _, content = send(web, "AnalyzePosition", body, "application/grpc-web+proto")
    (_, answer), (flags, trailers) = frames(content)

    assert pb.AnalyzePositionResponse.FromString(answer).analysis.iterations == 100
    assert flags == 0x80
    assert b"grpc-status: 0" in trailers.lower()


@pytest.mark.parametrize("method", ["RecommendMove", "ListLegalMoves"])
def test_a_bad_observation_names_its_field(web: RunningServer, method: str) -> None:
    status, error = call(web, method, {"observation": BAD})

    assert status == 400
    assert field_of(error) == "observation.your_hand[1]"
    assert "x9" in error["message"]


def test_a_bad_observation_in_a_stream_names_its_field(web: RunningServer) -> None:
    body = framed(json.dumps({"observation": BAD}).encode())
    _, content = send(web, "AnalyzePosition", body, "application/connect+json")
    ((_, end),) = frames(content)

    assert field_of(json.loads(end)["error"]) == "observation.your_hand[1]"


def test_an_error_over_grpc_web_has_its_details(web: RunningServer) -> None:
    body = framed(pb.ListLegalMovesRequest().SerializeToString())
    response, content = send(web, "ListLegalMoves", body, "application/grpc-web+proto")
    told = str(response.headers).encode() + content

    assert b"grpc-status: 3" in told.lower()
    assert b"grpc-status-details-bin" in told.lower()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"observation": {"yourHnd": []}}', "observation"),
        (b'{"observation": {"turn": {"playedTile": 7}}}', "observation.turn.played_tile"),
        (b'{"limits": {"iterations": "many"}}', "limits.iterations"),
        (b'{"limts": {}}', "request"),
        (b"[]", "request"),
        (b"7", "request"),
        (b"", "request"),
        (b"{", "request"),
        (b'{"seed": "' + b"1" * 9_999 + b'"}', "seed"),
        (b'{"limits": []}', "limits"),
        (b'{"observation": {"phase": true}}', "observation.phase"),
        (b"\xff\xfe\xfd", "request"),
        (b"[" * 16_000, "request"),
        (b'{"observation":' * 1_000, "request"),
    ],
)
def test_json_that_is_no_message_names_its_field(
    web: RunningServer, body: bytes, field: str
) -> None:
    response, content = send(web, "RecommendMove", body, JSON)

    assert response.status == 400
    assert field_of(json.loads(content)) == field
    assert len(content) < 2_000


def test_bytes_that_are_no_message_are_bad_input(web: RunningServer) -> None:
    response, content = send(web, "RecommendMove", b"\xff\xff\xff", "application/proto")

    assert response.status == 400
    assert field_of(json.loads(content)) == "request"


def test_both_ports_share_the_slots(start_server: StartServer) -> None:
    """A search of one port fills the slots of the other; the refusal says when to come back."""
    server = start_server(web_port=0, search_slots=1, queue_length=0)
    with OpponentClient(server.address, retry=NO_RETRY) as client, ThreadPoolExecutor(1) as threads:
        next(stream := client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01))
        status, error = call(server, "RecommendMove", limited(iterations=5))
        stream.close()  # type: ignore[attr-defined]  # a generator
        server.wait_until_idle()
        assert (status, error["code"]) == (429, "resource_exhausted")
        retry = detail_of(error, error_details_pb2.RetryInfo)
        assert retry.retry_delay.ToMilliseconds() == 500

        running = threads.submit(call, server, "RecommendMove", limited(time=1.0))
        wait_for(lambda: server.server.running_searches == 1)
        with pytest.raises(OverloadedError):
            client.recommend(OPENING, iterations=5)
        assert running.result(20.0)[0] == 200


@pytest.mark.parametrize("header", [{"connect_timeout_ms": "1500"}, {"grpc_timeout": "1500m"}])
def test_an_answer_comes_before_the_deadline(web: RunningServer, header: dict[str, str]) -> None:
    request = pb.RecommendMoveRequest(
        observation=observation_to_proto(OPENING), limits=pb.Limits(time_seconds=LONG)
    )
    grpc_web = "grpc_timeout" in header
    kind = "application/grpc-web+proto" if grpc_web else "application/proto"
    data = request.SerializeToString()
    response, content = send(
        web, "RecommendMove", framed(data) if grpc_web else data, kind, **header
    )

    assert response.status == 200
    message = frames(content)[0][1] if grpc_web else content
    assert pb.RecommendMoveResponse.FromString(message).analysis.truncated


@pytest.mark.parametrize("method", ["RecommendMove", "AnalyzePosition"])
def test_a_dropped_connection_stops_the_search(web: RunningServer, method: str) -> None:
    body = json.dumps(limited(time=LONG)).encode()
    stream = method == "AnalyzePosition"
    link = connection(web)
    link.request(
        "POST",
        f"{SERVICE}/{method}",
        framed(body) if stream else body,
        {"content-type": "application/connect+json" if stream else JSON},
    )
    wait_for(lambda: web.server.running_searches == 1)
    link.close()

    assert web.engine.searches[0].stopped.wait(5.0)
    web.wait_until_idle()


def test_an_unexpected_exception_is_logged_and_not_told(
    web: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    web.engine.failure = ZeroDivisionError("a secret of the house")
    with caplog.at_level(logging.ERROR):
        status, error = call(web, "RecommendMove", limited(iterations=1))

    assert status == 500
    assert error == {"code": "internal", "message": "internal error"}
    assert "a secret of the house" in caplog.text


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_message_above_the_size_limit_is_refused(
    start_server: StartServer, encoding: str
) -> None:
    import gzip  # noqa: PLC0415

    server = start_server(web_port=0, max_request_bytes=1000)
    data = json.dumps({"observation": {"discardedTiles": ["r1"] * 1000}}).encode()
    body = gzip.compress(data) if encoding == "gzip" else data
    response, content = send(server, "ListLegalMoves", body, JSON, content_encoding=encoding)

    assert response.status == 429
    assert json.loads(content)["code"] == "resource_exhausted"
    assert len(gzip.compress(data)) < 1000


def test_get_is_refused_since_cors_would_not_guard_it(web: RunningServer) -> None:
    link = connection(web)
    link.request("GET", f"{SERVICE}/GetEngineInfo?encoding=json&message=%7B%7D")
    response = link.getresponse()

    assert (response.status, response.headers["allow"]) == (405, "POST")


def test_what_is_not_there_is_not_found(web: RunningServer) -> None:
    response, _ = send(web, "CheatALittle", b"{}", JSON)
    assert response.status == 404


@pytest.mark.parametrize("kind", ["application/grpc", "application/grpc+proto", "text/plain"])
def test_other_kinds_of_content_are_turned_away(web: RunningServer, kind: str) -> None:
    response, _ = send(web, "GetEngineInfo", b"", kind)
    assert response.status == 415


@pytest.mark.parametrize(
    ("origins", "allowed"),
    [((), None), ((ORIGIN,), ORIGIN), (("*",), ORIGIN), (("https://other.example",), None)],
)
def test_pages_of_named_origins_may_call(
    start_server: StartServer, origins: tuple[str, ...], allowed: str | None
) -> None:
    server = start_server(web_port=0, web_origins=origins)
    response, _ = send(server, "GetEngineInfo", b"{}", JSON, origin=ORIGIN)
    link = connection(server)
    asked = {"origin": ORIGIN, "access-control-request-method": "POST"}
    link.request("OPTIONS", f"{SERVICE}/GetEngineInfo", headers=asked)
    preflight = link.getresponse()

    assert response.status == 200
    assert preflight.status == 204
    for headers in (response.headers, preflight.headers):
        assert headers.get_all("access-control-allow-origin", []) == ([allowed] if allowed else [])
        assert headers["vary"] is not None
    permitted = preflight.headers["access-control-allow-headers"] or ""
    assert ("connect-timeout-ms" in permitted) == (allowed is not None)


def test_a_request_without_an_origin_needs_no_permission(web: RunningServer) -> None:
    response, _ = send(web, "GetEngineInfo", b"{}", JSON)

    assert response.status == 200
    assert response.headers["access-control-allow-origin"] is None


def test_drain_lets_a_search_finish_and_closes_the_port(start_server: StartServer) -> None:
    server = start_server(web_port=0, grace_seconds=20.0)
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(call, server, "RecommendMove", limited(time=1.0))
        wait_for(lambda: server.server.running_searches == 1)
        server.begin_drain()
        wait_for(lambda: server.health("") == "NOT_SERVING")
        status, error = call(server, "RecommendMove", limited(iterations=1))
        assert (status, error["code"]) == (503, "unavailable")

        status, answer = running.result(20.0)
        assert (status, answer["analysis"]["truncated"]) == (200, False)
    wait_for(lambda: not is_open(server))


def health(server: RunningServer, method: str = "GET", **headers: str) -> tuple[int, Any]:
    """The status and the decoded answer of a health check over HTTP."""
    link = connection(server)
    link.request(method, "/health", headers=headers)
    response = link.getresponse()
    content = response.read()
    link.close()
    assert response.headers["cache-control"] == "no-store"
    return response.status, json.loads(content) if content else None


def test_health_over_http_follows_the_server(start_server: StartServer) -> None:
    server = start_server(web_port=0, search_slots=1, queue_length=0, grace_seconds=20.0)
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(call, server, "RecommendMove", limited(time=3.0))
        wait_for(lambda: server.server.running_searches == 1)
        assert health(server) == (200, {"status": "SERVING"})  # every slot searches
        assert health(server, "HEAD") == (200, None)
        server.begin_drain()
        wait_for(lambda: server.health("") == "NOT_SERVING")
        assert health(server) == (503, {"status": "NOT_SERVING"})
        assert running.result(20.0)[0] == 200


def test_health_over_http_is_asked_for_and_not_told(web: RunningServer) -> None:
    assert health(web, "POST")[0] == 405


@pytest.mark.parametrize(("exempt", "status"), [(True, 200), (False, 401)])
def test_health_over_http_is_exempt_by_choice(
    start_server: StartServer, tmp_path: Path, exempt: bool, status: int
) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(TOKEN, encoding="utf-8")
    server = start_server(web_port=0, token_file=tokens, health_without_token=exempt)

    assert health(server)[0] == status
    assert health(server, authorization=f"Bearer {TOKEN}")[0] == 200


def test_drain_answers_a_stream_with_what_there_is(start_server: StartServer) -> None:
    server = start_server(web_port=0, grace_seconds=0.1)
    body = framed(json.dumps(limited(time=LONG)).encode())
    with ThreadPoolExecutor(1) as threads:
        kind = "application/connect+json"
        running = threads.submit(send, server, "AnalyzePosition", body, kind)
        wait_for(lambda: server.server.running_searches == 1)
        server.drain()
        _, content = running.result(20.0)

    last = json.loads(frames(content)[-2][1])
    assert (last["final"], last["analysis"]["truncated"]) == (True, True)


def test_without_a_web_port_there_is_none(server: RunningServer) -> None:
    assert server.server.web_url is None


def test_a_taken_web_port_is_a_clear_error(start_server: StartServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ListenError, match=f"cannot listen on 127.0.0.1:{port}: Address alr"):
            start_server(web_port=port)


def test_the_command_announces_both_ports() -> None:
    command = [sys.executable, "-m", "solstis_ai", "serve", "--port", "0", "--web-port", "0"]
    with subprocess.Popen(
        [*command, "--web-origin", ORIGIN], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
        url = urlsplit(lines[1].split()[-1])
        link = http.client.HTTPConnection(url.netloc, timeout=20)
        headers = {"content-type": JSON, "origin": ORIGIN}
        link.request("POST", f"{SERVICE}/GetEngineInfo", "{}", headers)
        response = link.getresponse()
        process.terminate()

    assert "for browsers on http://127.0.0.1:" in lines[1]
    assert response.headers["access-control-allow-origin"] == ORIGIN
    assert process.returncode == 0


def test_without_the_extra_the_error_says_what_to_install(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("solstis_ai.service.web", "solstis_ai.service.connect"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'solstis-ai\[web\]'"):
        start_server(web_port=0)


TOKEN = "a-token-of-sixteen-or-more"


@pytest.fixture
def guarded(start_server: StartServer, tmp_path: Path) -> RunningServer:
    tokens = tmp_path / "tokens"
    tokens.write_text(f"site-a:{TOKEN}\n", encoding="utf-8")
    return start_server(web_port=0, token_file=tokens)


@pytest.mark.parametrize("header", [{}, {"authorization": "Bearer another"}])
def test_without_a_token_nothing_is_even_read(
    guarded: RunningServer, header: dict[str, str]
) -> None:
    response, content = send(guarded, "RecommendMove", b"no json", JSON, **header)
    assert (response.status, json.loads(content)["code"]) == (401, "unauthenticated")

    body = framed(b"no json")
    _, content = send(guarded, "AnalyzePosition", body, "application/connect+json", **header)
    assert json.loads(frames(content)[0][1])["error"]["code"] == "unauthenticated"


def test_with_a_token_the_call_is_its_clients(
    guarded: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "solstis_ai.service.requests"):
        headers = {"authorization": f"Bearer {TOKEN}", "x_request_id": "move-7"}
        response, _ = send(guarded, "GetEngineInfo", b"{}", JSON, **headers)

    assert response.status == 200
    assert response.headers["x-request-id"] == "move-7"
    (record,) = caplog.records
    fields = vars(record)["fields"]
    assert fields["client"] == "site-a"
    assert fields["request_id"] == "move-7"
    assert (fields["method"], fields["code"]) == ("GetEngineInfo", "OK")
    assert TOKEN not in caplog.text


@pytest.mark.parametrize(
    ("body", "code"), [(b"{", "INVALID_ARGUMENT"), (b"{}", "INVALID_ARGUMENT")]
)
def test_a_call_that_fails_is_logged_with_its_code(
    web: RunningServer, caplog: pytest.LogCaptureFixture, body: bytes, code: str
) -> None:
    with caplog.at_level(logging.INFO, "solstis_ai.service.requests"):
        response, _ = send(web, "RecommendMove", body, JSON)

    (record,) = caplog.records
    fields = vars(record)["fields"]
    assert (fields["code"], fields["client"]) == (code, "127.0.0.1")
    assert response.headers["x-request-id"] == fields["request_id"]


@pytest.mark.parametrize("method", ["RecommendMove", "AnalyzePosition"])
def test_a_call_that_is_dropped_is_logged_as_cancelled(
    web: RunningServer, caplog: pytest.LogCaptureFixture, method: str
) -> None:
    stream = method == "AnalyzePosition"
    body = json.dumps(limited(time=LONG)).encode()
    with caplog.at_level(logging.INFO, "solstis_ai.service.requests"):
        link = connection(web)
        kind = "application/connect+json" if stream else JSON
        path, data = f"{SERVICE}/{method}", framed(body) if stream else body
        link.request("POST", path, data, {"content-type": kind})
        wait_for(lambda: web.server.running_searches == 1)
        link.close()
        wait_for(lambda: bool(caplog.records))

    assert vars(caplog.records[0])["fields"]["code"] == "CANCELLED"


@pytest.mark.parametrize("mutual", [False, True])
def test_tls_is_that_of_the_other_port(
    start_server: StartServer, tmp_path: Path, mutual: bool
) -> None:
    authority = Authority(tmp_path)
    server_pair, own = authority.sign("server"), authority.sign("client")
    server = start_server(
        web_port=0,
        tls_cert=server_pair.cert,
        tls_key=server_pair.key,
        tls_client_ca=authority.pair.cert if mutual else None,
    )
    url = urlsplit(server.server.web_url or "")
    assert url.scheme == "https"

    def status(certificate: Pair | None) -> int:
        context = ssl.create_default_context(cafile=str(authority.pair.cert))
        if certificate is not None:
            context.load_cert_chain(certificate.cert, certificate.key)
        link = http.client.HTTPSConnection(url.netloc, timeout=20, context=context)
        link.request("POST", f"{SERVICE}/GetEngineInfo", "{}", {"content-type": JSON})
        return link.getresponse().status

    assert status(own) == 200
    if mutual:
        with pytest.raises((ssl.SSLError, ConnectionError)):
            status(None)
    else:
        assert status(None) == 200


def is_open(server: RunningServer) -> bool:
    assert server.server.web_url is not None
    url = urlsplit(server.server.web_url)
    try:
        socket.create_connection((url.hostname or "", url.port or 0), 1.0).close()
    except OSError:
        return False
    return True
