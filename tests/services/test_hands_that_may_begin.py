"""No hand begins where none is played; a tap that was right when it was made is taken."""

import pytest

from tests import factories as f
from tests.bubble import begin, first_round, make_event, release, report
from tests.calling import call_service
from tests.pressing import refused as refused_on_the_page
from tests.pressing import words_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.event.services.clock import clock_next_level, clock_pause, clock_start
from tournaments.event.services.clock_hands import clock_last_hands
from tournaments.models import Hand
from tournaments.play.services.hands import hand_begin
from tournaments.seating.services.locks import table_halt

pytestmark = pytest.mark.django_db


def tap(event, minute, number=1, *, told=None):
    recorded_at = None if told is None else f.after(told)
    return call_service(
        hand_begin,
        event=event,
        by=SYSTEM,
        at=f.after(minute),
        recorded_at=recorded_at,
        table=f.table_of(event, number),
    )


def test_no_hand_begins_with_the_clock_standing_unless_the_last_hands_are_played(client):
    event = f.make_running_event(10, seats=5)
    f.drive(clock_pause, event, 5)
    with f.refused("clock_stands", event) as caught:
        tap(event, 6)
    assert str(caught.value) == "Die Uhr steht. Gespielt wird, wenn sie läuft."
    f.sign_browser_in(client, Role.ARBITER, event)
    assert "Keine neue Hand Die Uhr steht." in words_of(client, event, "floor-table", 1)
    assert "Keine neue Hand Die Uhr steht." in words_of(client, event, "floor-button", 1)
    refused_on_the_page(client, event, "floor-hand", 1, sentence="Die Uhr steht.")
    tap(event, 4, told=7)
    assert Hand.objects.get().began_at == f.after(4)
    f.drive(clock_last_hands, event, 8, hands=2)
    tap(event, 9)
    f.drive(clock_start, event, 10)
    tap(event, 11)
    assert "Keine neue Hand" not in words_of(client, event, "floor-button", 1)


def test_no_hand_begins_in_a_break():
    event = f.make_running_event(10, seats=5)
    row = event.clock.levels.order_by("position")[1]
    row.kind, row.duration_ms = "break", 15 * 60_000
    row.save()
    f.drive(clock_next_level, event, 5)
    with f.refused("break", event):
        tap(event, 6)
    tap(event, 4, told=7)
    tap(event, 21)


def test_tda_2024_11d_no_hand_begins_at_a_halted_table():
    event = f.make_running_event(20)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    tap(event, 8, 2)
    f.drive(table_halt, event, 10, table=f.table_of(event, 2))
    with f.refused("halted", event) as caught:
        tap(event, 11, 2)
    assert "Tisch 2 ist angehalten" in str(caught.value)
    tap(event, 9, 2, told=11)
    tap(event, 11, 1)
    f.drive(table_halt, event, 12, table=f.table_of(event, 2), is_waived=True)
    tap(event, 13, 2)


def test_tda_2024_rp8_no_hand_begins_at_a_table_that_has_reported_before_the_next_is_released():
    event = make_event()
    begin(event)
    tap(event, 10.5, 1)  # told late: the hand that runs
    report(event, 1, 0, 11)
    for other in (2, 3):
        with f.refused("reported", event) as caught:
            tap(event, 12, 1)
        report(event, other, 0, 12)
    assert "Tisch 1 ist fertig gemeldet." in str(caught.value)
    with f.refused("reported", event):
        tap(event, 12, 1)
    release(event, 0, 13)
    tap(event, 13.5, 1)
    report(event, 1, 1, 14)
    with f.refused("reported", event):
        tap(event, 15, 1)
    tap(event, 15, 2)


def test_the_phone_of_a_table_that_has_reported_offers_no_hand(client):
    event = make_event()
    first_round(event)
    report(event, 1, 1, 14)
    f.sign_browser_in(client, Role.ARBITER, event)
    assert "Keine neue Hand Tisch 1 ist fertig gemeldet." in words_of(
        client, event, "floor-button", 1
    )
    assert "Keine neue Hand" not in words_of(client, event, "floor-button", 2)
