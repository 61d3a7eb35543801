"""Load on a service at a fixed rate, measured from when each request should have been sent.

Open loop: requests are sent on schedule whether or not earlier ones have been answered, and
latency counts from the scheduled time, so that a server that falls behind cannot hide it by
slowing its clients down (coordinated omission).
"""

from __future__ import annotations

import asyncio
import dataclasses
import ipaddress
import math
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from solstis_ai.errors import ServiceUnavailableError, SolstisError
from solstis_ai.observation import Observation
from solstis_ai.service.async_client import AsyncOpponentClient
from solstis_ai.service.retry import NO_RETRY
from solstis_ai.service.status import code_name_of

__all__ = ["MAX_REQUESTS", "LoadPlan", "LoadReport", "Outcome", "local_server", "run_load"]

MAX_REQUESTS = 100_000
"""Most requests of one run."""

_SEED_BITS = 62

_OK = "OK"
_PERCENTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """What is sent.

    Attributes:
        rate: Requests a second.
        seconds: How long requests are sent.
        iterations: Iterations of each search; None for a time.
        time_seconds: Thinking time of each search in seconds; None for iterations.
        deadline: Deadline of each request in seconds, from when it should have been sent.

    Raises:
        ValueError: If a value is out of range, or the requests are too many.
    """

    rate: float
    seconds: float
    iterations: int | None = None
    time_seconds: float | None = None
    deadline: float = 2.0

    def __post_init__(self) -> None:
        for name in ("rate", "seconds", "deadline"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name}: {value} is not a finite number above 0")
        if not 1 <= self.count <= MAX_REQUESTS:
            raise ValueError(f"{self.count} requests are not from 1 to {MAX_REQUESTS}")

    @property
    def count(self) -> int:
        """Number of requests."""
        return round(self.rate * self.seconds)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one request.

    Attributes:
        code: Name of the status code.
        latency: Seconds from when it should have been sent to its end.
        lag: Seconds from when it should have been sent to when it was.
        truncated: Whether the answer says that the search was cut short.
    """

    code: str
    latency: float
    lag: float
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a run found; latencies in seconds, of the requests that were answered.

    Attributes:
        plan: What was sent.
        requests: Number of requests.
        codes: Number of requests by status code.
        latency: Latency by percentile, ``{"p50": ...}``; empty when nothing was answered.
        missed_deadlines: Requests without an answer at their deadline, refusals left out.
        truncated: Answers of searches that were cut short.
        answers_per_second: Answers by the time from the first request to the last end.
        worst_lag: How late the sender itself was at most, in seconds; a large one means that
            the rate was more than the sender could do.
    """

    plan: LoadPlan
    requests: int
    codes: dict[str, int]
    latency: dict[str, float] = field(default_factory=dict)
    missed_deadlines: int = 0
    truncated: int = 0
    answers_per_second: float = 0.0
    worst_lag: float = 0.0

    def as_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return dataclasses.asdict(self)


async def run_load(address: str, observation: Observation, plan: LoadPlan) -> LoadReport:
    """Send the requests of ``plan`` to a server on this machine.

    Args:
        address: Host and port; a loopback address.
        observation: What is asked about; each request has a seed that no other one has had,
            so that no answer is shared or remembered.
        plan: What is sent.

    Raises:
        ValueError: If ``address`` is not on this machine.
        ServiceUnavailableError: If no server is there.
    """
    if not _is_loopback(address):
        raise ValueError(f"{address} is no loopback address; load is for servers of one's own")
    async with AsyncOpponentClient(address, retry=NO_RETRY) as client:
        await client.engine_info(timeout=10.0)
        begin = time.monotonic()
        outcomes = await _sent(client, observation, plan, begin)
        return _report(plan, outcomes, time.monotonic() - begin)


async def _sent(
    client: AsyncOpponentClient, observation: Observation, plan: LoadPlan, begin: float
) -> list[Outcome]:
    tasks = []
    first_seed = random.getrandbits(_SEED_BITS)
    for number in range(plan.count):
        intended = begin + number / plan.rate
        if (early := intended - time.monotonic()) > 0:
            await asyncio.sleep(early)
        call = _one(client, observation, plan, first_seed + number, intended)
        tasks.append(asyncio.create_task(call))
    return await asyncio.gather(*tasks)


async def _one(
    client: AsyncOpponentClient,
    observation: Observation,
    plan: LoadPlan,
    seed: int,
    intended: float,
) -> Outcome:
    lag = time.monotonic() - intended
    code, truncated = _OK, False
    try:
        answer = await client.recommend(
            observation,
            iterations=plan.iterations,
            time_seconds=plan.time_seconds,
            seed=seed,
            timeout=max(plan.deadline - lag, 0.0),
        )
        truncated = answer.truncated
    except SolstisError as error:
        code = code_name_of(error)
    return Outcome(code, time.monotonic() - intended, lag, truncated)


def _report(plan: LoadPlan, outcomes: Sequence[Outcome], seconds: float) -> LoadReport:
    answered = sorted(it.latency for it in outcomes if it.code == _OK)
    return LoadReport(
        plan=plan,
        requests=len(outcomes),
        codes=dict(Counter(it.code for it in outcomes)),
        latency={f"p{share}": _percentile(answered, share) for share in _PERCENTILES if answered},
        missed_deadlines=sum(_missed(it, plan.deadline) for it in outcomes),
        truncated=sum(it.truncated for it in outcomes),
        answers_per_second=len(answered) / seconds,
        worst_lag=max(it.lag for it in outcomes),
    )


def _missed(outcome: Outcome, deadline: float) -> bool:
    if outcome.code == _OK:
        return outcome.latency > deadline
    return outcome.code == "DEADLINE_EXCEEDED"


def _percentile(ordered: Sequence[float], share: int) -> float:
    """Nearest rank: the smallest value that ``share`` percent do not exceed."""
    return ordered[max(0, math.ceil(share / 100 * len(ordered)) - 1)]


def _is_loopback(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def local_server(cores: Sequence[int] | None = None) -> Iterator[str]:
    """A server process on a free loopback port; yields its address and ends it.

    Args:
        cores: Processor cores that it may use, as many search slots as those; None for all
            that this process may use. Needs Linux.

    Raises:
        ServiceUnavailableError: If it does not start.
    """
    command = [sys.executable, "-m", "solstis_ai", "serve", "--port", "0", "--log-level", "error"]
    with _affinity(cores):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with process:
        try:
            assert process.stdout is not None
            announcement = process.stdout.readline()
            if not announcement:
                raise ServiceUnavailableError("the server did not start")
            yield announcement.split()[-1]
        finally:
            process.terminate()


@contextmanager
def _affinity(cores: Sequence[int] | None) -> Iterator[None]:
    """Confine this process for a moment; a child that starts in it inherits that and stays so."""
    if cores is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
