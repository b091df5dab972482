"""Papers beside the seat slips: poster, seats by name, table plan, emergency sheets.

Every page is made for print and needs only a browser.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.links import hall_url, opens_only_here, qr_svg
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.door.views.poster import TOKEN, poster_token
from tournaments.event.selectors.labels import GAMES, LIMITS, late_until
from tournaments.event.selectors.schedule import level_minutes, schedule_lines
from tournaments.event.views.context import page_context
from tournaments.models import Event
from tournaments.papers.selectors.papers import plan_of_tables, seats_by_name
from tournaments.seating.selectors.tables import tables_live

BLANK_LINES = 28
TABLES_ON_A_SHEET = 6
MOST_BLANK_TABLES = 10 * TABLES_ON_A_SHEET


@staff(Permission.CHECK_IN, people=False)
def papers(request: StaffRequest) -> HttpResponse:
    """Show the available papers."""
    return _paper(request, "papers", {})


@staff(Permission.CHECK_IN, people=False)
def poster(request: StaffRequest) -> HttpResponse:
    """Show the poster: name, time, and the QR code of the tournament's page."""
    event = request.event
    link = hall_url(request, reverse("tournament", args=[event.slug]))
    opens = f"{link}?{TOKEN}={poster_token(event.slug)}"
    return _paper(
        request,
        "poster",
        {
            "link": link,
            "opens": opens,
            "qr": qr_svg(opens),
            "is_only_here": opens_only_here(link),
            "game": GAMES.get(event.game, event.game),
            "limit": LIMITS.get(event.limit, event.limit),
            "lines": schedule_lines(event, present(event)),
            "minutes": level_minutes(event),
            "late_until": late_until(event),
        },
    )


@staff(Permission.CHECK_IN, people=True)
def seat_list(request: StaffRequest) -> HttpResponse:
    """Show the seats by name, for the door."""
    return _paper(request, "seat_list", {"sheets": seats_by_name(request.event)})


@staff(Permission.CHECK_IN, people=True)
def table_plan(request: StaffRequest) -> HttpResponse:
    """Show every table with its seats and players."""
    return _paper(request, "table_plan", {"tables": plan_of_tables(request.event)})


@staff(Permission.CHECK_IN, people=False)
def blank(request: StaffRequest) -> HttpResponse:
    """Show the sheets to go on without any computer."""
    event = request.event
    context = {
        "lines": range(1, BLANK_LINES + 1),
        "seats": range(1, event.seats_per_table + 1),
        "tables": _blank_tables(event),
        "levels": schedule_lines(event, present(event)),
    }
    return _paper(request, "blank", context)


def _blank_tables(event: Event) -> list[int | None]:
    """Return the numbers of tables in play, with blank ones to fill the sheet."""
    numbers = [table.number for table in tables_live(event)][:MOST_BLANK_TABLES]
    missing = -len(numbers) % TABLES_ON_A_SHEET if numbers else TABLES_ON_A_SHEET
    return [*numbers, *[None] * missing]


def _paper(request: StaffRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    page = page_context(request, request.event, request.actor)
    return render(request, f"print/{name}.html", {**page, **context})
