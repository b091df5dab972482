"""Papers for print: poster, seats by name, table plan, emergency sheets, slips."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from django.http import FileResponse, Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.cashgame.selectors.own import cash_evening
from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import (
    POSTER,
    hall_url,
    opens_only_here,
    poster_token,
    qr_svg,
    staff,
)
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.event.domain.hall_plan import numbers_text, plan_drawn
from tournaments.event.selectors.chips import carried_stacks
from tournaments.event.selectors.hall import hall_of, held_by_event, numbers_in_use
from tournaments.event.selectors.labels import GAMES, LIMITS, late_until
from tournaments.event.selectors.schedule import level_minutes, schedule_lines
from tournaments.event.views.context import page_context
from tournaments.models import Action, Entry, Seating
from tournaments.money.domain.accounts import Means
from tournaments.money.selectors.journal import means_name
from tournaments.money.views.drawers import of_money
from tournaments.papers.selectors.papers import (
    entries_seated,
    evening_report,
    seats_by_name,
)
from tournaments.papers.workbooks import csv_parts, workbook_of
from tournaments.seating.selectors.layout import seats_named
from tournaments.seating.selectors.seat_cards import tables_to_draw
from tournaments.seating.selectors.tables import table_counts, tables_live

BLANK_LINES = 28
TABLES_ON_A_SHEET = 6
MOST_BLANK_TABLES = 10 * TABLES_ON_A_SHEET


@staff(Permission.CHECK_IN, people=False)
def papers(request: StaffRequest) -> HttpResponse:
    return _paper(request, "papers", {})


@staff(Permission.CHECK_IN, people=False)
def poster(request: StaffRequest) -> HttpResponse:
    """Show the poster: name, time, and the QR code of the tournament's page."""
    event = request.event
    link = hall_url(request, reverse("tournament", args=[event.slug]))
    opens = f"{link}?{POSTER}={poster_token(event.slug)}"
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
    return _paper(request, "table_plan", {"tables": seats_named(request.event)})


@staff(Permission.CHECK_IN, people=True)
def hall(request: StaffRequest) -> HttpResponse:
    """Show the plan of the hall with this event's tables; 404 without a plan."""
    event = request.event
    if not event.club.hall:
        raise Http404(_("Der Verein hat keinen Saalplan."))
    own = [table.number for table in tables_live(event)]
    used = {} if event.is_sample else numbers_in_use(event.club)
    others = {number: name for number, name in used.items() if number not in own}
    marks = dict.fromkeys(others, "other") | dict.fromkeys(own, "own")
    context = {
        "areas": plan_drawn(hall_of(event.club), marks),
        "own": numbers_text(own),
        "others": [(name, numbers_text(found)) for name, found in held_by_event(others).items()],
    }
    return _paper(request, "hall", context)


@staff(Permission.CHECK_IN, people=True)
def cash_tables(request: StaffRequest) -> HttpResponse:
    """Show each cash table with house terms, seats and waiting list; 404 without a cash game."""
    event = request.event
    if not event.has_cash_game:
        raise Http404(_("An diesem Abend gibt es kein Cash Game."))
    return _paper(request, "cash_tables", {"cash": cash_evening(event, present(event))})


@staff(Permission.CHECK_IN, people=False)
def blank(request: StaffRequest) -> HttpResponse:
    """Show the sheets to go on without any computer."""
    event = request.event
    # The numbers of tables in play, with blank ones to fill the sheet.
    numbers = [table.number for table in tables_live(event)][:MOST_BLANK_TABLES]
    missing = -len(numbers) % TABLES_ON_A_SHEET if numbers else TABLES_ON_A_SHEET
    context = {
        "lines": range(1, BLANK_LINES + 1),
        "seats": range(1, event.seats_per_table + 1),
        "tables": [*numbers, *[None] * missing],
        "levels": schedule_lines(event, present(event)),
    }
    return _paper(request, "blank", context)


def _paper(request: StaffRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    page = page_context(request, request.event, request.actor)
    return render(request, f"print/{name}.html", {**page, **context})


# --- Seat slips: one for every taken seat, or a single one; on A4 or on labels


LABEL = "etikett"
MOST_SLIPS = 200  # a QR code takes some milliseconds


@staff(Permission.CHECK_IN, people=True)
def slips(request: StaffRequest) -> HttpResponse:
    """Show the slips for printing, one batch of tables at a time, or of one table."""
    batches = _batches(request)
    wanted = request.GET.get("from", "")
    shown = next((batch for batch in batches if wanted in map(str, batch[:1])), batches[0])
    context = {
        "slips": _slips(request, entries_seated(request.event, table__number__in=shown)),
        "batches": batches,
        "shown": shown,
        "first_table": shown[0] if len(batches) > 1 else None,
    }
    return render(request, "desk/slips.html", {**_page(request), **context})


@staff(Permission.CHECK_IN, people=True)
def slip(request: StaffRequest, entry: int) -> HttpResponse:
    row = get_object_or_404(Entry.objects.live(), event=request.event, pk=entry)
    slips = _slips(request, entries_seated(request.event, entry=row))
    context = {**_page(request), "slips": slips, "is_single": True}
    return render(request, "desk/slips.html", context)


@staff(Permission.CHECK_IN, people=True)
def moved(request: StaffRequest, action: int) -> HttpResponse:
    """Show the slips of players moved by one action and still there."""
    row = get_object_or_404(Action, event=request.event, pk=action)
    found = entries_seated(request.event, made_by=row)[:MOST_SLIPS]
    return render(request, "desk/slips.html", {**_page(request), "slips": _slips(request, found)})


def _page(request: StaffRequest) -> dict[str, Any]:
    context = page_context(request, request.event, request.actor)
    return context | {"is_label": request.GET.get("papier") == LABEL}


def _batches(request: StaffRequest) -> list[list[int]]:
    batches: list[list[int]] = [[]]
    players = 0
    for count in table_counts(request.event):
        if not count.players:
            continue
        if batches[-1] and players + count.players > MOST_SLIPS:
            batches.append([])
            players = 0
        batches[-1].append(count.number)
        players += count.players
    return batches


def _slips(request: StaffRequest, seatings: Iterable[Seating]) -> list[dict[str, Any]]:
    base = hall_url(request, "/")
    to_draw, stacks = tables_to_draw(request.event), carried_stacks(request.event)
    found = []
    for seating in seatings:
        registration = seating.entry.registration
        link = base + reverse("player", args=[registration.link_token]).removeprefix("/")
        found.append(
            {
                "player": registration.person.name,
                "table": seating.table.number,
                "seat": seating.seat,
                "is_to_draw": seating.table.number in to_draw,
                "stack": stacks.get(seating.entry_id),
                "qr": qr_svg(link),
            }
        )
    return found


# --- The money of an evening on one page: on screen, on paper, and links to its files


@staff(Permission.CHECK_IN, people=True)
@of_money
def report(request: StaffRequest) -> HttpResponse:
    """Show the income, its place and purpose, and open tasks."""
    event = request.event
    found = evening_report(event)
    context = page_context(request, event, request.actor) | {
        "report": found,
        "now": present(event),
        "drawers": [
            {
                "state": state,
                "others": [
                    (means_name(event.club, means), cents)
                    for means, cents in state.other_means.items()
                    if means != Means.CASH
                ],
            }
            for state in found.drawers
        ],
    }
    return render(request, "cash/report.html", context)


# --- Send tables as files: CSV while it is written, a workbook afterwards


CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def send_parts(parts: Iterable[str], name: str, kind: str) -> HttpResponse:
    """Send a text as a file, part by part, in the language of the request."""
    spoken = _spoken(parts, translation.get_language())
    response = StreamingHttpResponse(spoken, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    # Django types streamed answers separately; the view treats them the same.
    return cast("HttpResponse", response)


def _spoken(parts: Iterable[str], language: str | None) -> Iterator[str]:
    """Make each part in this language, as the request's language is no longer active.

    Between two parts the thread may serve other requests, so the language is reset.
    """
    rest = iter(parts)
    while True:
        with translation.override(language):
            part = next(rest, None)
        if part is None:
            return
        yield part


def send_csv(rows: Iterable[Sequence[object]], name: str) -> HttpResponse:
    """Send rows as CSV while it is written; no cell is a formula."""
    return send_parts(csv_parts(rows), f"{name}.csv", CSV)


def send_xlsx(rows: Iterable[Sequence[object]], name: str) -> HttpResponse:
    """Send rows as a workbook, written to a file first because its index comes last."""
    file = workbook_of(rows)
    response = FileResponse(file, as_attachment=True, filename=f"{name}.xlsx", content_type=XLSX)
    return cast("HttpResponse", response)


SENDS = {"csv": send_csv, "xlsx": send_xlsx}
