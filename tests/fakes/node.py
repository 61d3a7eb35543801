"""The npm project of the examples, installed for tests that need Node."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2] / "examples" / "typescript"
_MODULES = PROJECT / "node_modules"
_MARK = _MODULES / ".package-lock.json"


def npm_project() -> Path:
    """The project with its modules; the test is skipped where they cannot be had."""
    reason = _why_not()
    if reason:
        pytest.skip(reason)
    return PROJECT


def tool(name: str) -> str:
    """A program of the project."""
    return str(_MODULES / ".bin" / name)


@functools.cache
def _why_not() -> str:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return "node and npm are not installed"
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.lstrip("v").split(".")[0]) < 20:
        return f"node is {version.strip()}; 20 is needed"
    if _is_current():
        return ""
    installed = subprocess.run(
        [npm, "ci", "--no-audit", "--no-fund"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CI": "1"},
    )
    return "" if installed.returncode == 0 else f"npm ci failed: {installed.stderr[-300:]}"


def _is_current() -> bool:
    lock = PROJECT / "package-lock.json"
    return _MARK.exists() and _MARK.stat().st_mtime >= lock.stat().st_mtime
