"""The club's look: set by the director and served to pages."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import club_staff, open_to_all
from tournaments.changes.views.requests import StaffRequest, club_command_of
from tournaments.changes.views.responses import action_response
from tournaments.club.forms.club import ColourForm, LogoForm
from tournaments.club.selectors.theme import club_style, style_digest
from tournaments.club.services.theme import club_colour_set, club_logo_remove, club_logo_set
from tournaments.club.views.club import HERE, club_page
from tournaments.event.views.events import WRONG
from tournaments.models import Club, ClubLogo

FOREVER = "public, max-age=31536000, immutable"
# A drawing may hold scripts. In an <img> none runs; opened as a page, this policy blocks them.
LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def colour(request: StaffRequest) -> HttpResponse:
    """Set the club's colour, or return to the program's."""
    form = ColourForm(request.POST)
    form.is_valid()
    try:
        action = club_colour_set(club_command_of(request), colour=form.cleaned_data["colour"])
    except Refused as refusal:
        form.add_error("colour", str(refusal))
        return _wrong(request, colour_form=form)
    return action_response(request, action, sentence=_("Gespeichert."), go_to=_here())


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def logo(request: StaffRequest) -> HttpResponse:
    """Set the logo."""
    form = LogoForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            data = form.cleaned_data["logo"].read()
            action = club_logo_set(club_command_of(request), data=data)
            return action_response(request, action, sentence=_("Gespeichert."), go_to=_here())
        except Refused as refusal:
            form.add_error("logo", str(refusal))
    return _wrong(request, logo_form=form)


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def logo_remove(request: StaffRequest) -> HttpResponse:
    """Remove the logo."""
    action = club_logo_remove(club_command_of(request))
    return action_response(request, action, sentence=_("Das Logo ist entfernt."), go_to=_here())


@open_to_all()
def logo_file(_request: HttpRequest, digest: str) -> HttpResponse:
    """Return the logo with that digest."""
    row = ClubLogo.objects.filter(digest=digest).first()
    if row is None:
        raise Http404
    return _kept(bytes(row.data), row.media_type, {"Content-Security-Policy": LOGO_POLICY})


@open_to_all()
def style_file(_request: HttpRequest, digest: str) -> HttpResponse:
    """Return the style sheet with that digest."""
    clubs = Club.objects.exclude(colour="")
    found = next((text for text in map(club_style, clubs) if style_digest(text) == digest), None)
    if found is None:
        raise Http404
    return _kept(found.encode(), "text/css", {})


def _kept(data: bytes, media_type: str, headers: dict[str, str]) -> HttpResponse:
    headers = {"Cache-Control": FOREVER, "X-Content-Type-Options": "nosniff", **headers}
    return HttpResponse(data, content_type=media_type, headers=headers)


def _wrong(request: StaffRequest, **forms: Any) -> HttpResponse:
    return render(request, "club/settings.html", club_page(club_get(), **forms), status=WRONG)


def _here() -> str:
    return reverse(HERE)
