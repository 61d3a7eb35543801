"""The server: one process, one event loop, searches on threads.

``OpponentServer`` is for programs and tests; ``serve`` runs one until a signal ends it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

import grpc
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from solstis_ai.errors import ListenError
from solstis_ai.service.admission import Admission
from solstis_ai.service.border import Border
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.engine_port import Engine
from solstis_ai.service.health import HealthServicer
from solstis_ai.service.pool import SearchPool
from solstis_ai.service.servicer import OpponentServicer
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc

if TYPE_CHECKING:
    from solstis_ai.service.web import WebServer

__all__ = ["SERVICE_NAME", "OpponentServer", "serve"]

SERVICE_NAME = pb.DESCRIPTOR.services_by_name["OpponentService"].full_name

_FLUSH_SECONDS = 0.5
"""Time for answers on their way out, once no search runs any more."""

_SIGNALS = (signal.SIGTERM, signal.SIGINT)

_log = logging.getLogger(__name__)


class OpponentServer:
    """A server that can be started and drained; all methods belong to one event loop.

    Args:
        engine: The engine.
        config: The settings.
    """

    def __init__(self, engine: Engine, config: ServerConfig) -> None:
        self._config = config
        self._pool = SearchPool(
            Admission(config.search_slots, config.queue_length), config.search_slots
        )
        self._health = HealthServicer([SERVICE_NAME])
        self._server = grpc.aio.server(
            interceptors=[Border(SERVICE_NAME)],
            options=[
                ("grpc.so_reuseport", 0),  # a taken port is an error, not a shared one
                ("grpc.max_receive_message_length", config.max_request_bytes),
            ],
        )
        servicer = OpponentServicer(engine, config, self._pool)
        pb_grpc.add_OpponentServiceServicer_to_server(servicer, self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE_NAME, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        self._web = _web_server(servicer, config)
        self._web_url: str | None = None

    @property
    def running_searches(self) -> int:
        """Number of searches under way."""
        return self._pool.running

    @property
    def web_url(self) -> str | None:
        """Base URL for browsers, once the server listens; None without a port for them."""
        return self._web_url

    async def start(self) -> str:
        """Listen; returns the address with its real port.

        Raises:
            ListenError: If an address cannot be listened on.
        """
        address = self._bind()
        if self._web is not None:
            self._web_url = self._web.bind()
            await self._web.start()
        await self._server.start()
        return address

    async def drain(self) -> None:
        """Shut down gently.

        Health says NOT_SERVING and new searches are refused; those that run or wait get
        the grace of the configuration, then the running ones answer with what they have.
        """
        self._health.stop_serving()
        self._pool.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._pool.idle(), self._config.grace_seconds)
        self._pool.stop()
        await asyncio.gather(self._server.stop(_FLUSH_SECONDS), self._stop_web())
        self._pool.shutdown()

    async def _stop_web(self) -> None:
        if self._web is not None:
            await self._web.stop()

    def _bind(self) -> str:
        host, port = self._config.host, self._config.port
        try:
            real_port = self._server.add_insecure_port(_address(host, port))
        except RuntimeError as error:
            reason = _why_not(host, port)
            raise ListenError(f"cannot listen on {_address(host, port)}: {reason}") from error
        return _address(host, real_port)


async def serve(
    engine: Engine,
    config: ServerConfig,
    announce: Callable[[str, str | None], None] = lambda _address, _web_url: None,
) -> None:
    """Run a server until SIGTERM or SIGINT, then drain it; a second signal exits at once.

    Args:
        engine: The engine.
        config: The settings.
        announce: Called once the server listens, with the address and with the base URL for
            browsers if there is one.

    Raises:
        ListenError: If the address cannot be listened on.
    """
    server = OpponentServer(engine, config)
    told_to_stop = asyncio.Event()
    address = await server.start()
    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, _on_signal, number, told_to_stop)
    _log.info("listening on %s", address)
    announce(address, server.web_url)
    await told_to_stop.wait()
    _log.info("draining, for at most %g seconds", config.grace_seconds)
    await server.drain()
    _log.info("stopped")


def _web_server(servicer: OpponentServicer, config: ServerConfig) -> WebServer | None:
    if config.web_port is None:
        return None
    from solstis_ai.service.web import WebServer  # noqa: PLC0415 - needs the extra `web`

    return WebServer(servicer, config)


def _on_signal(number: signal.Signals, told_to_stop: asyncio.Event) -> None:
    if told_to_stop.is_set():
        _log.warning("second signal, exiting at once")
        os._exit(128 + number)
    told_to_stop.set()


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _why_not(host: str, port: int) -> str:
    """Ask the operating system why ``host`` and ``port`` cannot be listened on."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind(where)
    except OSError as error:
        return error.strerror or str(error)
    return "the address is not available"
