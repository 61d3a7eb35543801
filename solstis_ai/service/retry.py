"""When a client tries again: plain numbers and decisions, no gRPC in here."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from solstis_ai.errors import OverloadedError, SolstisError

__all__ = ["NO_RETRY", "Attempts", "RetryPolicy"]

_MOST_ATTEMPTS = 5
"""gRPC does not make more, whatever it is told."""

_JITTER = 0.25
"""Share of a wait that is added at random, so that refused clients do not come back as one."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after which waits a call is tried again.

    A call is tried again when the service is unavailable (after ``initial_backoff_seconds``,
    then after twice as long, and so on) and when it is overloaded and says when to come back.
    The deadline of the call covers all attempts; a wait that would outlast it is not begun.
    Nothing else is tried again, and no stream that has begun to answer.

    Attributes:
        attempts: Most attempts, the first included; from 1 to 5.
        initial_backoff_seconds: First wait for an unavailable service, in seconds.
        max_backoff_seconds: Longest wait for an unavailable service, in seconds.

    Raises:
        ValueError: If a value is out of range.
    """

    attempts: int = 5
    initial_backoff_seconds: float = 0.3
    max_backoff_seconds: float = 3.0

    def __post_init__(self) -> None:
        if not 1 <= self.attempts <= _MOST_ATTEMPTS:
            raise ValueError(f"attempts: {self.attempts} is not from 1 to {_MOST_ATTEMPTS}")
        if not 0 < self.initial_backoff_seconds <= self.max_backoff_seconds:
            raise ValueError("initial_backoff_seconds must be above 0 and at most the longest wait")


NO_RETRY = RetryPolicy(attempts=1)
"""Each call is tried once."""


class Attempts:
    """The attempts of one call.

    Args:
        policy: How many there may be.
        timeout: Deadline of all of them together, in seconds from now; None for none.
    """

    def __init__(self, policy: RetryPolicy, timeout: float | None) -> None:
        self._left = policy.attempts
        self._end = None if timeout is None else time.monotonic() + timeout

    def timeout(self) -> float | None:
        """Deadline of the attempt that begins now, in seconds."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def wait_after(self, error: SolstisError) -> float | None:
        """Seconds until the next attempt after one that failed with ``error``; None for none."""
        self._left -= 1
        if self._left < 1 or not isinstance(error, OverloadedError):
            return None
        if error.retry_after_seconds is None:
            return None
        wait = error.retry_after_seconds * (1 + _JITTER * random.random())
        left = self.timeout()
        return wait if left is None or wait < left else None
