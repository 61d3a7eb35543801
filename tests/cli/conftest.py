"""Fixtures: run a command of the command line in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from solstis_ai.cli import main

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run ``solstis-ai`` with arguments; an unexpected exception fails the test."""

    def run_command(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(main, arguments, input=stdin, catch_exceptions=False)

    return run_command
