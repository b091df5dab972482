"""Registering on the tournament page: who is there twice is asked, a flood is held off."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from krru.data import by_hand
from tournaments.changes.access import VISITOR
from tournaments.changes.commands import Command, was_served
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.floods import comes_too_often, origin_of, refuse_flood
from tournaments.changes.views.requests import EventRequest, present, request_key
from tournaments.door.services.registration import registration_create
from tournaments.models import Event, Registration
from tournaments.people.selectors.doubles import double_of
from tournaments.public.forms.own import RegisterForm
from tournaments.public.selectors.posters import is_only_practice
from tournaments.public.views.public import tournament_page


@open_to_all(people=True, methods=("GET", "HEAD", "POST"))
def register(request: EventRequest, slug: str) -> HttpResponse:
    """Register a visitor, and show the new player's own page: it says at once which place it is."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("tournament", args=[slug]) + "#anmelden")
    form = RegisterForm(request.POST)
    event = request.event
    is_flood = form.is_valid() and comes_too_often(request, event)
    token = _register(request, event, form, is_flood=is_flood) if form.is_valid() else None
    if token is not None:
        return HttpResponseRedirect(reverse("player", args=[token]))
    return render(
        request, "public/tournament.html", tournament_page(request, event, form), status=422
    )


def _register(
    request: HttpRequest, event: Event, form: RegisterForm, *, is_flood: bool
) -> str | None:
    """Register a visitor, or put next to the form why not; return the secret of the link."""
    try:
        key = request_key(request)
        # Sent again, the person would be found to be like the one registered a moment ago.
        if not was_served(VISITOR, key):
            if is_only_practice(event):
                raise Refused(_("Bei einem Beispiel meldet sich niemand an."), code="sample")
            if is_flood:
                refuse_flood(event)
            _ask_if_double(event, form)
        by = replace(VISITOR, origin=origin_of(request, event))
        command = Command(event=event, by=by, at=present(event), key=key)
        action = registration_create(command, **_wanted(form))
    except Refused as refusal:
        form.refuse(refusal)
        return None
    (made,) = by_hand.select(Registration, "id = %s", [action.payload["registration"]])
    return made.link_token


def _wanted(form: RegisterForm) -> dict[str, Any]:
    return {**form.wanted(), "language": get_language() or ""}


def _ask_if_double(event: Event, form: RegisterForm) -> None:
    """Ask whether it is somebody else than who is there already; once that was said, take it."""
    double = double_of(event, form.cleaned_data["name"])
    if double is None or form.is_somebody_else(double):
        return
    form.double = double
    raise Refused(_("%(name)s ist schon angemeldet.") % {"name": double.name}, code="double")
