"""A server that fails as it is told and remembers the metadata of its calls."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc

from fakes.engine import FakeEngine
from fakes.observations import OPENING
from solstis_ai.search.types import Limits
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.converters import analysis_to_proto, info_to_proto
from solstis_ai.service.info import describe
from solstis_ai.service.status import status_of
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc


class ScriptedServicer(pb_grpc.OpponentServiceServicer):
    """Raises the errors of ``script`` in turn and answers when they are used up.

    Nothing is answered while ``may_answer`` is cleared.
    """

    def __init__(self) -> None:
        self.script: list[Exception] = []
        self.metadata: list[dict[str, str]] = []
        self.fails_after_an_answer = False
        self.may_answer = threading.Event()
        self.may_answer.set()

    @property
    def calls(self) -> int:
        return len(self.metadata)

    def RecommendMove(self, request: Any, context: Any) -> pb.RecommendMoveResponse:  # noqa: N802
        self._note(context)
        return pb.RecommendMoveResponse(analysis=answer())

    def AnalyzePosition(self, request: Any, context: Any) -> Iterator[Any]:  # noqa: N802
        if self.fails_after_an_answer:
            yield pb.AnalyzePositionResponse(analysis=answer())
        self._note(context)
        yield pb.AnalyzePositionResponse(analysis=answer(), final=True)

    def GetEngineInfo(self, request: Any, context: Any) -> pb.GetEngineInfoResponse:  # noqa: N802
        self._note(context)
        return info_to_proto(describe(FakeEngine(), ServerConfig()))

    def _note(self, context: Any) -> None:
        self.metadata.append(dict(context.invocation_metadata()))
        self.may_answer.wait()
        if self.script:
            context.abort_with_status(status_of(self.script.pop(0)))


def answer() -> pb.Analysis:
    """Some answer."""
    return analysis_to_proto(FakeEngine().recommend(OPENING, Limits(iterations=1)))


@contextmanager
def scripted_server(
    credentials: grpc.ServerCredentials | None = None,
) -> Iterator[tuple[ScriptedServicer, str]]:
    """A scripted server on a free loopback port, and its address."""
    servicer = ScriptedServicer()
    server = grpc.server(ThreadPoolExecutor(4))
    pb_grpc.add_OpponentServiceServicer_to_server(servicer, server)
    if credentials is None:
        port = server.add_insecure_port("127.0.0.1:0")
    else:
        port = server.add_secure_port("127.0.0.1:0", credentials)
    server.start()
    try:
        yield servicer, f"127.0.0.1:{port}"
    finally:
        servicer.may_answer.set()
        server.stop(None)
