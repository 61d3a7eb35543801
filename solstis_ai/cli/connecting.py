"""Options of the commands that ask a service: TLS and a token."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from solstis_ai.service.channels import Credentials

__all__ = ["PLAIN", "Connection", "connection_options"]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

_Command = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Connection:
    """How to come to a service.

    Attributes:
        ca: Certificates of the authorities to trust; without it there is no TLS.
        certificate: Own certificate.
        key: Its key.
        token_file: File with tokens, the first of which is sent.
    """

    ca: Path | None
    certificate: Path | None
    key: Path | None
    token_file: Path | None

    @property
    def credentials(self) -> Credentials | None:
        """TLS credentials; None without TLS."""
        from solstis_ai.service.channels import tls_credentials  # noqa: PLC0415 - not for --help

        return None if self.ca is None else tls_credentials(self.ca, self.certificate, self.key)

    @property
    def token(self) -> str | None:
        """The token that is sent; None without one. Raises ConfigurationError."""
        from solstis_ai.service.tokens import first_token  # noqa: PLC0415 - not for --help

        return None if self.token_file is None else first_token(self.token_file)


PLAIN = Connection(None, None, None, None)
"""Without TLS and token."""


def connection_options(command: _Command) -> _Command:
    """Give ``command`` the options, and one argument ``connection`` for all of them."""

    @click.option("--ca", type=_FILE, help="Use TLS and trust the authorities of this PEM file.")
    @click.option("--cert", "certificate", type=_FILE, help="Own certificate (PEM).")
    @click.option("--key", type=_FILE, help="Key of the own certificate (PEM).")
    @click.option("--token-file", type=_FILE, help="Send the first token of this file.")
    @functools.wraps(command)
    def connected(
        *,
        ca: Path | None,
        certificate: Path | None,
        key: Path | None,
        token_file: Path | None,
        **others: Any,
    ) -> None:
        if (certificate is None) != (key is None):
            raise click.UsageError("--cert and --key go together")
        if certificate is not None and ca is None:
            raise click.UsageError("--cert needs --ca")
        command(connection=Connection(ca, certificate, key, token_file), **others)

    return connected
