"""Bearer tokens: a file of them, and who is let in.

A file has one token a line, ``name:token`` or ``token`` alone. Empty lines and those that
begin with ``#`` do not count. Several lines may have the same name, so that a token can be
replaced without a gap. Names are logged and tokens are not; a name is shorter than any token, so
that a line with the two swapped is refused.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
from collections.abc import Iterable
from pathlib import Path

from solstis_ai.errors import ConfigurationError, UnauthenticatedError
from solstis_ai.service.calls import Call

__all__ = ["MIN_TOKEN_LENGTH", "Gate", "Tokens", "first_token"]

MIN_TOKEN_LENGTH = 16

_MAX_NAME_LENGTH = MIN_TOKEN_LENGTH - 1
"""A token in the place of the name would be logged; it is longer than that."""

_NAME = re.compile(rf"[A-Za-z0-9._-]{{1,{_MAX_NAME_LENGTH}}}")
_TOKEN = re.compile(r"[\x21-\x39\x3b-\x7e]+")  # visible and no colon
_BEARER = re.compile(r"bearer +(\S+) *", re.IGNORECASE)

_log = logging.getLogger(__name__)


class Tokens:
    """The digests of some tokens; the tokens themselves are not kept.

    Args:
        entries: Pairs of name and token.
    """

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        self._entries = [(name, _digest(token)) for name, token in entries]

    def __len__(self) -> int:
        return len(self._entries)

    @classmethod
    def read(cls, path: Path) -> Tokens:
        """Read a file; no message tells any of its contents.

        Raises:
            ConfigurationError: If the file cannot be read or a line is wrong; names the line.
        """
        return cls(_entries(path))

    def name_of(self, token: str) -> str | None:
        """The name of a token, or None; takes the same time whatever the token is."""
        digest, found = _digest(token), None
        for name, known in self._entries:
            if hmac.compare_digest(digest, known):
                found = name
        return found


class Gate:
    """Lets calls in, by token where there is a file of them.

    Args:
        path: The file; None lets everybody in.

    Raises:
        ConfigurationError: If the file is unusable.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._tokens = None if path is None else Tokens.read(path)

    def admit(self, call: Call) -> None:
        """Let ``call`` in, as the client of its token.

        Raises:
            UnauthenticatedError: If it has no valid token.
        """
        if self._tokens is None:
            return
        name = self._tokens.name_of(_presented(call))
        if name is None:
            raise UnauthenticatedError("a valid bearer token is needed")
        call.client = name

    def reload(self) -> None:
        """Read the file again; an unusable one is logged and changes nothing."""
        if self._path is None:
            return
        try:
            self._tokens = Tokens.read(self._path)
        except ConfigurationError as error:
            _log.error("the old tokens stay valid: %s", error)
        else:
            _log.info("read %d tokens from %s", len(self._tokens), self._path)


def first_token(path: Path) -> str:
    """The first token of a file, for a client; raises ConfigurationError."""
    return _entries(path)[0][1]


def _entries(path: Path) -> list[tuple[str, str]]:
    """Pairs of name and token, at least one."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise ConfigurationError(f"cannot read the token file {path}: {reason}") from error
    entries = [
        _entry(line.strip(), f"{path}, line {number}", f"token-{number}")
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not entries:
        raise ConfigurationError(f"the token file {path} has no tokens")
    return entries


def _entry(line: str, where: str, default: str) -> tuple[str, str]:
    name, colon, token = line.rpartition(":")
    if colon and not _NAME.fullmatch(name):
        rule = f"with 1 to {_MAX_NAME_LENGTH} of A-Z a-z 0-9 . _ - as the name"
        raise ConfigurationError(f"{where}: the name is no name; write name:token, {rule}")
    if not _TOKEN.fullmatch(token):
        raise ConfigurationError(f"{where}: a token has visible ASCII characters and no colon")
    if len(token) < MIN_TOKEN_LENGTH:
        raise ConfigurationError(f"{where}: the token is shorter than {MIN_TOKEN_LENGTH}")
    return (name if colon else default), token


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def _presented(call: Call) -> str:
    """The token of the call; empty when there is none."""
    for key, value in call.metadata:
        if key == "authorization" and isinstance(value, str):
            match = _BEARER.fullmatch(value)
            return match[1] if match else ""
    return ""
