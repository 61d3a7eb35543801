"""The settings of a server."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from solstis_ai.errors import ConfigurationError, InvalidSearchError
from solstis_ai.search.types import (
    DEFAULT_TIME_SECONDS,
    MAX_ITERATIONS,
    MAX_NODES,
    MAX_THREADS,
    SearchConfig,
)

__all__ = ["LEAST_NODES", "Priority", "ServerConfig", "available_cores"]

LEAST_NODES = 1 << 18
"""Fewest nodes that a server can grant a tree: room for the search of every level."""


class Priority(StrEnum):
    """How far searches step back behind everything else on the machine."""

    LOW = "low"
    """A smaller share of a core that others want too, as by ``nice``."""
    IDLE = "idle"
    """Cores that nobody else wants; needs Linux."""


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
        queue_share: Requests of one client that may wait; None for half of the queue.
        max_iterations: Most iterations that one request can ask for; where it asks for time
            alone, ``max_time_seconds`` bounds them.
        max_time_seconds: Longest thinking time that one request gets, in seconds.
        default_time_seconds: Thinking time when a request sets no limit, in seconds.
        max_threads: Most threads that one request gets; None for as many as slots.
        max_nodes: Most nodes of the search tree of one thread, ``LEAST_NODES`` or more; a search
            goes on in a full tree (``SearchConfig.max_nodes``).
        max_request_bytes: Larger messages are refused.
        max_stream_messages: Most messages of one AnalyzePosition; the last one is final.
        max_stream_seconds: Longest duration of one AnalyzePosition, its time in the queue
            included; None for ``max_time_seconds``.
        max_write_seconds: Longest time that a client may take to read one message.
        max_read_seconds: Longest time that a client of the port for browsers may take to send
            one request.
        max_connections: Connections at the same time; further ones are closed.
        max_connection_age_seconds: Age at which a connection is asked to end; calls under
            way are finished.
        share: Whether identical requests share a search.
        cache_size: Answers that are remembered; 0 for none.
        tls_cert: File with the certificate chain of the server; None serves without TLS.
        tls_key: File with its private key.
        tls_client_ca: File with the authorities whose clients are let in; None lets in all.
        token_file: File with the tokens that are let in; None lets in everybody.
        health_without_token: Whether health checks need no token.
        log_observations: Whether the log tells what was asked.
        metrics_port: Port for metrics, on the same host; 0 takes a free one; None has none.
        grace_seconds: Time that running searches get when the server is told to stop.
        web_port: Port for browsers, 0 for a free one; None for no such port.
        web_origins: Origins whose pages may call it; ``"*"`` stands for any.
        search_priority: How far searches step back; ``idle`` is for a machine of its own.
        web_connections: Connections of that port at the same time; further ones are refused.

    Raises:
        ConfigurationError: If settings do not go together.
        InvalidSearchError: If a value is out of range; names the attribute.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    search_slots: int = field(default_factory=available_cores)
    queue_length: int = 16
    queue_share: int | None = None
    max_iterations: int = 100_000_000
    max_time_seconds: float = 60.0
    default_time_seconds: float = DEFAULT_TIME_SECONDS
    max_threads: int | None = None
    max_nodes: int = SearchConfig().max_nodes
    max_request_bytes: int = 16_384
    max_stream_messages: int = 1000
    max_stream_seconds: float | None = None
    max_write_seconds: float = 30.0
    max_read_seconds: float = 10.0
    max_connections: int = 1000
    max_connection_age_seconds: float = 1800.0
    share: bool = True
    cache_size: int = 1024
    tls_cert: Path | None = None
    tls_key: Path | None = None
    tls_client_ca: Path | None = None
    token_file: Path | None = None
    health_without_token: bool = True
    log_observations: bool = False
    metrics_port: int | None = None
    grace_seconds: float = 5.0
    web_port: int | None = None
    web_origins: tuple[str, ...] = ()
    web_connections: int = 1000
    search_priority: Priority = Priority.LOW

    def __post_init__(self) -> None:
        for name in _ABOVE_ZERO:
            if not _number(getattr(self, name)) > 0:
                raise InvalidSearchError(name, "must be above 0")
        for name in _NOT_NEGATIVE:
            if not _number(getattr(self, name)) >= 0:
                raise InvalidSearchError(name, "must not be negative")
        self._check_bounds()
        self._check_origins()
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ConfigurationError("a TLS certificate and its key go together; one is missing")
        if self.search_priority is Priority.IDLE and not hasattr(os, "SCHED_IDLE"):
            raise ConfigurationError("this system has no idle priority for threads; use 'low'")
        if self.tls_client_ca is not None and self.tls_cert is None:
            raise ConfigurationError("client certificates need TLS; set certificate and key too")

    def _check_bounds(self) -> None:
        if self.max_nodes < LEAST_NODES:
            raise InvalidSearchError("max_nodes", f"must be at least {LEAST_NODES:,}")
        for name, most in _AT_MOST.items():
            if _number(getattr(self, name)) > most:
                raise InvalidSearchError(name, f"must be at most {most:,}")

    def _check_origins(self) -> None:
        for origin in self.web_origins:
            if not _ORIGIN.fullmatch(origin):
                reason = f"{origin!r} is no origin; write it as https://game.example or '*'"
                raise InvalidSearchError("web_origins", reason)

    @property
    def client_queue_length(self) -> int:
        """Requests of one client that may wait."""
        return (self.queue_length + 1) // 2 if self.queue_share is None else self.queue_share

    @property
    def stream_seconds(self) -> float:
        """Longest duration of one AnalyzePosition."""
        return self.max_time_seconds if self.max_stream_seconds is None else self.max_stream_seconds

    @property
    def threads(self) -> int:
        """Most threads that one request gets; never more than there are slots."""
        return min(self.max_threads or self.search_slots, self.search_slots)


_ORIGIN = re.compile(r"\*|[a-z][a-z0-9+.-]*://[^/?#\sA-Z]+")
"""Any, or one as browsers send it: lower case, and nothing after host and port."""

_DURATIONS = (
    "max_time_seconds",
    "default_time_seconds",
    "max_stream_seconds",
    "max_write_seconds",
    "max_read_seconds",
    "max_connection_age_seconds",
)
_ABOVE_ZERO = (
    "search_slots",
    "max_iterations",
    "max_request_bytes",
    "max_stream_messages",
    "max_connections",
    "web_connections",
    *_DURATIONS,
)
_AT_MOST = {
    "search_slots": 1024,
    "queue_length": 100_000,
    "max_connections": 1_000_000,
    "max_iterations": MAX_ITERATIONS,
    "max_threads": MAX_THREADS,
    "max_nodes": MAX_NODES,
    "max_request_bytes": 1 << 30,
    **dict.fromkeys(_DURATIONS, 1_000_000),
}
_NOT_NEGATIVE = (
    "port",
    "queue_length",
    "queue_share",
    "cache_size",
    "metrics_port",
    "web_port",
    "grace_seconds",
)


def _number(value: float | None) -> float:
    """``value``; one that is not set is fine."""
    return 1.0 if value is None else value
