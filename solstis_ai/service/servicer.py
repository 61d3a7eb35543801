"""The four calls of OpponentService, in domain types between converters.

The methods raise the exceptions of ``solstis_ai.errors``; ``border`` turns those into status
codes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Protocol

from solstis_ai.search.types import Analysis
from solstis_ai.service import budget, converters
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.engine_port import Engine
from solstis_ai.service.info import describe
from solstis_ai.service.pool import Job, SearchPool
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc
from solstis_ai.wire import observation_from_proto

__all__ = ["Call", "OpponentServicer"]

_SearchRequest = pb.RecommendMoveRequest | pb.AnalyzePositionRequest


class Call(Protocol):
    """What the calls need to know about themselves; a context of gRPC fits it."""

    def time_remaining(self) -> float | None:
        """Seconds until the client's deadline; None without one."""
        ...


class _StreamCall(Call, Protocol):
    async def write(self, message: Any, /) -> None: ...


class OpponentServicer(pb_grpc.OpponentServiceServicer):
    """Answers the calls with an engine whose searches run in a pool.

    Args:
        engine: The engine.
        config: What a request gets at most.
        pool: Runs the searches.
    """

    def __init__(self, engine: Engine, config: ServerConfig, pool: SearchPool) -> None:
        self._engine = engine
        self._config = config
        self._pool = pool

    async def RecommendMove(
        self, request: pb.RecommendMoveRequest, context: Call
    ) -> pb.RecommendMoveResponse:
        """Search and answer with the move to play."""
        analysis = await self._searched(request, self._job(request, context))
        return pb.RecommendMoveResponse(analysis=converters.analysis_to_proto(analysis))

    async def AnalyzePosition(
        self, request: pb.AnalyzePositionRequest, context: _StreamCall
    ) -> None:
        """Search and send the growing answer, the last one marked."""
        async with aclosing(self.analyses(request, context)) as answers:
            async for answer in answers:
                await context.write(answer)

    async def analyses(
        self, request: pb.AnalyzePositionRequest, context: Call
    ) -> AsyncGenerator[pb.AnalyzePositionResponse, None]:
        """The growing answer, the last one marked; closing it ends the search."""
        job = self._job(request, context)
        job.interval = converters.interval_from_proto(request)
        async with aclosing(self._growing(request, job)) as answers:
            async for analysis, final in answers:
                message = converters.analysis_to_proto(analysis)
                yield pb.AnalyzePositionResponse(analysis=message, final=final)

    async def ListLegalMoves(
        self, request: pb.ListLegalMovesRequest, context: Call
    ) -> pb.ListLegalMovesResponse:
        """List what may be done."""
        moves = self._engine.legal_moves(observation_from_proto(request.observation))
        return converters.legal_moves_to_proto(moves)

    async def GetEngineInfo(
        self, request: pb.GetEngineInfoRequest, context: Call
    ) -> pb.GetEngineInfoResponse:
        """Tell version and limits."""
        return converters.info_to_proto(describe(self._engine, self._config))

    def _job(self, request: _SearchRequest, context: Call) -> Job:
        answer_by = budget.answer_by(context.time_remaining())
        limits = budget.granted(converters.limits_from_proto(request.limits), self._config)
        observation = observation_from_proto(request.observation)
        search = self._engine.Search(observation, limits, converters.seed_from_proto(request))
        return Job(search, limits.threads, self._config.max_time_seconds, answer_by)

    async def _searched(self, request: _SearchRequest, job: Job) -> Analysis:
        """The answer of ``job``; a forced move needs no slot."""
        finished = job.search.run() if job.search.forced else await self._pool.run(job)
        analysis = job.search.analysis()
        asked = converters.limits_from_proto(request.limits)
        capped = budget.reached_cap(analysis, asked, self._config)
        return replace(analysis, truncated=capped or not finished)

    async def _growing(
        self, request: _SearchRequest, job: Job
    ) -> AsyncGenerator[tuple[Analysis, bool], None]:
        """The newest answer whenever there is one, and the final one.

        The search does not wait for a slow reader: what it cannot take in time is left out.
        """
        newest: list[Analysis] = []
        news = asyncio.Event()

        def publish(analysis: Analysis) -> None:
            newest[:] = [analysis]
            news.set()

        job.publish = publish
        task = asyncio.create_task(self._searched(request, job))
        task.add_done_callback(lambda _: news.set())
        try:
            while await news.wait() and not task.done():
                news.clear()
                yield replace(newest.pop(), truncated=False), False
            yield await task, True
        finally:
            task.cancel()
