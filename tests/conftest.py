"""Fixtures of several test directories."""

from __future__ import annotations

import signal

import pytest
from fakes.servers import LoopThread


@pytest.fixture(scope="session")
def loop() -> LoopThread:
    """The event loop of all servers under test."""
    return LoopThread()


def pytest_configure() -> None:
    """Hear Ctrl-C, and let the processes that tests start hear it.

    A shell starts what runs in its background with the signal ignored, and children inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
