"""What a stream shows: the evening as it was told some time ago."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from clock.domain import instant_ms
from clock.selectors import clock_levels
from tests import factories as f
from tournaments.event.services.clock import clock_adjust, clock_jump, clock_pause, clock_start
from tournaments.event.services.schedule.edit import level_correct
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.people.domain.naming import initials
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.public.selectors.told import (
    delayed,
    told_clock,
    told_left,
    told_outs,
    told_prizes,
    told_seats,
)
from tournaments.seating.services.tables import entry_move, table_open

pytestmark = pytest.mark.django_db
CASE = Path(__file__).parents[1] / "cases" / "field" / "overlay-delay.json"


def level_shown(payload):
    """Return the level a page shows at the payload's instant."""
    return next(row for row in payload["levels"] if row["id"] == payload["anchor"]["level"])


def minute(time):
    """Return the minutes since eight of a time of day."""
    hours, minutes, seconds = map(int, time.split(":"))
    return (hours - 20) * 60 + minutes + seconds / 60


def test_overlay_delay():
    case = json.loads(CASE.read_text("utf-8"))
    given, expect = case["given"], case["expect"]
    event = f.make_running_event(22)
    players = f.entries_of(event)
    for time, what in sorted(given["facts"]):
        at = f.after(minute(time))
        if what.startswith("level"):
            number, blinds = what.removeprefix("level ").split()
            small, big = map(int, blinds.split("/"))
            row = next(r for r in clock_levels(event.clock) if r.number == int(number))
            f.drive(clock_jump, event, minute(time), level=row.id)
            f.drive(
                level_correct, event, minute(time), raises_next=True,
                amounts={"small_blind": small, "big_blind": big},
            )  # fmt: skip
            continue
        while told_left(event, at)[0] > int(what.split()[0]):
            f.out(event, players.pop(), at=at)
    now = f.after(minute(given["now"]))
    told = now - timedelta(seconds=given["delay_seconds"])
    assert told_left(event, told) == (expect["left"], 22)
    assert told_left(event, now)[0] != expect["left"]
    level = level_shown(told_clock(f.fresh(event), told))
    shown = f"{level['number']}: {level['small_blind']}/{level['big_blind']}"
    assert shown == expect["level"]
    assert len(told_outs(event, told, 9)) == 3


def test_a_mistaken_out_never_shows_and_one_told_late_shows_late():
    event = f.make_running_event(10, stream_delay=120)
    *_, late, wrong, right = f.entries_of(event)
    f.out(event, right, at=f.after(5))
    mistake = f.out(event, wrong, at=f.after(6))
    f.undo(event, mistake, at=f.after(7))
    assert told_left(event, f.after(6.5))[0] == 9
    assert [out.place for out in told_outs(event, f.after(6.5), 5)] == [10]
    f.drive(clock_pause, event, 8)
    assert told_left(event, f.after(4))[0] == 10
    f.out(event, late, at=f.after(20))
    assert [told_left(event, f.after(minute))[0] for minute in (19, 21)] == [9, 8]
    late = delayed(event, f.after(8))
    assert late["waits"] == [60_000, 120_000]


def test_names_of_the_unlisted_are_initials_and_prizes_show_once_fixed():
    event = f.make_running_event(4, fee_cents=1000)
    plan = PrizePlan(way=Way.SHARES, shares=(7000, 3000), unit_cents=100)
    f.drive(prizes_plan, event, 1, plan=plan)
    for entry in f.entries_of(event):
        f.drive(fee_pay, event, 2, registration=entry.registration)
    f.drive(prizes_freeze, event, 9)
    last = f.entries_of(event)[-1]
    name = last.registration.person.name
    last.registration.is_listed = False
    last.registration.save()
    f.out(event, last, at=f.after(12))
    assert [out.name for out in told_outs(event, f.after(13), 5)] == [initials(name)]
    assert told_prizes(event, f.after(8)) == []
    assert len(told_prizes(event, f.after(10))) == 2


def test_a_move_shows_when_it_was_told_and_one_taken_back_never():
    event = f.make_running_event(6, seats=6)
    f.drive(table_open, event, 1, count=1)
    entry = f.entries_of(event)[0]
    table, seat = f.seat_of(entry)
    moved = lambda minute: [row.seat for row in told_seats(event, f.after(minute), 2)]
    f.drive(entry_move, event, 5, entry=entry, table=f.table_of(event, 2), seat=3, reason="Licht")
    assert (moved(4), moved(6)) == ([], [3])
    assert seat in [row.seat for row in told_seats(event, f.after(4), table)]
    assert seat not in [row.seat for row in told_seats(event, f.after(6), table)]
    f.undo(event, at=f.after(8))
    assert (moved(6), moved(9)) == ([], [])


def test_the_clock_is_as_it_was_across_a_pause_and_a_level():
    event = f.make_running_event(4)
    f.drive(clock_pause, event, 10)
    f.drive(clock_start, event, 14)
    f.drive(clock_adjust, event, 15, seconds=-60)
    told = {minute: told_clock(f.fresh(event), f.after(minute)) for minute in (9, 12, 14.5, 16)}
    assert [told[minute]["now"] for minute in told] == [instant_ms(f.after(m)) for m in told]
    running = {minute: payload["anchor"]["since"] is not None for minute, payload in told.items()}
    assert running == {9: True, 12: False, 14.5: True, 16: True}
    assert told[14.5]["anchor"]["elapsed"] != told[16]["anchor"]["elapsed"]
