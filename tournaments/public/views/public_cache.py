"""Pages for strangers: rendered once for all of them.

When registration opens, hundreds open the same page within seconds. It is the same for all except
two tokens, so it is cached until a change, for at most two seconds; the tokens and the time are
inserted for each visitor. Visitors with a cookie get a page of their own.

In a rush every form changes something, and the page would be rendered all the time. Once several
requests wait, the next seconds' visitors may get a page one second old. Services check its offers
again when pressed.
"""

import contextlib
import hashlib
import re
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.translation import get_language
from redis.exceptions import RedisError

from clock.domain import instant_ms
from clock.servertime import server_time
from krru.web.pages import WAITING
from tournaments.changes.views.decorators import POSTER
from tournaments.models import Event

KEPT_S = 2
CROWD = 4  # so many waiting requests in one process are a rush
RUSH_S = 3  # the shortest time of a rush
RUSH_KEPT_S = 1
# Placeholders for values that differ by visitor.
TOKEN = "the-csrf-token-of-this-visitor-and-no-other"  # noqa: S105
KEY = "00000000-4b52-5255-0000-000000000000"
NOW_MS = 7_777_777_777_777
TELL_NOTHING = frozenset({settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME})


@dataclass(frozen=True, slots=True)
class Written:
    """The rendered page, with the versions of event and club, and its time."""

    versions: tuple[int, int]
    at: float
    page: str

    def is_younger_than(self, seconds: float) -> bool:
        return 0 <= time.time() - self.at < seconds


class Rush:
    """Whether many requests wait in this process, or did a moment ago."""

    def __init__(self) -> None:
        self._until = 0.0

    def note(self, request: HttpRequest) -> None:
        """Record how many pages and forms were waiting at this request."""
        if request.META.get(WAITING, 0) >= CROWD:
            self._until = time.monotonic() + RUSH_S

    @property
    def is_on(self) -> bool:
        return time.monotonic() < self._until


Context = Callable[[Event], dict[str, Any]]
_writing = threading.Lock()
_rush = Rush()


def is_stranger(request: HttpRequest) -> bool:
    """Tell whether the visitor is unknown and the query has no special parameters."""
    return {POSTER}.issuperset(request.GET) and TELL_NOTHING.issuperset(request.COOKIES)


def is_nobody(request: Any) -> bool:
    """Tell whether the visitor is no staff device and has no pending messages."""
    return request.device is None and not len(get_messages(request))


def cached_page(
    request: HttpRequest,
    slug: str,
    template: str,
    event: Callable[[], Event],
    context: Context,
    *,
    part: str = "",
) -> str:
    """Return the page, rendered again unless the cached one is current.

    In a rush not even the event is loaded.

    :param part: Which part of a long page it is, or what else makes it another one.
    """
    wanted = (template, slug, part, get_language(), request.scheme, request.get_host())
    name = "page:" + hashlib.sha256(repr(wanted).encode()).hexdigest()
    _rush.note(request)
    written = _kept(name)
    if written is None or not (_rush.is_on and written.is_younger_than(RUSH_KEPT_S)):
        written = _of_now(request, name, template, event(), context)
    own = {TOKEN: get_token(request), str(NOW_MS): str(instant_ms(server_time.now()))}
    page = re.sub(KEY, lambda _found: str(uuid.uuid4()), written.page)
    for standing_for, text in own.items():
        page = page.replace(standing_for, text)
    return page


def _of_now(
    request: HttpRequest, name: str, template: str, event: Event, context: Context
) -> Written:
    versions = (event.version, event.club.version)
    # One thread renders it, and others with the same request find it cached.
    with _writing:
        written = _kept(name)
        if written is None or not _is_good(written, versions):
            own = {**context(event), "csrf_token": TOKEN, "form_key": KEY}
            if "clock_payload" in own:
                own["clock_payload"] = {**own["clock_payload"], "now": NOW_MS}
            written = Written(versions, time.time(), render_to_string(template, own, request))
            _keep(name, written)
    return written


def _is_good(written: Written, versions: tuple[int, int]) -> bool:
    # A request that waited may find a page newer than its own event.
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
