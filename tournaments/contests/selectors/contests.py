"""Contests: their flights and days, what feeds a day, the pool and the places behind, the rules.

Reads only.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count, Q, Sum
from django.utils.timezone import get_current_timezone, localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.selectors import clock_levels, clock_state
from clock.snapshot import read_once
from tournaments.contests.domain.carrying import (
    Begins,
    Carried,
    ContestPool,
    Forward,
    Further,
    Reached,
    Sealed,
    Terms,
    carried_stacks,
    contest_pool,
    level_of_next_day,
    places_behind,
)
from tournaments.contests.domain.stopping import By, Progress, StopRule, stopped_by, to_go
from tournaments.event.domain.hours import closes_at, closing_typed
from tournaments.event.selectors.event import (
    day_rooms,
    entries_live_count,
    event_accepts_late,
    is_later_day,
    is_stage,
    live_value,
    players_left,
    rooms_of,
    tables_live_count,
)
from tournaments.event.selectors.labels import money
from tournaments.models import (
    Bag,
    Carry,
    ChipMovement,
    Contest,
    Elimination,
    Entry,
    Event,
    Person,
    Posting,
    Registration,
    Stage,
)
from tournaments.money.domain.accounts import Account
from tournaments.payouts.selectors.prizes import OF_THE_POOL, paid_in, payouts
from tournaments.people.domain.naming import shown_name
from tournaments.people.selectors.people import meant_by, one_person
from tournaments.prizes.domain.plans import Rounding
from tournaments.rules.selectors.book import Chapter, Part


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
    """The way to the end of a flight."""

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


# --- The pool, and the places behind day 2: bags gone, outs paid in flights


def pool_of_contest(stages: Sequence[Stage]) -> ContestPool | None:
    """Return the pool of all stages with the prizes beside the places; None without money."""
    if not stages:
        return None
    # The pool includes bonuses for further qualifications, paid or not.
    of_all = Q(account__in=OF_THE_POOL) | Q(account=Account.BONUS, amount_cents__lt=0)
    rows = Posting.objects.live().filter(of_all, event__in=[row.event_id for row in stages])
    pool = -(rows.aggregate(sum=Sum("amount_cents"))["sum"] or 0)
    if not pool:
        return None
    first = min(row.order for row in stages)
    flights = [row for row in stages if row.order == first]
    bags = sealed_bags(flights)
    terms = stages[0].contest.reckoning
    return contest_pool(
        pool,
        people=len({bag.person for bag in bags}),
        bags=len(bags),
        bonus_each=terms.bonus_cents,
        in_flight=sum(paid_in(row.event) for row in flights),
        travel_each=terms.travel_cents,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """A place behind those of the day, won in the flight `label`; `chips` of a bag, or none."""

    place: int
    name: str
    label: str
    chips: int | None
    cents: int


def ranked_behind(event: Event, *, to_staff: bool) -> list[Behind]:
    """Return the places behind the day of the flights, best first; none for any other event."""
    stage = stage_of(event) if is_later_day(event) else None
    flights = feeding(stage) if stage else []
    if stage is None or not flights or feeding(flights[0]):
        return []
    labels = {row.event_id: row.label for row in flights}
    rows = [*_removed(event, stage, labels), *(row for one in flights for row in _outs(one))]
    people = sum(map(entries_live_count, rooms_of(event)))
    places = places_behind(people, [tier for tier, *_rest in rows])
    who = Registration.objects.filter(pk__in=[row[1] for row in rows])
    names = {
        pk: shown_name(name, is_listed=is_listed, to_staff=to_staff)
        for pk, name, is_listed in who.values_list("pk", "person__name", "is_listed")
    }
    found = [
        Behind(place=place, name=names[own], label=label, chips=chips, cents=cents)
        for place, (_tier, own, label, chips, cents) in zip(places, rows, strict=True)
    ]
    return sorted(found, key=lambda row: (row.place, row.name))


# The tier, the registration, the flight, the chips, the prize in cents.
Row = tuple[int, int, str, int | None, int]


def _removed(event: Event, stage: Stage, labels: Mapping[int, str]) -> Iterator[Row]:
    """Return the bags gone from play: they share, before all outs."""
    carried = Carry.objects.live().filter(is_removed=True, entry__event__in=rooms_of(event))
    cents = stage.contest.reckoning.bonus_cents
    bags = carried.values_list("bag__entry__registration", "bag__event", "bag__amount")
    for registration, flight, chips in bags:
        yield 0, registration, labels[flight], chips, cents


def _outs(flight: Stage) -> Iterator[Row]:
    """Return the outs paid in a flight, each by its distance from the bags."""
    if not paid_in(flight.event):
        return
    bags = Bag.objects.live().filter(event=flight.event).count()
    for row in payouts(flight.event):
        if row.place is not None and row.prize:
            yield row.place - bags, row.registration, flight.label, None, row.prize


# --- The chapter of the rule book about the flights of a tournament. None stands in a rule book


def flight_chapters(event: Event) -> list[Chapter]:
    """Return the chapter about the flights of this event's contest; empty for any other event."""
    stage = stage_of(event)
    if stage is None:
        return []
    stages = stages_of(stage.contest)
    texts = (*_ends(stages), *_goes_on(stage.contest.reckoning))
    part = Part(key="flights", title=_("Mehrere Flights"), texts=texts)
    return [Chapter(key="book-flights", title=lazy("Mehrere Flights"), parts=(part,))]


def _ends(stages: list[Stage]) -> Iterator[str]:
    for row in stages:
        words = ", ".join(_stop_in_words(row.rule))
        if words:
            yield _("%(label)s endet %(when)s.") % {"label": row.label, "when": words}
    yield _("Was zuerst eintritt, beendet den Tag. Die laufenden Hände werden fertig gespielt.")
    yield _("Gehen mehrere in einer Hand aus, sind es eben weniger: Niemand wird zurückgeholt.")
    stacks = {row.event.starting_stack for row in stages if row.order == stages[0].order}
    if len(stacks) > 1:
        yield _("Die Flights beginnen mit verschiedenen Stapeln.")


def _stop_in_words(rule: StopRule) -> Iterator[str]:
    if rule.players:
        yield _("bei %(n)s Spielern") % {"n": rule.players}
    if rule.percent:
        ways = {
            Rounding.NEAREST: _("gerundet"),
            Rounding.UP: _("aufgerundet"),
            Rounding.DOWN: _("abgerundet"),
        }
        share = f"{rule.percent / 100:g}".replace(".", ",")
        yield _("bei %(share)s %% der Einstiege, %(way)s") % {
            "share": share,
            "way": ways[rule.rounding],
        }
    if rule.level:
        yield _("nach Stufe %(n)s") % {"n": rule.level}
    if rule.time:
        yield _("um %(time)s Uhr") % {"time": rule.time}


def _goes_on(terms: Terms) -> Iterator[str]:
    yield _("Deine Chips zählst du selbst, das Personal zählt nach. Sagen beide dasselbe, ist dein "
            "Sack versiegelt.")  # fmt: skip
    yield {
        Forward.BEST: _("Wer mehrmals weiterkommt, spielt mit dem größten Stapel. Die anderen "
                        "gehen aus dem Spiel."),
        Forward.SUM: _("Wer mehrmals weiterkommt, spielt mit allen Stapeln zusammen."),
        Forward.FIRST: _("Wer weiter ist, steigt in keinem anderen Flight mehr ein."),
    }[terms.forward]  # fmt: skip
    if terms.further is Further.BONUS and terms.further_cents:
        yield _("Jedes weitere Mal bringt %(amount)s aus dem Topf.") % {
            "amount": money(terms.further_cents)
        }
    if terms.further is Further.MIN_CASH:
        yield _("Jedes weitere Mal bringt einen der letzten Preise.")
    yield {
        Begins.REST: _("Der nächste Tag beginnt, wo der Flight aufhörte, der am wenigsten weit "
                       "kam."),
        Begins.WHOLE: _("Der nächste Tag beginnt mit der ganzen Stufe des Flights, der am "
                        "wenigsten weit kam."),
        Begins.OWN: _("Der nächste Tag hat einen eigenen Blindplan."),
    }[terms.begins]  # fmt: skip
