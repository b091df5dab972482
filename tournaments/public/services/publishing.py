"""The stream's message after a commit: topics, affected players, a few numbers.

Registrations by id, never by name. The use in pages is in docs/internals/clock-and-stream.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q

from clock.realtime import publish
from clock.selectors import anchor_payload
from krru.data import by_hand
from tournaments.changes.audit import Change, completes_change
from tournaments.changes.domain.logchain import head_of
from tournaments.changes.kinds import Part, Places, Topic, kind_of
from tournaments.event.selectors.clock import planned_start
from tournaments.event.selectors.event import room_figures
from tournaments.models import Action, DealerDraw, Elimination, Entry, Event, Screen, Seating
from tournaments.models.log import among

# More people count as "all", as each page would have to search the list anyway.
MOST_NAMED = 50
MOST_TABLES = 12
ALL = "all"
OF_THE_ROOM = frozenset({Topic.TABLES, Topic.ENTRIES, Topic.CONDUCT})
NAMED_ALONE = ("registration",)
NAMED_TOGETHER = ("registrations", "offered", "moved_up")


@completes_change
def publish_on_commit(change: Change) -> None:
    """Publish a sealed change on the event's stream after the commit."""
    event, action, topics = change.event, change.action, sorted(change.topics)
    # A device with the former head sees that the chain was extended.
    head = [action.sequence, head_of(action.hash), head_of(action.previous_hash)]
    payload: dict[str, Any] = {"version": event.version, "changed": topics, "head": head}
    payload |= stream_payload(event, action, topics, change.stream) | change.stream
    if Topic.CLOCK in topics:
        payload["anchor"] = anchor_payload(event.clock, planned_start(event))
    topic, version = event.stream_topic, event.version
    transaction.on_commit(lambda: publish(topic, payload, id=version))
    action.news = payload


def versions_of(topics: Iterable[str]) -> dict[str, int]:
    """Return the versions of events and screens for these topics."""
    wanted, versions = list(topics), {}
    models: tuple[type[Event | Screen], ...] = (Event, Screen)
    for model in models:
        prefix = model.TOPIC
        keys = [int(topic.removeprefix(prefix)) for topic in wanted if topic.startswith(prefix)]
        rows = model.objects.filter(pk__in=keys).values_list("pk", "version")
        versions.update({f"{prefix}{key}": version for key, version in rows})
    return versions


@dataclass(slots=True)
class _Concerned:
    """The objects affected by an action: players' pages, tables, and earlier final places."""

    people: set[int] = field(default_factory=set)
    tables: set[int] = field(default_factory=set)
    also: set[Part] = field(default_factory=set)
    has_outs: bool = False
    is_new: bool = False
    is_moved: bool = False


def stream_payload(
    event: Event, action: Action, topics: Collection[str], known: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the stream's message about a change beside its topics; empty for the clock.

    `whose` are the registrations with changed own pages, or "all"; `room` the figures on every
    page; `ranks` the tables with a possible change of the next player to move. `also` are topics
    for pages that may update later: the list of registrations, earlier final places.

    :param known: What the service tells by itself, and need not be read.
    """
    found = _Concerned()
    undone, has_started = action.undoes, event.has_started
    actions = [row for row in (action, undone, undone.undoes if undone else None) if row]
    for row in actions:
        _by_payload(found, row.payload)
        _by_kind(found, row)
    if OF_THE_ROOM & set(topics):
        _by_facts(found, event, topics, [row.pk for row in actions])
    payload: dict[str, Any] = {}
    if "entries" in topics and not event.is_clock_only:
        payload["room"] = known.get("room") or room_figures(event)
        left = payload["room"]["left"]
        if _moves_places(found, anybody_out=left < payload["room"]["entries"]):
            found.also.add(Part.PLACES)
        if left == 1 and has_started and (found.has_outs or found.is_new):
            found.people |= _left_over(event)
    if found.people:
        few = len(found.people) <= MOST_NAMED
        payload["whose"] = sorted(found.people) if few else ALL
    if has_started and 0 < len(found.tables) <= MOST_TABLES:
        payload["ranks"] = sorted(found.tables)
    return payload | ({"also": sorted(found.also)} if found.also else {})


def _by_kind(found: _Concerned, action: Action) -> None:
    kind = kind_of(action.kind)
    if kind is None:
        return
    if kind.moves_button:
        found.tables.add(action.payload["table"])
    if kind.places is Places.OF_THE_LIST:
        found.also.add(Part.LIST)
    if kind.sets_stage:
        found.also.add(Part.STAGE)


def _by_payload(found: _Concerned, payload: dict[str, Any]) -> None:
    found.people.update(payload[name] for name in NAMED_ALONE if payload.get(name))
    for name in NAMED_TOGETHER:
        rows = payload.get(name)
        found.people.update(rows if isinstance(rows, list) else ())
    # A restored seat is no longer made or voided.
    if seats := payload.get("revived", {}).get("Seating"):
        rows = Seating.objects.filter(pk__in=seats).values_list("table__number", flat=True)
        found.tables.update(rows.distinct())


# For each kind of fact: its person, its table, and whether it changes earlier final places.
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
    """Add the people and tables of facts made or voided by these actions, found by index."""
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
    # Raw SQL in one query, as it runs in every change.
    of_these = among(actions)
    asked = " UNION ALL ".join(
        [
            f"SELECT '{kind}', {_FACTS[kind][0]} FROM {_FACTS[kind][1]}"  # noqa: S608
            f" WHERE fact.made_by_id IN {of_these} OR fact.voided_by_id IN {of_these}"
            for kind in kinds
        ]
    )
    return by_hand.ask(asked, actions * (2 * len(kinds)))


def _moves_places(found: _Concerned, *, anybody_out: bool) -> bool:
    """Tell whether players already out may now have another place.

    A single further out changes no place; a new entry, an undone or corrected one, several in one
    hand, and the end of a round do.
    """
    if found.has_outs:
        return found.is_moved
    return not found.is_new or anybody_out


def _left_over(event: Event) -> set[int]:
    """Return the last entry's registration: a winner without any action of their own."""
    out = Elimination.objects.live().filter(event=event).values("entry")
    left = Entry.objects.live().filter(event=event).exclude(pk__in=out)
    return set(left.values_list("registration", flat=True)[:2])
