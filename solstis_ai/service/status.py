"""Exceptions and status codes, both ways: one table for the server, one for the client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from solstis_ai.errors import (
    DeadlineError,
    FieldError,
    InvalidObservationError,
    InvalidSearchError,
    OverloadedError,
    ServiceError,
    ServiceUnavailableError,
    SolstisError,
    UnauthenticatedError,
)

__all__ = [
    "AbortStatus",
    "code_name_of",
    "error_of_call",
    "is_expected",
    "status_message_of",
    "status_of",
]

_CODES: tuple[tuple[type[SolstisError], code_pb2.Code], ...] = (
    (FieldError, code_pb2.INVALID_ARGUMENT),
    (OverloadedError, code_pb2.RESOURCE_EXHAUSTED),
    (ServiceUnavailableError, code_pb2.UNAVAILABLE),
    (UnauthenticatedError, code_pb2.UNAUTHENTICATED),
)
"""The first line whose class fits tells the code; what is not listed is INTERNAL."""

_ERRORS: dict[grpc.StatusCode, type[ServiceError]] = {
    grpc.StatusCode.UNAVAILABLE: ServiceUnavailableError,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: OverloadedError,
    grpc.StatusCode.UNAUTHENTICATED: UnauthenticatedError,
}
"""What a client raises for a code without details; what is not listed is ServiceError."""


@dataclass(frozen=True, slots=True)
class AbortStatus(grpc.Status):
    """A status code with its text and what is sent along."""

    code: grpc.StatusCode
    details: str
    trailing_metadata: tuple[tuple[str, str | bytes], ...]


def is_expected(error: BaseException) -> bool:
    """Whether ``error`` has a line in the table."""
    return any(isinstance(error, kind) for kind, _ in _CODES)


def code_name_of(error: SolstisError) -> str:
    """The name of the code that a client's ``error`` stands for; ``OTHER`` where it tells none."""
    if isinstance(error, DeadlineError):
        return grpc.StatusCode.DEADLINE_EXCEEDED.name
    return code_pb2.Code.Name(_code(error)) if is_expected(error) else "OTHER"


def status_of(error: BaseException, metadata: Sequence[tuple[str, str]] = ()) -> AbortStatus:
    """The status that tells a client about ``error``; unexpected errors tell nothing.

    Args:
        error: The error.
        metadata: Further trailing metadata.
    """
    status = rpc_status.to_status(status_message_of(error))
    return AbortStatus(status.code, status.details, (*status.trailing_metadata, *metadata))


def status_message_of(error: BaseException) -> status_pb2.Status:
    """``status_of`` as a message, for other protocols than gRPC."""
    code = _code(error)
    message = "internal error" if code == code_pb2.INTERNAL else str(error)
    details = [_packed(detail) for detail in _details(error)]
    return status_pb2.Status(code=code, message=message, details=details)


def error_of_call(call: grpc.RpcError) -> SolstisError:
    """The exception that a client raises for a failed call.

    Args:
        call: The error of a gRPC stub.
    """
    assert isinstance(call, grpc.Call | grpc.aio.AioRpcError)
    status = rpc_status.from_call(call)  # type: ignore[arg-type]  # reads both alike
    for detail in status.details if status is not None else ():
        if detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            return _field_error(detail)
        if detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            return _overloaded(call.details() or "", detail)
    return _ERRORS.get(call.code(), ServiceError)(f"{call.code().name}: {call.details()}")


def _code(error: BaseException) -> code_pb2.Code:
    return next((code for kind, code in _CODES if isinstance(error, kind)), code_pb2.INTERNAL)


def _details(error: BaseException) -> list[Message]:
    if isinstance(error, FieldError):
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=error.field, description=error.reason
        )
        return [error_details_pb2.BadRequest(field_violations=[violation])]
    if isinstance(error, OverloadedError) and error.retry_after_seconds is not None:
        delay = Duration()
        delay.FromMilliseconds(round(error.retry_after_seconds * 1000))
        return [error_details_pb2.RetryInfo(retry_delay=delay)]
    return []


def _packed(detail: Message) -> Any:
    packed = Any()
    packed.Pack(detail)
    return packed


def _field_error(detail: Any) -> FieldError:
    bad_request = error_details_pb2.BadRequest()
    detail.Unpack(bad_request)
    violation = bad_request.field_violations[0]
    kind = InvalidObservationError if violation.field.startswith("observation") else FieldError
    if violation.field.startswith(("limits", "level", "seed", "interval_seconds")):
        kind = InvalidSearchError
    return kind(violation.field, violation.description)


def _overloaded(message: str, detail: Any) -> OverloadedError:
    retry = error_details_pb2.RetryInfo()
    detail.Unpack(retry)
    return OverloadedError(message, retry.retry_delay.ToMilliseconds() / 1000)
