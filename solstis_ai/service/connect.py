"""The border for browsers: the calls of OpponentService over Connect and gRPC-Web.

The counterpart of ``border``: bytes become requests, exceptions become Connect errors with the
same codes and details. The methods come from the descriptor, so that no code is generated for
this; the work is done by the same ``OpponentServicer`` that answers gRPC.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Any

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2
from protobuf.wkt import Any as PackedDetail

from solstis_ai.errors import FieldError
from solstis_ai.service.servicer import Call, OpponentServicer
from solstis_ai.service.status import is_expected, status_message_of
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.wire import message_from_json

__all__ = ["ConnectApplication"]

_SERVICE = pb.DESCRIPTOR.services_by_name["OpponentService"]

_Context = RequestContext[Any, Any]

_log = logging.getLogger(__name__)


class ConnectApplication(ConnectASGIApplication[OpponentServicer]):
    """An ASGI application that answers the calls of the service.

    Args:
        servicer: Answers them.
        max_request_bytes: Larger messages are refused, compressed or not.
    """

    def __init__(self, servicer: OpponentServicer, max_request_bytes: int) -> None:
        super().__init__(
            service=servicer,
            endpoints=_endpoints,
            read_max_bytes=max_request_bytes,
            codecs=(_BinaryCodec(), _JsonCodec()),
        )

    @property
    def path(self) -> str:
        """What the paths of all calls begin with."""
        return f"/{_SERVICE.full_name}"


class _BinaryCodec:
    def name(self) -> str:
        return "proto"

    def encode(self, message: Message) -> bytes:
        return message.SerializeToString()

    def decode(self, data: bytes | bytearray, message_class: type[Message]) -> Message:
        with _connect_errors():
            try:
                return message_class.FromString(bytes(data))
            except DecodeError as error:
                reason = "these bytes are no message of this call"
                raise FieldError("request", reason) from error


class _JsonCodec:
    def name(self) -> str:
        return "json"

    def encode(self, message: Message) -> bytes:
        """The JSON form with all fields, as ``solstis-ai recommend --json`` prints it."""
        text = json_format.MessageToJson(
            message, indent=None, always_print_fields_with_no_presence=True
        )
        return text.encode()

    def decode(self, data: bytes | bytearray, message_class: type[Message]) -> Message:
        with _connect_errors():
            return message_from_json(bytes(data), message_class)


class _WebCall:
    """What the servicer needs to know about a call from the web."""

    def __init__(self, context: _Context) -> None:
        self._context = context

    def time_remaining(self) -> float | None:
        milliseconds = self._context.timeout_ms
        return None if milliseconds is None else milliseconds / 1000


def _endpoints(servicer: OpponentServicer) -> dict[str, Any]:
    return {
        f"/{_SERVICE.full_name}/{method.name}": _endpoint(method, servicer)
        for method in _SERVICE.methods
    }


def _endpoint(method: MethodDescriptor, servicer: OpponentServicer) -> Any:
    info: MethodInfo[Any, Any] = MethodInfo(
        name=method.name,
        service_name=_SERVICE.full_name,
        input=GetMessageClass(method.input_type),
        output=GetMessageClass(method.output_type),
        idempotency_level=IdempotencyLevel.UNKNOWN,  # else GET would pass by CORS
        stream_type=StreamType.SERVER_STREAM if method.server_streaming else StreamType.UNARY,
    )
    if method.server_streaming:
        return Endpoint.server_stream(info, _guarded_stream(servicer.analyses))
    return Endpoint.unary(info, _guarded(getattr(servicer, method.name)))


def _guarded(
    behaviour: Callable[[Any, Call], Awaitable[Any]],
) -> Callable[[Any, _Context], Awaitable[Any]]:
    async def call(request: Any, context: _Context) -> Any:
        with _connect_errors():
            return await behaviour(request, _WebCall(context))

    return call


def _guarded_stream(
    behaviour: Callable[[Any, Call], AsyncGenerator[Any, None]],
) -> Callable[[Any, _Context], AsyncGenerator[Any, None]]:
    async def call(request: Any, context: _Context) -> AsyncGenerator[Any, None]:
        with _connect_errors():
            async with aclosing(behaviour(request, _WebCall(context))) as answers:
                async for answer in answers:
                    yield answer

    return call


@contextmanager
def _connect_errors() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # the border: whatever it is, the client gets a code
        if not is_expected(error):
            _log.exception("unexpected error")
        raise _connect_error(error) from error


def _connect_error(error: Exception) -> ConnectError:
    status = status_message_of(error)
    code = Code(code_pb2.Code.Name(status.code).lower())
    details = [
        ErrorDetail(PackedDetail(type_url=detail.type_url, value=detail.value))
        for detail in status.details
    ]
    return ConnectError(code, status.message, details)
