"""Prizes in words for players, screens and staff; from the end of late registration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.event.selectors.event import event_accepts_late
from tournaments.event.selectors.labels import money
from tournaments.models import Elimination, Event
from tournaments.payouts.domain.pictures import PrizeRow, prize_rows
from tournaments.payouts.selectors.prizes import prize_table_of, prizes_given
from tournaments.prizes.selectors.plans import prizes_frozen


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeWords:
    """The prizes by place, and the prize of each winner in words.

    `is_fixed`: later payments change nothing.
    """

    rows: list[PrizeRow]
    refund: int
    by_entry: Mapping[int, str]
    is_fixed: bool


def prizes_in_words(event: Event, now: datetime) -> PrizeWords | None:
    """Return the prizes to announce now, or None before that."""
    if not event.prizes or not event.has_started or event.cancelled_by_id is not None:
        return None
    frozen = prizes_frozen(event)
    if frozen is None and event_accepts_late(event, now):
        return None
    table, plan = prize_table_of(event), event.prize_plan
    rows = prize_rows(table.prizes, plan.in_kind)
    if not rows:
        return None
    given = prizes_given(event)
    return PrizeWords(
        rows=rows,
        refund=table.refund,
        by_entry={
            entry: _words(event, given.prizes.get(entry, 0), given.in_kind.get(entry, ""))
            for entry in given.prizes.keys() | given.in_kind.keys()
        },
        is_fixed=frozen is not None,
    )


def prize_words(row: PrizeRow) -> str:
    """Return the prize of a place in words."""
    return ", ".join(part for part in (money(row.cents) if row.cents else "", row.in_kind) if part)


def _words(event: Event, cents: int, in_kind: str) -> str:
    seat = event.prize_plan.seat_name
    is_seat = bool(seat) and cents == event.prize_plan.seat_cents
    text = _("Platz: %(seat)s (%(cents)s)") % {"seat": seat, "cents": money(cents)}
    amount = text if is_seat else money(cents)
    return ", ".join(part for part in (amount if cents else "", in_kind) if part)


def words_of_outs(event: Event, places: Mapping[int, int], now: datetime) -> dict[int, str]:
    """Return the prizes of eliminated players in words; cheap for a place without one."""
    plan = event.prize_plan
    if not event.prizes:
        return {}
    deepest = max(len(prize_table_of(event).prizes) + 1, len(plan.in_kind))
    if not places or min(places.values()) > deepest + _disqualified(event):
        return {}
    text = prizes_in_words(event, now)
    found = text.by_entry if text else {}
    return {entry: found[entry] for entry in places if entry in found}


def _disqualified(event: Event) -> int:
    rows = Elimination.objects.live().filter(event=event)
    return rows.filter(way=Elimination.Way.DISQUALIFIED).count()
