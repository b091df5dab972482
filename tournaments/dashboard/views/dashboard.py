"""The director's dashboard: one page for the evening, of panels that stay up to date.

A panel asks again when something changed and says by a digest what it shows; if that still holds,
the answer is empty and nothing on the page moves. Fields and dialogs stand outside the panels, so
that nothing somebody types is ever replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clock.selectors import clock_state
from tournaments.changes.access import Permission
from tournaments.changes.selectors.log import log_lines
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.panels import panel_answer, panel_html
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.dashboard.selectors.due import Phase, due_items, phase_of
from tournaments.dashboard.views.buttons import asked_of, backups_now, duty_of
from tournaments.dashboard.views.cards import card_of
from tournaments.event.selectors.clock import counts_hands, planned_start
from tournaments.event.selectors.event import (
    chips_in_play,
    entries_live_count,
    money_reached,
    players_left,
    screen_figures,
    winner_name,
)
from tournaments.event.views.context import page_context
from tournaments.event.views.counts import counting_context, counts_shown
from tournaments.models import Event
from tournaments.play.views.bubble import bubble_shown
from tournaments.play.views.hands import behind_shown
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.halts import tables_halted
from tournaments.seating.selectors.pictures import seats_named, table_pictures
from tournaments.seating.selectors.tables import table_counts

MOST_MAPS = 24  # more tables than this are shown as counts
MOST_DRAWN = 4  # more than this are lists of names
MOST_LOG_LINES = 20


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the page: named after its element, fetched again when `topics` changed."""

    name: str
    topics: tuple[str, ...]
    context: Callable[[StaffRequest], dict[str, Any]]
    every: str = ""  # also without a change: what it says depends on the time

    @property
    def key(self) -> str:
        return self.name.removeprefix("director-").replace("-", "_")


@staff(Permission.MANAGE, people=False)
def dashboard(request: StaffRequest) -> HttpResponse:
    """Show the evening on one page."""
    is_clock_only = request.event.is_clock_only
    panels = COUNTING_PANELS if is_clock_only else PANELS
    context = {
        **page_context(request, request.event, request.actor),
        "panels": {panel.key: _panel_html(request, panel) for panel in panels},
    }
    if is_clock_only:
        context |= counting_context(request.event)
    template = "director/counts.html" if is_clock_only else "director/dashboard.html"
    return render(request, template, context)


@staff(Permission.MANAGE, people=False)
def clock_panel(request: StaffRequest) -> HttpResponse:
    """Show the clock's controls alone."""
    return _panel(request, CLOCK)


@staff(Permission.MANAGE, people=False)
def facts_panel(request: StaffRequest) -> HttpResponse:
    """Show the line of figures alone."""
    return _panel(request, FACTS)


@staff(Permission.MANAGE, people=True)
def tables_panel(request: StaffRequest) -> HttpResponse:
    """Show the tables alone."""
    return _panel(request, TABLES)


@staff(Permission.MANAGE, people=True)
def in_force_panel(request: StaffRequest) -> HttpResponse:
    """Show which tables still play the level before alone."""
    return _panel(request, IN_FORCE)


@staff(Permission.MANAGE, people=True)
def bubble_panel(request: StaffRequest) -> HttpResponse:
    """Show where the event stands near the money alone."""
    return _panel(request, BUBBLE)


@staff(Permission.MANAGE, people=False)
def counts_panel(request: StaffRequest) -> HttpResponse:
    """Show the counters of an evening without names alone."""
    return _panel(request, COUNTS)


@staff(Permission.MANAGE, people=False)
def due_panel(request: StaffRequest) -> HttpResponse:
    """Show what is due alone."""
    return _panel(request, DUE)


@staff(Permission.MANAGE, people=False)
def log_panel(request: StaffRequest) -> HttpResponse:
    """Show the last actions alone."""
    return _panel(request, LOG)


def _panel(request: StaffRequest, panel: Panel) -> HttpResponse:
    return panel_answer(request, _body(request, panel))


def _panel_html(request: StaffRequest, panel: Panel) -> SafeString:
    triggers = [f"krru:{topic} from:body delay:40ms" for topic in panel.topics]
    return panel_html(
        name=panel.name,
        url=reverse(panel.name, args=[request.event.slug]),
        trigger=", ".join([*triggers, *([panel.every] if panel.every else [])]),
        body=_body(request, panel),
    )


def _body(request: StaffRequest, panel: Panel) -> SafeString:
    context = {"event": request.event, **panel.context(request)}
    template = f"director/{panel.name.replace('-', '_')}.html"
    return render_to_string(template, context, request)


def _now(request: StaffRequest) -> datetime:
    """Return the present of the page: one for all its parts, which then read the same once."""
    found: datetime = request.__dict__.setdefault("_krru_now", present(request.event))
    return found


def _clock(request: StaffRequest) -> dict[str, Any]:
    event, now = request.event, _now(request)
    state = clock_state(event.clock, now)
    return {
        "is_running": state.is_running,
        "is_waiting": state.is_waiting,
        "last_hands": state.last_hands,
        "counts_hands": counts_hands(state),
        "colour_up": state.level.colour_up if state.has_started else (),
        "next_colour_up": state.next_level.colour_up if state.next_level else (),
        "starts_at": planned_start(event),
        "is_ready": event.has_started or entries_live_count(event) > 0,
    }


def _facts(request: StaffRequest) -> dict[str, Any]:
    event = request.event
    chips, is_exact = chips_in_play(event)
    return {
        "figures": screen_figures(event, _now(request)),
        "to_money": 0 if money_reached(event) else max(0, players_left(event) - event.paid_places),
        "chips": chips,
        "chips_are_exact": is_exact,
    }


def _tables(request: StaffRequest) -> dict[str, Any]:
    event = request.event
    now = _now(request)
    counts, advice = table_counts(event), floor_advice(event, now)
    short = {move.to_table for move in advice.moves}
    is_large = len(counts) > MOST_MAPS
    seated = sum(count.players for count in counts)
    pictures = [] if is_large else table_pictures(event, now)
    halted = {table.number for table in tables_halted(event)}
    return {
        "is_large": is_large,
        "is_dense": len(counts) > MOST_DRAWN,
        "counts": counts,
        "short": short,
        "seated": seated,
        "breaks": advice.breaks_table,
        "cards": [card_of(event, picture, advice, len(counts), halted) for picture in pictures],
        "steps": _steps(event),
        "winner": winner_name(event, to_staff=True),
    }


def _steps(event: Event) -> list[dict[str, Any]]:
    """Return the steps of an evening and where it stands; none while play goes on, or it is off."""
    now = phase_of(event)
    if now is Phase.PLAY or event.cancelled_by_id is not None:
        return []
    labels = {
        Phase.REGISTRATION: _("Anmeldung"),
        Phase.DRAW: _("Auslosung"),
        Phase.PLAY: pgettext("phase", "Spiel"),
        Phase.END: _("Ende"),
    }
    order = list(Phase)
    return [
        {"label": labels[phase], "is_now": phase is now, "is_past": position < order.index(now)}
        for position, phase in enumerate(order)
    ]


def _in_force(request: StaffRequest) -> dict[str, Any]:
    return {"behind": behind_shown(request.event)}


def _due(request: StaffRequest) -> dict[str, Any]:
    event, now = request.event, _now(request)
    items = due_items(event, now, advice=floor_advice(event, now), backups=backups_now())
    seats = seats_named(event, {number for item in items for number in item.asks})
    return {
        "items": [(item, duty_of(event, item), asked_of(item, seats)) for item in items],
        "asks": bool(seats),
    }


def _log(request: StaffRequest) -> dict[str, Any]:
    slug = request.event.slug
    lines = log_lines(request.event, request.actor, most=MOST_LOG_LINES)
    return {
        "lines": [
            (line, reverse("undo-preview", args=[slug, line.action.pk]) if line.may_undo else "")
            for line in lines
        ]
    }


CLOCK = Panel("director-clock", ("clock", "level", "bubble", "registrations", "settings"), _clock)
FACTS = Panel(
    "director-facts",
    ("clock", "level", "entries", "registrations", "tables", "settings", "bubble"),
    _facts,
)
# Hands are tapped all the time in a large hall: where the button is may be seen a little later.
TABLES = Panel(
    "director-tables",
    ("conduct", "tables", "entries", "settings", "registrations"),
    _tables,
    every="every 20s",
)
# What was tapped grows old by itself: a table leaves the list without anybody doing anything.
IN_FORCE = Panel(
    "director-in-force", ("hands", "level", "clock", "tables"), _in_force, every="every 20s"
)
BUBBLE = Panel(
    "director-bubble", ("bubble", "tables", "entries", "settings", "clock", "level"), bubble_shown
)
DUE = Panel(
    "director-due",
    ("bubble", "clock", "entries", "numbers", "registrations", "tables", "settings"),
    _due,
    every="every 20s",
)
LOG = Panel("director-log", ("log",), _log)
COUNTS = Panel("director-counts", ("entries", "settings"), counts_shown)
PANELS = (CLOCK, FACTS, TABLES, IN_FORCE, BUBBLE, DUE, LOG)
COUNTING_PANELS = (CLOCK, COUNTS, DUE, LOG)
