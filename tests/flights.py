"""Contests of several flights, played through the services."""

from tests import factories as f
from tests.calling import call_service
from tests.prepared import prepared
from tournaments.changes.access import SYSTEM
from tournaments.contests.domain.carrying import Terms
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.services.bags import bag_say, day_end
from tournaments.contests.services.contests import contest_save, stage_save
from tournaments.event.services.clock import clock_start
from tournaments.models import Contest
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.services.prizes import prizes_plan

RULE = StopRule(players=2)
FOUR = ("Anna", "Bert", "Cora", "Doro")
CHIPS = 800  # the stacks of these four


@prepared
def make_contest(**terms):
    club = {"club": f.house(), "by": SYSTEM, "at": f.ARRIVAL}
    action = call_service(contest_save, **club, name="Main Event", terms=Terms(**terms))
    return Contest.objects.get(pk=action.payload["contest"])


def add(contest, event, label, *, order=1, stop=RULE):
    own = {"contest": contest, "event": event, "label": label, "order": order, "stop": stop}
    return call_service(stage_save, club=contest.club, by=SYSTEM, at=f.ARRIVAL, **own)


@prepared
def flight(contest, label, names=FOUR, *, stop=RULE, plan=None, paid=False, **settings):
    """Play a flight with these players until it has begun."""
    event = f.make_event(name=f"Flight {label}", **settings)
    for name in names:
        f.check_in(event, f.register(event, name))
    add(contest, event, label, stop=stop)
    f.drive(clock_start, event, 0)
    if paid:
        for entry in f.entries_of(event):
            f.drive(fee_pay, event, 1, registration=entry.registration)
    if plan:
        f.drive(prizes_plan, event, 2, plan=plan)
    return f.fresh(event)


def by_name(event, name):
    return next(row for row in f.entries_of(event) if row.registration.person.name == name)


@prepared
def day_after(contest, *, stop=RULE, **settings):
    """Make the event to which the bags go."""
    day = f.make_event(name="Tag 2", **settings)
    add(contest, day, "Tag 2", order=2, stop=stop)
    return day


@prepared
def bag_all(event, *, first=1, **chips):
    """Have player and staff say the same of these bags, with seals numbered from the first."""
    for number, (name, amount) in enumerate(chips.items(), start=first):
        entry = by_name(event, name)
        petra = f.petra_of(entry.registration)
        f.drive(bag_say, event, 30, entry=entry, amount=amount, by=petra)
        f.drive(bag_say, event, 30, entry=entry, amount=amount, number=number)


@prepared
def played(contest, label, **chips):
    """Play a flight to its end with these bags."""
    event = flight(contest, label)
    for entry in f.entries_of(event):
        if entry.registration.person.name not in chips:
            f.out(event, entry, at=f.after(20))
    bag_all(event, **chips)
    f.drive(day_end, event, 40)
    return f.fresh(event)
