"""The gRPC service: the only part that knows wire types and status codes.

``client`` is for programs that ask a service; everything else runs one.
"""
