"""Django's pages as a WSGI application; `krru.asgi` runs it in threads beside the stream."""

import os
from typing import Any

import django
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http.multipartparser import MultiPartParserError

from krru.web.pages import Unreadable

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
django.setup(set_prefix=False)

PARSED = "krru.request"


def parse(environ: dict[str, Any]) -> None:
    """Read the form that a request carries, before it is its turn to write.

    :raises Unreadable: When it is none, or has too many fields.
    """
    try:
        request = WSGIRequest(environ)
        request.POST  # noqa: B018 - parses the body
    except (BadRequest, SuspiciousOperation, MultiPartParserError) as problem:
        raise Unreadable from problem
    environ[PARSED] = request


def _request(environ: dict[str, Any]) -> WSGIRequest:
    return environ.pop(PARSED, None) or WSGIRequest(environ)


class Handler(WSGIHandler):
    """Django's handler, which takes a request that is parsed already."""

    request_class = staticmethod(_request)  # type: ignore[assignment]  # Django only calls it


application = Handler()
