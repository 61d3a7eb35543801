"""Requests a second, end to end: request bytes in, search, answer bytes out; and over gRPC.

Every request is a search: the server remembers no answers, and each request has another seed.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import harness
import tasks
from arguments import whole

from solstis_ai import benchmark, engine
from solstis_ai.observation import Observation
from solstis_ai.search.types import Analysis, Limits
from solstis_ai.service import converters
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.server import OpponentServer
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.wire import observation_from_proto

SEED = 1
KNOWN_ITERATIONS = 1_000
KNOWN_VISITS = {"play o8": 482, "play k8": 281, "play p7": 237}

Way = Callable[[Observation, int, int], Analysis]
"""From an observation, iterations and a seed to an answer."""


def answer(request: bytes) -> bytes:
    """What a server does with the bytes of one request, but for the network and its queue."""
    message = pb.RecommendMoveRequest.FromString(request)
    search = engine.Search(
        observation_from_proto(message.observation),
        converters.limits_from_proto(message.limits),
        converters.seed_from_proto(message),
    )
    search.run()
    analysis = converters.analysis_to_proto(search.analysis())
    return pb.RecommendMoveResponse(analysis=analysis).SerializeToString()


def in_process(observation: Observation, iterations: int, seed: int) -> Analysis:
    """An observation to bytes, an answer from bytes."""
    request = converters.recommend_request(observation, Limits(iterations=iterations), seed)
    response = pb.RecommendMoveResponse.FromString(answer(request.SerializeToString()))
    return converters.analysis_from_proto(response.analysis)


@contextlib.contextmanager
def loopback() -> Iterator[OpponentClient]:
    """A client of a server in this process, on a free port of the loopback interface.

    The server remembers no answers, since what is measured is the way to one.
    """
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()

    async def start() -> tuple[OpponentServer, str]:
        server = OpponentServer(engine, ServerConfig(port=0, cache_size=0))
        return server, await server.start()

    server, address = asyncio.run_coroutine_threadsafe(start(), loop).result()
    try:
        with OpponentClient(address) as client:
            yield client
    finally:
        asyncio.run_coroutine_threadsafe(server.drain(), loop).result()
        loop.call_soon_threadsafe(loop.stop)


def visits(analysis: Analysis) -> dict[str, int]:
    """Visits by move."""
    return {str(entry.move): entry.visits for entry in analysis.alternatives}


def require_known(seen: Observation, ways: dict[str, Way]) -> None:
    """End the program if the answers are not the known one, the same on all ways."""
    answers = {name: way(seen, KNOWN_ITERATIONS, SEED) for name, way in ways.items()}
    timeless = {name: replace(found, elapsed_seconds=0.0) for name, found in answers.items()}
    first = timeless["in process"]
    harness.require("visits", visits(first), KNOWN_VISITS)
    for name, found in timeless.items():
        harness.require(f"answer {name}", found, first)


def requests(way: Way, seen: Observation, iterations: int) -> tasks.Piece:
    """One request a piece, each with another seed."""
    seeds = itertools.count(SEED)

    def piece() -> int:
        way(seen, iterations, next(seeds))
        return 1

    return piece


def main() -> None:
    """Assert the visits of a search of 1,000 iterations on both ways, then time."""
    parser = harness.parser(__doc__)
    parser.add_argument("--iterations", type=whole, nargs="+", default=[1, 1_000])
    arguments = parser.parse_args()
    seen = benchmark.opening()
    with loopback() as client:

        def over_grpc(observation: Observation, iterations: int, seed: int) -> Analysis:
            return client.recommend(observation, iterations=iterations, seed=seed)

        ways: dict[str, Way] = {"in process": in_process, "over gRPC": over_grpc}
        require_known(seen, ways)
        for iterations in arguments.iterations:
            for name, way in ways.items():
                title = f"request {name}, {iterations:,} iterations"
                piece = requests(way, seen, iterations)
                figure = harness.measure(title, "requests", piece, arguments.seconds)
                harness.show(figure, arguments.json)


if __name__ == "__main__":
    main()
