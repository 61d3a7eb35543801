"""When a client tries again: plain numbers and decisions, no gRPC in here."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from solstis_ai.errors import DeadlineError, FieldError, OverloadedError, SolstisError
from solstis_ai.search.types import is_finite, is_whole

__all__ = ["NO_RETRY", "Attempts", "RetryPolicy"]

_MOST_ATTEMPTS = 5
"""gRPC does not make more, whatever it is told."""

_SHORTEST_WAIT, _LONGEST_WAIT = 0.001, 3600.0

_JITTER = 0.25
"""Share of a wait that is added at random, so that refused clients do not come back as one."""


def _check_wait(name: str, seconds: float, longest: float) -> None:
    if not is_finite(seconds) or not _SHORTEST_WAIT <= seconds <= longest:
        raise FieldError(name, f"{seconds!r} is not a number from {_SHORTEST_WAIT} to {longest}")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after which waits a call is tried again.

    A call is tried again when the service is unavailable (after ``initial_backoff_seconds``,
    then after twice as long, and so on) and when it is overloaded and says when to come back.
    The deadline of the call covers all attempts; a wait that would outlast it is not begun.
    Nothing else is tried again, and no stream that has begun to answer.

    Attributes:
        attempts: Most attempts, the first included; from 1 to 5.
        initial_backoff_seconds: First wait for an unavailable service, in seconds; at least
            0.001.
        max_backoff_seconds: Longest wait for an unavailable service, in seconds; at most 3600.

    Raises:
        FieldError: If a value is out of range; names the attribute.
    """

    attempts: int = 5
    initial_backoff_seconds: float = 0.3
    max_backoff_seconds: float = 3.0

    def __post_init__(self) -> None:
        if not is_whole(self.attempts) or not 1 <= self.attempts <= _MOST_ATTEMPTS:
            reason = f"{self.attempts!r} is not a whole number from 1 to {_MOST_ATTEMPTS}"
            raise FieldError("attempts", reason)
        _check_wait("max_backoff_seconds", self.max_backoff_seconds, _LONGEST_WAIT)
        _check_wait(
            "initial_backoff_seconds", self.initial_backoff_seconds, self.max_backoff_seconds
        )


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
        """Deadline of the attempt that begins now, in seconds.

        Raises:
            DeadlineError: If it has passed.
        """
        left = self._left_seconds()
        if left is not None and left <= 0:
            raise DeadlineError("the deadline passed before the call was sent")
        return left

    def wait_after(self, error: SolstisError) -> float | None:
        """Seconds until the next attempt after one that failed with ``error``; None for none."""
        self._left -= 1
        if self._left < 1 or not isinstance(error, OverloadedError):
            return None
        if error.retry_after_seconds is None:
            return None
        wait = error.retry_after_seconds * (1 + _JITTER * random.random())
        left = self._left_seconds()
        return wait if left is None or wait < left else None

    def _left_seconds(self) -> float | None:
        return None if self._end is None else self._end - time.monotonic()
