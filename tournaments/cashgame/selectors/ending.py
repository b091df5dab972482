"""Where cash tables stand before the end. Reads only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournaments.cashgame.domain.ending import LastHands, Stage, hands_left, stage
from tournaments.cashgame.selectors.books import hands_running
from tournaments.models import CashEnd, CashHand, CashLastHands, CashTable, Event


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a table stands.

    :param hands: How many hands have begun there.
    :param left: How many may still begin; None while nothing is announced.
    """

    stage: Stage
    hands: int
    left: int | None
    is_hand_running: bool


def end_of(event: Event) -> datetime | None:
    """Return when the cash game ends, or None."""
    rows = CashEnd.objects.live().filter(event=event)
    return rows.values_list("ends_at", flat=True).first()


def last_hands_of(event: Event) -> LastHands | None:
    """Return the last hands as they were announced, or None."""
    row = CashLastHands.objects.live().filter(event=event).first()
    return LastHands(row.announced_at, row.hands) if row else None


def stages_of(event: Event, tables: Iterable[CashTable], now: datetime) -> dict[int, Standing]:
    """Return where tables stand, by table. Four queries."""
    ids = [table.pk for table in tables]
    ends_at, last, running = end_of(event), last_hands_of(event), hands_running(ids)
    rows = CashHand.objects.live().filter(table__in=ids)
    began: dict[int, list[datetime]] = {pk: [] for pk in ids}
    for table, at in rows.values_list("table", "began_at"):
        began[table].append(at)
    return {
        pk: Standing(
            stage=stage(
                now, ends_at=ends_at, last=last, began=began[pk], is_hand_running=pk in running
            ),
            hands=len(began[pk]),
            left=hands_left(last, began[pk]) if last else None,
            is_hand_running=pk in running,
        )
        for pk in ids
    }
