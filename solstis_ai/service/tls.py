"""Certificates from files."""

from __future__ import annotations

import ssl
from pathlib import Path

import grpc

from solstis_ai.errors import ConfigurationError
from solstis_ai.service.config import ServerConfig

__all__ = ["server_credentials"]


def server_credentials(config: ServerConfig) -> grpc.ServerCredentials | None:
    """The credentials that a server shows, and asks for; None without TLS.

    Raises:
        ConfigurationError: If a file is unusable, or key and certificate do not match.
    """
    if config.tls_cert is None or config.tls_key is None:
        return None
    cert, key = _content(config.tls_cert), _content(config.tls_key)
    authorities = None if config.tls_client_ca is None else _content(config.tls_client_ca)
    _check(config.tls_cert, config.tls_key, config.tls_client_ca)
    return grpc.ssl_server_credentials(
        [(key, cert)],
        root_certificates=authorities,
        require_client_auth=authorities is not None,
    )


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"cannot read {path}: {error.strerror}") from error


def _check(cert: Path, key: Path, authorities: Path | None) -> None:
    """Let OpenSSL look first: gRPC takes useless files and refuses every connection."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key, password=lambda: "")
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        reason = f"{cert} and {key} are no certificate and its unencrypted private key"
        raise ConfigurationError(reason) from error
    if authorities is None:
        return
    try:
        context.load_verify_locations(authorities)
    except OSError as error:
        raise ConfigurationError(f"{authorities} has no certificates of authorities") from error
