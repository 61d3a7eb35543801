"""A client that hides the stubs: observations in, moves out, typed errors.

Example::

    with OpponentClient("127.0.0.1:50051") as client:
        print(client.recommend(observation, time_seconds=1.0).move)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

import grpc

from solstis_ai.observation import Observation
from solstis_ai.search.types import Analysis, Limits, check_seed
from solstis_ai.service import converters
from solstis_ai.service.info import EngineInfo
from solstis_ai.service.status import error_of_call
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc
from solstis_ai.vocabulary import Move
from solstis_ai.wire import observation_to_proto

__all__ = ["OpponentClient"]


class OpponentClient:
    """A connection to a service, made when it is first needed; usable from several threads.

    Every call raises, besides what it documents, ServiceUnavailableError when the service
    cannot be reached, DeadlineError when ``timeout`` passed, and ServiceError for anything
    else that went wrong on the way.

    Args:
        address: Host and port of the service, ``"127.0.0.1:50051"``.
        timeout: Deadline of each call in seconds, unless the call sets its own; None waits
            as long as the server thinks.
    """

    def __init__(self, address: str, timeout: float | None = None) -> None:
        self._timeout = timeout
        self._channel = grpc.insecure_channel(address)
        self._stub = pb_grpc.OpponentServiceStub(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection and cancel what is under way."""
        self._channel.close()

    def recommend(
        self,
        observation: Observation,
        *,
        iterations: int | None = None,
        time_seconds: float | None = None,
        threads: int = 1,
        seed: int | None = None,
        timeout: float | None = None,
    ) -> Analysis:
        """Ask for a move.

        Args:
            observation: What the seat sees.
            iterations: Search iterations, at least 1.
            time_seconds: Thinking time in seconds, above 0. Without it and without
                iterations the server's default time holds.
            threads: Search threads.
            seed: Seed of the search, an unsigned 64-bit number.
            timeout: Deadline of this call in seconds; the answer comes before it, with
                ``truncated`` set when there was no time for the limits.

        Raises:
            InvalidObservationError: If the observation is impossible; names the field.
            InvalidSearchError: If a limit or the seed is out of range; names the field.
            OverloadedError: If the server has no room for another search.
        """
        limits = _checked(Limits(iterations, time_seconds, threads), seed)
        request = converters.recommend_request(observation, limits, seed)
        with _typed_errors():
            response = self._stub.RecommendMove(request, timeout=timeout or self._timeout)
        return converters.analysis_from_proto(response.analysis)

    def analyse(
        self,
        observation: Observation,
        *,
        iterations: int | None = None,
        time_seconds: float | None = None,
        threads: int = 1,
        seed: int | None = None,
        interval_seconds: float | None = None,
        timeout: float | None = None,
    ) -> Iterator[Analysis]:
        """Ask for a growing answer; the last one is what ``recommend`` would answer.

        The search begins with the first answer asked for. Closing the iterator, or leaving
        it to be collected, ends the search.

        Args:
            observation: As for ``recommend``, like the other arguments.
            iterations: Search iterations.
            time_seconds: Thinking time in seconds.
            threads: Search threads.
            seed: Seed of the search.
            interval_seconds: Seconds between two answers, at least 0.01; None for the
                server's choice.
            timeout: Deadline of the whole stream in seconds.

        Raises:
            InvalidObservationError: As for ``recommend``, like the others.
        """
        limits = _checked(Limits(iterations, time_seconds, threads), seed)
        request = converters.analyze_request(observation, limits, seed, interval_seconds)
        return self._stream(request, timeout or self._timeout)

    def legal_moves(self, observation: Observation, *, timeout: float | None = None) -> list[Move]:
        """List what may be done, sorted by the words of the moves.

        Raises:
            InvalidObservationError: If the observation is impossible; names the field.
        """
        request = pb.ListLegalMovesRequest(observation=observation_to_proto(observation))
        with _typed_errors():
            response = self._stub.ListLegalMoves(request, timeout=timeout or self._timeout)
        return converters.legal_moves_from_proto(response)

    def engine_info(self, *, timeout: float | None = None) -> EngineInfo:
        """Ask for the server's version and limits."""
        with _typed_errors():
            response = self._stub.GetEngineInfo(
                pb.GetEngineInfoRequest(), timeout=timeout or self._timeout
            )
        return converters.info_from_proto(response)

    def _stream(
        self, request: pb.AnalyzePositionRequest, timeout: float | None
    ) -> Iterator[Analysis]:
        call = self._stub.AnalyzePosition(request, timeout=timeout)
        try:
            with _typed_errors():
                for response in call:
                    yield converters.analysis_from_proto(response.analysis)
        finally:
            call.cancel()


def _checked(limits: Limits, seed: int | None) -> Limits:
    if seed is not None:
        check_seed(seed)
    return limits


@contextmanager
def _typed_errors() -> Iterator[None]:
    try:
        yield
    except grpc.RpcError as error:
        raise error_of_call(error) from error
