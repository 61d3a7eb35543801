"""The exceptions of solstis-ai: one small tree, importable from everywhere.

They are built from their ``args``, so that they can be pickled: whoever runs searches in
processes of a pool gets the error that one of them has raised.
"""

from __future__ import annotations

__all__ = [
    "ArenaError",
    "ConfigurationError",
    "DeadlineError",
    "FieldError",
    "GameError",
    "IllegalMoveError",
    "InvalidObservationError",
    "InvalidSearchError",
    "ListenError",
    "MissingExtraError",
    "NotationError",
    "OverloadedError",
    "PlayerSpecError",
    "ProcessorLevelError",
    "RecordedGameError",
    "ServiceError",
    "ServiceUnavailableError",
    "SolstisError",
    "TrackingError",
    "UnauthenticatedError",
]


class SolstisError(Exception):
    """Base of every error that this package raises on purpose."""


class NotationError(SolstisError, ValueError):
    """A text is not a move, a chance event or a position."""


class IllegalMoveError(SolstisError, ValueError):
    """A move is well formed but not legal in this position."""


class RecordedGameError(SolstisError, ValueError):
    """A recorded game is malformed or disagrees with the rules."""


class GameError(SolstisError, ValueError):
    """A game cannot be set up, or asked, like that."""


class TrackingError(SolstisError, ValueError):
    """What a seat is told does not fit what it has seen so far."""


class PlayerSpecError(SolstisError, ValueError):
    """The text spec of a player is wrong."""


class ArenaError(SolstisError, ValueError):
    """A match cannot be played or resumed as asked."""


class ProcessorLevelError(SolstisError, ValueError):
    """A processor level is not in this build or does not run on this machine."""


class FieldError(SolstisError, ValueError):
    """A value of a request is wrong; ``field`` is the path to it.

    Args:
        field: Path as on the wire, such as ``"observation.your_hand[2]"``.
        reason: What is wrong and what would be right.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(field, reason)
        self.field = field
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}"


class InvalidObservationError(FieldError):
    """An observation contradicts the rules or itself."""


class InvalidSearchError(FieldError):
    """A limit, seed or option of a search is out of range."""


class MissingExtraError(SolstisError, ImportError):
    """A part of the package needs libraries that are not installed.

    Args:
        part: What needs them.
        extra: Name of the extra that brings them.
    """

    def __init__(self, part: str, extra: str) -> None:
        super().__init__(part, extra)
        self.part = part
        self.extra = extra

    def __str__(self) -> str:
        needs = f"{self.part} needs the extra '{self.extra}'"
        return f"{needs}: pip install 'solstis-ai[{self.extra}]'"


class ServiceError(SolstisError):
    """A call of the service failed; the subclasses say how."""


class ServiceUnavailableError(ServiceError):
    """The service cannot be reached, or it is shutting down; another try may succeed."""


class DeadlineError(ServiceError):
    """The deadline of a call passed without an answer."""


class OverloadedError(ServiceError):
    """Every search slot is taken and the queue is full.

    Args:
        reason: What is full.
        retry_after_seconds: When another try makes sense, in seconds; None if unknown.
    """

    def __init__(self, reason: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after_seconds = retry_after_seconds


class ListenError(ServiceError):
    """The service cannot listen on its address, for instance because the port is taken."""


class UnauthenticatedError(ServiceError):
    """The service wants a token, and the call carries none that it knows."""


class ConfigurationError(SolstisError):
    """A file or setting that a server is started with is unusable."""
