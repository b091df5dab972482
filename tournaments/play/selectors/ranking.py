"""Places, computed from eliminations; not stored."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q, QuerySet

from clock.snapshot import read_once
from tournaments.event.selectors.event import (
    eliminations_live_count,
    event_alive_entry_ids,
    left_in_rooms,
    players_left,
    rooms_of,
)
from tournaments.models import (
    Action,
    Elimination,
    Entry,
    Event,
    PlaceRuling,
    Registration,
    StackCount,
)
from tournaments.people.domain.naming import shown_name
from tournaments.play.domain.ranking import (
    Beside,
    Out,
    Ruling,
    TieRules,
    placed_at,
    places,
    places_of_round,
    rulings_in_force,
)
from tournaments.play.selectors.bubble import provisional_entries
from tournaments.play.selectors.rooms import rounds_in_common

OF_AN_OUT = ("entry_id", "at", "sequence", "group", "start_stack", "round", "table")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of the ranking: `place` is None while the entry is in play."""

    entry: int
    person: int
    name: str
    is_listed: bool
    place: int | None
    out_at: datetime | None
    is_disqualified: bool
    stack: int | None
    # The place can change while a table still plays this round of hand-for-hand.
    is_provisional: bool
    # The director has set this place by hand.
    is_overruled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesBasis:
    """The facts that determine the places."""

    outs: tuple[Out, ...]
    alive: tuple[int, ...]
    counted: dict[int, int]
    is_over: bool
    rules: TieRules
    rulings: tuple[Ruling, ...]
    disqualified: frozenset[int]
    # Gone with a satellite's seat: all are first.
    seated: frozenset[int] = frozenset()

    @property
    def overruled(self) -> frozenset[int]:
        """Return the entries whose place was set by the director."""
        known = placed_at(self.outs, self.alive if self.is_over else ())
        return frozenset(row.entry_id for row in rulings_in_force(self.rulings, known))


def places_of(event: Event) -> dict[int, int]:
    """Return the place of every entry that has one."""
    return places_from(places_basis(event))


def places_from(basis: PlacesBasis) -> dict[int, int]:
    """Return the places; ahead of those who lost are also those gone with a seat."""
    found = places_besides_seats(basis)
    return places_with_seats(basis, found) if basis.seated else found


def _rooms(event: Event) -> list[Event]:
    return rooms_of(event) if "rooms" in event.prizes else [event]


def places_with_seats(basis: PlacesBasis, found: Mapping[int, int]) -> dict[int, int]:
    """Return the places of all, from those of the players who have not left with a seat."""
    alive, ahead = set(basis.alive), len(basis.seated)
    moved = {entry: place + ahead * (entry not in alive) for entry, place in found.items()}
    return moved | dict.fromkeys(basis.seated, 1)


def places_besides_seats(basis: PlacesBasis) -> dict[int, int]:
    """Return the places among those who have not left with a seat."""
    return places(
        basis.outs,
        basis.alive,
        counted=basis.counted or None,
        is_over=basis.is_over,
        rules=basis.rules,
        rulings=basis.rulings,
    )


def places_basis(event: Event) -> PlacesBasis:
    """Read the facts for the places, of all rooms of the day, in a fixed number of queries."""
    rooms = _rooms(event)
    rows = Elimination.objects.live().filter(event__in=rooms)
    return _basis_of(event, rows, _rulings(event))


def best_places_basis(event: Event, outs: int, *, of_disqualified: bool) -> PlacesBasis:
    """Read the facts for the best places: the last `outs` eliminations, or a few more.

    Earlier hands cannot rank better. So these places equal those of the whole field, at less cost.
    If the director has set any place, all facts are read.

    :param of_disqualified: Whether disqualified entries count among them.
    """
    if "rooms" in event.prizes:
        return places_basis(event)
    live, rulings = Elimination.objects.live().filter(event=event), _rulings(event)
    lost = live.exclude(way=Elimination.Way.SEAT)
    counted = lost if of_disqualified else lost.exclude(way=Elimination.Way.DISQUALIFIED)
    instants = counted.order_by("-at").values_list("at", flat=True)
    since = None if rulings else instants[max(0, outs - 1) : max(1, outs)].first()
    rows = lost if since is None else _hands_since(lost, since)
    if "target_stack" in event.prizes:
        rows = rows | live.filter(way=Elimination.Way.SEAT)
    return _basis_of(event, rows, rulings)


def _hands_since(live: QuerySet[Elimination], since: datetime) -> QuerySet[Elimination]:
    """Keep whole hands and rounds with an elimination at this instant or later."""
    late, alone = live.filter(at__gte=since), Q(round__isnull=True)
    rounds = late.exclude(alone).values("round")
    groups = late.filter(alone, group__isnull=False).values("group")
    return live.filter(Q(at__gte=since) | Q(round__in=rounds) | alone & Q(group__in=groups))


def _basis_of(
    event: Event, rows: QuerySet[Elimination], rulings: tuple[Ruling, ...]
) -> PlacesBasis:
    # Of eliminations by one action at one instant, the row made first ranks better.
    found = list(rows.order_by("pk").values_list(*OF_AN_OUT, "way"))
    lost = [row for row in found if row[-1] != Elimination.Way.SEAT]
    outs = tuple(Out(**dict(zip(OF_AN_OUT, row[:-1], strict=True))) for row in lost)
    rooms, alive, rules = _rooms(event), event_alive_entry_ids(event), event.rule_set
    if len(rooms) > 1:
        outs = _in_common(rooms, outs)
        alive = [entry for room in rooms for entry in event_alive_entry_ids(room)]
    is_over = event.ended_by_id is not None or (
        event.has_started and len(alive) == 1 and bool(outs)
    )
    if len(rooms) > 1:
        is_over = all(room.ended_by_id for room in rooms) or len(alive) == 1
    # Counts before the end do not affect places.
    ended = [room for room in rooms if room.ended_by_id]
    return PlacesBasis(
        outs=outs,
        alive=tuple(alive),
        counted={entry: stack for room in ended for entry, stack in _counted(room).items()},
        is_over=is_over,
        rules=TieRules(same_hand=rules.same_hand, bust_ties=rules.bust_ties),
        rulings=rulings,
        disqualified=frozenset(row[0] for row in found if row[-1] == Elimination.Way.DISQUALIFIED),
        seated=frozenset(row[0] for row in found if row[-1] == Elimination.Way.SEAT),
    )


def _in_common(rooms: list[Event], outs: Iterable[Out]) -> tuple[Out, ...]:
    """Return outs of several rooms with common rounds, in the order of recording over all."""
    same = rounds_in_common(rooms)
    entries = Elimination.objects.live().filter(event__in=rooms)
    made = dict(entries.values_list("entry", "made_by"))
    return tuple(
        replace(
            out,
            sequence=made[out.entry_id],
            round=None if out.round is None else same.get(out.round, out.round),
        )
        for out in outs
    )


@read_once
def _rulings(event: Event) -> tuple[Ruling, ...]:
    rooms = _rooms(event)
    rows = PlaceRuling.objects.live().filter(event__in=rooms)
    order = "made_by" if len(rooms) > 1 else "made_by__sequence"
    names = ("entry_id", "beside_id", "way", order)
    return tuple(
        Ruling(entry_id=entry, other_id=other, way=Beside(way), sequence=sequence)
        for entry, other, way, sequence in rows.values_list(*names)
    )


def overruled_of(event: Event) -> frozenset[int]:
    """Return entries whose place the director has set; usually none, one query."""
    return places_basis(event).overruled if _rulings(event) else frozenset()


@read_once
def winner_of(event: Event) -> Registration | None:
    """Return the winner, once all other players are out."""
    if not event.has_started or not eliminations_live_count(event) or left_in_rooms(event) != 1:
        return None
    first = [entry for room in _rooms(event) for entry in event_alive_entry_ids(room)]
    if event.is_over and _rulings(event):
        first = [entry for entry, place in places_of(event).items() if place == 1]
    if len(first) != 1:
        return None
    return Registration.objects.select_related("person").get(entries=first[0])


def winner_name(event: Event) -> str | None:
    """Return the winner's name for staff, once all other players are out."""
    won = winner_of(event)
    if won is None:
        return None
    return shown_name(won.person.name, is_listed=won.is_listed, to_staff=True)


def place_of(event: Event, entry: Entry) -> int | None:
    return places_of(event).get(entry.pk)


def places_made(event: Event, action: Action) -> dict[int, int]:
    """Return the places by entry for the eliminations of an action; empty once undone.

    A single one is placed by a count, at the same cost for every field.
    """
    rows = list(Elimination.objects.live().filter(event=event, made_by=action))
    is_plain = len(rows) == 1 and rows[0].group is None and "target_stack" not in event.prizes
    if is_plain and not _rulings(event) and len(_rooms(event)) == 1:
        return {rows[0].entry_id: _place_of_one(event, rows[0])}
    found = places_of(event) if rows else {}
    return {row.entry_id: found[row.entry_id] for row in rows}


def _place_of_one(event: Event, row: Elimination) -> int:
    """Return the place of a single elimination; in a round, among that round."""
    live = Elimination.objects.live().filter(event=event)
    if row.round_id is None:
        return players_left(event) + _later(live, row).count() + 1
    mates = live.filter(round=row.round_id)
    last = mates.order_by("-at", "-sequence")[0]
    better = players_left(event) + _later(live.exclude(round=row.round_id), last).count()
    found = mates.values_list(*OF_AN_OUT)
    outs = [Out(**dict(zip(OF_AN_OUT, out, strict=True))) for out in found]
    rules = TieRules(same_hand=event.rule_set.same_hand, bust_ties=event.rule_set.bust_ties)
    return places_of_round(outs, better + 1, rules)[row.entry_id]


def _later(outs: QuerySet[Elimination], row: Elimination) -> QuerySet[Elimination]:
    """Keep later eliminations; a round of hand-for-hand is as late as its last one."""
    later = Q(at__gt=row.at) | Q(at=row.at, sequence__gt=row.sequence)
    rounds = outs.filter(later, round__isnull=False).values("round")
    return outs.filter(later | Q(round__in=rounds))


@read_once
def _counted(event: Event) -> dict[int, int]:
    rows = StackCount.objects.live().filter(made_by=event.ended_by_id)
    return dict(rows.values_list("entry_id", "amount"))


def standings(event: Event) -> list[Standing]:
    """Return all entries, best place first; entries in play come before the places."""
    basis = places_basis(event)
    found, overruled = places_from(basis), basis.overruled
    stacks, provisional = basis.counted, provisional_entries(event)
    out_at = {out.entry_id: out.at for out in basis.outs}
    person = "registration__person"
    rows = (
        Entry.objects.live()
        .filter(event=event)
        .values_list(
            f"{person}__sort_name",
            "pk",
            f"{person}_id",
            f"{person}__name",
            "registration__is_listed",
        )
    )
    return [
        Standing(
            entry=entry,
            person=person_id,
            name=name,
            is_listed=is_listed,
            place=found.get(entry),
            out_at=out_at.get(entry),
            is_disqualified=entry in basis.disqualified,
            stack=stacks.get(entry),
            is_provisional=entry in provisional,
            is_overruled=entry in overruled,
        )
        for _place, _sort_name, entry, person_id, name, is_listed in sorted(
            (found.get(row[1], 0), *row) for row in rows
        )
    ]


def best_of_each(lines: Iterable[Standing]) -> list[Standing]:
    """Return each person's best line: in play, else the best place.

    The lines come sorted. Places stay those of entries: a re-entry occupies a place of its own.
    """
    best: dict[int, Standing] = {}
    for line in lines:
        best.setdefault(line.person, line)
    return list(best.values())
