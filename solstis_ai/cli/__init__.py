"""The command line: ``solstis-ai COMMAND``; one file per command."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import click

from solstis_ai.errors import ConfigurationError, ListenError, SolstisError
from solstis_ai.version import VERSION

__all__ = ["main"]

COMMANDS: Sequence[str] = (
    "arena",
    "bench",
    "health",
    "levels",
    "recommend",
    "replay",
    "serve",
    "table",
)
"""Names of the commands; each is ``command`` in the module of its name in this package."""


class _Commands(click.Group):
    """Loads a command when it is needed; turns the errors of the package into one line."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"{__name__}.{cmd_name}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (ConfigurationError, ListenError) as error:
            raise _StartFailure(str(error)) from error
        except SolstisError as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            raise click.ClickException(f"{error.filename or 'output'}: {error.strerror}") from error


class _StartFailure(click.ClickException):
    exit_code = 2


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="solstis-ai")
def main() -> None:
    """An AI opponent for the board game Solstis."""
