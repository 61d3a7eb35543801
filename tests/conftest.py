"""Fixtures of several test directories."""

from __future__ import annotations

import pytest
from fakes.servers import LoopThread


@pytest.fixture(scope="session")
def loop() -> LoopThread:
    """The event loop of all servers under test."""
    return LoopThread()
