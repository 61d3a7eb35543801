"""Tokens, TLS and who is let in."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from fakes.certificates import Authority
from fakes.observations import OPENING
from fakes.servers import RunningServer
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from solstis_ai.errors import ConfigurationError, UnauthenticatedError
from solstis_ai.search.types import Limits
from solstis_ai.service.calls import Call
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.converters import recommend_request
from solstis_ai.service.server import is_loopback
from solstis_ai.service.tls import server_credentials
from solstis_ai.service.tokens import MIN_TOKEN_LENGTH, Gate, Tokens
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc

StartServer = Callable[..., RunningServer]
Metadata = tuple[tuple[str, str], ...]

ALICE, BOB = "alice-has-a-secret-0", "bob-has-another-one-1"


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "tokens"
    path.write_text(f"# who may play\n\nalice:{ALICE}\n  {BOB}  \n", encoding="utf-8")
    return path


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


def code_of(call: Callable[[], object]) -> grpc.StatusCode:
    try:
        call()
    except grpc.RpcError as error:
        assert isinstance(error, grpc.Call)
        return error.code()
    return grpc.StatusCode.OK


def calls_of(channel: grpc.Channel, metadata: Metadata) -> dict[str, Callable[[], object]]:
    """One call of each kind."""
    stub = pb_grpc.OpponentServiceStub(channel)
    reflection: Any = reflection_pb2_grpc.ServerReflectionStub(channel)  # has no types
    recommend = recommend_request(OPENING, Limits(iterations=1), None)
    analyse = pb.AnalyzePositionRequest(observation=recommend.observation, limits=recommend.limits)
    listing = reflection_pb2.ServerReflectionRequest(list_services="")
    moves = pb.ListLegalMovesRequest(observation=recommend.observation)
    info = pb.GetEngineInfoRequest()
    return {
        "recommend": lambda: stub.RecommendMove(recommend, metadata=metadata, timeout=10),
        "analyse": lambda: list(stub.AnalyzePosition(analyse, metadata=metadata, timeout=10)),
        "moves": lambda: stub.ListLegalMoves(moves, metadata=metadata, timeout=10),
        "info": lambda: stub.GetEngineInfo(info, metadata=metadata, timeout=10),
        "reflection": lambda: list(
            reflection.ServerReflectionInfo(iter([listing]), metadata=metadata, timeout=10)
        ),
    }


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        (bearer(ALICE), grpc.StatusCode.OK),
        ((("authorization", f"bearer  {BOB}"),), grpc.StatusCode.OK),
        ((), grpc.StatusCode.UNAUTHENTICATED),
        (bearer(ALICE[:-1]), grpc.StatusCode.UNAUTHENTICATED),
        (bearer(ALICE + "x"), grpc.StatusCode.UNAUTHENTICATED),
        ((("authorization", ALICE),), grpc.StatusCode.UNAUTHENTICATED),
        ((("authorization", f"Basic {ALICE}"),), grpc.StatusCode.UNAUTHENTICATED),
        ((("token", ALICE),), grpc.StatusCode.UNAUTHENTICATED),
    ],
)
def test_every_call_needs_a_token(
    start_server: StartServer, token_file: Path, metadata: Metadata, expected: grpc.StatusCode
) -> None:
    server = start_server(token_file=token_file)
    with grpc.insecure_channel(server.address) as channel:
        codes = {name: code_of(call) for name, call in calls_of(channel, metadata).items()}

    assert set(codes.values()) == {expected}, codes
    assert bool(server.engine.searches) == (expected is grpc.StatusCode.OK)


def test_without_a_token_file_everybody_is_let_in(server: RunningServer) -> None:
    with grpc.insecure_channel(server.address) as channel:
        codes = {code_of(call) for call in calls_of(channel, ()).values()}

    assert codes == {grpc.StatusCode.OK}


@pytest.mark.parametrize(
    ("exempt", "metadata", "expected"),
    [
        (True, (), grpc.StatusCode.OK),
        (False, (), grpc.StatusCode.UNAUTHENTICATED),
        (False, bearer(ALICE), grpc.StatusCode.OK),
    ],
)
def test_health_needs_a_token_by_choice(
    start_server: StartServer,
    token_file: Path,
    exempt: bool,
    metadata: Metadata,
    expected: grpc.StatusCode,
) -> None:
    server = start_server(token_file=token_file, health_without_token=exempt)
    with grpc.insecure_channel(server.address) as channel:
        check: Any = channel.unary_unary("/grpc.health.v1.Health/Check")
        data = HealthCheckRequest().SerializeToString()
        assert code_of(lambda: check(data, metadata=metadata, timeout=10)) is expected


def test_the_client_raises_unauthenticated(start_server: StartServer, token_file: Path) -> None:
    from solstis_ai.service.client import OpponentClient  # noqa: PLC0415 - this test alone

    server = start_server(token_file=token_file)
    with OpponentClient(server.address) as client, pytest.raises(UnauthenticatedError):
        client.engine_info(timeout=10.0)


def test_tokens_have_names(token_file: Path) -> None:
    known = Tokens.read(token_file)

    assert (known.name_of(ALICE), known.name_of(BOB)) == ("alice", "token-4")
    assert known.name_of("") is None
    assert len(known) == 2


def test_every_digest_is_compared_in_constant_time(
    token_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []
    real_compare = hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return real_compare(one, other)

    known = Tokens.read(token_file)
    monkeypatch.setattr(hmac, "compare_digest", compare)
    for token in (ALICE, BOB, "", "x" * 1000):
        known.name_of(token)

    assert len(compared) == 4 * len(known)
    assert {len(digest) for pair in compared for digest in pair} == {32}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "has no tokens"),
        ("# nobody\n", "has no tokens"),
        ("alice:short\n", "line 1: the token is shorter than 16"),
        (f"ok:{ALICE}\na lice:{ALICE}", "line 2: the name is no name"),
        ("alice:two words in a token\n", "line 1: a token has visible ASCII"),
        (f"one:two:{ALICE}", "line 1: the name is no name"),
        (f"{ALICE}:alice", "line 1: the name is no name"),
        (f"{ALICE}:{BOB}", "line 1: the name is no name"),
        (f"{ALICE[:16]}:the-name-of-alice", "line 1: the name is no name"),
        ("\xe4" * 20, "line 1: a token has visible ASCII"),
    ],
)
def test_a_bad_token_file_is_a_clear_error(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "tokens"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=reason) as caught:
        Gate(path)

    assert str(path) in str(caught.value)
    assert ALICE[:16] not in str(caught.value)


def test_a_name_is_shorter_than_any_token(tmp_path: Path) -> None:
    """So nothing that is a token can be taken for a name, and logged."""
    path = tmp_path / "tokens"
    path.write_text(f"{'n' * (MIN_TOKEN_LENGTH - 1)}:{'t' * MIN_TOKEN_LENGTH}", encoding="utf-8")
    assert Tokens.read(path).name_of("t" * MIN_TOKEN_LENGTH) == "n" * (MIN_TOKEN_LENGTH - 1)

    path.write_text(f"{'t' * MIN_TOKEN_LENGTH}:{'t' * MIN_TOKEN_LENGTH}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="with 1 to 15 of"):
        Tokens.read(path)


def test_swapped_tokens_and_names_are_not_logged(
    token_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    gate = Gate(token_file)
    token_file.write_text(f"{ALICE}:alice-of-the-other-site", encoding="utf-8")
    with caplog.at_level(logging.DEBUG):
        gate.reload()
    call = Call("RecommendMove", "id", bearer(ALICE))
    gate.admit(call)

    assert call.client == "alice"
    assert "line 1" in caplog.text
    assert ALICE not in caplog.text + repr(call)


def test_a_reload_takes_new_tokens_and_keeps_old_ones_on_error(
    token_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    gate = Gate(token_file)
    token_file.write_text(f"carol:{ALICE}", encoding="utf-8")
    gate.reload()
    call = Call("RecommendMove", "id", bearer(ALICE))
    gate.admit(call)
    assert call.client == "carol"
    with pytest.raises(UnauthenticatedError):
        gate.admit(Call("RecommendMove", "id", bearer(BOB)))

    token_file.write_text(f"short {ALICE}", encoding="utf-8")
    with caplog.at_level(logging.ERROR):
        gate.reload()
    gate.admit(Call("RecommendMove", "id", bearer(ALICE)))
    assert "the old tokens stay valid" in caplog.text
    assert ALICE not in caplog.text


def info_over(channel: grpc.Channel) -> grpc.StatusCode:
    stub = pb_grpc.OpponentServiceStub(channel)
    return code_of(lambda: stub.GetEngineInfo(pb.GetEngineInfoRequest(), timeout=5))


def test_tls(start_server: StartServer, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.sign("server")
    server = start_server(tls_cert=pair.cert, tls_key=pair.key)
    root = authority.pair.cert.read_bytes()
    with grpc.secure_channel(server.address, grpc.ssl_channel_credentials(root)) as channel:
        assert info_over(channel) is grpc.StatusCode.OK
    with grpc.insecure_channel(server.address) as channel:
        assert info_over(channel) is grpc.StatusCode.UNAVAILABLE


def test_mutual_tls(start_server: StartServer, tmp_path: Path) -> None:
    authority, stranger = Authority(tmp_path), Authority(tmp_path, "stranger")
    pair, known, unknown = authority.sign("s"), authority.sign("c"), stranger.sign("x")
    server = start_server(tls_cert=pair.cert, tls_key=pair.key, tls_client_ca=authority.pair.cert)
    root = authority.pair.cert.read_bytes()
    codes = []
    for shown in (known, unknown, None):
        key, cert = (shown.key.read_bytes(), shown.cert.read_bytes()) if shown else (None, None)
        credentials = grpc.ssl_channel_credentials(root, key, cert)
        with grpc.secure_channel(server.address, credentials) as channel:
            codes.append(info_over(channel))

    unavailable = grpc.StatusCode.UNAVAILABLE
    assert codes == [grpc.StatusCode.OK, unavailable, unavailable]


def test_bad_tls_files_are_clear_errors(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    one, other = authority.sign("one"), authority.sign("other")
    nothing, missing = tmp_path / "nothing", tmp_path / "missing"
    nothing.write_text("no certificate", encoding="utf-8")
    for cert, key, ca, reason in (
        (one.cert, other.key, None, "are no certificate and its unencrypted private key"),
        (nothing, one.key, None, "are no certificate and its unencrypted private key"),
        (missing, one.key, None, "No such file"),
        (one.cert, one.key, nothing, "has no certificates of authorities"),
        (one.cert, one.key, missing, "No such file"),
    ):
        config = ServerConfig(tls_cert=cert, tls_key=key, tls_client_ca=ca)
        with pytest.raises(ConfigurationError, match=reason):
            server_credentials(config)


def test_tls_settings_go_together(tmp_path: Path) -> None:
    for settings in ({"tls_cert": tmp_path}, {"tls_key": tmp_path}, {"tls_client_ca": tmp_path}):
        with pytest.raises(ConfigurationError):
            ServerConfig(**settings)  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.0.0.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("game.example", False),
    ],
)
def test_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) == loopback


def test_a_server_for_others_without_protection_warns(
    start_server: StartServer, token_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    start_server(host="0.0.0.0")
    assert "no TLS and no tokens" in caplog.text
    caplog.clear()
    start_server(host="0.0.0.0", token_file=token_file)
    assert "no TLS: whoever" in caplog.text
    caplog.clear()
    start_server()
    assert "whoever" not in caplog.text


def test_a_certificate_of_the_client_is_protection_enough(
    start_server: StartServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    authority = Authority(tmp_path)
    pair = authority.sign("server")
    start_server(host="0.0.0.0", tls_cert=pair.cert, tls_key=pair.key)
    assert "no tokens: whoever" in caplog.text
    caplog.clear()
    ca = authority.pair.cert
    start_server(host="0.0.0.0", tls_cert=pair.cert, tls_key=pair.key, tls_client_ca=ca)
    assert "whoever" not in caplog.text
