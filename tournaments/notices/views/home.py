"""The page on a phone's home screen: it opens offline, with the last seat, clock and blinds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.changes.views.decorators import open_to_all

WORKER = "tournaments/js/worker.js"


@open_to_all()
def start(request: HttpRequest) -> HttpResponse:
    """Show what this browser keeps. The same page for all: it knows nobody."""
    return render(request, "notices/start.html")


@open_to_all()
def worker(_request: HttpRequest) -> HttpResponse:
    """Send the service worker; its address is its scope, so it never sees another page."""
    response = HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@cache
def _worker() -> str:
    found = finders.find(WORKER)
    assert isinstance(found, str)
    return Path(found).read_text("utf-8")
