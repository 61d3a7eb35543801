"""The border of the service: bytes become requests, exceptions become status codes.

Every call of OpponentService passes here, whatever it does, so that none of them can answer
bad input with anything but INVALID_ARGUMENT, leak the text of an unexpected exception, come
in without a token where one is needed or escape the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf.message import DecodeError

from solstis_ai.errors import FieldError, UnauthenticatedError
from solstis_ai.service.calls import REQUEST_ID, Call, Journal
from solstis_ai.service.status import is_expected, status_of
from solstis_ai.service.tokens import Gate

__all__ = ["Border"]

if TYPE_CHECKING:  # generic for the type checker alone
    _Context = grpc.aio.ServicerContext[Any, Any]
    _Handler = grpc.RpcMethodHandler[Any, Any]
    _Behaviour = Callable[[Any, _Context], Awaitable[Any]]

_log = logging.getLogger(__name__)


class Border(grpc.aio.ServerInterceptor):
    """Guards the calls of one service; other services are asked for a token alone.

    Args:
        service_name: Full name of the service, with its package.
        gate: Lets calls in.
        journal: Takes down the calls of the service.
        open_services: Full names of the services that need no token.
    """

    def __init__(
        self, service_name: str, gate: Gate, journal: Journal, open_services: tuple[str, ...] = ()
    ) -> None:
        self._service_name = service_name
        self._gate = gate
        self._journal = journal
        self._open_services = open_services

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[_Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> _Handler | None:
        """Wrap the handler of a call of the guarded service."""
        handler = await continuation(handler_call_details)
        service, _, method = handler_call_details.method.strip("/").partition("/")
        if handler is None:
            return None
        if service == self._service_name:
            return self._guarded(handler, method)
        if service not in self._open_services and not self._has_token(handler_call_details):
            return grpc.stream_stream_rpc_method_handler(_refuse)
        return handler

    def _has_token(self, details: grpc.HandlerCallDetails) -> bool:
        metadata: Any = details.invocation_metadata or ()
        try:
            self._gate.admit(Call(details.method, "", tuple(metadata)))
        except UnauthenticatedError:
            return False
        return True

    def _guarded(self, handler: _Handler, method: str) -> _Handler:
        make: Any = (
            grpc.unary_stream_rpc_method_handler
            if handler.response_streaming
            else grpc.unary_unary_rpc_method_handler
        )
        behaviour: Any = handler.unary_stream if handler.response_streaming else handler.unary_unary
        guarded: _Handler = make(
            self._guarded_call(method, behaviour, handler.request_deserializer),
            response_serializer=handler.response_serializer,
        )
        return guarded

    def _guarded_call(
        self, method: str, behaviour: _Behaviour, decode: Callable[[bytes], Any] | None
    ) -> _Behaviour:
        assert decode is not None

        async def answer(data: bytes, context: _Context) -> Any:
            metadata: Any = context.invocation_metadata() or ()
            call = self._journal.begin(method, metadata, context.peer())
            context.set_trailing_metadata(((REQUEST_ID, call.request_id),))
            code = grpc.StatusCode.OK
            try:
                self._gate.admit(call)
                return await behaviour(_decoded(data, decode), context)
            except asyncio.CancelledError:
                code = _cancelled(context)
                raise
            except Exception as error:  # the border: whatever it is, the client gets a code
                status = _status(error, call)
                code = status.code
                await context.abort_with_status(status)
            finally:
                self._journal.end(call, code.name)

        return answer


async def _refuse(_requests: Any, context: _Context) -> None:
    await context.abort_with_status(status_of(UnauthenticatedError("a bearer token is needed")))


def _cancelled(context: _Context) -> grpc.StatusCode:
    """Why the client does not want the answer any more."""
    if context.time_remaining() == 0:
        return grpc.StatusCode.DEADLINE_EXCEEDED
    return grpc.StatusCode.CANCELLED


def _status(error: Exception, call: Call) -> grpc.Status:
    """The status for ``error``, with the id of the request."""
    if not is_expected(error):
        _log.error("unexpected error in request %s", call.request_id, exc_info=error)
    return status_of(error, ((REQUEST_ID, call.request_id),))


def _decoded(data: bytes, decode: Callable[[bytes], Any]) -> Any:
    try:
        return decode(data)
    except DecodeError as error:
        raise FieldError("request", "these bytes are no message of this call") from error
