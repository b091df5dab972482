"""Plan prizes with a preview, fix them, pay them out; the sheet to sign."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, allows
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
from tournaments.event.selectors.event import event_accepts_late
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Event, Registration
from tournaments.money.selectors.journal import event_has_money
from tournaments.payouts.forms.prizes import PrizesForm, initial_of
from tournaments.payouts.selectors.prize_labels import (
    Preview,
    preview_now,
    preview_of,
    sold_of,
)
from tournaments.payouts.selectors.prizes import payouts
from tournaments.payouts.services.prizes import (
    prize_pay,
    prize_settle,
    prizes_freeze,
    prizes_plan,
    refuse_plan,
)
from tournaments.prizes.selectors.plans import prize_pool, prizes_frozen


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def prizes(request: StaffRequest) -> HttpResponse:
    """Show the prize plan with its result; change it."""
    event = request.event
    sent = request.POST if request.method == "POST" else None
    initial = initial_of(event.prize_plan, event.paid_places)
    form = PrizesForm(sent, initial=initial | asdict(sold_of(event)))
    is_good = sent is not None and form.is_valid()
    if sent is not None and "preview" in sent:
        preview = _preview(event, form) if is_good else None
        context = {"event": event, "preview": preview, "form": form}
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
    preview = None if form.errors else _begun(event)
    status = WRONG if form.errors else 200
    return render(request, "money/prizes.html", _page(request, form, preview), status=status)


def _page(request: StaffRequest, form: PrizesForm, preview: Preview | None) -> dict[str, Any]:
    event = request.event
    frozen = prizes_frozen(event)
    is_late = event_accepts_late(event, present(event))
    pool = prize_pool(event)
    return page_context(request, event, request.actor) | {
        "form": form,
        "preview": preview,
        "frozen": frozen,
        "since": pool.cents - frozen.pool_cents if frozen and event.prize_plan.has_money else 0,
        "may_freeze": bool(event.prizes) and event.has_started and not is_late and not frozen,
        "has_money": event_has_money(event),
    }


def _begun(event: Event) -> Preview | None:
    """Return the first preview: with the money in play, else with the expected field."""
    if not event.prizes:
        return None
    if event.has_started:
        return preview_now(event)
    return preview_of(event, event.prize_plan, typed_places=event.paid_places, sold=sold_of(event))


def _preview(event: Event, form: PrizesForm) -> Preview | None:
    """Return the result of the fields, or None with the refusal in the form."""
    plan, places = form.plan(), form.typed_places(event.paid_places)
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


@never_cache
@staff(Permission.CHECK_IN, people=True)
def paying(request: StaffRequest) -> HttpResponse:
    """Show each player's prize, with paid and open amounts."""
    return render(request, "money/paying.html", _paying(request))


@never_cache
@staff(Permission.CHECK_IN, people=True)
def sheet(request: StaffRequest) -> HttpResponse:
    """Show the sheet on which players sign for their prizes."""
    return render(request, "print/prizes.html", _paying(request))


def _paying(request: StaffRequest) -> dict[str, Any]:
    event = request.event
    rows = payouts(event)
    most = event.prize_plan.desk_cents
    may_all = allows(request.actor, Permission.MANAGE)
    return page_context(request, event, request.actor) | {
        "rows": rows,
        "frozen": prizes_frozen(event),
        "has_money": event_has_money(event),
        "may_decide": may_all,
        "most": 0 if may_all else most,
        "open": sum(max(0, row.open) for row in rows),
        "paid": sum(row.paid_out for row in rows),
    }


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def pay(request: StaffRequest, registration: int) -> HttpResponse:
    """Pay a player the open amount."""
    row = get_object_or_404(Registration, event=request.event, pk=registration)
    action = prize_pay(
        command_of(request), registration=row, amount_cents=whole_number(request, "amount_cents")
    )
    return undoable_response(request, action)


@staff(Permission.MANAGE, people=True, methods=("POST",))
def settle(request: StaffRequest, registration: int) -> HttpResponse:
    """Record that an overpayment was returned or kept."""
    row = get_object_or_404(Registration, event=request.event, pk=registration)
    action = prize_settle(command_of(request), registration=row, is_kept="kept" in request.POST)
    return undoable_response(request, action)
