"""Decorators of every page: fetch, authorise, catch refusals.

A staff view is `view(request, …)` under `@staff(permission)`, with the event and the actor on
`request.event` and `request.actor`. A view with an action calls one service and returns
`action_response(…)`. `Refused` becomes a 422 with the sentence; any other exception is a bug.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clock.snapshot import snapshot
from tournaments.changes.access import Permission, actor_of, allows, refusal_of
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.requests import Decorator, View, is_offline_tap, question
from tournaments.changes.views.responses import refused
from tournaments.models import Event

SAFE = ("GET", "HEAD")


def event_or_404(slug: str, request: Any = None, *, people: bool = False) -> Event:
    """Return the event or answer 404.

    :param people: Whether it is asked for people, tables or seats: where only the clock runs there
        are none.
    """
    is_shown = request is None or request.method in SAFE
    row = _shown(slug) if is_shown else Event.objects.by_hand("slug", slug)
    if row is None:
        raise Http404(_("Dieses Turnier gibt es nicht."))
    if request is not None and is_shown:
        snapshot(row, row.clock)
    if people and row.is_clock_only:
        if request is not None:
            request.event = row
        raise Http404(_("An diesem Abend läuft nur die Uhr: Diese Seite gibt es dabei nicht."))
    return row


def _shown(slug: str) -> Event | None:
    return Event.objects.select_related("club", "clock", "started_by").filter(slug=slug).first()


def is_of_people(page: str, *arguments: Any) -> bool:
    """Tell whether the named page is about people, tables or seats."""
    view = resolve(reverse(page, args=arguments)).func
    return bool(getattr(view, "people", False))


def staff(
    permission: Permission,
    *,
    people: bool,
    methods: tuple[str, ...] = SAFE,
    accepts_offline: bool = False,
) -> Decorator:
    """Fetch the event of `slug`, authorise the device, catch refusals.

    :param people: Whether the page is about people, tables or seats. There is none where only the
        clock runs.
    :param accepts_offline: Whether a tap may come late, with its own time: only facts of the floor.
    """

    def decorate(view: View) -> View:
        late = _late(view) if accepts_offline else _not_late

        @require_http_methods(methods)
        @wraps(view)
        def run(request: Any, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            request.event = event_or_404(slug, request, people=people)
            request.actor = actor_of(request.device, request.event)
            if not allows(request.actor, permission):
                return denied(request, permission)
            ask = late if is_offline_tap(request) else view
            return _answer(ask, request, *args, **kwargs)

        run.people = people  # type: ignore[attr-defined]
        return run

    return decorate


def club_staff(permission: Permission, *, methods: tuple[str, ...] = SAFE) -> Decorator:
    """Authorise the device for the whole club, catch refusals."""

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
    """Mark a page open to everyone; catch refusals.

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
    """Answer 403 with the reason as a sentence."""
    actor = request.actor  # type: ignore[attr-defined]
    if is_offline_tap(request):
        return question(str(refusal_of(actor, permission)), "denied", 403)
    context = {"reason": refusal_of(actor, permission), "is_signed_in": actor.device is not None}
    template = "parts/refusal.html" if request.headers.get("HX-Request") else "403.html"
    return render(request, template, context, status=403)


def _answer(view: View, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
    try:
        return view(request, *args, **kwargs)
    except Refused as refusal:
        return refused(request, refusal)


def _late(view: View) -> View:
    """Hold the event's lock during a late tap, so that the check stays valid."""

    def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        with transaction.atomic():
            Event.objects.by_hand("id", request.event.pk, lock=True)
            return view(request, *args, **kwargs)

    return run


def _not_late(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
    raise Refused(_("Das lässt sich nicht nachtragen. Bitte neu eingeben."), code="not_late")
