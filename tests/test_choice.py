"""What is made of a finished search: the choice, its errors, and the rest of the turn."""

from __future__ import annotations

import math

import pytest
from random_games import game_after

from solstis_ai import bridge
from solstis_ai._fast import ChanceFeed
from solstis_ai.engine import Search, recommend
from solstis_ai.notation import parse_observation
from solstis_ai.players import TEXTBOOK, player_from_spec
from solstis_ai.search.searcher import WIN_REWARD
from solstis_ai.search.types import Evaluation, Limits, SearchConfig
from solstis_ai.vocabulary import Move, MoveKind

_GAME = game_after(11, 32)
MIDGAME = _GAME.observation(_GAME.player)
"""A play of three tiles in the middle of a base game."""

FOUND_LATE = parse_observation(
    "solstis-observation/1 rules=base phase=play deck=1 queue=r3,b9 you.hand=r7,o7,p5"
    " you.tiles=r1,r8,r10,o2,o3,o10,g1,g2,g3,g4,g5,g7,g8,g10,b3,b7,b8,k6,k7,p7 you.rainbows=b4"
    " you.spirits=fly@o2,beetle@g3 opponent.hand=4"
    " opponent.tiles=r2,r4,r5,r6,o1,o4,o5,o6,g6,b2,b4,b5,b6,k3,k4,k5,p4,p6 opponent.rainbows=o7"
    " opponent.spirits=moth@b4,bear@r5 spirit_deck=7 line=ladybug,bird,frog,fish"
)
"""A search of 20,000 iterations looks at o7 most often before it finds how to go on after p5."""


def test_a_clearly_better_move_overtakes_the_most_visited_one() -> None:
    search = Search(FOUND_LATE, Limits(iterations=20_000))
    search.run()
    answer = search.analysis()
    first, second = answer.alternatives[:2]
    assert (
        answer.move == first.move == answer.line[0] == search.best_move() == Move.parse("play p5")
    )
    assert first.visits < second.visits
    assert first.win_probability > second.win_probability + 0.05
    truth = recommend(FOUND_LATE, Limits(iterations=300_000)).alternatives
    assert truth[0].move == first.move
    assert truth[0].visits == max(row.visits for row in truth)


def test_most_visits_decide_as_published() -> None:
    rows = recommend(FOUND_LATE, Limits(iterations=20_000), config=TEXTBOOK).alternatives
    assert rows[0].move == Move.parse("play o7")
    assert [row.visits for row in rows] == sorted((row.visits for row in rows), reverse=True)


@pytest.mark.parametrize(
    ("visits", "share", "overtakes"),
    [(100, 1.0, True), (99, 1.0, False), (999, 0.57, True), (999, 0.56, False), (5, 0.0, False)],
)
def test_what_overtakes(visits: int, share: float, overtakes: bool) -> None:
    """From a tenth of the visits and three standard errors on."""
    search = Search(FOUND_LATE, Limits(iterations=20_000))
    most, other = (
        [n, n, round(n * part * WIN_REWARD)] for n, part in ((1000, 0.5), (visits, share))
    )
    assert search._ranking([most, other, [1, 1, 0]]) == ([1, 0, 2] if overtakes else [0, 1, 2])


def test_players_can_be_kept_from_overtaking() -> None:
    for spec, move in (("search", "play p5"), ("search:overtaking=0", "play o7")):
        player = player_from_spec(f"{spec}{',' if ':' in spec else ':'}iterations=20000")
        assert player.choose(FOUND_LATE).move == Move.parse(move)


def test_judgements_lie_closer_together_than_results() -> None:
    errors = []
    for evaluation in Evaluation:
        config = SearchConfig(evaluation=evaluation)
        best = recommend(MIDGAME, Limits(iterations=2_000), 1, config).alternatives[0]
        share = best.win_probability
        errors.append(best.standard_error / math.sqrt(share * (1 - share) / best.visits))
    network, playouts = errors
    assert network == pytest.approx(0.5, rel=0.02)
    assert playouts == pytest.approx(1.0, rel=0.02)


FOX = parse_observation(
    "solstis-observation/1 rules=fireflies phase=meet_drawn deck=11 queue=r10,k3,p4 you.hand=g6,p6"
    " you.tiles=r1,r2,r4,o2,o4,o9,g1,g2,g3,g8,b2,b3,b4,b5,b7,p7 opponent.hand=3"
    " opponent.tiles=r5,r6,r8,o5,o6,o7,o8,g9,b6,b9,k5,k6,k7 opponent.rainbows=o4,g6"
    " opponent.spirits=eagle@r5 spirit_deck=15 line=beetle turn.filled=g2,g8"
    " turn.spirits=viper,fox"
)
"""The fox would show a hand of which nothing is known."""


def test_the_line_forces_no_tile_that_the_seat_has_not_seen() -> None:
    for seed in range(4):
        search = Search(FOX, Limits(iterations=3_000), seed)
        search.run()
        for row in search.analysis().alternatives:
            line = search._line(bridge.move_to_code(row.move, 0))
            assert all(bridge.move_from_code(code).kind is not MoveKind.FORCE for code in line)


CERTAIN = parse_observation(
    "solstis-observation/1 rules=fireflies phase=meet_drawn deck=0 queue=b8 you.hand=r7,o8"
    " you.tiles=r1,r2,r5,r6,o2,o3,o9,o10,g1,g2,g6,b2,b4,b9,k4,k5,k6,k7,p6,p7 you.rainbows=b3"
    " opponent.hand=3 opponent.tiles=r3,r4,r8,r9,r10,o1,o6,g3,g4,g5,g7,g8,g9,g10,b3,b5,b6,b7,k3,"
    "k8,p4,p5 spirit_deck=17 turn.filled=k7,p7 turn.spirits=eagle,fox"
)
"""The deck is empty, so the tiles that lie nowhere are the other hand."""


def test_the_line_forces_a_tile_of_a_hand_that_is_certain() -> None:
    config = SearchConfig(endgame=False)
    search = Search(CERTAIN, Limits(iterations=3_000), 1, config)
    search.run()
    [meet] = [row.move for row in search.analysis().alternatives if row.move.target == "fox"]
    forced = bridge.move_from_code(search._line(bridge.move_to_code(meet, 0))[1])
    assert forced.kind is MoveKind.FORCE
    fields = bridge.knowledge_of_observation(CERTAIN).sample(ChanceFeed.random(1)).fields()
    assert forced.target in bridge.codes(fields["sides"][1]["hand"])
