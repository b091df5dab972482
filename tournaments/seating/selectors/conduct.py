"""Players away, walking to a new seat, or sitting out hands. Reads only."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum

from clock.snapshot import read_once
from tournaments.event.selectors.event import without_chips
from tournaments.models import (
    Absence,
    Arrival,
    Elimination,
    Event,
    Hand,
    Knockout,
    Penalty,
    Seating,
    Table,
)
from tournaments.seating.domain.penalties import (
    HandsPenalty,
    Served,
    Stay,
    hands_during,
    penalties_served,
)

# After that, a missing player counts as away, recorded separately.
WALKS_FOR = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyView:
    """A penalty of an entry, with its reason and the hands served."""

    penalty: Penalty
    reason: str
    served: Served

    @property
    def is_warning(self) -> bool:
        return self.penalty.kind == Penalty.Kind.WARNING


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The exceptions at one seat. `misses` counts the hands still to miss.

    Until `held_until` the seat is held for a player without chips.
    """

    away_since: datetime | None = None
    walking_since: datetime | None = None
    misses: int = 0
    sits_out: bool = False
    held_until: datetime | None = None


NO_MARK = Mark()


def penalties_of(entries: Collection[int]) -> dict[int, list[PenaltyView]]:
    """Return all penalties by entry, earliest first; one query when there are none."""
    rows = Penalty.objects.live().filter(entry__in=entries)
    return _penalties(rows.select_related("made_by__text")) if rows.exists() else {}


@read_once
def penalties_sat_out(event: Event) -> list[PenaltyView]:
    """Return the penalties sat out now in the whole event, earliest first."""
    out = Elimination.objects.live().filter(entry=OuterRef("entry"))
    rows = Penalty.objects.live().filter(event=event, hands__gt=0)
    if not rows.exists():
        return []
    rows = rows.exclude(Exists(out)).select_related("made_by__text", "entry__registration__person")
    found = [view for views in _penalties(rows).values() for view in views]
    return [view for view in found if view.served.sits_out]


def _penalties(rows: QuerySet[Penalty]) -> dict[int, list[PenaltyView]]:
    by_entry: dict[int, list[Penalty]] = defaultdict(list)
    done = Sum("served__hands", filter=Q(served__voided_by__isnull=True))
    for row in rows.annotate(done=done).order_by("given_at", "pk"):
        by_entry[row.entry_id].append(row)
    missing = [row for found in by_entry.values() for row in found if row.hands]
    begun = _hands_where(missing)
    return {
        entry: [
            PenaltyView(penalty=row, reason=_reason(row), served=served)
            for row, served in zip(found, _served(found, begun.get(entry, [])), strict=True)
        ]
        for entry, found in by_entry.items()
    }


def _served(rows: list[Penalty], begun: list[datetime]) -> tuple[Served, ...]:
    penalties = [
        HandsPenalty(given_at=row.given_at, hands=row.hands, served=getattr(row, "done", None) or 0)
        for row in rows
    ]
    return penalties_served(penalties, begun)


def _reason(row: Penalty) -> str:
    texts = row.made_by.text.data if hasattr(row.made_by, "text") else {}
    return str(texts.get("reason", ""))


def _hands_where(penalties: list[Penalty]) -> dict[int, list[datetime]]:
    """Return by entry the starts of hands at its tables since its first penalty. Two queries."""
    if not penalties:
        return {}
    since = min(row.given_at for row in penalties)
    stays: dict[int, list[Stay]] = defaultdict(list)
    rows = Seating.objects.filter(entry__in={row.entry_id for row in penalties})
    # Ignore a seat given and then undone.
    rows = rows.exclude(voided_by__isnull=False, voided_by__undoes=F("made_by"))
    for entry, table, seated_at, until in rows.values_list(
        "entry_id", "table_id", "seated_at", "voided_by__at"
    ):
        stays[entry].append(Stay(table=table, since=seated_at, until=until))
    tables = {stay.table for found in stays.values() for stay in found}
    hands = Hand.objects.live().filter(table__in=tables, began_at__gt=since)
    dealt = list(hands.values_list("table_id", "began_at"))
    return {entry: hands_during(found, dealt) for entry, found in stays.items()}


def conduct_at(event: Event, entries: Collection[int]) -> list[dict[str, Any]]:
    """Return who of these at a table is away, walking there, without chips, or sits out hands."""
    seated = Seating.objects.live().filter(event=event, entry__in=entries).order_by("seat")
    away = {row.entry_id: row.left_at for row in absences(event, entries)}
    on_the_way = {row.pk for row in walking(event, None)}
    views, held = penalties_of(entries), without_chips(event)
    return [
        {
            "seating": row,
            "away_since": away.get(row.entry_id),
            "is_walking": row.pk in on_the_way,
            "held_until": held.get(row.entry_id),
            "penalties": [view for view in views.get(row.entry_id, ()) if view.served.sits_out],
        }
        for row in _with_names(seated)
    ]


def hands_are_tapped(event: Event, table_id: int, now: datetime) -> bool:
    """Tell whether hands are tapped at a table, so that penalties count down automatically."""
    since = now - event.rule_set.tap_holds
    return Hand.objects.live().filter(table=table_id, began_at__gt=since).exists()


@read_once
def absences(event: Event, entries: Iterable[int] | None) -> list[Absence]:
    """Return the absences of all or these entries, longest first."""
    seated = Seating.objects.live().filter(entry=OuterRef("entry"))
    rows = Absence.objects.live().filter(Exists(seated), event=event)
    if entries is not None:
        rows = rows.filter(entry__in=list(entries))
    return list(rows.select_related("entry__registration__person").order_by("left_at", "pk"))


@read_once
def walking(event: Event, entries: Iterable[int] | None) -> list[Seating]:
    """Return the seats of moved players who have not arrived yet, longest first.

    A player who had arrived and whose move was undone walks back. Neither a first seat nor another
    seat of the own table is walked to. A stack won since proves the arrival. Before the first
    recorded arrival, the list is empty.
    """
    if event.is_over or event.log_recorded_at is None:
        return []
    live = Seating.objects.live().filter(event=event)
    if entries is not None:
        live = live.filter(entry__in=list(entries))
    before = Seating.objects.filter(entry=OuterRef("entry"), pk__lt=OuterRef("pk"))
    before = before.exclude(voided_by__undoes=F("made_by")).order_by("-pk")
    elsewhere = before.exclude(table=OuterRef("table")).values("pk")[:1]
    came = Q(seating__entry=OuterRef("entry"), seating__pk__gt=OuterRef("left"))
    arrived = Arrival.objects.live().filter(came, seating__table=OuterRef("table"))
    won = Knockout.objects.live().filter(by=OuterRef("entry"), made_by__gt=OuterRef("made_by"))
    lately = live.filter(seated_at__gt=event.log_recorded_at - WALKS_FOR)
    moved = lately.annotate(left=Subquery(elsewhere)).filter(left__isnull=False)
    moved = moved.filter(~Exists(arrived)).filter(~Exists(won))
    found = {row.pk: row for row in _with_names(moved)}
    found |= {row.pk: row for row in _sent_back(event, live)}
    return sorted(found.values(), key=lambda row: (row.seated_at, row.pk))


def _sent_back(event: Event, live: QuerySet[Seating]) -> list[Seating]:
    """Return the seats of players sent back by an undo after they had arrived elsewhere."""
    lately = (event.log_recorded_at or event.starts_at) - WALKS_FOR
    # Whether the arrival was undone too or not: the player had walked there.
    was_there = Q(voided_by__isnull=True) | Q(voided_by=F("seating__voided_by"))
    elsewhere = Arrival.objects.filter(
        was_there,
        seating__event=event,
        arrived_at__gt=lately,
        seating__voided_by__undoes__isnull=False,
    )
    last: dict[int, int] = {}
    for pk, entry in elsewhere.values_list("pk", "seating__entry_id"):
        last[entry] = max(pk, last.get(entry, 0))
    if not last:
        return []
    rows = list(_with_names(live.filter(entry__in=last)))
    here = Arrival.objects.live().filter(seating__in=[row.pk for row in rows])
    latest = dict(here.values_list("seating_id", "pk"))
    return [row for row in rows if latest.get(row.pk, 0) < last[row.entry_id]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """A player sent from a seat to another table, not yet there."""

    seat: int
    sent_to: Seating

    @property
    def name(self) -> str:
        return self.sent_to.entry.registration.person.name


def leaving(event: Event, table: Table) -> list[Leaving]:
    """Return the players sent away from a table, by their seat there; often none."""
    on_the_way = {row.entry_id: row for row in walking(event, None)}
    if not on_the_way:
        return []
    rows = Seating.objects.filter(entry__in=on_the_way, voided_by__isnull=False)
    latest = rows.order_by("voided_by__sequence").values_list("entry_id", "table_id", "seat")
    left = {entry: (table_id, seat) for entry, table_id, seat in latest}
    found = [
        Leaving(seat=seat, sent_to=on_the_way[entry])
        for entry, (table_id, seat) in left.items()
        if table_id == table.pk != on_the_way[entry].table_id
    ]
    return sorted(found, key=lambda one: one.seat)


def _with_names(rows: QuerySet[Seating]) -> QuerySet[Seating]:
    return rows.select_related("table", "entry__registration__person")


def marks_of(event: Event, entries: Iterable[int] | None = None) -> dict[int, Mark]:
    """Return the exceptions among these entries, or in the whole event, by entry."""
    ids = None if entries is None else list(entries)
    away = {row.entry_id: row.left_at for row in absences(event, ids)}
    # Those of the event are few, and a table's page asks for them anyway.
    on_the_way = {
        row.entry_id: row.seated_at
        for row in walking(event, None)
        if ids is None or row.entry_id in ids
    }
    if ids is None:
        views = penalties_sat_out(event)
    else:
        views = [view for found in penalties_of(ids).values() for view in found]
    held = without_chips(event)
    misses: dict[int, int] = defaultdict(int)
    sits_out: set[int] = set()
    for view in views:
        if view.served.sits_out:
            misses[view.penalty.entry_id] += view.served.left
            sits_out.add(view.penalty.entry_id)
    return {
        entry: Mark(
            away_since=away.get(entry),
            walking_since=on_the_way.get(entry),
            misses=misses[entry],
            sits_out=entry in sits_out,
            held_until=held.get(entry),
        )
        for entry in {*away, *on_the_way, *sits_out, *held}
    }


def marks_shown(mark: Mark) -> dict[str, Any]:
    return {
        "is_away": mark.away_since is not None,
        "is_walking": mark.walking_since is not None,
        "sits_out": mark.sits_out,
        "misses": mark.misses,
        "held_until": mark.held_until,
    }
