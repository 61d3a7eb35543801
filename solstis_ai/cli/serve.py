"""``solstis-ai serve``: run the gRPC service."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from solstis_ai.cli.parameters import FiniteRange
from solstis_ai.errors import InvalidSearchError
from solstis_ai.search.types import MAX_NODES
from solstis_ai.service.config import LEAST_NODES, Priority, ServerConfig, available_cores

__all__ = ["command"]

_DEFAULTS = ServerConfig()

_COUNT = click.IntRange(min=1)
_COUNT_OR_NONE = click.IntRange(min=0)
_NODES = click.IntRange(LEAST_NODES, MAX_NODES)
_PORT = click.IntRange(0, 65_535)
_SECONDS = FiniteRange(min=0, min_open=True)
_SECONDS_OR_NONE = FiniteRange(min=0)
_FILE = click.Path(path_type=Path, dir_okay=False)

_Command = Callable[..., None]


def _option(
    flag: str, attribute: str, kind: click.ParamType[Any], text: str, shown: str | bool = True
) -> Callable[[_Command], _Command]:
    """An option for one attribute of ServerConfig, with its default."""
    default = getattr(_DEFAULTS, attribute)
    return click.option(flag, attribute, type=kind, default=default, show_default=shown, help=text)


@click.command("serve")
@_option(
    "--host",
    "host",
    click.STRING,
    "Address to listen on. The default is reached from this machine alone.",
)
@_option("--port", "port", _PORT, "Port to listen on; 0 takes a free one.")
@click.option(
    "--slots",
    "search_slots",
    type=_COUNT,
    default=available_cores,
    show_default="number of cores",
    help="Search threads that run at the same time.",
)
@_option(
    "--search-priority",
    "search_priority",
    click.Choice(Priority, case_sensitive=False),
    "How far searches step back behind everything else: 'idle' answers "
    "quickest while every slot searches, on a machine of its own (Linux).",
    "low",
)
@_option(
    "--queue",
    "queue_length",
    _COUNT_OR_NONE,
    "Requests that may wait for a slot; those beyond are refused with RESOURCE_EXHAUSTED.",
)
@_option(
    "--queue-per-client",
    "queue_share",
    _COUNT_OR_NONE,
    "Requests of one client that may "
    "wait. A client is the name of a token, or without tokens a network address.",
    "half of --queue",
)
@_option(
    "--max-iterations", "max_iterations", _COUNT, "Most iterations that one request can ask for."
)
@_option(
    "--max-time",
    "max_time_seconds",
    _SECONDS,
    "Longest thinking time that one request gets, in seconds.",
)
@_option(
    "--default-time",
    "default_time_seconds",
    _SECONDS,
    "Thinking time when a request sets no limit, in seconds.",
)
@_option(
    "--max-threads", "max_threads", _COUNT, "Most threads that one request gets.", "number of slots"
)
@_option(
    "--max-nodes",
    "max_nodes",
    _NODES,
    "Most nodes of the search tree of one thread, about 48 bytes of memory each; a search goes on "
    "in a full tree.",
)
@_option("--max-message-bytes", "max_request_bytes", _COUNT, "Larger requests are refused.")
@_option(
    "--max-stream-messages",
    "max_stream_messages",
    _COUNT,
    "Most messages of one AnalyzePosition; its search ends with the last one.",
)
@_option(
    "--max-stream-seconds",
    "max_stream_seconds",
    _SECONDS,
    "Longest duration of one AnalyzePosition in seconds, time in the queue included.",
    "--max-time",
)
@_option(
    "--max-write-seconds",
    "max_write_seconds",
    _SECONDS,
    "A stream whose client takes longer to read one message is ended.",
)
@_option(
    "--max-connections",
    "max_connections",
    _COUNT,
    "Connections to --port at the same time; further ones are closed.",
)
@_option(
    "--max-connection-age",
    "max_connection_age_seconds",
    _SECONDS,
    "Seconds after which a "
    "connection is asked to end, so that clients spread over servers; calls under way are "
    "finished.",
)
@_option(
    "--share/--no-share",
    "share",
    click.BOOL,
    "Whether identical requests at the same time share one search.",
)
@_option(
    "--cache-size",
    "cache_size",
    _COUNT_OR_NONE,
    "Answers that are remembered for the same "
    "request; 0 for none. Only those that an iteration limit ended.",
)
@_option("--tls-cert", "tls_cert", _FILE, "Serve with TLS: file with the certificate chain (PEM).")
@_option("--tls-key", "tls_key", _FILE, "File with the private key of the certificate (PEM).")
@_option(
    "--tls-client-ca",
    "tls_client_ca",
    _FILE,
    "Mutual TLS: let in only clients with a certificate of the authorities in this file (PEM).",
)
@_option(
    "--token-file",
    "token_file",
    _FILE,
    "Let in only calls with one of the bearer tokens in "
    "this file: lines name:token or token. SIGHUP reads it again.",
)
@_option(
    "--health-without-token/--health-needs-token",
    "health_without_token",
    click.BOOL,
    "Whether health checks are answered without a token.",
)
@_option(
    "--metrics-port",
    "metrics_port",
    _PORT,
    "Serve Prometheus metrics over HTTP on this port of the host; 0 takes a free one.",
    "no metrics",
)
@_option(
    "--grace",
    "grace_seconds",
    _SECONDS_OR_NONE,
    "Seconds that running searches get when the service is told to stop.",
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
@_option(
    "--web-connections",
    "web_connections",
    _COUNT,
    "Connections to --web-port at the same time; further ones are refused with 503.",
)
@_option(
    "--max-read-seconds",
    "max_read_seconds",
    _SECONDS,
    "A connection to --web-port that takes longer to send one request is closed.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="How much to log, on standard error. Requests are logged at level info.",
)
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Log lines for people, or one JSON object a line.",
)
@_option(
    "--log-observations/--no-log-observations",
    "log_observations",
    click.BOOL,
    "Whether the log tells the observation of each request, in one line of notation.",
)
def command(log_level: str, log_format: str, **settings: Any) -> None:
    """Run the service until SIGTERM or Ctrl-C, then let running searches finish.

    Prints the address that it listens on. A second signal exits at once. docs/operations.md
    describes every option.
    """
    if settings["web_origins"] and settings["web_port"] is None:
        raise click.UsageError("--web-origin needs --web-port")
    config = _config(settings)
    with _log_to_stderr(log_level, log_format):
        _run(config)


def _config(settings: dict[str, Any]) -> ServerConfig:
    try:
        return ServerConfig(**settings)
    except InvalidSearchError as error:  # names the attribute; people know the option
        options = click.get_current_context().command.params
        option = next((it for it in options if it.name == error.field), None)
        raise click.BadParameter(error.reason, param=option) from error


@contextlib.contextmanager
def _log_to_stderr(level: str, form: str) -> Iterator[None]:
    from solstis_ai.service import logs  # noqa: PLC0415 - as _run

    handler = logging.StreamHandler()
    handler.setFormatter(logs.JsonFormatter() if form == "json" else logs.TextFormatter())
    background = logs.BackgroundHandler(handler)
    logging.basicConfig(level=level.upper(), handlers=[background])
    try:
        yield
    except BaseException:
        background.finish()
        raise
    if not background.finish():
        os._exit(0)  # nobody reads the log: all is done, but to wait for its reader


def _run(config: ServerConfig) -> None:
    # Must be set before grpc is imported; it writes to standard error past logging.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from solstis_ai import engine  # noqa: PLC0415 - the compiled core is not needed for --help
    from solstis_ai.service import tracing  # noqa: PLC0415
    from solstis_ai.service.server import serve  # noqa: PLC0415

    tracing.configure()
    engine.warm_up()
    asyncio.run(serve(engine, config, _announce))


def _announce(address: str, web_url: str | None) -> None:
    click.echo(f"solstis-ai listens on {address}")
    if web_url is not None:
        click.echo(f"solstis-ai listens for browsers on {web_url}")
