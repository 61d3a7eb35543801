"""Requests and answers between wire messages and dataclasses; wire types stop here."""

from __future__ import annotations

import dataclasses

from solstis_ai.errors import InvalidSearchError
from solstis_ai.observation import Observation
from solstis_ai.search.levels import Level, level_numbered
from solstis_ai.search.types import (
    Analysis,
    Limits,
    MoveStatistics,
    Outlook,
    StarsEstimate,
    StarsOutlook,
    is_finite,
)
from solstis_ai.service.info import EngineInfo
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.vocabulary import Move
from solstis_ai.wire import move_from_proto, move_to_proto, observation_to_proto

__all__ = [
    "DEFAULT_INTERVAL_SECONDS",
    "MIN_INTERVAL_SECONDS",
    "analysis_from_proto",
    "analysis_to_proto",
    "analyze_request",
    "check_interval",
    "info_from_proto",
    "info_to_proto",
    "interval_from_proto",
    "legal_moves_from_proto",
    "legal_moves_to_proto",
    "level_from_proto",
    "limits_from_proto",
    "recommend_request",
    "seed_from_proto",
]

MIN_INTERVAL_SECONDS = 0.01
DEFAULT_INTERVAL_SECONDS = 0.5


def limits_from_proto(limits: pb.Limits) -> Limits:
    """The limits as asked; raises InvalidSearchError with the field's path."""
    return Limits(
        iterations=limits.iterations if limits.HasField("iterations") else None,
        time_seconds=limits.time_seconds if limits.HasField("time_seconds") else None,
        threads=limits.threads if limits.HasField("threads") else 1,
    )


def seed_from_proto(request: pb.RecommendMoveRequest | pb.AnalyzePositionRequest) -> int | None:
    """The seed, or None when it is absent."""
    return request.seed if request.HasField("seed") else None


def level_from_proto(request: pb.RecommendMoveRequest | pb.AnalyzePositionRequest) -> Level | None:
    """The level, or None when it is absent; raises InvalidSearchError when there is no such."""
    return level_numbered(request.level) if request.HasField("level") else None


def interval_from_proto(request: pb.AnalyzePositionRequest) -> float:
    """Seconds between two messages; raises InvalidSearchError."""
    if not request.HasField("interval_seconds"):
        return DEFAULT_INTERVAL_SECONDS
    return check_interval(request.interval_seconds)


def check_interval(seconds: float) -> float:
    """Return seconds that may lie between two messages; refuse others with InvalidSearchError."""
    if not is_finite(seconds) or seconds < MIN_INTERVAL_SECONDS:
        reason = f"{seconds!r} is no interval; a finite number, at least {MIN_INTERVAL_SECONDS}"
        raise InvalidSearchError("interval_seconds", reason)
    return seconds


def recommend_request(
    observation: Observation, limits: Limits, seed: int | None, level: int | None = None
) -> pb.RecommendMoveRequest:
    """The request for a move."""
    return pb.RecommendMoveRequest(
        observation=observation_to_proto(observation),
        limits=_limits_to_proto(limits),
        seed=seed,
        level=level,
    )


def analyze_request(
    observation: Observation,
    limits: Limits,
    seed: int | None,
    interval_seconds: float | None,
    level: int | None = None,
) -> pb.AnalyzePositionRequest:
    """The request for a growing answer."""
    return pb.AnalyzePositionRequest(
        observation=observation_to_proto(observation),
        limits=_limits_to_proto(limits),
        seed=seed,
        interval_seconds=interval_seconds,
        level=level,
    )


def legal_moves_to_proto(moves: list[Move]) -> pb.ListLegalMovesResponse:
    """The answer that lists ``moves``."""
    return pb.ListLegalMovesResponse(
        moves=[pb.LegalMove(move=move_to_proto(move), text=str(move)) for move in moves]
    )


def legal_moves_from_proto(response: pb.ListLegalMovesResponse) -> list[Move]:
    """The moves of an answer."""
    return [move_from_proto(entry.move) for entry in response.moves]


def info_to_proto(info: EngineInfo) -> pb.GetEngineInfoResponse:
    """The wire form of ``info``; both name their fields alike."""
    return pb.GetEngineInfoResponse(**dataclasses.asdict(info))


def info_from_proto(message: pb.GetEngineInfoResponse) -> EngineInfo:
    """What a server told about itself."""
    return EngineInfo(
        version=message.version,
        rules_version=message.rules_version,
        processor_level=message.processor_level,
        available_processor_levels=tuple(message.available_processor_levels),
        search_slots=message.search_slots,
        max_iterations=message.max_iterations,
        max_time_seconds=message.max_time_seconds,
        default_time_seconds=message.default_time_seconds,
        max_threads=message.max_threads,
        levels=tuple(map(_level_from_proto, message.levels)),
    )


def _level_from_proto(message: pb.Level) -> Level:
    return Level(
        number=message.number,
        name=message.name,
        description=message.description,
        iterations=message.iterations,
        overlooks=message.overlooks,
        elo=message.elo,
    )


def analysis_to_proto(analysis: Analysis) -> pb.Analysis:
    """The wire form of an answer."""
    return pb.Analysis(
        move=move_to_proto(analysis.move),
        text=str(analysis.move),
        win_probability=analysis.win_probability,
        expected_stars=analysis.expected_stars,
        opponent_expected_stars=analysis.opponent_expected_stars,
        alternatives=[_statistics_to_proto(entry) for entry in analysis.alternatives],
        line=[move_to_proto(move) for move in analysis.line],
        iterations=analysis.iterations,
        elapsed_seconds=analysis.elapsed_seconds,
        solved=analysis.solved,
        truncated=analysis.truncated,
        seed=analysis.seed,
        reasons=analysis.reasons,
    )


def analysis_from_proto(message: pb.Analysis) -> Analysis:
    """The answer of a wire message."""
    return Analysis(
        move=move_from_proto(message.move),
        win_probability=message.win_probability,
        expected_stars=message.expected_stars,
        opponent_expected_stars=message.opponent_expected_stars,
        alternatives=tuple(_statistics_from_proto(entry) for entry in message.alternatives),
        line=tuple(move_from_proto(move) for move in message.line),
        iterations=message.iterations,
        elapsed_seconds=message.elapsed_seconds,
        solved=message.solved,
        truncated=message.truncated,
        seed=message.seed,
        reasons=tuple(message.reasons),
    )


def _limits_to_proto(limits: Limits) -> pb.Limits:
    return pb.Limits(
        iterations=limits.iterations, time_seconds=limits.time_seconds, threads=limits.threads
    )


def _statistics_to_proto(entry: MoveStatistics) -> pb.MoveStatistics:
    return pb.MoveStatistics(
        move=move_to_proto(entry.move),
        text=str(entry.move),
        visits=entry.visits,
        win_probability=entry.win_probability,
        standard_error=entry.standard_error,
        available=entry.available,
        expected_stars=entry.expected_stars,
        opponent_expected_stars=entry.opponent_expected_stars,
        outlook=_outlook_to_proto(entry.outlook) if entry.outlook else None,
    )


def _statistics_from_proto(message: pb.MoveStatistics) -> MoveStatistics:
    return MoveStatistics(
        move=move_from_proto(message.move),
        visits=message.visits,
        available=message.available,
        win_probability=message.win_probability,
        standard_error=message.standard_error,
        expected_stars=message.expected_stars if message.HasField("expected_stars") else None,
        opponent_expected_stars=(
            message.opponent_expected_stars if message.HasField("opponent_expected_stars") else None
        ),
        outlook=_outlook_from_proto(message.outlook) if message.HasField("outlook") else None,
    )


def _outlook_to_proto(outlook: Outlook) -> pb.Outlook:
    return pb.Outlook(
        samples=outlook.samples,
        you=_stars_to_proto(outlook.you),
        opponent=_stars_to_proto(outlook.opponent),
        lead=_estimate_to_proto(outlook.lead),
        hand_share=outlook.hand_share,
    )


def _stars_to_proto(stars: StarsOutlook) -> pb.StarsOutlook:
    return pb.StarsOutlook(
        total=_estimate_to_proto(stars.total),
        area=_estimate_to_proto(stars.area),
        fires=_estimate_to_proto(stars.fires),
        spirits=_estimate_to_proto(stars.spirits),
        bonuses=_estimate_to_proto(stars.bonuses),
        fireflies=_estimate_to_proto(stars.fireflies),
    )


def _estimate_to_proto(estimate: StarsEstimate) -> pb.StarsEstimate:
    return pb.StarsEstimate(mean=estimate.mean, spread=estimate.spread)


def _outlook_from_proto(message: pb.Outlook) -> Outlook:
    return Outlook(
        samples=message.samples,
        you=_stars_from_proto(message.you),
        opponent=_stars_from_proto(message.opponent),
        lead=_estimate_from_proto(message.lead),
        hand_share=message.hand_share,
    )


def _stars_from_proto(message: pb.StarsOutlook) -> StarsOutlook:
    return StarsOutlook(
        total=_estimate_from_proto(message.total),
        area=_estimate_from_proto(message.area),
        fires=_estimate_from_proto(message.fires),
        spirits=_estimate_from_proto(message.spirits),
        bonuses=_estimate_from_proto(message.bonuses),
        fireflies=_estimate_from_proto(message.fireflies),
    )


def _estimate_from_proto(message: pb.StarsEstimate) -> StarsEstimate:
    return StarsEstimate(mean=message.mean, spread=message.spread)
