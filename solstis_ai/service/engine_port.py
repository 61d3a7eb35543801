"""What the service asks of an engine; the module ``solstis_ai.engine`` fits it."""

from __future__ import annotations

from typing import Protocol

from solstis_ai.observation import Observation
from solstis_ai.search.types import Analysis, Limits, SearchConfig
from solstis_ai.vocabulary import Move

__all__ = ["Engine", "RunningSearch"]


class RunningSearch(Protocol):
    """One search that can be resumed, stopped and asked at any time between runs."""

    @property
    def forced(self) -> bool:
        """Whether there is only one legal move."""
        ...

    def settle(self) -> bool:
        """Find an answer that takes no time worth mention; whether there is one, then final."""
        ...

    def run(self, max_seconds: float | None = None) -> bool:
        """Search until the limits, ``stop`` or ``max_seconds``; True at the limits."""
        ...

    def stop(self) -> None:
        """End the run under way and every later one at once; callable from any thread."""
        ...

    def analysis(self) -> Analysis:
        """The answer so far; legal even before the first run."""
        ...


class Engine(Protocol):
    """A player of Solstis, without any state between calls."""

    RULES_VERSION: str

    def legal_moves(self, observation: Observation) -> list[Move]:
        """All legal moves, sorted by their words; raises InvalidObservationError."""
        ...

    def Search(  # noqa: N802 - a class in solstis_ai.engine
        self,
        observation: Observation,
        limits: Limits,
        seed: int | None = None,
        config: SearchConfig | None = None,
    ) -> RunningSearch:
        """Begin a search; raises FieldError for a bad observation, limit or seed."""
        ...

    def processor_level(self) -> str:
        """Processor level of the kernels in use."""
        ...

    def available_processor_levels(self) -> list[str]:
        """Processor levels that this build contains and this machine can run."""
        ...
