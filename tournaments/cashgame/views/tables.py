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
from tournaments.cashgame.selectors.settling import link_of, settling_of
from tournaments.cashgame.services.hands import cash_hand_begin, cash_hand_end, cash_tip
from tournaments.cashgame.services.settling import cash_debt_pay, cash_link_make
from tournaments.cashgame.services.tables import (
    cash_end_set,
    cash_last_hands,
    cash_table_close,
    cash_table_count,
    cash_table_open,
)
from tournaments.cashgame.services.terms import cash_game_turn, cash_terms_change
from tournaments.cashgame.views.pages import cents_needed, cents_sent, of_cash_game, table_or_404
from tournaments.changes.access import Permission, allows
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import hall_url, open_to_all, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    optional_number,
    present,
    undoable_response,
    whole_number,
)
from tournaments.event.views.context import page_context
from tournaments.models import CashLink, Registration


@staff(Permission.MANAGE, people=True, methods=("POST",))
@of_cash_game
def opened(request: StaffRequest) -> HttpResponse:
    """Open a cash table."""
    event = request.event
    form = _valid(OpenForm(request.POST, event=event, mains=main_tables(event)))
    action = cash_table_open(command_of(request), **form.terms())
    return action_response(request, action, go_to=reverse("cash-game", args=[event.slug]))


def _valid(form: OpenForm) -> OpenForm:
    if not form.is_valid():
        problems = [str(problem) for found in form.errors.values() for problem in found]
        raise Refused(problems[0], code="invalid")
    return form


@staff(Permission.MANAGE, people=True, methods=("POST",))
@of_cash_game
def ended(request: StaffRequest) -> HttpResponse:
    """Set the end of the cash game: the next time the clock shows that time."""
    try:
        wanted = time.fromisoformat(request.POST.get("time", "").strip())
    except ValueError as problem:
        raise Refused(_("Bitte eine Uhrzeit wie 01:30 eingeben."), code="bad_time") from problem
    zone = timezone.get_current_timezone()
    at = end_instant(present(request.event), wanted.replace(tzinfo=None), zone)
    return undoable_response(request, cash_end_set(command_of(request), ends_at=at))


@staff(Permission.MANAGE, people=True, methods=("POST",))
@of_cash_game
def last_hands(request: StaffRequest) -> HttpResponse:
    """Announce the number of last hands."""
    hands = whole_number(request, "hands")
    return undoable_response(request, cash_last_hands(command_of(request), hands=hands))


@staff(Permission.COUNT_HEADS, people=True, methods=("POST",))
@of_cash_game
def counted(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Record the count of a table."""
    row, cents = table_or_404(request.event, cash_table), cents_needed(request, "counted")
    action = cash_table_count(command_of(request), table=row, counted_cents=cents)
    return undoable_response(request, action)


@staff(Permission.MANAGE, people=True, methods=("POST",))
@of_cash_game
def closed(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Close an empty table."""
    row = table_or_404(request.event, cash_table)
    action = cash_table_close(command_of(request), table=row)
    return action_response(request, action, go_to=reverse("cash-game", args=[request.event.slug]))


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def tip(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Record a tip, or the fee taken from the pots by hand."""
    row, cents = table_or_404(request.event, cash_table), cents_needed(request, "amount")
    is_fee = request.POST.get("what") == "fee"
    action = cash_tip(command_of(request), table=row, cents=cents, is_fee=is_fee)
    return undoable_response(request, action)


@staff(Permission.MANAGE, people=True, methods=("POST",))
@of_cash_game
def terms(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Change the terms of a table."""
    row = table_or_404(request.event, cash_table)
    form = _valid(OpenForm(request.POST, event=request.event, table=row))
    action = cash_terms_change(command_of(request), table=row, **form.terms())
    return undoable_response(request, action)


@staff(Permission.RUN_HANDS, people=True, methods=("POST",))
@of_cash_game
def turn(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Go on to the next game of the rotation."""
    row = table_or_404(request.event, cash_table)
    return undoable_response(request, cash_game_turn(command_of(request), table=row))


@staff(Permission.MANAGE, people=True, methods=("POST",))
@of_cash_game
def difference(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Set who bears the difference of a table."""
    row, bears = table_or_404(request.event, cash_table), request.POST.get("bears", "")
    bearer = optional_number(request, "guest") if bears == Bearer.ONE else None
    action = cash_terms_change(command_of(request), table=row, bears=bears, bearer=bearer)
    return undoable_response(request, action)


@staff(Permission.RUN_HANDS, people=True, methods=("POST",))
@of_cash_game
def hand(request: StaffRequest, cash_table: int) -> HttpResponse:
    """Begin a hand, or end the running one."""
    row = table_or_404(request.event, cash_table)
    if request.POST.get("what") == "end":
        pot = cents_sent(request, "pot")
        return undoable_response(
            request, cash_hand_end(command_of(request), table=row, pot_cents=pot)
        )
    return undoable_response(request, cash_hand_begin(command_of(request), table=row))


# --- Payments among players at tables on account: for staff, on paper, by a public link


@never_cache
@staff(Permission.TAKE_MONEY, people=True)
@of_cash_game
def page(request: StaffRequest) -> HttpResponse:
    """Show the payments, and the link for the players."""
    event = request.event
    made = link_of(event, present(event))
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


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def renew(request: StaffRequest) -> HttpResponse:
    """Make a new link; the old one ends."""
    action = cash_link_make(command_of(request))
    return action_response(
        request, action, go_to=reverse("cash-settling", args=[request.event.slug])
    )


@staff(Permission.TAKE_MONEY, people=True, methods=("POST",))
@of_cash_game
def paid(request: StaffRequest) -> HttpResponse:
    """Tick a payment as done."""
    rows = Registration.objects.filter(event=request.event)
    payer, payee = (
        get_object_or_404(rows, pk=pk) if (pk := optional_number(request, name)) else None
        for name in ("payer", "payee")
    )
    cents = whole_number(request, "cents")
    action = cash_debt_pay(command_of(request), payer=payer, payee=payee, cents=cents)
    return undoable_response(request, action)
