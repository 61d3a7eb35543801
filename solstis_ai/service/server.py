"""The server: one process, one event loop, searches on threads.

``OpponentServer`` is for programs and tests; ``serve`` runs one until a signal ends it.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import grpc
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from solstis_ai.errors import ListenError
from solstis_ai.service.admission import Admission
from solstis_ai.service.border import Border
from solstis_ai.service.calls import Journal
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.descriptors import make_room
from solstis_ai.service.desk import SearchDesk
from solstis_ai.service.engine_port import Engine
from solstis_ai.service.health import HealthServicer
from solstis_ai.service.logs import RequestLog
from solstis_ai.service.metrics import Metrics
from solstis_ai.service.pool import SearchPool
from solstis_ai.service.servicer import OpponentServicer
from solstis_ai.service.tls import server_credentials
from solstis_ai.service.tokens import Gate
from solstis_ai.service.tracing import tracers
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc

if TYPE_CHECKING:
    from solstis_ai.service.web import WebServer

__all__ = ["SERVICE_NAME", "SWITCH_SECONDS", "OpponentServer", "is_loopback", "serve"]

SERVICE_NAME = pb.DESCRIPTOR.services_by_name["OpponentService"].full_name

_FLUSH_SECONDS = 0.5
"""Time for answers on their way out, once no search runs any more."""

SWITCH_SECONDS = 0.0005
"""A thread that wants the GIL waits so long at most; searches run without it."""

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
        self._gate = Gate(config.token_file)
        self._credentials = server_credentials(config)
        admission = Admission(config.search_slots, config.queue_length, config.client_queue_length)
        self._pool = SearchPool(admission, config.search_slots, config.search_priority)
        self._desk = SearchDesk(engine, config, self._pool)
        self._metrics = None if config.metrics_port is None else Metrics(self._pool)
        self._health = HealthServicer([SERVICE_NAME])
        self._journal = self._opened_journal()
        self._server = grpc.aio.server(interceptors=[self._border()], options=_options(config))
        servicer = OpponentServicer(engine, config, self._desk)
        pb_grpc.add_OpponentServiceServicer_to_server(servicer, self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE_NAME, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        self._web = self._web_server(servicer)
        self._web_url: str | None = None

    def _opened_journal(self) -> Journal:
        metrics = [] if self._metrics is None else [self._metrics]
        return Journal([RequestLog(), *tracers(), *metrics])

    def _web_server(self, servicer: OpponentServicer) -> WebServer | None:
        if self._config.web_port is None:
            return None
        from solstis_ai.service.web import WebServer  # noqa: PLC0415 - needs the extra `web`

        return WebServer(servicer, self._config, self._gate, self._journal, self._health)

    def _border(self) -> Border:
        open_services = (health.SERVICE_NAME,) if self._config.health_without_token else ()
        return Border(SERVICE_NAME, self._gate, self._journal, open_services)

    @property
    def running_searches(self) -> int:
        """Number of searches under way."""
        return self._pool.running

    @property
    def web_url(self) -> str | None:
        """Base URL for browsers, once the server listens; None without a port for them."""
        return self._web_url

    @property
    def waiting_searches(self) -> int:
        """Number of searches in the queue."""
        return self._pool.waiting

    async def start(self) -> str:
        """Listen; returns the address with its real port.

        Raises:
            ListenError: If an address cannot be listened on.
        """
        address = self._bind()
        self._serve_metrics()
        if self._web is not None:
            self._web_url = self._web.bind()
            await self._web.start()
        await self._server.start()
        _warn_of_strangers(self._config)
        return address

    @property
    def metrics_address(self) -> str | None:
        """Where metrics are, once started; None without them."""
        return None if self._metrics is None else self._metrics.address

    def reload(self) -> None:
        """Read the tokens again."""
        self._gate.reload()

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
        self._desk.shutdown()
        self._pool.shutdown()
        if self._metrics is not None:
            self._metrics.close()

    def _serve_metrics(self) -> None:
        if self._metrics is None or self._config.metrics_port is None:
            return
        host, port = self._config.host, self._config.metrics_port
        try:
            self._metrics.serve(host, port)
        except OSError as error:
            reason = error.strerror or str(error)
            message = f"cannot serve metrics on {_address(host, port)}: {reason}"
            raise ListenError(message) from error

    async def _stop_web(self) -> None:
        if self._web is not None:
            await self._web.stop()

    def _bind(self) -> str:
        host, port = self._config.host, self._config.port
        try:
            real_port = self._add_port(_address(host, port))
        except RuntimeError as error:
            reason = _why_not(host, port)
            raise ListenError(f"cannot listen on {_address(host, port)}: {reason}") from error
        return _address(host, real_port)

    def _add_port(self, address: str) -> int:
        if self._credentials is None:
            return self._server.add_insecure_port(address)
        return self._server.add_secure_port(address, self._credentials)


async def serve(
    engine: Engine,
    config: ServerConfig,
    announce: Callable[[str, str | None], None] = lambda _address, _web_url: None,
) -> None:
    """Run a server until SIGTERM or SIGINT, then drain it; a second signal exits at once.

    SIGHUP reads the tokens again.

    Args:
        engine: The engine.
        config: The settings.
        announce: Called once the server listens, with the address and with the base URL for
            browsers if there is one.

    Raises:
        ListenError: If the address cannot be listened on.
        ConfigurationError: If a file of the settings is unusable.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    make_room(config)
    server = OpponentServer(engine, config)
    told_to_stop = asyncio.Event()
    address = await server.start()
    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, _on_signal, number, told_to_stop)
    if hasattr(signal, "SIGHUP"):
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, server.reload)
    _log.info("listening on %s", address)
    if server.metrics_address is not None:
        _log.info("metrics on http://%s/metrics", server.metrics_address)
    _forget_what_stays()
    announce(address, server.web_url)
    await told_to_stop.wait()
    _log.info("draining, for at most %g seconds", config.grace_seconds)
    await server.drain()
    _log.info("stopped")


def _forget_what_stays() -> None:
    """Spare the garbage collector all that lives as long as the server.

    It would walk through it now and then, for some 20 ms with the GIL.
    """
    gc.collect()
    gc.freeze()


def _options(config: ServerConfig) -> list[tuple[str, int]]:
    """Settings of the gRPC core; docs/operations.md says why."""
    age = round(config.max_connection_age_seconds * 1000)
    longest = round((max(config.max_time_seconds, config.stream_seconds) + 60) * 1000)
    return [
        ("grpc.so_reuseport", 0),  # a taken port is an error, not a shared one
        ("grpc.max_receive_message_length", config.max_request_bytes),
        ("grpc.max_metadata_size", 8 * 1024),
        ("grpc.absolute_max_metadata_size", 16 * 1024),
        ("grpc.max_allowed_incoming_connections", config.max_connections),
        ("grpc.max_concurrent_streams", 128),
        ("grpc.server_handshake_timeout_ms", 10_000),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.ping_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.max_connection_idle_ms", 600_000),
        ("grpc.max_connection_age_ms", age),
        ("grpc.max_connection_age_grace_ms", longest),
    ]


def _warn_of_strangers(config: ServerConfig) -> None:
    """Say so when others than this machine can connect and nothing keeps them out."""
    if is_loopback(config.host):
        return
    missing = [
        what
        for what, file in (("TLS", config.tls_cert), ("tokens", config.token_file))
        if file is None
    ]
    if config.token_file is None and config.tls_client_ca is not None:
        missing.remove("tokens")  # clients prove who they are by certificate
    if missing:
        _log.warning(
            "%s is not a loopback address and there is no %s: whoever reaches it can %s",
            config.host,
            " and no ".join(missing),
            "search here" if "tokens" in missing else "read along",
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches ``host``."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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
