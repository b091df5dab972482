"""What a request brings, made into what services take: event, actor, present time, key."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from clock.servertime import server_time
from tournaments.changes.access import Actor
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views import offline
from tournaments.models import Event, StaffDevice
from tournaments.models.log import Logged

View = Callable[..., HttpResponse]
Decorator = Callable[[View], View]


class EventRequest(HttpRequest):
    """A request for a page of an event."""

    event: Event


class StaffRequest(EventRequest):
    """A request after `@staff`: who acts, and at which event."""

    actor: Actor
    device: StaffDevice | None
    htmx: Any


def present(subject: Logged | None = None) -> datetime:
    """Return the present time, never before the last thing that was written down."""
    now = server_time.now()
    last = subject.log_recorded_at if subject is not None else None
    return max(now, last) if last else now


def request_key(request: HttpRequest) -> UUID | None:
    """Return the client's idempotency key, from the header or the form.

    :raises Refused: When what was sent is no UUID.
    """
    raw = request.headers.get("X-Idempotency-Key") or request.POST.get("idempotency_key", "")
    if not raw:
        return None
    try:
        return UUID(raw)
    except ValueError as problem:
        raise Refused(_("Die Anfrage ist unvollständig. Bitte neu laden."), code="bad_key") from (
            problem
        )


def command_of(request: StaffRequest, *, seen: int | None = None) -> Command:
    """Return the command of the device that asks, at the event of the page.

    A tap that waited on a phone brings its own `at`, and is written down now.

    :raises Refused: When the time of such a tap is in doubt, or the room has overtaken it.
    """
    now, key = present(request.event), request_key(request)
    times = offline.times_of(request, key, now) if offline.is_offline_tap(request) else {"at": now}
    return Command(
        event=request.event,
        by=request.actor,
        key=key,
        seen=seen,
        knowingly="knowingly" in request.POST,
        **times,
    )


def club_command_of(request: StaffRequest) -> ClubCommand:
    """Return the command of the device that asks, for the club."""
    club = club_get()
    return ClubCommand(club=club, by=request.actor, at=present(club), key=request_key(request))
