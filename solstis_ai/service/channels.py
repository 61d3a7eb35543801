"""How clients reach servers: addresses, balancing, health checks, retries and credentials.

All of it is told to gRPC as a target, options and a service config; pure functions, shared by
both clients.
"""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from solstis_ai.errors import DeadlineError, FieldError
from solstis_ai.service.arguments import check_kind, check_timeout, check_token
from solstis_ai.service.retry import NO_RETRY, Attempts, RetryPolicy
from solstis_ai.service.status import error_of_call
from solstis_ai.v1 import opponent_pb2 as pb

__all__ = [
    "ChannelSettings",
    "Credentials",
    "call_metadata",
    "target_of",
    "tls_credentials",
    "wait_after",
]

Credentials = grpc.ChannelCredentials
"""What ``tls_credentials`` makes, for those who need not know gRPC."""

_SERVICE_NAME = pb.DESCRIPTOR.services_by_name["OpponentService"].full_name

_RECONNECT_MILLISECONDS = 200
_LONGEST_RECONNECT_MILLISECONDS = 5_000

_PING_MILLISECONDS = 10_000
_PING_PATIENCE_MILLISECONDS = 5_000
"""How soon a server that hangs, or is gone without a word, gets no more calls."""

_SCHEMES = {socket.AF_INET: "ipv4", socket.AF_INET6: "ipv6"}
"""Kinds of addresses and what targets of them begin with, the preferred kind first."""

_HIGHEST_PORT = 65_535

_UNREACHED = (grpc.ChannelConnectivity.CONNECTING, grpc.ChannelConnectivity.TRANSIENT_FAILURE)
"""States in which there is no connection to a server that serves."""

_log = logging.getLogger(__name__)

_Options = Sequence[tuple[str, int | str]]


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """What a client asks of its connections.

    Attributes:
        servers: Addresses as ``target_of`` takes them.
        timeout: Deadline of calls that set none of their own, in seconds; None for none.
        credentials: TLS credentials; None connects without encryption.
        token: Bearer token that goes with each call, or None.
        retry: When calls are tried again.
        health_checks: Whether servers that report NOT_SERVING get no calls.

    Raises:
        FieldError: If a value is impossible; names the attribute.
    """

    servers: str | Sequence[str]
    timeout: float | None = None
    credentials: grpc.ChannelCredentials | None = None
    token: str | None = field(default=None, repr=False)
    retry: RetryPolicy = NO_RETRY
    health_checks: bool = True

    def __post_init__(self) -> None:
        if self.timeout is not None:
            check_timeout(self.timeout)
            if self.timeout <= 0:
                raise FieldError("timeout", f"{self.timeout} leaves no time; above 0, or None")
        if self.credentials is not None:
            check_kind("credentials", self.credentials, grpc.ChannelCredentials)
        if self.token is not None:
            check_token(self.token)
        check_kind("retry", self.retry, RetryPolicy)
        check_kind("health_checks", self.health_checks, bool)

    @property
    def target(self) -> str:
        """The target of the channel."""
        return target_of(self.servers)

    @property
    def options(self) -> _Options:
        """The options of the channel."""
        return [
            *_name_to_verify(self),
            ("grpc.keepalive_time_ms", _PING_MILLISECONDS),
            ("grpc.keepalive_timeout_ms", _PING_PATIENCE_MILLISECONDS),
            ("grpc.http2.ping_timeout_ms", _PING_PATIENCE_MILLISECONDS),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.service_config", json.dumps(_service_config(self))),
            ("grpc.enable_retries", int(self.retry.attempts > 1)),
            ("grpc.initial_reconnect_backoff_ms", _RECONNECT_MILLISECONDS),
            ("grpc.min_reconnect_backoff_ms", _RECONNECT_MILLISECONDS),
            ("grpc.max_reconnect_backoff_ms", _LONGEST_RECONNECT_MILLISECONDS),
        ]


def target_of(servers: str | Sequence[str]) -> str:
    """The gRPC target of one server or of several.

    Args:
        servers: ``"host:port"``, several of them with commas between, or a sequence. A single
            one may be any gRPC target, such as ``"dns:///solstis-ai:50051"``, and is then
            balanced over all addresses of the name. Of several, names are resolved here, once;
            those that have no address are left out, and a warning in the log tells so. With TLS
            all of them show a certificate for the name of the first.

    Raises:
        FieldError: If there is none, one of several is malformed, none of them has an address, or
            their addresses are not of one kind.
    """
    addresses = _addresses(servers)
    return addresses[0] if len(addresses) == 1 else _target_of_several(addresses)


def tls_credentials(
    ca_file: str | Path | None = None,
    certificate_file: str | Path | None = None,
    key_file: str | Path | None = None,
) -> grpc.ChannelCredentials:
    """Credentials from PEM files.

    Args:
        ca_file: Certificates of the authorities to trust; those of gRPC by default.
        certificate_file: Own certificate, for servers that ask for one.
        key_file: Key of the own certificate.

    Raises:
        OSError: If a file cannot be read.
        FieldError: If one of certificate and key is missing.
    """
    if (certificate_file is None) != (key_file is None):  # gRPC would end the process
        missing = "key_file" if key_file is None else "certificate_file"
        raise FieldError(missing, "a certificate and its key go together; give both")
    return grpc.ssl_channel_credentials(
        root_certificates=_bytes_of(ca_file),
        private_key=_bytes_of(key_file),
        certificate_chain=_bytes_of(certificate_file),
    )


def call_metadata(token: str | None, request_id: str | None) -> tuple[tuple[str, str], ...]:
    """What goes with a call beside its message."""
    pairs = (("authorization", token and f"Bearer {token}"), ("x-request-id", request_id))
    return tuple((name, value) for name, value in pairs if value)


def wait_after(
    attempts: Attempts,
    error: grpc.RpcError,
    settings: ChannelSettings,
    state: Callable[[], grpc.ChannelConnectivity | None],
) -> float:
    """Seconds until the next attempt of a call that failed with ``error``.

    Args:
        attempts: The attempts of the call.
        error: How the last one failed.
        settings: Those of the channel.
        state: Tells the state of the channel; asked when a deadline has passed.

    Raises:
        SolstisError: The typed form of ``error``, when there is no other attempt.
    """
    typed = error_of_call(error)
    wait = attempts.wait_after(typed)
    if wait is not None:
        return wait
    if isinstance(typed, DeadlineError) and state() in _UNREACHED:
        servers = ", ".join(_addresses(settings.servers))
        typed = DeadlineError(f"{typed}; no server that serves could be reached: {servers}")
    raise typed from error


def _service_config(settings: ChannelSettings) -> dict[str, object]:
    config: dict[str, object] = {"loadBalancingConfig": [{"round_robin": {}}]}
    if settings.health_checks:
        config["healthCheckConfig"] = {"serviceName": _SERVICE_NAME}
    if settings.retry.attempts > 1:
        name = [{"service": _SERVICE_NAME}]
        config["methodConfig"] = [{"name": name, "retryPolicy": _retry_policy(settings.retry)}]
    return config


def _retry_policy(retry: RetryPolicy) -> dict[str, object]:
    return {
        "maxAttempts": retry.attempts,
        "initialBackoff": f"{retry.initial_backoff_seconds:.3f}s",
        "maxBackoff": f"{retry.max_backoff_seconds:.3f}s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE"],
    }


def _addresses(servers: str | Sequence[str]) -> list[str]:
    several = servers.split(",") if isinstance(servers, str) else servers
    if not isinstance(several, Sequence) or not all(isinstance(it, str) for it in several):
        raise FieldError("servers", f"{servers!r:.80} is neither a text nor a sequence of texts")
    addresses = [server.strip() for server in several]
    if not all(addresses) or not addresses:
        raise FieldError("servers", f"{servers!r} names no server, or an empty one")
    return addresses


def _name_to_verify(settings: ChannelSettings) -> _Options:
    """The name that certificates of several servers are checked against: their target has none."""
    addresses = _addresses(settings.servers)
    if settings.credentials is None or len(addresses) == 1:
        return []
    return [("grpc.default_authority", addresses[0])]


def _target_of_several(addresses: Sequence[str]) -> str:
    found = [kinds for kinds in map(_resolved, addresses) if kinds]
    for family, scheme in _SCHEMES.items():
        if found and all(family in kinds for kinds in found):
            return f"{scheme}:{','.join(kinds[family] for kinds in found)}"
    reason = "have no addresses of one kind, IPv4 or IPv6" if found else "have no addresses"
    raise FieldError("servers", f"{', '.join(addresses)} {reason}")


def _resolved(address: str) -> Mapping[int, str]:
    """The first address of each kind with the port; empty when there is none."""
    host, _, port = address.rpartition(":")
    number = int(port[:6]) if port.isascii() and port.isdecimal() else 0
    if not host or "/" in host or not 1 <= number <= _HIGHEST_PORT:
        raise FieldError("servers", f"{address!r} is no host with a port; one is 10.0.0.1:50051")
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        _log.warning("servers: %s is left out, it has no address: %s", address, error)
        return {}
    first = {family: at[0] for family, _, _, _, at in reversed(found) if family in _SCHEMES}
    return {
        family: f"[{ip}]:{port}" if family == socket.AF_INET6 else f"{ip}:{port}"
        for family, ip in first.items()
    }


def _bytes_of(path: str | Path | None) -> bytes | None:
    return None if path is None else Path(path).read_bytes()
