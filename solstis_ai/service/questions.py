"""The calls as both clients make them: which method, which request, how its answer is read.

What no request can hold is refused here with its name, InvalidObservationError or
InvalidSearchError; the rest is judged by the server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from solstis_ai.errors import InvalidSearchError
from solstis_ai.observation import Observation
from solstis_ai.search.types import Analysis, Limits, check_seed, is_whole
from solstis_ai.service import converters
from solstis_ai.service.info import EngineInfo
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.validation.types import check_types
from solstis_ai.vocabulary import Move
from solstis_ai.wire import observation_to_proto

__all__ = ["Question", "analysis", "engine_info", "legal_moves", "recommendation"]

Answer = TypeVar("Answer")

_LARGEST_LEVEL = 2**31 - 1  # of the wire; which levels there are, the server knows


@dataclass(frozen=True, slots=True)
class Question(Generic[Answer]):
    """One call.

    Attributes:
        method: Name of the method in the stub.
        request: What is sent.
        read: Makes a value of a response.
    """

    method: str
    request: Message
    read: Callable[[Any], Answer]


def recommendation(
    observation: Observation, limits: Limits, seed: int | None, level: int | None
) -> Question[Analysis]:
    """Ask for a move."""
    _check(observation, seed, level)
    request = converters.recommend_request(observation, limits, seed, level)
    return Question("RecommendMove", request, _analysis_in)


def analysis(
    observation: Observation,
    limits: Limits,
    seed: int | None,
    interval_seconds: float | None,
    level: int | None,
) -> Question[Analysis]:
    """Ask for a growing answer."""
    _check(observation, seed, level)
    if interval_seconds is not None:
        converters.check_interval(interval_seconds)
    request = converters.analyze_request(observation, limits, seed, interval_seconds, level)
    return Question("AnalyzePosition", request, _analysis_in)


def legal_moves(observation: Observation) -> Question[list[Move]]:
    """Ask what may be done."""
    check_types(observation)
    request = pb.ListLegalMovesRequest(observation=observation_to_proto(observation))
    return Question("ListLegalMoves", request, converters.legal_moves_from_proto)


def engine_info() -> Question[EngineInfo]:
    """Ask what a server tells about itself."""
    return Question("GetEngineInfo", pb.GetEngineInfoRequest(), converters.info_from_proto)


def _analysis_in(response: pb.RecommendMoveResponse | pb.AnalyzePositionResponse) -> Analysis:
    return converters.analysis_from_proto(response.analysis)


def _check(observation: Observation, seed: int | None, level: int | None) -> None:
    check_types(observation)
    if seed is not None:
        check_seed(seed)
    if level is not None and not (is_whole(level) and abs(level) <= _LARGEST_LEVEL):
        reason = f"there is no level {level!r:.60}; the number of one of engine_info().levels"
        raise InvalidSearchError("level", reason)
