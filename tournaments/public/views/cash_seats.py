"""A player's page for cash tables: ask for a seat, answer an offer, announce leaving."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournaments.cashgame.services.answers import cash_offer_accept
from tournaments.cashgame.services.line import cash_unwait, cash_wait
from tournaments.cashgame.services.presence import cash_leave_announce
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.params import whole_number
from tournaments.changes.views.personal import own_registration, private
from tournaments.changes.views.requests import present
from tournaments.models import Action, CashTable
from tournaments.public.views.player_actions import answer_card, own_command

_AT_A_TABLE: Mapping[str, Callable[..., Action]] = {
    "wait": cash_wait,
    "wait_any": partial(cash_wait, any_table=True),
    "accept": cash_offer_accept,
    "drop": cash_unwait,
}


@open_to_all(methods=("POST",))
@private
def player_cash(request: Any, token: str) -> HttpResponse:
    """Do the tapped action: join or leave a list, take or decline a seat, announce leaving."""
    registration, what = own_registration(token), request.POST.get("what", "")
    if what == "leave":
        later = timedelta(minutes=whole_number(request, "minutes"))
        action = cash_leave_announce(
            own_command(request, registration),
            registration=registration,
            leaves_at=present(registration.event) + later,
        )
        return answer_card(request, registration, action, _("Danke, wir wissen, wann du gehst."))
    if what not in _AT_A_TABLE:
        raise Refused(_("Das gibt es hier nicht."), code="unknown")
    rows = CashTable.objects.live().filter(event=registration.event)
    table = get_object_or_404(rows, pk=whole_number(request, "table"))
    asks, command = _AT_A_TABLE[what], own_command(request, registration)
    action = asks(command, registration=registration, table=table)
    return answer_card(request, registration, action, _confirmation(what))


def _confirmation(what: str) -> str:
    return {
        "wait": _("Du stehst auf der Liste."),
        "wait_any": _("Du stehst auf der Liste."),
        "accept": _("Danke, der Platz wird für dich gehalten."),
        "drop": _("Du stehst nicht mehr auf der Liste."),
    }[what]
