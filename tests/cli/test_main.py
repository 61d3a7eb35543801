"""The group of commands: help, version, unknown commands; and ``serve`` as far as it is usage."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import Result

from solstis_ai.cli import COMMANDS
from solstis_ai.version import VERSION

Run = Callable[..., Result]


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"solstis-ai, version {VERSION}\n"


def test_help_names_every_command(run: Run) -> None:
    listed = run("--help").stdout
    assert all(f"\n  {name} " in listed for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(run: Run, name: str) -> None:
    result = run(name, "--help")

    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: main {name}")


def test_an_unknown_command_is_wrong_usage(run: Run) -> None:
    result = run("win")

    assert result.exit_code == 2
    assert "No such command 'win'" in result.stderr


@pytest.mark.parametrize(
    "options", [("--port", "65536"), ("--slots", "0"), ("--grace", "-1"), ("--max-time", "0")]
)
def test_serve_refuses_impossible_settings(run: Run, options: tuple[str, ...]) -> None:
    assert run("serve", *options).exit_code == 2


def test_serve_says_why_it_cannot_listen(run: Run) -> None:
    result = run("serve", "--host", "192.0.2.1", "--port", "0")

    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("Error: cannot listen on 192.0.2.1:0: ")
