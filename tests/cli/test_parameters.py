"""Types of options that several commands share."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import Result

from solstis_ai.cli.parameters import SERVER, FiniteRange

Run = Callable[..., Result]


@pytest.mark.parametrize(
    "server",
    [
        "127.0.0.1:50051",
        "localhost:1",
        "[::1]:65535",
        "10.0.0.1:50051, 10.0.0.2:50051",
        "dns:///solstis-ai:50051",
        "dns:///solstis-ai",
        "unix:/run/solstis.sock",
    ],
)
def test_addresses_of_servers(server: str) -> None:
    assert SERVER.convert(server, None, None) == server


@pytest.mark.parametrize(
    ("server", "told"),
    [
        ("", "'' is no address; one is 127.0.0.1:50051"),
        (",", "'' is no address"),
        ("127.0.0.1:50051,", "'' is no address"),
        ("localhost", "'localhost' is no address"),
        ("localhost:", "'localhost:' is no address"),
        (":50051", "':50051' is no address"),
        ("localhost:http", "'localhost:http' is no address"),
        ("localhost:-1", "'localhost:-1' is no address"),
        ("localhost:\u0664", "is no address"),
        ("localhost:0", "'localhost:0': the port must be from 1 to 65535"),
        ("localhost:65536", "'localhost:65536': the port must be from 1 to 65535"),
        ("dns:///localhost:70000", "the port must be from 1 to 65535"),
        ("localhost:" + "9" * 5000, "the port must be from 1 to 65535"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ("recommend", "-", "--server"),
        ("health",),
        ("bench", "load", "--server"),
    ],
)
def test_no_addresses_of_servers(
    run: Run, command: tuple[str, ...], server: str, told: str
) -> None:
    result = run(*command, server)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: ")
    assert told in result.stderr


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "NaN"])
def test_numbers_that_are_in_no_range(run: Run, number: str) -> None:
    for command in (
        ("bench", "playouts", "--seconds"),
        ("bench", "load", "--rate"),
        ("health", "--timeout"),
        ("serve", "--max-time"),
    ):
        result = run(*command, number)
        assert (result.exit_code, result.stdout) == (2, "")
        assert number in result.stderr


def test_numbers_in_the_range() -> None:
    assert FiniteRange(min=0, max=2).convert("1.5", None, None) == 1.5
