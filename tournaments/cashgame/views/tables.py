"""Actions on a whole cash table: open, count, close; hands, tips, the end."""

from datetime import time
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.cashgame.domain.ledger import Bearer, end_instant
from tournaments.cashgame.forms.tables import OpenForm
from tournaments.cashgame.selectors.layout import BEARERS
from tournaments.cashgame.selectors.line import main_tables
from tournaments.cashgame.selectors.settling import settling_of
from tournaments.cashgame.services.hands import (
    cash_debt_pay,
    cash_end_set,
    cash_hand_begin,
    cash_hand_end,
    cash_last_hands,
    cash_link_make,
    cash_tip,
)
from tournaments.cashgame.services.tables import (
    cash_game_turn,
    cash_table_close,
    cash_table_count,
    cash_table_open,
    cash_terms_change,
)
from tournaments.cashgame.views.pages import cash_act, cash_page, cents_needed, cents_sent
from tournaments.changes.access import Permission, allows
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import hall_url, open_to_all
from tournaments.changes.views.requests import (
    StaffRequest,
    command_of,
    optional_number,
    present,
    whole_number,
)
from tournaments.event.views.context import page_context
from tournaments.models import Action, CashLink, CashTable, Registration


@cash_act(Permission.MANAGE, leads_to="cash-game")
def opened(request: StaffRequest) -> Action:
    """Open a cash table."""
    event = request.event
    form = _valid(OpenForm(request.POST, event=event, mains=main_tables(event)))
    return cash_table_open(command_of(request), **form.terms())


def _valid(form: OpenForm) -> OpenForm:
    if not form.is_valid():
        problems = [str(problem) for found in form.errors.values() for problem in found]
        raise Refused(problems[0], code="invalid")
    return form


@cash_act(Permission.MANAGE)
def ended(request: StaffRequest) -> Action:
    """Set the end of the cash game: the next time the clock shows that time."""
    try:
        wanted = time.fromisoformat(request.POST.get("time", "").strip())
    except ValueError as problem:
        raise Refused(_("Bitte eine Uhrzeit wie 01:30 eingeben."), code="bad_time") from problem
    zone = timezone.get_current_timezone()
    at = end_instant(present(request.event), wanted.replace(tzinfo=None), zone)
    return cash_end_set(command_of(request), ends_at=at)


@cash_act(Permission.MANAGE)
def last_hands(request: StaffRequest) -> Action:
    """Announce the number of last hands."""
    return cash_last_hands(command_of(request), hands=whole_number(request, "hands"))


@cash_act(Permission.COUNT_HEADS)
def counted(request: StaffRequest, table: CashTable) -> Action:
    """Record the count of a table."""
    cents = cents_needed(request, "counted")
    return cash_table_count(command_of(request), table=table, counted_cents=cents)


@cash_act(Permission.MANAGE, leads_to="cash-game")
def closed(request: StaffRequest, table: CashTable) -> Action:
    """Close an empty table."""
    return cash_table_close(command_of(request), table=table)


@cash_act(Permission.TAKE_MONEY)
def tip(request: StaffRequest, table: CashTable) -> Action:
    """Record a tip, or the fee taken from the pots by hand."""
    cents, is_fee = cents_needed(request, "amount"), request.POST.get("what") == "fee"
    return cash_tip(command_of(request), table=table, cents=cents, is_fee=is_fee)


@cash_act(Permission.MANAGE)
def terms(request: StaffRequest, table: CashTable) -> Action:
    """Change the terms of a table."""
    form = _valid(OpenForm(request.POST, event=request.event, table=table))
    return cash_terms_change(command_of(request), table=table, **form.terms())


@cash_act(Permission.RUN_HANDS)
def turn(request: StaffRequest, table: CashTable) -> Action:
    """Go on to the next game of the rotation."""
    return cash_game_turn(command_of(request), table=table)


@cash_act(Permission.MANAGE)
def difference(request: StaffRequest, table: CashTable) -> Action:
    """Set who bears the difference of a table."""
    bears = request.POST.get("bears", "")
    bearer = optional_number(request, "guest") if bears == Bearer.ONE else None
    return cash_terms_change(command_of(request), table=table, bears=bears, bearer=bearer)


@cash_act(Permission.RUN_HANDS)
def hand(request: StaffRequest, table: CashTable) -> Action:
    """Begin a hand, or end the running one."""
    if request.POST.get("what") == "end":
        pot = cents_sent(request, "pot")
        return cash_hand_end(command_of(request), table=table, pot_cents=pot)
    return cash_hand_begin(command_of(request), table=table)


# --- Payments among players at tables on account: for staff, on paper, by a public link


@cash_page(Permission.TAKE_MONEY)
def page(request: StaffRequest) -> HttpResponse:
    """Show the payments, and the link for the players."""
    event = request.event
    made = CashLink.objects.live().filter(event=event, until__gt=present(event)).first()
    context: dict[str, Any] = page_context(request, event, request.actor)
    context |= {"settling": settling_of(event), "shows_results": True, "is_staff": True}
    if made is not None:
        context["link"] = hall_url(request, reverse("cash-settling-shared", args=[made.token]))
        context["until"] = made.until
    context["bearers"] = BEARERS.items() if allows(request.actor, Permission.MANAGE) else []
    return render(request, "cashgame/settling.html", context)


@never_cache
@open_to_all()
def shared(request: HttpRequest, share: str) -> HttpResponse:
    """Show the payments to anybody with the link, until it ends."""
    rows = CashLink.objects.live().select_related("event__club", "event__clock")
    made = rows.filter(token=share).first()
    if made is None or made.until <= present(made.event):
        raise Http404(_("Diesen Link gibt es nicht mehr. Einen neuen hat die Leitung."))
    event = made.event
    context: dict[str, Any] = page_context(request, event)
    context |= {
        "settling": settling_of(event, to_staff=False),
        "shows_results": event.shows_cash_results,
    }
    return render(request, "cashgame/settling.html", context)


@cash_act(Permission.TAKE_MONEY, leads_to="cash-settling")
def renew(request: StaffRequest) -> Action:
    """Make a new link; the old one ends."""
    return cash_link_make(command_of(request))


@cash_act(Permission.TAKE_MONEY)
def paid(request: StaffRequest) -> Action:
    """Tick a payment as done."""
    rows = Registration.objects.filter(event=request.event)
    payer, payee = (
        get_object_or_404(rows, pk=pk) if (pk := optional_number(request, name)) else None
        for name in ("payer", "payee")
    )
    cents = whole_number(request, "cents")
    return cash_debt_pay(command_of(request), payer=payer, payee=payee, cents=cents)
