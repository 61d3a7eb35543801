"""The four calls of OpponentService, in domain types between converters.

The methods raise the exceptions of ``solstis_ai.errors``; ``border`` turns those into status
codes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Protocol

from solstis_ai.errors import OverloadedError
from solstis_ai.search.types import Analysis
from solstis_ai.service import budget, converters
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.desk import Question, SearchDesk
from solstis_ai.service.engine_port import Engine
from solstis_ai.service.info import describe
from solstis_ai.service.job import Viewer
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
    """Answers the calls with an engine whose searches begin at a desk.

    Args:
        engine: The engine.
        config: What a request gets at most.
        desk: Answers questions.
    """

    def __init__(self, engine: Engine, config: ServerConfig, desk: SearchDesk) -> None:
        self._engine = engine
        self._config = config
        self._desk = desk

    async def RecommendMove(
        self, request: pb.RecommendMoveRequest, context: Call
    ) -> pb.RecommendMoveResponse:
        """Search and answer with the move to play."""
        viewer = Viewer(budget.answer_by(context.time_remaining()))
        analysis = await self._desk.answer(self._question(request), viewer)
        return pb.RecommendMoveResponse(analysis=converters.analysis_to_proto(analysis))

    async def AnalyzePosition(
        self, request: pb.AnalyzePositionRequest, context: _StreamCall
    ) -> None:
        """Search and send the growing answer, the last one marked."""
        async with aclosing(self.analyses(request, context)) as answers:
            async for answer in answers:
                await self._write(context, answer)

    async def analyses(
        self, request: pb.AnalyzePositionRequest, context: Call
    ) -> AsyncGenerator[pb.AnalyzePositionResponse, None]:
        """The growing answer, the last one marked; closing it ends the search."""
        latest = time.monotonic() + self._config.stream_seconds
        answer_by = min(latest, budget.answer_by(context.time_remaining()))
        viewer = Viewer(answer_by, converters.interval_from_proto(request))
        async with aclosing(self._growing(self._question(request), viewer)) as answers:
            async for analysis, final in answers:
                message = converters.analysis_to_proto(analysis)
                yield pb.AnalyzePositionResponse(analysis=message, final=final)

    async def ListLegalMoves(
        self, request: pb.ListLegalMovesRequest, context: Call
    ) -> pb.ListLegalMovesResponse:
        """List what may be done."""
        moves = await self._desk.legal_moves(lambda: observation_from_proto(request.observation))
        return converters.legal_moves_to_proto(moves)

    async def GetEngineInfo(
        self, request: pb.GetEngineInfoRequest, context: Call
    ) -> pb.GetEngineInfoResponse:
        """Tell version and limits."""
        return converters.info_to_proto(describe(self._engine, self._config))

    async def _write(self, context: _StreamCall, response: pb.AnalyzePositionResponse) -> None:
        """Send one message to a client that reads."""
        try:
            async with asyncio.timeout(self._config.max_write_seconds):
                await context.write(response)
        except TimeoutError:
            raise OverloadedError("the client does not read its stream") from None

    async def _growing(
        self, question: Question, viewer: Viewer
    ) -> AsyncGenerator[tuple[Analysis, bool], None]:
        """The newest answer whenever there is one, and the final one.

        The search does not wait for a slow reader: what it cannot take in time is left out.
        """
        newest: list[Analysis] = []
        news = asyncio.Event()

        def publish(analysis: Analysis) -> None:
            newest[:] = [analysis]
            news.set()

        viewer.publish = publish
        task = asyncio.create_task(self._desk.answer(question, viewer))
        task.add_done_callback(lambda _: news.set())
        left = self._config.max_stream_messages
        try:
            while await news.wait() and not task.done():
                news.clear()
                left -= 1
                if left <= 0:
                    viewer.end_early()
                    continue
                yield replace(newest.pop(), truncated=False), False
            yield await task, True
        finally:
            task.cancel()

    def _question(self, request: _SearchRequest) -> Question:
        limits = converters.limits_from_proto(request.limits)
        level = converters.level_from_proto(request)
        if level is not None:
            budget.check_level(level, self._config)
            limits = level.granted(limits)
        return Question(
            lambda: observation_from_proto(request.observation),
            limits,
            converters.seed_from_proto(request),
            level,
        )
