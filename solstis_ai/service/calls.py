"""What is known about a call while it is answered, and who wants to know it.

Knows no transport: ``border`` opens and closes calls of gRPC.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeGuard

__all__ = [
    "REQUEST_ID",
    "Call",
    "Journal",
    "Observer",
    "Source",
    "current_call",
    "is_request_id",
]

REQUEST_ID = "x-request-id"
"""Key of the metadata that carries the id of a request, both ways."""

_VALID_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Source(StrEnum):
    """Where an answer comes from."""

    NONE = "none"
    """The call is not about a search, or it failed."""
    SEARCH = "search"
    SHARED = "shared"
    CACHE = "cache"
    FORCED = "forced"
    SOLVED = "solved"


@dataclass(slots=True, eq=False)
class Call:
    """One call of the service.

    Attributes:
        method: Its name.
        request_id: As given by the client when it is fit to be logged, otherwise made here.
        metadata: What the client sent along, as pairs; never logged.
        client: Name of the token, or the peer's address.
        phase: Phase of the observation, once it is known.
        observation: The observation in one line, where that is to be logged.
        source: Where the answer comes from.
        iterations: Iterations of the answer.
        search_seconds: Time that the search of the answer took.
        queue_seconds: Time in the queue for a search slot.
        truncated: Whether the search ended before its limit.
        code: Name of the status code, at the end.
        seconds: Duration, at the end.
    """

    method: str
    request_id: str
    metadata: Sequence[tuple[str, str | bytes]] = field(default=(), repr=False)
    client: str = ""
    phase: str = ""
    observation: str = ""
    source: Source = Source.NONE
    iterations: int = 0
    search_seconds: float = 0.0
    queue_seconds: float = 0.0
    truncated: bool = False
    code: str = ""
    seconds: float = 0.0
    begun: float = field(default_factory=time.monotonic)


class Observer(Protocol):
    """Learns of calls; must be quick and must not raise."""

    def begin(self, call: Call) -> None:
        """A call begins."""

    def end(self, call: Call) -> None:
        """A call ended; ``code`` and ``seconds`` are set."""


_current: ContextVar[Call] = ContextVar("call")


def current_call() -> Call:
    """The call that the running task answers."""
    return _current.get()


class Journal:
    """Opens and closes calls and tells the observers.

    Args:
        observers: Who wants to know.
    """

    def __init__(self, observers: Iterable[Observer]) -> None:
        self._observers = tuple(observers)

    def begin(self, method: str, metadata: Iterable[tuple[str, str | bytes]], peer: str) -> Call:
        """Open a call and make it the current one of this task."""
        pairs = tuple(metadata)
        call = Call(method, _request_id(pairs), pairs, _host_of(peer))
        _current.set(call)
        for observer in self._observers:
            observer.begin(call)
        return call

    def end(self, call: Call, code: str) -> None:
        """Close a call."""
        call.code = code
        call.seconds = time.monotonic() - call.begun
        for observer in self._observers:
            observer.end(call)


def is_request_id(text: object) -> TypeGuard[str]:
    """Whether a client may name a call like that: it is short, and fit to be logged."""
    return isinstance(text, str) and _VALID_ID.fullmatch(text) is not None


def _request_id(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    """The client's id when it is short and plain, otherwise a new one."""
    given = next((value for key, value in metadata if key == REQUEST_ID), "")
    return given if is_request_id(given) else uuid.uuid4().hex


def _host_of(peer: str) -> str:
    """The address of a peer such as ``ipv4:127.0.0.1:40000`` without kind and port."""
    return re.sub(r"^ipv[46]:|:\d+$", "", peer).replace("%5B", "").replace("%5D", "")
