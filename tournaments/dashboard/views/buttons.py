"""The button of each due item: its address, and the way it is pressed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import ClockState
from clock.selectors import clock_state
from tournaments.changes.kinds import Group, kind_of
from tournaments.changes.selectors.log import LogLine, log_lines
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.dashboard.selectors.due import DueItem, DueKind
from tournaments.event.selectors.clock import counts_hands, planned_start
from tournaments.event.selectors.event import (
    chips_in_play,
    entries_live_count,
    left_in_rooms,
    screen_figures,
)
from tournaments.models import Event
from tournaments.play.selectors.bubble import bubble_of
from tournaments.prizes.selectors.plans import paid_places


class How(StrEnum):
    LINK = "link"  # opens another page
    POST = "post"  # acts at once
    SHEET = "sheet"  # opens a sheet first
    POST_SHEET = "post_sheet"  # acts at once, and the sheet shows the result


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty:
    """The button of an item, with `values` for its press."""

    label: str
    url: str
    how: How = How.LINK
    values: dict[str, int | str] = field(default_factory=dict)


_Make = Callable[[str, DueItem], Duty | None]


def duty_of(event: Event, item: DueItem) -> Duty | None:
    """Return the button of an item, or None for mere information."""
    make = _DUTIES.get(item.kind)
    return make(event.slug, item) if make else None


def _button(
    label: str | Promise,
    name: str,
    how: How = How.LINK,
    values: Callable[[DueItem], dict[str, int | str]] = lambda _item: {},
) -> _Make:
    return lambda slug, item: Duty(
        label=str(label) % {"count": item.number},
        url=_url(name, slug),
        how=how,
        values=values(item),
    )


def _numbered(label: str | Promise, name: str, how: How = How.LINK) -> _Make:
    return lambda slug, item: Duty(
        label=str(label) % {"table": item.number}, url=_url(name, slug, item.number), how=how
    )


def _computer_time(slug: str, item: DueItem) -> Duty | None:
    make = _button(lazy("Ab jetzt die Uhr des Rechners"), "computer-time", How.POST)
    return None if item.number is None else make(slug, item)


def _dealer(slug: str, item: DueItem) -> Duty | None:
    if item.number is None:
        make = _button(lazy("Geber für alle Tische auslosen"), "floor-dealers", How.POST_SHEET)
    else:
        label = lazy("Geber für Tisch %(table)s auslosen")
        make = _numbered(label, "floor-dealer", How.POST_SHEET)
    return make(slug, item)


def _taker(slug: str, item: DueItem) -> Duty:
    asked = f"entry={item.number}" if item.lost is None else f"lost={item.lost}"
    return Duty(label=_("Gegen wen …"), url=f"{_url('floor-outs', slug)}?{asked}", how=How.SHEET)


def _move(slug: str, item: DueItem) -> Duty | None:
    if item.move is None:
        return None
    names = ("entry", "from_table", "to_table", "to_seat")
    values = {name: getattr(item.move, name) for name in names}
    return Duty(label=_("Umsetzen"), url=_url("balance-step", slug), how=How.POST, values=values)


def asked_of(item: DueItem, seats: Mapping[int, Sequence[str]]) -> list[dict[str, Any]]:
    """Return the tables an item asks for a button, with their players by seat."""
    return [
        {"table": number, "seats": list(enumerate(seats[number], start=1))}
        for number in item.asks
        if number in seats
    ]


def _url(name: str, slug: str, *further: int | None) -> str:
    return reverse(name, args=[slug, *further])


_DUTIES: dict[DueKind, _Make] = {
    DueKind.DESK: _button(lazy("Zur Anmeldung"), "desk"),
    DueKind.FLIGHT_END: _button(lazy("Tag beenden …"), "day-end"),
    DueKind.DAY_DRAW: lambda _slug, item: Duty(
        label=_("Alle Flights"), url=reverse("contest", args=[item.number])
    ),
    DueKind.HALL_FREE: _button(lazy("Zur Anmeldung"), "desk"),
    DueKind.DRAW_SEATS: _button(lazy("Plätze auslosen …"), "seats-draw", How.SHEET),
    DueKind.CARDS: _numbered(
        lazy("Karten an Tisch %(table)s eintragen …"), "seat-cards", How.SHEET
    ),
    DueKind.DEALER: _dealer,
    DueKind.START: _button(lazy("Uhr starten"), "clock-start", How.POST),
    DueKind.START_CALL: _button(
        lazy("Beginn in fünf Minuten ausrufen"), "clock-call-start", How.POST
    ),
    DueKind.MOVE: _move,
    DueKind.BALANCE: _button(lazy("%(count)s Umzüge …"), "balance-round", How.SHEET),
    DueKind.BREAK: _numbered(lazy("Auflösen …"), "table-break", How.SHEET),
    DueKind.CLOSE: _numbered(lazy("Tisch schließen"), "table-close", How.POST),
    DueKind.FINAL_TABLE: _button(lazy("Auslosen …"), "final-table", How.SHEET),
    DueKind.REDRAW: _button(lazy("Neu auslosen …"), "tables-redraw", How.SHEET),
    DueKind.RACE: _button(lazy("Zum Chip Race"), "chip-races"),
    DueKind.CLOSING_PROPOSED: _button(lazy("Sperrstunde ansagen"), "closing-announce", How.POST),
    DueKind.CLOSING_COUNT: _button(lazy("Zum Zählen"), "stack-counts"),
    DueKind.CLOSING_END: _button(lazy("Turnier beenden …"), "event-end"),
    DueKind.STACKS: _button(lazy("Zum Zählen"), "stack-counts"),
    DueKind.HALT: _numbered(lazy("Entscheiden …"), "table-halt", How.SHEET),
    DueKind.SLIPS: _numbered(lazy("Platzzettel"), "slips-moved"),
    DueKind.COUNT_STACK: _numbered(lazy("Stapel eintragen …"), "dq-count", How.SHEET),
    DueKind.PURCHASE: _numbered(lazy("Verkaufen …"), "purchase", How.SHEET),
    DueKind.ADDONS: _button(lazy("Add-ons …"), "addons", How.SHEET),
    DueKind.REBUY: _numbered(lazy("Re-buy …"), "purchase", How.SHEET),
    DueKind.LATE_TAP: _numbered(lazy("Entscheiden …"), "late-tap", How.SHEET),
    DueKind.STACK: _numbered(lazy("Stapel steht dort"), "floor-stack", How.POST),
    DueKind.MISSING: _numbered(lazy("Alle sind da"), "floor-all-arrived", How.POST),
    DueKind.PENALTY: _numbered(lazy("Ansehen …"), "floor-player", How.SHEET),
    DueKind.LATE_REGISTRATION: _button(lazy("Nachmelden"), "desk"),
    DueKind.CLOCK_STANDS: _button(lazy("Weiterlaufen lassen"), "clock-start", How.POST),
    DueKind.AWAY_CLOCK: _button(
        lazy("Zurück auf den Stand vor dem Ausfall"),
        "clock-back",
        How.POST,
        lambda item: {"since": item.number or 0},
    ),
    DueKind.CLOCK_SET_BACK: _computer_time,
    DueKind.CLOCK_RUNS: _button(lazy("Uhr anhalten"), "clock-pause", How.POST),
    DueKind.COUNTING: _button(lazy("Anderen Tisch wählen"), "event-schedule"),
    DueKind.HANDS_PLAYED: _button(lazy("Turnier beenden …"), "event-end"),
    DueKind.WINNER: _button(lazy("Turnier beenden …"), "event-end"),
    DueKind.RESULTS: _button(lazy("Ergebnis ansehen"), "results"),
    DueKind.COUNTED_OUT: _button(lazy("Nächsten Abend anlegen"), "event-copy"),
    DueKind.CANCELLED: _button(lazy("Turnierseite"), "tournament"),
    DueKind.HAND_FOR_HAND: _button(lazy("Hand für Hand ansagen"), "hand-for-hand-begin", How.POST),
    DueKind.HAND_FOR_HAND_END: _button(
        lazy("Hand für Hand beenden"), "hand-for-hand-end", How.POST
    ),
    DueKind.ROUND: _button(
        lazy("Nächste Hand freigeben"),
        "round-release",
        How.POST,
        lambda item: {"after": item.number or 0},
    ),
    DueKind.HEADS: _numbered(lazy("Tisch ansehen"), "floor-table"),
    DueKind.MONEY: _button(lazy("„Im Geld“ ansagen"), "money-reach", How.POST),
    DueKind.SUMMONED: _numbered(lazy("Ich komme"), "floor-summons-come", How.POST),
    DueKind.COMING: _numbered(lazy("Erledigt"), "floor-summons-settle", How.POST),
    DueKind.LEAST: _button(lazy("Absagen …"), "event-cancel"),
    DueKind.LEAST_MET: _button(
        lazy("Allen sagen"), "announce", How.POST, lambda item: {"stock": f"{item.title}."}
    ),
    DueKind.PRIZES: _button(lazy("Zu den Preisen"), "prizes"),
    DueKind.PAYOUTS: _button(lazy("Auszahlen"), "payouts"),
    DueKind.PAID_TOO_MUCH: _button(lazy("Entscheiden"), "payouts"),
    DueKind.FEES_OPEN: _button(lazy("Wer noch zahlt"), "fees-open"),
    DueKind.TAKER: _taker,
    DueKind.ENVELOPE: _numbered(lazy("Ziehen"), "mystery-draw", How.POST),
    DueKind.DEAL: _button(lazy("Zum Deal"), "deal"),
    DueKind.CASH_GAME: _button(lazy("Zum Cash Game"), "cash-game"),
    DueKind.CASH_TABLE: _numbered(lazy("Zum Cash-Tisch"), "cash-table"),
    DueKind.SCREEN: _button(lazy("Leinwände"), "screens"),
    DueKind.BACKUP: lambda _slug, _item: Duty(
        label=_("Sicherung einstellen"), url=reverse("club-settings")
    ),
}


# --- The latest actions on the director's page, each with its undo; repeated ones are one line


MOST_LOG_LINES = 20
MOST_FOLDED = 20  # how many more are read, as equal lines are merged


def log_shown(request: StaffRequest) -> dict[str, Any]:
    slug = request.event.slug
    read = log_lines(request.event, request.actor, most=MOST_LOG_LINES + MOST_FOLDED)
    runs = [list(run) for _key, run in groupby(read, _run_of)]
    return {
        "lines": [
            (
                line,
                reverse("undo-preview", args=[slug, line.action.pk]) if line.may_undo else "",
                len(more),
            )
            for line, *more in runs[:MOST_LOG_LINES]
        ]
    }


def _run_of(line: LogLine) -> tuple[object, ...]:
    """Return the key of lines to merge: repeated presses of clock and hands."""
    kind = kind_of(line.action.kind)
    folds = kind is not None and kind.group in (Group.CLOCK, Group.HANDS) and line.is_in_force
    return (line.action.kind, line.sentence, line.action.device_id) if folds else (line.action.pk,)


# --- The clock's controls and the figures on the director's page


def page_now(request: StaffRequest) -> datetime:
    """Return the present time of the page, the same for all parts to share their reads."""
    found: datetime = request.__dict__.setdefault("_krru_now", present(request.event))
    return found


def clock_shown(request: StaffRequest) -> dict[str, Any]:
    event, now = request.event, page_now(request)
    state = clock_state(event.clock, now)
    return {
        "is_running": state.is_running,
        "is_waiting": state.is_waiting,
        "last_hands": state.last_hands,
        "counts_hands": counts_hands(state),
        "colour_up": _leaving_now(state),
        "next_colour_up": state.next_level.colour_up if state.next_level else (),
        "starts_at": planned_start(event),
        "is_ready": event.has_started or entries_live_count(event) > 0,
        # In hand-for-hand the clock stands for a reason; in a break it should run.
        "stands_for_hands": not (state.is_running or state.level.is_break)
        and bubble_of(event).round is not None,
    }


def _leaving_now(state: ClockState) -> tuple[int, ...]:
    """Return the chips leaving play now; those of the level after a break are exchanged in it."""
    if not state.has_started:
        return ()
    follows = state.next_level.colour_up if state.level.is_break and state.next_level else ()
    return state.level.colour_up or follows


def facts_shown(request: StaffRequest) -> dict[str, Any]:
    event = request.event
    chips, is_exact = chips_in_play(event)
    paid = paid_places(event)
    return {
        "paid_places": paid,
        "figures": screen_figures(event, page_now(request)),
        "to_money": 0 if bubble_of(event).is_reached else max(0, left_in_rooms(event) - paid),
        "chips": chips,
        "chips_are_exact": is_exact,
    }
