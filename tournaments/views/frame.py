"""What every page needs: fetch and authorise in one step, the present time, answers to actions.

A view for staff is written as `view(request, …)` under `@staff(permission)`; it finds the event and
the actor on `request.event` and `request.actor`. A view that acts calls one service and returns
`acted(…)`. `Refused` becomes a 422 with the sentence, everything else is a bug.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clock.servertime import server_time
from clock.snapshot import snapshot
from tournaments.access import Actor, Permission, actor_of, allows, refusal_of
from tournaments.commands import ClubCommand, Command
from tournaments.domain.errors import Refused
from tournaments.kinds import Topic
from tournaments.models import Action, Event, StaffDevice
from tournaments.models.log import Logged
from tournaments.selectors.log import describe
from tournaments.services.staff import club_get
from tournaments.views import held


class EventRequest(HttpRequest):
    """A request for a page of an event."""

    event: Event


class StaffRequest(EventRequest):
    """A request after `@staff`: who acts, and at which event."""

    actor: Actor
    device: StaffDevice | None
    htmx: Any


SAFE = ("GET", "HEAD")
View = Callable[..., HttpResponse]
Decorator = Callable[[View], View]


def present(subject: Logged | None = None) -> datetime:
    """Return the present time, never before the last thing that was written down."""
    now = server_time.now()
    last = subject.log_recorded_at if subject is not None else None
    return max(now, last) if last else now


def event_or_404(slug: str, request: Any = None, *, people: bool = False) -> Event:
    """Return the event.

    :param people: Whether it is asked for people, tables or seats: where only the clock runs there
        are none.
    """
    row = Event.objects.select_related("club", "clock").filter(slug=slug).first()
    if row is None:
        raise Http404(_("Dieses Turnier gibt es nicht."))
    if request is not None and request.method in SAFE:
        snapshot(row, row.clock)
    if people and row.is_clock_only:
        if request is not None:
            request.event = row
        raise Http404(_("An diesem Abend läuft nur die Uhr: Diese Seite gibt es dabei nicht."))
    return row


def is_of_people(page: str, *arguments: Any) -> bool:
    """Tell whether the page of this name is about people, tables or seats."""
    view = resolve(reverse(page, args=arguments)).func
    return bool(getattr(view, "people", False))


def staff(
    permission: Permission,
    *,
    people: bool,
    methods: tuple[str, ...] = SAFE,
    may_wait: bool = False,
) -> Decorator:
    """Fetch the event named by `slug`, authorise the device for it, catch refusals.

    :param people: Whether the page is about people, tables or seats. There is none where only the
        clock runs.
    :param may_wait: Whether a tap may come late, with its own time: only facts of the floor.
    """

    def decorate(view: View) -> View:
        late = _late(view) if may_wait else _not_late

        @require_http_methods(methods)
        @wraps(view)
        def run(request: Any, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            request.event = event_or_404(slug, request, people=people)
            request.actor = actor_of(request.device, request.event)
            if not allows(request.actor, permission):
                return denied(request, permission)
            ask = late if held.waited(request) else view
            return _answer(ask, request, *args, **kwargs)

        run.people = people  # type: ignore[attr-defined]
        return run

    return decorate


def club_staff(permission: Permission, *, methods: tuple[str, ...] = SAFE) -> Decorator:
    """Authorise the device for the club as a whole, catch refusals."""

    def decorate(view: View) -> View:
        @require_http_methods(methods)
        @wraps(view)
        def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
            request.actor = actor_of(request.device, None)
            if not allows(request.actor, permission):
                return denied(request, permission)
            return _answer(view, request, *args, **kwargs)

        return run

    return decorate


def open_to_all(*, people: bool = False, methods: tuple[str, ...] = SAFE) -> Decorator:
    """Mark a page that everybody may see; refusals are answered as everywhere.

    :param people: As for `staff`; then the view gets the event on `request.event`.
    """

    def decorate(view: View) -> View:
        @require_http_methods(methods)
        @wraps(view)
        def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
            if people:
                request.event = event_or_404(kwargs["slug"], request, people=True)
            return _answer(view, request, *args, **kwargs)

        run.people = people  # type: ignore[attr-defined]
        return run

    return decorate


def denied(request: HttpRequest, permission: Permission) -> HttpResponse:
    """Answer that this device may not, with a sentence, visibly: 403."""
    actor = request.actor  # type: ignore[attr-defined]
    if held.waited(request):
        return held.question(str(refusal_of(actor, permission)), "denied", 403)
    context = {"reason": refusal_of(actor, permission), "is_signed_in": actor.device is not None}
    template = "parts/refusal.html" if request.headers.get("HX-Request") else "403.html"
    return render(request, template, context, status=403)


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
    times = held.times_of(request, key, now) if held.waited(request) else {"at": now}
    return Command(event=request.event, by=request.actor, key=key, seen=seen, **times)


def club_command_of(request: StaffRequest) -> ClubCommand:
    """Return the command of the device that asks, for the club."""
    club = club_get()
    return ClubCommand(club=club, by=request.actor, at=present(club), key=request_key(request))


def acted(
    request: HttpRequest,
    action: Action,
    *,
    sentence: str = "",
    undo_url: str = "",
    go_to: str = "",
) -> HttpResponse:
    """Answer an action: to htmx what changed and a toast with its undo, to a plain form a redirect.

    The page's panels fetch themselves again when told what changed, as they do when the stream
    tells them of somebody else's action; the version keeps them from doing it twice.
    """
    told = sentence or describe(action)
    if go_to or not request.headers.get("HX-Request"):
        messages.success(request, told)
        if request.headers.get("HX-Request"):
            return HttpResponse(status=204, headers={"HX-Redirect": go_to})
        return HttpResponseRedirect(go_to or _safe_back(request))
    context = {"text": told, "undo_url": undo_url}
    response = render(request, "parts/acted.html", context)
    response["HX-Reswap"] = "none"
    return news(response, action, closes=True)


def news(response: HttpResponse, action: Action, *, closes: bool = False) -> HttpResponse:
    """Tell the page that acted what changed, in the form of the stream's messages.

    :param closes: Whether open dialogs close; not when the answer is shown in one.
    """
    told: dict[str, Any] = {"krru:acted": action.news or _everything(action)}
    if closes:
        told["krru:close"] = True
    response["HX-Trigger"] = json.dumps(told)
    return response


def _everything(action: Action) -> dict[str, Any]:
    """Return the news of an action that was served before: whatever it was, read it all."""
    versions = Event.objects.filter(pk=action.event_id or 0).values_list("version", flat=True)
    return {"version": versions.first() or 0, "changed": list(Topic)}


def refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Answer a refusal: the sentence alone for htmx, a page otherwise. Always 422."""
    if held.waited(request):
        return held.question(str(refusal), refusal.code, 422)
    context = {"reason": str(refusal), "code": refusal.code, "back": _safe_back(request)}
    template = "parts/refusal.html" if request.headers.get("HX-Request") else "422.html"
    return render(request, template, context, status=422)


def _answer(view: View, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
    try:
        return view(request, *args, **kwargs)
    except Refused as refusal:
        return refused(request, refusal)


def _late(view: View) -> View:
    """Hold the event's lock round a late tap, so that nothing moves while it is compared."""

    def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        with transaction.atomic():
            Event.objects.select_for_update(of=("self",)).get(pk=request.event.pk)
            return view(request, *args, **kwargs)

    return run


def _not_late(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
    raise Refused(_("Das lässt sich nicht nachtragen. Bitte neu eingeben."), code="not_late")


def _safe_back(request: HttpRequest) -> str:
    back = request.POST.get("next") or request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        return back
    return "/"
