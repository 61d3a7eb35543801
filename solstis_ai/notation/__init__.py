"""One line of text for a whole observation or position, and the words of chance events.

The lines are made for logs and bug reports, as FEN is for chess: fields ``key=value`` after a
first word with the version. ``docs/notation.md`` documents them. Moves have their words in
``solstis_ai.vocabulary.Move``. Reading checks words and numbers, not rules; that is the work of
``solstis_ai.validation``.
"""

from solstis_ai.notation.chance import ChanceEvent, ChanceKind, format_chance, parse_chance
from solstis_ai.notation.reading import parse_observation, parse_position
from solstis_ai.notation.seen import SeenEvent, SeenKind, format_seen, parse_seen
from solstis_ai.notation.writing import format_observation, format_position

__all__ = [
    "ChanceEvent",
    "ChanceKind",
    "SeenEvent",
    "SeenKind",
    "format_chance",
    "format_observation",
    "format_position",
    "format_seen",
    "parse_chance",
    "parse_observation",
    "parse_position",
    "parse_seen",
]
