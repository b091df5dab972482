"""Before the cards are dealt, and a little after: registration, check-in, seats."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from clock.domain import Level, LevelKind
from clock.selectors import clock_levels
from tournaments.changes.access import SYSTEM, Actor, Role
from tournaments.door.selectors.places import noshow_due_at
from tournaments.door.services.arrivals import (
    noshows_release,
    registration_arrive,
    registration_expect,
    registration_unsay,
)
from tournaments.door.services.check_in import entry_check_in
from tournaments.door.services.registration import (
    registration_create,
    registration_withdraw,
    registrations_import,
)
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.models import Action, DealerDraw, Event, Registration
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening
from tournaments.practice.simulation.floor import settle
from tournaments.seating.selectors.seat_cards import tables_to_draw
from tournaments.seating.selectors.tables import tables_seated
from tournaments.seating.services.dealers import dealer_draw_make, dealers_draw
from tournaments.seating.services.seats import draw_hall_number_set, seats_draw

ONE_BY_ONE = 200  # in a larger field the others come from lists
LIST_ROWS = 2000
MOST_LATE = 60
ROLLING_SHARE = 5  # a fifth is seated one by one even when the field is drawn at once


PAUSE = timedelta(minutes=10)
HANDS_OF_A_LEVEL = 4


@deed(
    registrations_import, registration_create, registration_withdraw, registration_expect,
    registration_arrive, entry_check_in, seats_draw, dealer_draw_make, dealers_draw,
    draw_hall_number_set, registration_unsay, schedule_edit, when=When.COURSE,
)  # fmt: skip
def arrive(evening: Evening) -> None:
    """Register everybody, check in all but the late ones, give them seats and first dealers."""
    plan = evening.plan
    late = min(plan.entries // 10, MOST_LATE)
    evening.expected = plan.entries - late
    _plan_the_evening(evening)
    people = _register(evening, evening.expected)
    _come_and_go(evening)
    _say_when(evening, people[-1])
    rolling = _rolling(evening, len(people))
    for registration in people[: len(people) - rolling]:
        check_in(evening, registration)
    if evening.event.draw_mode == Event.DrawMode.FIELD:
        _draw_field(evening)
    for registration in people[len(people) - rolling :]:
        check_in(evening, registration)
    evening.note_tables()
    settle(evening)
    first, *_others = sorted(evening.books.tables)
    _draw_dealer(evening, first)
    _draw_dealers(evening)


def _rolling(evening: Evening, people: int) -> int:
    if evening.event.draw_mode == Event.DrawMode.ROLLING:
        return 0
    return min(people // ROLLING_SHARE, MOST_LATE)


def arrive_late(evening: Evening, most: int) -> None:
    """Let some of those who come late register, and check in."""
    missing = evening.plan.entries - evening.expected
    for _ in range(min(most, missing)):
        evening.expected += 1
        check_in(evening, _create(evening, f"Simulant {evening.expected:05}"))


def _register(evening: Evening, count: int) -> list[Registration]:
    names = [f"Simulant {number:05}" for number in range(1, count + 1)]
    listed = names[: max(0, count - ONE_BY_ONE)]
    for first in range(0, len(listed), LIST_ROWS):
        people = [{"name": name} for name in listed[first : first + LIST_ROWS]]
        evening.do(registrations_import, by=DESK, people=people)
    for name in names[len(listed) :]:
        _create(evening, name)
    rows = Registration.objects.filter(event=evening.event, voided_by=None)
    found = list(rows.order_by("pk"))
    evening.checker.expect(len(found) == count, "registrations", len(found), count)
    return found


def _create(evening: Evening, name: str) -> Registration:
    made = evening.do(registration_create, by=DESK, name=name)
    return Registration(pk=made.payload["registration"])


def _come_and_go(evening: Evening) -> None:
    """A player registers and withdraws, comes back to it, and withdraws for good."""
    registration = _create(evening, "Simulant Unentschlossen")
    evening.refused("duplicate", registration_create, by=DESK, name="simulant  unentschlossen")
    gone = evening.do(registration_withdraw, by=DESK, registration=registration)
    evening.undo(gone)
    evening.do(registration_withdraw, by=DESK, registration=registration)
    evening.refused("gone", entry_check_in, by=DESK, registration=registration)


def check_in(evening: Evening, registration: Registration) -> None:
    """Check somebody in; now and then that was the wrong person, and is taken back."""
    before = evening.kept(small=0.1, large=0.005)
    action = evening.do(entry_check_in, by=DESK, registration=registration)
    _note(evening, action)
    if not evening.stays(action, before):
        _note(evening, evening.do(entry_check_in, by=DESK, registration=registration))
    evening.compare()


def _note(evening: Evening, action: Action) -> None:
    entry = action.payload["entry"]
    evening.books.stacks[entry] = action.payload["chips"]
    evening.note_opened(action)
    if "seat" in action.payload:
        evening.seat(entry, action.payload["table"], action.payload["seat"])


def _plan_the_evening(evening: Evening) -> None:
    """Put a break after the second level, and count the fourth one in hands; say a number."""
    levels = clock_levels(evening.event.clock)
    pause = Level(id=-1, kind=LevelKind.BREAK, duration=PAUSE)
    counted = replace(levels[3], duration=None, hands=HANDS_OF_A_LEVEL)
    planned = [*levels[:2], pause, levels[2], counted, *levels[4:]]
    evening.do(schedule_edit, levels=planned, based_on=[level.id for level in levels])
    evening.do(draw_hall_number_set, number=str(evening.rng.randrange(1, 1000)))
    evening.reload()


def _say_when(evening: Evening, registration: Registration) -> None:
    """A player says when to come, and has come before being checked in."""
    at = evening.now + timedelta(hours=1)
    evening.do(registration_expect, by=DESK, registration=registration, expected_at=at)
    evening.refused(
        "past", registration_expect, by=DESK, registration=registration, expected_at=evening.now
    )
    himself = Actor(role=Role.PLAYER, registration_id=registration.pk)
    evening.do(registration_arrive, by=himself, registration=registration)
    evening.do(registration_unsay, by=himself, registration=registration)
    evening.do(registration_arrive, by=DESK, registration=registration)
    evening.refused("already_here", registration_arrive, by=DESK, registration=registration)


@deed(noshows_release, when=When.COURSE)
def miss_somebody(evening: Evening) -> None:
    """Free the place of a player who calls to say no: the desk takes the player off the list."""
    if evening.missing is None:
        evening.missing = _create(evening, "Simulant Nirgends")
        evening.refused("none_due", noshows_release, by=SYSTEM)
        return
    due_at = noshow_due_at(evening.event)
    if due_at is None or evening.now < due_at or not evening.missing.pk:
        return
    made = evening.do(noshows_release, by=SYSTEM)
    found = made.payload["registrations"]
    evening.checker.expect(found == [evening.missing.pk], "who did not come", found)
    evening.do(registration_withdraw, by=DESK, registration=evening.missing)
    evening.missing = Registration()


def _draw_field(evening: Evening) -> None:
    before = evening.kept(small=0.5, large=0.5)
    action = evening.do(seats_draw)
    _note_field(evening, action)
    if not evening.stays(action, before):
        _note_field(evening, evening.do(seats_draw))
    evening.refused("already_drawn", seats_draw)
    evening.checker.quick(evening.books)


def _note_field(evening: Evening, action: Action) -> None:
    evening.note_opened(action)
    for number, view in tables_seated(evening.event).items():
        for seat, entry in view.players.items():
            evening.seat(entry, number, seat)


def _draw_dealer(evening: Evening, number: int) -> None:
    players = set(evening.books.tables[number])
    table = evening.table(number)
    if len(players) < 2:
        evening.refused("too_few", dealer_draw_make, table=table)
        return
    action = evening.do(dealer_draw_make, by=ARBITER, table=table)
    evening.checker.expect(action.payload["seat"] in players, "the dealer sits nowhere", players)


def _draw_dealers(evening: Evening) -> None:
    """Draw for all other tables at once, if there are any."""
    waiting = {number for number, sits in evening.books.tables.items() if len(sits) > 1}
    drawn = DealerDraw.objects.live().filter(table__event=evening.event)
    waiting -= {*drawn.values_list("table__number", flat=True), *tables_to_draw(evening.event)}
    if not waiting:
        evening.refused("already_drawn", dealers_draw)
        return
    action = evening.do(dealers_draw, by=ARBITER)
    dealt = {number: seat for number, seat, _draw in action.payload["dealt"]}
    evening.checker.expect(set(dealt) == waiting, "a table has no first dealer", dealt)
    for number, seat in dealt.items():
        sits = evening.books.tables[number]
        evening.checker.expect(seat in sits, "the dealer sits nowhere", number)
