"""An event as the big screen meets it: a few rows, a clock, and nobody's name."""

from datetime import timedelta

from clock.domain import ActionKind
from clock.services import action_append, clock_create, template_save
from tournaments.models import Club, Event, EventHead

LEVELS = [
    {"small_blind": 1, "big_blind": 2, "big_bet": 4},
    {"small_blind": 8, "big_blind": 15, "big_bet": 30},
    {"small_blind": 12, "big_blind": 25, "big_bet": 50},
]


def make_event(starts_at, *, limit="no_limit", breaks=None, name="Sommerturnier"):
    template = template_save(name="Probe", starting_stack=200, level_minutes=20, levels=LEVELS)
    club, _ = Club.objects.get_or_create(name="Verein")
    event = Event.objects.create(
        club=club,
        name=name,
        slug="sommer",
        starts_at=starts_at,
        schedule_name=template.name,
        clock=clock_create(template=template, breaks=breaks),
        game="texas_holdem",
        limit=limit,
        seats_per_table=9,
        capacity=40,
        starting_stack=200,
        draw_secret="0" * 64,
    )
    EventHead.objects.create(event=event)
    return event


def start(event, at):
    return act(event, ActionKind.STARTED, at)


def act(event, kind, at, **own):
    return action_append(clock=event.clock, kind=kind, at=at, **own)


def bump(event):
    """Count the version up, as every service does."""
    event.version += 1
    event.head.save(update_fields=["version"])
    return event.version


def minutes(number):
    return timedelta(minutes=number)
