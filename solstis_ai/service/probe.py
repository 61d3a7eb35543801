"""Ask a server whether it serves."""

from __future__ import annotations

from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from solstis_ai.service.channels import call_metadata
from solstis_ai.service.status import error_of_call

__all__ = ["health_of"]


def health_of(
    address: str,
    timeout: float,
    credentials: grpc.ChannelCredentials | None = None,
    token: str | None = None,
) -> str:
    """What a server says about its health: ``SERVING`` or ``NOT_SERVING``.

    Args:
        address: Host and port.
        timeout: Longest wait for the answer, in seconds.
        credentials: TLS credentials; None connects without encryption.
        token: Bearer token, for a server that asks for one.

    Raises:
        ServiceUnavailableError: If no server is there.
        DeadlineError: If it does not answer in time.
        ServiceError: If it answers with another error.
    """
    with _channel(address, credentials) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)  # its methods have no types
        try:
            metadata = call_metadata(token, None)
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=timeout, metadata=metadata)
        except grpc.RpcError as error:
            raise error_of_call(error) from error
    return health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)


def _channel(address: str, credentials: grpc.ChannelCredentials | None) -> grpc.Channel:
    if credentials is None:
        return grpc.insecure_channel(address)
    return grpc.secure_channel(address, credentials)
