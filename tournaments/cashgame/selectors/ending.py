"""The stage of each cash table before the end. Reads only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count

from tournaments.cashgame.domain.ending import LastHands, Stage, hands_left, stage
from tournaments.cashgame.selectors.books import hands_running
from tournaments.models import Action, CashEnd, CashHand, CashLastHands, CashTable, Event

END_CALLED = "cash_end.called"
CALLED_BEFORE = (30, 10)


@dataclass(frozen=True, slots=True)
class Standing:
    """A table's stage.

    :param hands: Hands begun so far.
    :param left: Hands it may still begin; None before the announcement.
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
    """Return the announced last hands, or None."""
    row = CashLastHands.objects.live().filter(event=event).first()
    return LastHands(row.announced_at, row.hands) if row else None


def stages_of(event: Event, tables: Iterable[CashTable], now: datetime) -> dict[int, Standing]:
    """Return the stages by table. Four queries, plus one once last hands are announced."""
    ids = [table.pk for table in tables]
    ends_at, last, running = end_of(event), last_hands_of(event), hands_running(ids)
    rows = CashHand.objects.live().filter(table__in=ids)
    hands = dict(rows.values("table").annotate(n=Count("pk")).order_by().values_list("table", "n"))
    began: dict[int, list[datetime]] = {pk: [] for pk in ids}
    if last is not None:
        since = rows.filter(began_at__gte=last.announced_at)
        for table, at in since.values_list("table", "began_at"):
            began[table].append(at)
    return {
        pk: Standing(
            stage=stage(
                now, ends_at=ends_at, last=last, began=began[pk], is_hand_running=pk in running
            ),
            hands=hands.get(pk, 0),
            left=hands_left(last, began[pk]) if last else None,
            is_hand_running=pk in running,
        )
        for pk in ids
    }


@dataclass(frozen=True, slots=True)
class Call:
    """An announcement of the end that is due, with its minutes."""

    ends_at: datetime
    minutes: int


def call_due(event: Event, now: datetime, *, but: Action | None = None) -> Call | None:
    """Return the announcement due; only the latest if a worker was late.

    None for an end set too late for it, or once the last hands are announced.

    :param but: An entry that is just being written.
    """
    row = CashEnd.objects.live().filter(event=event).select_related("made_by").first()
    if row is None or row.ends_at <= now or last_hands_of(event) is not None:
        return None
    reached = [n for n in CALLED_BEFORE if row.ends_at - timedelta(minutes=n) <= now]
    if not reached or row.made_by.at > row.ends_at - timedelta(minutes=min(reached)):
        return None
    own = {"kind": END_CALLED, "payload__ends_at": round(row.ends_at.timestamp())}
    called = Action.objects.filter(event=event, payload__before=min(reached), **own)
    if (called.exclude(pk=but.pk) if but else called).exists():
        return None
    return Call(row.ends_at, min(reached))


def events_with_cash_end_near(now: datetime) -> list[Event]:
    """Return the events with an announcement of the end due."""
    near = now + timedelta(minutes=max(CALLED_BEFORE))
    ends = CashEnd.objects.live().filter(ends_at__gt=now, ends_at__lte=near)
    rows = Event.objects.filter(pk__in=ends.values("event"), ended_by=None, cancelled_by=None)
    return [row for row in rows.select_related("clock", "club") if call_due(row, now)]
