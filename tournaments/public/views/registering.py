"""Registering on the tournament page; too many forms from one connection are held off."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language

from krru.data import by_hand
from tournaments.changes.access import VISITOR
from tournaments.changes.commands import Command, was_served
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.floods import comes_too_often, origin_of, refuse_flood
from tournaments.changes.views.requests import EventRequest, present, request_key
from tournaments.door.services.registration import registration_create
from tournaments.models import Registration
from tournaments.public.forms.own import RegisterForm
from tournaments.public.views.public import tournament_page


@open_to_all(people=True, methods=("GET", "HEAD", "POST"))
def register(request: EventRequest, slug: str) -> HttpResponse:
    """Register a visitor, and show the new player's own page: it says at once which place it is."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("tournament", args=[slug]) + "#anmelden")
    form = RegisterForm(request.POST)
    if form.is_valid():
        try:
            return HttpResponseRedirect(reverse("player", args=[_register(request, form)]))
        except Refused as refusal:
            form.refuse(refusal)
    page = tournament_page(request, request.event, form)
    return render(request, "public/tournament.html", page, status=422)


def _register(request: EventRequest, form: RegisterForm) -> str:
    """Register a visitor; return the secret of the link."""
    event = request.event
    is_flood, key = comes_too_often(request, event), request_key(request)
    if is_flood and not was_served(VISITOR, key):
        refuse_flood(event)
    by = replace(VISITOR, origin=origin_of(request, event))
    command = Command(event=event, by=by, at=present(event), key=key)
    action = registration_create(command, **form.wanted(), language=get_language() or "")
    (made,) = by_hand.select(Registration, "id = %s", [action.payload["registration"]])
    return made.link_token
