"""Whom a change concerns, and what a phone shows of the room without asking: for the stream.

Numbers only, and few of them: registrations by id, never a name. How pages use it is told in
docs/internals/clock-and-stream.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q

from krru.data import by_hand
from tournaments.changes.kinds import Part, Places, Topic, kind_of
from tournaments.event.domain.betting import Game
from tournaments.event.selectors.event import room_figures
from tournaments.models import (
    Action,
    DealerDraw,
    Elimination,
    Entry,
    Event,
    Seating,
    Table,
)
from tournaments.models.log import among
from tournaments.public.selectors.player_picture import PlayerPicture
from tournaments.seating.domain.moves import movers_in_order
from tournaments.seating.selectors.tables import table_views

# More than so many are told as "all": each page would have to look through the list anyway.
MOST_NAMED = 50
MOST_TABLES = 12
ALL = "all"
OF_THE_ROOM = frozenset({Topic.TABLES, Topic.ENTRIES, Topic.CONDUCT})
NAMED_ALONE = ("registration",)
NAMED_TOGETHER = ("registrations", "offered", "moved_up")


def _changes_list(action: Action) -> bool:
    """Tell whether it changes how many places are free, or who is where in the line."""
    kind = kind_of(action.kind)
    return kind is not None and kind.places is Places.OF_THE_LIST


@dataclass(slots=True)
class _Concerned:
    """What an action touched: whose pages, which tables, and what became of places already had."""

    people: set[int] = field(default_factory=set)
    tables: set[int] = field(default_factory=set)
    has_outs: bool = False
    is_new: bool = False
    is_moved: bool = False


def stream_payload(
    event: Event, action: Action, topics: Collection[str], known: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what the stream tells of a change beside its topics; empty for one of the clock.

    `whose` are the registrations whose own pages change, or "all"; `room` the figures that every
    page shows, `order` by table the seats in the order in which players would be moved. `also` are
    topics for pages that may look lazily: the list of the registered, places already had.

    :param known: What the service tells by itself, and need not be read.
    """
    found = _Concerned()
    undone = action.undoes
    actions = [row for row in (action, undone, undone.undoes if undone else None) if row]
    for row in actions:
        _by_payload(found, row.payload)
        if (kind := kind_of(row.kind)) and kind.moves_button and "order" not in known:
            found.tables.add(row.payload["table"])
    if OF_THE_ROOM & set(topics):
        _by_facts(found, event, topics, [row.pk for row in actions])
    payload: dict[str, Any] = {}
    also = {Part.LIST} if any(_changes_list(row) for row in actions) else set()
    if any((kind := kind_of(row.kind)) and kind.sets_stage for row in actions):
        also.add(Part.STAGE)
    if "entries" in topics and not event.is_clock_only:
        payload["room"] = known.get("room") or room_figures(event)
        left = payload["room"]["left"]
        anybody_out = left < payload["room"]["entries"]
        also |= {Part.PLACES} if _moves_places(found, anybody_out=anybody_out) else set()
        if left == 1 and event.has_started:
            found.people |= _left_over(event)
    if found.people:
        few = len(found.people) <= MOST_NAMED
        payload["whose"] = sorted(found.people) if few else ALL
    if event.has_started and 0 < len(found.tables) <= MOST_TABLES:
        payload["order"] = order_of_moves(event, found.tables, action.recorded_at)
    return payload | ({"also": sorted(also)} if also else {})


def order_of_moves(event: Event, tables: Iterable[int], now: datetime) -> dict[int, list[int]]:
    """Return by table the seats in the order in which their players would be moved at `now`.

    Empty where nobody can tell: while the button is not known the mover is drawn, and in stud
    the mover is found by the seat that is free elsewhere (TDA 2024 11-A).
    """
    numbers = set(tables)
    if event.game == Game.STUD:
        return {number: [] for number in numbers}
    views = table_views(event, now, numbers, with_locks=False)
    return {number: list(movers_in_order(view)) for number, view in sorted(views.items())}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """Where somebody is in the order in which players would be moved from a table.

    `place` is None while the mover would be drawn. `table` and `seat` say whose it is.
    """

    table: int
    seat: int
    players: int
    place: int | None


def rank_of(picture: PlayerPicture, now: datetime) -> Rank | None:
    """Return how near somebody is to being moved; None where nobody can be, or nobody can tell."""
    event, seating = picture.registration.event, picture.seating
    if seating is None or not event.has_started or event.is_over or event.game == Game.STUD:
        return None
    if Table.objects.live().filter(event=event).count() < 2:
        return None
    number = seating.table.number
    order = order_of_moves(event, [number], now)[number]
    return Rank(
        table=number,
        seat=seating.seat,
        players=Seating.objects.live().filter(table=seating.table_id).count(),
        place=order.index(seating.seat) + 1 if seating.seat in order else None,
    )


def _by_payload(found: _Concerned, payload: dict[str, Any]) -> None:
    found.people.update(payload[name] for name in NAMED_ALONE if payload.get(name))
    for name in NAMED_TOGETHER:
        rows = payload.get(name)
        found.people.update(rows if isinstance(rows, list) else ())


# Of each kind of fact: whose it is, at which table, whether it moves places that were had before.
_FACTS = {
    "seat": (
        "entry.registration_id, seat_table.number, 0",
        (
            "tournaments_seating fact JOIN tournaments_entry entry ON entry.id = fact.entry_id"
            " JOIN tournaments_table seat_table ON seat_table.id = fact.table_id"
        ),
    ),
    "entry": ("fact.registration_id, 0, 0", "tournaments_entry fact"),
    "out": (
        (
            "entry.registration_id, 0, CASE WHEN fact.voided_by_id IS NULL"
            ' AND fact.round_id IS NULL AND fact."group" IS NULL THEN 0 ELSE 1 END'
        ),
        "tournaments_elimination fact JOIN tournaments_entry entry ON entry.id = fact.entry_id",
    ),
    "arrival": (
        "entry.registration_id, 0, 0",
        (
            "tournaments_arrival fact JOIN tournaments_seating seat ON seat.id = fact.seating_id"
            " JOIN tournaments_entry entry ON entry.id = seat.entry_id"
        ),
    ),
}
_FACTS_OF = {"tables": ("seat",), "conduct": ("arrival",), "entries": ("entry", "out")}


def _by_facts(found: _Concerned, event: Event, topics: Collection[str], actions: list[int]) -> None:
    """Add what the facts name that these actions made or voided. Each is found by an index."""
    kinds = [kind for topic in topics for kind in _FACTS_OF.get(topic, ())]
    for kind, person, table, moves in _touched(kinds, actions):
        found.people.add(person)
        found.is_new |= kind == "entry"
        found.has_outs |= kind == "out"
        found.is_moved |= bool(moves)
        if kind == "seat":
            found.tables.add(table)
    if "tables" in topics and not event.has_started:
        touched = Q(made_by__in=actions) | Q(voided_by__in=actions)
        dealt = DealerDraw.objects.filter(touched).values("table")
        there = Seating.objects.live().filter(table__in=dealt)
        found.people.update(there.values_list("entry__registration", flat=True))


def _touched(kinds: list[str], actions: list[int]) -> list[tuple[str, int, int, int]]:
    if not kinds:
        return []
    # Written by hand and asked in one, as it is at every change.
    asked = " UNION ALL ".join(
        f"SELECT '{kind}', {values} FROM {tables}"  # noqa: S608
        f" WHERE fact.made_by_id IN {among(actions)} OR fact.voided_by_id IN {among(actions)}"
        for kind, (values, tables) in ((kind, _FACTS[kind]) for kind in kinds)
    )
    return by_hand.ask(asked, actions * (2 * len(kinds)))


def _moves_places(found: _Concerned, *, anybody_out: bool) -> bool:
    """Tell whether somebody who is out already may have another place now.

    One more who is out alone moves nobody; a new entry, one taken back or set right, several of one
    hand, and the end of a round do.
    """
    if found.has_outs:
        return found.is_moved
    return not found.is_new or anybody_out


def _left_over(event: Event) -> set[int]:
    """Return whose entry is the last: a player who has won without any action about the player."""
    out = Elimination.objects.live().filter(event=event).values("entry")
    left = Entry.objects.live().filter(event=event).exclude(pk__in=out)
    return set(left.values_list("registration", flat=True)[:2])
