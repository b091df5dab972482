"""The tournament page as strangers see it before the start: written once for all who open it now.

When registration opens hundreds open the same page in the same seconds. It is the same for all of
them but for two tokens, so it is kept for as long as nothing changed, two seconds at the most; the
tokens are put in for each. Whoever is known by a cookie gets a page of his own.

In a rush something changes with every form that comes, and the page would be written all the time.
Once several wait for it at once, who comes in the next seconds gets one that may be a second old.
What it offers is asked of the services again, by whoever presses.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.translation import get_language
from redis.exceptions import RedisError

from tournaments.models import Event

KEPT_S = 2
CROWD = 4  # so many in one process at the same time are a rush
RUSH_S = 3  # how long it is one at least
RUSH_KEPT_S = 1
# Stand for what each visitor gets of his own.
TOKEN = "the-csrf-token-of-this-visitor-and-no-other"  # noqa: S105
KEY = "00000000-4b52-5255-0000-000000000000"
TELL_NOTHING = frozenset({settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME})


@dataclass(frozen=True, slots=True)
class Written:
    """The page as it was written: of which versions of event and club, and when."""

    versions: tuple[int, int]
    at: float
    page: str

    def is_younger_than(self, seconds: float) -> bool:
        return 0 <= time.time() - self.at < seconds


class Rush:
    """How many ask at the same time, in this process, and whether that was a rush just now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asking = 0
        self._until = 0.0

    def __enter__(self) -> None:
        with self._lock:
            self._asking += 1
            if self._asking >= CROWD:
                self._until = time.monotonic() + RUSH_S

    def __exit__(self, *_how: object) -> None:
        with self._lock:
            self._asking -= 1

    @property
    def is_on(self) -> bool:
        return time.monotonic() < self._until


Context = Callable[[Event], dict[str, Any]]
_writing = threading.Lock()
_rush = Rush()


def is_stranger(request: HttpRequest) -> bool:
    """Tell whether nothing is known of who asks, and nothing particular asked."""
    return not request.GET and TELL_NOTHING.issuperset(request.COOKIES)


def page_of_strangers(
    request: HttpRequest, slug: str, template: str, event: Callable[[], Event], context: Context
) -> str | None:
    """Return the page, written anew if it is not the one that was shown a moment ago.

    Return None when play has begun: then everybody gets a page of his own. In a rush the event
    itself is not looked for.
    """
    wanted = (template, slug, get_language(), request.scheme, request.get_host())
    name = "page:" + hashlib.sha256(repr(wanted).encode()).hexdigest()
    with _rush:
        written = _kept(name)
        if written is None or not (_rush.is_on and written.is_younger_than(RUSH_KEPT_S)):
            written = _of_now(request, name, template, event(), context)
    if written is None:
        return None
    return written.page.replace(TOKEN, get_token(request)).replace(KEY, str(uuid.uuid4()))


def _of_now(
    request: HttpRequest, name: str, template: str, event: Event, context: Context
) -> Written | None:
    if event.has_started:
        return None
    versions = (event.version, event.club.version)
    # One writes it, and the others who want the same find it written.
    with _writing:
        written = _kept(name)
        if written is None or not _is_good(written, versions):
            own = {**context(event), "csrf_token": TOKEN, "key": KEY}
            written = Written(versions, time.time(), render_to_string(template, own, request))
            _keep(name, written)
    return written


def _is_good(written: Written, versions: tuple[int, int]) -> bool:
    # Somebody who waited for the writer may find a page newer than the event he had looked for.
    if all(page >= row for page, row in zip(written.versions, versions, strict=True)):
        return written.is_younger_than(KEPT_S)
    return _rush.is_on and written.is_younger_than(RUSH_KEPT_S)


def _kept(name: str) -> Written | None:
    try:
        kept = cache.get(name)
    except RedisError:
        return None
    return Written(tuple(kept[0]), kept[1], kept[2]) if kept else None


def _keep(name: str, written: Written) -> None:
    with contextlib.suppress(RedisError):
        cache.set(name, astuple(written), KEPT_S)
