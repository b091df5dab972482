"""The button of each due item: its address, and the way it is pressed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.dashboard.selectors.due import DueItem, DueKind
from tournaments.models import Event
from tournaments.people.domain.naming import short_names


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
    values: dict[str, int] = field(default_factory=dict)


def duty_of(event: Event, item: DueItem) -> Duty | None:
    """Return the button of an item, or None for mere information."""
    make = _DUTIES.get(item.kind)
    return make(event.slug, item) if make else None


def _start(slug: str, _item: DueItem) -> Duty:
    return Duty(label=_("Uhr starten"), url=_url("clock-start", slug), how=How.POST)


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
    return Duty(label=_("Sagen …"), url=f"{_url('floor-outs', slug)}?{asked}", how=How.SHEET)


def asked_of(item: DueItem, seats: Mapping[int, Sequence[str]]) -> list[dict[str, Any]]:
    """Return the tables an item asks for a button, with their players by seat."""
    return [
        {"table": number, "seats": list(enumerate(_short(seats[number]), start=1))}
        for number in item.asks
        if number in seats
    ]


def _short(names: Sequence[str]) -> list[str]:
    whole = short_names([name for name in names if name])
    return [whole.get(name, "") for name in names]


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
    DueKind.REBUY: lambda slug, item: Duty(
        label=_("Re-buy …"), url=_url("purchase", slug, item.number), how=How.SHEET
    ),
    DueKind.STACK: lambda slug, item: Duty(
        label=_("Stapel steht dort"), url=_url("floor-stack", slug, item.number), how=How.POST
    ),
    DueKind.MISSING: lambda slug, item: Duty(
        label=_("Alle sind da"), url=_url("floor-all-arrived", slug, item.number), how=How.POST
    ),
    DueKind.WALKING: lambda slug, item: Duty(
        label=_("Tisch %(table)s") % {"table": item.number},
        url=_url("floor-table", slug, item.number),
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
    DueKind.PRIZES: lambda slug, _item: Duty(label=_("Zu den Preisen"), url=_url("prizes", slug)),
    DueKind.PRIZES_OPEN: lambda slug, _item: Duty(
        label=_("Auszahlen"), url=_url("prizes-paying", slug)
    ),
    DueKind.PRIZE_DEBT: lambda slug, _item: Duty(
        label=_("Entscheiden"), url=_url("prizes-paying", slug)
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
