"""Register people of an earlier event again, as chosen."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import action_response
from tournaments.door.selectors.places import capacity_of
from tournaments.door.selectors.regulars import (
    Guest,
    evenings_with_guests,
    guests_of,
    taken_again,
)
from tournaments.door.services.registration import registrations_import
from tournaments.event.views.context import page_context
from tournaments.models import Action, Event

MOST_EVENINGS = 10
CAME, EVERYBODY, NOBODY = "dabei", "alle", "niemand"


@never_cache
@staff(Permission.MANAGE, people=True, methods=("GET", "HEAD", "POST"))
def carry_over(request: StaffRequest) -> HttpResponse:
    """Show the registrations of another event; on POST, register the ticked people."""
    event = request.event
    evenings = evenings_with_guests(event)
    source = _source(request, event)
    guests = guests_of(source, event) if source else []
    if request.method == "POST":
        return _register(request, guests)
    who = request.GET.get("wer", CAME if any(guest.came for guest in guests) else EVERYBODY)
    context = {
        "source": source,
        "evenings": evenings[:MOST_EVENINGS],
        "who": who,
        "ways": ((CAME, _("wer da war")), (EVERYBODY, _("alle")), (NOBODY, _("niemand"))),
        "guests": [(guest, _is_meant(guest, who)) for guest in guests],
        "free": capacity_of(event).free,
    }
    page = page_context(request, event, request.actor)
    return render(request, "desk/carry.html", {**page, **context})


def registered_many(action: Action, count: int) -> str:
    """Return how many were registered at once, and how many of them wait."""
    waiting = action.payload.get("waits", 0)
    if not waiting:
        return ngettext(
            "%(count)d Person ist angemeldet.", "%(count)d Personen sind angemeldet.", count
        ) % {"count": count}
    return ngettext(
        "%(count)d Person ist angemeldet, auf der Warteliste: %(waiting)d.",
        "%(count)d Personen sind angemeldet, davon auf der Warteliste: %(waiting)d.",
        count,
    ) % {"count": count, "waiting": waiting}


def _source(request: StaffRequest, event: Event) -> Event | None:
    """Return the chosen event, else the last of this name, else the last."""
    evenings = evenings_with_guests(event)
    asked = (request.POST if request.method == "POST" else request.GET).get("von", "")
    if asked:
        return get_object_or_404(evenings, slug=asked)
    return evenings.filter(name=event.name).first() or evenings.first()


def _is_meant(guest: Guest, who: str) -> bool:
    return not guest.is_here and (who == EVERYBODY or (who == CAME and guest.came))


def _register(request: StaffRequest, guests: list[Guest]) -> HttpResponse:
    chosen = set(request.POST.getlist("person"))
    people = [
        taken_again(guest.person, guest.registration)
        for guest in guests
        if str(guest.person.pk) in chosen
    ]
    if not people:
        raise Refused(_("Niemand ist ausgewählt."), code="nobody_chosen")
    action = registrations_import(command_of(request), people=people)
    go_to = reverse("desk", args=[request.event.slug])
    sentence = registered_many(action, len(people))
    return action_response(request, action, sentence=sentence, go_to=go_to)
