"""The hand of hand-for-hand of an elimination. Reads only."""

from __future__ import annotations

from datetime import datetime, timedelta

from krru.data import by_hand
from tournaments.models import Elimination, Event, HandForHand, HandReport, HandRound
from tournaments.play.domain.eliminations import STEP

# An elimination can join hand-for-hand up to this long after its end (ours).
TOLD_LATE = timedelta(minutes=15)
MOST_LAST = 2


def round_at(event: Event, at: datetime) -> HandRound | None:
    """Return the round of hand-for-hand played at an instant, which may be in the past."""
    # Raw SQL: runs at every elimination, usually without a round.
    table = HandForHand._meta.db_table
    if not by_hand.ask(f"SELECT 1 FROM {table} WHERE event_id = %s LIMIT 1", [event.pk]):  # noqa: S608
        return None
    rows = HandRound.objects.live().filter(hand_for_hand__event=event, began_at__lte=at)
    rows = rows.select_related("hand_for_hand__voided_by").order_by("-began_at", "-pk")
    newest = rows.first()
    ended = newest.hand_for_hand.voided_by if newest else None
    return None if ended is not None and ended.at <= at else newest


def round_numbered(event: Event, number: int, at: datetime) -> HandRound | None:
    """Return this hand of the present or last hand-for-hand at that instant."""
    rows = HandRound.objects.live().filter(hand_for_hand__event=event, began_at__lte=at)
    rows = rows.filter(number=number).select_related("hand_for_hand__voided_by")
    return rows.order_by("-began_at", "-pk").first()


def hands_near(out: Elimination) -> list[HandRound]:
    """Return the elimination's hand of hand-for-hand and the ones next to it, if any.

    For an elimination told soon after hand-for-hand, return its last hands.
    """
    own = out.round
    if own is None:
        return _last_hands(out) if out.way == Elimination.Way.BUST else []
    next_to_it = range(max(0, own.number - 1), own.number + 2)
    rows = HandRound.objects.live().filter(hand_for_hand=own.hand_for_hand_id)
    return list(rows.filter(number__in=next_to_it).order_by("number"))


def _last_hands(out: Elimination) -> list[HandRound]:
    """Return the last hands of a hand-for-hand that ended shortly before this elimination."""
    since = out.at - TOLD_LATE
    ended = HandForHand.objects.filter(
        event=out.event_id, voided_by__undoes=None, voided_by__at__range=(since, out.at)
    )
    row = ended.order_by("-pk").first()
    rows = HandRound.objects.live().filter(hand_for_hand=row) if row else HandRound.objects.none()
    return sorted(rows.order_by("-number")[:MOST_LAST], key=lambda played: played.number)


def instant_in(row: HandRound, at: datetime, table_id: int | None) -> datetime:
    """Return the instant of this hand nearest to `at`, limited by the table's reports.

    For a hand that is over, at the latest the table's report of it.
    """
    if at < row.began_at:
        return row.began_at
    after = HandRound.objects.live().filter(
        hand_for_hand=row.hand_for_hand_id, number=row.number + 1
    )
    ended = row.hand_for_hand.voided_by
    ends = [later.began_at for later in after] or ([ended.at] if ended else [])
    if not ends or at < ends[0]:
        return at
    reports = HandReport.objects.live().filter(round=row, table=table_id)
    return min([ends[0] - STEP, *reports.values_list("reported_at", flat=True)])
