"""The border for browsers: the calls of OpponentService over Connect and gRPC-Web.

The counterpart of ``border``: bytes become requests, exceptions become Connect errors with the
same codes and details, and no call comes in without a token where one is needed or escapes the
log. The methods come from the descriptor, so that no code is generated for
this; the work is done by the same ``OpponentServicer`` that answers gRPC.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from functools import partial
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
from google.rpc.status_pb2 import Status
from protobuf.wkt import Any as PackedDetail

from solstis_ai.errors import FieldError
from solstis_ai.service.calls import REQUEST_ID, Journal
from solstis_ai.service.servicer import Call, OpponentServicer
from solstis_ai.service.status import is_expected, status_message_of
from solstis_ai.service.tokens import Gate
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.wire import message_from_json

__all__ = ["ConnectApplication"]

_SERVICE = pb.DESCRIPTOR.services_by_name["OpponentService"]

_Context = RequestContext[Any, Any]
_Read = Callable[[], Any]
"""Makes a request of the bytes that came; not called before the call has been let in."""

_log = logging.getLogger(__name__)


class ConnectApplication(ConnectASGIApplication[OpponentServicer]):
    """An ASGI application that answers the calls of the service.

    Args:
        servicer: Answers them.
        gate: Lets calls in.
        journal: Takes down the calls.
        max_request_bytes: Larger messages are refused, compressed or not.
    """

    def __init__(
        self, servicer: OpponentServicer, gate: Gate, journal: Journal, max_request_bytes: int
    ) -> None:
        self._gate = gate
        self._journal = journal
        super().__init__(
            service=servicer,
            endpoints=self._all_endpoints,
            read_max_bytes=max_request_bytes,
            codecs=(
                _Codec("proto", _from_binary, _to_binary),
                _Codec("json", _from_json, _to_json),
            ),
        )

    @property
    def path(self) -> str:
        """What the paths of all calls begin with."""
        return f"/{_SERVICE.full_name}"

    def _all_endpoints(self, servicer: OpponentServicer) -> dict[str, Any]:
        return {
            f"{self.path}/{method.name}": self._endpoint(method, servicer)
            for method in _SERVICE.methods
        }

    def _endpoint(self, method: MethodDescriptor, servicer: OpponentServicer) -> Any:
        info: MethodInfo[Any, Any] = MethodInfo(
            name=method.name,
            service_name=_SERVICE.full_name,
            input=GetMessageClass(method.input_type),
            output=GetMessageClass(method.output_type),
            idempotency_level=IdempotencyLevel.UNKNOWN,  # else GET would pass by CORS
            stream_type=StreamType.SERVER_STREAM if method.server_streaming else StreamType.UNARY,
        )
        if method.server_streaming:
            return Endpoint.server_stream(info, self._guarded_stream(method, servicer.analyses))
        return Endpoint.unary(info, self._guarded(method, getattr(servicer, method.name)))

    def _guarded(
        self, method: MethodDescriptor, behaviour: Callable[[Any, Call], Awaitable[Any]]
    ) -> Callable[[_Read, _Context], Awaitable[Any]]:
        async def call(read: _Read, context: _Context) -> Any:
            with self._border(method.name, context):
                return await behaviour(read(), _WebCall(context))

        return call

    def _guarded_stream(
        self, method: MethodDescriptor, behaviour: Callable[[Any, Call], AsyncGenerator[Any, None]]
    ) -> Callable[[_Read, _Context], AsyncGenerator[Any, None]]:
        async def call(read: _Read, context: _Context) -> AsyncGenerator[Any, None]:
            with self._border(method.name, context):
                async with aclosing(behaviour(read(), _WebCall(context))) as answers:
                    async for answer in answers:
                        yield answer

        return call

    @contextmanager
    def _border(self, method: str, context: _Context) -> Iterator[None]:
        """Take down a call, let it in, and turn what it raises into a Connect error."""
        metadata = context.request_headers.allitems()
        call = self._journal.begin(method, metadata, context.client_address or "")
        context.response_headers[REQUEST_ID] = call.request_id
        code = "OK"
        try:
            self._gate.admit(call)
            yield
        except (asyncio.CancelledError, GeneratorExit):
            code = _cancelled(context)
            raise
        except Exception as error:  # the border: whatever it is, the client gets a code
            if not is_expected(error):
                _log.error("unexpected error in request %s", call.request_id, exc_info=error)
            status = status_message_of(error)
            code = code_pb2.Code.Name(status.code)
            raise _connect_error(status) from error
        finally:
            self._journal.end(call, code)


class _Codec:
    """One form of messages; what it decodes is read later, behind the border."""

    def __init__(
        self,
        name: str,
        read: Callable[[bytes, type[Message]], Message],
        write: Callable[[Message], bytes],
    ) -> None:
        self._name = name
        self._read = read
        self._write = write

    def name(self) -> str:
        return self._name

    def encode(self, message: Message) -> bytes:
        return self._write(message)

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        return partial(self._read, bytes(data), message_class)


def _from_binary(data: bytes, message_class: type[Message]) -> Message:
    try:
        return message_class.FromString(data)
    except DecodeError as error:
        raise FieldError("request", "these bytes are no message of this call") from error


def _to_binary(message: Message) -> bytes:
    return message.SerializeToString()


def _from_json(data: bytes, message_class: type[Message]) -> Message:
    return message_from_json(data, message_class)


def _to_json(message: Message) -> bytes:
    """The JSON form with all fields, as ``solstis-ai recommend --json`` prints it."""
    text = json_format.MessageToJson(
        message, indent=None, always_print_fields_with_no_presence=True
    )
    return text.encode()


_CODECS = (_Codec("proto", _from_binary, _to_binary), _Codec("json", _from_json, _to_json))


class _WebCall:
    """What the servicer needs to know about a call from the web."""

    def __init__(self, context: _Context) -> None:
        self._context = context

    def time_remaining(self) -> float | None:
        milliseconds = self._context.timeout_ms
        return None if milliseconds is None else milliseconds / 1000


def _cancelled(context: _Context) -> str:
    """Why the client does not want the answer any more."""
    left = context.timeout_ms
    return "DEADLINE_EXCEEDED" if left is not None and left <= 0 else "CANCELLED"


def _connect_error(status: Status) -> ConnectError:
    code = Code(code_pb2.Code.Name(status.code).lower())
    details = [
        ErrorDetail(PackedDetail(type_url=detail.type_url, value=detail.value))
        for detail in status.details
    ]
    return ConnectError(code, status.message, details)
