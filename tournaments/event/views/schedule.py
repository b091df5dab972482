"""The blind schedule: another one before the start, and its rows edited at any time.

The editor works without scripts: each press sends all rows, keeps what was typed, and comes back.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from clock.domain import Level, numbered
from clock.selectors import clock_anchor, clock_levels
from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of, present
from tournaments.changes.views.responses import action_response
from tournaments.event.domain.betting import LimitKind, shows_big_bet
from tournaments.event.forms.event import ScheduleForm
from tournaments.event.forms.schedule import (
    InstantForm,
    LevelForm,
    LevelRows,
    hidden_big_bets,
    initial_of,
    operated,
    same_seconds,
)
from tournaments.event.selectors.clock import rows_begun
from tournaments.event.selectors.schedule import schedule_lines
from tournaments.event.selectors.schedule_estimates import level_minutes_of
from tournaments.event.selectors.schedule_problems import chip_values, schedule_warnings
from tournaments.event.services.lifecycle import event_schedule_set
from tournaments.event.services.schedule import schedule_edit
from tournaments.event.views.context import page_context
from tournaments.event.views.events import (
    FORM_METHODS,
    WRONG,
    attempt,
    obstacles_of,
    speak_beforehand,
)
from tournaments.models import Event


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def schedule(request: StaffRequest) -> HttpResponse:
    """Show every level and when it comes; before the start, choose another schedule."""
    event = request.event
    obstacle = obstacles_of(event).get("schedule", "")
    sent = request.POST if request.method == "POST" else None
    minutes = level_minutes_of(event.clock)
    form = ScheduleForm(sent, initial={"schedule": event.schedule_name, "level_minutes": minutes})
    if sent is not None and form.is_valid():
        action = attempt(
            form,
            lambda: event_schedule_set(
                command_of(request),
                schedule=form.templates[form.cleaned_data["schedule"]],
                level_minutes=form.cleaned_data["level_minutes"],
            ),
        )
        if action:
            speak_beforehand(event)
            return action_response(
                request, action, go_to=reverse("event-schedule", args=[event.slug])
            )
    context = page_context(request, event, request.actor) | {
        "form": form,
        "tab": "schedule",
        "lines": schedule_lines(event, present(event)),
        "warnings": schedule_warnings(event, clock_levels(event.clock)),
        "obstacle": obstacle,
        "level_minutes": minutes,
        "anchor": clock_anchor(event.clock),
        "starts_by_itself": event.clock.starts_at == event.starts_at,
        "instant_form": InstantForm(),
    }
    return render(request, "events/schedule.html", context, status=WRONG if form.errors else 200)


@never_cache
@staff(Permission.MANAGE, people=False, methods=FORM_METHODS)
def edit(request: StaffRequest) -> HttpResponse:
    """Edit the rows that have not begun. A button of a row saves them all along with its work."""
    event = request.event
    levels = clock_levels(event.clock)
    fixed, begun = _fixed(event)
    open_rows = [level for level in levels[fixed:] if level.id not in begun]
    shown = [initial_of(level) for level in open_rows]
    sent = request.POST if request.method == "POST" else None
    reason = ""
    has_big_bet = shows_big_bet(LimitKind(event.limit))
    own = {"chips": chip_values(event), "has_big_bet": has_big_bet}
    rows = LevelRows(sent, initial=shown, prefix="stufe", form_kwargs=own)
    if sent is not None:
        try:
            if rows.is_valid():
                stored = {level.id: level for level in levels}
                typed = same_seconds((row.level() for row in rows), stored)
                typed = typed if has_big_bet else hidden_big_bets(typed, stored)
                wanted = _woven(levels, fixed, begun, typed)
                wanted = operated(wanted, fixed, request.POST.get("tun", ""))
                action = schedule_edit(command_of(request), levels=wanted, based_on=_seen(request))
                speak_beforehand(event)
                return action_response(
                    request, action, go_to=reverse("schedule-edit", args=[event.slug])
                )
        except Refused as refusal:
            reason = str(refusal)
    is_wrong = rows.is_bound
    context = page_context(request, event, request.actor) | {
        "tab": "schedule",
        "rows": rows,
        "lines": _lines(levels, fixed, begun, list(rows)),
        "based_on": request.POST.get("stand") or ",".join(str(level.id) for level in levels),
        "reason": reason,
        "is_wrong": is_wrong,
        "warnings": [] if is_wrong else schedule_warnings(event, levels),
    }
    return render(request, "events/schedule_edit.html", context, status=WRONG if is_wrong else 200)


def _fixed(event: Event) -> tuple[int, frozenset[int]]:
    """Return how many rows at the beginning stay as they are, and which have begun."""
    if event.is_over:
        return len(clock_levels(event.clock)), frozenset()
    index, begun = rows_begun(event, present(event))
    return 0 if index is None else index + 1, begun


def _seen(request: StaffRequest) -> list[int]:
    ids = request.POST.get("stand", "")[:2000].split(",")
    return [int(number) for number in ids if number.isascii() and number.isdecimal()]


def _woven(
    levels: tuple[Level, ...], fixed: int, begun: frozenset[int], typed: list[Level]
) -> list[Level]:
    """Return the whole schedule: what stays in its place, and the rows that were typed."""
    rows = list(levels[:fixed])
    waiting = list(typed)
    for level in levels[fixed:]:
        if level.id in begun:
            rows.append(level)
        elif waiting:
            rows.append(waiting.pop(0))
    return [*rows, *waiting]


def _lines(
    levels: tuple[Level, ...], fixed: int, begun: frozenset[int], rows: list[LevelForm]
) -> list[dict[str, Any]]:
    """Return the rows as the page shows them, with their form where they can be edited."""
    waiting, lines = list(rows), []
    for index, level in enumerate(numbered(levels)):
        is_open = index >= fixed and level.id not in begun
        form = waiting.pop(0) if is_open and waiting else None
        follows = index >= fixed - 1
        lines.append({"index": index, "level": level, "form": form, "follows": follows})
    return lines
