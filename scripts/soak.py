"""Loads a server with mixed traffic for a while and checks that it stays as it was.

Runs ``solstis-ai serve`` as a process of its own on a free loopback port and talks to it as
several clients would: moves by iterations, by time and by deadline, streams, cancels, bad
input, bytes that are no request and connections that break off. Prints a table; exits with 1
when a bound is broken.

Usage: python scripts/soak.py [--minutes 30] [--clients 6] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc
from solstis_ai.wire import observation_from_json, observation_to_proto

ROOT = Path(__file__).parents[1]
SLOTS, QUEUE = 2, 4
WARM_UP_SHARE = 0.34
"""Share of the time until memory, descriptors and threads have to be flat."""

MOST_GROWTH = 0.05
HEALTH_P99_SECONDS = 0.25
"""Generous: clients and server share the machine's cores here."""

EXPECTED = frozenset({"OK", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED", "CANCELLED"})
LATE = "DEADLINE_EXCEEDED"
MOST_LATE = 0.05
"""Share of the calls with a deadline that may miss it, on a machine as busy as this."""


@dataclass
class Sample:
    """What the operating system says about the server."""

    second: float
    rss_kib: int
    descriptors: int
    threads: int


@dataclass
class Report:
    """What happened."""

    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    health_seconds: list[float] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        """Of the health checks, in seconds."""
        ordered = sorted(self.health_seconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


Kind = Callable[["Client"], Awaitable[None]]


class Client:
    """One client with its own connection; ``act`` makes one random call."""

    def __init__(self, address: str, seed: int, report: Report) -> None:
        self._address = address
        self._random = random.Random(seed)
        self._report = report
        self._observation = observation_to_proto(
            observation_from_json((ROOT / "examples" / "midgame.json").read_text(encoding="utf-8"))
        )
        self._connect()

    def _connect(self) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]
        self._channel = grpc.aio.insecure_channel(self._address, options=options)
        self._stub: Any = pb_grpc.OpponentServiceStub(self._channel)  # made for both kinds

    async def act(self) -> None:
        """One call of a random kind, its code counted."""
        kind = self._random.choice(KINDS)
        code = "OK"
        try:
            await kind(self)
        except grpc.aio.AioRpcError as error:
            code = error.code().name
        except asyncio.CancelledError:
            code = "CANCELLED"
        self._report.codes[kind.__name__, code] += 1

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    def _request(self, **limits: Any) -> pb.RecommendMoveRequest:
        seed = self._random.randrange(1 << 32) if self._random.random() < 0.8 else 7
        return pb.RecommendMoveRequest(
            observation=self._observation, limits=pb.Limits(**limits), seed=seed
        )

    async def by_iterations(self) -> None:
        """Also from the cache, and sharing a search."""
        await self._stub.RecommendMove(self._request(iterations=20_000), timeout=30)

    async def by_time(self) -> None:
        """Thinking time alone."""
        seconds = self._random.uniform(0.01, 0.2)
        await self._stub.RecommendMove(self._request(time_seconds=seconds), timeout=30)

    async def by_deadline(self) -> None:
        """More thinking time than the deadline leaves."""
        seconds = self._random.uniform(0.1, 0.5)
        await self._stub.RecommendMove(self._request(time_seconds=20.0), timeout=seconds)

    async def by_two_threads(self) -> None:
        """Takes both slots."""
        await self._stub.RecommendMove(self._request(iterations=20_000, threads=2), timeout=30)

    async def stream(self) -> None:
        """A stream to its end."""
        async for _ in self._analysis(0.3):
            pass

    async def stream_cancelled(self) -> None:
        """A stream that is left after an answer."""
        call = self._analysis(20.0)
        await call.read()
        call.cancel()

    async def cancelled(self) -> None:
        """A call that is given up in mid-search."""
        call = self._stub.RecommendMove(self._request(time_seconds=20.0), timeout=30)
        await asyncio.sleep(self._random.uniform(0, 0.1))
        call.cancel()
        await call

    async def dropped_connection(self) -> None:
        """A connection that is closed in mid-search."""
        call = asyncio.ensure_future(
            _wait(self._stub.RecommendMove(self._request(time_seconds=20.0), timeout=30))
        )
        await asyncio.sleep(self._random.uniform(0, 0.05))
        await self._channel.close()
        self._connect()
        await call

    async def bad_input(self) -> None:
        """An observation that no game can produce."""
        request = self._request(iterations=10)
        request.observation.your_hand.append("x9")
        await self._stub.RecommendMove(request, timeout=30)

    async def bad_bytes(self) -> None:
        """Bytes that are no request."""
        call: Any = self._channel.unary_unary("/solstis_ai.v1.OpponentService/RecommendMove")
        await call(self._random.randbytes(40), timeout=30)

    async def no_http(self) -> None:
        """Bytes that are no HTTP/2, and a connection that breaks off."""
        host, _, port = self._address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(self._random.randbytes(200))
        with contextlib.suppress(OSError):
            await writer.drain()
        writer.close()
        del reader

    async def information(self) -> None:
        """Calls without a search."""
        await self._stub.GetEngineInfo(pb.GetEngineInfoRequest(), timeout=30)
        request = pb.ListLegalMovesRequest(observation=self._observation)
        await self._stub.ListLegalMoves(request, timeout=30)

    def _analysis(self, seconds: float) -> Any:
        request = self._request(time_seconds=seconds)
        return self._stub.AnalyzePosition(
            pb.AnalyzePositionRequest(
                observation=request.observation,
                limits=request.limits,
                seed=request.seed,
                interval_seconds=0.02,
            ),
            timeout=30,
        )


KINDS: tuple[Kind, ...] = (
    Client.by_iterations,
    Client.by_iterations,
    Client.by_time,
    Client.by_deadline,
    Client.by_two_threads,
    Client.stream,
    Client.stream_cancelled,
    Client.cancelled,
    Client.dropped_connection,
    Client.bad_input,
    Client.bad_bytes,
    Client.no_http,
    Client.information,
)


async def _wait(call: Any) -> Any:
    return await call


@contextlib.asynccontextmanager
async def server() -> AsyncIterator[tuple[subprocess.Popen[str], str]]:
    """A server process and its address; told to stop in the end."""
    command = [sys.executable, "-m", "solstis_ai", "serve", "--port", "0", "--log-level", "error"]
    options = ["--slots", str(SLOTS), "--queue", str(QUEUE), "--grace", "2", "--cache-size", "64"]
    with subprocess.Popen(
        [*command, *options, "--queue-per-client", str(QUEUE)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().split()[-1]
        finally:
            process.kill()


async def soak(minutes: float, clients: int) -> Report:
    """Run it."""
    report = Report()
    begin = time.monotonic()
    end = begin + minutes * 60
    async with server() as (process, address):
        await asyncio.gather(
            *(_traffic(Client(address, seed, report), end) for seed in range(clients)),
            _watch_health(address, end, report),
            _watch_process(process.pid, begin, end, report),
        )
        await _judge_slots(address, report)
        process.send_signal(signal.SIGTERM)
        _expect(report, await asyncio.to_thread(process.wait, 30) == 0, "the exit code is not 0")
    _judge(report)
    return report


async def _traffic(client: Client, end: float) -> None:
    while time.monotonic() < end:
        await client.act()
    await client.close()


async def _watch_health(address: str, end: float, report: Report) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        check: Any = channel.unary_unary("/grpc.health.v1.Health/Check")
        while time.monotonic() < end:
            begin = time.monotonic()
            await check(b"", timeout=10)
            report.health_seconds.append(time.monotonic() - begin)
            await asyncio.sleep(0.1)


async def _watch_process(pid: int, begin: float, end: float, report: Report) -> None:
    while (now := time.monotonic()) < end:
        report.samples.append(_sample(pid, now - begin))
        await asyncio.sleep(1.0)


def _sample(pid: int, second: float) -> Sample:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    status = dict(line.split(":", 1) for line in lines)
    descriptors = len(os.listdir(f"/proc/{pid}/fd"))
    return Sample(second, int(status["VmRSS"].split()[0]), descriptors, int(status["Threads"]))


async def _judge_slots(address: str, report: Report) -> None:
    """When all is quiet, a request for every slot is served at once."""
    client = Client(address, 0, report)
    await asyncio.sleep(1.0)
    request = client._request(iterations=100, threads=SLOTS)
    try:
        await client._stub.RecommendMove(request, timeout=5)
    except grpc.aio.AioRpcError as error:
        report.breaches.append(f"a slot is stuck: {error.code().name}")
    await client.close()


def _judge(report: Report) -> None:
    _judge_codes(report)
    p99 = report.percentile(0.99)
    _expect(report, p99 < HEALTH_P99_SECONDS, f"health checks took {p99 * 1000:.0f} ms (p99)")
    early, late = _parts(report.samples)
    for name in ("rss_kib", "descriptors", "threads"):
        before, after = _at_rest(early, name), _at_rest(late, name)
        slack = before * MOST_GROWTH if name == "rss_kib" else SLOTS + 2
        _expect(report, after <= before + slack, f"{name} grew from {before:g} to {after:g}")


def _judge_codes(report: Report) -> None:
    for (kind, code), count in report.codes.items():
        late = code == LATE and kind == "by_deadline"
        _expect(report, late or code in EXPECTED, f"{count} times {code} in {kind}")
    timed = sum(count for (kind, _), count in report.codes.items() if kind == "by_deadline")
    missed = report.codes["by_deadline", LATE]
    _expect(report, missed <= max(3, timed * MOST_LATE), f"{missed} of {timed} deadlines missed")
    kinds = {kind for kind, _ in report.codes}
    _expect(report, len(kinds) == len(set(KINDS)), "some kinds of calls were never made")


def _parts(samples: list[Sample]) -> tuple[list[Sample], list[Sample]]:
    """The samples right after the warm-up, and the last ones: a third of the time each."""
    third = max(1, int(len(samples) * WARM_UP_SHARE))
    return samples[third : 2 * third], samples[-third:]


def _at_rest(samples: list[Sample], name: str) -> float:
    """What is held when the least goes on: the tree of a long search comes and goes."""
    ordered = sorted(float(getattr(sample, name)) for sample in samples)
    return ordered[len(ordered) // 10]


def _expect(report: Report, good: bool, otherwise: str) -> None:
    if not good:
        report.breaches.append(otherwise)


def table(report: Report) -> str:
    """The report as text."""
    lines = ["call                  code                   count"]
    lines += [f"{kind:21} {code:22} {n:6}" for (kind, code), n in sorted(report.codes.items())]
    early, late = _parts(report.samples)
    lines += ["", "server                after warm-up     at the end"]
    for name in ("rss_kib", "descriptors", "threads"):
        lines.append(f"{name:21} {_at_rest(early, name):13g} {_at_rest(late, name):14g}")
    shares = ", ".join(f"p{p} {report.percentile(p / 100) * 1000:.1f} ms" for p in (50, 95, 99))
    lines += ["", f"health checks         {len(report.health_seconds)}: {shares}"]
    return "\n".join([*lines, *(f"BREACH: {breach}" for breach in report.breaches)])


def main() -> int:
    """Parse arguments, run, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30.0, help="duration, at most 120")
    parser.add_argument("--clients", type=int, default=6, help="clients at the same time, 1 to 64")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    arguments = parser.parse_args()
    minutes, clients = min(arguments.minutes, 120.0), min(max(arguments.clients, 1), 64)
    report = asyncio.run(soak(minutes, clients))
    print(_json(report) if arguments.json else table(report))
    return 1 if report.breaches else 0


def _json(report: Report) -> str:
    codes = {f"{kind} {code}": count for (kind, code), count in sorted(report.codes.items())}
    health = {f"p{p}": report.percentile(p / 100) for p in (50, 95, 99)}
    return json.dumps({"codes": codes, "health_seconds": health, "breaches": report.breaches})


if __name__ == "__main__":
    sys.exit(main())
