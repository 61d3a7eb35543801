"""The port for browsers through @connectrpc/connect-web: in Node, and in a page of Chromium.

The checks themselves are examples/typescript/test/checks.ts; here is what they have to find.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from fakes.node import PROJECT, npm_project, tool
from fakes.observations import OPENING
from fakes.servers import RunningServer

from solstis_ai.wire import observation_to_json

StartServer = Callable[..., RunningServer]

PROTOCOLS = ("connect", "connect-binary", "grpc-web")
SEEN = observation_to_json(OPENING)
PATIENCE = 90.0
PAGE = b'<!doctype html><meta charset="utf-8"><script src="/bundle.js"></script>'

EXPECTED = {
    "move": "play g5",
    "iterations": "100",
    "badField": "InvalidArgument observation.your_hand[1]",
    "badFieldInStream": "InvalidArgument observation.your_hand[1]",
    "truncated": True,
    "cancelled": "Canceled",
    "cancelledStream": "Canceled",
    "overloaded": "ResourceExhausted",
    "retryMilliseconds": 500,
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_node_finds_all_of_it(start_server: StartServer, protocol: str) -> None:
    project = npm_project()
    server = start_server(web_port=0, search_slots=1, queue_length=0, share=False, cache_size=0)
    result = subprocess.run(
        [tool("tsx"), "test/node.ts", protocol, server.server.web_url or "", SEEN],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert result.returncode == 0, result.stderr
    judge(json.loads(result.stdout), server)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_page_of_another_origin_finds_all_of_it(
    start_server: StartServer, tmp_path: Path, protocol: str
) -> None:
    with page_server(bundle(tmp_path)) as page:
        server = start_server(
            web_port=0,
            search_slots=1,
            queue_length=0,
            share=False,
            cache_size=0,
            web_origins=(page.origin,),
        )
        with chromium(page.url(server, protocol), tmp_path):
            findings = page.wait()

    judge(findings, server)


def test_a_page_of_an_origin_that_is_not_named_gets_nothing(
    start_server: StartServer, tmp_path: Path
) -> None:
    with page_server(bundle(tmp_path)) as page:
        server = start_server(web_port=0, web_origins=("https://game.example",))
        with chromium(page.url(server, "connect"), tmp_path):
            findings = page.wait()

    assert "Failed to fetch" in findings["failure"]
    assert not server.engine.searches


def test_the_generated_code_is_current() -> None:
    npm_project()
    script = PROJECT.parents[1] / "scripts" / "generate_typescript.sh"
    environment = {**os.environ, "PYTHON": sys.executable}
    subprocess.run([str(script), "--check"], env=environment, timeout=60, check=True)


def test_the_example_has_right_types() -> None:
    subprocess.run([tool("tsc")], cwd=npm_project(), timeout=PATIENCE, check=True)


def judge(findings: dict[str, Any], server: RunningServer) -> None:
    """Compare with what is expected; cancelled searches have stopped."""
    assert {name: findings.get(name) for name in EXPECTED} == EXPECTED, findings
    assert len(findings["growing"]) >= 3
    assert findings["growing"] == sorted(findings["growing"])
    assert findings["finals"] == [False] * (len(findings["finals"]) - 1) + [True]
    server.wait_until_idle()
    long = [search for search in server.engine.searches if search.limits.time_seconds == 30.0]
    begun = [search for search in long if search.runs]
    assert len(begun) == 3  # one to its deadline, two cancelled
    assert all(search.elapsed < 10.0 for search in begun)


def bundle(directory: Path) -> bytes:
    """The checks as one script."""
    path = directory / "bundle.js"
    command = [tool("esbuild"), "test/browser.ts", "--bundle", "--format=iife"]
    subprocess.run(
        [*command, "--log-level=warning", f"--outfile={path}"], cwd=npm_project(), check=True
    )
    return path.read_bytes()


class _Page(ThreadingHTTPServer):
    """Serves the page and takes its findings."""

    def __init__(self, script: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _PageHandler)
        self.script = script
        self.findings: dict[str, Any] = {}
        self.found = threading.Event()

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.server_port}"

    def url(self, server: RunningServer, protocol: str) -> str:
        query = {"protocol": protocol, "baseUrl": server.server.web_url, "observation": SEEN}
        return f"{self.origin}/?{urlencode(query)}"

    def wait(self) -> dict[str, Any]:
        assert self.found.wait(PATIENCE), "the page told nothing"
        return self.findings


class _PageHandler(BaseHTTPRequestHandler):
    server: _Page

    def do_GET(self) -> None:
        script = self.path == "/bundle.js"
        self.send_response(200)
        self.send_header("content-type", "text/javascript" if script else "text/html")
        self.end_headers()
        self.wfile.write(self.server.script if script else PAGE)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()
        self.server.findings = json.loads(body)
        self.server.found.set()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as in the base
        pass


@contextmanager
def page_server(script: bytes) -> Iterator[_Page]:
    with _Page(script) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@contextmanager
def chromium(url: str, directory: Path) -> Iterator[None]:
    """A headless browser that shows ``url``."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("chromium is not installed")
    switches = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--remote-debugging-port=0",
        f"--user-data-dir={directory / 'profile'}",
    )
    with subprocess.Popen(
        [program, *switches, url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.terminate()
