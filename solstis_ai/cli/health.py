"""``solstis-ai health``: whether a service serves, for scripts and containers."""

from __future__ import annotations

from pathlib import Path

import click

from solstis_ai.cli.parameters import SERVER, FiniteRange

__all__ = ["command"]


@click.command("health")
@click.argument("server", type=SERVER, metavar="HOST:PORT", default="127.0.0.1:50051")
@click.option(
    "--timeout",
    type=FiniteRange(min=0, min_open=True),
    default=2.0,
    show_default=True,
    help="Longest wait for the answer, in seconds.",
)
@click.option(
    "--ca",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Connect with TLS and trust the authorities of this PEM file.",
)
def command(*, server: str, timeout: float, ca: Path | None) -> None:
    """Ask the service at HOST:PORT (127.0.0.1:50051 by default) for its health.

    Prints the status. The exit code is 0 if it is SERVING, otherwise 1.
    """
    from solstis_ai.service.channels import tls_credentials  # noqa: PLC0415 - not for --help
    from solstis_ai.service.probe import health_of  # noqa: PLC0415

    status = health_of(server, timeout, None if ca is None else tls_credentials(ca))
    click.echo(status)
    if status != "SERVING":
        raise SystemExit(1)
