"""The stream's message after a commit: topics, affected players, a few numbers.

Registrations by id, never by name. The use in pages is in docs/internals/clock-and-stream.md.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Q, Value, When

from clock.realtime import publish
from clock.selectors import anchor_payload
from tournaments.changes.audit import Change, Concerned, completes_change
from tournaments.changes.domain.logchain import head_of
from tournaments.changes.kinds import Kind, Part, Places, Topic, kind_of
from tournaments.event.selectors.clock import planned_start
from tournaments.event.selectors.event import room_figures
from tournaments.models import (
    Action,
    Arrival,
    DealerDraw,
    Elimination,
    Entry,
    Event,
    EventHead,
    Knockout,
    LostStack,
    Screen,
    Seating,
)
from tournaments.models.log import Fact, tables_told

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
    version = change.head.version
    payload: dict[str, Any] = {"version": version, "changed": topics, "head": head}
    payload |= stream_payload(event, action, topics, change) | change.stream
    if Topic.CLOCK in topics:
        payload["anchor"] = anchor_payload(event.clock, planned_start(event))
    topic = event.stream_topic
    transaction.on_commit(lambda: publish(topic, payload, id=version))
    action.news = payload


def versions_of(topics: Iterable[str]) -> dict[str, int]:
    """Return the versions of events and screens for these topics."""
    wanted, versions = list(topics), {}
    models: tuple[tuple[str, type[EventHead | Screen]], ...] = (
        (Event.TOPIC, EventHead),
        (Screen.TOPIC, Screen),
    )
    for prefix, model in models:
        keys = [int(topic.removeprefix(prefix)) for topic in wanted if topic.startswith(prefix)]
        rows = model.objects.filter(pk__in=keys).values_list("pk", "version")
        versions.update({f"{prefix}{key}": version for key, version in rows})
    return versions


@dataclass(slots=True)
class _Found:
    """The objects affected by an action: players' pages, tables, and earlier final places."""

    people: set[int] = field(default_factory=set)
    tables: set[int] = field(default_factory=set)
    also: set[Part] = field(default_factory=set)
    has_outs: bool = False
    is_new: bool = False
    is_moved: bool = False


def stream_payload(
    event: Event, action: Action, topics: Collection[str], change: Change | None = None
) -> dict[str, Any]:
    """Return the stream's message about a change beside its topics; empty for the clock.

    `whose` are the registrations with changed own pages, or "all"; `room` the figures on every
    page; `ranks` the tables with a possible change of the next player to move. `also` are topics
    for pages that may update later: the list of registrations, earlier final places.

    :param change: What its service said by itself need not be read.
    """
    found = _Found()
    known = change.stream if change else {}
    undone, has_started = action.undoes, event.has_started
    actions = [row for row in (action, undone, undone.undoes if undone else None) if row]
    for row in actions:
        _by_payload(found, row.payload)
        _by_kind(found, row, change.kind if change and row is action else kind_of(row.kind))
    if OF_THE_ROOM & set(topics):
        _by_facts(found, topics, actions, change.concerned if change else {})
    if "tables" in topics and not has_started:
        touched = Q(made_by__in=actions) | Q(voided_by__in=actions)
        dealt = DealerDraw.objects.filter(touched).values("table")
        there = Seating.objects.live().filter(table__in=dealt)
        found.people.update(there.values_list("entry__registration", flat=True))
    payload: dict[str, Any] = {}
    if "entries" in topics and not event.is_clock_only:
        payload["room"] = known.get("room") or room_figures(event)
        left = payload["room"]["left"]
        # A single further out changes no place of others; a new entry, an undone or corrected out,
        # several in one hand, and the end of a round do.
        others = not found.is_new or left < payload["room"]["entries"]
        if found.is_moved if found.has_outs else others:
            found.also.add(Part.PLACES)
        if left == 1 and has_started and (found.has_outs or found.is_new):
            found.people |= _left_over(event)
    if found.people:
        few = len(found.people) <= MOST_NAMED
        payload["whose"] = sorted(found.people) if few else ALL
    if has_started and 0 < len(found.tables) <= MOST_TABLES:
        payload["ranks"] = sorted(found.tables)
    return payload | ({"also": sorted(found.also)} if found.also else {})


def _by_kind(found: _Found, action: Action, kind: Kind | None) -> None:
    if kind is None:
        return
    if kind.moves_button:
        found.tables.add(action.payload["table"])
    if kind.places is Places.OF_THE_LIST:
        found.also.add(Part.LIST)
    if kind.sets_stage:
        found.also.add(Part.STAGE)


def _by_payload(found: _Found, payload: dict[str, Any]) -> None:
    found.people.update(payload[name] for name in NAMED_ALONE if payload.get(name))
    for name in NAMED_TOGETHER:
        rows = payload.get(name)
        found.people.update(rows if isinstance(rows, list) else ())
    # What is restored is no longer made or voided.
    revived = payload.get("revived", {})
    if seats := revived.get("Seating"):
        rows = Seating.objects.filter(pk__in=seats).values_list("table__number", flat=True)
        found.tables.update(rows.distinct())
    if knockouts := revived.get("Knockout"):
        takers = Knockout.objects.filter(pk__in=knockouts)
        found.people.update(takers.values_list("by__registration", flat=True))


# Of each kind of fact: its person, its table, and whether it changes earlier final places.
_ALONE = When(voided_by=None, round=None, group=None, then=0)
_FACTS: dict[type[Fact], tuple[Any, Any, Any]] = {
    Seating: (F("entry__registration"), F("table__number"), Value(0)),
    Entry: (F("registration"), Value(0), Value(0)),
    Elimination: (F("entry__registration"), Value(0), Case(_ALONE, default=1)),
    LostStack: (F("entry__registration"), Value(0), Value(0)),
    Knockout: (F("by__registration"), Value(0), Value(0)),
    Arrival: (F("seating__entry__registration"), Value(0), Value(0)),
}
_FACTS_OF: dict[str, tuple[type[Fact], ...]] = {
    "tables": (Seating,),
    "conduct": (Arrival,),
    "entries": (Entry, Elimination, LostStack, Knockout),
}


def _by_facts(
    found: _Found,
    topics: Collection[str],
    actions: list[Action],
    known: Mapping[str, Iterable[Concerned]],
) -> None:
    """Add the people and tables of facts made or voided by these actions, found by index."""
    told = [tables_told(action) for action in actions]
    kinds = [
        kind
        for topic in topics
        for kind in _FACTS_OF.get(topic, ())
        if any(one is None or kind.__name__ in one[0] | one[1] for one in told)
    ]
    said = [(kind.__name__, *row) for kind in kinds for row in known.get(kind.__name__, ())]
    unsaid = [kind for kind in kinds if kind.__name__ not in known]
    for kind, person, table, moves in chain(said, _touched(unsaid, actions)):
        found.people.add(person)
        found.is_new |= kind == Entry.__name__
        found.has_outs |= kind == Elimination.__name__
        found.is_moved |= bool(moves)
        if kind == Seating.__name__:
            found.tables.add(table)


def _touched(kinds: list[type[Fact]], actions: list[Action]) -> Iterable[tuple[str, int, int, int]]:
    touched = Q(made_by__in=actions) | Q(voided_by__in=actions)
    rows: list[Any] = [
        kind.objects.filter(touched).values_list(Value(kind.__name__), *_FACTS[kind])
        for kind in kinds
    ]
    return rows[0].union(*rows[1:], all=True) if rows else ()


def _left_over(event: Event) -> set[int]:
    """Return the last entry's registration: a winner without any action of their own."""
    out = Elimination.objects.live().filter(event=event).values("entry")
    left = Entry.objects.live().filter(event=event).exclude(pk__in=out)
    return set(left.values_list("registration", flat=True)[:2])
