"""Arguments of the clients, checked before anything is sent.

Some of them gRPC would take for something else, others refuse without their name and with the
token in its message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from solstis_ai.errors import FieldError
from solstis_ai.search.types import is_finite
from solstis_ai.service.calls import is_request_id

__all__ = ["MAX_TIMEOUT_SECONDS", "CallOptions", "check_kind", "check_timeout", "check_token"]

MAX_TIMEOUT_SECONDS = 1_000_000
"""Some powers of ten further, gRPC takes a deadline for one that has passed."""

_TOKEN = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, slots=True)
class CallOptions:
    """What goes with one call beside its question.

    Attributes:
        timeout: Deadline in seconds; None for that of the client. One of 0 or less has passed.
        request_id: Name of the call in the log of the server.

    Raises:
        FieldError: If one of them is impossible; names it.
    """

    timeout: float | None = None
    request_id: str | None = None

    def __post_init__(self) -> None:
        if self.timeout is not None:
            check_timeout(self.timeout)
        if self.request_id is not None and not is_request_id(self.request_id):
            reason = f"{self.request_id!r:.80} is no name; 1 to 64 of A-Z a-z 0-9 . _ -"
            raise FieldError("request_id", reason)


def check_timeout(seconds: float) -> None:
    """Refuse what is no deadline; raises FieldError."""
    if not is_finite(seconds) or seconds > MAX_TIMEOUT_SECONDS:
        most = f"{MAX_TIMEOUT_SECONDS:,}"
        raise FieldError("timeout", f"{seconds!r:.60} must be a number of seconds, at most {most}")


def check_token(token: str) -> None:
    """Refuse what cannot be sent as a token; raises FieldError, which does not tell the token."""
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        reason = "must be a text of visible ASCII characters, without blanks and line ends, or None"
        raise FieldError("token", reason)


def check_kind(name: str, value: object, kind: type) -> None:
    """Refuse an argument of another type; raises FieldError."""
    if not isinstance(value, kind):
        raise FieldError(name, f"{value!r:.60} is not of type {kind.__name__}")
