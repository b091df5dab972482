"""Events that show each face of the big screen, and what must be read there."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clock.domain import ActionKind
from clock.models import Level
from tests import factories as f
from tests.calling import call_service
from tests.clock.evening import act, make_event, minutes
from tests.clock.hall import running
from tests.waits import until
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_start
from tournaments.models import Action, ChipSet, Event, MoneyReached, Table
from tournaments.play.services.bubble import hand_for_hand_begin, round_release, table_report


@pytest.fixture
def figures(monkeypatch):
    """Count people for events that have none."""
    from tournaments.event.selectors import event as selector

    read = selector.figures
    told = {"entries": 37, "outs": 30}
    monkeypatch.setattr(selector, "figures", lambda *asked: {**read(*asked), **told})


def said_so(event):
    """Return an action that facts of a test can rest on."""
    now, last = timezone.now(), Action.objects.filter(event=event).count()
    row = {"club": event.club, "event": event, "sequence": last + 1, "at": now, "recorded_at": now}
    return Action.objects.create(**row, kind="test.said", role="system")


def with_tables(event, count):
    by = said_so(event)
    made = [
        Table.objects.create(event=event, number=number, seats=9, made_by=by)
        for number in range(1, count + 1)
    ]
    event.started_by = by
    event.head.save()
    return made


def exchanged(event, position, *values):
    """Let chips leave play at a row of the schedule."""
    pieces = [{"value": 1, "count": 9, "colour": "white"}, {"value": 5, "count": 9}]
    event.chip_set = ChipSet.objects.create(
        club=event.club, name=f"Koffer {event.pk}", pieces=pieces
    )
    event.save()
    Level.objects.filter(clock=event.clock, position=position).update(colour_up=list(values))
    return event


def before():
    return make_event(timezone.now() + minutes(17.9))


def call():
    return make_event(timezone.now() + minutes(4.5))


def paused():
    event = running(minutes(5))
    act(event, ActionKind.PAUSED, timezone.now())
    return event


def last_hands(hands=3):
    event = running(minutes(5))
    act(event, ActionKind.LAST_HANDS_SET, timezone.now(), last_hands=hands)
    return event


def waiting():
    event = make_event(timezone.now() - minutes(35), breaks={1: 10})
    act(event, ActionKind.STARTED, timezone.now() - minutes(35))
    act(event, ActionKind.BREAK_STOP_SET, timezone.now() - minutes(34), stops_after_break=True)
    return event


def hand_for_hand(*, released=True, reported=2):
    """Four tables play their first hand of hand-for-hand, or the one that ran when it was said."""
    now = timezone.now()
    event = f.make_seated_event(24, seats=6, starts_at=now)
    clock_start(Command(event=event, by=SYSTEM, at=now - minutes(5)))
    said = {"event": event, "by": SYSTEM, "at": now - minutes(1)}
    call_service(hand_for_hand_begin, **said)
    tables = list(Table.objects.live().filter(event=event))
    if released:
        for table in tables:
            call_service(table_report, **said, table=table, number=0)
        call_service(round_release, **said, after=0)
    for table in tables[:reported]:
        call_service(table_report, **said, table=table, number=int(released))
    return f.fresh(event)


def money(ago=5):
    event = running(minutes(5))
    with_tables(event, 2)
    MoneyReached.objects.create(
        event=event,
        left=5,
        announced_at=timezone.now() - timedelta(seconds=ago),
        made_by=said_so(event),
    )
    event.paid_places = 5
    event.save()
    return event


def final_table():
    event = running(minutes(5))
    with_tables(event, 1)
    return event


def ended(*, cancelled=False):
    event = running(minutes(5))
    column = "cancelled_by" if cancelled else "ended_by"
    setattr(event, column, said_so(event))
    event.head.save()
    return event


@dataclass(frozen=True)
class Face:
    """How an event comes to show a face, and what must be read there."""

    make: object
    face: str
    texts: tuple
    has_time: bool = True
    has_blinds: bool = True


FACES = {
    "playing": Face(lambda: running(minutes(5)), "playing", ("Stufe 1", "1 / 2", "Im Spiel")),
    "limit": Face(
        lambda: running(minutes(5), limit="split_limit"), "playing", ("Großer Einsatz 4",)
    ),
    "warning": Face(lambda: running(minutes(19.3)), "warning", ("Letzte Minute", "8 / 15")),
    "new": Face(lambda: running(minutes(20.4)), "playing", ("gilt ab der nächsten Hand",)),
    "before": Face(before, "before", ("Beginn um", "Erste Stufe", "1 / 2"), has_blinds=False),
    "call": Face(call, "before", ("Bitte die Plätze einnehmen",), has_blinds=False),
    "break": Face(
        lambda: running(minutes(22), breaks={1: 10}), "break", ("Pause", "Zurück um", "Danach")
    ),
    "waiting": Face(
        waiting,
        "waiting",
        ("Die Pause ist vorbei", "gleich geht es weiter", "Stufe 2", "8 / 15"),
        has_time=False,
    ),
    "colour-up": Face(
        lambda: exchanged(running(minutes(22), breaks={1: 10}), 1, 1),
        "break",
        ("Color-up: 1er raus", "Zurück um"),
    ),
    "colour-up-two": Face(
        lambda: exchanged(running(minutes(22), breaks={1: 10}), 1, 1, 5),
        "break",
        ("Color-up: 1er und 5er raus",),
    ),
    "colour-up-soon": Face(
        lambda: exchanged(running(minutes(17)), 1, 1),
        "playing",
        ("Gleich Color-up: 1er raus", "8 / 15"),
    ),
    "paused": Face(paused, "paused", ("Angehalten", "1 / 2")),
    "last-hands": Face(last_hands, "last-hands", ("Noch 3 Hände", "Stufe 1", "1 / 2")),
    "last-hand": Face(lambda: last_hands(1), "last-hands", ("Letzte Hand", "1 / 2")),
    "last-hands-over": Face(
        lambda: last_hands(0), "last-hands", ("Die letzte Hand ist gespielt",), has_time=False
    ),
    "hand-for-hand": Face(
        hand_for_hand,
        "hand-for-hand",
        ("Hand für Hand", "Spielen", "Hand 1", "2 von 4 Tischen fertig", "Uhr steht"),
    ),
    "hand-for-hand-waiting": Face(
        lambda: hand_for_hand(reported=4),
        "hand-for-hand",
        ("Hand für Hand", "Warten", "4 von 4 Tischen fertig", "Gleich kommt die nächste Hand"),
    ),
    "hand-for-hand-announced": Face(
        lambda: hand_for_hand(released=False, reported=1),
        "hand-for-hand",
        ("Warten", "Laufende Hand beenden", "1 von 4 Tischen fertig"),
    ),
    "money": Face(money, "playing", ("Im Geld", "Alle 5, die noch im Spiel sind")),
    "in-the-money": Face(lambda: money(60), "playing", ("Im Geld", "Preise", "1 / 2")),
    "final-table": Face(final_table, "playing", ("Finaltisch",)),
    "ended": Face(ended, "ended", ("Das Turnier ist zu Ende",), has_time=False, has_blinds=False),
    "cancelled": Face(
        lambda: ended(cancelled=True), "ended", ("abgesagt",), has_time=False, has_blinds=False
    ),
}


def resized(page, sizes):
    """Show a wall in windows of these sizes, one after the other."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"innerWidth === {width}")
        yield width, height


def shown_anew(page, guests, make):
    """Make another event, and show it in this page, or in one that is opened for it."""
    if page is not None:
        page.goto("about:blank")  # the old face asks for its sounds until it is left
    for event in Event.objects.filter(slug="sommer"):
        Event.objects.filter(pk=event.pk).update(slug=f"sommer-{event.pk}")
    event = make()
    path = reverse("screen", args=[event.slug])
    if page is None:
        return guests.open(path), event
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(guests.hall.url(path))
    return page, event
