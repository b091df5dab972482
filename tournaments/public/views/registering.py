"""Registration on the tournament page, with a limit per connection."""

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from krru.web.rate_limits import RateLimit
from tournaments.changes.access import VISITOR
from tournaments.changes.commands import Command, was_served
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.requests import EventRequest, present, request_key
from tournaments.door.services.registration import registration_create
from tournaments.door.views.poster import shown_token
from tournaments.models import Registration
from tournaments.public.forms.own import RegisterForm
from tournaments.public.views.public import tournament_page

# Enough for a family. The poster's link allows more, as a hall may share an address.
PER_ADDRESS = RateLimit(name="registration", most=10)
FROM_THE_POSTER = RateLimit(name="poster", most=30)


@open_to_all(people=True, methods=("GET", "HEAD", "POST"))
def register(request: EventRequest, slug: str) -> HttpResponse:
    """Register a visitor and redirect to the new player's own page, which shows the place."""
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
    """Register a visitor; return the link's token."""
    event = request.event
    limit = FROM_THE_POSTER if shown_token(request, event.slug) else PER_ADDRESS
    is_flood, key = limit.is_passed_by(request, event.pk), request_key(request)
    # While the director holds the gate open, a whole hall registers through one connection.
    if is_flood and not event.is_gate_open and not was_served(VISITOR, key):
        raise Refused(
            _(
                "Von diesem Anschluss kamen gerade sehr viele Anmeldungen. Bitte in zehn Minuten "
                "noch einmal versuchen, oder der Turnierleitung Bescheid sagen: Sie kann die "
                "Anmeldung für einen ganzen Saal öffnen."
            ),
            code="flood",
        )
    command = Command(event=event, by=VISITOR, at=present(event), key=key)
    action = registration_create(command, **form.wanted(), language=get_language() or "")
    return Registration.objects.get(pk=action.payload["registration"]).link_token
