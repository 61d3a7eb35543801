"""``solstis-ai serve``: run the gRPC service."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any

import click

from solstis_ai.service.config import ServerConfig, available_cores

__all__ = ["command"]

_DEFAULTS = ServerConfig()


@click.command("serve")
@click.option("--host", default=_DEFAULTS.host, show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=_DEFAULTS.port,
    show_default=True,
    type=click.IntRange(0, 65_535),
    help="Port to listen on; 0 takes a free one.",
)
@click.option(
    "--slots",
    "search_slots",
    type=click.IntRange(min=1),
    default=available_cores,
    show_default="number of cores",
    help="Search threads that run at the same time.",
)
@click.option(
    "--queue",
    "queue_length",
    type=click.IntRange(min=0),
    default=_DEFAULTS.queue_length,
    show_default=True,
    help="Requests that may wait for a slot.",
)
@click.option(
    "--max-iterations",
    type=click.IntRange(min=1),
    default=_DEFAULTS.max_iterations,
    show_default=True,
    help="Most iterations that one request can ask for.",
)
@click.option(
    "--max-time",
    "max_time_seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=_DEFAULTS.max_time_seconds,
    show_default=True,
    help="Longest thinking time that one request gets, in seconds.",
)
@click.option(
    "--default-time",
    "default_time_seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=_DEFAULTS.default_time_seconds,
    show_default=True,
    help="Thinking time when a request sets no limit, in seconds.",
)
@click.option(
    "--max-threads",
    type=click.IntRange(min=1),
    default=None,
    show_default="number of slots",
    help="Most threads that one request gets.",
)
@click.option(
    "--grace",
    "grace_seconds",
    type=click.FloatRange(min=0),
    default=_DEFAULTS.grace_seconds,
    show_default=True,
    help="Seconds that running searches get when the service is told to stop.",
)
@click.option(
    "--web-port",
    type=click.IntRange(0, 65_535),
    help="Port for browsers (Connect and gRPC-Web); 0 takes a free one. Needs the extra 'web'.",
)
@click.option(
    "--web-origin",
    "web_origins",
    metavar="ORIGIN",
    multiple=True,
    help="Let pages of this origin call --web-port, such as https://game.example; "
    "'*' lets all. Repeatable.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="How much to log, on standard error.",
)
def command(log_level: str, **settings: Any) -> None:
    """Run the service until SIGTERM or Ctrl-C, then let running searches finish.

    Prints the address that it listens on. A second signal exits at once.
    """
    if settings["web_origins"] and settings["web_port"] is None:
        raise click.UsageError("--web-origin needs --web-port")
    logging.basicConfig(
        level=log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    _run(ServerConfig(**settings))


def _run(config: ServerConfig) -> None:
    # Must be set before grpc is imported; it writes to standard error past logging.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from solstis_ai import engine  # noqa: PLC0415 - the compiled core is not needed for --help
    from solstis_ai.service.server import serve  # noqa: PLC0415

    asyncio.run(serve(engine, config, _announce))


def _announce(address: str, web_url: str | None) -> None:
    click.echo(f"solstis-ai listens on {address}")
    if web_url is not None:
        click.echo(f"solstis-ai listens for browsers on {web_url}")
