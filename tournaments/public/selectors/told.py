"""The evening as it was told at a past instant, for a stream that shows it later.

Nothing told after the instant counts, and nothing taken back since: a mistaken out never shows.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from django.db.models import F, Q, QuerySet, Sum, Value
from django.utils.crypto import salted_hmac

from clock.domain import instant_ms
from clock.selectors import clock_told
from tournaments.event.selectors.chips import row_counted
from tournaments.event.selectors.clock import planned_start
from tournaments.event.selectors.event import event_accepts_late
from tournaments.models import (
    Action,
    Elimination,
    Entry,
    Event,
    HeadCount,
    LivePost,
    PrizeFreeze,
    Seating,
    StackCount,
    StackWord,
)
from tournaments.payouts.domain.pictures import rows_ahead
from tournaments.payouts.selectors.prize_labels import rows_to_tell
from tournaments.people.selectors.people import names_shown
from tournaments.play.selectors.eliminations import takers_of
from tournaments.play.selectors.ranking import standings
from tournaments.post.selectors.announcements import said_by
from tournaments.prizes.selectors.plans import paid_places, prize_pool

KEY_LENGTH = 32


@dataclass(frozen=True, slots=True)
class ToldOut:
    """A player out as told, with the place as known now; `by` are the listed takers."""

    name: str
    place: int | None
    at: datetime
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldSeat:
    """A seat as told, and its player's public name."""

    table: int
    seat: int
    name: str
    is_listed: bool
    entry: int = 0


def told_clock(event: Event, at: datetime) -> dict[str, Any]:
    return clock_told(event.clock, at, planned_start(event))


def delayed(event: Event, now: datetime) -> dict[str, Any]:
    """Return the delayed clock, and the ms until each later change."""
    delay = stream_delay(event)
    told, late_ms = now - delay, int(delay.total_seconds() * 1000)
    clock = told_clock(event, told) | {"now": instant_ms(now), "delay": late_ms}
    later = Action.objects.filter(event=event, recorded_at__gt=told, recorded_at__lte=now)
    times = later.order_by("sequence").values_list("recorded_at", flat=True)
    waits = [instant_ms(at) + late_ms - instant_ms(now) for at in times]
    return {"clock_payload": clock, "waits": waits, "delay_ms": late_ms}


def overlay_key(event: Event) -> str:
    """Return the secret in the addresses of an event's overlays: they only read."""
    return salted_hmac("overlay", f"{event.pk}/{event.overlay_round}").hexdigest()[:KEY_LENGTH]


def stream_delay(event: Event) -> timedelta:
    return timedelta(seconds=event.stream_delay)


def is_told_over(event: Event, now: datetime) -> bool:
    """Tell whether those elsewhere know of the end."""
    end = event.ended_by
    return event.is_over and (end is None or end.recorded_at <= now - stream_delay(event))


def told_outs_of(event: Event, at: datetime) -> set[int]:
    """Return the entries told out at an instant."""
    return set(_outs(event, at).values_list("entry", flat=True))


def told_left(event: Event, at: datetime) -> tuple[int, int]:
    """Return the players left and the entries, as told at an instant."""
    if event.is_clock_only:
        counts = _told(HeadCount.objects.live().filter(event=event), at)
        sums = counts.aggregate(left=Sum("left", default=0), entries=Sum("entries", default=0))
        return sums["left"], sums["entries"]
    entries = _told(Entry.objects.live().filter(event=event), at).count()
    return entries - _outs(event, at).count(), entries


def told_outs(event: Event, at: datetime, most: int) -> list[ToldOut]:
    """Return the last players out as told, the latest first."""
    rows = _outs(event, at).order_by("-at", "-sequence")
    last = list(rows.values_list("entry", "entry__registration", "at")[:most])
    lines, takers = {line.entry: line for line in standings(event)}, takers_of(event)
    names = names_shown(event, in_hall=False) if last else {}
    return [
        ToldOut(
            name=names[person],
            place=lines[entry].place,
            at=out_at,
            by=tuple(name for name, is_listed in takers.get(entry, ()) if is_listed)
            if lines[entry].is_listed
            else (),
        )
        for entry, person, out_at in last
    ]


def told_prizes(event: Event, at: datetime) -> list[int]:
    """Return the prizes in cents by place, the first first; empty before they were fixed."""
    frozen = _told(PrizeFreeze.objects.live().filter(event=event), at).order_by("pk").last()
    return list(frozen.prizes) if frozen else []


def told_seats(event: Event, at: datetime, table: int | None = None) -> list[ToldSeat]:
    """Return the seats of a table, or of all, as told; a move shows once it was told."""
    later = Q(voided_by__recorded_at__gt=at) & ~Q(voided_by__kind="action.undone")
    rows = Seating.objects.filter(Q(voided_by=None) | later, event=event)
    if table is not None:
        rows = rows.filter(table__number=table)
    people = (
        _told(rows, at)
        .exclude(entry__in=_outs(event, at).values("entry"))
        .order_by("table__number", "seat")
        .values_list(
            "table__number",
            "seat",
            "entry__registration",
            "entry__registration__is_listed",
            "entry",
        )
    )
    names = names_shown(event, in_hall=False)
    return [
        ToldSeat(number, seat, names[person], is_listed, entry)
        for number, seat, person, is_listed, entry in people
    ]


@dataclass(frozen=True, slots=True)
class ToldStack:
    """A stack as told: counted by staff, or stated by the player."""

    amount: int
    is_said: bool


def told_stacks(event: Event, at: datetime) -> dict[int, ToldStack]:
    """Return the last stack of each entry as told; in one break the count of staff wins."""
    found: dict[int, tuple[datetime, ToldStack]] = {}
    for is_said, entry, amount, when in _stacks(event, at):
        counted_at = found[entry][0] if is_said and entry in found else None
        if counted_at and (
            counted_at >= when or row_counted(event, counted_at) == row_counted(event, when)
        ):
            continue
        found[entry] = when, ToldStack(amount, is_said=is_said)
    return {entry: stack for entry, (_at, stack) in found.items()}


def told_bags(event: Event, at: datetime, most: int) -> list[tuple[str, ToldStack]]:
    """Return the public names of those still in with their stacks as told, the largest first."""
    stacks = told_stacks(event, at)
    rows = _told(Entry.objects.live().filter(event=event, pk__in=stacks), at)
    rows = rows.exclude(pk__in=_outs(event, at).values("entry"))
    largest = sorted(rows, key=lambda row: (-stacks[row.pk].amount, row.pk))[:most]
    names = names_shown(event, in_hall=False) if largest else {}
    return [(names[row.registration_id], stacks[row.pk]) for row in largest]


def _stacks(event: Event, at: datetime) -> list[tuple[bool, int, int, datetime]]:
    """Return [is stated, entry, chips, when] of all stacks told: counted ones first."""
    counts = _told(StackCount.objects.live().filter(entry__event=event), at)
    words = _told(StackWord.objects.live().filter(event=event), at)
    shown = ("is_said", "entry", "amount", "when", "pk")
    both = counts.annotate(is_said=Value(value=False), when=F("counted_at")).values_list(*shown)
    said = words.annotate(is_said=Value(value=True), when=F("said_at"))
    both = both.union(said.values_list(*shown))
    return [row[:4] for row in sorted(both, key=lambda row: (row[0], row[4]))]


@dataclass(frozen=True, slots=True)
class ToldPost:
    """A post as told: its text and the digest of its picture."""

    at: datetime
    text: str
    digest: str


def told_posts(event: Event, at: datetime, most: int) -> list[ToldPost]:
    """Return the last posts as told, the latest first."""
    rows = _told(LivePost.objects.live().filter(event=event), at)
    last = rows.select_related("made_by__text").annotate(shows=F("picture__digest"))
    return [
        ToldPost(row.posted_at, said_by(row.made_by), row.shows or "")
        for row in last.order_by("-pk")[:most]
    ]


# --- A running evening for those who follow at home: outs, players left, money


MOST_OUTS = 7
MOST_POSTS = 5
MOST_SEATED = 400


def near_money(event: Event, left: int, now: datetime) -> dict[str, Any]:
    """Return the way to the money; `paid` is 0 while somebody can still enter, and so unknown.

    `to_money` players go out before; whoever is out next gets `next`, if that is paid. `rows` are
    the prizes still to win, `ahead` the next two and the first.
    """
    paid = 0 if event_accepts_late(event, now) else paid_places(event)
    rows = rows_to_tell(event, now)
    return {
        "paid": paid,
        "to_money": max(left - paid, 0) if paid else 0,
        "next": min(left, paid),
        "rows": [row for row in rows if row.first <= left],
        "ahead": rows_ahead(rows, left),
    }


def live_of(event: Event, told: datetime) -> SimpleNamespace:
    """Return a running evening as told at an instant; names of players who agreed."""
    seats = [] if event.is_clock_only else told_seats(event, told)
    stacks = told_stacks(event, told) if seats else {}
    listed = [seat for seat in seats if seat.is_listed][:MOST_SEATED]
    return SimpleNamespace(
        outs=[] if event.is_clock_only else told_outs(event, told, MOST_OUTS),
        seats=[(seat, stacks.get(seat.entry)) for seat in listed],
        tables=len({seat.table for seat in seats}),
        others=len(seats) - len(listed),
        posts=told_posts(event, told, MOST_POSTS),
        pot_cents=0 if event.is_clock_only else max(0, prize_pool(event).cents),
    )


def _outs(event: Event, at: datetime) -> QuerySet[Elimination]:
    return _told(Elimination.objects.live().filter(event=event), at)


def _told(rows: QuerySet[Any], at: datetime) -> QuerySet[Any]:
    return rows.filter(made_by__recorded_at__lte=at)
