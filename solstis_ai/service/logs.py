"""Logs: one line a request, as words for people or as JSON for programs."""

from __future__ import annotations

import json
import logging
import queue
import threading
from datetime import UTC, datetime
from typing import Any

from solstis_ai.service.calls import Call, Source

__all__ = ["BackgroundHandler", "JsonFormatter", "RequestLog", "TextFormatter", "fields_of"]

_log = logging.getLogger("solstis_ai.service.requests")


class RequestLog:
    """Logs the end of each call, without anything secret."""

    def begin(self, call: Call) -> None:
        """Nothing is logged yet."""

    def end(self, call: Call) -> None:
        """Log the call."""
        _log.info("%s %s", call.method, call.code, extra={"fields": fields_of(call)})


class BackgroundHandler(logging.Handler):
    """Hands records to another handler on a thread of its own.

    So a standard error that nobody reads stops the log and not the server. Records that find
    no room are dropped, and counted in the next line that does.

    Args:
        target: Writes the records.
        room: Records that may wait.
    """

    def __init__(self, target: logging.Handler, room: int = 10_000) -> None:
        super().__init__()
        self._target = target
        self._records: queue.Queue[logging.LogRecord | None] = queue.Queue(room)
        self._dropped = 0
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Pass the record on, or drop it."""
        try:
            if self._dropped:
                self._records.put_nowait(_dropped(self._dropped))
                self._dropped = 0
            self._records.put_nowait(record)
        except queue.Full:
            self._dropped += 1

    def finish(self, timeout: float = 1.0) -> bool:
        """Write what waits; False when that was not possible in ``timeout`` seconds.

        The thread then still holds the locks of standard error, for which an ordinary exit of
        the process would wait.
        """
        try:
            self._records.put(None, timeout=timeout)
        except queue.Full:
            return False
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _write(self) -> None:
        while (record := self._records.get()) is not None:
            self._target.handle(record)


def _dropped(count: int) -> logging.LogRecord:
    text = "%d log lines were dropped, since the log was not read"
    return logging.LogRecord(__name__, logging.WARNING, "", 0, text, (count,), None)


class TextFormatter(logging.Formatter):
    """Time, level, logger and message, and the fields as ``key=value``."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - of logging
        """The line without a traceback."""
        fields = getattr(record, "fields", {})
        words = [f"{key}={_word(value)}" for key, value in fields.items()]
        return " ".join([super().formatMessage(record), *words])


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The object: time, level, logger, message, fields and, with an error, traceback."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def fields_of(call: Call) -> dict[str, Any]:
    """What is logged of a call; what says nothing is left out."""
    fields: dict[str, Any] = {
        "request_id": call.request_id,
        "method": call.method,
        "code": call.code,
        "client": call.client,
        "seconds": round(call.seconds, 6),
    }
    if call.phase:
        fields["phase"] = str(call.phase)
    if call.source is not Source.NONE:
        fields |= {
            "source": str(call.source),
            "iterations": call.iterations,
            "queue_seconds": round(call.queue_seconds, 6),
            "truncated": call.truncated,
        }
    if call.observation:
        fields["observation"] = call.observation
    return fields


def _word(value: object) -> str:
    """A value as one word, quoted where it has blanks."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return json.dumps(text) if any(letter in text for letter in ' "=') else text
