"""Reads the files that commands are given."""

from __future__ import annotations

import click

from solstis_ai.observation import Observation
from solstis_ai.wire import observation_from_json

__all__ = ["read_observation"]


def read_observation(path: str) -> Observation:
    """Read an observation in JSON from ``path``, or from standard input for ``-``.

    Raises:
        click.UsageError: If there is no such file.
        click.ClickException: If it is no text.
        FieldError: If the text is no JSON, or no observation.
    """
    try:
        with click.open_file(path, "rb") as file:
            return observation_from_json(file.read().decode("utf-8"))
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path}: no UTF-8 text") from error
