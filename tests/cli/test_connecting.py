"""Commands that ask a service with TLS and tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from click.testing import Result
from fakes.certificates import Authority
from fakes.observations import OPENING
from fakes.servers import LoopThread, RunningServer

from solstis_ai.service.config import ServerConfig
from solstis_ai.wire import observation_to_json

Run = Callable[..., Result]

TOKEN = "0123456789abcdef"


@pytest.fixture
def shown(tmp_path: Path) -> dict[str, str]:
    """The options that a client needs."""
    authority = Authority(tmp_path)
    own = authority.sign("client")
    tokens = tmp_path / "tokens"
    tokens.write_text(f"# of the site\nsite:{TOKEN}\nother:{TOKEN[::-1]}\n", encoding="utf-8")
    server = authority.sign("server")
    assert server.cert.is_file()
    return {
        "--ca": str(authority.pair.cert),
        "--cert": str(own.cert),
        "--key": str(own.key),
        "--token-file": str(tokens),
    }


@pytest.fixture
def server(loop: LoopThread, tmp_path: Path, shown: dict[str, str]) -> Iterator[RunningServer]:
    """It lets in nobody without a certificate and a token, health checks included."""
    config = ServerConfig(
        port=0,
        grace_seconds=0.0,
        tls_cert=tmp_path / "server.crt",
        tls_key=tmp_path / "server.key",
        tls_client_ca=Path(shown["--ca"]),
        token_file=Path(shown["--token-file"]),
        health_without_token=False,
    )
    server = RunningServer(loop, config)
    yield server
    server.drain()


def words(options: dict[str, str]) -> list[str]:
    return [word for pair in options.items() for word in pair]


def test_health_shows_certificate_and_token(
    run: Run, server: RunningServer, shown: dict[str, str]
) -> None:
    assert run("health", server.address, *words(shown)).stdout == "SERVING\n"
    token = shown.pop("--token-file")
    assert "UNAUTHENTICATED" in run("health", server.address, *words(shown)).stderr
    without = words({"--ca": shown["--ca"], "--token-file": token})
    assert "UNAVAILABLE" in run("health", server.address, *without).stderr


def test_the_checks_of_the_documents_ask_a_server_with_tls(
    run: Run, server: RunningServer, shown: dict[str, str]
) -> None:
    text = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    (probe,) = re.findall(r"```yaml\n(readinessProbe:\n  exec:.*?)```", text, re.DOTALL)
    program, *command = yaml.safe_load(probe)["readinessProbe"]["exec"]["command"]
    given = {"127.0.0.1:50051": server.address, "/tls/ca.pem": shown.pop("--ca")}
    words_given = [given.pop(word, word) for word in command]

    assert not given
    assert f'--health-cmd "{program} {" ".join(command)}"' in text
    assert run(*words_given, *words(shown)).stdout == "SERVING\n"


def test_recommend_shows_certificate_and_token(
    run: Run, server: RunningServer, shown: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "observation.json"
    path.write_text(observation_to_json(OPENING), encoding="utf-8")
    asked = ("recommend", str(path), "--server", server.address, "--iterations", "7", "--json")
    assert '"iterations": "7"' in run(*asked, *words(shown)).stdout
    del shown["--token-file"]
    assert "a valid bearer token is needed" in run(*asked, *words(shown)).stderr


@pytest.mark.parametrize(
    ("left_out", "reason"),
    [(("--key",), "--cert and --key go together"), (("--ca",), "--cert needs --ca")],
)
def test_what_does_not_go_together(
    run: Run, shown: dict[str, str], left_out: tuple[str, ...], reason: str
) -> None:
    for option in left_out:
        del shown[option]
    result = run("health", "127.0.0.1:1", *words(shown))

    assert result.exit_code == 2
    assert reason in result.stderr


def test_without_a_server_there_is_nobody_to_show_them_to(
    run: Run, shown: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "observation.json"
    path.write_text(observation_to_json(OPENING), encoding="utf-8")
    for option, value in shown.items():
        if option in ("--ca", "--token-file"):
            result = run("recommend", str(path), option, value)
            assert result.exit_code == 2
            assert "need --server" in result.stderr


def test_a_bad_token_file_is_a_clear_error(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_text("short", encoding="utf-8")
    result = run("health", "127.0.0.1:1", "--token-file", str(path))

    assert result.stderr == f"Error: {path}, line 1: the token is shorter than 16\n"
