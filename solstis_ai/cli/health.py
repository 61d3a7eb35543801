"""``solstis-ai health``: whether a service serves, for scripts and containers."""

from __future__ import annotations

import click

from solstis_ai.cli.connecting import Connection, connection_options
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
@connection_options
def command(*, server: str, timeout: float, connection: Connection) -> None:
    """Ask the service at HOST:PORT (127.0.0.1:50051 by default) for its health.

    Prints the status. The exit code is 0 if it is SERVING, otherwise 1.
    """
    from solstis_ai.service.probe import health_of  # noqa: PLC0415 - not for --help

    status = health_of(server, timeout, connection.credentials, connection.token)
    click.echo(status)
    if status != "SERVING":
        raise SystemExit(1)
