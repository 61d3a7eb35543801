"""Matches on file: seeds of deals, and records that can be resumed."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from solstis_ai import benchmark
from solstis_ai.arena import GameResult, Match, PairResult, summarize
from solstis_ai.errors import ArenaError
from solstis_ai.search.levels import level_of_text
from solstis_ai.version import VERSION
from solstis_ai.vocabulary import Rules

__all__ = ["Record", "read_seeds", "write_pair"]

_DIGITS = 20  # of a seed


def read_seeds(path: Path) -> list[int]:
    """Seeds of deals, one a line.

    Raises:
        ArenaError: If the file cannot be read or has no seed, or a line is no seed or one that
            came before; tells the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ArenaError(f"{path}: {error}") from error
    seeds: dict[int, int] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            seed = _seed(path, number, line.strip())
            if seed in seeds:
                raise ArenaError(f"{path}, line {number}: seed {seed} is in line {seeds[seed]} too")
            seeds[seed] = number
    if not seeds:
        raise ArenaError(f"{path}: there is no seed in this file; write one a line")
    return list(seeds)


def _seed(path: Path, number: int, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise ArenaError(
            f"{path}, line {number}: {text!r:.40} is no seed; "
            f"a whole number of at most {_DIGITS} digits"
        )
    return int(text)


class Record:
    """A match on file: a header and one JSON line for each pair; can be resumed.

    The header tells what the levels that play are, and which engine plays: its version, and what
    its search is recorded to compute, which changes between versions. So pairs of a level before
    and after it was defined anew, or of two engines, are never in one match.
    """

    def __init__(self, path: Path, match: Match) -> None:
        self._header = {
            "a": match.first,
            "b": match.second,
            "rules": asdict(match.rules),
            "levels": _levels(match),
            "engine": _engine(match.rules),
        }
        self._path = path

    def read(self) -> list[PairResult]:
        """The pairs that are on file; a last line that was cut off is dropped.

        Raises:
            ArenaError: If the file is that of another match or engine, or broken before its end.
        """
        if not self._path.exists():
            return []
        try:
            lines = self._path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise ArenaError(f"{self._path}: {error}") from error
        whole = lines[:-1]
        if not whole:
            if json.dumps(self._header).startswith(lines[0]):
                return []  # empty, or cut off in its first line
            raise ArenaError(f"{self._path} is no record of a match; name another file")
        self._check_header(_parsed(self._path, whole[0]))
        return [_pair(self._path, line) for line in whole[1:]]

    def _check_header(self, found: Any) -> None:
        if found == self._header:
            return
        if not isinstance(found, dict) or {**found, "engine": self._header["engine"]} != (
            self._header
        ):
            raise ArenaError(f"{self._path} is the record of another match; name another file")
        raise ArenaError(
            f"{self._path} was begun with {_name_of_engine(found.get('engine'))}, and pairs of "
            f"two engines are no match; name another file to begin anew with {VERSION} as it is "
            "now, or go on with the engine that began it"
        )

    def open(self) -> TextIO:
        """The file, ready to append pairs to what ``read`` gives.

        Raises:
            ArenaError: If it cannot be written.
        """
        lines = [json.dumps(self._header), *(json.dumps(asdict(pair)) for pair in self.read())]
        whole = self._path.with_name(self._path.name + ".new")
        try:
            whole.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            whole.replace(self._path)
            return self._path.open("a", encoding="utf-8")
        except OSError as error:
            raise ArenaError(f"{self._path} cannot be written: {error.strerror}") from error


def write_pair(file: TextIO, pair: PairResult) -> None:
    """Append one pair, at once."""
    file.write(json.dumps(asdict(pair)) + "\n")
    file.flush()
    os.fsync(file.fileno())


def _parsed(path: Path, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ArenaError(f"{path}: {line[:60]!r} is no JSON: {error}") from error


def _pair(path: Path, line: str) -> PairResult:
    fields = _parsed(path, line)
    try:
        first, second = (
            GameResult(**{name: _tuple(value) for name, value in game.items()})
            for game in fields["games"]
        )
        result = PairResult(int(fields["seed"]), (first, second))
        summarize([result])  # refuses values of other types
        return result
    except (KeyError, TypeError, ValueError) as error:
        raise ArenaError(f"{path}: {line[:60]!r} is no pair: {error!r}") from error


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _engine(rules: Rules) -> dict[str, Any]:
    """What tells engines apart, also two of one version."""
    [variant] = [name for name, played in benchmark.VARIANTS.items() if played == rules]
    searches = {
        str(evaluation): f"{signatures[variant]:016x}"
        for evaluation, signatures in benchmark.SEARCH_SIGNATURES.items()
    }
    return {"version": VERSION, "searches": searches}


def _name_of_engine(engine: Any) -> str:
    """The engine of a header, which may be of any form."""
    version = engine.get("version") if isinstance(engine, dict) else None
    if version is None:
        return "an engine that it does not name"
    return f"another search of {VERSION}" if version == VERSION else f"version {version}"


def _levels(match: Match) -> dict[str, dict[str, float]]:
    """What defines the levels that play."""
    found = {}
    for spec in (match.first, match.second):
        name, _, text = spec.partition(":")
        if name == "level":
            level = level_of_text(text)
            found[spec] = {"iterations": level.iterations, "overlooks": level.overlooks}
    return found
