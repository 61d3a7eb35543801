"""The client for asyncio; the same calls, answers and errors as ``solstis_ai.service.client``.

Example::

    async with AsyncOpponentClient("127.0.0.1:50051") as client:
        print((await client.recommend(observation, time_seconds=1.0)).move)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from types import TracebackType
from typing import Self

import grpc

from solstis_ai.observation import Observation
from solstis_ai.search.types import Analysis, Limits
from solstis_ai.service import questions
from solstis_ai.service.arguments import CallOptions
from solstis_ai.service.channels import ChannelSettings, call_metadata, wait_after
from solstis_ai.service.info import EngineInfo
from solstis_ai.service.questions import Answer, Question
from solstis_ai.service.retry import Attempts, RetryPolicy
from solstis_ai.service.status import error_of_call
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc
from solstis_ai.vocabulary import Move

__all__ = ["AsyncOpponentClient"]


class AsyncOpponentClient:
    """A connection to a service, made when it is first needed; belongs to one event loop.

    Arguments, answers and errors are those of ``OpponentClient``. A task that is cancelled
    cancels its call, and with it the search.

    Args:
        servers: Host and port of the service, or several.
        timeout: Deadline of each call in seconds, unless the call sets its own.
        credentials: TLS credentials.
        token: Bearer token that goes with each call.
        retry: When calls are tried again.
        health_checks: Whether to watch the health of the servers.

    Raises:
        FieldError: If an argument is impossible, or none of several servers has an address; names
            the argument.
    """

    def __init__(
        self,
        servers: str | Sequence[str],
        timeout: float | None = None,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        token: str | None = None,
        retry: RetryPolicy | None = None,
        health_checks: bool = True,
    ) -> None:
        policy = RetryPolicy() if retry is None else retry
        self._settings = ChannelSettings(
            servers, timeout, credentials, token, policy, health_checks
        )
        self._channel = _channel(self._settings)
        self._stub = pb_grpc.OpponentServiceStub(self._channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection and cancel what is under way."""
        await self._channel.close()

    async def recommend(
        self,
        observation: Observation,
        *,
        iterations: int | None = None,
        time_seconds: float | None = None,
        threads: int = 1,
        seed: int | None = None,
        level: int | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> Analysis:
        """Ask for a move; see ``OpponentClient.recommend``."""
        limits = Limits(iterations, time_seconds, threads)
        question = questions.recommendation(observation, limits, seed, level)
        return await self._ask(question, CallOptions(timeout, request_id))

    def analyse(
        self,
        observation: Observation,
        *,
        iterations: int | None = None,
        time_seconds: float | None = None,
        threads: int = 1,
        seed: int | None = None,
        level: int | None = None,
        interval_seconds: float | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> AsyncGenerator[Analysis, None]:
        """Ask for a growing answer; see ``OpponentClient.analyse``.

        Closing the generator ends the search; one that is left early is best wrapped in
        ``contextlib.aclosing``.
        """
        limits = Limits(iterations, time_seconds, threads)
        question = questions.analysis(observation, limits, seed, interval_seconds, level)
        return self._stream(question, CallOptions(timeout, request_id))

    async def legal_moves(
        self,
        observation: Observation,
        *,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> list[Move]:
        """List what may be done; see ``OpponentClient.legal_moves``."""
        return await self._ask(questions.legal_moves(observation), CallOptions(timeout, request_id))

    async def engine_info(
        self, *, timeout: float | None = None, request_id: str | None = None
    ) -> EngineInfo:
        """Ask for the server's version and limits."""
        return await self._ask(questions.engine_info(), CallOptions(timeout, request_id))

    def _attempts(self, timeout: float | None) -> Attempts:
        seconds = self._settings.timeout if timeout is None else timeout
        return Attempts(self._settings.retry, seconds)

    def _wait_after(self, attempts: Attempts, error: grpc.RpcError) -> float:
        return wait_after(attempts, error, self._settings, self._channel.get_state)

    async def _ask(self, question: Question[Answer], options: CallOptions) -> Answer:
        attempts = self._attempts(options.timeout)
        metadata = call_metadata(self._settings.token, options.request_id)
        call = getattr(self._stub, question.method)
        while True:
            try:
                response = await call(
                    question.request, timeout=attempts.timeout(), metadata=metadata
                )
            except grpc.RpcError as error:
                await asyncio.sleep(self._wait_after(attempts, error))
            else:
                return question.read(response)

    async def _stream(
        self, question: Question[Answer], options: CallOptions
    ) -> AsyncGenerator[Answer, None]:
        attempts = self._attempts(options.timeout)
        metadata = call_metadata(self._settings.token, options.request_id)
        begin = getattr(self._stub, question.method)
        begun = False
        while True:
            call = begin(question.request, timeout=attempts.timeout(), metadata=metadata)
            try:
                async for response in call:
                    begun = True
                    yield question.read(response)
            except grpc.RpcError as error:
                if begun:
                    raise error_of_call(error) from error
                await asyncio.sleep(self._wait_after(attempts, error))
            else:
                return
            finally:
                call.cancel()


def _channel(settings: ChannelSettings) -> grpc.aio.Channel:
    if settings.credentials is None:
        return grpc.aio.insecure_channel(settings.target, settings.options)
    return grpc.aio.secure_channel(settings.target, settings.credentials, settings.options)
