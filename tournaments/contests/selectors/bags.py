"""Bags at the end of a day, by table, and a player's own. Reads only."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Exists, OuterRef, Value

from clock.selectors import clock_levels
from tournaments.contests.domain.bags import (
    BagState,
    Line,
    Reckoning,
    Word,
    bag_amount,
    bag_list,
    bag_state,
    reckoned,
)
from tournaments.contests.domain.carrying import Reached
from tournaments.contests.selectors.contests import (
    day_begins_at,
    feeding,
    nearing_of,
    sealed_bags,
    stage_lines,
    stage_of,
    stages_of,
)
from tournaments.event.selectors.event import chips_in_play, entry_is_out, event_alive_entry_ids
from tournaments.models import Bag, BagWord, Carry, Entry, Event, Registration, Seating, Stage
from tournaments.people.domain.naming import shown_name
from tournaments.people.selectors.people import names_shown


@dataclass(frozen=True, slots=True, kw_only=True)
class BagOfSeat:
    """A bag to be closed: its player, the seat, and the words about it."""

    entry: int
    name: str
    table: int | None
    seat: int | None
    words: Mapping[Word, int]
    number: int | None

    @property
    def state(self) -> BagState:
        return bag_state(self.words)

    @property
    def amount(self) -> int | None:
        return bag_amount(self.words)

    @property
    def counted(self) -> int | None:
        """Return the amount counted by staff, if any."""
        return self.words.get(Word.STAFF)

    @property
    def is_sealed(self) -> bool:
        return self.state is BagState.SEALED


def bags_of(event: Event) -> list[BagOfSeat]:
    """Return everybody still in play with the words about the bag, by table and seat."""
    alive = event_alive_entry_ids(event)
    names = Entry.objects.filter(pk__in=alive).values_list("pk", "registration__person__name")
    seated = Seating.objects.live().filter(event=event)
    seats = {
        pk: (at, seat) for pk, at, seat in seated.values_list("entry", "table__number", "seat")
    }
    words: dict[int, dict[Word, int]] = {}
    numbers: dict[int, int] = {}
    said = BagWord.objects.live().filter(event=event)
    for entry, by, amount, number in said.values_list("entry", "by", "amount", "number"):
        words.setdefault(entry, {})[Word(by)] = amount
        if number is not None:
            numbers[entry] = number
    found = [
        BagOfSeat(
            entry=pk,
            name=name,
            table=seats.get(pk, (None, None))[0],
            seat=seats.get(pk, (None, None))[1],
            words=words.get(pk, {}),
            number=numbers.get(pk),
        )
        for pk, name in names
    ]
    return sorted(found, key=lambda bag: (bag.table or 0, bag.seat or 0, bag.entry))


def reckoning_of(event: Event, bags: Sequence[BagOfSeat]) -> Reckoning:
    """Return the bags against the chips in play."""
    amounts = [bag.amount for bag in bags if bag.is_sealed and bag.amount is not None]
    still_open = len(bags) - len(amounts)
    return reckoned(chips_in_play(event)[0], amounts, still_open=still_open)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOfBags:
    """A table at the end of a day."""

    number: int | None
    bags: Sequence[BagOfSeat]

    @property
    def sealed(self) -> int:
        return sum(bag.is_sealed for bag in self.bags)

    @property
    def bagged(self) -> int:
        return sum(bag.amount or 0 for bag in self.bags)

    @property
    def query(self) -> str:
        """Return the part of an address that asks for this table alone."""
        return f"?tisch={self.number or ''}"

    @property
    def is_disputed(self) -> bool:
        return any(bag.state is BagState.DISPUTED for bag in self.bags)

    @property
    def is_done(self) -> bool:
        return self.sealed == len(self.bags)


def tables_of_bags(bags: Iterable[BagOfSeat]) -> list[TableOfBags]:
    """Return the bags by table."""
    found: dict[int | None, list[BagOfSeat]] = {}
    for bag in bags:
        found.setdefault(bag.table, []).append(bag)
    return [TableOfBags(number=number, bags=rows) for number, rows in found.items()]


# --- Sealed bags: a player's own, and the list for everybody


def own_bag(registration: Registration) -> Bag | None:
    """Return the player's bag of this event once it is sealed for good, or None.

    It has the `label` of its flight; `is_removed`: another one went on.
    """
    stage = stage_of(registration.event)
    if stage is None:
        return None
    gone = Carry.objects.live().filter(bag=OuterRef("pk"), is_removed=True)
    rows = Bag.objects.live().filter(event=stage.event_id, entry__registration=registration)
    rows = rows.annotate(label=Value(stage.label), is_removed=Exists(gone))
    return rows.select_related("made_by").first()


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWord:
    """The player is asked for the bag; `amount` is what the player said, if anything."""

    entry: int
    amount: int | None


def own_word(registration: Registration, now: datetime) -> OwnWord | None:
    """Return what the player is asked about the bag, once the flight ends or staff count.

    Nothing once a signed slip stands for the player.
    """
    event, stage = registration.event, stage_of(registration.event)
    if event.is_over or not event.has_started or stage is None:
        return None
    entry = Entry.objects.live().filter(registration=registration).order_by("-number").first()
    if entry is None or entry_is_out(entry):
        return None
    said = BagWord.objects.live().filter(event=event)
    if nearing_of(stage, event, now).by is None and not said.exists():
        return None
    own = said.filter(entry=entry, by__in=(Word.PLAYER, Word.PAPER))
    amounts = dict(own.values_list("by", "amount"))
    if Word.PAPER in amounts:
        return None
    return OwnWord(entry=entry.pk, amount=amounts.get(Word.PLAYER))


def own_next_day(registration: Registration) -> Registration | None:
    """Return the player's registration of the next day, once it is drawn."""
    rows = Carry.objects.live().filter(bag__entry__registration=registration)
    carry = rows.select_related("entry__registration__event").first()
    return carry.entry.registration if carry else None


@dataclass(frozen=True, slots=True)
class ListedBag:
    """A line of the list of bags."""

    line: Line
    name: str
    label: str
    registration: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOfBags:
    """The flights with the bags of a day, and the day they go to.

    :param begins: The level of that day; None before the flights are over.
    """

    flights: Sequence[Stage]
    day: Stage | None
    begins: Reached | None
    big_blind: int


def day_of_bags(event: Event) -> DayOfBags | None:
    """Return the flights of an event's day; of one without a bag, those that feed it."""
    stage = stage_of(event)
    if stage is None:
        return None
    stages = stages_of(stage.contest)
    own = [row for row in stages if row.order == stage.order]
    before = feeding(stage)
    has_bags = Bag.objects.live().filter(event__in=[row.event_id for row in own]).exists()
    flights = own if has_bags or not before else before
    days = [row for row in stages if row.order > flights[0].order]
    begins = day_begins_at(flights)
    levels = clock_levels((days or flights)[0].event.clock)
    number = begins.level if begins else 0
    return DayOfBags(
        flights=flights,
        day=days[0] if days else None,
        begins=begins,
        big_blind=next((row.big_blind for row in levels if row.number == number), 0),
    )


def hall_bags(event: Event) -> list[list[str]]:
    """Return [rank, name, flight, chips, big blinds] of each bag for a wall of the hall."""
    day = day_of_bags(event)
    if day is None:
        return []
    shown: dict[int, str] = {}
    for row in day.flights:
        shown |= names_shown(row.event, in_hall=True)
    found = listed_bags(day.flights, day.big_blind, to_staff=False)
    return [
        [str(bag.line.rank), shown[bag.registration], bag.label, intcomma(bag.line.chips),
         intcomma(bag.line.big_blinds) if day.big_blind else ""]
        for bag in found
    ]  # fmt: skip


def hall_flights(event: Event) -> list[list[str]]:
    """Return [flight, entries, through, chips] of each flight; through is empty until its end."""
    day = day_of_bags(event)
    if day is None:
        return []
    return [
        [line.stage.label, intcomma(line.entries),
         intcomma(line.through) if line.event.is_over else "", intcomma(line.chips)]
        for line in stage_lines(day.flights)
    ]  # fmt: skip


def listed_bags(flights: Sequence[Stage], big_blind: int, *, to_staff: bool) -> list[ListedBag]:
    """Return every bag of these flights, the largest first."""
    bags = {bag.key: bag.chips for bag in sealed_bags(flights)}
    labels = {row.event_id: row.label for row in flights}
    rows = Bag.objects.filter(pk__in=bags).values_list(
        "pk", "event", "entry__registration__person__name", "entry__registration__is_listed",
        "entry__registration",
    )  # fmt: skip
    people = {
        pk: (shown_name(name, is_listed=is_listed, to_staff=to_staff), labels[event], own)
        for pk, event, name, is_listed, own in rows
    }
    return [ListedBag(line, *people[line.key]) for line in bag_list(bags, big_blind)]
