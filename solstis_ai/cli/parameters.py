"""Types of options that several commands share."""

from __future__ import annotations

import math
from typing import Any

import click

__all__ = ["SERVER", "FiniteRange"]

_HIGHEST_PORT = 65_535


class FiniteRange(click.FloatRange):
    """A number in a range, but neither "nan", which is in no range, nor "inf"."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number, or a usage error."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number", param, ctx)
        return number


class _Server(click.ParamType[str]):
    """HOST:PORT, several of them with commas between, or a target of gRPC with a scheme."""

    name = "HOST:PORT"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        for server in value.split(","):
            if complaint := _complaint(server.strip()):
                self.fail(complaint, param, ctx)
        return value


SERVER = _Server()
"""One address of a service, or several."""


def _complaint(server: str) -> str:
    """What is wrong with an address; empty when nothing is."""
    host, _, port = server.rpartition(":")
    if "/" in server and not port.isdecimal():
        return ""  # such as dns:///solstis-ai or unix:/run/solstis.sock
    if not host or not (port.isascii() and port.isdecimal()):
        return f"{server!r} is no address; one is 127.0.0.1:50051"
    if not 1 <= int(port[:6]) <= _HIGHEST_PORT:
        return f"{server!r}: the port must be from 1 to {_HIGHEST_PORT}"
    return ""
