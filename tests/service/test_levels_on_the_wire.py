"""Levels of play over the wire: asked for, refused, listed, cut short."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc
import pytest
from fakes.observations import OPENING
from fakes.servers import RunningServer, wait_for
from google.protobuf.json_format import MessageToDict

from solstis_ai import engine
from solstis_ai.errors import InvalidSearchError
from solstis_ai.search.levels import LEVELS
from solstis_ai.search.types import Limits, SearchConfig
from solstis_ai.service.async_client import AsyncOpponentClient
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.converters import recommend_request
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc
from solstis_ai.wire import observation_from_json, observation_to_proto

StartServer = Callable[..., RunningServer]

JSON = "application/json"
MIDGAME = observation_from_json(
    (Path(__file__).parents[2] / "examples" / "midgame.json").read_text(encoding="utf-8")
)


def test_a_level_plays_as_in_the_library(real_server: RunningServer) -> None:
    with OpponentClient(real_server.address, timeout=20.0) as client:
        for level in LEVELS[:8]:
            answer = client.recommend(MIDGAME, level=level.number, seed=3)
            expected = engine.recommend(MIDGAME, seed=3, level=level.number)
            assert answer.alternatives == expected.alternatives
            assert answer.reasons == expected.reasons
            assert (answer.iterations, answer.truncated) == (level.iterations, False)


def test_a_stream_ends_with_the_answer_of_the_level(real_server: RunningServer) -> None:
    with OpponentClient(real_server.address, timeout=20.0) as client:
        *_, last = client.analyse(MIDGAME, level=2, seed=3)
        assert last.alternatives == client.recommend(MIDGAME, level=2, seed=3).alternatives


def test_the_async_client_asks_for_levels(real_server: RunningServer) -> None:
    async def ask() -> None:
        async with AsyncOpponentClient(real_server.address, timeout=20.0) as client:
            answer = await client.recommend(MIDGAME, level=2, seed=3)
            *_, last = [each async for each in client.analyse(MIDGAME, level=2, seed=3)]
            assert answer.alternatives == last.alternatives
            assert answer.iterations == LEVELS[1].iterations

    asyncio.run(ask())


def test_the_engine_is_told_what_a_level_means(
    server: RunningServer, client: OpponentClient
) -> None:
    client.recommend(OPENING, level=3)
    client.recommend(OPENING, iterations=10)

    told = [(search.limits, search.config) for search in server.engine.searches]
    assert told == [(LEVELS[2].limits, LEVELS[2].config), (Limits(iterations=10), SearchConfig())]


@pytest.mark.parametrize(
    ("limits", "field"),
    [
        (Limits(iterations=10), "limits.iterations"),
        (Limits(time_seconds=1.0), "limits.time_seconds"),
        (Limits(threads=2), "limits.threads"),
    ],
)
def test_what_contradicts_the_level_is_named(
    server: RunningServer, limits: Limits, field: str
) -> None:
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        request = recommend_request(OPENING, limits, None, 5)
        with pytest.raises(grpc.RpcError) as caught:
            stub.RecommendMove(request, timeout=10.0)

    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert (caught.value.details() or "").startswith(f"{field}: level 5 (Moonlight) determines")


@pytest.mark.parametrize("level", [0, 11, -1])
def test_a_level_that_is_none_is_refused(client: OpponentClient, level: int) -> None:
    for ask in (client.recommend, lambda *args, **more: next(client.analyse(*args, **more))):
        with pytest.raises(InvalidSearchError, match="there is no level") as caught:
            ask(OPENING, level=level)
        assert caught.value.field == "level"


def test_a_level_beyond_the_cap_of_the_server_is_refused(start_server: StartServer) -> None:
    server = start_server(max_iterations=LEVELS[7].iterations)
    with OpponentClient(server.address, timeout=20.0) as client:
        with pytest.raises(InvalidSearchError, match=r"level 9 \(Noon\) takes") as caught:
            client.recommend(OPENING, level=9)
        assert caught.value.field == "level"
        client.recommend(OPENING, level=8)
        assert client.engine_info().levels == LEVELS[:8]


def test_the_levels_are_listed(client: OpponentClient) -> None:
    assert client.engine_info().levels == LEVELS


def test_a_deadline_that_cuts_a_level_short_is_told(start_server: StartServer) -> None:
    server = start_server(search_slots=1)
    with OpponentClient(server.address) as client:
        blocker = client.analyse(OPENING, time_seconds=30.0)
        next(blocker)
        wait_for(lambda: server.server.running_searches == 1)
        answer = client.recommend(OPENING, level=10, timeout=0.4)
        blocker.close()  # type: ignore[attr-defined]  # a generator

    assert answer.truncated
    assert answer.iterations == 0


def test_a_level_cut_short_overlooks_as_ever() -> None:
    search = engine.Search(MIDGAME, Limits(iterations=10**6), 3, LEVELS[0].config)
    begun = search.analysis()
    search.run(0.0)
    assert {row.move for row in begun.alternatives} == {
        row.move for row in engine.recommend(MIDGAME, seed=3, level=1).alternatives
    }
    assert len(begun.alternatives) < 3
    assert SearchConfig() != LEVELS[0].config


def test_browsers_ask_for_levels(start_server: StartServer) -> None:
    server = start_server(web_port=0)
    assert server.server.web_url is not None
    link = http.client.HTTPConnection(urlsplit(server.server.web_url).netloc, timeout=20)

    def call(method: str, request: dict[str, object]) -> dict[str, Any]:
        path, kind = f"/solstis_ai.v1.OpponentService/{method}", {"content-type": JSON}
        link.request("POST", path, json.dumps(request), kind)
        answer: dict[str, Any] = json.loads(link.getresponse().read())
        return answer

    seen = MessageToDict(observation_to_proto(OPENING))
    levels = call("GetEngineInfo", {})["levels"]
    assert [level["name"] for level in levels] == [level.name for level in LEVELS]
    assert call("RecommendMove", {"observation": seen, "level": 3})["analysis"]["iterations"] == (
        str(LEVELS[2].iterations)
    )
    assert call("RecommendMove", {"observation": seen, "level": 12})["message"].startswith(
        "level: there is no level 12"
    )
    link.close()
