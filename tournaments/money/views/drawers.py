"""The drawers of an event: contents and actions; the means of payment of the club."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ClassVar

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Actor, Permission, allows
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import MOST
from tournaments.changes.forms.parts import Refusable
from tournaments.changes.views.decorators import club_staff, denied, qr_svg, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    View,
    action_response,
    club_command_of,
    command_of,
    whole_number,
)
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.views.context import adds_to_navigation, page_context
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Action, Drawer, Event, Receipt, Ticket
from tournaments.money.domain.accounts import Means
from tournaments.money.forms.paying import CloseForm, HandForm, MoveForm, OpenForm
from tournaments.money.selectors.drawers import (
    DrawerState,
    cash_without_drawer,
    devices_without_drawer,
    drawer_of_device,
    drawers_of,
    drawers_open,
    drawers_within_reach,
    takes_money,
)
from tournaments.money.selectors.journal import USUAL_NAMES, means_name
from tournaments.money.selectors.receipts import name_of, receipt_shown, receipts_for, who_of
from tournaments.money.selectors.tickets import ticket_lines, ticket_sums
from tournaments.money.services.drawers import (
    LONGEST_MEANS,
    club_means_set,
    drawer_close,
    drawer_fill,
    drawer_hand,
    drawer_move,
    drawer_open,
    drawer_transfer,
    receipt_mail,
)

# --- Shared by the money pages: an event without money has none


def of_money(view: View) -> View:
    """Answer 404 for an event without money. Goes below `@staff`."""

    @wraps(view)
    def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if not event_has_money(request.event):
            raise Http404(_("An diesem Abend geht es um nichts."))
        return view(request, *args, **kwargs)

    return run


def at_a_drawer(view: View) -> View:
    """Answer 403 to whoever takes no money here, and 404 for an event without. Below `@staff`."""

    @of_money
    @wraps(view)
    def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if not takes_money(request.event, request.actor):
            return denied(request, Permission.TAKE_MONEY)
        return view(request, *args, **kwargs)

    return run


@adds_to_navigation
def drawer_page(event: Event, actor: Actor) -> tuple[str, str] | None:
    """Return the drawers page, if the event has money and the actor may take it."""
    if event.is_clock_only or not allows(actor, Permission.TAKE_MONEY):
        return None
    if not event_has_money(event):
        return None
    return _("Kasse"), reverse("drawer", args=[event.slug])


# --- A receipt for staff: to print on A6 or an 80 mm roll, and to mail


ROLL = "bon"


def paper_of(request: HttpRequest, receipt: Receipt) -> dict[str, Any]:
    """Return the data of a receipt's page, for A6 or a roll."""
    return {"shown": receipt_shown(receipt), "is_roll": request.GET.get("papier") == ROLL}


@staff(Permission.TAKE_MONEY, people=True)
@at_a_drawer
def receipt(request: StaffRequest, receipt: int) -> HttpResponse:
    """Show a receipt, ready to print."""
    row = _receipt(request, receipt)
    context = page_context(request, request.event, request.actor) | paper_of(request, row)
    context |= {"back_url": reverse("drawer", args=[request.event.slug])}
    mailed_to = row.registration.email if row.registration else ""
    context["may_mail"] = bool(mailed_to) and not request.event.is_sample
    return render(request, "cash/receipt.html", context)


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@at_a_drawer
def mailed(request: StaffRequest, receipt: int) -> HttpResponse:
    """Mail the receipts of this receipt's person."""
    row = _receipt(request, receipt)
    if row.registration is None:
        raise Refused(_("Hier ist keine Mailadresse bekannt."), code="no_address")
    action = receipt_mail(command_of(request), registration=row.registration)
    return action_response(request, action)


def _receipt(request: StaffRequest, pk: int) -> Receipt:
    return get_object_or_404(receipts_for(request.event, request.actor), pk=pk)


MOST_RECEIPTS = 12


@staff(Permission.TAKE_MONEY, people=True)
@of_money
def drawers(request: StaffRequest) -> HttpResponse:
    """Show the drawers, the actions of this device, and the latest receipts.

    An arbiter sees only the drawer handed to this device.
    """
    event, actor = request.event, request.actor
    leads = allows(actor, Permission.MANAGE)
    mine = drawer_of_device(event, actor.device) if actor.device else None
    devices = devices_without_drawer(event, with_arbiters=leads)
    is_arbiter = not allows(actor, Permission.CHECK_IN)
    states, receipts = drawers_of(event), receipts_for(event, actor)
    if is_arbiter:
        states = [state for state in states if mine and state.drawer == mine]
    opened_at = {row.event_id for row in drawers_open(event)}
    is_first = not opened_at or event.pk in opened_at
    context = page_context(request, event, actor) | {
        "drawers": [_shown(request, state, mine, devices) for state in states],
        "mine": mine,
        "is_arbiter": is_arbiter,
        "open_form": OpenForm(devices=devices, is_first=is_first, initial={"device": actor.device}),
        "may_open": not is_arbiter and (leads or mine is None),
        "without": 0 if is_arbiter else cash_without_drawer(event),
        "leads": leads,
        "receipts": [
            {"receipt": row, "name": name_of(row), "who": who_of(row)}
            for row in receipts[:MOST_RECEIPTS]
        ],
    }
    return render(request, "cash/drawers.html", context)


def _shown(
    request: StaffRequest, state: DrawerState, mine: Drawer | None, devices: list[Any]
) -> dict[str, Any]:
    leads = allows(request.actor, Permission.MANAGE)
    is_open = state.drawer is not None and not state.is_closed
    others = [row for row in devices if row != state.holder]
    number = state.drawer.number if state.drawer else 0
    return {
        "state": state,
        "others": [
            (means_name(request.event.club, means), cents)
            for means, cents in state.other_means.items()
        ],
        "may": is_open and (leads or state.drawer == mine),
        "move_form": MoveForm(
            auto_id=f"move-{number}-%s",
            initial={"way": "out"},
            to=_others(request, state.drawer) if state.drawer else [],
        ),
        "hand_form": HandForm(devices=others, auto_id=f"hand-{number}-%s") if others else None,
        "close_form": CloseForm(
            auto_id=f"close-{number}-%s", initial={"expected": state.cash_cents}
        ),
    }


def drawer_act(permission: Permission) -> Callable[[Callable[..., Action]], View]:
    """Make a page of a call of one service; it gets the drawer and leads back to all of them."""

    def decorate(call: Callable[..., Action]) -> View:
        @staff(permission, people=True, methods=("POST",))
        @of_money
        @wraps(call)
        def run(request: StaffRequest, **numbers: int) -> HttpResponse:
            rows = drawers_within_reach(request.event)
            named = [get_object_or_404(rows, pk=number) for number in numbers.values()]
            there = reverse("drawer", args=[request.event.slug])
            return action_response(request, call(request, *named), go_to=there)

        return run

    return decorate


@drawer_act(Permission.CHECK_IN)
def opened(request: StaffRequest) -> Action:
    """Open a drawer."""
    leads = allows(request.actor, Permission.MANAGE)
    devices = devices_without_drawer(request.event, with_arbiters=leads)
    data = _typed(OpenForm(request.POST, devices=devices))
    return drawer_open(
        command_of(request),
        float_cents=data["float_cents"],
        device=data["device"] if leads else None,
        is_further=data.get("is_further", False),
    )


@drawer_act(Permission.TAKE_MONEY)
def moved(request: StaffRequest, drawer: Drawer) -> Action:
    """Add cash to a drawer, remove it, or pass it on."""
    form = MoveForm(request.POST, to=_others(request, drawer))
    data, own = _typed(form), {"drawer": drawer}
    if form.passes_on:
        return drawer_transfer(command_of(request), **own, to=form.to, amount_cents=data["amount"])
    cents = form.amount_cents
    return drawer_move(command_of(request), **own, amount_cents=cents, reason=data["reason"])


@drawer_act(Permission.CHECK_IN)
def filled(request: StaffRequest, drawer: Drawer) -> Action:
    """Move cash taken without a drawer into one."""
    cents = whole_number(request, "amount_cents", least=-MOST)
    return drawer_fill(command_of(request), drawer=drawer, amount_cents=cents)


@drawer_act(Permission.TAKE_MONEY)
def handed(request: StaffRequest, drawer: Drawer) -> Action:
    """Hand a drawer over."""
    devices = devices_without_drawer(request.event, with_arbiters=True)
    data = _typed(HandForm(request.POST, devices=devices))
    return drawer_hand(command_of(request), drawer=drawer, device=data["device"])


@drawer_act(Permission.TAKE_MONEY)
def closed(request: StaffRequest, drawer: Drawer) -> Action:
    """Close a drawer with its counted cash."""
    data = _typed(CloseForm(request.POST))
    told = {"counted_cents": data["counted"], "expected_cents": data["expected"]}
    return drawer_close(command_of(request), drawer=drawer, **told)


def _others(request: StaffRequest, drawer: Drawer) -> list[Drawer]:
    return [row for row in drawers_open(request.event) if row != drawer]


def _typed(form: forms.Form) -> dict[str, Any]:
    if form.is_valid():
        return form.cleaned_data
    sentences = [str(problem) for problems in form.errors.values() for problem in problems]
    raise Refused(sentences[0], code="invalid")


# --- The club's tickets: the open ones, their sums, and a slip for one


@never_cache
@club_staff(Permission.MANAGE)
def tickets(request: StaffRequest) -> HttpResponse:
    """Show all open tickets of the club, the oldest first."""
    club, day = club_get(), timezone.localdate()
    context = {"club": club, "tickets": ticket_lines(club, day), "sums": ticket_sums(club, day)}
    return render(request, "cash/tickets.html", context)


@staff(Permission.CHECK_IN, people=True)
def slip(request: StaffRequest, ticket: int) -> HttpResponse:
    """Show a ticket won at this event, ready to print."""
    rows = Ticket.objects.live().filter(event=request.event, pk=ticket)
    row = rows.select_related("serves", "registration__person").first()
    if row is None:
        raise Http404(_("Dieses Ticket gibt es hier nicht."))
    context = page_context(request, request.event, request.actor) | {
        "ticket": row,
        "code": qr_svg(row.name),
    }
    return render(request, "cash/ticket.html", context)


# --- The means of payment beside cash, of the club


class MeansForm(Refusable):
    """The name of each means of payment; one without a name is not accepted."""

    field_of: ClassVar[Mapping[str, str]] = {"means_twice": Means.CARD.value}
    card = forms.CharField(
        label=gettext_lazy("Mit Karte"), required=False, max_length=LONGEST_MEANS
    )
    transfer = forms.CharField(
        label=gettext_lazy("Mit Überweisung"), required=False, max_length=LONGEST_MEANS
    )
    voucher = forms.CharField(
        label=gettext_lazy("Mit Gutschein"), required=False, max_length=LONGEST_MEANS
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            usual = str(USUAL_NAMES[Means(name)])
            field.widget.attrs.update(autocomplete="off", placeholder=usual)


@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def means(request: StaffRequest) -> HttpResponse:
    """Show and set the means accepted beside cash."""
    form = MeansForm(request.POST or None, initial=club_get().payment_means)
    if request.method == "POST" and form.is_valid():
        command = club_command_of(request)
        action = attempt(form, lambda: club_means_set(command, names=form.cleaned_data))
        if action:
            return action_response(request, action, go_to=reverse("club-settings"))
    return render(request, "cash/means.html", {"form": form}, status=WRONG if form.errors else 200)
