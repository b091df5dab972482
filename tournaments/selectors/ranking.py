"""Places, computed from eliminations; nothing here is stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.domain.ranking import Out, places
from tournaments.models import Action, Elimination, Entry, Event, StackCount
from tournaments.selectors.event import event_alive_entry_ids, players_left


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of the places: `place` is None while the player is still in."""

    entry: int
    person: int
    name: str
    is_listed: bool
    place: int | None
    out_at: datetime | None
    is_disqualified: bool
    stack: int | None


def places_of(event: Event) -> dict[int, int]:
    """Return the place of every entry that has one."""
    outs = [
        Out(
            entry_id=row.entry_id,
            at=row.at,
            sequence=row.sequence,
            group=row.group,
            start_stack=row.start_stack,
        )
        for row in Elimination.objects.live().filter(event=event)
    ]
    alive = event_alive_entry_ids(event)
    is_over = event.ended_by_id is not None or (
        event.has_started and len(alive) == 1 and bool(outs)
    )
    return places(outs, alive, counted=_counted(event) or None, is_over=is_over)


def place_of(event: Event, entry: Entry) -> int | None:
    return places_of(event).get(entry.pk)


def places_made(event: Event, action: Action) -> dict[int, int]:
    """Return the places, by entry, of those whom an action put out; empty once it is taken back.

    One alone is placed by a count, so that the answer costs the same in every field.
    """
    outs = Elimination.objects.live().filter(event=event)
    entries = list(outs.filter(made_by=action).values_list("entry_id", flat=True))
    if len(entries) == 1:
        later = outs.filter(sequence__gt=action.sequence).count()
        return {entries[0]: players_left(event) + later + 1}
    found = places_of(event) if entries else {}
    return {pk: found[pk] for pk in entries}


def _counted(event: Event) -> dict[int, int]:
    rows = StackCount.objects.live().filter(entry__event=event)
    return dict(rows.values_list("entry_id", "amount"))


def standings(event: Event) -> list[Standing]:
    """Return everybody who entered, best place first; who is still in comes before the places."""
    found = places_of(event)
    stacks = _counted(event)
    outs = {row.entry_id: row for row in Elimination.objects.live().filter(event=event)}
    entries = (
        Entry.objects.live()
        .filter(event=event)
        .select_related("registration__person")
        .order_by("number")
    )
    lines = [
        Standing(
            entry=entry.pk,
            person=entry.registration.person_id,
            name=entry.registration.person.name,
            is_listed=entry.registration.is_listed,
            place=found.get(entry.pk),
            out_at=outs[entry.pk].at if entry.pk in outs else None,
            is_disqualified=entry.pk in outs and outs[entry.pk].way == Elimination.Way.DISQUALIFIED,
            stack=stacks.get(entry.pk),
        )
        for entry in entries
    ]
    sort_names = {entry.pk: entry.registration.person.sort_name for entry in entries}
    return sorted(lines, key=lambda line: (line.place or 0, sort_names[line.entry]))
