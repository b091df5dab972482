"""What is due next, from real states of an evening, in its order."""

from datetime import timedelta

import pytest

from clock.models import Level
from tests import factories as f
from tests.buying import do
from tests.pressing import press, url_of, words_of
from tests.services.dealing import mark
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.dashboard.selectors.due import (
    Backups,
    DueKind,
    Phase,
    Urgency,
    due_items,
    phase_of,
)
from tournaments.dashboard.views import buttons
from tournaments.event.selectors.event import screen_figures
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.event.services.lifecycle import event_cancel
from tournaments.models import Event
from tournaments.money.services.fees import fee_pay
from tournaments.play.services.eliminations import (
    disqualification_count,
    entry_disqualify,
)
from tournaments.rebuys.services.purchases import addons_buy
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import (
    balance_step,
    dealer_draw_make,
    final_table_draw,
    table_open,
)

pytestmark = pytest.mark.django_db


def due(event, now=f.START, backups=None):
    event = f.fresh(event)
    return due_items(event, now, advice=floor_advice(event, f.after(10)), backups=backups)


def kinds(event, now=f.START, backups=None):
    return [item.kind for item in due(event, now, backups)]


def item(event, kind, now=f.START):
    return next(found for found in due(event, now) if found.kind == kind)


# Before the start


def test_some_are_missing_and_all_are_told_until_they_are_here():
    event = f.make_event()
    assert kinds(event) == [DueKind.DESK]
    assert due(event)[0].title == "Noch niemand angemeldet"
    assert phase_of(event) is Phase.REGISTRATION
    for row in [f.register(event, name) for name in ("Anna", "Bert", "Cleo")]:
        f.check_in(event, row)
    f.register(event, "Petra Probst")
    assert item(event, DueKind.DESK).title == "Einer fehlt noch"
    f.register(event, "Paul Prinz")
    found = item(event, DueKind.DESK)
    assert (found.title, found.urgency) == ("2 fehlen noch", Urgency.SOON)
    assert found.note == "3 von 5 sind eingecheckt."
    assert item(event, DueKind.DEALER).urgency is Urgency.LATER
    assert phase_of(event) is Phase.REGISTRATION
    f.drive(event_cancel, event, -60)
    assert kinds(event) == [DueKind.CANCELLED]
    assert phase_of(f.fresh(event)) is Phase.END


def test_who_waits_is_neither_registered_nor_awaited(client):
    event = f.make_event(capacity=3)
    rows = [f.register(event, name) for name in ("Anna", "Bert", "Cleo", "Vera wartet")]
    f.check_in(event, rows[0])
    assert item(event, DueKind.DESK).note == "1 von 3 sind eingecheckt."
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "angemeldet 3 von 3 Plätzen" in words_of(client, event, "director-facts")
    assert screen_figures(event, f.ARRIVAL)["registrations"] == 3
    for row in rows[1:3]:
        f.check_in(event, row)
    assert phase_of(event) is Phase.DRAW
    assert DueKind.DESK not in kinds(event)


def test_all_are_here_and_seats_are_to_be_drawn():
    event = f.make_event(draw_mode=Event.DrawMode.FIELD)
    for name in ("Anna", "Bert", "Cleo"):
        f.check_in(event, f.register(event, name))
    found = due(event)
    assert [one.kind for one in found] == [DueKind.DRAW_SEATS]
    assert (found[0].urgency, found[0].note) == (Urgency.NOW, "Alle 3 sind da.")
    f.register(event, "Dora")
    assert [one.kind for one in due(event)] == [DueKind.DESK, DueKind.DRAW_SEATS]
    f.drive(seats_draw, event, -60)
    assert DueKind.DRAW_SEATS not in kinds(event)


def test_dealers_then_the_clock_and_then_nothing_but_a_standing_clock_or_an_empty_table():
    event = f.make_seated_event(14)
    before = f.START - timedelta(minutes=30)
    assert kinds(event, before) == [DueKind.DEALER, DueKind.START]
    assert item(event, DueKind.DEALER).title == "Erste Geber an 2 Tischen"
    assert phase_of(event) is Phase.DRAW
    f.drive(dealer_draw_make, event, -60, table=f.table_of(event, 1))
    one = item(event, DueKind.DEALER)
    assert (one.title, one.number) == ("Erster Geber an Tisch 2", 2)
    f.drive(dealer_draw_make, event, -60, table=f.table_of(event, 2))
    assert kinds(event, before) == [DueKind.START]
    for minutes, title, urgency in (
        (-600, "Beginn um 19:00", Urgency.LATER),
        (-1440, "Beginn: Fr, 20. November, 19:00", Urgency.LATER),
        (-10, "Beginn um 19:00", Urgency.SOON),
        (0, "Beginn war um 19:00", Urgency.NOW),
    ):
        found = item(event, DueKind.START, f.after(minutes))
        assert (found.title, found.urgency) == (title, urgency)
    f.drive(clock_start, event, 0)
    assert kinds(event) == []
    assert phase_of(f.fresh(event)) is Phase.PLAY
    f.drive(table_open, event, 5)
    found = due(event)[0]
    assert (found.kind, found.number, found.urgency) == (DueKind.CLOSE, 3, Urgency.SOON)
    f.drive(clock_pause, event, 6)
    assert item(event, DueKind.CLOCK_STANDS, f.after(7)).title == "Die Uhr ist angehalten"


def test_backups_are_spoken_of_when_missing_or_failing():
    event = f.make_event()
    missing = due(event, backups=Backups(is_chosen=False))[-1]
    assert (missing.kind, missing.urgency) == (DueKind.BACKUP, Urgency.LATER)
    running = f.make_running_event(3, name="Läuft")
    assert DueKind.BACKUP not in kinds(running, backups=Backups(is_chosen=False))
    failed = due(running, backups=Backups(errors=("Der Stick ist voll.",)))[0]
    assert (failed.kind, failed.urgency) == (DueKind.BACKUP, Urgency.NOW)
    assert failed.note == "Der Stick ist voll."


# In play


def test_the_next_move_with_its_rule_and_how_many_more():
    event = f.make_running_event(20)
    f.out(event, *f.at_table(event, 2)[:4], is_one_hand=False)
    found = due(event)[0]
    assert (found.kind, found.urgency, found.number) == (DueKind.MOVE, Urgency.NOW, 2)
    assert found.title == "An Tisch 2 fehlen 4"
    assert (found.move, found.asks, found.rule) == (None, (1, 2), "")
    for number in (1, 2):
        mark(event, 21, None, number)
    found = due(event)[0]
    assert (found.kind, found.title) == (DueKind.BALANCE, "Tische ausgleichen")
    assert found.note == "10 und 6. Nach 2 Umzügen: 8 und 8."
    assert "ausgelost" in found.rule
    move = floor_advice(event, f.after(10)).moves[0]
    name = next(entry for entry in f.entries_of(event) if entry.pk == move.entry)
    step = {"from_table": move.from_table, "to_table": 2, "to_seat": move.to_seat}
    f.drive(balance_step, event, 30, entry=name, **step)
    found = due(event)[0]
    assert (found.kind, found.move is not None) == (DueKind.MOVE, True)


def test_the_final_table_and_its_dealer():
    event = f.make_running_event(12)
    f.out(event, *f.entries_of(event)[:3], is_one_hand=False)
    found = due(event)[0]
    assert (found.kind, found.urgency) == (DueKind.FINAL_TABLE, Urgency.NOW)
    assert "Noch 9 im Spiel" in found.note
    f.drive(final_table_draw, event, 30)
    assert kinds(event) == [DueKind.SLIPS, DueKind.DEALER]
    assert item(event, DueKind.SLIPS).title == "Platzzettel für 9"
    # Where no phone tells who arrived, nobody is missed.
    assert kinds(event, f.after(41)) == [DueKind.DEALER]


def test_a_disqualified_stack_is_to_be_counted_until_it_is():
    event = f.make_running_event(4)
    entry = f.entries_of(event)[1]
    f.drive(entry_disqualify, event, 3, entry=entry, reason="Betrug")
    found = item(event, DueKind.COUNT_STACK)
    assert (found.number, found.title) == (entry.pk, "Stapel zählen: Spieler 002")
    f.drive(disqualification_count, event, 4, entry=entry, stack=150)
    assert DueKind.COUNT_STACK not in kinds(event)


def test_late_registration_closes_with_its_last_level():
    event = f.make_running_event(4, late_registration_level=2)

    def late(minute):
        found = item(event, DueKind.LATE_REGISTRATION, f.after(minute))
        return found.title, found.urgency, found.note

    note = "Möglich bis zum Ende von Stufe 2."
    assert late(5) == ("Nachmelden noch 35 min", Urgency.LATER, note)
    assert late(36)[:2] == ("Nachmelden noch 4 min", Urgency.SOON)
    assert DueKind.LATE_REGISTRATION not in kinds(event, f.after(40))
    # A level of hands has no time that is known.
    Level.objects.filter(clock=event.clock, position=1).update(duration_ms=None, hands=10)
    assert late(5)[0] == "Nachmelden bis zum Ende von Stufe 2"


def test_only_what_has_an_action_is_due():
    """But for what is done beside the program, or at the tables."""
    told = {DueKind.MACHINE, DueKind.HALL_FULL, DueKind.MONEY_BACK, DueKind.HEADS_OPEN}
    assert set(DueKind) - set(buttons._DUTIES) == told


def test_add_ons_are_due_while_they_are_sold_to_who_has_none():
    event = f.make_running_event(4, addon_level=2, addon_cents=500)
    found = item(event, DueKind.ADDONS, f.after(3))
    assert found.note == "4 von 4 sind noch offen, bis 19:40 (Stufe 2)."
    do(addons_buy, event, 4, entries=f.entries_of(event)[:3])
    later = item(event, DueKind.ADDONS, f.after(5))
    assert (later.note[:7], later.key) == ("1 von 4", found.key)
    assert DueKind.ADDONS not in kinds(event, f.after(41))


@pytest.mark.running(12, fee_cents=1000)
def test_what_is_put_aside_comes_back_with_another_fact(client, lead, event):
    found = item(event, DueKind.FEES_OPEN)
    assert press(client, event, "due-aside", key="<b>").status_code == 422
    assert "1 beiseite gelegt" in text_of(press(client, event, "due-aside", key=found.key))
    aside = client.get(url_of(event, "director-due")).content.decode()
    assert found.note not in aside
    assert found.title in aside
    f.drive(fee_pay, event, 3, registration=f.entries_of(event)[0].registration)
    assert "beiseite gelegt" not in words_of(client, event, "director-due")
    press(client, event, "due-aside", key=found.key)
    assert client.cookies["krru_aside"].value == ""
