"""A Redis that does not answer costs a moment once, and then nothing until it is tried again.

What is used beside a page has half a second. After a time-out nobody asks for some seconds: every
one of the requests that come meanwhile would wait as long, and hold a thread.
"""

from __future__ import annotations

import threading
import time
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.connection import Connection, SSLConnection, UnixDomainSocketConnection
from redis.retry import Retry

PATIENCE_S = 0.5
PAUSE_S = 5.0


class Breaker:
    """Whether Redis may be asked. After a failure one asker tries in each pause, others do not."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._closed_until = 0.0
        self._has_failed = False

    def check(self) -> None:
        """Let the asker go on.

        :raises redis.ConnectionError: Redis did not answer just now.
        """
        with self._lock:
            now = time.monotonic()
            if not self._has_failed:
                return
            if now < self._closed_until:
                raise redis.ConnectionError("Redis antwortete eben nicht.")
            # This asker tries; those who come meanwhile do not wait for what becomes of it.
            self._closed_until = now + PAUSE_S

    def fail(self) -> None:
        with self._lock:
            self._has_failed, self._closed_until = True, time.monotonic() + PAUSE_S

    def succeed(self) -> None:
        self._has_failed = False


@cache
def breaker_of(place: str) -> Breaker:
    """Return what all connections of this process to one Redis share."""
    return Breaker()


class _Guarded:
    """What a connection does more: ask before sending, and note what came of it."""

    _is_connecting = False

    @property
    def _breaker(self) -> Breaker:
        parts = (str(getattr(self, name, "")) for name in ("path", "host", "port"))
        return breaker_of(":".join(parts))

    def connect(self, *args: Any, **kwargs: Any) -> Any:
        if getattr(self, "_sock", None) is not None:
            return super().connect(*args, **kwargs)  # type: ignore[misc]
        self._breaker.check()
        self._is_connecting = True
        try:
            super().connect(*args, **kwargs)  # type: ignore[misc]
        except (redis.ConnectionError, redis.TimeoutError):
            self._breaker.fail()
            raise
        finally:
            self._is_connecting = False
        # It has answered to the greeting.
        self._breaker.succeed()
        return None

    def send_packed_command(self, *args: Any, **kwargs: Any) -> Any:
        if not self._is_connecting and getattr(self, "_sock", None) is not None:
            self._breaker.check()
        return super().send_packed_command(*args, **kwargs)  # type: ignore[misc]

    def read_response(self, *args: Any, **kwargs: Any) -> Any:
        try:
            answer = super().read_response(*args, **kwargs)  # type: ignore[misc]
        except (redis.ConnectionError, redis.TimeoutError):
            self._breaker.fail()
            raise
        self._breaker.succeed()
        return answer


class GuardedConnection(_Guarded, Connection):
    """One over the network."""


class GuardedSSLConnection(_Guarded, SSLConnection):
    """One over the network, encrypted."""


class GuardedSocketConnection(_Guarded, UnixDomainSocketConnection):
    """One on this machine."""


def patient(url: str) -> dict[str, Any]:
    """Return the options of a client beside pages."""
    classes = {"unix": GuardedSocketConnection, "rediss": GuardedSSLConnection}
    options: dict[str, Any] = {
        "connection_class": classes.get(urlsplit(url).scheme, GuardedConnection),
        "socket_timeout": PATIENCE_S,
        "retry": Retry(NoBackoff(), 0),
    }
    if urlsplit(url).scheme != "unix":
        options["socket_connect_timeout"] = PATIENCE_S
    return options
