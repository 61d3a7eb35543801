"""A client that hides the stubs: observations in, moves out, typed errors.

Example::

    with OpponentClient("127.0.0.1:50051") as client:
        print(client.recommend(observation, time_seconds=1.0).move)

``solstis_ai.service.async_client`` has the same for asyncio.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator, Sequence
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

__all__ = ["OpponentClient"]

_STATE_SECONDS = 1.0
"""Longest wait for the state of a channel, which takes milliseconds."""


class OpponentClient:
    """A connection to a service, made when it is first needed; usable from several threads.

    Every call raises, besides what it documents, ServiceUnavailableError when the service
    cannot be reached, DeadlineError when ``timeout`` passed (and then it tells whether no server
    could be reached), and ServiceError for anything else that went wrong on the way. An argument
    that cannot be sent is refused at once by a FieldError that names it.

    Args:
        servers: Host and port of the service, ``"127.0.0.1:50051"``; several in a sequence or
            with commas between take turns, those that do not serve are left out.
        timeout: Deadline of each call in seconds, retries included, unless the call sets its
            own, above 0 and at most 1,000,000; None waits as long as the server thinks.
        credentials: TLS credentials, for instance of ``channels.tls_credentials``; None
            connects without encryption.
        token: Bearer token that goes with each call; visible ASCII characters without blanks.
        retry: When calls are tried again; ``retry.NO_RETRY`` for never.
        health_checks: Whether to watch the health of the servers. Switch it off for servers
            that ask a token for health too.

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection and cancel what is under way."""
        self._channel.close()

    def recommend(
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
        """Ask for a move.

        Args:
            observation: What the seat sees.
            iterations: Search iterations, at least 1.
            time_seconds: Thinking time in seconds, above 0. Without it and without
                iterations the server's default time holds.
            threads: Search threads.
            seed: Seed of the search, an unsigned 64-bit number.
            level: Number of the level to play at, one of ``engine_info().levels``. It
                determines the search: iterations, time and threads are then left out.
            timeout: Deadline of this call in seconds; the answer comes before it, with
                ``truncated`` set when there was no time for the limits.
            request_id: Name of this call in the logs of the server; 1 to 64 of
                ``A-Z a-z 0-9 . _ -``.

        Raises:
            InvalidObservationError: If the observation is impossible; names the field.
            InvalidSearchError: If a limit, the seed or the level is out of range, or a limit
                contradicts the level; names the field.
            OverloadedError: If the server has no room for another search.
        """
        limits = Limits(iterations, time_seconds, threads)
        question = questions.recommendation(observation, limits, seed, level)
        return self._ask(question, CallOptions(timeout, request_id))

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
    ) -> Iterator[Analysis]:
        """Ask for a growing answer; the last one is what ``recommend`` would answer.

        The search begins with the first answer asked for. Closing the iterator, or leaving
        it to be collected, ends the search.

        Args:
            observation: As for ``recommend``, like the other arguments.
            iterations: Search iterations.
            time_seconds: Thinking time in seconds.
            threads: Search threads.
            seed: Seed of the search.
            level: Number of the level to play at.
            interval_seconds: Seconds between two answers, at least 0.01; None for the
                server's choice.
            timeout: Deadline of the whole stream in seconds.
            request_id: Name of this call in the logs of the server; 1 to 64 of
                ``A-Z a-z 0-9 . _ -``.

        Raises:
            InvalidObservationError: As for ``recommend``, like the others.
        """
        limits = Limits(iterations, time_seconds, threads)
        question = questions.analysis(observation, limits, seed, interval_seconds, level)
        return self._stream(question, CallOptions(timeout, request_id))

    def legal_moves(
        self,
        observation: Observation,
        *,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> list[Move]:
        """List what may be done, sorted by the words of the moves.

        Raises:
            InvalidObservationError: If the observation is impossible; names the field.
        """
        return self._ask(questions.legal_moves(observation), CallOptions(timeout, request_id))

    def engine_info(
        self, *, timeout: float | None = None, request_id: str | None = None
    ) -> EngineInfo:
        """Ask for the server's version and limits."""
        return self._ask(questions.engine_info(), CallOptions(timeout, request_id))

    def _attempts(self, timeout: float | None) -> Attempts:
        seconds = self._settings.timeout if timeout is None else timeout
        return Attempts(self._settings.retry, seconds)

    def _wait_after(self, attempts: Attempts, error: grpc.RpcError) -> float:
        return wait_after(attempts, error, self._settings, lambda: _state_of(self._channel))

    def _ask(self, question: Question[Answer], options: CallOptions) -> Answer:
        attempts = self._attempts(options.timeout)
        metadata = call_metadata(self._settings.token, options.request_id)
        call = getattr(self._stub, question.method)
        while True:
            try:
                response = call(question.request, timeout=attempts.timeout(), metadata=metadata)
            except grpc.RpcError as error:
                time.sleep(self._wait_after(attempts, error))
            else:
                return question.read(response)

    def _stream(self, question: Question[Answer], options: CallOptions) -> Iterator[Answer]:
        attempts = self._attempts(options.timeout)
        metadata = call_metadata(self._settings.token, options.request_id)
        begin = getattr(self._stub, question.method)
        begun = False
        while True:
            call = begin(question.request, timeout=attempts.timeout(), metadata=metadata)
            try:
                for response in call:
                    begun = True
                    yield question.read(response)
            except grpc.RpcError as error:
                if begun:
                    raise error_of_call(error) from error
                time.sleep(self._wait_after(attempts, error))
            else:
                return
            finally:
                call.cancel()


def _channel(settings: ChannelSettings) -> grpc.Channel:
    if settings.credentials is None:
        return grpc.insecure_channel(settings.target, settings.options)
    return grpc.secure_channel(settings.target, settings.credentials, settings.options)


def _state_of(channel: grpc.Channel) -> grpc.ChannelConnectivity | None:
    """The state of a channel, which tells it to subscribers alone; None when it does not."""
    states: queue.SimpleQueue[grpc.ChannelConnectivity] = queue.SimpleQueue()
    tell = states.put
    channel.subscribe(tell)
    try:
        return states.get(timeout=_STATE_SECONDS)
    except queue.Empty:
        return None
    finally:
        channel.unsubscribe(tell)
