"""The desk at the door: registrations, arrivals, waiting list, search.

Actions on one person are in `desk_people.py` and `desk_actions.py`.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from tournaments.changes.access import Permission, allows
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.door.selectors.desk import (
    DeskLine,
    Only,
    Scanned,
    desk_line,
    desk_lines,
    desk_only,
    door_numbers,
    noshow_names,
    refunds_due,
    scanned,
)
from tournaments.door.selectors.places import noshows_are_blinded
from tournaments.door.selectors.regulars import regulars_found
from tournaments.door.views.desk_people import LONGEST_SEARCH, seat_context
from tournaments.event.views.context import page_context
from tournaments.models import Event, Registration
from tournaments.post.selectors.mail import desk_mail

MOST_ROWS = 60


@staff(Permission.CHECK_IN, people=True)
def desk(request: StaffRequest) -> HttpResponse:
    """Show the registrations with the search and the actions at the door.

    Without scripts, a personal link in the search redirects to its person.
    """
    found = _list(request)
    if found["scanned"] and found["scanned_url"]:
        return HttpResponseRedirect(found["scanned_url"])
    context = {**page_context(request, request.event, request.actor), **found, **_shown(request)}
    context["desk_mail"] = desk_mail(request.event)
    return render(request, "desk/desk.html", context)


@staff(Permission.CHECK_IN, people=True)
def desk_list(request: StaffRequest) -> HttpResponse:
    """Return the list with its numbers and the last drawn seat, for an open page."""
    context = {"event": request.event, "is_update": True, **_list(request), **_shown(request)}
    return render(request, "desk/desk_list.html", context)


def _list(request: StaffRequest) -> dict[str, Any]:
    event, actor = request.event, request.actor
    search = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    only = next((only for only in Only if only == request.GET.get("only")), Only.ALL)
    code = scanned(event, search)
    if code is None:
        rows = desk_only(event, search, only)
    else:
        here = code.registration if not code.is_elsewhere and not code.is_gone else None
        rows = desk_only(event, "", Only.ALL).filter(pk=here.pk if here else 0)
    found, now = rows.count(), present(event)
    lines = desk_lines(event, list(rows[:MOST_ROWS]))
    names, due = noshow_names(event, now)
    is_of_all = code is None and only in (Only.ALL, Only.MISSING)
    regulars = regulars_found(event, search) if is_of_all else []
    return {
        "search": search,
        "only": str(only),
        "rows": lines,
        "regulars": regulars,
        "known": regulars[0] if len(regulars) == 1 and not lines else None,
        "found": found,
        "most": MOST_ROWS,
        "numbers": door_numbers(event),
        "noshow_names": names,
        "noshows_due": due,
        "noshows_pay": noshows_are_blinded(event),
        "refunds": refunds_due(event),
        "may_place": allows(actor, Permission.MANAGE),
        "now": now,
        **_one(event, search, code, lines),
    }


def _one(event: Event, search: str, code: Scanned | None, lines: list[DeskLine]) -> dict[str, Any]:
    """Return the person of a code or the only match, ready for Enter or with the obstacle."""
    is_one = code is None and bool(search) and len(lines) == 1
    may = is_one and lines[0].may_check_in and not event.is_over
    return {
        "scanned": code,
        "scanned_url": reverse("desk-check-in", args=[event.slug, lines[0].registration.pk])
        if code and lines
        else "",
        "one": lines[0] if may else None,
        "one_in": lines[0] if is_one and lines[0].entry else None,
    }


def _shown(request: StaffRequest) -> dict[str, Any]:
    """Return the seat shown large, in its present state: moved, or undone."""
    raw = request.GET.get("shown", "")
    if not raw.isdecimal():
        return {}
    found = Registration.objects.live().filter(event=request.event, pk=int(raw[:18]))
    row = found.select_related("event", "person").first()
    line = desk_line(row) if row else None
    if line is None or line.entry is None:
        return {"gone": raw[:18]}
    return {**seat_context(line, request.actor), "line_shown": line}
