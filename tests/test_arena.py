import json
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from solstis_ai import benchmark
from solstis_ai.arena import (
    GameResult,
    Match,
    PairResult,
    Sprt,
    elo,
    expected_score,
    play_match,
    play_pair,
    summarize,
)
from solstis_ai.cli import main
from solstis_ai.errors import ArenaError, PlayerSpecError
from solstis_ai.match_files import Record, read_seeds, write_pair
from solstis_ai.vocabulary import Rules

MATCH = Match("search:iterations=30", "random", Rules(), range(1, 5))


def pair(seed: int, *points: float) -> PairResult:
    first, second = (
        GameResult(value, (20, 10), begins, (10, 12), (100, 0), (0.5, 0.25))
        for value, begins in zip(points, (True, False), strict=True)
    )
    return PairResult(seed, (first, second))


def without_time(results: Sequence[PairResult]) -> list[object]:
    return [
        (result.seed, [(game.points, game.stars, game.iterations) for game in result.games])
        for result in results
    ]


def test_a_pair_is_one_deal_with_seats_swapped() -> None:
    result = play_pair(Match("random", "random", Rules(), [3]), 3)
    first, second = result.games
    assert (first.a_began, second.a_began) == (True, False)
    # The same random players meet the same deal, so that the same seat wins both games.
    assert first.points == 1 - second.points
    assert first.stars == second.stars[::-1]


def test_the_same_seeds_give_the_same_pairs_for_any_number_of_workers() -> None:
    one, two = (list(play_match(MATCH, workers=workers)) for workers in (1, 2))
    assert without_time(one) == without_time(two)
    assert [result.seed for result in one] == [1, 2, 3, 4]


def test_a_summary_counts_from_pairs() -> None:
    summary = summarize([pair(1, 1.0, 1.0), pair(2, 1.0, 0.0), pair(3, 0.5, 0.0), pair(4, 1, 0.5)])
    assert summary.pairs == 4
    assert summary.score == pytest.approx(5 / 8)
    assert (summary.wins, summary.draws, summary.losses) == (4, 2, 2)
    deviation = math.sqrt(sum((x - 0.625) ** 2 for x in (1, 0.5, 0.25, 0.75)) / 3)
    assert summary.score_range[0] == pytest.approx(0.625 - 1.959964 * deviation / 2)
    assert summary.stars == (20, 10)
    assert summary.first_player_score == pytest.approx((3.5 + (4 - 1.5)) / 8)
    assert summary.iterations_per_decision == (10, 0)
    assert summary.seconds_per_decision == pytest.approx((0.05, 0.25 / 12))


@pytest.mark.parametrize(
    ("points", "interval"),
    [
        ((1.0, 1.0), (0.9, 1.0)),
        ((1.0, 0.0), (0.45, 0.55)),
        ((0.5, 0.0), (0.225, 0.325)),
        ((0.0, 0.0), (0.0, 0.1)),
    ],
)
def test_pairs_that_are_all_alike_still_have_an_interval(
    points: tuple[float, float], interval: tuple[float, float]
) -> None:
    summary = summarize([pair(n, *points) for n in range(30)])
    assert summary.score_range == pytest.approx(interval)
    assert summarize([pair(1, *points)]).score_range == (0.0, 1.0)


def test_elo_and_score_are_inverse() -> None:
    assert elo(0.75) == pytest.approx(190.8, abs=0.1)
    assert expected_score(elo(0.6)) == pytest.approx(0.6)


@pytest.mark.parametrize(("share", "verdict"), [(0.7, "high"), (0.45, "low")])
def test_sprt_decides_for_the_right_side(share: float, verdict: str) -> None:
    wins = int(share * 400)
    scores = np.random.default_rng(1).permutation([1.0] * wins + [0.0] * (400 - wins))
    assert Sprt(0, 30).verdict(list(scores)) == verdict


def test_sprt_waits_for_evidence() -> None:
    assert Sprt(0, 30).verdict([0.5, 1.0, 0.5, 0.0]) is None


def test_sprt_is_not_fooled_by_a_few_pairs_that_end_alike() -> None:
    for score in (0.0, 0.5, 1.0):
        assert Sprt(0, 100).decided([score] * 9) is None


PAIRS_ALIKE: dict[str, Callable[[float], tuple[float, float, float]]] = {
    "independent games": lambda share: ((1 - share) ** 2, 2 * share * (1 - share), share**2),
    "most pairs split": lambda share: (0.7 - share, 0.6, share - 0.3),
}


@pytest.mark.parametrize("kind", PAIRS_ALIKE)
@pytest.mark.parametrize(("low", "high"), [(0, 50), (0, 100), (-30, 30)])
def test_sprt_errs_as_rarely_as_it_says(kind: str, low: float, high: float) -> None:
    """By simulation: 400 matches at each end, with room for chance and for the last step."""
    random = np.random.default_rng(1)
    for truth, wrong in ((low, "high"), (high, "low")):
        odds = PAIRS_ALIKE[kind](expected_score(truth))
        scores = random.choice([0.0, 0.5, 1.0], size=(400, 3000), p=odds)
        verdicts = [Sprt(low, high).verdict(row) for row in scores]
        assert verdicts.count(None) == 0
        assert verdicts.count(wrong) < 0.09 * len(verdicts)


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (-math.inf, math.inf, "-inf is no Elo difference from -10000 to 10000"),
        (0, math.inf, "inf is no Elo difference"),
        (math.nan, 10, "nan is no Elo difference"),
        (-1e6, 10, "-1e+06 is no Elo difference"),
        (30, 0, "the lower difference, 30, is not below the higher, 0"),
        (5, 5, "the lower difference, 5, is not below the higher, 5"),
    ],
)
def test_sprt_of_what_is_no_difference_is_refused(low: float, high: float, told: str) -> None:
    with pytest.raises(ArenaError, match=re.escape(told)):
        Sprt(low, high)
    arguments = ["arena", "random", "random", "--sprt", str(low), str(high)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "Invalid value for '--sprt'" in result.output
    assert told in result.output


def test_the_widest_sprt_decides() -> None:
    assert Sprt(-10_000, 10_000).verdict([1.0] * 20) == "high"


@pytest.mark.parametrize("error", [0.0, 0.5, math.nan])
def test_sprt_needs_an_error_that_can_be_one(error: float) -> None:
    with pytest.raises(ArenaError, match=r"is not between 0 and 0\.5"):
        Sprt(0, 10, error)


def test_sprt_ends_a_match_early() -> None:
    match = Match("search:iterations=100", "random", Rules(), range(200))
    played = list(play_match(match, workers=2, sprt=Sprt(0, 200)))
    assert len(played) < 60


def test_a_match_on_file_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    whole = list(play_match(MATCH, workers=1))
    with Record(path, MATCH).open() as file:
        for result in whole[:2]:
            write_pair(file, result)
    with path.open("a") as file:
        file.write('{"seed": 3, "games": [')  # cut off in the middle of a line
    record = Record(path, MATCH)
    done = record.read()
    assert done == whole[:2]
    rest = list(play_match(MATCH, workers=1, done=done))
    assert [result.seed for result in rest] == [3, 4]
    with record.open() as file:
        for result in rest:
            write_pair(file, result)
    assert without_time(Record(path, MATCH).read()) == without_time(whole)


def test_pairs_of_a_level_that_was_defined_anew_are_refused(tmp_path: Path) -> None:
    path, match = tmp_path / "match.jsonl", Match("level:5", "level:moonlight", Rules(), [1])
    Record(path, match).open().close()
    assert Record(path, match).read() == []
    path.write_text(path.read_text().replace('"overlooks": 0.485', '"overlooks": 0.487', 1))
    with pytest.raises(ArenaError, match="another match"):
        Record(path, match).read()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"version": "', '"version": "0.0.', "begun with version 0.0."),
        ('"playouts": "', '"playouts": "f', "begun with another search of "),
        ('"engine"', '"motor"', "another match"),
        (', "engine": {', ', "engine": [], "was": {', "another match"),
    ],
)
def test_pairs_of_another_engine_are_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = tmp_path / "match.jsonl"
    Record(path, MATCH).open().close()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(ArenaError, match=re.escape(told)):
        Record(path, MATCH).read()


def test_a_record_without_an_engine_is_refused_with_a_way_out(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    Record(path, MATCH).open().close()
    header = json.loads(path.read_text())
    del header["engine"]
    path.write_text(json.dumps(header) + "\n")
    arguments = ["arena", MATCH.first, MATCH.second, "--pairs", "1", "--output", str(path)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "begun with an engine that it does not name" in result.output
    assert "name another file to begin anew" in result.output


def test_a_record_names_what_the_search_of_its_rules_computes(tmp_path: Path) -> None:
    """Two variants have different signatures; each record has those of its own."""
    searches = []
    for number, rules in enumerate((Rules(), Rules(fireflies=True), Rules(evil_spirit=False))):
        path = tmp_path / f"{number}.jsonl"
        Record(path, Match("random", "random", rules, [1])).open().close()
        searches.append(json.loads(path.read_text())["engine"]["searches"])
    for number, variant in enumerate(benchmark.VARIANTS):
        assert {
            evaluation: int(signature, 16) for evaluation, signature in searches[number].items()
        } == {
            str(evaluation): signatures[variant]
            for evaluation, signatures in benchmark.SEARCH_SIGNATURES.items()
        }


def test_progress_counts_the_pairs_of_this_match_alone(tmp_path: Path) -> None:
    path = str(tmp_path / "match.jsonl")
    arguments = ["arena", "random", "random", "--workers", "1", "--output", path]
    CliRunner().invoke(main, [*arguments, "--pairs", "5"])
    shown = {"FORCE_COLOR": "1", "COLUMNS": "200"}  # as on a terminal
    result = CliRunner().invoke(main, [*arguments, "--seed", "5", "--pairs", "3"], env=shown)
    counts = re.findall(r"\d+/\d+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", result.stderr))
    assert (counts[0], counts[-1]) == ("1/3", "3/3")
    assert "pairs             3 (6 games)" in result.stdout


def test_a_record_that_cannot_be_written_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"match\.jsonl cannot be written: No such file"):
        Record(tmp_path / "nowhere" / "match.jsonl", MATCH).open()


def test_the_file_of_another_match_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    Record(path, MATCH).open().close()
    with pytest.raises(ArenaError, match="another match"):
        Record(path, Match("random", "random", Rules(), [1])).read()


@pytest.mark.parametrize("line", ["no JSON", "[]", '{"seed": 1}', '{"seed": 1, "games": [{}, {}]}'])
def test_a_broken_file_is_an_error_with_its_name(tmp_path: Path, line: str) -> None:
    path = tmp_path / "match.jsonl"
    Record(path, MATCH).open().close()
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(ArenaError, match=r"match\.jsonl"):
        Record(path, MATCH).read()


def test_seeds_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "seeds.txt"
    path.write_text("7\n9\n")
    assert read_seeds(path) == [7, 9]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("7\n\n7\n", "line 3: seed 7 is in line 1 too"),
        ("1\nseven\n", "line 2: 'seven' is no seed"),
        ("-1\n", "line 1: '-1' is no seed"),
        ("1 2\n", "line 1: '1 2' is no seed"),
        ("9" * 5000, "line 1: '9999"),
        ("\n", "there is no seed in this file"),
    ],
)
def test_a_file_of_seeds_is_refused_by_its_line(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "seeds.txt"
    path.write_text(text)
    with pytest.raises(ArenaError, match=error):
        read_seeds(path)


def test_a_match_needs_players_and_deals() -> None:
    with pytest.raises(PlayerSpecError):
        Match("random", "nobody", Rules(), [1])
    with pytest.raises(ArenaError):
        Match("random", "random", Rules(), [])


def test_the_command_prints_figures_and_json(tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("1\n2\n3\n")
    arguments = ["arena", "search:iterations=50", "random", "--seeds", str(seeds), "--workers", "1"]
    text = CliRunner().invoke(main, arguments).output
    assert "pairs             3 (6 games)" in text
    fields = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).output)
    assert fields["pairs"] == 3
    assert fields["iterations_per_decision"][0] == 50
    assert (fields["a"], fields["b"]) == ("search:iterations=50", "random")
    assert (fields["seeds"], fields["sprt"]) == ([1, 2, 3], None)


@pytest.mark.parametrize("option", ["--pairs", "--seed"])
def test_a_file_of_seeds_names_all_deals(tmp_path: Path, option: str) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("1\n")
    arguments = ["arena", "random", "random", "--seeds", str(seeds), option, "3"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert f"leave out {option}" in result.output


def test_a_player_needs_a_seed_that_can_be_one() -> None:
    result = CliRunner().invoke(main, ["arena", "random:seed=-1", "random"])
    assert result.exit_code == 1
    assert "-1 is no seed" in result.output


def test_nothing_has_no_minus_sign(tmp_path: Path) -> None:
    """Half a point less in a thousand pairs is a difference of +0."""
    path, seeds = tmp_path / "match.jsonl", range(1, 1001)
    with Record(path, Match("random", "random", Rules(), seeds)).open() as file:
        for seed in seeds:
            write_pair(file, pair(seed, 0.5 if seed == 1 else 1.0, 0.0))
    arguments = ["arena", "random", "random", "--pairs", "1000", "--output", str(path)]
    assert "Elo of A over B   +0  (" in CliRunner().invoke(main, arguments).output


def test_the_command_plays_the_variants() -> None:
    def stars(*options: str) -> object:
        arguments = ["arena", "random", "random", "--pairs", "2", "--json", *options]
        return json.loads(CliRunner().invoke(main, arguments).output)["stars"]

    assert len({str(stars(*options)) for options in [(), ("--fireflies",), ("--seed", "9")]}) == 3


def test_the_command_tells_the_verdict_of_sprt() -> None:
    arguments = ["arena", "search:iterations=100", "random", "--sprt", "0", "200", "--pairs", "90"]
    assert "+200 Elo accepted" in CliRunner().invoke(main, arguments).output
    found = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).output)
    assert found["sprt"] == {"low": 0, "high": 200, "accepted": 200}


def test_sprt_of_a_match_on_file_ends_with_the_pair_that_decides(tmp_path: Path) -> None:
    path = str(tmp_path / "match.jsonl")
    arguments = ["arena", "search:iterations=100", "random", "--pairs", "60", "--json"]
    test = ["--sprt", "0", "200"]
    fresh = json.loads(CliRunner().invoke(main, [*arguments, *test]).output)
    CliRunner().invoke(main, [*arguments, "--output", path])
    resumed = json.loads(CliRunner().invoke(main, [*arguments, *test, "--output", path]).output)
    assert fresh["pairs"] < 60
    assert resumed["seeds"] == fresh["seeds"]
    assert (resumed["score"], resumed["sprt"]) == (fresh["score"], fresh["sprt"])


def test_the_command_tells_a_wrong_player_in_one_line() -> None:
    result = CliRunner().invoke(main, ["arena", "random", "nobody"])
    assert result.exit_code == 1
    assert result.output.startswith("Error: player 'nobody'")
