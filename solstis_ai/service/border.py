"""The border of the service: bytes become requests, exceptions become status codes.

Every call of OpponentService passes here, whatever it does, so that none of them can answer
bad input with anything but INVALID_ARGUMENT or leak the text of an unexpected exception.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf.message import DecodeError

from solstis_ai.errors import FieldError
from solstis_ai.service.status import is_expected, status_of

__all__ = ["Border"]

if TYPE_CHECKING:  # generic for the type checker alone
    _Context = grpc.aio.ServicerContext[Any, Any]
    _Handler = grpc.RpcMethodHandler[Any, Any]
    _Behaviour = Callable[[Any, _Context], Awaitable[Any]]

_log = logging.getLogger(__name__)


class Border(grpc.aio.ServerInterceptor):
    """Guards the calls of one service; other services pass untouched.

    Args:
        service_name: Full name of the service, with its package.
    """

    def __init__(self, service_name: str) -> None:
        self._prefix = f"/{service_name}/"

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[_Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> _Handler | None:
        """Wrap the handler of a call of the guarded service."""
        handler = await continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(self._prefix):
            return handler
        return _guarded(handler)


def _guarded(handler: _Handler) -> _Handler:
    make: Any = (
        grpc.unary_stream_rpc_method_handler
        if handler.response_streaming
        else grpc.unary_unary_rpc_method_handler
    )
    behaviour: Any = handler.unary_stream if handler.response_streaming else handler.unary_unary
    guarded: _Handler = make(
        _guarded_call(behaviour, handler.request_deserializer),
        response_serializer=handler.response_serializer,
    )
    return guarded


def _guarded_call(behaviour: _Behaviour, decode: Callable[[bytes], Any] | None) -> _Behaviour:
    assert decode is not None

    async def call(data: bytes, context: _Context) -> Any:
        try:
            return await behaviour(_decoded(data, decode), context)
        except grpc.aio.AbortError:
            raise
        except Exception as error:  # the border: whatever it is, the client gets a code
            if not is_expected(error):
                _log.exception("unexpected error")
            await context.abort_with_status(status_of(error))

    return call


def _decoded(data: bytes, decode: Callable[[bytes], Any]) -> Any:
    try:
        return decode(data)
    except DecodeError as error:
        raise FieldError("request", "these bytes are no message of this call") from error
