"""A person's profile, public with consent, and the page to give consent."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand
from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.personal import own_registration, player_actor, private
from tournaments.changes.views.requests import present, request_key
from tournaments.changes.views.responses import action_response
from tournaments.event.views.context import page_context
from tournaments.models import Person
from tournaments.people.selectors.registrations import is_sure
from tournaments.seasons.selectors.profiles import has_open_profile, profile_of
from tournaments.seasons.services.profiles import profile_close, profile_open

FORM_METHODS = ("GET", "HEAD", "POST")


@open_to_all()
@never_cache
def profile(request: HttpRequest, person: int) -> HttpResponse:
    """Show a person's profile, if published."""
    club = club_get()
    row = Person.objects.select_related("club").filter(club=club, pk=person).first()
    if row is None or not has_open_profile(row):
        raise Http404(_("Dieses Profil gibt es nicht, oder es ist nicht öffentlich."))
    context = {"club": club, "profile": profile_of(row)}
    return render(request, "seasons/profile.html", context)


@open_to_all(methods=FORM_METHODS)
@private
def own_profile(request: Any, token: str) -> HttpResponse:
    """Show a player's own profile, with the choice to publish or hide it."""
    registration = own_registration(token)
    person = registration.person
    here = reverse("own-profile", args=[token])
    if request.method == "POST":
        change = profile_open if request.POST.get("open") == "1" else profile_close
        command = ClubCommand(
            club=registration.event.club,
            by=player_actor(registration),
            at=present(registration.event.club),
            key=request_key(request),
        )
        return action_response(request, change(command, person=person), go_to=here)
    sure = is_sure(registration) and person.erased_at is None
    context = page_context(request, registration.event) | {
        "token": token,
        "is_sure": sure,
        "is_open": has_open_profile(person),
        "profile": profile_of(person) if sure else None,
        "person": person,
    }
    return render(request, "seasons/own_profile.html", context)
