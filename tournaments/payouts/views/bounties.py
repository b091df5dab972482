"""Bounties for staff: values and winnings."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Actor, Permission, allows
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of, undoable_response
from tournaments.event.selectors.event import entry_names
from tournaments.event.views.context import page_context
from tournaments.models import Entry, Event
from tournaments.payouts.domain.bounties import BountyKind
from tournaments.payouts.forms.deals import EnvelopesForm
from tournaments.payouts.selectors.bounties import (
    bounties_of,
    bounty_lines,
    envelopes_left,
    event_has_bounties,
    heads_waiting,
    mystery_pot,
    taker_asked,
)
from tournaments.payouts.services.bounties import mystery_begin, mystery_draw


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
def board(request: StaffRequest) -> HttpResponse:
    """Show the bounties; without bounties, the tables."""
    if not event_has_bounties(request.event):
        return redirect("floor", request.event.slug)
    context = page_context(request, request.event, request.actor)
    context |= _panel(request.event, request.actor) | {"form": EnvelopesForm()}
    return render(request, "money/bounties.html", context)


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
def panel(request: StaffRequest) -> HttpResponse:
    """Show only that panel, for an open page."""
    return render(request, "money/bounties_panel.html", _panel(request.event, request.actor))


def _panel(event: Event, actor: Actor) -> dict[str, Any]:
    stands, pot = bounties_of(event), mystery_pot(event)
    waiting = heads_waiting(event)
    names = entry_names({*stands.undrawn, *(stack.entry for stack, _cents in waiting)})
    left = envelopes_left(pot) if pot else []
    return {
        "event": event,
        "has_bounties": event_has_bounties(event),
        "is_mystery": event.bounty_kind == BountyKind.MYSTERY,
        "lines": bounty_lines(event),
        "open": [
            (stack, taker_asked(stack, names[stack.entry]), cents) for stack, cents in waiting
        ],
        "undrawn": [(entry, names[entry]) for entry in stands.undrawn],
        "left_over": stands.left_over,
        "total": stands.total(),
        "pot": pot,
        "envelopes": [(number, pot.amounts[number - 1]) for number in left] if pot else [],
        "may_pay": allows(actor, Permission.CHECK_IN),
        "may_draw": allows(actor, Permission.ELIMINATE),
        "may_make": allows(actor, Permission.MANAGE) and event.has_started and not event.is_over,
        "may_tell": allows(actor, Permission.ELIMINATE),
    }


@staff(Permission.MANAGE, people=True, methods=("POST",))
def begin(request: StaffRequest) -> HttpResponse:
    """Make the envelopes."""
    form = EnvelopesForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Bitte Beträge, einen je Umschlag: 200 100 100."), code="bad_amounts")
    action = mystery_begin(command_of(request), tops=form.cleaned_data["tops"])
    return undoable_response(request, action)


@staff(Permission.ELIMINATE, people=True, methods=("POST",))
def draw(request: StaffRequest, entry: int) -> HttpResponse:
    """Draw the envelope of a knockout."""
    return undoable_response(request, mystery_draw(command_of(request), entry=Entry(pk=entry)))
