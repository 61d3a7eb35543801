from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_PLAY: _ClassVar[Phase]
    PHASE_CAPTURE: _ClassVar[Phase]
    PHASE_RAINBOW: _ClassVar[Phase]
    PHASE_MEET: _ClassVar[Phase]
    PHASE_MEET_DRAWN: _ClassVar[Phase]
    PHASE_ADD: _ClassVar[Phase]
    PHASE_TAKE: _ClassVar[Phase]
    PHASE_FORCE: _ClassVar[Phase]
    PHASE_EVIL: _ClassVar[Phase]
    PHASE_COVER: _ClassVar[Phase]
    PHASE_FINAL_RAINBOW: _ClassVar[Phase]

class EvilSpiritPlace(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVIL_SPIRIT_PLACE_UNSPECIFIED: _ClassVar[EvilSpiritPlace]
    EVIL_SPIRIT_PLACE_DRAWN: _ClassVar[EvilSpiritPlace]
    EVIL_SPIRIT_PLACE_YOU: _ClassVar[EvilSpiritPlace]
    EVIL_SPIRIT_PLACE_OPPONENT: _ClassVar[EvilSpiritPlace]
    EVIL_SPIRIT_PLACE_OUT: _ClassVar[EvilSpiritPlace]
PHASE_UNSPECIFIED: Phase
PHASE_PLAY: Phase
PHASE_CAPTURE: Phase
PHASE_RAINBOW: Phase
PHASE_MEET: Phase
PHASE_MEET_DRAWN: Phase
PHASE_ADD: Phase
PHASE_TAKE: Phase
PHASE_FORCE: Phase
PHASE_EVIL: Phase
PHASE_COVER: Phase
PHASE_FINAL_RAINBOW: Phase
EVIL_SPIRIT_PLACE_UNSPECIFIED: EvilSpiritPlace
EVIL_SPIRIT_PLACE_DRAWN: EvilSpiritPlace
EVIL_SPIRIT_PLACE_YOU: EvilSpiritPlace
EVIL_SPIRIT_PLACE_OPPONENT: EvilSpiritPlace
EVIL_SPIRIT_PLACE_OUT: EvilSpiritPlace

class Rules(_message.Message):
    __slots__ = ("fireflies", "evil_spirit")
    FIREFLIES_FIELD_NUMBER: _ClassVar[int]
    EVIL_SPIRIT_FIELD_NUMBER: _ClassVar[int]
    fireflies: bool
    evil_spirit: bool
    def __init__(self, fireflies: bool = ..., evil_spirit: bool = ...) -> None: ...

class QueueTile(_message.Message):
    __slots__ = ("tile", "covers")
    TILE_FIELD_NUMBER: _ClassVar[int]
    COVERS_FIELD_NUMBER: _ClassVar[int]
    tile: str
    covers: bool
    def __init__(self, tile: _Optional[str] = ..., covers: bool = ...) -> None: ...

class SpiritOnSquare(_message.Message):
    __slots__ = ("spirit", "square", "covered")
    SPIRIT_FIELD_NUMBER: _ClassVar[int]
    SQUARE_FIELD_NUMBER: _ClassVar[int]
    COVERED_FIELD_NUMBER: _ClassVar[int]
    spirit: str
    square: str
    covered: bool
    def __init__(self, spirit: _Optional[str] = ..., square: _Optional[str] = ..., covered: bool = ...) -> None: ...

class Panorama(_message.Message):
    __slots__ = ("tiles", "rainbows", "spirits", "firefly_squares", "evil_spirit_cell")
    TILES_FIELD_NUMBER: _ClassVar[int]
    RAINBOWS_FIELD_NUMBER: _ClassVar[int]
    SPIRITS_FIELD_NUMBER: _ClassVar[int]
    FIREFLY_SQUARES_FIELD_NUMBER: _ClassVar[int]
    EVIL_SPIRIT_CELL_FIELD_NUMBER: _ClassVar[int]
    tiles: _containers.RepeatedScalarFieldContainer[str]
    rainbows: _containers.RepeatedScalarFieldContainer[str]
    spirits: _containers.RepeatedCompositeFieldContainer[SpiritOnSquare]
    firefly_squares: _containers.RepeatedScalarFieldContainer[str]
    evil_spirit_cell: str
    def __init__(self, tiles: _Optional[_Iterable[str]] = ..., rainbows: _Optional[_Iterable[str]] = ..., spirits: _Optional[_Iterable[_Union[SpiritOnSquare, _Mapping]]] = ..., firefly_squares: _Optional[_Iterable[str]] = ..., evil_spirit_cell: _Optional[str] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("played_tile", "drawn_tile", "rainbows_to_place", "filled_cells", "drawn_spirits", "met_spirit", "forced_tile", "extra_turn", "opponent_passed")
    PLAYED_TILE_FIELD_NUMBER: _ClassVar[int]
    DRAWN_TILE_FIELD_NUMBER: _ClassVar[int]
    RAINBOWS_TO_PLACE_FIELD_NUMBER: _ClassVar[int]
    FILLED_CELLS_FIELD_NUMBER: _ClassVar[int]
    DRAWN_SPIRITS_FIELD_NUMBER: _ClassVar[int]
    MET_SPIRIT_FIELD_NUMBER: _ClassVar[int]
    FORCED_TILE_FIELD_NUMBER: _ClassVar[int]
    EXTRA_TURN_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_PASSED_FIELD_NUMBER: _ClassVar[int]
    played_tile: str
    drawn_tile: str
    rainbows_to_place: int
    filled_cells: _containers.RepeatedScalarFieldContainer[str]
    drawn_spirits: _containers.RepeatedScalarFieldContainer[str]
    met_spirit: str
    forced_tile: str
    extra_turn: bool
    opponent_passed: bool
    def __init__(self, played_tile: _Optional[str] = ..., drawn_tile: _Optional[str] = ..., rainbows_to_place: _Optional[int] = ..., filled_cells: _Optional[_Iterable[str]] = ..., drawn_spirits: _Optional[_Iterable[str]] = ..., met_spirit: _Optional[str] = ..., forced_tile: _Optional[str] = ..., extra_turn: bool = ..., opponent_passed: bool = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("rules", "phase", "your_hand", "opponent_hand_size", "opponent_known_tiles", "opponent_excluded_tiles", "deck_size", "queue", "you", "opponent", "discarded_tiles", "spirit_line", "spirit_deck_size", "evil_spirit", "turn")
    RULES_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    YOUR_HAND_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_HAND_SIZE_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_KNOWN_TILES_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_EXCLUDED_TILES_FIELD_NUMBER: _ClassVar[int]
    DECK_SIZE_FIELD_NUMBER: _ClassVar[int]
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    YOU_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_FIELD_NUMBER: _ClassVar[int]
    DISCARDED_TILES_FIELD_NUMBER: _ClassVar[int]
    SPIRIT_LINE_FIELD_NUMBER: _ClassVar[int]
    SPIRIT_DECK_SIZE_FIELD_NUMBER: _ClassVar[int]
    EVIL_SPIRIT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    rules: Rules
    phase: Phase
    your_hand: _containers.RepeatedScalarFieldContainer[str]
    opponent_hand_size: int
    opponent_known_tiles: _containers.RepeatedScalarFieldContainer[str]
    opponent_excluded_tiles: _containers.RepeatedScalarFieldContainer[str]
    deck_size: int
    queue: _containers.RepeatedCompositeFieldContainer[QueueTile]
    you: Panorama
    opponent: Panorama
    discarded_tiles: _containers.RepeatedScalarFieldContainer[str]
    spirit_line: _containers.RepeatedScalarFieldContainer[str]
    spirit_deck_size: int
    evil_spirit: EvilSpiritPlace
    turn: Turn
    def __init__(self, rules: _Optional[_Union[Rules, _Mapping]] = ..., phase: _Optional[_Union[Phase, str]] = ..., your_hand: _Optional[_Iterable[str]] = ..., opponent_hand_size: _Optional[int] = ..., opponent_known_tiles: _Optional[_Iterable[str]] = ..., opponent_excluded_tiles: _Optional[_Iterable[str]] = ..., deck_size: _Optional[int] = ..., queue: _Optional[_Iterable[_Union[QueueTile, _Mapping]]] = ..., you: _Optional[_Union[Panorama, _Mapping]] = ..., opponent: _Optional[_Union[Panorama, _Mapping]] = ..., discarded_tiles: _Optional[_Iterable[str]] = ..., spirit_line: _Optional[_Iterable[str]] = ..., spirit_deck_size: _Optional[int] = ..., evil_spirit: _Optional[_Union[EvilSpiritPlace, str]] = ..., turn: _Optional[_Union[Turn, _Mapping]] = ...) -> None: ...

class PlayMove(_message.Message):
    __slots__ = ("tile",)
    TILE_FIELD_NUMBER: _ClassVar[int]
    tile: str
    def __init__(self, tile: _Optional[str] = ...) -> None: ...

class CaptureMove(_message.Message):
    __slots__ = ("tile",)
    TILE_FIELD_NUMBER: _ClassVar[int]
    tile: str
    def __init__(self, tile: _Optional[str] = ...) -> None: ...

class RainbowMove(_message.Message):
    __slots__ = ("cell",)
    CELL_FIELD_NUMBER: _ClassVar[int]
    cell: str
    def __init__(self, cell: _Optional[str] = ...) -> None: ...

class DrawMove(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class MeetMove(_message.Message):
    __slots__ = ("spirit", "square")
    SPIRIT_FIELD_NUMBER: _ClassVar[int]
    SQUARE_FIELD_NUMBER: _ClassVar[int]
    spirit: str
    square: str
    def __init__(self, spirit: _Optional[str] = ..., square: _Optional[str] = ...) -> None: ...

class AddMove(_message.Message):
    __slots__ = ("tile",)
    TILE_FIELD_NUMBER: _ClassVar[int]
    tile: str
    def __init__(self, tile: _Optional[str] = ...) -> None: ...

class TakeMove(_message.Message):
    __slots__ = ("tile",)
    TILE_FIELD_NUMBER: _ClassVar[int]
    tile: str
    def __init__(self, tile: _Optional[str] = ...) -> None: ...

class ForceMove(_message.Message):
    __slots__ = ("tile",)
    TILE_FIELD_NUMBER: _ClassVar[int]
    tile: str
    def __init__(self, tile: _Optional[str] = ...) -> None: ...

class EvilMove(_message.Message):
    __slots__ = ("cell",)
    CELL_FIELD_NUMBER: _ClassVar[int]
    cell: str
    def __init__(self, cell: _Optional[str] = ...) -> None: ...

class PassMove(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CoverMove(_message.Message):
    __slots__ = ("spirit",)
    SPIRIT_FIELD_NUMBER: _ClassVar[int]
    spirit: str
    def __init__(self, spirit: _Optional[str] = ...) -> None: ...

class Move(_message.Message):
    __slots__ = ("play", "capture", "rainbow", "draw", "meet", "add", "take", "force", "evil", "cover")
    PLAY_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    RAINBOW_FIELD_NUMBER: _ClassVar[int]
    DRAW_FIELD_NUMBER: _ClassVar[int]
    MEET_FIELD_NUMBER: _ClassVar[int]
    ADD_FIELD_NUMBER: _ClassVar[int]
    TAKE_FIELD_NUMBER: _ClassVar[int]
    FORCE_FIELD_NUMBER: _ClassVar[int]
    EVIL_FIELD_NUMBER: _ClassVar[int]
    PASS_FIELD_NUMBER: _ClassVar[int]
    COVER_FIELD_NUMBER: _ClassVar[int]
    play: PlayMove
    capture: CaptureMove
    rainbow: RainbowMove
    draw: DrawMove
    meet: MeetMove
    add: AddMove
    take: TakeMove
    force: ForceMove
    evil: EvilMove
    cover: CoverMove
    def __init__(self, play: _Optional[_Union[PlayMove, _Mapping]] = ..., capture: _Optional[_Union[CaptureMove, _Mapping]] = ..., rainbow: _Optional[_Union[RainbowMove, _Mapping]] = ..., draw: _Optional[_Union[DrawMove, _Mapping]] = ..., meet: _Optional[_Union[MeetMove, _Mapping]] = ..., add: _Optional[_Union[AddMove, _Mapping]] = ..., take: _Optional[_Union[TakeMove, _Mapping]] = ..., force: _Optional[_Union[ForceMove, _Mapping]] = ..., evil: _Optional[_Union[EvilMove, _Mapping]] = ..., cover: _Optional[_Union[CoverMove, _Mapping]] = ..., **kwargs) -> None: ...

class Limits(_message.Message):
    __slots__ = ("iterations", "time_seconds", "threads")
    ITERATIONS_FIELD_NUMBER: _ClassVar[int]
    TIME_SECONDS_FIELD_NUMBER: _ClassVar[int]
    THREADS_FIELD_NUMBER: _ClassVar[int]
    iterations: int
    time_seconds: float
    threads: int
    def __init__(self, iterations: _Optional[int] = ..., time_seconds: _Optional[float] = ..., threads: _Optional[int] = ...) -> None: ...

class StarsEstimate(_message.Message):
    __slots__ = ("mean", "spread")
    MEAN_FIELD_NUMBER: _ClassVar[int]
    SPREAD_FIELD_NUMBER: _ClassVar[int]
    mean: float
    spread: float
    def __init__(self, mean: _Optional[float] = ..., spread: _Optional[float] = ...) -> None: ...

class StarsOutlook(_message.Message):
    __slots__ = ("total", "area", "fires", "spirits", "bonuses", "fireflies")
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    AREA_FIELD_NUMBER: _ClassVar[int]
    FIRES_FIELD_NUMBER: _ClassVar[int]
    SPIRITS_FIELD_NUMBER: _ClassVar[int]
    BONUSES_FIELD_NUMBER: _ClassVar[int]
    FIREFLIES_FIELD_NUMBER: _ClassVar[int]
    total: StarsEstimate
    area: StarsEstimate
    fires: StarsEstimate
    spirits: StarsEstimate
    bonuses: StarsEstimate
    fireflies: StarsEstimate
    def __init__(self, total: _Optional[_Union[StarsEstimate, _Mapping]] = ..., area: _Optional[_Union[StarsEstimate, _Mapping]] = ..., fires: _Optional[_Union[StarsEstimate, _Mapping]] = ..., spirits: _Optional[_Union[StarsEstimate, _Mapping]] = ..., bonuses: _Optional[_Union[StarsEstimate, _Mapping]] = ..., fireflies: _Optional[_Union[StarsEstimate, _Mapping]] = ...) -> None: ...

class Outlook(_message.Message):
    __slots__ = ("samples", "you", "opponent", "lead", "hand_share")
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    YOU_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_FIELD_NUMBER: _ClassVar[int]
    LEAD_FIELD_NUMBER: _ClassVar[int]
    HAND_SHARE_FIELD_NUMBER: _ClassVar[int]
    samples: int
    you: StarsOutlook
    opponent: StarsOutlook
    lead: StarsEstimate
    hand_share: float
    def __init__(self, samples: _Optional[int] = ..., you: _Optional[_Union[StarsOutlook, _Mapping]] = ..., opponent: _Optional[_Union[StarsOutlook, _Mapping]] = ..., lead: _Optional[_Union[StarsEstimate, _Mapping]] = ..., hand_share: _Optional[float] = ...) -> None: ...

class MoveStatistics(_message.Message):
    __slots__ = ("move", "text", "visits", "win_probability", "standard_error", "available", "outlook", "expected_stars", "opponent_expected_stars")
    MOVE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    VISITS_FIELD_NUMBER: _ClassVar[int]
    WIN_PROBABILITY_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    AVAILABLE_FIELD_NUMBER: _ClassVar[int]
    OUTLOOK_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_STARS_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_EXPECTED_STARS_FIELD_NUMBER: _ClassVar[int]
    move: Move
    text: str
    visits: int
    win_probability: float
    standard_error: float
    available: int
    outlook: Outlook
    expected_stars: float
    opponent_expected_stars: float
    def __init__(self, move: _Optional[_Union[Move, _Mapping]] = ..., text: _Optional[str] = ..., visits: _Optional[int] = ..., win_probability: _Optional[float] = ..., standard_error: _Optional[float] = ..., available: _Optional[int] = ..., outlook: _Optional[_Union[Outlook, _Mapping]] = ..., expected_stars: _Optional[float] = ..., opponent_expected_stars: _Optional[float] = ...) -> None: ...

class Analysis(_message.Message):
    __slots__ = ("move", "text", "win_probability", "expected_stars", "opponent_expected_stars", "alternatives", "line", "iterations", "elapsed_seconds", "solved", "truncated", "seed", "reasons")
    MOVE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    WIN_PROBABILITY_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_STARS_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_EXPECTED_STARS_FIELD_NUMBER: _ClassVar[int]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    ITERATIONS_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SOLVED_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    move: Move
    text: str
    win_probability: float
    expected_stars: float
    opponent_expected_stars: float
    alternatives: _containers.RepeatedCompositeFieldContainer[MoveStatistics]
    line: _containers.RepeatedCompositeFieldContainer[Move]
    iterations: int
    elapsed_seconds: float
    solved: bool
    truncated: bool
    seed: int
    reasons: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, move: _Optional[_Union[Move, _Mapping]] = ..., text: _Optional[str] = ..., win_probability: _Optional[float] = ..., expected_stars: _Optional[float] = ..., opponent_expected_stars: _Optional[float] = ..., alternatives: _Optional[_Iterable[_Union[MoveStatistics, _Mapping]]] = ..., line: _Optional[_Iterable[_Union[Move, _Mapping]]] = ..., iterations: _Optional[int] = ..., elapsed_seconds: _Optional[float] = ..., solved: bool = ..., truncated: bool = ..., seed: _Optional[int] = ..., reasons: _Optional[_Iterable[str]] = ...) -> None: ...

class RecommendMoveRequest(_message.Message):
    __slots__ = ("observation", "limits", "seed", "level")
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    observation: Observation
    limits: Limits
    seed: int
    level: int
    def __init__(self, observation: _Optional[_Union[Observation, _Mapping]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., seed: _Optional[int] = ..., level: _Optional[int] = ...) -> None: ...

class RecommendMoveResponse(_message.Message):
    __slots__ = ("analysis",)
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    analysis: Analysis
    def __init__(self, analysis: _Optional[_Union[Analysis, _Mapping]] = ...) -> None: ...

class AnalyzePositionRequest(_message.Message):
    __slots__ = ("observation", "limits", "seed", "interval_seconds", "level")
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_SECONDS_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    observation: Observation
    limits: Limits
    seed: int
    interval_seconds: float
    level: int
    def __init__(self, observation: _Optional[_Union[Observation, _Mapping]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., seed: _Optional[int] = ..., interval_seconds: _Optional[float] = ..., level: _Optional[int] = ...) -> None: ...

class AnalyzePositionResponse(_message.Message):
    __slots__ = ("analysis", "final")
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    analysis: Analysis
    final: bool
    def __init__(self, analysis: _Optional[_Union[Analysis, _Mapping]] = ..., final: bool = ...) -> None: ...

class ListLegalMovesRequest(_message.Message):
    __slots__ = ("observation",)
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    observation: Observation
    def __init__(self, observation: _Optional[_Union[Observation, _Mapping]] = ...) -> None: ...

class LegalMove(_message.Message):
    __slots__ = ("move", "text")
    MOVE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    move: Move
    text: str
    def __init__(self, move: _Optional[_Union[Move, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class ListLegalMovesResponse(_message.Message):
    __slots__ = ("moves",)
    MOVES_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[LegalMove]
    def __init__(self, moves: _Optional[_Iterable[_Union[LegalMove, _Mapping]]] = ...) -> None: ...

class GetEngineInfoRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Level(_message.Message):
    __slots__ = ("number", "name", "description", "iterations", "overlooks", "elo")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ITERATIONS_FIELD_NUMBER: _ClassVar[int]
    OVERLOOKS_FIELD_NUMBER: _ClassVar[int]
    ELO_FIELD_NUMBER: _ClassVar[int]
    number: int
    name: str
    description: str
    iterations: int
    overlooks: float
    elo: int
    def __init__(self, number: _Optional[int] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., iterations: _Optional[int] = ..., overlooks: _Optional[float] = ..., elo: _Optional[int] = ...) -> None: ...

class GetEngineInfoResponse(_message.Message):
    __slots__ = ("version", "rules_version", "processor_level", "available_processor_levels", "search_slots", "max_iterations", "max_time_seconds", "default_time_seconds", "max_threads", "levels")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    PROCESSOR_LEVEL_FIELD_NUMBER: _ClassVar[int]
    AVAILABLE_PROCESSOR_LEVELS_FIELD_NUMBER: _ClassVar[int]
    SEARCH_SLOTS_FIELD_NUMBER: _ClassVar[int]
    MAX_ITERATIONS_FIELD_NUMBER: _ClassVar[int]
    MAX_TIME_SECONDS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_TIME_SECONDS_FIELD_NUMBER: _ClassVar[int]
    MAX_THREADS_FIELD_NUMBER: _ClassVar[int]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    version: str
    rules_version: str
    processor_level: str
    available_processor_levels: _containers.RepeatedScalarFieldContainer[str]
    search_slots: int
    max_iterations: int
    max_time_seconds: float
    default_time_seconds: float
    max_threads: int
    levels: _containers.RepeatedCompositeFieldContainer[Level]
    def __init__(self, version: _Optional[str] = ..., rules_version: _Optional[str] = ..., processor_level: _Optional[str] = ..., available_processor_levels: _Optional[_Iterable[str]] = ..., search_slots: _Optional[int] = ..., max_iterations: _Optional[int] = ..., max_time_seconds: _Optional[float] = ..., default_time_seconds: _Optional[float] = ..., max_threads: _Optional[int] = ..., levels: _Optional[_Iterable[_Union[Level, _Mapping]]] = ...) -> None: ...
