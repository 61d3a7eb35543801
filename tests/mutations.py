"""Random changes of an observation: one thing moved, dropped, repeated, renamed or miscounted."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from solstis_ai.observation import (
    EvilSpiritPlace,
    Observation,
    Panorama,
    QueueTile,
    SpiritOnSquare,
    Turn,
)
from solstis_ai.vocabulary import CELLS, SPIRITS, Phase, Rules

Tree = dict[str, Any]
"""An observation as dicts and lists."""


def mutated(observation: Observation, chance: random.Random, times: int = 1) -> Observation:
    """The observation after some random changes; most results are impossible, some are not."""
    tree = tree_of(observation)
    for _ in range(times):
        chance.choice(_MUTATIONS)(tree, chance)
    return observation_of_tree(tree)


def tree_of(observation: Observation) -> Tree:
    return {key: _thawed(value) for key, value in asdict(observation).items()}


def _thawed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _thawed(inner) for key, inner in value.items()}
    return [_thawed(inner) for inner in value] if isinstance(value, tuple) else value


def observation_of_tree(tree: Tree) -> Observation:
    parts = _frozen(tree)
    parts["rules"] = Rules(**tree["rules"])
    parts["queue"] = tuple(QueueTile(**place) for place in tree["queue"])
    parts["you"] = _panorama(tree["you"])
    parts["opponent"] = _panorama(tree["opponent"])
    parts["turn"] = Turn(**_frozen(tree["turn"]))
    return Observation(**parts)


def _frozen(node: Tree) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in node.items()}


def _panorama(tree: Tree) -> Panorama:
    return Panorama(
        tiles=tuple(tree["tiles"]),
        rainbows=tuple(tree["rainbows"]),
        spirits=tuple(SpiritOnSquare(**met) for met in tree["spirits"]),
        firefly_squares=tuple(tree["firefly_squares"]),
        evil_spirit_cell=tree["evil_spirit_cell"],
    )


def _nodes(tree: Tree) -> Iterator[Tree]:
    """All dicts of the tree, itself included."""
    yield tree
    for value in tree.values():
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                yield from _nodes(inner)


def _lists(tree: Tree) -> list[list[Any]]:
    return [value for node in _nodes(tree) for value in node.values() if isinstance(value, list)]


def _leaves(tree: Tree, kind: type) -> list[tuple[Tree, str]]:
    return [
        (node, key) for node in _nodes(tree) for key, value in node.items() if type(value) is kind
    ]


def _drop(tree: Tree, chance: random.Random) -> None:
    found = chance.choice([one for one in _lists(tree) if one])
    found.pop(chance.randrange(len(found)))


def _repeat(tree: Tree, chance: random.Random) -> None:
    found = chance.choice([one for one in _lists(tree) if one])
    found.append(chance.choice(found))


def _code_lists(tree: Tree) -> list[list[Any]]:
    """The lists that hold codes, not messages."""
    return [
        value
        for node in _nodes(tree)
        for key, value in node.items()
        if isinstance(value, list) and key not in ("queue", "spirits")
    ]


def _move(tree: Tree, chance: random.Random) -> None:
    source = chance.choice([one for one in _code_lists(tree) if one] or [["r1"]])
    target = chance.choice(_code_lists(tree))
    target.append(source.pop(chance.randrange(len(source))))


def _some_code(chance: random.Random) -> str:
    return chance.choice([chance.choice(CELLS), chance.choice(SPIRITS), "", "x9", "r11"])


def _add(tree: Tree, chance: random.Random) -> None:
    chance.choice(_code_lists(tree)).append(_some_code(chance))


def _rename(tree: Tree, chance: random.Random) -> None:
    node, key = chance.choice(_leaves(tree, str))
    node[key] = _some_code(chance)


def _rename_in_list(tree: Tree, chance: random.Random) -> None:
    found = chance.choice([one for one in _code_lists(tree) if one] or [["r1"]])
    found[chance.randrange(len(found))] = _some_code(chance)


def _miscount(tree: Tree, chance: random.Random) -> None:
    node, key = chance.choice(_leaves(tree, int))
    node[key] = chance.choice([node[key] - 1, node[key] + 1, -1, 0, 1, 48, 1 << 30])


def _toggle(tree: Tree, chance: random.Random) -> None:
    node, key = chance.choice(_leaves(tree, bool))
    node[key] = not node[key]


def _other_phase(tree: Tree, chance: random.Random) -> None:
    tree["phase"] = chance.choice(list(Phase))


def _other_place(tree: Tree, chance: random.Random) -> None:
    tree["evil_spirit"] = chance.choice(list(EvilSpiritPlace))


def _exchange(tree: Tree, _: random.Random) -> None:
    tree["you"], tree["opponent"] = tree["opponent"], tree["you"]


def _exchange_tile_with_the_unseen(tree: Tree, chance: random.Random) -> None:
    """Often possible: another tile in the hand."""
    if tree["your_hand"]:
        tree["your_hand"][0] = chance.choice(CELLS)


def _forget(tree: Tree, chance: random.Random) -> None:
    """Often possible: less is known of the opponent's hand."""
    tree[chance.choice(["opponent_known_tiles", "opponent_excluded_tiles"])] = []


def _draw_less(tree: Tree, chance: random.Random) -> None:
    """Often possible: a hand tile is in the deck instead, at the end."""
    if tree["your_hand"]:
        tree["your_hand"].pop(chance.randrange(len(tree["your_hand"])))
        tree["deck_size"] += 1


_MUTATIONS: tuple[Callable[[Tree, random.Random], None], ...] = (
    _drop,
    _repeat,
    _move,
    _add,
    _rename,
    _rename_in_list,
    _miscount,
    _toggle,
    _other_phase,
    _other_place,
    _exchange,
    _exchange_tile_with_the_unseen,
    _forget,
    _draw_less,
)
