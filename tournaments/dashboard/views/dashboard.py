"""The director's dashboard: one page for the evening, with panels that update themselves.

A panel asks again after a change and sends a digest of its content; if it is still right, the
answer is empty and the page does not move. Fields and dialogs are outside of panels, so that no
input is ever replaced.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import time_format
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clock.servertime import server_time
from krru.background import schedule
from krru.backups import backup_status, hints
from krru.data import disks
from krru.observing import errors
from krru.observing.alive import presence
from tournaments.cashgame.selectors.own import cash_evening
from tournaments.cashgame.views.pages import of_cash_game
from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import panel_answer, panel_html, staff
from tournaments.changes.views.requests import StaffRequest, View
from tournaments.dashboard.selectors.due import Backups, DueKind, Phase, due_items, phase_of
from tournaments.dashboard.selectors.tables import asks_first_dealers
from tournaments.dashboard.views.buttons import (
    asked_of,
    clock_shown,
    duty_of,
    facts_shown,
    log_shown,
    page_now,
)
from tournaments.event.domain.games import Game, seat_limit
from tournaments.event.views.clock import counting_context, counts_shown
from tournaments.event.views.context import page_context
from tournaments.forecast.selectors.forecast import forecast_of
from tournaments.models import Event
from tournaments.play.selectors.bubble import bubble_of
from tournaments.play.selectors.ranking import winner_name
from tournaments.play.views.bubble import bubble_shown
from tournaments.play.views.hands import behind_shown
from tournaments.practice.views.rehearsal import self_play_shown
from tournaments.seating.selectors.balancing import FloorAdvice, floor_advice
from tournaments.seating.selectors.conduct import marks_shown
from tournaments.seating.selectors.layout import (
    TablePicture,
    counts_told,
    seats_named,
    table_pictures,
)
from tournaments.seating.selectors.tables import names_short, table_counts, tables_halted

MOST_MAPS = 24  # with more tables they are shown as counts
MOST_DRAWN = 4  # with more they are shown as lists of names
ASIDE = "krru_aside"  # the due items put aside on this device
KEY = re.compile(r"[a-z_]{1,30}-\d{1,18}-[0-9a-f]{8}", re.ASCII)
MOST_ASIDE = 40
DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the page: named after its element, fetched again when `topics` changed."""

    name: str
    topics: str
    context: Callable[[StaffRequest], dict[str, Any]]
    every: str = ""  # also without a change, as its content depends on time
    is_later: bool = False  # first an empty placeholder, then fetched at once
    delay_ms: int = 40  # gathers the topics of one change
    people: bool = False  # as for `staff`

    @property
    def key(self) -> str:
        return self.name.removeprefix("director-").replace("-", "_")


@staff(Permission.MANAGE, people=False)
def dashboard(request: StaffRequest) -> HttpResponse:
    event = request.event
    panels: tuple[Panel, ...] = PANELS
    template = "director/dashboard.html"
    if event.is_clock_only:
        template, panels = "director/counts.html", COUNTING_PANELS
    elif event.is_cash_only:
        template, panels = "director/cash.html", CASH_PANELS
    elif event.is_sample:
        panels = (*PANELS, REHEARSAL)
    context = {
        **page_context(request, event, request.actor),
        "panels": {panel.key: _panel_html(request, panel) for panel in panels},
    }
    if event.is_clock_only:
        context |= counting_context(event)
    return render(request, template, context)


def panel_page(panel: Panel) -> View:
    """Return the view that renders a panel for an htmx refresh."""

    @staff(Permission.MANAGE, people=panel.people)
    def view(request: StaffRequest) -> HttpResponse:
        return _panel(request, panel)

    return view


@staff(Permission.MANAGE, people=True)
@of_cash_game
def cash_panel(request: StaffRequest) -> HttpResponse:
    """Render the cash tables without a tournament for an htmx refresh."""
    return _panel(request, CASH)


@staff(Permission.MANAGE, people=False, methods=("POST",))
def put_aside(request: StaffRequest) -> HttpResponse:
    """Put a due item aside on this device, or show it again; its key is kept in a cookie."""
    key, kept = request.POST.get("key", ""), _aside(request)
    if KEY.fullmatch(key) is None:
        raise Refused(_("Die Anfrage ist unvollständig. Bitte neu laden."), code="bad_key")
    kept = [one for one in kept if one != key] if key in kept else [*kept, key]
    request.COOKIES[ASIDE] = cookie = ".".join(kept[-MOST_ASIDE:])
    answer = _panel(request, DUE)
    path = reverse("director", args=[request.event.slug])
    answer.set_cookie(ASIDE, cookie, DAY, path=path, httponly=True, samesite="Lax")
    return answer


def _aside(request: StaffRequest) -> list[str]:
    found = request.COOKIES.get(ASIDE, "").split(".")
    return [key for key in found if KEY.fullmatch(key)]


@staff(Permission.DRIVE_CLOCK, people=True)
def start_in_round(request: StaffRequest) -> HttpResponse:
    """Ask whether to run the clock in hand-for-hand, where each hand takes its minutes."""
    context = {"event": request.event, "bubble": bubble_of(request.event)}
    return render(request, "director/start_in_round.html", context)


def _panel(request: StaffRequest, panel: Panel) -> HttpResponse:
    return panel_answer(request, _body(request, panel))


def _panel_html(request: StaffRequest, panel: Panel) -> SafeString:
    triggers = [
        f"krru:{topic} from:body delay:{panel.delay_ms}ms" for topic in panel.topics.split()
    ]
    if panel.is_later:
        triggers.append("load")
    # The placeholder of a panel keeps its room, so that nothing moves when it arrives.
    body = _body(request, panel, {"is_awaited": True} if panel.is_later else None)
    return panel_html(
        name=panel.name,
        url=reverse(panel.name, args=[request.event.slug]),
        trigger=", ".join([*triggers, *([panel.every] if panel.every else [])]),
        body=body,
    )


def _body(request: StaffRequest, panel: Panel, own: dict[str, Any] | None = None) -> SafeString:
    own = panel.context(request) if own is None else own
    template = f"director/{panel.name.replace('-', '_')}.html"
    return render_to_string(template, {"event": request.event, **own}, request)


def _tables(request: StaffRequest) -> dict[str, Any]:
    event = request.event
    now = page_now(request)
    counts, advice = table_counts(event), floor_advice(event, now)
    short = {move.to_table for move in advice.moves}
    is_large = len(counts) > MOST_MAPS
    seated = sum(count.players for count in counts)
    pictures = [] if is_large else table_pictures(event, now)
    halted = {table.number for table in tables_halted(event)}
    asks_dealer = not event.is_over and asks_first_dealers(event, now)
    return {
        "is_large": is_large,
        "is_dense": len(counts) > MOST_DRAWN,
        "counts": counts,
        "short": short,
        "seated": seated,
        "breaks": advice.breaks_table,
        "cards": [
            card_of(event, picture, advice, len(counts), halted, asks_dealer=asks_dealer)
            for picture in pictures
        ],
        "steps": _steps(event),
        "winner": winner_name(event),
    }


def _steps(event: Event) -> list[dict[str, Any]]:
    """Return the steps of an evening with the present one; empty during play or if cancelled."""
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


def _due(request: StaffRequest) -> dict[str, Any]:
    event, now = request.event, page_now(request)
    advice = floor_advice(event, now)
    items = due_items(
        event,
        now,
        advice=advice,
        backups=backups_now(),
        away=presence.away,
        ahead=server_time.ahead(),
    )
    kept = _aside(request)
    aside = [item for item in items if item.key in kept]
    items = [item for item in items if item.key not in kept]
    duties = [(item, duty_of(event, item)) for item in items]
    first = next((item for item, duty in duties if duty), None)
    named = seats_named(event, {number for item in items for number in item.asks})
    short = names_short(event) if named else {}
    seats = {number: [short.get(name, "") for name in names] for number, names in named.items()}
    return {
        "aside": aside,
        "items": [(item, duty, asked_of(item, seats), item is first) for item, duty in duties],
        "rests_on_hands": bool(seats) or any(item.kind is DueKind.PENALTY for item in items),
    }


# --- A table on the page: its seats and actions


def card_of(
    event: Event,
    picture: TablePicture,
    advice: FloorAdvice,
    tables: int,
    halted: Collection[int],
    *,
    asks_dealer: bool,
) -> dict[str, Any]:
    moving = {move.entry for move in advice.round}
    names = names_short(event) if tables > 1 else {}
    return {
        "number": picture.number,
        "players": picture.players,
        "count": picture.table.chairs,
        "told": counts_told(event, picture),
        "is_short": any(move.to_table == picture.number for move in advice.moves),
        "is_breaking": advice.breaks_table == picture.number,
        "halt": picture.number in halted,
        "can_add_chair": not event.is_over
        and picture.players == picture.table.chairs < seat_limit(Game(event.game)),
        "can_close": not event.is_over and not picture.players,
        "can_break": not event.is_over and bool(picture.players) and tables > 1,
        "can_draw_dealer": asks_dealer and not picture.has_dealer and picture.players > 1,
        "seats": _seats(event, picture, names, moving),
    }


def _seats(
    event: Event, picture: TablePicture, names: Mapping[str, str], moving: Collection[int]
) -> list[dict[str, Any]]:
    # Resolved once per table, not per seat.
    player_url = reverse("floor-player", args=[event.slug, 0]).removesuffix("0/")
    free_url = reverse("seat-lock", args=[event.slug, "-"]).removesuffix("-/")
    places = {
        seat.seat: "" if event.is_over else f"{picture.number}-{seat.seat}"
        for seat in picture.seats
    }
    return [
        {
            "number": seat.seat,
            "place": places[seat.seat],
            "entry": seat.entry,
            "is_locked": seat.is_locked,
            **marks_shown(seat.mark),
            "name": names.get(seat.name, seat.name),
            "is_button": seat.is_button,
            "is_small_blind": seat.is_small_blind,
            "is_big_blind": seat.is_big_blind,
            "must_move": seat.entry in moving,
            "hx_url": f"{player_url}{seat.entry}/"
            if seat.entry
            else places[seat.seat] and f"{free_url}{places[seat.seat]}/",
        }
        for seat in picture.seats
    ]


# --- The cash tables on the director's page, without a tournament


MINUTE = timedelta(minutes=1)


def cash_shown(request: StaffRequest) -> dict[str, Any]:
    now = page_now(request)
    evening = cash_evening(request.event, now)
    left = -((now - evening.ends_at) // MINUTE) if evening.ends_at else None
    return {"evening": evening, "minutes": left, "may_offer": True}


# --- The state of the computer running the evening, for pages


# A director should not see it for the rest of the evening.
REMEMBERED = timedelta(minutes=15)


def backups_now() -> Backups:
    """Return the state of the computer and its backups for the due items."""
    statuses = backup_status()
    folders = [status.folder for status in statuses]
    short = [disks.shortage(folder) for folder in (settings.KRRU_DATA, *folders)]
    return Backups(
        is_chosen=bool(statuses),
        errors=tuple(status.sentence for status in statuses if status.sentence),
        hints=hints(statuses),
        troubles=tuple(_troubles(filter(None, short))),
    )


def _troubles(short: Iterable[str]) -> Iterator[tuple[str, str]]:
    if schedule.is_late():
        ran_at = schedule.last_ran_at()
        since = time_format(localtime(ran_at), "H:i") if ran_at else _("dem Start")
        note = _(
            "Seit %(since)s gibt es keine Sicherung, keine Mails und keinen Start von selbst. "
            "Das Programm neu starten."
        )
        yield _("Von selbst geschieht nichts mehr"), note % {"since": since}
    for numbers in short:
        yield _("Der Platz wird knapp"), numbers
    found = errors.recent(REMEMBERED)
    if found:
        told = {"at": time_format(localtime(found[-1].at), "H:i"), "number": found[-1].number}
        note = _("Zuletzt um %(at)s, Fehlernummer %(number)s. Einzelheiten stehen in log/krru.log.")
        yield _("Im Programm gab es einen Fehler"), note % told


# --- The panels


CLOCK = Panel("director-clock", "clock level bubble registrations settings", clock_shown)
FACTS = Panel(
    "director-facts", "clock level entries registrations tables settings bubble", facts_shown
)
END = Panel(
    "director-end",
    "clock level entries registrations settings",
    lambda request: {"forecast": forecast_of(request.event, page_now(request))},
    every="every 60s",
    is_later=True,
)
# A large hall taps hands all the time: only its maps of tables ask for every hand.
TABLES = Panel(
    "director-tables",
    "conduct tables entries settings registrations",
    _tables,
    every="every 20s",
    people=True,
)
# Taps expire: a table leaves the list without any action.
IN_FORCE = Panel(
    "director-in-force",
    "hands level clock tables",
    lambda request: {"behind": behind_shown(request.event)},
    every="every 20s",
    people=True,
)
BUBBLE = Panel(
    "director-bubble", "bubble tables entries settings clock level", bubble_shown, people=True
)
DUE = Panel(
    "director-due",
    "bubble clock conduct entries level messages numbers registrations tables settings",
    _due,
    every="every 20s",
    delay_ms=10,  # asked for before all others: what to do next must not be what was just done
)
LOG = Panel("director-log", "log", log_shown)
COUNTS = Panel("director-counts", "entries settings", counts_shown)
PANELS = (CLOCK, FACTS, END, TABLES, IN_FORCE, BUBBLE, DUE, LOG)
REHEARSAL = Panel("director-rehearsal", "settings", self_play_shown)
# The remaining time is in minutes.
CASH = Panel("director-cash", "tables settings", cash_shown, every="every 20s")
CASH_PANELS = (CASH, DUE, LOG)
COUNTING_PANELS = (CLOCK, COUNTS, END, DUE, LOG)
