"""Plan prizes with a preview, fix and pay them; bounties, with values and winnings."""

from dataclasses import asdict
from typing import Any

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Actor, Permission, allows
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    present,
    undoable_response,
    whole_number,
)
from tournaments.door.selectors.paying import debtors
from tournaments.event.selectors.event import entry_names, is_stage
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Entry, Event, Registration, Ticket
from tournaments.payouts.domain.bounties import BountyKind
from tournaments.payouts.forms.deals import EnvelopesForm
from tournaments.payouts.forms.prizes import PrizesForm, initial_of
from tournaments.payouts.selectors.bounties import (
    bounties_of,
    bounty_lines,
    envelopes_left,
    event_has_bounties,
    heads_waiting,
    mystery_pot,
    taker_asked,
)
from tournaments.payouts.selectors.payees import payees
from tournaments.payouts.selectors.prize_labels import Preview, preview_now, preview_of, sold_of
from tournaments.payouts.selectors.prizes import unpriced_cents
from tournaments.payouts.services.bounties import mystery_begin, mystery_draw
from tournaments.payouts.services.payees import payout_pay, payout_settle
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan, refuse_plan
from tournaments.prizes.selectors.plans import plan_over_rooms, prize_pool, prizes_frozen
from tournaments.rebuys.selectors.offers import pool_may_grow


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def prizes(request: StaffRequest) -> HttpResponse:
    """Show the prize plan with its result; change it."""
    event = request.event
    sent = request.POST if request.method == "POST" else None
    is_planned = bool(event.prizes) or not event_has_money(event)
    initial = initial_of(event.prize_plan, event.paid_places, is_planned=is_planned)
    form = PrizesForm(
        sent,
        initial=initial | asdict(sold_of(event)),
        serves=_served(event),
        is_flight=is_stage(event),
    )
    is_good = sent is not None and form.is_valid()
    if sent is not None and "preview" in sent:
        preview = _preview(event, form) if is_good else None
        context = {"event": event, "preview": preview, "form": form, "owing": _owing(event)}
        if request.headers.get("HX-Request"):
            return render(request, "money/prize_preview.html", context)
        return render(request, "money/prizes.html", _page(request, form, preview))
    if is_good:
        action = attempt(
            form,
            lambda: prizes_plan(
                command_of(request),
                plan=form.plan(),
                typed_places=form.typed_places(event.paid_places),
            ),
        )
        if action:
            return action_response(request, action, go_to=reverse("prizes", args=[event.slug]))
    preview = None if form.errors else _begun(event, form)
    status = WRONG if form.errors else 200
    return render(request, "money/prizes.html", _page(request, form, preview), status=status)


def _served(event: Event) -> list[tuple[int, str]]:
    """Return the events that a ticket may pay for: open, with a price, other than this one."""
    rows = Event.objects.open().filter(club=event.club_id, is_sample=event.is_sample)
    rows = rows.filter(Q(fee_cents__gt=0) | Q(pk=event.prize_plan.seats_for)).exclude(pk=event.pk)
    return [
        (row.pk, _("für %(event)s") % {"event": row.name}) for row in rows.order_by("starts_at")
    ]


def _page(request: StaffRequest, form: PrizesForm, preview: Preview | None) -> dict[str, Any]:
    event = request.event
    frozen = prizes_frozen(event)
    may_grow = pool_may_grow(event, present(event))
    since = unpriced_cents(event)
    return page_context(request, event, request.actor) | {
        "form": form,
        "preview": preview,
        "frozen": frozen,
        "since": since,
        "may_freeze": event.prizes and event.has_started and not may_grow and (since or not frozen),
        "owing": _owing(event),
        "has_money": event_has_money(event),
    }


def _owing(event: Event) -> int:
    """Return what players still owe, in cents; before the start a preview takes all as paid."""
    return sum(cents for _name, cents in debtors(event)) if event.has_started else 0


def _begun(event: Event, form: PrizesForm) -> Preview | None:
    """Return the first preview: with the money in play, else with the expected field.

    :param form: Not filled in; its own values are previewed while nothing is planned.
    """
    if not event.prizes:
        proposed = PrizesForm({name: form[name].value() for name in form.fields})
        return _preview(event, proposed) if proposed.is_valid() else None
    # A further day has its whole pool from the flights before it starts.
    if event.has_started or (not event.fee_cents and prize_pool(event).cents):
        return preview_now(event)
    return preview_of(event, event.prize_plan, typed_places=event.paid_places, sold=sold_of(event))


def _preview(event: Event, form: PrizesForm) -> Preview | None:
    """Return the result of the fields, or None with the refusal in the form."""
    plan = plan_over_rooms(event, form.plan())
    places = form.typed_places(event.paid_places)
    try:
        refuse_plan(event, plan, places)
    except Refused as refusal:
        form.refuse(refusal)
        return None
    return preview_of(event, plan, typed_places=places, sold=form.sold(sold_of(event)))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def freeze(request: StaffRequest) -> HttpResponse:
    """Fix the prizes."""
    return undoable_response(request, prizes_freeze(command_of(request)))


# --- Payouts: one amount for each player; the sheet to sign


@never_cache
@staff(Permission.CHECK_IN, people=True)
def payouts(request: StaffRequest) -> HttpResponse:
    """Show what each player gets, with paid and open amounts."""
    return render(request, "money/payouts.html", _payouts(request))


@never_cache
@staff(Permission.CHECK_IN, people=True)
def sheet(request: StaffRequest) -> HttpResponse:
    """Show the sheet on which players sign for what they get."""
    return render(request, "print/payouts.html", _payouts(request))


def _payouts(request: StaffRequest) -> dict[str, Any]:
    event = request.event
    rows = payees(event)
    may_all = allows(request.actor, Permission.MANAGE)
    won = Ticket.objects.live().filter(event=event) if event.prize_plan.seats_for else ()
    return page_context(request, event, request.actor) | {
        "rows": rows,
        "tickets": won,
        "frozen": prizes_frozen(event),
        "has_money": event_has_money(event),
        "may_decide": may_all,
        "most": 0 if may_all else event.prize_plan.desk_cents,
        "open": sum(row.amount for row in rows),
        "paid": sum(row.given for row in rows),
    }


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def pay(request: StaffRequest, registration: int) -> HttpResponse:
    """Pay a player the amount shown."""
    row, cents = Registration(pk=registration), whole_number(request, "amount_cents")
    action = payout_pay(command_of(request), registration=row, amount_cents=cents)
    return undoable_response(request, action)


@staff(Permission.MANAGE, people=True, methods=("POST",))
def settle(request: StaffRequest, registration: int) -> HttpResponse:
    """Record that an overpayment was returned or kept."""
    row, is_kept = Registration(pk=registration), "kept" in request.POST
    action = payout_settle(command_of(request), registration=row, is_kept=is_kept)
    return undoable_response(request, action)


# --- Bounties


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
def bounties(request: StaffRequest) -> HttpResponse:
    """Show the bounties; without bounties, the tables."""
    if not event_has_bounties(request.event):
        return redirect("floor", request.event.slug)
    context = page_context(request, request.event, request.actor)
    context |= _bounties(request.event, request.actor) | {"form": EnvelopesForm()}
    return render(request, "money/bounties.html", context)


@never_cache
@staff(Permission.SEE_FLOOR, people=True)
def bounties_panel(request: StaffRequest) -> HttpResponse:
    """Show only that panel, for an open page."""
    return render(request, "money/bounties_panel.html", _bounties(request.event, request.actor))


def _bounties(event: Event, actor: Actor) -> dict[str, Any]:
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
