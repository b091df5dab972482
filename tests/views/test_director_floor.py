"""The director's work on the floor: every action, its preview, and every refusal."""

import pytest

from clock.servertime import server_time
from tests import factories as f
from tests.pressing import HTMX, done, press, refused, sheet, url_of
from tests.services.dealing import mark
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Event, Table
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.tables import table_counts
from tournaments.seating.services.tables import table_open

pytestmark = pytest.mark.django_db


def out(event, entries, minute=20):
    for entry in entries:
        entries_eliminate(Command(event=event, by=SYSTEM, at=f.after(minute)), entries=[entry])
    return f.fresh(event)


def test_none_of_it_is_an_arbiters(client):
    event = f.make_running_event(14)
    entry = f.entries_of(event)[0].pk
    addresses = [
        url_of(event, "seats-draw"),
        url_of(event, "hall-number"),
        url_of(event, "table-open"),
        url_of(event, "table-close", 1),
        url_of(event, "table-break", 1),
        url_of(event, "final-table"),
        url_of(event, "balance-step"),
        url_of(event, "entry-move", entry),
        url_of(event, "disqualify", entry),
        url_of(event, "dq-count", entry),
    ]
    for role in (None, Role.ARBITER, Role.DESK):
        if role:
            f.sign_browser_in(client, role, event)
        for address in addresses:
            assert client.post(address, headers=HTMX).status_code == 403, (role, address)
    assert f.fresh(event).version == event.version
    f.sign_browser_in(client, Role.ARBITER, event)
    answer = client.post(url_of(event, "disqualify", entry), headers=HTMX)
    assert "Disqualifizieren darf nur die Turnierleitung." in answer.content.decode()


@pytest.mark.parametrize("name", ["hall-number", "table-open", "balance-step"])
def test_what_acts_at_once_is_only_posted(dora, name):
    assert dora.get(url_of(f.make_event(), name)).status_code == 405


# Draws


def test_seats_are_drawn_for_the_whole_field(dora):
    event = f.make_event(draw_mode=Event.DrawMode.FIELD, seats=4)
    refused(dora, event, "seats-draw", sentence="mindestens zwei")
    for name in ("Anna", "Bert", "Cleo", "Dino", "Emil"):
        f.check_in(event, f.register(event, name))
    assert "5 Teilnehmer" in done(dora, event, "seats-draw")
    assert sorted(count.players for count in table_counts(event)) == [2, 3]
    refused(dora, event, "seats-draw", sentence="Es sitzen schon Teilnehmer.")


def test_the_hall_number_is_digits(dora):
    event = f.make_event()
    for number in ("", "abc", "12a", "1" * 41):
        refused(dora, event, "hall-number", sentence="nur aus Ziffern", number=number)
    assert "4711" in done(dora, event, "hall-number", number=" 4711 ")
    assert f.fresh(event).hall_number == "4711"


# Tables


def test_tables_are_opened_and_closed(dora):
    event = f.make_event()
    done(dora, event, "table-open")
    done(dora, event, "table-open", count=2)
    assert Table.objects.live().filter(event=event).count() == 3
    refused(dora, event, "table-open", sentence="1 bis 1200", count=0)
    refused(dora, event, "table-open", sentence="ganze Zahl", count="viele")
    done(dora, event, "table-close", 3)
    refused(dora, event, "table-close", 3, sentence="Tisch 3 gibt es nicht mehr.")


def test_a_table_that_is_not_empty_is_not_closed(dora):
    refused(dora, f.make_seated_event(4), "table-close", 1, sentence="sitzt noch jemand")


def test_a_break_is_shown_before_it_is_done(dora):
    event = f.make_running_event(22)
    out(event, f.at_table(event, 1)[:2])
    before = {count.number: count.players for count in table_counts(event)}
    version = f.fresh(event).version
    shown = sheet(dora, event, "table-break", 3)
    assert f"{before[3]} Personen ziehen um." in shown
    assert f.fresh(event).version == version
    done(dora, event, "table-break", 3)
    for count in table_counts(event):
        assert f"Tisch {count.number} + {count.players - before[count.number]} " in shown
        assert f"dann {count.players}" in shown
    refused(dora, event, "table-break", 3, sentence="Tisch 3 gibt es nicht mehr.")


def test_a_break_that_is_not_possible_says_why(dora):
    event = f.make_running_event(20)
    assert "sind nur 0 Plätze frei" in sheet(dora, event, "table-break", 1)
    refused(dora, event, "table-break", 1, sentence="sind nur 0 Plätze frei")
    single = f.make_running_event(4, name="Ein Tisch")
    assert "Das ist der letzte Tisch." in sheet(dora, single, "table-break", 1)
    answer = dora.get(url_of(single, "table-break", 7), headers=HTMX)
    assert answer.status_code == 422


def test_an_empty_table_breaks_without_anybody_moving(dora):
    event = f.make_running_event(4)
    table_open(Command(event=event, by=SYSTEM, at=f.after(1)))
    assert "An Tisch 2 sitzt niemand." in sheet(dora, event, "table-break", 2)
    done(dora, event, "table-break", 2)


def test_the_final_table_is_shown_before_it_is_drawn(dora):
    event = f.make_running_event(12)
    assert "im Spiel sind noch 12" in sheet(dora, event, "final-table")
    refused(dora, event, "final-table", sentence="im Spiel sind noch 12")
    out(event, f.entries_of(event)[:3])
    shown = sheet(dora, event, "final-table")
    assert "Diese 9 kommen an Tisch 1 zusammen." in shown
    assert "Spieler 004" in shown
    assert "Spieler 001" not in shown
    done(dora, event, "final-table")
    assert [count.players for count in table_counts(event)] == [9]
    refused(dora, event, "final-table", sentence="Alle sitzen schon an einem Tisch.")


# Moves


def step_of(event):
    move = floor_advice(event, f.after(10)).moves[0]
    return {
        "entry": move.entry,
        "from_table": move.from_table,
        "to_table": move.to_table,
        "to_seat": move.to_seat,
    }


def test_a_balancing_move_is_done_as_it_was_shown_or_not_at_all(dora):
    event = f.make_running_event(20)
    event = out(event, f.at_table(event, 2)[:4])
    step = step_of(event)
    wrong = {**step, "to_seat": step["to_seat"] % 10 + 1}
    refused(dora, event, "balance-step", sentence="überholt", **wrong)
    refused(dora, event, "balance-step", sentence="ganze Zahl", **{**step, "to_seat": ""})
    done(dora, event, "balance-step", **step)
    refused(dora, event, "balance-step", sentence="überholt", **step)
    assert press(dora, event, "balance-step", **{**step, "entry": 10**9}).status_code == 404


def test_a_move_offers_free_seats_and_the_rules_choice_first(dora, monkeypatch):
    event = f.make_running_event(20)
    event = out(event, f.at_table(event, 2)[:4])
    monkeypatch.setattr(server_time, "now", lambda: f.after(22))
    step = step_of(event)
    assert "hängt am Button" in sheet(dora, event, "entry-move", step["entry"])
    for number in (1, 2):
        mark(event, 21, None, number)
    step = step_of(event)
    shown = sheet(dora, event, "entry-move", step["entry"])
    assert f"Nach Regel: Tisch 2, Platz {step['to_seat']}" in shown
    assert "6 von 10, am leersten" in shown
    other = next(pk for pk in (e.pk for e in f.at_table(event, 1)) if pk != step["entry"])
    assert "Nach Regel zieht als Nächstes" in sheet(dora, event, "entry-move", other)
    assert "An diesem Tisch ist kein Platz frei." in sheet(
        dora, event, "entry-move", other, table=1
    )


def test_somebody_is_moved_to_a_free_seat(dora):
    event = f.make_running_event(14)
    entry = f.at_table(event, 1)[0]
    free = next(seat for seat in range(1, 11) if (2, seat) not in map(f.seat_of, all_of(event)))
    here = "-".join(map(str, f.seat_of(entry)))
    move = {"to": f"2-{free}", "moved_from": here, "reason": "Rollstuhl"}
    html = done(dora, event, "entry-move", entry.pk, **move)
    assert f"Tisch 2, Platz {free}" in html
    assert f.seat_of(entry) == (2, free)
    assert f.last_action(event).text.data["reason"] == "Rollstuhl"
    refused(dora, event, "entry-move", entry.pk, sentence="Inzwischen sitzt", **move)


def all_of(event):
    return f.entries_of(event)


def test_a_move_to_nowhere_is_refused(dora):
    event = f.make_running_event(14)
    entry, neighbour = f.at_table(event, 1)[:2]
    taken = "-".join(map(str, f.seat_of(neighbour)))
    refused(dora, event, "entry-move", entry.pk, sentence="gehört Spieler", to=taken)
    refused(dora, event, "entry-move", entry.pk, sentence="1 bis 10", to="2-11")
    refused(dora, event, "entry-move", entry.pk, sentence="Tisch 9 gibt es", to="9-1")
    for to in ("", "x", "2", "2-1-1"):
        refused(dora, event, "entry-move", entry.pk, sentence="freien Platz wählen", to=to)
    out(event, [entry])
    refused(dora, event, "entry-move", entry.pk, sentence="an keinem Tisch", to="2-1")
    assert "an keinem Tisch" in sheet(dora, event, "entry-move", entry.pk)


def test_everything_full_says_so(dora):
    event = f.make_running_event(20)
    entry = f.entries_of(event)[0]
    assert "Nirgends ist ein Platz frei." in sheet(dora, event, "entry-move", entry.pk)


def test_players_of_another_tournament_are_not_found(dora):
    event, other = f.make_running_event(4), f.make_running_event(4, name="Anderes Turnier")
    entry = f.entries_of(other)[0].pk
    for name in ("entry-move", "disqualify", "dq-count"):
        assert dora.get(url_of(event, name, entry)).status_code == 404
        assert press(dora, event, name, entry).status_code == 404


def test_when_all_is_over_the_sheets_say_so(dora):
    event = f.make_running_event(14)
    event_end(Command(event=event, by=SYSTEM, at=f.after(60)))
    entry = f.entries_of(event)[0].pk
    for name, further in (
        ("table-break", [1]),
        ("final-table", []),
        ("entry-move", [entry]),
        ("disqualify", [entry]),
    ):
        assert "Das Turnier ist beendet." in sheet(dora, event, name, *further)
        refused(dora, event, name, *further, reason="x", to="2-9", sentence="")


def test_without_scripts_an_action_comes_back_with_a_message(dora):
    event = f.make_event()
    back = url_of(event, "director")
    answer = dora.post(url_of(event, "table-open"), {"next": back}, follow=True)
    assert answer.redirect_chain == [(back, 302)]
    assert "Tisch eröffnet: 1" in answer.content.decode()
