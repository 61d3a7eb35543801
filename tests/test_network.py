"""The network that judges positions: features, arithmetic, and where it comes from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_games import VARIANTS, decisions

from solstis_ai import bridge
from solstis_ai._fast import ChanceFeed, GameState
from solstis_ai.engine import recommend
from solstis_ai.errors import InvalidSearchError
from solstis_ai.game import Game
from solstis_ai.search import weights
from solstis_ai.search.evaluator import POLICY_SHAPE, SHAPE, SPIRIT_SHAPE, Evaluator
from solstis_ai.search.searcher import Searcher
from solstis_ai.search.types import NETWORK_ITERATIONS, Evaluation, Limits, SearchConfig
from solstis_ai.search.weights import evaluator_for, read_evaluator
from solstis_ai.vocabulary import Rules

FEATURES, HIDDEN, BUCKETS = SHAPE
variants = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
NAMES = {False: "base", True: "fireflies"}


def arrays(rules: Rules) -> dict[str, np.ndarray[Any, Any]]:
    """The weights of the package."""
    place = resources.files("solstis_ai.search") / f"network_{NAMES[rules.fireflies]}.npz"
    with resources.as_file(place) as path, np.load(path) as file:
        return dict(file)


def states(seed: int, rules: Rules) -> Iterator[GameState]:
    """The states of a random game in which somebody decides."""
    for game in decisions(seed, rules):
        yield bridge.state_of_position(game.position())


def judged(weights: dict[str, np.ndarray[Any, Any]], present: list[int], deck: int) -> float:
    """The judgement of a network, in floating point."""
    rows = weights["rows"].astype(float)
    hidden = np.clip(weights["bias"] + rows[present].sum(axis=0), 0, 255) / 255
    bucket = (deck + 3) // 4
    logit = (
        hidden @ (weights["output"][bucket] / 512.0) + weights["output_bias"][bucket] / 512 / 255
    )
    return float(1 / (1 + np.exp(-logit)))


@variants
def test_integers_judge_as_floating_point_does(rules: Rules) -> None:
    weights, evaluator = arrays(rules), evaluator_for(rules)
    seen = set()
    for state in states(3, rules):
        expected = judged(weights, state.features(), state.fields()["deck_size"])
        assert evaluator.judge(state) == pytest.approx(expected, abs=0.003)
        seen.add(round(expected, 2))
    assert len(seen) > 10


def mirrored_cells(board: int) -> int:
    """A set of cells on the mountain seen in a mirror."""
    return sum(
        1 << 11 * row + 9 - column
        for row in range(6)
        for column in range(10)
        if board >> 11 * row + column & 1
    )


@variants
def test_features_tell_both_sides_alike(rules: Rules) -> None:
    """The words of one side are those of the other when the sides are exchanged."""
    for state in states(4, rules):
        fields = state.fields()
        if fields["phase"] != 0 or fields["forced"] != 63:
            continue
        fields["sides"] = fields["sides"][::-1]
        fields["mover"] ^= 1
        fields["evil"] = {2: 3, 3: 2}.get(fields["evil"], fields["evil"])
        assert GameState.from_fields(fields).features() == state.features()


@variants
def test_features_of_cells_are_those_of_the_mirrored_mountain(rules: Rules) -> None:
    """Tiles, hands and queue: words of cells, mirrored, are those of the mirrored game."""
    for state in states(5, rules):
        fields = state.fields()
        if fields["phase"] != 0 or fields["forced"] != 63:
            continue
        for side in fields["sides"]:
            for name in ("tiles", "rainbows", "hand", "known", "excluded", "evil_cell"):
                side[name] = mirrored_cells(side[name])
        for name in ("pool", "queue", "covering"):
            fields[name] = mirrored_cells(fields[name])
        for side in fields["sides"]:  # a square is named by its left cell
            for name in ("spirit_squares", "firefly_squares"):
                side[name] = mirrored_cells(side[name]) >> 1
        fields["square_of"] = {
            spirit: mirrored_cells(1 << square).bit_length() - 2
            for spirit, square in fields["square_of"].items()
        }
        mirrored = GameState.from_fields(fields).features()
        assert sorted(map(word_of, mirrored)) == sorted(map(word_of, state.features()))


def word_of(feature: int) -> int:
    """The word that a feature is in."""
    return feature // 64


def test_every_feature_word_occurs() -> None:
    """No word is dead: each is present somewhere in random games."""
    words = {
        word_of(feature)
        for seed in range(12)
        for rules in (Rules(), Rules(fireflies=True))
        for state in states(seed, rules)
        for feature in state.features()
    }
    assert words == set(range(FEATURES // 64))


def test_the_network_knows_who_is_ahead() -> None:
    """Judgements of late positions agree with the results of random games more often than not."""
    agreed = total = 0
    for seed in range(60):
        game = Game(seed=seed)
        chooser = random.Random(seed)
        while not game.over and game.position().deck_size > 4:
            game.push(chooser.choice(list(game.legal_moves)))
        if game.over:
            continue
        player = game.player
        chance = evaluator_for(game.rules).judge(bridge.state_of_position(game.position()))
        while not game.over:
            game.push(chooser.choice(list(game.legal_moves)))
        if game.winner is not None and abs(chance - 0.5) > 0.2:
            total += 1
            agreed += (game.winner == player) == (chance > 0.5)
    assert total > 20
    assert agreed > 0.7 * total


@variants
def test_what_the_mover_knows_is_what_its_observation_tells(rules: Rules) -> None:
    """Games of the search against itself search from the same knowledge as a service does."""
    for game in decisions(8, rules):
        state = bridge.state_of_position(game.position())
        told = bridge.knowledge_of_observation(game.observation(game.player))
        for seed in range(3):
            found = state.known_to_mover().sample(ChanceFeed.random(seed)).fields()
            expected = told.sample(ChanceFeed.random(seed)).fields()
            assert found == expected


@pytest.mark.parametrize("name", ["cell", "capture", "spirit"])
def test_each_table_of_the_policy_changes_the_search(name: str) -> None:
    """Leaves are judged after the policy has ended their turn."""
    parts = ("rows", "bias", "output", "output_bias", "cell", "capture", "spirit")
    other = arrays(Rules())
    other[name] = np.ones_like(other[name])
    changed = 0
    for game in islice(decisions(3, Rules()), None, None, 5):
        knowledge = bridge.knowledge_of_observation(game.observation(game.player))
        signatures = set()
        for evaluator in (evaluator_for(Rules()), Evaluator(*(other[part] for part in parts))):
            tree = Searcher(knowledge, 1, 0, 0.4, evaluator, 2, 10_000, 300)
            tree.run(300, -1.0, -1.0)
            signatures.add(tree.signature)
        changed += len(signatures) == 2
    assert changed > 3


# ---- as an option


def test_evaluations_and_lookahead_change_the_search() -> None:
    seen = Game(seed=5).observation(0)
    configs = [
        SearchConfig(),
        SearchConfig(evaluation=Evaluation.PLAYOUTS),
        SearchConfig(lookahead=0),
        SearchConfig(exploration=0.2),
    ]
    limits = Limits(iterations=NETWORK_ITERATIONS)
    answers = {recommend(seen, limits, config=config).alternatives for config in configs}
    assert len(answers) == len(configs)


def test_the_network_is_taken_where_few_iterations_are_asked_for() -> None:
    seen = Game(seed=5).observation(0)
    for iterations, evaluation in [
        (NETWORK_ITERATIONS, Evaluation.NETWORK),
        (NETWORK_ITERATIONS + 1, Evaluation.PLAYOUTS),
    ]:
        limits = Limits(iterations=iterations)
        told = recommend(seen, limits, config=SearchConfig(evaluation=evaluation))
        assert recommend(seen, limits).alternatives == told.alternatives
    config = SearchConfig()
    assert config.evaluation_within(Limits(time_seconds=0.001)) is Evaluation.PLAYOUTS


def test_playouts_have_no_lookahead() -> None:
    seen = Game(seed=5).observation(0)
    one, two = (
        recommend(
            seen,
            Limits(iterations=500),
            config=SearchConfig(evaluation=Evaluation.PLAYOUTS, lookahead=lookahead),
        )
        for lookahead in (0, 9)
    )
    assert one.alternatives == two.alternatives


@pytest.mark.parametrize("lookahead", [-1, 101, 1.5, True])
def test_a_lookahead_out_of_range_is_refused(lookahead: int) -> None:
    with pytest.raises(InvalidSearchError, match=r"config\.lookahead"):
        SearchConfig(lookahead=lookahead)


@pytest.mark.parametrize("name", ["rows", "bias", "output", "output_bias", "cell", "spirit"])
def test_weights_of_another_shape_are_refused(name: str) -> None:
    wrong = arrays(Rules())
    wrong[name] = np.ascontiguousarray(wrong[name][:-1])
    order = ("rows", "bias", "output", "output_bias", "cell", "capture", "spirit")
    with pytest.raises(ValueError, match=name):
        Evaluator(*(wrong[part] for part in order))


def test_networks_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    weights._packaged.cache_clear()
    weights.warm_up()

    def refuse(path: Path) -> Evaluator:
        raise AssertionError(f"{path} is read again")

    monkeypatch.setattr(weights, "read_evaluator", refuse)
    for rules in VARIANTS.values():
        assert evaluator_for(rules) is evaluator_for(rules)


def test_weights_come_from_files(tmp_path: Path) -> None:
    path = tmp_path / "zero.npz"
    np.savez(
        path,
        rows=np.zeros((FEATURES, HIDDEN), np.int16),
        bias=np.zeros(HIDDEN, np.int16),
        output=np.zeros((BUCKETS, HIDDEN), np.int16),
        output_bias=np.zeros(BUCKETS, np.int32),
        cell=np.ones(POLICY_SHAPE, np.float32),
        capture=np.ones(POLICY_SHAPE, np.float32),
        spirit=np.ones(SPIRIT_SHAPE, np.float32),
    )
    state = next(states(1, Rules()))
    assert read_evaluator(path).judge(state) == pytest.approx(0.5, abs=0.002)
