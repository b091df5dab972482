"""The button of each due item: its address, and the way it is pressed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

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
from tournaments.forecast.selectors.forecast import forecast_of
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


def duty_of(event: Event, item: DueItem) -> Duty | None:
    """Return the button of an item, or None for mere information."""
    make = _DUTIES.get(item.kind)
    return make(event.slug, item) if make else None


def _start(slug: str, _item: DueItem) -> Duty:
    return Duty(label=_("Uhr starten"), url=_url("clock-start", slug), how=How.POST)


def _computer_time(slug: str, item: DueItem) -> Duty | None:
    if item.number is None:
        return None
    label = _("Ab jetzt die Uhr des Rechners")
    return Duty(label=label, url=_url("computer-time", slug), how=How.POST)


def _dealer(slug: str, item: DueItem) -> Duty:
    if item.number is None:
        url = _url("floor-dealers", slug)
        return Duty(label=_("Geber für alle Tische auslosen"), url=url, how=How.POST_SHEET)
    return Duty(
        label=_("Geber für Tisch %(table)s auslosen") % {"table": item.number},
        url=_url("floor-dealer", slug, item.number),
        how=How.POST_SHEET,
    )


def _taker(slug: str, item: DueItem) -> Duty:
    asked = f"entry={item.number}" if item.lost is None else f"lost={item.lost}"
    return Duty(label=_("Gegen wen …"), url=f"{_url('floor-outs', slug)}?{asked}", how=How.SHEET)


def asked_of(item: DueItem, seats: Mapping[int, Sequence[str]]) -> list[dict[str, Any]]:
    """Return the tables an item asks for a button, with their players by seat."""
    return [
        {"table": number, "seats": list(enumerate(seats[number], start=1))}
        for number in item.asks
        if number in seats
    ]


def _move(slug: str, item: DueItem) -> Duty | None:
    if item.move is None:
        return None
    return Duty(
        label=_("Umsetzen"),
        url=_url("balance-step", slug),
        how=How.POST,
        values={
            "entry": item.move.entry,
            "from_table": item.move.from_table,
            "to_table": item.move.to_table,
            "to_seat": item.move.to_seat,
        },
    )


def _url(name: str, slug: str, *further: int | None) -> str:
    return reverse(name, args=[slug, *further])


_DUTIES: dict[DueKind, Callable[[str, DueItem], Duty | None]] = {
    DueKind.DESK: lambda slug, _item: Duty(label=_("Zur Anmeldung"), url=_url("desk", slug)),
    DueKind.FLIGHT_END: lambda slug, _item: Duty(
        label=_("Tag beenden …"), url=_url("day-end", slug)
    ),
    DueKind.DAY_DRAW: lambda _slug, item: Duty(
        label=_("Alle Flights"), url=reverse("contest", args=[item.number])
    ),
    DueKind.HALL_FREE: lambda slug, _item: Duty(label=_("Zur Anmeldung"), url=_url("desk", slug)),
    DueKind.DRAW_SEATS: lambda slug, _item: Duty(
        label=_("Plätze auslosen …"), url=_url("seats-draw", slug), how=How.SHEET
    ),
    DueKind.CARDS: lambda slug, item: Duty(
        label=_("Karten an Tisch %(table)s eintragen …") % {"table": item.number},
        url=_url("seat-cards", slug, item.number),
        how=How.SHEET,
    ),
    DueKind.DEALER: _dealer,
    DueKind.START: _start,
    DueKind.START_CALL: lambda slug, _item: Duty(
        label=_("Beginn in fünf Minuten ausrufen"), url=_url("clock-call-start", slug), how=How.POST
    ),
    DueKind.MOVE: _move,
    DueKind.BALANCE: lambda slug, item: Duty(
        label=_("%(count)s Umzüge …") % {"count": item.number},
        url=_url("balance-round", slug),
        how=How.SHEET,
    ),
    DueKind.BREAK: lambda slug, item: Duty(
        label=_("Auflösen …"), url=_url("table-break", slug, item.number), how=How.SHEET
    ),
    DueKind.CLOSE: lambda slug, item: Duty(
        label=_("Tisch schließen"), url=_url("table-close", slug, item.number), how=How.POST
    ),
    DueKind.FINAL_TABLE: lambda slug, _item: Duty(
        label=_("Auslosen …"), url=_url("final-table", slug), how=How.SHEET
    ),
    DueKind.REDRAW: lambda slug, _item: Duty(
        label=_("Neu auslosen …"), url=_url("tables-redraw", slug), how=How.SHEET
    ),
    DueKind.RACE: lambda slug, _item: Duty(label=_("Zum Chip Race"), url=_url("chip-races", slug)),
    DueKind.CLOSING_PROPOSED: lambda slug, _item: Duty(
        label=_("Sperrstunde ansagen"), url=_url("closing-announce", slug), how=How.POST
    ),
    DueKind.CLOSING_COUNT: lambda slug, _item: Duty(
        label=_("Zum Zählen"), url=_url("stack-counts", slug)
    ),
    DueKind.CLOSING_END: lambda slug, _item: Duty(
        label=_("Turnier beenden …"), url=_url("event-end", slug)
    ),
    DueKind.STACKS: lambda slug, _item: Duty(label=_("Zum Zählen"), url=_url("stack-counts", slug)),
    DueKind.HALT: lambda slug, item: Duty(
        label=_("Entscheiden …"), url=_url("table-halt", slug, item.number), how=How.SHEET
    ),
    DueKind.SLIPS: lambda slug, item: Duty(
        label=_("Platzzettel"), url=_url("slips-moved", slug, item.number)
    ),
    DueKind.COUNT_STACK: lambda slug, item: Duty(
        label=_("Stapel eintragen …"), url=_url("dq-count", slug, item.number), how=How.SHEET
    ),
    DueKind.PURCHASE: lambda slug, item: Duty(
        label=_("Verkaufen …"), url=_url("purchase", slug, item.number), how=How.SHEET
    ),
    DueKind.ADDONS: lambda slug, _item: Duty(
        label=_("Add-ons …"), url=_url("addons", slug), how=How.SHEET
    ),
    DueKind.REBUY: lambda slug, item: Duty(
        label=_("Re-buy …"), url=_url("purchase", slug, item.number), how=How.SHEET
    ),
    DueKind.LATE_TAP: lambda slug, item: Duty(
        label=_("Entscheiden …"), url=_url("late-tap", slug, item.number), how=How.SHEET
    ),
    DueKind.STACK: lambda slug, item: Duty(
        label=_("Stapel steht dort"), url=_url("floor-stack", slug, item.number), how=How.POST
    ),
    DueKind.MISSING: lambda slug, item: Duty(
        label=_("Alle sind da"), url=_url("floor-all-arrived", slug, item.number), how=How.POST
    ),
    DueKind.PENALTY: lambda slug, item: Duty(
        label=_("Ansehen …"), url=_url("floor-player", slug, item.number), how=How.SHEET
    ),
    DueKind.LATE_REGISTRATION: lambda slug, _item: Duty(
        label=_("Nachmelden"), url=_url("desk", slug)
    ),
    DueKind.CLOCK_STANDS: lambda slug, _item: Duty(
        label=_("Weiterlaufen lassen"), url=_url("clock-start", slug), how=How.POST
    ),
    DueKind.AWAY_CLOCK: lambda slug, item: Duty(
        label=_("Zurück auf den Stand vor dem Ausfall"),
        url=_url("clock-back", slug),
        how=How.POST,
        values={"since": item.number or 0},
    ),
    DueKind.CLOCK_SET_BACK: _computer_time,
    DueKind.CLOCK_RUNS: lambda slug, _item: Duty(
        label=_("Uhr anhalten"), url=_url("clock-pause", slug), how=How.POST
    ),
    DueKind.COUNTING: lambda slug, _item: Duty(
        label=_("Anderen Tisch wählen"), url=_url("event-schedule", slug)
    ),
    DueKind.HANDS_PLAYED: lambda slug, _item: Duty(
        label=_("Turnier beenden …"), url=_url("event-end", slug)
    ),
    DueKind.WINNER: lambda slug, _item: Duty(
        label=_("Turnier beenden …"), url=_url("event-end", slug)
    ),
    DueKind.RESULTS: lambda slug, _item: Duty(
        label=_("Ergebnis ansehen"), url=_url("results", slug)
    ),
    DueKind.COUNTED_OUT: lambda slug, _item: Duty(
        label=_("Nächsten Abend anlegen"), url=_url("event-copy", slug)
    ),
    DueKind.CANCELLED: lambda slug, _item: Duty(
        label=_("Turnierseite"), url=_url("tournament", slug)
    ),
    DueKind.HAND_FOR_HAND: lambda slug, _item: Duty(
        label=_("Hand für Hand ansagen"), url=_url("hand-for-hand-begin", slug), how=How.POST
    ),
    DueKind.HAND_FOR_HAND_END: lambda slug, _item: Duty(
        label=_("Hand für Hand beenden"), url=_url("hand-for-hand-end", slug), how=How.POST
    ),
    DueKind.ROUND: lambda slug, item: Duty(
        label=_("Nächste Hand freigeben"),
        url=_url("round-release", slug),
        how=How.POST,
        values={"after": item.number or 0},
    ),
    DueKind.HEADS: lambda slug, item: Duty(
        label=_("Tisch ansehen"), url=_url("floor-table", slug, item.number)
    ),
    DueKind.MONEY: lambda slug, _item: Duty(
        label=_("„Im Geld“ ansagen"), url=_url("money-reach", slug), how=How.POST
    ),
    DueKind.SUMMONED: lambda slug, item: Duty(
        label=_("Ich komme"), url=_url("floor-summons-come", slug, item.number), how=How.POST
    ),
    DueKind.COMING: lambda slug, item: Duty(
        label=_("Erledigt"), url=_url("floor-summons-settle", slug, item.number), how=How.POST
    ),
    DueKind.LEAST: lambda slug, _item: Duty(label=_("Absagen …"), url=_url("event-cancel", slug)),
    DueKind.LEAST_MET: lambda slug, item: Duty(
        label=_("Allen sagen"),
        url=_url("announce", slug),
        how=How.POST,
        values={"stock": f"{item.title}."},
    ),
    DueKind.PRIZES: lambda slug, _item: Duty(label=_("Zu den Preisen"), url=_url("prizes", slug)),
    DueKind.PAYOUTS: lambda slug, _item: Duty(label=_("Auszahlen"), url=_url("payouts", slug)),
    DueKind.PAID_TOO_MUCH: lambda slug, _item: Duty(
        label=_("Entscheiden"), url=_url("payouts", slug)
    ),
    DueKind.FEES_OPEN: lambda slug, _item: Duty(
        label=_("Wer noch zahlt"), url=_url("fees-open", slug)
    ),
    DueKind.TAKER: _taker,
    DueKind.ENVELOPE: lambda slug, item: Duty(
        label=_("Ziehen"), url=_url("mystery-draw", slug, item.number), how=How.POST
    ),
    DueKind.DEAL: lambda slug, _item: Duty(label=_("Zum Deal"), url=_url("deal", slug)),
    DueKind.CASH_GAME: lambda slug, _item: Duty(
        label=_("Zum Cash Game"), url=_url("cash-game", slug)
    ),
    DueKind.CASH_TABLE: lambda slug, item: Duty(
        label=_("Zum Cash-Tisch"), url=_url("cash-table", slug, item.number)
    ),
    DueKind.SCREEN: lambda slug, _item: Duty(label=_("Leinwände"), url=_url("screens", slug)),
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


def end_shown(request: StaffRequest) -> dict[str, Any]:
    return {"forecast": forecast_of(request.event, page_now(request))}
