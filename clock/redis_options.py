"""Options of Redis clients outside of pages: half a second, and no retry."""

from typing import Any
from urllib.parse import urlsplit

from redis.backoff import NoBackoff
from redis.retry import Retry

PATIENCE_S = 0.5


def options(url: str) -> dict[str, Any]:
    """Return the options of a client for this URL."""
    found: dict[str, Any] = {"socket_timeout": PATIENCE_S, "retry": Retry(NoBackoff(), 0)}
    if urlsplit(url).scheme != "unix":
        found["socket_connect_timeout"] = PATIENCE_S
    return found
