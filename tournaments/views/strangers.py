"""The tournament page as strangers see it before the start: written once for all who open it now.

When registration opens hundreds open the same page in the same seconds. It is the same for all of
them but for two tokens, so it is kept for as long as nothing changed, two seconds at the most; the
tokens are put in for each. Whoever is known by a cookie gets a page of his own.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.translation import get_language

from tournaments.models import Event
from tournaments.views.frame import present

MOST_KEPT = 32
KEPT_S = 2
# Stand for what each visitor gets of his own.
TOKEN = "the-csrf-token-of-this-visitor-and-no-other"  # noqa: S105
KEY = "00000000-4b52-5255-0000-000000000000"
TELL_NOTHING = frozenset({settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME})

_pages: OrderedDict[tuple[Any, ...], str] = OrderedDict()
_lock = threading.Lock()


def is_stranger(request: HttpRequest) -> bool:
    """Tell whether nothing is known of who asks, and nothing particular asked."""
    return not request.GET and TELL_NOTHING.issuperset(request.COOKIES)


def page_of_strangers(
    request: HttpRequest, event: Event, template: str, context: Callable[[], dict[str, Any]]
) -> str:
    """Return the page, written anew if it is not the one that was shown a moment ago."""
    at = int(present(event).timestamp()) // KEPT_S
    versions = (event.pk, event.version, event.club.version)
    wanted = (template, *versions, get_language(), request.get_host(), request.scheme, at)
    with _lock:
        page = _pages.get(wanted)
        if page is None:
            own = {**context(), "csrf_token": TOKEN, "key": KEY}
            page = _pages[wanted] = render_to_string(template, own, request)
            while len(_pages) > MOST_KEPT:
                _pages.popitem(last=False)
    return page.replace(TOKEN, get_token(request)).replace(KEY, str(uuid.uuid4()))
