"""The replay of recorded games, and that it notices what is wrong with a record."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from solstis_ai.cli import main
from solstis_ai.errors import RecordedGameError
from solstis_ai.recorded import MismatchError, read_games, replay, replay_files

DATA = sorted((Path(__file__).parent / "data").glob("recorded_*.jsonl"))
ALL_RECORDED = Path(__file__).parents[2] / "shared" / "conformance"

Record = dict[str, Any]

RECORD: Record = next(read_games(DATA[0]))
FIREFLIES = list(read_games(DATA[1]))


def test_the_recorded_games_here() -> None:
    report = replay_files(DATA)
    assert (report.games, report.events, report.mismatches) == (14, 885, ())


@pytest.mark.skipif(not ALL_RECORDED.is_dir(), reason="the complete recorded games are not here")
def test_all_recorded_games() -> None:
    report = replay_files(sorted(ALL_RECORDED.glob("*.jsonl")))
    assert (report.games, report.events, report.mismatches) == (330, 19639, ())


def test_replay_counts_events() -> None:
    assert replay(RECORD) == len(RECORD["events"])


# ---- planted errors

Plant = Callable[[Record], object]


def _event(record: Record, number: int) -> Record:
    event: Record = record["events"][number]
    return event


def _first_with_chance(record: Record, word: str) -> int:
    return next(
        number
        for number, event in enumerate(record["events"])
        if any(chance.startswith(word) for chance in event["chance"])
    )


def _planted(plant: Plant, record: Record = RECORD) -> Record:
    changed = copy.deepcopy(record)
    plant(changed)
    return changed


def _mismatch(record: Record) -> MismatchError:
    with pytest.raises(MismatchError) as caught:
        replay(record)
    assert caught.value.game == record["id"]
    assert str(caught.value).startswith(f"game {record['id']}, event {caught.value.where}: ")
    return caught.value


def test_a_missing_legal_decision() -> None:
    found = _mismatch(_planted(lambda it: _event(it, 3)["legal"].pop()))
    assert found.where == "3"
    assert found.expected == RECORD["events"][3]["legal"][:-1]
    assert found.found == RECORD["events"][3]["legal"]


def test_an_added_legal_decision() -> None:
    assert _mismatch(_planted(lambda it: _event(it, 4)["legal"].append("pass"))).where == "4"


def test_legal_decisions_that_are_not_recorded_are_not_compared() -> None:
    def forget(record: Record) -> None:
        for event in record["events"]:
            event["legal"] = None

    assert replay(_planted(forget)) == len(RECORD["events"])


def test_the_wrong_player() -> None:
    found = _mismatch(_planted(lambda it: _event(it, 2).update(player=0)))
    assert (found.where, found.expected, found.found) == ("2", "player 0", "player 1")


def test_an_illegal_move() -> None:
    def plant(record: Record) -> None:
        _event(record, 0).update(move="play p7", legal=None)

    found = _mismatch(_planted(plant))
    assert (found.where, found.expected) == ("0", "play p7")
    assert "not legal" in str(found.found)


def test_the_wrong_kind_of_chance() -> None:
    number = _first_with_chance(RECORD, "flip")

    def plant(record: Record) -> None:
        chance = _event(record, number)["chance"]
        chance[0] = chance[0].replace("flip", "steal")

    found = _mismatch(_planted(plant))
    assert found.where == str(number)
    assert "a possible 'flip' event" in str(found.found)


@pytest.mark.parametrize("word", ["flip", "deck", "spirit"])
def test_an_impossible_outcome(word: str) -> None:
    number = _first_with_chance(RECORD, word)
    impossible = "spirit cow" if word == "spirit" else f"{word} {RECORD['setup']['hands'][0][0]}"

    def plant(record: Record) -> None:
        chance = _event(record, number)["chance"]
        at = next(i for i, event in enumerate(chance) if event.startswith(word))
        chance[at] = impossible

    assert _mismatch(_planted(plant)).where == str(number)


def test_missing_chance() -> None:
    number = _first_with_chance(RECORD, "deck")
    found = _mismatch(_planted(lambda it: _event(it, number)["chance"].clear()))
    assert "no event" in str(found.found)


@pytest.mark.parametrize("extra", [1, 20, 300])
def test_superfluous_chance(extra: int) -> None:
    found = _mismatch(_planted(lambda it: _event(it, 0)["chance"].extend(["deck g1"] * extra)))
    assert found.where == "0"


def test_an_unfinished_game() -> None:
    found = _mismatch(_planted(lambda it: it["events"].pop()))
    assert (found.where, found.expected, found.found) == ("final", {"over": True}, {"over": False})


def test_events_after_the_end() -> None:
    last = len(RECORD["events"])
    pass_ = {"player": 0, "move": "pass", "legal": None, "chance": []}
    over = _planted(lambda it: it["events"].extend([{**pass_, "player": 1}, pass_]))
    assert int(_mismatch(over).where) >= last


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("part", sorted(RECORD["final"][0]))
def test_every_final_part_is_compared(player: int, part: str) -> None:
    def plant(record: Record) -> None:
        value = record["final"][player][part]
        wrong = {int: 77, list: ["b2", "zz"], dict: {"bee": 9}}.get(type(value), "k3")
        record["final"][player][part] = wrong

    found = _mismatch(_planted(plant))
    assert found.where == "final"
    assert f"player {player} {part}" in str(found.expected)


def _won_by_fireflies() -> Record:
    for record in FIREFLIES:
        if any(len(end["firefly_squares"]) >= 4 for end in record["final"]):
            return record
    pytest.skip("no recorded game here ends by fireflies")


def test_after_a_win_by_fireflies_the_winner_is_compared() -> None:
    record = _won_by_fireflies()
    finals = record["final"]
    assert replay(record)
    squares = [end["firefly_squares"] for end in finals]

    def swap(changed: Record) -> None:
        for end, other in zip(changed["final"], reversed(squares), strict=True):
            end["firefly_squares"] = other

    found = _mismatch(_planted(swap, record))
    assert found.where == "final"
    assert {str(found.expected), str(found.found)} == {"{'winner': 0}", "{'winner': 1}"}


# ---- malformed records

MALFORMED: dict[str, tuple[str, Plant]] = {
    "no id": ("game without id", lambda it: it.pop("id")),
    "no rules": ("game", lambda it: it.pop("rules")),
    "impossible rules": ("R5", lambda it: it["rules"].update(fireflies=True, evil_spirit=False)),
    "no hands": ("game", lambda it: it["setup"].pop("hands")),
    "three hands": ("game", lambda it: it["setup"]["hands"].append([])),
    "one hand": ("game", lambda it: it["setup"]["hands"].pop()),
    "hand too short": ("setup", lambda it: it["setup"]["hands"][0].pop()),
    "no such tile": ("b1", lambda it: it["setup"]["hands"][0].__setitem__(0, "b1")),
    "tile twice": ("twice", lambda it: it["setup"]["hands"].__setitem__(0, ["b7", "g7", "p5"])),
    "queue of numbers": ("game", lambda it: it["setup"].update(queue=[1, 2, 3, 4, 5, 6])),
    "events missing": ("events", lambda it: it.pop("events")),
    "event without player": ("event 1", lambda it: it["events"][1].pop("player")),
    "event without move": ("event 1", lambda it: it["events"][1].pop("move")),
    "event without legal": ("event 1", lambda it: it["events"][1].pop("legal")),
    "event without chance": ("event 1", lambda it: it["events"][1].pop("chance")),
    "chance is null": ("event 1", lambda it: it["events"][1].update(chance=None)),
    "chance is a number": ("event 1", lambda it: it["events"][1].update(chance=3)),
    "chance of numbers": ("event 1", lambda it: it["events"][1].update(chance=[3])),
    "no chance event": ("event 1", lambda it: it["events"][1].update(chance=["roll 6"])),
    "move is a number": ("event 1", lambda it: it["events"][1].update(move=5)),
    "no move": ("event 1", lambda it: it["events"][1].update(move="castle")),
    "event is a word": ("event 0", lambda it: it["events"].__setitem__(0, "play")),
    "one final": ("game", lambda it: it["final"].pop()),
    "final missing": ("final", lambda it: it.pop("final")),
    "final without part": ("area", lambda it: it["final"][1].pop("area")),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_records_are_told_with_their_place(name: str) -> None:
    place, plant = MALFORMED[name]
    record = _planted(plant)
    with pytest.raises(RecordedGameError) as caught:
        replay(record)
    assert not isinstance(caught.value, MismatchError)
    assert place in str(caught.value)
    assert str(record.get("id", "without id")) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", "line 1: no JSON"),
        (b"\n[1]\n", "line 2: a JSON object"),
        (b"null", "line 1: a JSON object"),
        (b"[" * 100_000, "line 1: no JSON"),
        (b"\xff\xfe", "utf-8"),
        (b'{"id": "x"}', "game x is malformed"),
    ],
)
def test_malformed_files(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    (error,) = replay_files([path]).malformed
    assert str(error).startswith(str(path))
    assert told in str(error)


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_a_file_without_games_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    report = replay_files([path])
    assert (report.games, [str(it) for it in report.malformed]) == (
        0,
        [f"{path}: no game in this file"],
    )


def test_reading_tells_the_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"{json.dumps(RECORD)}\n[]\n", encoding="utf-8")
    games = read_games(path)
    assert next(games) == RECORD
    with pytest.raises(RecordedGameError, match="line 2: a JSON object is needed"):
        next(games)


def test_an_unreadable_file(tmp_path: Path) -> None:
    with pytest.raises(RecordedGameError, match="nowhere"):
        replay_files([tmp_path / "nowhere.jsonl"])


def test_empty_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"\n\n{json.dumps(RECORD)}\n\n", encoding="utf-8")
    assert replay_files([path]).games == 1


# ---- the command


def _replay_command(path: Path, *records: object, options: tuple[str, ...] = ()) -> Result:
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return CliRunner().invoke(main, ["replay", str(path), *options])


def test_the_command_counts(tmp_path: Path) -> None:
    found = _replay_command(tmp_path / "games.jsonl", RECORD)
    assert found.exit_code == 0
    assert found.output == f"1 games, {len(RECORD['events'])} events, 0 mismatches\n"


def test_the_command_tells_the_first_mismatch_of_each_game_and_goes_on(tmp_path: Path) -> None:
    wrong_player = _planted(lambda it: _event(it, 2).update(player=0))
    wrong_area = _planted(lambda it: it["final"][0].update(area=77))
    found = _replay_command(tmp_path / "games.jsonl", wrong_player, RECORD, wrong_area)
    assert found.exit_code == 1
    assert found.output.splitlines() == [
        f"game {RECORD['id']}, event 2:",
        "  expected player 0",
        "  found    player 1",
        f"game {RECORD['id']}, event final:",
        '  expected {"player 0 area": 77}',
        f'  found    {{"player 0 area": {RECORD["final"][0]["area"]}}}',
        f"3 games, {2 + 2 * len(RECORD['events'])} events, 2 mismatches",
    ]


def test_the_command_as_json(tmp_path: Path) -> None:
    wrong = _planted(lambda it: _event(it, 2).update(player=0))
    found = _replay_command(tmp_path / "games.jsonl", RECORD, wrong, options=("--json",))
    assert found.exit_code == 1
    assert json.loads(found.output) == {
        "games": 2,
        "events": len(RECORD["events"]) + 2,
        "mismatches": [
            {
                "game": RECORD["id"],
                "event": "2",
                "expected": "player 0",
                "found": "player 1",
            }
        ],
        "malformed": [],
    }


def test_the_command_without_mismatch_as_json(tmp_path: Path) -> None:
    found = _replay_command(tmp_path / "games.jsonl", RECORD, options=("--json",))
    assert found.exit_code == 0
    assert json.loads(found.output)["mismatches"] == []


def test_the_command_tells_malformed_games_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    broken = _planted(lambda it: it["events"][1].pop("chance"))
    wrong = _planted(lambda it: _event(it, 2).update(player=0))
    found = _replay_command(path, broken, RECORD, wrong)
    assert found.exit_code == 1
    assert found.output.splitlines()[-2:] == [
        f"{path}, line 1: game {RECORD['id']}, event 1 is malformed: KeyError('chance')",
        f"3 games, {len(RECORD['events']) + 2} events, 2 mismatches",
    ]


def test_the_command_tells_malformed_games_as_json(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    found = _replay_command(path, RECORD, [], options=("--json",))
    assert found.exit_code == 1
    answer = json.loads(found.output)
    assert (answer["games"], answer["mismatches"]) == (2, [])
    assert answer["malformed"] == [f"{path}, line 2: a JSON object is needed"]


def test_the_command_tells_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    found = _replay_command(path)
    assert found.exit_code == 1
    assert found.output.splitlines() == [
        f"{path}: no game in this file",
        "0 games, 0 events, 1 mismatches",
    ]


def test_the_command_needs_a_file() -> None:
    assert CliRunner().invoke(main, ["replay"]).exit_code == 2
    assert CliRunner().invoke(main, ["replay", "nowhere.jsonl"]).exit_code == 2
