"""Pages as strangers see them: written once for all who open them now.

When registration opens hundreds open the same page in the same seconds. It is the same for all of
them but for two tokens, so it is kept for as long as nothing changed, two seconds at the most; the
tokens are put in for each, and so is the time. Who may be known by a cookie gets a page apart.

In a rush something changes with every form that comes, and the page would be written all the time.
Once several wait, who comes in the next seconds gets one that may be a second old.
What it offers is asked of the services again when it is pressed.
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
from tournaments.door.views.poster import TOKEN as POSTER
from tournaments.models import Event

KEPT_S = 2
CROWD = 4  # so many who wait for their turn in one process are a rush
RUSH_S = 3  # how long it is one at least
RUSH_KEPT_S = 1
# Stand for what is another for each visitor.
TOKEN = "the-csrf-token-of-this-visitor-and-no-other"  # noqa: S105
KEY = "00000000-4b52-5255-0000-000000000000"
NOW_MS = 7_777_777_777_777
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
    """Whether many wait for their turn, in this process, or did just now."""

    def __init__(self) -> None:
        self._until = 0.0

    def note(self, request: HttpRequest) -> None:
        """Look how many waited, for pages and forms, when this was asked for."""
        if request.META.get(WAITING, 0) >= CROWD:
            self._until = time.monotonic() + RUSH_S

    @property
    def is_on(self) -> bool:
        return time.monotonic() < self._until


Context = Callable[[Event], dict[str, Any]]
_writing = threading.Lock()
_rush = Rush()


def is_stranger(request: HttpRequest) -> bool:
    """Tell whether nothing is known of who asks, and nothing particular asked."""
    return {POSTER}.issuperset(request.GET) and TELL_NOTHING.issuperset(request.COOKIES)


def is_nobody(request: Any) -> bool:
    """Tell whether no device of staff asks, and nobody to whom something is still to be said."""
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
    """Return the page, written anew if it is not the one that was shown a moment ago.

    In a rush the event itself is not looked for.

    :param part: Which part of a long page it is, or what else makes it another one.
    """
    wanted = (template, slug, part, get_language(), request.scheme, request.get_host())
    name = "page:" + hashlib.sha256(repr(wanted).encode()).hexdigest()
    _rush.note(request)
    written = _kept(name)
    if written is None or not (_rush.is_on and written.is_younger_than(RUSH_KEPT_S)):
        written = _of_now(request, name, template, event(), context)
    own = {TOKEN: get_token(request), KEY: str(uuid.uuid4())}
    own[str(NOW_MS)] = str(instant_ms(server_time.now()))
    page = written.page
    for standing_for, text in own.items():
        page = page.replace(standing_for, text)
    return page


def _of_now(
    request: HttpRequest, name: str, template: str, event: Event, context: Context
) -> Written:
    versions = (event.version, event.club.version)
    # One writes it, and the others who want the same find it written.
    with _writing:
        written = _kept(name)
        if written is None or not _is_good(written, versions):
            own = {**context(event), "csrf_token": TOKEN, "key": KEY}
            if "clock_payload" in own:
                own["clock_payload"] = {**own["clock_payload"], "now": NOW_MS}
            written = Written(versions, time.time(), render_to_string(template, own, request))
            _keep(name, written)
    return written


def _is_good(written: Written, versions: tuple[int, int]) -> bool:
    # A request that waited for the writer may find a page newer than the event it had looked for.
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
