"""Limits on forms that anybody may send: per connection, and per personal link.

Who opened the tournament page by the code on the poster sends its token with the form, and may send
more. It is the same for the whole event, so that what was printed stays good.

Counters live in the cache and may be forgotten; they hold off a flood, and decide nothing else.
"""

from __future__ import annotations

import base64
import logging

from django.core.cache import caches
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.floods import (
    FROM_THE_POSTER,
    OF_ALL_TYPED_CODES,
    OF_SCREENS,
    OF_TYPED_CODES,
    PER_ADDRESS,
    PER_LINK,
    FloodLimit,
    counted_connection,
)
from tournaments.models import Event, Registration

ORIGIN_DIGITS = 32
# What the poster's link says it with.
TOKEN, TOKEN_BYTES = "da", 5

log = logging.getLogger("krru.floods")


def comes_too_often(request: HttpRequest, event: Event) -> bool:
    """Count a registration for its connection, and tell whether that sent too many lately.

    Nothing from this machine is counted.
    """
    counted = counted_connection(request.META.get("REMOTE_ADDR", ""))
    if counted is None:
        return False
    if shown_token(request, event.slug):
        return _is_too_many(f"flood:poster:{event.pk}:{counted}", FROM_THE_POSTER)
    return _is_too_many(f"flood:{event.pk}:{counted}", PER_ADDRESS)


def poster_token(slug: str) -> str:
    """Return what the code on an event's poster carries: few characters, and nobody guesses it."""
    digest = salted_hmac("poster", slug).digest()
    return base64.b32encode(digest[:TOKEN_BYTES]).decode().lower()


def shown_token(request: HttpRequest, slug: str) -> str:
    """Return the poster's token if who asks has it, else nothing."""
    token = (request.POST if request.method == "POST" else request.GET).get(TOKEN, "")
    good = poster_token(slug)
    return good if constant_time_compare(token, good) else ""


def origin_of(request: HttpRequest, event: Event) -> str:
    """Return what stands for the address of a visitor at this event; nothing for this machine.

    A hash with the installation's secret: it tells alike from unlike, and no address.
    """
    counted = counted_connection(request.META.get("REMOTE_ADDR", ""))
    if counted is None:
        return ""
    return salted_hmac(f"origin:{event.pk}", counted).hexdigest()[:ORIGIN_DIGITS]


def refuse_flood_of_codes(request: HttpRequest) -> None:
    """Refuse codes for big screens to a connection that asked for too many.

    :raises Refused: With what to do instead.
    """
    counted = counted_connection(request.META.get("REMOTE_ADDR", ""))
    if counted is not None and _is_too_many(f"flood:screens:{counted}", OF_SCREENS):
        raise Refused(
            _("Von diesem Gerät wurde gerade sehr oft ein Code verlangt. Bitte in zehn Minuten "
              "noch einmal versuchen."),
            code="flood",
        )  # fmt: skip


def refuse_flood_of_typed_codes(request: HttpRequest) -> None:
    """Refuse codes typed to sign a device in, when so many were that somebody may be guessing.

    :raises Refused: With what to do instead.
    """
    counted = counted_connection(request.META.get("REMOTE_ADDR", ""))
    own = counted is not None and _is_too_many(f"flood:codes:{counted}", OF_TYPED_CODES)
    if own or _is_too_many("flood:codes", OF_ALL_TYPED_CODES):
        raise Refused(
            _("Das waren gerade sehr viele Codes. Bitte in zehn Minuten noch einmal versuchen, "
              "oder den QR-Code oder Link nehmen."),
            code="flood",
        )  # fmt: skip


def refuse_flood(event: Event) -> None:
    """Refuse a registration from a connection that sent too many.

    Not while the director holds the gate open: then a whole hall registers through one connection.

    :raises Refused: With what to do instead.
    """
    if not event.is_gate_open:
        raise Refused(
            _(
                "Von diesem Anschluss kamen gerade sehr viele Anmeldungen. Bitte in zehn Minuten "
                "noch einmal versuchen, oder der Turnierleitung Bescheid sagen: Sie kann die "
                "Anmeldung für einen ganzen Saal öffnen."
            ),
            code="flood",
        )


def refuse_flood_of_link(registration: Registration) -> None:
    """Refuse what comes from one personal link too often.

    :raises Refused: With what to do instead.
    """
    if _is_too_many(f"flood:link:{registration.pk}", PER_LINK):
        raise Refused(
            _("Das war sehr oft hintereinander. Bitte in ein paar Minuten noch einmal versuchen."),
            code="flood",
        )


def _is_too_many(key: str, limit: FloodLimit) -> bool:
    cache = caches["kept"]
    try:
        if cache.add(key, 1, timeout=limit.window.total_seconds()):
            return False
        return cache.incr(key) > limit.most
    except ValueError:
        return False  # its time was up between the two
    except RedisError:
        log.warning("Without Redis floods are not counted.")
        return False
