"""The description of the API, as JSON and as a page; all from this server.

The page is Ninja's Swagger UI. Its files are sent from the package and not collected with ours:
they weigh more than everything else, and the page is rarely opened.
"""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import Any

import ninja
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.api.app import interface

FILES = {
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "swagger-ui.css": "text/css; charset=utf-8",
}
FOLDER = Path(ninja.__file__).parent / "static" / "ninja"


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show every route, with a form to try it."""
    return render(request, "api/docs.html", {"version": ninja.__version__})


@require_safe
def docs_file(request: HttpRequest, name: str) -> HttpResponse:
    """Send one of the page's two files. Its address contains the version, so browsers keep it."""
    if name not in FILES:
        raise Http404
    is_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = HttpResponse(_content(name, is_packed=is_packed), content_type=FILES[name])
    if is_packed:
        answer["Content-Encoding"] = "gzip"
    answer["Vary"] = "Accept-Encoding"
    answer["Cache-Control"] = "public, max-age=31536000, immutable"
    return answer


@cache
def _content(name: str, *, is_packed: bool) -> bytes:
    """Return a file. Compressed once, as it takes a quarter of a second."""
    data = (FOLDER / name).read_bytes()
    return gzip.compress(data, mtime=0) if is_packed else data


@require_safe
def description(request: HttpRequest) -> JsonResponse:
    """Return the description as OpenAPI 3.1."""
    return JsonResponse(_description())


@cache
def _description() -> dict[str, Any]:
    return interface.get_openapi_schema()
