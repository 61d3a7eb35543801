"""Room for open files: as many as the connections that a server grants need."""

from __future__ import annotations

import logging
import sys

from solstis_ai.service.config import ServerConfig

if sys.platform != "win32":
    import resource

__all__ = ["make_room"]

_OWN = 200
"""Open files beside connections, generously."""

_log = logging.getLogger(__name__)


def make_room(config: ServerConfig) -> None:
    """Raise the limit of open files of this process as far as needed, or warn."""
    if sys.platform == "win32":
        return
    browsers = 0 if config.web_port is None else 2 * config.web_connections  # with handshakes
    wanted = config.max_connections + browsers + _OWN
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if wanted <= now or now == resource.RLIM_INFINITY:
        return
    granted = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (granted, most))
    if granted < wanted:
        _log.warning(
            "this process may open %d files and its connections need %d; raise 'ulimit -n'",
            granted,
            wanted,
        )
