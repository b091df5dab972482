"""A player's page asks for a re-buy, an add-on or a re-entry, confirmed by the desk."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.params import optional_number
from tournaments.changes.views.personal import own_registration, private
from tournaments.models import Entry, Registration, What
from tournaments.public.views.player_actions import answer_card, own_command
from tournaments.rebuys.services.wishes import purchase_ask, purchase_unask


@open_to_all(methods=("POST",))
@private
def player_buys(request: Any, token: str) -> HttpResponse:
    """Ask for it, with the remaining stack where needed."""
    registration = own_registration(token)
    what = request.POST.get("what", "")
    if what not in set(What):
        raise Refused(_("Das gibt es hier nicht."), code="unknown")
    own: dict[str, Any] = {}
    if what == What.REBUY:
        own = {
            "number": optional_number(request, "number") or 1,
            "stack": optional_number(request, "stack"),
        }
    entry = _entry(registration)
    action = purchase_ask(own_command(request, registration), entry=entry, what=what, **own)
    sentence = _("Ist angesagt. Bitte zur Anmeldung kommen und zahlen.")
    return answer_card(request, registration, action, sentence)


@open_to_all(methods=("POST",))
@private
def player_unasks(request: HttpRequest, token: str) -> HttpResponse:
    """Withdraw the player's request."""
    registration = own_registration(token)
    entry = _entry(registration)
    action = purchase_unask(own_command(request, registration), entry=entry)
    return answer_card(request, registration, action, _("Zurückgenommen."))


def _entry(registration: Registration) -> Entry:
    row = registration.entries.live().order_by("-number").first()
    if row is None:
        raise Refused(_("Du hast noch keinen Platz."), code="no_entry")
    return row
