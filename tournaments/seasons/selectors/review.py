"""The review of a finished event, to share, with public names. Reads only.

It is the same for everybody, staff included: a shared page must not depend on the sender.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from django.db.models import Count, Max, Sum
from django.utils.timezone import localtime

from tournaments.event.selectors.stakes import event_has_money
from tournaments.models import (
    Elimination,
    Entry,
    Event,
    PersonMerge,
    PlaceRuling,
    Purchase,
    StackCount,
    What,
)
from tournaments.money.domain.accounts import price_cents
from tournaments.money.selectors.journal import prices_owed
from tournaments.payouts.selectors.bounties import bounties_of
from tournaments.payouts.selectors.prizes import prizes_given
from tournaments.people.domain.naming import initials, shown_name, sort_key
from tournaments.play.domain.ranking import Beside, Out, Ruling, TieRules
from tournaments.play.selectors.eliminations import StackLost, stacks_lost, stacks_lost_at
from tournaments.play.selectors.ranking import (
    OF_AN_OUT,
    PlacesBasis,
    Standing,
    best_of_each,
    places_from,
    standings,
)
from tournaments.play.selectors.stacks import stack_rounds
from tournaments.prizes.selectors.plans import prize_pool
from tournaments.seasons.domain.points import Stakes, Start
from tournaments.seasons.domain.review import (
    Curve,
    Hunt,
    StackLine,
    StackLines,
    curve_of,
    hunt_of,
    left_at,
    rows_of,
    stack_lines,
    steps_of,
)
from tournaments.seasons.domain.standings import Evening
from tournaments.seasons.selectors.labels import share_in_words, span_in_words

# --- Finished events for leagues: every entry with its place and its knockouts


MOST_KEPT = 1000
Key = tuple[int, str, tuple[int, int, int], bool]
_KEPT: dict[Key, Evening] = {}


def evenings_of(events: Sequence[Event], *, with_money: bool = False) -> list[Evening]:
    """Return the results of these finished events, in the given order."""
    merges = _merges()
    keys = {event.pk: (event.pk, event.log_hash, merges, with_money) for event in events}
    missing = [event for event in events if keys[event.pk] not in _KEPT]
    read = _read(missing) if missing else {}
    if with_money:
        read = {event.pk: _with_money(event, read[event.pk]) for event in missing}
    found = [read.get(event.pk) or _KEPT[keys[event.pk]] for event in events]
    _KEPT.update({keys[pk]: evening for pk, evening in read.items()})
    for oldest in list(_KEPT)[:-MOST_KEPT]:
        _KEPT.pop(oldest, None)
    return found


def _merges() -> tuple[int, int, int]:
    merges = PersonMerge.objects.aggregate(Max("pk"), Count("pk"), Count("voided_by"))
    return (merges["pk__max"] or 0, merges["pk__count"], merges["voided_by__count"])


def _read(events: Sequence[Event]) -> dict[int, Evening]:
    ids = [event.pk for event in events]
    entries: dict[int, list[list[int]]] = defaultdict(list)
    rows = Entry.objects.live().filter(event__in=ids).order_by("number")
    for key, *row in rows.values_list("event", "pk", "number", "registration__person"):
        entries[key].append(row)
    outs, disqualified = _outs(ids)
    rulings, counted, stacks = _rulings(ids), _counted(events), stacks_lost_at(ids)
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
        won, heads = bounties_of(event).won, _heads(stacks[event.pk])
        taken: dict[int, int | Fraction] = defaultdict(int)
        for by, _whom, part in heads:
            taken[by] += part
        starts = tuple(
            Start(person, number, places[entry], taken[entry], won.get(entry, 0))
            for entry, number, person in own
        )
        person_of = {entry: person for entry, _number, person in own}
        of_people = tuple(
            (person_of[by], person_of[whom], Fraction(part))
            for by, whom, part in heads
            if by in person_of and whom in person_of
        )
        read[event.pk] = Evening(event.pk, starts, taken=of_people)
    return read


def _with_money(event: Event, evening: Evening) -> Evening:
    """Return an evening with what was spent and won, each amount at the first entry."""
    if event.earlier:
        return _with_earlier_money(event, evening)
    if not event_has_money(event):
        return evening
    rows = Entry.objects.live().filter(event=event).order_by("number")
    first = dict(rows.reverse().values_list("registration", "number"))
    numbers = dict(rows.values_list("pk", "number"))
    more: dict[int, Counter[str]] = defaultdict(Counter)
    for row, prices in prices_owed(event, first).items():
        more[first[row]]["spent"] += sum(map(price_cents, prices))
    bought = Purchase.objects.live().filter(event=event, registration__in=first)
    for row, what, number in bought.values_list("registration", "what", "number"):
        if what != What.REENTRY:
            more[first[row]]["rebuys" if what == What.REBUY else "addons"] += number
    for entry, cents in prizes_given(event).prizes.items():
        more[numbers[entry]]["prize"] += cents
    starts = tuple(replace(one, **more[one.number]) for one in evening.starts)
    return replace(evening, starts=starts, stakes=Stakes(event.fee_cents, prize_pool(event).cents))


def _with_earlier_money(event: Event, evening: Evening) -> Evening:
    numbers = dict(Entry.objects.filter(event=event).values_list("number", "pk"))
    told = event.earlier["of"]
    starts = tuple(replace(one, **told[str(numbers[one.number])]) for one in evening.starts)
    stakes = Stakes(event.fee_cents or event.earlier["buy_in"], event.earlier["pool"])
    return replace(evening, starts=starts, stakes=stakes)


def _outs(ids: Iterable[int]) -> tuple[dict[int, list[Out]], dict[int, set[int]]]:
    outs: dict[int, list[Out]] = defaultdict(list)
    disqualified: dict[int, set[int]] = defaultdict(set)
    rows = Elimination.objects.live().filter(event__in=ids, entry__voided_by=None)
    # Gone with a seat of a satellite is first, with those left at the end.
    rows = rows.exclude(way=Elimination.Way.SEAT)
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
    of_end = {event.ended_by_id: event.pk for event in events}
    found: dict[int, dict[int, int]] = defaultdict(dict)
    rows = StackCount.objects.live().filter(made_by__in=list(of_end))
    for made_by, entry, amount in rows.values_list("made_by", "entry", "amount"):
        found[of_end[made_by]][entry] = amount
    return found


def _heads(stacks: Iterable[StackLost]) -> list[tuple[int, int, int | Fraction]]:
    """Return who took a stack of whom, by entry, with the share of it."""
    return [
        (by, stack.entry, 1 if len(stack.takers) == 1 else Fraction(1, len(stack.takers)))
        for stack in stacks
        for by in stack.takers
    ]


MINUTE = timedelta(minutes=1)
HOUR = 60
MOST_TOLD = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A person's best place, and the players who eliminated that entry."""

    place: int
    is_shared: bool
    name: str
    takers: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunter:
    """A player with the number of knockouts, in words, and the victims in order of time."""

    name: str
    heads: str
    taken: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One count: time, break, number counted, and the leaders with their chips."""

    name: str
    at: datetime
    counted: int
    first: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaders:
    """The counts of an event, and the picture of the leaders if there are two or more."""

    counts: Sequence[Counted]
    picture: StackLines | None
    lines: Sequence[tuple[StackLine, str]]
    marks: Sequence[tuple[int, datetime]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A finished event; `left` is the table behind the curve."""

    began_at: datetime
    ended_at: datetime
    lines: Sequence[Line]
    entries: int
    rebuys: int
    addons: int
    hunters: Sequence[Hunter]
    best_hunters: Sequence[Hunter]
    hunt: Hunt | None
    curve: Curve | None
    marks: Sequence[tuple[int, datetime]]
    left: Sequence[tuple[datetime, int]]
    leaders: Leaders | None

    @property
    def people(self) -> int:
        return len(self.lines)

    @property
    def lasted(self) -> str:
        return span_in_words(round((self.ended_at - self.began_at) / MINUTE))

    @property
    def winners(self) -> list[Line]:
        return [line for line in self.lines if line.place == 1]


def review_of(event: Event) -> Review | None:
    """Return the review; None unless the event was played and is over."""
    if event.started_by is None or event.ended_by is None:
        return None
    every = standings(event)
    if not every:
        return None
    names = _names(every)
    began = event.started_by.at
    ended = max(began, played_until(event.ended_by.at, [line.out_at for line in every]))
    played = {line.entry for line in every}
    taken = [
        stack for stack in stacks_lost(event) if played.issuperset({stack.entry, *stack.takers})
    ]
    hunters, hunt = _hunters(taken, every, names)
    bought = _bought(event)
    end = (ended - began) / MINUTE
    return Review(
        began_at=began,
        ended_at=ended,
        lines=_lines(every, names, taken),
        entries=len(every),
        rebuys=bought.get(What.REBUY, 0),
        addons=bought.get(What.ADDON, 0),
        hunters=hunters,
        best_hunters=[one for one in hunters if one.heads == hunters[0].heads],
        hunt=hunt,
        leaders=_leaders(event, every, names, began, end),
        **_course(event, every, began, end),
    )


def played_until(ended: datetime, outs: Sequence[datetime | None]) -> datetime:
    """Return the instant with one player left, else the end of the event."""
    gone = [at for at in outs if at is not None]
    return max(gone) if gone and len(outs) - len(gone) <= 1 else ended


def _names(every: Sequence[Standing]) -> dict[int, str]:
    """Return people's names: initials if unlisted with any entry."""
    hidden = {line.person for line in every if not line.is_listed}
    return {
        line.person: shown_name(line.name, is_listed=line.person not in hidden, to_staff=False)
        for line in every
    }


def _lines(
    every: Sequence[Standing], names: Mapping[int, str], taken: Sequence[StackLost]
) -> list[Line]:
    sharing = Counter(line.place for line in every)
    person = {line.entry: line.person for line in every}
    takers = {
        stack.entry: [names[person[by]] for by in stack.takers] for stack in taken if stack.is_out
    }
    return [
        Line(
            place=line.place,
            is_shared=sharing[line.place] > 1,
            name=names[line.person],
            takers=takers.get(line.entry, []),
        )
        for line in best_of_each(every)
        if line.place is not None
    ]


def _hunters(
    taken: Sequence[StackLost], every: Sequence[Standing], names: Mapping[int, str]
) -> tuple[list[Hunter], Hunt | None]:
    person = {line.entry: line.person for line in every}
    taken_by: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    heads: dict[int, int | Fraction] = defaultdict(int)
    for by, whom, part in _heads(taken):
        taken_by[person[by]].append((names[person[whom]], part < 1))
        heads[person[by]] += part
    order = sorted(heads, key=lambda one: (-heads[one], sort_key(names[one]), one))
    hunters = [
        Hunter(
            name=names[one],
            heads=share_in_words(heads[one]),
            taken=[name for name, _is_shared in taken_by[one]],
        )
        for one in order
    ]
    hunt = hunt_of(
        [
            (names[one], [(_mark(name), is_shared) for name, is_shared in taken_by[one]])
            for one in order
        ]
    )
    return hunters, hunt


def _mark(name: str) -> str:
    return name if len(name) <= len("AB") else initials(name)


def _bought(event: Event) -> dict[str, int]:
    rows = Purchase.objects.live().filter(event=event).values_list("what")
    return dict(rows.annotate(Sum("number")).order_by())


def _first_mark(began: datetime) -> int:
    return -localtime(began).minute % HOUR


def _course(event: Event, every: Sequence[Standing], began: datetime, end: float) -> dict[str, Any]:
    entered = Entry.objects.live().filter(event=event).values_list("made_by__at", flat=True)
    ins = [(at - began) / MINUTE for at in entered]
    outs = [(line.out_at - began) / MINUTE for line in every if line.out_at]
    steps = steps_of(ins, outs, end)
    curve = curve_of(steps, end, _first_mark(began))
    return {
        "curve": curve,
        "marks": [(x, began + at * MINUTE) for x, at in curve.marks] if curve else [],
        "left": [(began + at * MINUTE, left_at(steps, at)) for at in rows_of(end)],
    }


def _leaders(
    event: Event, every: Sequence[Standing], names: Mapping[int, str], began: datetime, end: float
) -> Leaders | None:
    person = {line.entry: line.person for line in every}
    counts, by_minute = [], []
    for one in stack_rounds(event):
        stacks = {entry: chips for entry, chips in one.stacks.items() if entry in person}
        if stacks:
            first = sorted(stacks, key=lambda entry: (-stacks[entry], entry))[:MOST_TOLD]
            leaders = [(names[person[entry]], stacks[entry]) for entry in first]
            counts.append(Counted(name=one.name, at=one.at, counted=len(stacks), first=leaders))
            by_minute.append((min(max((one.at - began) / MINUTE, 0.0), end), stacks))
    if not counts:
        return None
    picture = stack_lines(by_minute, end, _first_mark(began))
    return Leaders(
        counts=counts,
        picture=picture,
        lines=[(line, names[person[line.key]]) for line in picture.lines] if picture else [],
        marks=[(x, began + at * MINUTE) for x, at in picture.marks] if picture else [],
    )
