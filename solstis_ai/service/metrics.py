"""Prometheus metrics on a port of their own."""

from __future__ import annotations

import threading
from wsgiref.simple_server import WSGIServer

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    start_http_server,
)

from solstis_ai.service.calls import Call, Source
from solstis_ai.service.pool import SearchPool

__all__ = ["Metrics"]

_SECONDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """Counts calls; one registry for each server.

    Args:
        pool: Tells slots and queue.
    """

    def __init__(self, pool: SearchPool) -> None:
        self._registry = registry = CollectorRegistry()
        self._http: tuple[WSGIServer, threading.Thread] | None = None
        self.address: str | None = None
        ProcessCollector(registry=registry)
        self._requests = Counter(
            "solstis_requests", "Finished requests.", ["method", "code"], registry=registry
        )
        self._seconds = Histogram(
            "solstis_request_seconds",
            "Duration of requests.",
            ["method"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._queue_seconds = Histogram(
            "solstis_queue_seconds",
            "Time that requests which were searched waited for a slot.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._in_flight = Gauge(
            "solstis_requests_in_flight", "Requests being answered.", registry=registry
        )
        self._rejected = Counter(
            "solstis_rejected", "Requests refused for want of room.", registry=registry
        )
        self._cancelled = Counter(
            "solstis_cancelled", "Requests given up by their client.", registry=registry
        )
        self._iterations = Counter(
            "solstis_search_iterations", "Iterations of finished searches.", registry=registry
        )
        self._search_seconds = Counter(
            "solstis_search_seconds", "Time of finished searches, in seconds.", registry=registry
        )
        self._answers = Counter(
            "solstis_answers", "Answers by where they come from.", ["source"], registry=registry
        )
        self._gauge("solstis_search_slots_taken", "Search slots in use.", pool, "taken")
        self._gauge("solstis_queue_length", "Searches that wait for a slot.", pool, "waiting")

    def begin(self, call: Call) -> None:  # noqa: ARG002 - an Observer
        """One more in flight."""
        self._in_flight.inc()

    def end(self, call: Call) -> None:
        """Count the call."""
        self._in_flight.dec()
        self._requests.labels(call.method, call.code).inc()
        self._seconds.labels(call.method).observe(call.seconds)
        if call.code == "RESOURCE_EXHAUSTED":
            self._rejected.inc()
        if call.code in ("CANCELLED", "DEADLINE_EXCEEDED"):
            self._cancelled.inc()
        if call.source is not Source.NONE and call.code == "OK":
            self._count_answer(call)

    def serve(self, host: str, port: int) -> None:
        """Answer HTTP requests from now on; raises OSError."""
        self._http = start_http_server(port, host, self._registry)
        name, real_port = self._http[0].server_address[:2]
        self.address = f"{name if isinstance(name, str) else name.decode()}:{real_port}"

    def close(self) -> None:
        """Answer no more."""
        if self._http is not None:
            server, thread = self._http
            server.shutdown()
            server.server_close()
            thread.join()

    def _count_answer(self, call: Call) -> None:
        self._answers.labels(str(call.source)).inc()
        if call.source is Source.SEARCH:
            self._queue_seconds.observe(call.queue_seconds)
            self._iterations.inc(call.iterations)
            self._search_seconds.inc(call.search_seconds)

    def _gauge(self, name: str, text: str, pool: SearchPool, attribute: str) -> None:
        gauge = Gauge(name, text, registry=self._registry)
        gauge.set_function(lambda: float(getattr(pool, attribute)))
