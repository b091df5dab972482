""" "In the money" stays true: who comes in later is stopped or takes it back in plain sight."""

import pytest

from clock.servertime import server_time
from tests import bubble as b
from tests import factories as f
from tests.api.asking import assert_no, script_of
from tests.calling import call_service
from tests.pressing import press, refused, sheet, words_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.selectors.log import describe
from tournaments.dashboard.selectors.due_play import bubble_items
from tournaments.dashboard.selectors.items import DueKind
from tournaments.door.services.arrivals import entry_check_in, noshows_blind
from tournaments.event.selectors.event import players_left
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import Elimination, MoneyReached
from tournaments.play.selectors.bubble import bubble_of
from tournaments.play.services.bubble import money_reach
from tournaments.play.services.elimination_details import elimination_correct
from tournaments.post.selectors.announcements import announcement_payload

pytestmark = pytest.mark.django_db


def reached(**own):
    """Seven are left of nine, seven are paid, and the hall was told."""
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
        with f.refused("in_the_money", event) as caught:
            check_in(event, 33, late, by=by)
        assert "„Im Geld“ ist angesagt." in str(caught.value)
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
    """He would push whoever was paid a place down, and out of the money."""
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


def test_how_many_are_paid_is_fixed_while_in_the_money_is_announced():
    event = b.make_event()
    f.drive(event_update, event, 5, settings={"paid_places": 6})
    f.drive(event_update, event, 6, settings={"paid_places": 7})
    changed = f.last_action(event)
    b.in_the_money(event)
    b.count_heads(event, 30)
    announced = f.drive(money_reach, event, 31)
    for paid in (3, 8):
        with f.refused("fixed_in_the_money", event) as caught:
            f.drive(event_update, event, 32, settings={"paid_places": paid})
        assert "Erst die Ansage im Protokoll zurücknehmen." in str(caught.value)
    f.refuses("fixed_in_the_money", f.undo, event, changed)
    f.undo(event, announced)
    f.drive(event_update, event, 95, settings={"paid_places": 8})


def test_what_comes_back_with_an_undo_holds_only_if_so_many_are_paid_still():
    event = reached()
    late = f.register(event, "Spät", at=f.after(32))
    let_in = check_in(event, 33, late, knowingly=True)
    f.drive(event_update, event, 34, settings={"paid_places": 6})
    f.undo(event, let_in)
    assert not bubble_of(event).is_reached
    call_service(event_update, event=event, by=SYSTEM, at=f.after(91), settings={"paid_places": 8})
