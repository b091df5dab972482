"""The tournament page as strangers see it before the start: written once for all who open it now.

When registration opens hundreds open the same page in the same seconds. It is the same for all of
them but for two tokens, so it is kept for as long as nothing changed, two seconds at the most; the
tokens are put in for each. Whoever is known by a cookie gets a page of his own.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.translation import get_language
from redis.exceptions import RedisError

from tournaments.models import Event
from tournaments.views.frame import present

KEPT_S = 2
# Stand for what each visitor gets of his own.
TOKEN = "the-csrf-token-of-this-visitor-and-no-other"  # noqa: S105
KEY = "00000000-4b52-5255-0000-000000000000"
TELL_NOTHING = frozenset({settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME})

_writing = threading.Lock()


def is_stranger(request: HttpRequest) -> bool:
    """Tell whether nothing is known of who asks, and nothing particular asked."""
    return not request.GET and TELL_NOTHING.issuperset(request.COOKIES)


def page_of_strangers(
    request: HttpRequest, event: Event, template: str, context: Callable[[], dict[str, Any]]
) -> str:
    """Return the page, written anew if it is not the one that was shown a moment ago."""
    at = int(present(event).timestamp()) // KEPT_S
    versions = (event.pk, event.version, event.club.version)
    wanted = (template, *versions, get_language(), request.scheme, request.get_host(), at)
    name = "page:" + hashlib.sha256(repr(wanted).encode()).hexdigest()
    # One writes it, and the others who want the same find it written.
    with _writing:
        page = _kept(name)
        if page is None:
            own = {**context(), "csrf_token": TOKEN, "key": KEY}
            page = render_to_string(template, own, request)
            _keep(name, page)
    return page.replace(TOKEN, get_token(request)).replace(KEY, str(uuid.uuid4()))


def _kept(name: str) -> str | None:
    try:
        page: str | None = cache.get(name)
    except RedisError:
        return None
    return page


def _keep(name: str, page: str) -> None:
    with contextlib.suppress(RedisError):
        cache.set(name, page, KEPT_S)
