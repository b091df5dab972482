"""Eliminations: one, several of one hand, several in order; and details told later.

The answer to the tap confirms the record and offers its undo. It then loads the sheet: the place
first; below it takers, true time and stacks, all optional.
"""

from datetime import datetime, time, timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission, allows
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import numbers_in, whole
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    is_offline_tap,
    optional_number,
    present,
    reason_given,
    undoable_response,
    whole_number,
    with_trigger,
)
from tournaments.event.selectors.event import players_left, without_chips
from tournaments.event.views.context import over
from tournaments.models import (
    Action,
    ChipMovement,
    Elimination,
    Entry,
    Event,
    LateTap,
    LostStack,
    RebuyChance,
    What,
)
from tournaments.money.selectors.drawers import takes_money
from tournaments.money.selectors.journal import means_taken
from tournaments.play.domain.ranking import STEP
from tournaments.play.selectors.eliminations import (
    late_questions,
    lost_rows,
    out_claimed,
    outs_of,
)
from tournaments.play.selectors.ranking import place_of
from tournaments.play.services.elimination_details import (
    elimination_correct,
    knockout_set,
    late_tap_accept,
    late_tap_refuse,
    obstacle_to_disqualify,
    out_disqualify,
)
from tournaments.play.services.eliminations import (
    disqualification_count,
    entries_eliminate,
    entry_disqualify,
    obstacle_to_eliminate,
)
from tournaments.play.services.places import place_overrule
from tournaments.play.services.rebuy_chances import rebuy_decline, stack_surrender
from tournaments.play.services.stacks import seat_win
from tournaments.play.views import eliminations_context as shown
from tournaments.play.views.floor_context import picture_or_404
from tournaments.rebuys.selectors.offers import told_words
from tournaments.rebuys.selectors.prices import buy_sheet
from tournaments.seating.selectors.tables import seating_of
from tournaments.seating.views.tables import BAD_STACK, entry_or_404


@staff(Permission.ELIMINATE, people=True, methods=("POST",), accepts_offline=True)
def out(request: StaffRequest, entry: int) -> HttpResponse:
    """Eliminate one player."""
    rows = _entries(request.event, [entry])
    try:
        action = entries_eliminate(_command(request, rows), entries=rows)
    except Refused as refusal:
        if refusal.code != "seat_held" or not request.htmx or is_offline_tap(request):
            raise
        # Another device told it first: the answers are open.
        asked = shown.stacks_asked(request.event, QueryDict(f"entry={entry}"))
        told = next(map(told_words, asked.held), "")
        context = _sheet(request, asked) | {"first_told": told}
        return render(request, "floor/out.html", context)
    return _recorded(request, action, rows)


@staff(Permission.ELIMINATE, people=True)
def many(request: StaffRequest, number: int) -> HttpResponse:
    """Show the players at a table, to tick the eliminated ones."""
    picture = picture_or_404(request.event, number)
    held = without_chips(request.event)
    seats = [(seat, held.get(seat.entry)) for seat in picture.seats if seat.entry is not None]
    ticked = numbers_in(request.GET.getlist("entry"))
    context = {"event": request.event, "number": number, "seats": seats, "ticked": ticked}
    return render(request, "floor/many.html", context)


@staff(Permission.ELIMINATE, people=True, methods=("POST",), accepts_offline=True)
def out_many(request: StaffRequest) -> HttpResponse:
    """Eliminate several: in the same hand, or with `order` in the posted order."""
    entries = _entries(request.event, numbers_in(request.POST.getlist("entry")))
    own: dict[str, Any] = {"is_one_hand": False}
    if request.POST.get("order") != "1":
        entries.sort(key=lambda entry: entry.number)
        own = {"start_stacks": _stacks(request, entries) if len(entries) > 1 else {}}
    action = entries_eliminate(_command(request, entries), entries=entries, **own)
    return _recorded(request, action, entries)


def _command(request: StaffRequest, entries: list[Entry]) -> Command:
    """Return the command; a late one may be a question for the director."""
    command = command_of(request)
    if command.recorded_at is None or command.recorded_at <= command.at:
        return command
    return out_claimed(command, entries)


@staff(Permission.ELIMINATE, people=True)
def order(request: StaffRequest, number: int) -> HttpResponse:
    """Ask tap by tap for the order of the ticked players."""
    picture_or_404(request.event, number)
    ticked = _entries(request.event, numbers_in(request.GET.getlist("entry")))
    if len(ticked) < 2:
        raise Refused(_("Nacheinander geht es ab zweien. Bitte ankreuzen."), code="too_few")
    first = _entries(request.event, numbers_in(request.GET.getlist("first")))
    context = shown.order(request.event, ticked, [entry.pk for entry in first]) | {"number": number}
    return render(request, "floor/out_order.html", context)


@staff(Permission.ELIMINATE, people=True)
def outs(request: StaffRequest) -> HttpResponse:
    """Show the lost stacks and their details, to add or correct."""
    asked = shown.stacks_asked(request.event, request.GET)
    return render(request, "floor/out.html", _sheet(request, asked))


@staff(Permission.ELIMINATE, people=True, methods=("POST",), accepts_offline=True)
def knockout(request: StaffRequest) -> HttpResponse:
    """Set the takers; without any, they are unknown."""
    command, asked = command_of(request), shown.stacks_asked(request.event, request.POST)
    if not asked:  # of a delayed tap, the last stacks lost before it
        rows = LostStack.objects.live().filter(event=request.event, at__lte=command.at)
        rows = rows.filter(entry__in=numbers_in(request.POST.getlist("entry")))
        latest = {row.entry_id: row.pk for row in rows.order_by("at", "pk")}
        asked = shown.Asked(past=lost_rows(request.event, latest.values()))
    if not asked:
        raise Refused(_("Das wurde inzwischen zurückgenommen."), code="gone")
    takers = _entries(request.event, numbers_in(request.POST.getlist("taker")))
    action = knockout_set(command, eliminations=asked.outs, lost=asked.lost, takers=takers)
    return _sheet_response(request, action)


@staff(Permission.ELIMINATE, people=True, methods=("POST",))
def surrender(request: StaffRequest, entry: int) -> HttpResponse:
    """Record that no one took the stack: the player leaves and gives it up."""
    (row,) = _entries(request.event, [entry])
    return _sheet_response(request, stack_surrender(command_of(request), entry=row))


@staff(Permission.ELIMINATE, people=True, methods=("POST",), accepts_offline=True)
def decline(request: StaffRequest, entry: int) -> HttpResponse:
    """Record that a player with a held seat declines the re-buy, and `other` of that hand.

    The answer asks for open details: takers, or another player's re-buy.
    """
    row = entry_or_404(request.event, entry)
    others = [entry_or_404(request.event, one) for one in numbers_in(request.POST.getlist("other"))]
    action = rebuy_decline(command_of(request), entry=row, others=others)
    if not request.htmx:
        return undoable_response(request, action)
    listed = request.POST.copy()
    listed.setlist("entry", list(dict.fromkeys([str(entry), *listed.getlist("with")])))
    asked = shown.stacks_asked(request.event, listed)
    context = _sheet(request, asked)
    is_told = any(line["is_on"] for line in context["takers"])
    if not asked.held and (is_told or not context["takers"]):
        return undoable_response(request, action)
    return with_trigger(render(request, "floor/out.html", context), action)


@staff(Permission.ELIMINATE, people=True, methods=("POST",))
def correct(request: StaffRequest) -> HttpResponse:
    """Correct the true time (by the clock, or before another elimination), hand or stacks."""
    rows = outs_of(request.event, numbers_in(request.POST.getlist("entry")))
    if not rows:
        raise Refused(_("Das wurde inzwischen zurückgenommen."), code="gone")
    to, hand = _true_time(request), next(iter(numbers_in(request.POST.getlist("hand"))), None)
    stacks = _stacks(request, [row.entry for row in rows]) if to is None else None
    action = elimination_correct(
        command_of(request), eliminations=rows, to=to, hand=hand, start_stacks=stacks
    )
    return _sheet_response(request, action)


def _recorded(request: StaffRequest, action: Action, entries: list[Entry]) -> HttpResponse:
    if not request.htmx:
        return action_response(request, action)
    context = {
        "event": request.event,
        "action": action,
        "ids": [entry.pk for entry in entries],
        "names": [entry.registration.person.name for entry in entries],
        "outcome": action.payload.get("outcome"),
    }
    return with_trigger(render(request, "floor/out_recorded.html", context), action)


def _entries(event: Event, asked: list[int]) -> list[Entry]:
    """Return the entries in the requested order."""
    wanted = list(dict.fromkeys(asked))
    rows = Entry.objects.filter(event=event, pk__in=wanted).select_related("registration__person")
    found = {row.pk: row for row in rows}
    if set(found) != set(wanted):
        raise Http404
    return [found[pk] for pk in wanted]


def _true_time(request: StaffRequest) -> datetime | None:
    """Return the true time: just before another elimination, or by the clock of the hall."""
    before = numbers_in(request.POST.getlist("before"))
    if before:
        other = outs_of(request.event, before)
        if not other:
            raise Refused(_("Das wurde inzwischen zurückgenommen."), code="gone")
        return other[0].at - STEP
    raw, local = request.POST.get("time", "").strip(), timezone.localtime(present(request.event))
    if not raw:
        return None
    try:
        shown_time = time.fromisoformat(raw)
    except ValueError as problem:
        raise Refused(_("Eine Uhrzeit sieht so aus: 20:41."), code="bad_time") from problem
    shown_time = shown_time.replace(microsecond=0, tzinfo=local.tzinfo, fold=local.fold)
    at = datetime.combine(local, shown_time)
    return at if at <= local else at - timedelta(days=1)


def _stacks(request: HttpRequest, entries: list[Entry]) -> dict[int, int]:
    """Return the typed stacks by entry; an empty field means unknown."""
    stacks = {}
    for entry in entries:
        raw = request.POST.get(f"stack-{entry.pk}", "").strip()
        stack = whole(raw)
        if raw and stack is None:
            raise Refused(_("Ein Stapel ist eine ganze Zahl von Chips."), code="bad_stack")
        if stack is not None:
            stacks[entry.pk] = stack
    return stacks


# --- Disqualify a player, and count the stack taken out


@staff(Permission.DISQUALIFY, people=True, methods=("GET", "HEAD", "POST"))
def disqualify(request: StaffRequest, entry: int) -> HttpResponse:
    """Show the effects of a disqualification; on POST, disqualify with a reason."""
    event, row = request.event, entry_or_404(request.event, entry)
    gone = Elimination.objects.live().filter(entry=row).first()
    if request.method == "POST":
        own: dict[str, Any] = {"entry": row, "reason": reason_given(request)}
        if gone is not None:
            return undoable_response(request, out_disqualify(command_of(request), **own))
        stack = optional_number(request, "stack", str(BAD_STACK))
        action = entry_disqualify(command_of(request), **own, stack=stack)
        return undoable_response(request, action)
    obstacle = obstacle_to_disqualify(row, gone) if gone else over(event)
    context = {
        "event": event,
        "entry": row,
        "seating": seating_of(row),
        "obstacle": obstacle if gone or obstacle else obstacle_to_eliminate(event, row),
        "place": place_of(event, row) if gone else players_left(event),
        "is_out": gone is not None,
    }
    return render(request, "director/disqualify.html", context)


@staff(Permission.ELIMINATE, people=True, methods=("POST",))
def target(request: StaffRequest, entry: int) -> HttpResponse:
    """Give a seat of a satellite for the counted target stack."""
    row = entry_or_404(request.event, entry)
    stack = whole_number(request, "stack", str(BAD_STACK))
    return undoable_response(request, seat_win(command_of(request), entry=row, stack=stack))


@staff(Permission.DISQUALIFY, people=True, methods=("GET", "HEAD", "POST"))
def count_stack(request: StaffRequest, entry: int) -> HttpResponse:
    """Ask for and record the uncounted stack of a player who left play with it."""
    row = entry_or_404(request.event, entry)
    if request.method == "POST":
        stack = whole_number(request, "stack", str(BAD_STACK))
        return undoable_response(
            request, disqualification_count(command_of(request), entry=row, stack=stack)
        )
    taken = ChipMovement.objects.live().filter(entry=row, reason__in=ChipMovement.TAKEN_AWAY)
    if not taken.exists():
        raise Http404(_("Hier ist kein Stapel zu zählen."))
    counted = not taken.filter(amount=None).exists()
    context = {
        "event": request.event,
        "entry": row,
        "obstacle": _("Dieser Stapel ist schon gezählt.") if counted else None,
    }
    return render(request, "director/count_stack.html", context)


# --- The sheet of lost stacks: read which ones are meant, and show them again


def _sheet(request: StaffRequest, asked: shown.Asked) -> dict[str, Any]:
    event = request.event
    return shown.sheet(event, asked, present(event)) | {
        "answers": [_answer(event, row) for row in asked.held],
        "may_sell": bool(asked.held) and takes_money(event, request.actor),
        "means": means_taken(event.club),
        "may_pass": allows(request.actor, Permission.MANAGE),
    }


def _answer(event: Event, row: RebuyChance) -> dict[str, Any]:
    entry = row.entry
    entry.event = event
    sheet = buy_sheet(entry, present(event))
    line = next((line for line in sheet.lines if line.what == What.REBUY), None)
    place = players_left(event)
    return {"entry": entry, "sheet": sheet, "line": line, "lost": row.lost, "place": place}


def _sheet_response(request: StaffRequest, action: Action) -> HttpResponse:
    if not request.htmx:
        return action_response(request, action)
    context = _sheet(request, shown.stacks_asked(request.event, request.POST))
    return with_trigger(render(request, "floor/out.html", context), action)


# --- The director decides: a place by hand, with a reason; the time of a late tap


@staff(Permission.OVERRULE, people=True, methods=("GET", "HEAD", "POST"))
def overrule(request: StaffRequest, entry: int) -> HttpResponse:
    """Ask for an eliminated entry's place, and set it."""
    row = entry_or_404(request.event, entry)
    if request.method == "POST":
        action = place_overrule(
            command_of(request),
            entry=row,
            place=whole_number(request, "place", _("Ein Platz ist eine ganze Zahl.")),
            is_shared="shared" in request.POST,
            reason=reason_given(request),
        )
        return undoable_response(request, action)
    context = {"event": request.event, "entry": row, "place": place_of(request.event, row)}
    return render(request, "director/overrule.html", context)


@staff(Permission.MANAGE, people=True, methods=("GET", "HEAD", "POST"))
def late_tap(request: StaffRequest, tap: int) -> HttpResponse:
    """Show what the claimed time would pass; on POST, decide."""
    if request.method == "POST":
        does = late_tap_accept if request.POST.get("decision") == "accept" else late_tap_refuse
        return undoable_response(request, does(command_of(request), tap=LateTap(pk=tap)))
    get_object_or_404(LateTap, event=request.event, pk=tap)
    found = [one for one in late_questions(request.event) if one.tap.pk == tap]
    context = {"event": request.event, "question": found[0] if found else None}
    return render(request, "director/late_tap.html", context)
