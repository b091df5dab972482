"""Number and time each request. The answer, the error page and the log show the number."""

import contextvars
import logging
import secrets
import time
from typing import Any

from django.conf import settings
from django.urls import Resolver404, resolve

from clock.stream import PREFIX
from krru.data.metrics import ANSWER_SECONDS, REQUESTS
from krru.web.hosts import Asgi

logger = logging.getLogger(__name__)

HEADER = b"x-request-id"
SLOW_SECONDS = 2.0
_number: contextvars.ContextVar[str] = contextvars.ContextVar("krru_request", default="-")
# The number of the present request; `-` outside of one.
request_id = _number.get


class Observed:
    """An ASGI application that numbers, counts and times requests. Streams are not timed."""

    def __init__(self, app: Asgi) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"].startswith(PREFIX):
            await self._app(scope, receive, send)
            return
        number = secrets.token_hex(4)
        token, began, status = _number.set(number), time.monotonic(), 500

        async def numbered(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message["headers"], (HEADER, number.encode())]
                message = {**message, "headers": headers}
            await send(message)

        try:
            await self._app(scope, receive, numbered)
        finally:
            seconds = time.monotonic() - began
            ANSWER_SECONDS.labels(f"{status // 100}xx").observe(seconds)
            if settings.KRRU_METRICS_TOKEN:
                REQUESTS.labels(_route(scope["path"]), str(status)).inc()
            if seconds > SLOW_SECONDS:
                logger.warning("%s %s dauerte %.1f s", scope["method"], scope["path"], seconds)
            _number.reset(token)


def _route(path: str) -> str:
    """Return the name of an address, which holds no link; empty for none of the program's."""
    if path.startswith(settings.STATIC_URL):
        return "static"
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""
