"""Contests: their flights and days, what feeds a day, the pool. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count
from django.utils.timezone import get_current_timezone, localtime
from django.utils.translation import gettext as _

from clock.selectors import clock_levels, clock_state
from clock.snapshot import read_once
from tournaments.contests.domain.carrying import (
    Carried,
    Reached,
    Sealed,
    carried_stacks,
    level_of_next_day,
)
from tournaments.contests.domain.stopping import By, Progress, stopped_by, to_go
from tournaments.event.domain.hours import closes_at, closing_typed
from tournaments.event.selectors.event import (
    day_rooms,
    entries_live_count,
    event_accepts_late,
    is_stage,
    live_value,
    players_left,
    tables_live_count,
)
from tournaments.models import (
    Bag,
    ChipMovement,
    Contest,
    Elimination,
    Entry,
    Event,
    Person,
    Registration,
    Stage,
)
from tournaments.people.selectors.people import meant_by, one_person


@read_once
def stage_of(event: Event) -> Stage | None:
    """Return the event as a flight or a day, or None."""
    if not is_stage(event):
        return None
    return Stage.objects.live().select_related("contest").get(event=event)


def stages_of(contest: Contest) -> list[Stage]:
    """Return the flights and days of a contest in their order, without cancelled events."""
    rows = Stage.objects.live().filter(contest=contest, event__head__cancelled_by=None)
    return list(rows.select_related("event__head", "event__clock").order_by("order", "label"))


def feeding(stage: Stage) -> list[Stage]:
    """Return the stages before it, the bags of which go to this one; none before the first."""
    earlier = [row for row in stages_of(stage.contest) if row.order < stage.order]
    last = max((row.order for row in earlier), default=0)
    return [row for row in earlier if row.order == last]


def ends_with_bags(stage: Stage) -> bool:
    """Tell whether players go on from it: it has an end, or a further day."""
    if stage.stop:
        return True
    return Stage.objects.live().filter(contest=stage.contest, order__gt=stage.order).exists()


# --- The end of a flight: how far it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearing:
    """The way to the end of a flight.

    :param to_go: Players still to go; None without a mark, or while entry is open.
    :param by: What ends it now, or None.
    """

    to_go: int | None
    by: By | None


def nearing_of(stage: Stage, event: Event, now: datetime) -> Nearing:
    """Return how near the end of a flight is."""
    levels, state = clock_levels(event.clock), clock_state(event.clock, now)
    is_past, closing = False, closing_typed(stage.rule.time)
    if closing is not None:
        local = localtime(event.starts_at).replace(tzinfo=None)
        is_past = now >= closes_at(local, closing).replace(tzinfo=get_current_timezone())
    progress = Progress(
        entries=entries_live_count(event),
        left=players_left(event),
        levels_done=sum(not level.is_break for level in levels[: state.index]),
        is_entry_open=event_accepts_late(event, now),
        is_past_time=is_past,
    )
    return Nearing(to_go=to_go(stage.rule, progress), by=stopped_by(stage.rule, progress))


LEAST_NEAR = 3


def left_to_the_end(event: Event, now: datetime) -> int:
    """Return how many are still to go in a flight that one hand at each table could end; else 0."""
    stage = stage_of(event)
    if stage is None or not event.has_started or event.is_over or not ends_with_bags(stage):
        return 0
    found = nearing_of(stage, event, now).to_go or 0
    return found if found <= max(LEAST_NEAR, tables_live_count(event)) else 0


def _reached(event: Event, at: datetime) -> Reached:
    """Return the level at which a flight stopped, and the time left; in a break the whole next."""
    state = clock_state(event.clock, at)
    if state.level.number is not None:
        return Reached(level=state.level.number, left=state.remaining or timedelta())
    coming = (row for row in clock_levels(event.clock)[state.index :] if row.number is not None)
    level = next(coming, state.level)
    return Reached(level=level.number or 0, left=level.duration or timedelta())


def day_begins_at(flights: Sequence[Stage]) -> Reached | None:
    """Return the level at which the day after these flights begins; None before they end."""
    ended = [row.event.ended_by.at for row in flights if row.event.ended_by is not None]
    if not ended or len(ended) < len(flights):
        return None
    reached = (_reached(row.event, at) for row, at in zip(flights, ended, strict=True))
    return level_of_next_day(reached)


# --- Who carries what


def sealed_bags(flights: Sequence[Stage]) -> list[Sealed]:
    """Return the bags of these flights, by person; merged people are one."""
    if not flights:
        return []
    orders = {row.event_id: number for number, row in enumerate(flights)}
    same = meant_by(flights[0].event.club_id)
    rows = Bag.objects.live().filter(event__in=orders)
    values = rows.values_list("pk", "entry__registration__person", "amount", "event")
    return [
        Sealed(key=pk, person=same.get(who, who), chips=amount, order=orders[event])
        for pk, who, amount, event in values
    ]


def contests_of_both(one: Person, other: Person) -> list[str]:
    """Return the names of the contests in which each of two people has a bag."""
    found = []
    for person in (one, other):
        bags = Bag.objects.live().filter(entry__registration__person=person)
        rows = Stage.objects.live().filter(event__in=bags.values("event"))
        found.append(set(rows.values_list("contest__name", flat=True)))
    return sorted(found[0] & found[1])


def through_in(stage: Stage, person: int) -> list[tuple[str, int]]:
    """Return the other flights of this day in which a person is through, each with the bag."""
    others = Stage.objects.live().filter(contest=stage.contest, order=stage.order)
    labels = dict(others.exclude(pk=stage.pk).values_list("event", "label"))
    own = one_person(stage.event.club_id, person)
    bags = Bag.objects.live().filter(event__in=labels, entry__registration__person__in=own)
    return sorted((labels[event], chips) for event, chips in bags.values_list("event", "amount"))


def through_words(bags: Sequence[tuple[str, int]]) -> str:
    """Return the flights in which a person is through as a sentence; "" without any."""
    each = _("%(chips)s aus %(label)s")
    named = ", ".join(each % {"chips": intcomma(chips), "label": label} for label, chips in bags)
    return _("Schon weiter mit %(bags)s.") % {"bags": named} if named else ""


def stacks_to_carry(stage: Stage) -> list[Carried]:
    """Return the stack of each qualified person for this day.

    The room of the day into which somebody is registered is that player's; the others come where
    the draw is first.
    """
    stacks = carried_stacks(sealed_bags(feeding(stage)), stage.contest.reckoning.forward)
    others = [room.pk for room in day_rooms(stage.event) if room.pk != stage.event_id]
    if not others:
        return stacks
    elsewhere = Registration.objects.live().filter(event__in=others)
    same, there = meant_by(stage.event.club_id), elsewhere.values_list("person", flat=True)
    away = {same.get(who, who) for who in there}
    return [one for one in stacks if one.person not in away]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageLine:
    """A flight or a day in the overview. `through` is the number of its bags."""

    stage: Stage
    entries: int
    people: int
    left: int
    through: int
    chips: int

    @property
    def event(self) -> Event:
        return self.stage.event


def stage_lines(stages: Sequence[Stage]) -> list[StageLine]:
    """Return the figures of these stages in two queries, whatever their number."""
    ids = [row.event_id for row in stages]
    counted = (
        live_value(Entry, "COUNT"),
        live_value(Elimination, "COUNT"),
        live_value(Bag, "COUNT"),
        live_value(ChipMovement, "SUM", "amount"),
    )
    rows = {pk: own for pk, *own in Event.objects.filter(pk__in=ids).values_list("pk", *counted)}
    people = Entry.objects.live().filter(event__in=ids).values_list("event")
    found = dict(people.annotate(n=Count("registration", distinct=True)))
    return [
        StageLine(
            stage=stage,
            entries=entries,
            people=found.get(stage.event_id, 0),
            left=entries - outs,
            through=bags,
            chips=chips or 0,
        )
        for stage in stages
        for entries, outs, bags, chips in (rows[stage.event_id],)
    ]
