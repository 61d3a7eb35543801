"""The settings of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from solstis_ai.errors import InvalidSearchError
from solstis_ai.search.types import DEFAULT_TIME_SECONDS

__all__ = ["ServerConfig", "available_cores"]


def available_cores() -> int:
    """Number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """What a server grants.

    Attributes:
        host: Address to listen on.
        port: Port to listen on; 0 takes a free one.
        search_slots: Search threads that run at the same time.
        queue_length: Requests that may wait for a slot; those beyond are refused.
        max_iterations: Most iterations that one request can ask for; where it asks for time
            alone, ``max_time_seconds`` bounds them.
        max_time_seconds: Longest thinking time that one request gets, in seconds.
        default_time_seconds: Thinking time when a request sets no limit, in seconds.
        max_threads: Most threads that one request gets; None for as many as slots.
        max_request_bytes: Larger messages are refused.
        grace_seconds: Time that running searches get when the server is told to stop.
        web_port: Port for browsers, 0 for a free one; None for no such port.
        web_origins: Origins whose pages may call it; ``"*"`` stands for any.

    Raises:
        InvalidSearchError: If a value is out of range; names the attribute.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    search_slots: int = field(default_factory=available_cores)
    queue_length: int = 16
    max_iterations: int = 100_000_000
    max_time_seconds: float = 60.0
    default_time_seconds: float = DEFAULT_TIME_SECONDS
    max_threads: int | None = None
    max_request_bytes: int = 65_536
    grace_seconds: float = 5.0
    web_port: int | None = None
    web_origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("search_slots", "max_iterations", "max_time_seconds", "default_time_seconds"):
            if not getattr(self, name) > 0:
                raise InvalidSearchError(name, "must be above 0")
        for name in ("port", "queue_length", "grace_seconds"):
            if not getattr(self, name) >= 0:
                raise InvalidSearchError(name, "must not be negative")
        if self.web_port is not None and self.web_port < 0:
            raise InvalidSearchError("web_port", "must not be negative")

    @property
    def threads(self) -> int:
        """Most threads that one request gets; never more than there are slots."""
        return min(self.max_threads or self.search_slots, self.search_slots)
