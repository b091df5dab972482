"""The counters of an evening without names."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.params import optional_number, whole_number
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import undoable_response
from tournaments.event.selectors.counts import counted, rebuy_chips
from tournaments.event.selectors.event import average_stack
from tournaments.event.services.counts import Counter, count_change
from tournaments.models import Event

STEPS = ((-1, "less"), (1, "more"))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def count(request: StaffRequest) -> HttpResponse:
    """Count one up or down."""
    chips = optional_number(request, "chips", _("Ein Re-buy ist eine ganze Zahl von Chips."))
    what, step = request.POST.get("what", ""), whole_number(request, "step")
    return undoable_response(
        request, count_change(command_of(request), what=what, step=step, chips=chips)
    )


def counts_shown(request: StaffRequest) -> dict[str, Any]:
    """Return the three counters with their keys, and the derived figures."""
    now = counted(request.event)
    return {
        "counters": [
            ("left", _("im Spiel"), now.left, ("z", _("Wieder einer im Spiel")),
             ("a", _("Einer ist ausgeschieden"))),
            ("entries", _("Einstiege"), now.entries, ("e", _("Ein Einstieg mehr")),
             ("d", _("Ein Einstieg weniger"))),
            ("rebuys", _("Re-buys"), now.rebuys, ("r", _("Ein Re-buy mehr")),
             ("f", _("Ein Re-buy weniger"))),
        ],
        "chips": now.chips,
        "average": average_stack(now.chips, now.left),
    }  # fmt: skip


def counting_context(event: Event) -> dict[str, Any]:
    """Return the context outside of the panels: the values of each press, and a re-buy's chips."""
    return {
        "steps": [(what, step, name) for what in Counter for step, name in STEPS],
        "rebuy_chips": rebuy_chips(event),
    }
