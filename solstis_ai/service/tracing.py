"""OpenTelemetry traces: one span a call, where the extra ``otel`` is installed.

Without a tracer provider nothing is recorded. ``configure`` makes one when the standard
environment variables ask for it.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from solstis_ai.service.calls import Call, Observer, Source

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

__all__ = ["Tracing", "configure", "tracers"]

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")

_log = logging.getLogger(__name__)


class Tracing:
    """Makes a span of each call, as a child of the caller's.

    Args:
        tracer: Makes the spans.
    """

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._spans: dict[Call, Span] = {}

    def begin(self, call: Call) -> None:
        """Begin a span; metadata ``traceparent`` tells the caller's."""
        from opentelemetry import propagate, trace  # noqa: PLC0415 - of the extra

        carrier = {key: value for key, value in call.metadata if isinstance(value, str)}
        self._spans[call] = self._tracer.start_span(
            f"solstis_ai.v1.OpponentService/{call.method}",
            context=propagate.extract(carrier),
            kind=trace.SpanKind.SERVER,
            attributes={"rpc.system": "grpc", "rpc.method": call.method},
        )

    def end(self, call: Call) -> None:
        """End the span."""
        from opentelemetry import trace  # noqa: PLC0415 - of the extra

        span = self._spans.pop(call)
        span.set_attributes(_attributes(call))
        if call.code in ("INTERNAL", "UNKNOWN"):
            span.set_status(trace.StatusCode.ERROR)
        span.end()


def tracers() -> list[Observer]:
    """An observer that makes spans; none without the extra."""
    try:
        from opentelemetry import trace  # noqa: PLC0415 - of the extra
    except ImportError:
        return []
    return [Tracing(trace.get_tracer("solstis_ai"))]


def configure() -> None:
    """Export spans when an OTLP endpoint is named in the environment."""
    if os.environ.get("OTEL_TRACES_EXPORTER", "otlp") == "none":
        return
    if not any(os.environ.get(name) for name in _ENDPOINTS):
        return
    try:
        _export()
    except ImportError:
        _log.warning("no traces: the extra is missing; pip install 'solstis-ai[otel]'")


def _export() -> None:
    from opentelemetry import trace  # noqa: PLC0415 - of the extra
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - of the extra
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - of the extra
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    name = os.environ.get("OTEL_SERVICE_NAME", "solstis-ai")
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


def _attributes(call: Call) -> dict[str, str | int | float | bool]:
    attributes: dict[str, str | int | float | bool] = {
        "rpc.grpc.status_code_name": call.code,
        "solstis.request_id": call.request_id,
        "solstis.client": call.client,
        "solstis.phase": str(call.phase),
    }
    if call.source is not Source.NONE:
        attributes |= {
            "solstis.source": str(call.source),
            "solstis.iterations": call.iterations,
            "solstis.queue_seconds": call.queue_seconds,
            "solstis.truncated": call.truncated,
        }
    return attributes
