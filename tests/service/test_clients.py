"""What both clients do: calls, retries, several servers, credentials; each test runs on both."""

from __future__ import annotations

import asyncio
import inspect
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from fakes.certificates import Authority
from fakes.observations import OPENING
from fakes.scripted import ScriptedServicer, scripted_server
from fakes.servers import RunningServer, wait_for

from solstis_ai.errors import (
    DeadlineError,
    FieldError,
    InvalidObservationError,
    InvalidSearchError,
    OverloadedError,
    ServiceError,
    ServiceUnavailableError,
    SolstisError,
)
from solstis_ai.observation import Observation
from solstis_ai.search.types import Analysis
from solstis_ai.service.async_client import AsyncOpponentClient
from solstis_ai.service.channels import ChannelSettings, target_of, tls_credentials
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.retry import NO_RETRY, RetryPolicy

StartServer = Callable[..., RunningServer]
Ask = Callable[..., Any]
"""``ask(method, servers, options of the client, *arguments, **options of the call)``"""

METHODS = ("recommend", "analyse", "legal_moves", "engine_info")
BUSY = OverloadedError("busy", retry_after_seconds=0.2)
DOWN = ServiceUnavailableError("down")


def _ask_sync(method: str, servers: Any, settings: dict[str, Any], *args: Any, **call: Any) -> Any:
    with OpponentClient(servers, **settings) as client:
        answer = getattr(client, method)(*args, **call)
        return list(answer) if method == "analyse" else answer


def _ask_async(method: str, servers: Any, settings: dict[str, Any], *args: Any, **call: Any) -> Any:
    async def body() -> Any:
        async with AsyncOpponentClient(servers, **settings) as client:
            answer = getattr(client, method)(*args, **call)
            return [entry async for entry in answer] if method == "analyse" else await answer

    return asyncio.run(body())


@pytest.fixture(params=[_ask_sync, _ask_async], ids=["sync", "async"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """One call of either client."""
    chosen: Ask = request.param
    return chosen


@pytest.fixture
def scripted() -> Iterator[tuple[ScriptedServicer, str]]:
    with scripted_server() as pair:
        yield pair


@pytest.mark.parametrize("method", METHODS)
def test_both_clients_have_the_same_methods(method: str) -> None:
    one = inspect.signature(getattr(OpponentClient, method))
    other = inspect.signature(getattr(AsyncOpponentClient, method))

    assert one.parameters == other.parameters


def test_both_clients_are_made_alike() -> None:
    assert (
        inspect.signature(OpponentClient).parameters
        == inspect.signature(AsyncOpponentClient).parameters
    )


def test_every_call_answers_with_typed_results(server: RunningServer, ask: Ask) -> None:
    whole: Analysis = ask("recommend", server.address, {}, OPENING, iterations=100)
    growing = ask("analyse", server.address, {}, OPENING, iterations=200, interval_seconds=0.01)
    moves = ask("legal_moves", server.address, {}, OPENING)

    assert whole == server.engine.searches[0].analysis()
    assert growing[-1] == server.engine.searches[1].analysis()
    assert whole.move == moves[0]
    assert ask("engine_info", server.address, {}).rules_version == "fake-rules"


def test_bad_input_is_refused_where_it_is_noticed(server: RunningServer, ask: Ask) -> None:
    with pytest.raises(InvalidSearchError):
        ask("recommend", server.address, {}, OPENING, iterations=0)
    with pytest.raises(InvalidSearchError):
        ask("analyse", server.address, {}, OPENING, seed=-1)
    with pytest.raises(InvalidSearchError) as caught:
        ask("analyse", server.address, {}, OPENING, interval_seconds=0.0)
    assert caught.value.field == "interval_seconds"


def each(name: str, *values: Any, field: str = "") -> list[tuple[str, Any, str]]:
    """The argument with each value, and the field that the error names."""
    return [(name, value, field or name) for value in values]


NUMBERS: tuple[Any, ...] = ("5", True, float("nan"), float("inf"), 10**400)
"""What is no number of seconds, whatever they are for."""

IMPOSSIBLE_SETTINGS = [
    *each("servers", None, 5, b"127.0.0.1:1", ["127.0.0.1:1", 5], {}, ""),
    *each("timeout", *NUMBERS, 0, -1.0, 1e10),
    *each("credentials", True, "ca.pem", b""),
    *each("token", 5, "", "s3cret\n", "s3 cret", "s3cr\u00e9t", b"s3cret"),
    *each("retry", False, 3),
    *each("health_checks", "no", 0, None),
]


@pytest.mark.parametrize("client", [OpponentClient, AsyncOpponentClient])
@pytest.mark.parametrize(("name", "value", "field"), IMPOSSIBLE_SETTINGS)
def test_impossible_settings_of_a_client_are_refused_by_name(
    client: type[Any], name: str, value: Any, field: str
) -> None:
    with pytest.raises(FieldError) as caught:
        client(**{"servers": "127.0.0.1:1", name: value})
    assert caught.value.field == field
    assert "s3" not in str(caught.value)


def test_every_setting_of_a_client_is_checked() -> None:
    assert {name for name, *_ in IMPOSSIBLE_SETTINGS} == {
        *inspect.signature(OpponentClient).parameters
    }


def test_the_settings_of_a_channel_do_not_show_the_token() -> None:
    assert "s3cret" not in repr(ChannelSettings("127.0.0.1:1", token="s3cret"))


def seen(**values: Any) -> Observation:
    return replace(OPENING, **values)


IMPOSSIBLE = [
    *each("observation", None, {}, "play"),
    ("observation", seen(your_hand=["r1"]), "observation.your_hand"),
    ("observation", seen(deck_size="3"), "observation.deck_size"),
    ("observation", seen(deck_size=2**40), "observation"),
    ("observation", seen(your_hand=("\ud800",)), "observation"),
    *each("iterations", "5", True, 1.5, 0, field="limits.iterations"),
    *each("time_seconds", *NUMBERS, 0, field="limits.time_seconds"),
    *each("threads", "5", True, 1.5, 0, None, field="limits.threads"),
    *each("seed", "5", True, 1.5, -1),
    *each("level", "5", True, 5.0, 2**31),
    *each("interval_seconds", *NUMBERS, 0),
    *each("timeout", *NUMBERS, 1e10),
    *each("request_id", 7, "", "a b", "\u00e4", "a\n", "x" * 65),
]


def arguments_of(method: str) -> set[str]:
    return {*inspect.signature(getattr(OpponentClient, method)).parameters} - {"self"}


@pytest.mark.parametrize(
    ("method", "name", "value", "field"),
    [(method, *row) for method in METHODS for row in IMPOSSIBLE if row[0] in arguments_of(method)],
)
def test_impossible_arguments_of_a_call_are_refused_by_name(
    ask: Ask, method: str, name: str, value: Any, field: str
) -> None:
    observation = {"observation": OPENING} if "observation" in arguments_of(method) else {}
    with pytest.raises(FieldError) as caught:
        ask(method, "127.0.0.1:1", {}, **{**observation, name: value})
    assert caught.value.field == field


@pytest.mark.parametrize("method", METHODS)
def test_every_argument_of_a_call_is_checked(method: str) -> None:
    assert arguments_of(method) <= {name for name, *_ in IMPOSSIBLE}


@pytest.mark.parametrize("client", [OpponentClient, AsyncOpponentClient])
@pytest.mark.parametrize("argument", [{"timeout": "5"}, {"request_id": "a b"}, {"level": "5"}])
def test_a_stream_is_refused_before_its_first_answer(
    client: type[Any], argument: dict[str, Any]
) -> None:
    async def begin() -> None:
        with pytest.raises(FieldError):
            client("127.0.0.1:1").analyse(OPENING, **argument)

    asyncio.run(begin())


def test_a_deadline_that_has_passed_is_a_deadline(server: RunningServer, ask: Ask) -> None:
    for seconds in (0, -0.1):
        with pytest.raises(DeadlineError, match="passed before the call was sent"):
            ask("recommend", server.address, {}, OPENING, timeout=seconds)
    assert not server.engine.searches


@pytest.mark.parametrize("method", ["engine_info", "analyse"])
def test_a_deadline_without_any_server_tells_so(ask: Ask, method: str) -> None:
    observation = {"observation": OPENING} if method == "analyse" else {}
    servers = "127.0.0.1:1,127.0.0.1:2"
    with pytest.raises(DeadlineError, match=r"could be reached: 127\.0\.0\.1:1, 127\.0\.0\.1:2$"):
        ask(method, servers, {}, timeout=0.2, **observation)


def test_a_deadline_that_a_server_misses_says_no_more(
    scripted: tuple[ScriptedServicer, str], ask: Ask
) -> None:
    servicer, address = scripted
    servicer.may_answer.clear()
    with pytest.raises(DeadlineError, match=r"^DEADLINE_EXCEEDED: Deadline Exceeded$"):
        ask("recommend", address, {}, OPENING, timeout=2.0)
    assert servicer.calls == 1


def test_the_deadline_of_a_call_is_its_own_or_the_clients(server: RunningServer, ask: Ask) -> None:
    own = ask("recommend", server.address, {}, OPENING, time_seconds=30.0, timeout=1.0)
    of_the_client = ask("recommend", server.address, {"timeout": 1.0}, OPENING, time_seconds=30.0)

    assert own.truncated
    assert of_the_client.truncated


@pytest.mark.parametrize("method", ["recommend", "analyse"])
def test_an_unavailable_service_is_asked_again(
    scripted: tuple[ScriptedServicer, str], ask: Ask, method: str
) -> None:
    servicer, address = scripted
    servicer.script = [DOWN, DOWN]

    assert ask(method, address, {}, OPENING, timeout=20.0)
    assert servicer.calls == 3


def test_attempts_are_bounded(scripted: tuple[ScriptedServicer, str], ask: Ask) -> None:
    servicer, address = scripted
    servicer.script = [DOWN] * 9
    with pytest.raises(ServiceUnavailableError):
        ask("recommend", address, {"retry": RetryPolicy(attempts=2)}, OPENING)
    assert servicer.calls == 2

    servicer.script = [BUSY] * 9
    with pytest.raises(OverloadedError):
        ask("recommend", address, {"retry": RetryPolicy(attempts=2)}, OPENING)
    assert servicer.calls == 4


@pytest.mark.parametrize("method", ["recommend", "analyse"])
def test_an_overloaded_service_is_asked_again_when_it_says(
    scripted: tuple[ScriptedServicer, str], ask: Ask, method: str
) -> None:
    servicer, address = scripted
    servicer.script = [BUSY]
    begin = time.monotonic()

    assert ask(method, address, {}, OPENING)
    assert servicer.calls == 2
    assert time.monotonic() - begin >= 0.2


def test_no_wait_outlasts_the_deadline(scripted: tuple[ScriptedServicer, str], ask: Ask) -> None:
    servicer, address = scripted
    servicer.script = [OverloadedError("busy", retry_after_seconds=60.0)]
    begin = time.monotonic()
    with pytest.raises(OverloadedError) as caught:
        ask("recommend", address, {}, OPENING, timeout=20.0)

    assert caught.value.retry_after_seconds == 60.0
    assert servicer.calls == 1
    assert time.monotonic() - begin < 10.0


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (InvalidObservationError("observation.phase", "no"), InvalidObservationError),
        (OverloadedError("the message is too large"), OverloadedError),
        (RuntimeError("unexpected"), ServiceError),
    ],
)
def test_other_errors_are_final(
    scripted: tuple[ScriptedServicer, str], ask: Ask, error: Exception, raised: type[SolstisError]
) -> None:
    servicer, address = scripted
    servicer.script = [error]
    with pytest.raises(raised):
        ask("recommend", address, {}, OPENING)
    assert servicer.calls == 1


@pytest.mark.parametrize("error", [DOWN, BUSY])
def test_without_retries_every_error_is_final(
    scripted: tuple[ScriptedServicer, str], ask: Ask, error: Exception
) -> None:
    servicer, address = scripted
    servicer.script = [error]
    with pytest.raises(type(error)):
        ask("recommend", address, {"retry": NO_RETRY}, OPENING)
    assert servicer.calls == 1


@pytest.mark.parametrize("error", [DOWN, BUSY])
def test_a_stream_that_has_begun_is_not_begun_again(
    scripted: tuple[ScriptedServicer, str], ask: Ask, error: Exception
) -> None:
    servicer, address = scripted
    servicer.fails_after_an_answer = True
    servicer.script = [error]
    with pytest.raises(type(error)):
        ask("analyse", address, {}, OPENING)
    assert servicer.calls == 1


@pytest.mark.parametrize(
    "settings",
    [
        {"attempts": 0},
        {"attempts": 6},
        {"attempts": True},
        {"attempts": 2.0},
        {"attempts": "2"},
        {"initial_backoff_seconds": 0.0},
        {"initial_backoff_seconds": 0.0004},
        {"initial_backoff_seconds": 3.1},
        {"initial_backoff_seconds": "1"},
        {"initial_backoff_seconds": True},
        {"max_backoff_seconds": float("inf")},
        {"max_backoff_seconds": 3601.0},
        {"max_backoff_seconds": "3"},
    ],
)
def test_impossible_retries_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(FieldError) as caught:
        RetryPolicy(**settings)
    assert [caught.value.field] == [*settings]


def test_servers_take_turns(start_server: StartServer) -> None:
    servers = [start_server(cache_size=0), start_server(cache_size=0)]
    with OpponentClient([it.address for it in servers], timeout=20.0) as client:
        wait_for(lambda: _asked(client, servers), 10.0)
        before = [len(it.engine.searches) for it in servers]
        for _ in range(6):
            client.recommend(OPENING, iterations=1)

    after = [len(it.engine.searches) for it in servers]
    assert [now - then for now, then in zip(after, before, strict=True)] == [3, 3]


def test_async_servers_take_turns(start_server: StartServer) -> None:
    servers = [start_server(), start_server()]

    async def body() -> None:
        async with AsyncOpponentClient(",".join(it.address for it in servers)) as client:
            while not all(it.engine.searches for it in servers):
                await client.recommend(OPENING, iterations=1, timeout=10.0)

    asyncio.run(asyncio.wait_for(body(), 20.0))


@pytest.mark.parametrize("health_checks", [True, False])
def test_a_server_that_drains_gets_no_calls(start_server: StartServer, health_checks: bool) -> None:
    """Without health checks, the refusals of the draining server reach the client."""
    leaving = start_server(grace_seconds=20.0, cache_size=0)
    staying = start_server(cache_size=0)
    servers = [leaving, staying]
    with (
        OpponentClient(
            [it.address for it in servers], 20.0, retry=NO_RETRY, health_checks=health_checks
        ) as client,
        OpponentClient(leaving.address, 20.0) as other,
    ):
        wait_for(lambda: _asked(client, servers), 10.0)
        next(stream := other.analyse(OPENING, time_seconds=30.0, interval_seconds=0.01))
        leaving.begin_drain()
        wait_for(lambda: leaving.health("") == "NOT_SERVING")
        time.sleep(0.3)  # the watch of the client learns of it
        refusals = sum(_is_refused(client) for _ in range(6))
        del stream

    assert refusals == (0 if health_checks else 3)


def test_a_server_that_is_gone_is_left_out(start_server: StartServer, ask: Ask) -> None:
    server = start_server()
    servers = ["127.0.0.1:1", server.address]

    for _ in range(4):
        assert ask("recommend", servers, {}, OPENING, iterations=1, timeout=20.0)


@pytest.mark.parametrize(
    ("servers", "target"),
    [
        ("host:1", "host:1"),
        (["dns:///name:1"], "dns:///name:1"),
        ("127.0.0.1:1,127.0.0.2:2", "ipv4:127.0.0.1:1,127.0.0.2:2"),
        (["127.0.0.1:1", " localhost:2 "], "ipv4:127.0.0.1:1,127.0.0.1:2"),
        ("[::1]:1,[::1]:2", "ipv6:[::1]:1,[::1]:2"),
    ],
)
def test_targets(servers: Any, target: str) -> None:
    assert target_of(servers) == target


@pytest.mark.parametrize(
    "servers",
    [
        "",
        [],
        "127.0.0.1:1,",
        "127.0.0.1:1,127.0.0.1",
        "[::1]:1,x",
        "127.0.0.1:1,127.0.0.1:http",
        "127.0.0.1:1,127.0.0.1:0",
        "127.0.0.1:1,127.0.0.1:65536",
        "127.0.0.1:1,:2",
        "127.0.0.1:1,dns:///localhost:1",
        f"127.0.0.1:1,127.0.0.1:{'1' * 5000}",
    ],
)
def test_no_target(servers: Any) -> None:
    with pytest.raises(FieldError, match="servers"):
        target_of(servers)


@pytest.mark.parametrize("method", METHODS[:2])
def test_token_and_request_id_go_with_the_call(
    scripted: tuple[ScriptedServicer, str], ask: Ask, method: str
) -> None:
    servicer, address = scripted
    ask(method, address, {"token": "s3cret"}, OPENING, request_id="game-7.move-3")

    (metadata,) = servicer.metadata
    assert metadata["authorization"] == "Bearer s3cret"
    assert metadata["x-request-id"] == "game-7.move-3"


def test_without_token_and_request_id_nothing_is_sent(
    scripted: tuple[ScriptedServicer, str], ask: Ask
) -> None:
    servicer, address = scripted
    ask("engine_info", address, {})

    assert not {"authorization", "x-request-id"} & set(servicer.metadata[0])


def test_tls_with_a_certificate_of_the_client(tmp_path: Path, ask: Ask) -> None:
    authority = Authority(tmp_path)
    server, own, ca = authority.sign("server"), authority.sign("client"), authority.pair.cert
    mutual = grpc.ssl_server_credentials(
        [(server.key.read_bytes(), server.cert.read_bytes())],
        root_certificates=ca.read_bytes(),
        require_client_auth=True,
    )
    with scripted_server(mutual) as (servicer, address):
        ask("engine_info", address, {"credentials": tls_credentials(ca, own.cert, own.key)})
        for credentials in (tls_credentials(ca), tls_credentials(), None):
            settings = {"credentials": credentials, "retry": NO_RETRY}
            with pytest.raises((ServiceUnavailableError, DeadlineError)):
                ask("engine_info", address, settings, timeout=10.0)

    assert servicer.calls == 1


def test_tls_over_several_servers(tmp_path: Path, ask: Ask) -> None:
    """They are reached by addresses, and known by the name of the first."""
    authority = Authority(tmp_path)
    pair, other = authority.sign("server"), Authority(tmp_path, "other")
    server = grpc.ssl_server_credentials([(pair.key.read_bytes(), pair.cert.read_bytes())])
    with scripted_server(server) as (first, one), scripted_server(server) as (second, two):
        settings: dict[str, Any] = {"credentials": tls_credentials(authority.pair.cert)}
        for _ in range(20):
            ask("engine_info", f"{one},{two}", settings)
        settings = {"credentials": tls_credentials(other.pair.cert), "retry": NO_RETRY}
        with pytest.raises((ServiceUnavailableError, DeadlineError)):
            ask("engine_info", f"{one},{two}", settings, timeout=5.0)

    assert first.calls + second.calls == 20


def test_a_certificate_and_its_key_go_together(tmp_path: Path) -> None:
    pair = Authority(tmp_path).pair
    with pytest.raises(ValueError, match=r"^key_file: "):
        tls_credentials(None, pair.cert)
    with pytest.raises(ValueError, match=r"^certificate_file: "):
        tls_credentials(None, None, pair.key)


def test_a_server_without_an_address_is_left_out(
    server: RunningServer, ask: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    servers = f"nowhere.invalid:1,{server.address},a..b:1"

    assert target_of(servers) == f"ipv4:{server.address}"
    assert "servers: nowhere.invalid:1 is left out, it has no address: " in caplog.text
    assert "servers: a..b:1 is left out" in caplog.text
    assert ask("engine_info", servers, {}, timeout=20.0).rules_version == "fake-rules"


def test_several_servers_without_an_address_in_common() -> None:
    with pytest.raises(
        FieldError, match=r"^servers: nowhere.invalid:1, nowhere.invalid:2 have no addr"
    ):
        target_of("nowhere.invalid:1,nowhere.invalid:2")
    with pytest.raises(FieldError, match="have no addresses of one kind, IPv4 or IPv6"):
        target_of("127.0.0.1:1,[::1]:1")


def test_cancelling_a_task_stops_the_search(server: RunningServer) -> None:
    async def body() -> None:
        async with AsyncOpponentClient(server.address) as client:
            task = asyncio.create_task(client.recommend(OPENING, time_seconds=30.0))
            while not server.server.running_searches:
                await asyncio.sleep(0.002)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(server.engine.searches[0].stopped.wait, 5.0)

    asyncio.run(body())
    server.wait_until_idle()


def test_closing_an_async_stream_stops_the_search(server: RunningServer) -> None:
    async def body() -> None:
        async with AsyncOpponentClient(server.address) as client:
            stream = client.analyse(OPENING, time_seconds=30.0, interval_seconds=0.01)
            await anext(stream)
            await stream.aclose()
            assert await asyncio.to_thread(server.engine.searches[0].stopped.wait, 5.0)

    asyncio.run(body())
    server.wait_until_idle()


def test_a_killed_server_that_comes_back_loses_no_answer() -> None:
    """kill -9 in mid-search; the retry finds the new process on the same port."""
    first, address = _serve("0")
    restarted: list[subprocess.Popen[str]] = []
    patient = RetryPolicy(initial_backoff_seconds=0.8, max_backoff_seconds=5.0)
    with OpponentClient(address, timeout=60.0, retry=patient) as client:
        client.engine_info()
        killer = threading.Timer(0.5, _kill_and_restart, (first, address, restarted))
        killer.start()
        answer = client.recommend(OPENING, time_seconds=2.0)
        killer.join()

    assert not answer.truncated
    assert answer.elapsed_seconds >= 1.9
    assert first.returncode == -signal.SIGKILL
    restarted[0].kill()
    restarted[0].communicate()


def _serve(port: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "solstis_ai", "serve", "--port", port, "--log-level", "error"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().split()[-1]


def _kill_and_restart(
    process: subprocess.Popen[str], address: str, restarted: list[subprocess.Popen[str]]
) -> None:
    process.kill()
    process.communicate()
    restarted.append(_serve(address.rpartition(":")[2])[0])


def _asked(client: OpponentClient, servers: list[RunningServer]) -> bool:
    """Whether the client has reached each of ``servers``, after one more call."""
    client.recommend(OPENING, iterations=1)
    return all(server.engine.searches for server in servers)


def _is_refused(client: OpponentClient) -> bool:
    try:
        client.recommend(OPENING, iterations=1)
    except ServiceUnavailableError:
        return True
    return False
