"""Hand-for-hand across a break: when it begins, what it waits for, what the clock does after it."""

from datetime import timedelta

import pytest

from clock.selectors import clock_anchor, clock_state
from clock.servertime import server_time
from tests import bubble as b
from tests import factories as f
from tests.api.asking import assert_no, script_of
from tests.bubble import begin, elapsed, end, make_event, release, report, report_all
from tests.calling import call_service
from tests.prepared import prepared
from tests.pressing import press, refused, sheet, words_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.kinds import describe
from tournaments.dashboard.selectors.due_before import clock_items
from tournaments.dashboard.selectors.due_play import bubble_items, clock_stands_rightly
from tournaments.dashboard.selectors.items import DueKind
from tournaments.door.services.arrivals import entry_check_in, noshows_blind
from tournaments.event.selectors.event import players_left
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import Elimination, MoneyReached
from tournaments.play.selectors.bubble import bubble_of
from tournaments.play.services.bubble import money_reach
from tournaments.play.services.elimination_details import elimination_correct
from tournaments.post.selectors.announcements import announcement_payload
from tournaments.rules.services.rules import event_rules_change
from tournaments.seating.services.breaking import table_break
from tournaments.seating.services.chairs import table_halt

pytestmark = pytest.mark.django_db


@pytest.fixture(name="at_a_break")
@prepared
def make_one_at_a_break():
    """Hand-for-hand whose first hand leads into a break of 15 minutes, and is being played."""
    event = make_event()
    lead_into_a_break(event)
    return event


def lead_into_a_break(event):
    row = list(event.clock.levels.order_by("position"))[1]
    row.kind, row.duration_ms = "break", 15 * 60_000
    row.save()
    begin(event, 19)
    report_all(event, 0, 19)
    release(event, 0, 20)


def clock_at(event, minute):
    state = clock_state(f.fresh(event).clock, f.after(minute))
    return state.level.number, state.elapsed, state.is_running


def test_rp8_across_a_break_each_hand_takes_its_minutes_all_the_same(at_a_break):
    event = at_a_break
    report_all(event, 1, 22, tables=(1, 2))
    assert not clock_at(event, 24)[2]
    assert bubble_items(f.fresh(event), f.after(24)) == []
    assert not clock_due(event, 24)
    report(event, 3, 1, 25)
    assert clock_at(event, 30)[1:] == (timedelta(minutes=5), True)
    assert bubble_items(f.fresh(event), f.after(30)) == []
    f.refuses("break", release, event, 1, 39)
    assert clock_at(event, 45)[1:] == (timedelta(minutes=15), False)
    (item,) = bubble_items(f.fresh(event), f.after(45))
    assert item.kind is DueKind.ROUND
    assert not clock_due(event, 45)
    released = release(event, 1, 46)
    assert clock_at(event, 50) == (2, timedelta(minutes=2), False)
    assert not clock_anchor(f.fresh(event).clock).stops_after_break
    report_all(event, 2, 51)
    release(event, 2, 52)
    assert clock_at(event, 55) == (2, timedelta(minutes=4), False)
    report_all(event, 3, 56)
    end(event, 57)
    assert clock_at(event, 58) == (2, timedelta(minutes=5), True)
    f.refuses("needed", f.undo, event, released)


def clock_due(event, minute):
    """Return what asks to start the clock."""
    now = f.after(minute)
    event = f.fresh(event)
    items = [item for item in clock_items(event, now) if item.kind is DueKind.CLOCK_STANDS]
    return [item for item in items if not clock_stands_rightly(event, item, now)]


def table_3_goes(event, how, minute):
    """Let the table that was awaited last go without a report."""
    table = f.table_of(event, 3)
    if how == "broken":
        return f.drive(table_break, event, minute, table=table)
    if how == "halted":
        return f.drive(table_halt, event, minute, table=table)
    return f.out(event, f.at_table(event, 3)[0], at=f.after(minute))


@pytest.mark.parametrize("how", ["broken", "halted", "emptied"])
def test_a_break_does_not_wait_for_a_table_that_goes_instead_of_reporting(how):
    event = make_event(15, 6)
    f.out(event, *f.at_table(event, 3)[:3])
    lead_into_a_break(event)
    report_all(event, 1, 22, tables=(1, 2))
    assert bubble_of(event).awaited == [3]
    table_3_goes(event, how, 25)
    assert bubble_of(event).awaited == []
    assert clock_at(event, 30)[1:] == (timedelta(minutes=5), True)
    f.undo(event, at=f.after(31))
    assert clock_at(event, 33)[1:] == (timedelta(), False)
    gone = table_3_goes(event, how, 35)
    f.drive(clock_pause, event, 40)
    f.out(event, f.at_table(event, 1)[0], at=f.after(41))
    assert clock_at(event, 42)[1:] == (timedelta(minutes=5), False)
    f.drive(clock_start, event, 43)
    if how == "emptied":
        f.undo(event, gone, at=f.after(44))  # an out is taken back whatever the clock did since
        assert bubble_of(event).awaited == [3]
        assert clock_at(event, 45)[2]
    else:
        f.refuses("not_latest", f.undo, event, gone, at=f.after(44))


def test_a_house_whose_hands_take_no_minutes_lets_the_level_stand():
    event = make_event()
    f.drive(event_rules_change, event, 1, rules={"hand_for_hand_minutes": 0})
    begin(event, 19)
    report_all(event, 0, 19)
    released = release(event, 0, 20)
    assert elapsed(event, 30) == timedelta(minutes=19)
    assert "clock_action" not in released.payload
    report_all(event, 1, 30)
    end(event, 31)
    assert clock_at(event, 32) == (2, timedelta(), True)


def test_a_break_that_a_report_began_is_taken_back_with_it(at_a_break):
    report_all(at_a_break, 1, 22)
    f.undo(at_a_break, at=f.after(23))
    assert clock_at(at_a_break, 30)[1:] == (timedelta(), False)
    assert bubble_of(at_a_break).awaited == [3]
    report(at_a_break, 3, 1, 31)
    assert clock_at(at_a_break, 33)[1:] == (timedelta(minutes=2), True)


@pytest.mark.parametrize("minute", [30, 50])
def test_hand_for_hand_ended_in_a_break_or_after_it_lets_the_clock_run_as_ever(at_a_break, minute):
    event = at_a_break
    report_all(event, 1, 25)
    end(event, minute)
    if minute == 30:
        f.refuses("break", begin, event, minute)
    assert clock_at(event, minute + 1)[2]
    assert clock_at(event, 55)[0] == 2
    assert not clock_anchor(f.fresh(event).clock).stops_after_break


# --- “In the money” stays true: who comes in later is stopped or takes it back in plain sight


@prepared
def reached(**own):
    """Make an event in the money: seven of nine left, seven paid, the hall told."""
    event = b.make_event(late_registration_level=9, **own)
    b.in_the_money(event)
    b.count_heads(event, 30)
    f.drive(money_reach, event, 31)
    return event


def check_in(event, minute, row, *, by=SYSTEM, knowingly=False):
    command = Command(event=event, by=by, at=f.after(minute), knowingly=knowingly)
    return entry_check_in(command, registration=row)


def outs_of(event):
    return list(Elimination.objects.live().filter(event=event).order_by("at"))


def due(event):
    return {item.kind: item for item in bubble_items(f.fresh(event), f.after(40))}


def test_a_late_entry_is_refused_at_the_desk_and_the_director_lets_him_in_knowingly():
    event = reached()
    late = f.register(event, "Spät", at=f.after(32))
    for by in (f.make_desk(event), SYSTEM):
        assert "„Im Geld“ ist angesagt." in f.refuses(
            "in_the_money", check_in, event, 33, late, by=by
        )
    f.refuses("in_the_money", check_in, event, 33, late, by=f.make_desk(event), knowingly=True)
    assert bubble_of(event).is_reached
    action = check_in(event, 34, late, by=f.make_dora(), knowingly=True)
    assert not bubble_of(event).is_reached
    assert players_left(event) == 8
    f.assert_logged(event, "entry.checked_in", in_then=8, paid_then=7)
    assert describe(action) == "Eingecheckt: Spät. „Im Geld“ gilt nicht mehr: 8 im Spiel, 7 bezahlt"
    said = announcement_payload(f.fresh(event), f.after(34))["announcement"]
    assert said["text"] == "„Im Geld“ gilt nicht mehr: Noch 8 im Spiel, 7 Plätze sind bezahlt."
    item = due(event)[DueKind.MONEY_BACK]
    assert item.note == "Noch 8 im Spiel, 7 Plätze bezahlt. Die Tische werden neu gezählt."
    assert bubble_of(event).open == [1, 2, 3]
    f.undo(event, action, at=f.after(35))
    assert bubble_of(event).is_reached
    assert bubble_of(event).open == []
    assert DueKind.MONEY_BACK not in due(event)


def test_the_desk_page_and_the_interface_ask_the_director(client, monkeypatch):
    monkeypatch.setattr(server_time, "now", lambda: f.after(40))
    event = reached()
    late = f.register(event, "Spät", at=f.after(32))
    f.sign_browser_in(client, Role.DESK, event)
    assert "sagt die Turnierleitung" in sheet(client, event, "desk-check-in", late.pk)
    told = "Ob jetzt noch jemand mitspielt, sagt die Turnierleitung."
    refused(client, event, "desk-check-in", late.pk, knowingly="on", sentence=told)
    path = f"/events/{event.slug}/registrations/{late.pk}/check-in?knowingly=true"
    assert_no(script_of(Role.DESK, event).post(path), 422, "in_the_money")
    director = script_of(Role.DIRECTOR)
    assert_no(director.post(path.partition("?")[0]), 422, "in_the_money")
    assert director.post(path).status_code == 200
    assert not bubble_of(event).is_reached
    f.drive(event_end, event, 41)  # its tables are free for the next one
    event = reached(name="Anderes")
    late = f.register(event, "Spät", at=f.after(32))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Trotzdem einchecken" in sheet(client, event, "desk-register")
    asked = "Bitte bei der Person ankreuzen"
    refused(client, event, "desk-check-in", late.pk, sentence=asked)
    answer = press(client, event, "desk-check-in", late.pk, knowingly="on")
    assert answer.status_code == 200
    assert "„Im Geld“ gilt nicht mehr" in words_of(client, event, "director-due")


def test_a_late_entry_is_no_better_when_somebody_went_out_meanwhile():
    """Refuse it: the player paid last would fall out of the money."""
    event = reached()
    late = f.register(event, "Spät", at=f.after(32))
    f.out(event, f.at_table(event, 3)[0], at=f.after(33))
    f.out(event, f.at_table(event, 3)[0], at=f.after(34))
    f.refuses("in_the_money", check_in, event, 35, late)


def test_who_never_came_is_seated_no_more():
    event = f.make_event(seats=3, paid_places=7, no_show_minutes=40, no_show="blinded")
    for number in range(9):
        f.check_in(event, f.register(event, f"Spieler {number}"))
    f.register(event, "Fehlt")
    f.drive(clock_start, event, 0)
    b.in_the_money(event)
    b.count_heads(event, 30)
    f.drive(money_reach, event, 31)
    f.refuses("in_the_money", noshows_blind, event, 45)


def test_an_undo_of_an_out_takes_the_announcement_back_and_asks_for_a_new_count():
    event = reached()
    out = outs_of(event)[-1].made_by
    f.out(event, f.at_table(event, 3)[0], at=f.after(32))
    action = f.undo(event, out, at=f.after(33))
    assert not MoneyReached.objects.live().exists()
    assert "„Im Geld“ gilt nicht mehr: 7 im Spiel, 7 bezahlt" in describe(action)
    told = announcement_payload(f.fresh(event), f.after(33))["announcement"]["text"]
    assert "Noch 7 im Spiel" in told
    assert due(event).keys() == {DueKind.MONEY_BACK, DueKind.HEADS_OPEN}
    b.count_heads(event, 34)
    f.drive(money_reach, event, 35)
    assert DueKind.MONEY_BACK not in due(event)


def test_a_corrected_out_is_nobody_who_came_in_and_what_is_taken_back_by_hand_is_not_due():
    event = reached()
    announced = f.last_action(event)
    f.drive(elimination_correct, event, 33, eliminations=outs_of(event)[:1], to=f.after(20))
    gone = f.out(event, f.at_table(event, 3)[0], at=f.after(34))
    f.undo(event, gone, at=f.after(35))
    assert bubble_of(event).is_reached
    f.undo(event, announced)
    assert DueKind.MONEY_BACK not in due(event)


def test_what_comes_back_with_an_undo_holds_only_if_so_many_are_paid_still():
    event = reached()
    late = f.register(event, "Spät", at=f.after(32))
    let_in = check_in(event, 33, late, knowingly=True)
    f.drive(event_update, event, 34, settings={"paid_places": 6})
    f.undo(event, let_in)
    assert not bubble_of(event).is_reached
    call_service(event_update, event=event, by=SYSTEM, at=f.after(91), settings={"paid_places": 8})
