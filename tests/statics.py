"""Scripts, styles and fonts for browsers under test: read once a process, and kept by the browser.

A page in a test loads each of its files by itself, which are sixty. Through Django every one of
them costs as much as a small page.
"""

import mimetypes
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.handlers import StaticFilesHandler

STATIC, STREAM = "/static/", "/stream/"
# Nothing is edited while tests run.
KEPT = ("Cache-Control", "max-age=3600, immutable")
# The driver's server has no streams. A page that is refused one loads itself anew every few
# seconds, in search of a token; one that is told to come back later is only not connected.
LATER = b"retry: 3600000\n\n"
IS_STREAM = ("Content-Type", "text/event-stream")
NOW = f"{STREAM}now/"

Headers = list[tuple[str, str]]


@cache
def found(path: str) -> tuple[Headers, bytes] | None:
    """Return the headers and the body of a file by its address, None if there is none."""
    file = path.startswith(STATIC) and finders.find(path.removeprefix(STATIC))
    if not file or not Path(file).is_file():
        return None
    body = Path(file).read_bytes()
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    is_text = kind.startswith("text/")
    charset = "; charset=utf-8" * is_text
    return [("Content-Type", kind + charset), ("Content-Length", str(len(body))), KEPT], body


class Statics(StaticFilesHandler):
    """What Django's server of tests asks for a file, and for a stream, which it does not have."""

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        if path.startswith(STREAM) and path != NOW:
            start_response("200 OK", [IS_STREAM, ("Content-Length", str(len(LATER)))])
            return [LATER]
        if path == NOW:
            start_response("404 Not Found", [("Content-Length", "0")])
            return []
        if (file := found(path)) is None:
            return super().__call__(environ, start_response)
        headers, body = file
        start_response("200 OK", headers)
        return [body]


async def served(scope, send) -> bool:
    """Answer in an ASGI application what is a file, and tell whether it was one."""
    if (file := found(scope["path"])) is None:
        return False
    headers, body = file
    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    await send({"type": "http.response.start", "status": 200, "headers": raw})
    await send({"type": "http.response.body", "body": body})
    return True
