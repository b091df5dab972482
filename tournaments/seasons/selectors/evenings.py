"""Finished events for leagues: every entry with its place and its knockouts.

The number of queries is fixed, except for events with bounties, computed one by one. Results are
cached in the process as long as the head of the event's log is the same, and no people were merged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import chain

from django.db.models import Count, Max

from tournaments.models import (
    Elimination,
    Entry,
    Event,
    PersonMerge,
    PlaceRuling,
    StackCount,
)
from tournaments.payouts.selectors.bounties import bounties_of
from tournaments.play.domain.ranking import Beside, Out, Ruling, TieRules
from tournaments.play.selectors.lost_stacks import stacks_lost_at
from tournaments.play.selectors.ranking import OF_AN_OUT, PlacesBasis, places_from
from tournaments.seasons.domain.points import Start
from tournaments.seasons.domain.standings import Evening

MOST_KEPT = 1000
Key = tuple[int, str, tuple[int, int, int]]
_KEPT: dict[Key, Evening] = {}


def evenings_of(events: Sequence[Event]) -> list[Evening]:
    """Return the results of these finished events, in the given order."""
    merges = _merges()
    keys = {event.pk: (event.pk, event.log_hash, merges) for event in events}
    missing = [event for event in events if keys[event.pk] not in _KEPT]
    read = _read(missing) if missing else {}
    found = [read.get(event.pk) or _KEPT[keys[event.pk]] for event in events]
    if len(_KEPT) + len(read) > MOST_KEPT:
        _KEPT.clear()
    _KEPT.update({keys[pk]: evening for pk, evening in read.items()})
    return found


def _merges() -> tuple[int, int, int]:
    """Return a key that changes when people are merged or unmerged."""
    merges = PersonMerge.objects.aggregate(Max("pk"), Count("pk"), Count("voided_by"))
    return (merges["pk__max"] or 0, merges["pk__count"], merges["voided_by__count"])


def _read(events: Sequence[Event]) -> dict[int, Evening]:
    ids = [event.pk for event in events]
    entries: dict[int, list[list[int]]] = defaultdict(list)
    rows = Entry.objects.live().filter(event__in=ids).order_by("number")
    for key, *row in rows.values_list("event", "pk", "number", "registration__person"):
        entries[key].append(row)
    outs, disqualified = _outs(ids)
    rulings, counted, taken = _rulings(ids), _counted(events), _knockouts(ids)
    read = {}
    for event in events:
        own, out = entries[event.pk], outs[event.pk]
        gone = {row.entry_id for row in out}
        basis = PlacesBasis(
            outs=tuple(out),
            alive=tuple(entry for entry, *_rest in own if entry not in gone),
            counted=counted[event.pk],
            is_over=True,
            rules=TieRules(same_hand=event.rule_set.same_hand, bust_ties=event.rule_set.bust_ties),
            rulings=tuple(rulings[event.pk]),
            disqualified=frozenset(disqualified[event.pk]),
        )
        places = places_from(basis)
        won = bounties_of(event).won
        starts = tuple(
            Start(person, number, places[entry], taken.get(entry, 0), won.get(entry, 0))
            for entry, number, person in own
        )
        read[event.pk] = Evening(event.pk, starts)
    return read


def _outs(ids: Iterable[int]) -> tuple[dict[int, list[Out]], dict[int, set[int]]]:
    outs: dict[int, list[Out]] = defaultdict(list)
    disqualified: dict[int, set[int]] = defaultdict(set)
    rows = Elimination.objects.live().filter(event__in=ids, entry__voided_by=None)
    for event, way, *row in rows.values_list("event", "way", *OF_AN_OUT):
        out = Out(**dict(zip(OF_AN_OUT, row, strict=True)))
        outs[event].append(out)
        if way == Elimination.Way.DISQUALIFIED:
            disqualified[event].add(out.entry_id)
    return outs, disqualified


def _rulings(ids: Iterable[int]) -> dict[int, list[Ruling]]:
    found: dict[int, list[Ruling]] = defaultdict(list)
    rows = PlaceRuling.objects.live().filter(event__in=ids)
    names = ("event", "entry_id", "beside_id", "way", "made_by__sequence")
    for event, entry, other, way, sequence in rows.values_list(*names):
        ruling = Ruling(entry_id=entry, other_id=other, way=Beside(way), sequence=sequence)
        found[event].append(ruling)
    return found


def _counted(events: Sequence[Event]) -> dict[int, dict[int, int]]:
    """Return the final stack counts of each event."""
    of_end = {event.ended_by_id: event.pk for event in events}
    found: dict[int, dict[int, int]] = defaultdict(dict)
    rows = StackCount.objects.live().filter(made_by__in=list(of_end))
    for made_by, entry, amount in rows.values_list("made_by", "entry", "amount"):
        found[of_end[made_by]][entry] = amount
    return found


def _knockouts(ids: Collection[int]) -> dict[int, int | Fraction]:
    """Return the number of stacks taken by each entry; shared ones as fractions."""
    found: dict[int, int | Fraction] = {}
    for stack in chain.from_iterable(stacks_lost_at(ids).values()):
        part = 1 if len(stack.takers) == 1 else Fraction(1, len(stack.takers) or 1)
        for by in stack.takers:
            found[by] = found.get(by, 0) + part
    return found
