"""The calls as both clients make them: which method, which request, how its answer is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from solstis_ai.observation import Observation
from solstis_ai.search.types import Analysis, Limits, check_seed
from solstis_ai.service import converters
from solstis_ai.service.info import EngineInfo
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.vocabulary import Move
from solstis_ai.wire import observation_to_proto

__all__ = ["Question", "analysis", "engine_info", "legal_moves", "recommendation"]

Answer = TypeVar("Answer")


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
    """Ask for a move; raises InvalidSearchError for a seed out of range."""
    request = converters.recommend_request(observation, limits, _checked(seed), level)
    return Question("RecommendMove", request, _analysis_in)


def analysis(
    observation: Observation,
    limits: Limits,
    seed: int | None,
    interval_seconds: float | None,
    level: int | None,
) -> Question[Analysis]:
    """Ask for a growing answer; raises InvalidSearchError for a seed out of range."""
    request = converters.analyze_request(
        observation, limits, _checked(seed), interval_seconds, level
    )
    return Question("AnalyzePosition", request, _analysis_in)


def legal_moves(observation: Observation) -> Question[list[Move]]:
    """Ask what may be done."""
    request = pb.ListLegalMovesRequest(observation=observation_to_proto(observation))
    return Question("ListLegalMoves", request, converters.legal_moves_from_proto)


def engine_info() -> Question[EngineInfo]:
    """Ask what a server tells about itself."""
    return Question("GetEngineInfo", pb.GetEngineInfoRequest(), converters.info_from_proto)


def _analysis_in(response: pb.RecommendMoveResponse | pb.AnalyzePositionResponse) -> Analysis:
    return converters.analysis_from_proto(response.analysis)


def _checked(seed: int | None) -> int | None:
    return None if seed is None else check_seed(seed)
