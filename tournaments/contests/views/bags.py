"""Bags: an arbiter's list of seats, the end of the day, a player's own word, the public list."""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, actor_of, allows
from tournaments.changes.views.decorators import open_to_all, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    optional_number,
    present,
    undoable_response,
    whole_number,
)
from tournaments.contests.domain.carrying import Begins, Reached
from tournaments.contests.forms.contests import DayEndForm
from tournaments.contests.selectors.bags import (
    bags_of,
    day_of_bags,
    listed_bags,
    reckoning_of,
    tables_of_bags,
)
from tournaments.contests.selectors.contests import nearing_of, stage_lines, stage_of
from tournaments.contests.services.bags import bag_say, day_end, last_hands_draw
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Entry, Event, Stage

# Of more tables the page shows a list, and the seats of one at a time.
MOST_TABLES = 4
# A list of thousands takes seconds; it is shown whole when asked for, to print it.
MOST_LISTED = 300


@never_cache
@staff(Permission.COUNT_HEADS, people=True)
def bags(request: StaffRequest) -> HttpResponse:
    """Show each seat with its bag, to be typed on the phone; of many tables one at a time."""
    event, stage = request.event, _stage(request.event)
    found = bags_of(event)
    tables, asked = tables_of_bags(found), request.GET.get("tisch", "")
    one = [table for table in tables if str(table.number) == asked]
    is_many = not one and len(tables) > MOST_TABLES
    context = page_context(request, event, request.actor) | {
        "stage": stage,
        "is_open": event.has_started and not event.is_over,
        "tables": [] if is_many else one or tables,
        "links": tables if is_many else [],
        "is_one": bool(one),
        "address": reverse("bags", args=[event.slug]),
        "reckoning": reckoning_of(event, found),
        "may_manage": allows(request.actor, Permission.MANAGE),
    }
    return render(request, "contests/bags.html", context)


@staff(Permission.COUNT_HEADS, people=True, methods=("POST",), accepts_offline=True)
def bag(request: StaffRequest, entry: int) -> HttpResponse:
    """Note the chips of one bag."""
    row = Entry.objects.filter(event=request.event, pk=entry).first()
    if row is None:
        raise Http404(_("Diesen Spieler gibt es hier nicht."))
    action = bag_say(
        command_of(request),
        entry=row,
        amount=whole_number(request, "amount"),
        number=optional_number(request, "number"),
        is_paper=request.POST.get("paper") == "1",
    )
    return undoable_response(request, action)


@staff(Permission.DRIVE_CLOCK, people=False, methods=("POST",))
def draw_hands(request: StaffRequest) -> HttpResponse:
    """Draw the number of last hands."""
    return undoable_response(request, last_hands_draw(command_of(request)))


@never_cache
@staff(Permission.MANAGE, people=True, methods=FORM_METHODS)
def end(request: StaffRequest) -> HttpResponse:
    """Show the bags by table with their sum, and end the day."""
    event, stage = request.event, _stage(request.event)
    sent = request.POST if request.method == "POST" else None
    form = DayEndForm(sent)
    if sent is not None and form.is_valid():
        data = form.cleaned_data
        command = replace(command_of(request), knowingly=data["is_sure"])
        action = attempt(form, lambda: day_end(command, reason=data["reason"]))
        if action:
            return action_response(
                request, action, go_to=reverse("contest", args=[stage.contest_id])
            )
    found = bags_of(event)
    context = page_context(request, event, request.actor) | {
        "stage": stage,
        "form": form,
        "tables": tables_of_bags(found),
        "reckoning": reckoning_of(event, found),
        "nearing": nearing_of(stage, event, present(event)),
    }
    return render(request, "contests/day_end.html", context, status=WRONG if form.errors else 200)


@never_cache
@open_to_all(people=True)
def bag_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every bag of the flights of this event's day, to read and to print."""
    event: Event = request.event  # type: ignore[attr-defined]
    stage = _stage(event)
    day = day_of_bags(event)
    assert day is not None
    actor = actor_of(request.device, event)  # type: ignore[attr-defined]
    is_staff = allows(actor, Permission.SEE_FLOOR)
    found = listed_bags(day.flights, day.big_blind, to_staff=is_staff)
    context: dict[str, Any] = page_context(request, event) | {
        "stage": stage,
        "lines": stage_lines(day.flights),
        "bags": found if "alle" in request.GET else found[:MOST_LISTED],
        "more": 0 if "alle" in request.GET else max(0, len(found) - MOST_LISTED),
        "day": day.day,
        "begins": day.begins,
        "left": _left(stage, day.begins),
        "big_blind": day.big_blind,
    }
    return render(request, "contests/bag_list.html", context)


def _left(stage: Stage, begins: Reached | None) -> str:
    """Return the minutes left of the level at which the next day begins; empty for a whole one."""
    if begins is None or stage.contest.reckoning.begins is not Begins.REST:
        return ""
    minutes, seconds = divmod(int(begins.left.total_seconds()), 60)
    return f"{minutes:02}:{seconds:02}"


def _stage(event: Event) -> Stage:
    stage = stage_of(event)
    if stage is None:
        raise Http404(_("Dieses Turnier hat keine Flights."))
    return stage
