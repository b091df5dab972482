"""The director's work on the floor and at seats: every action, its preview, every refusal."""

import pytest

from tests import factories as f
from tests.pressing import HTMX, done, press, refused, sheet, shows, text_of, url_of
from tests.services.dealing import mark
from tournaments.changes.access import Role
from tournaments.event.services.lifecycle import event_cancel, event_end
from tournaments.models import ChipMovement, Event, KeepApart, SeatLock, Table
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.tables import table_counts
from tournaments.seating.services.chairs import table_halt
from tournaments.seating.services.tables import table_open

pytestmark = [pytest.mark.django_db, pytest.mark.running(20)]


# Draws


def test_seats_are_drawn_for_the_whole_field(dora):
    event = f.make_event(draw_mode=Event.DrawMode.FIELD, seats=4)
    refused(dora, event, "seats-draw", sentence="mindestens zwei")
    for name in ("Anna", "Bert", "Cleo", "Dino", "Emil"):
        f.check_in(event, f.register(event, name))
    assert "5 Teilnehmer" in done(dora, event, "seats-draw")
    assert sorted(count.players for count in table_counts(event)) == [2, 3]
    refused(dora, event, "seats-draw", sentence="Es sitzen schon Teilnehmer.")


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
    seated = f.make_seated_event(4, name="Besetzt")
    refused(dora, seated, "table-close", 3, sentence="sitzt noch jemand")
    # Without scripts an action comes back with a message.
    back = url_of(event, "director")
    answer = dora.post(url_of(event, "table-open"), {"next": back}, follow=True)
    assert answer.redirect_chain == [(back, 302)]
    assert "Tisch eröffnet: 4" in answer.content.decode()  # the other event holds number 3


def test_a_chair_is_offered_at_a_full_table_that_may_have_one_more(dora):
    event = f.make_seated_event(9, seats=9)
    assert 'id="table-1-chair"' in dora.get(url_of(event, "director")).content.decode()
    done(dora, event, "chair-add", 1)
    assert 'id="table-1-chair"' not in dora.get(url_of(event, "director")).content.decode()


def test_a_break_is_shown_before_it_is_done(dora):
    event = f.make_running_event(22)
    f.out(event, *f.at_table(event, 1)[:2], is_one_hand=False)
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


def test_a_break_that_is_not_possible_says_why_and_an_empty_table_breaks_alone(dora, event):
    assert "sind nur 0 Plätze frei" in sheet(dora, event, "table-break", 1)
    refused(dora, event, "table-break", 1, sentence="sind nur 0 Plätze frei")
    single = f.make_running_event(4, name="Ein Tisch")
    assert "Das ist der letzte Tisch." in sheet(dora, single, "table-break", 3)
    assert dora.get(url_of(single, "table-break", 7), headers=HTMX).status_code == 422
    f.drive(table_open, single, 1)
    assert "An Tisch 4 sitzt niemand." in sheet(dora, single, "table-break", 4)
    done(dora, single, "table-break", 4)


def test_the_final_table_is_shown_before_it_is_drawn(dora):
    event = f.make_running_event(12)
    assert "im Spiel sind noch 12" in sheet(dora, event, "final-table")
    refused(dora, event, "final-table", sentence="im Spiel sind noch 12")
    f.out(event, *f.entries_of(event)[:3], is_one_hand=False)
    shown = sheet(dora, event, "final-table")
    shows(shown, "Diese 9 kommen an Tisch 1 zusammen.", "Spieler 004", but=("Spieler 001",))
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


def test_a_move_offers_free_seats_and_is_done_as_it_was_shown_or_not_at_all(dora, event, minute):
    f.out(event, *f.at_table(event, 2)[:4], is_one_hand=False)
    event = f.fresh(event)
    minute(22)
    assert "hängt am Button" in sheet(dora, event, "entry-move", step_of(event)["entry"])
    for number in (1, 2):
        mark(event, 21, None, number)
    step = step_of(event)
    shown = sheet(dora, event, "entry-move", step["entry"])
    shows(shown, f"Nach Regel: Tisch 2, Platz {step['to_seat']}", "6 von 10, am leersten")
    other = next(pk for pk in (e.pk for e in f.at_table(event, 1)) if pk != step["entry"])
    assert "Nach Regel zieht als Nächstes" in sheet(dora, event, "entry-move", other)
    assert "An diesem Tisch ist kein Platz frei." in sheet(
        dora, event, "entry-move", other, table=1
    )
    step = step_of(event)
    wrong = {**step, "to_seat": step["to_seat"] % 10 + 1}
    refused(dora, event, "balance-step", sentence="überholt", **wrong)
    refused(dora, event, "balance-step", sentence="ganze Zahl", **{**step, "to_seat": ""})
    done(dora, event, "balance-step", **step)
    refused(dora, event, "balance-step", sentence="überholt", **step)
    assert press(dora, event, "balance-step", **{**step, "entry": 10**9}).status_code == 404


def test_when_all_is_full_or_over_the_sheets_say_so(dora):
    full, event = f.make_running_event(20, name="Voll"), f.make_running_event(14)
    one, entry = f.entries_of(full)[0], f.entries_of(event)[0].pk
    assert "Nirgends ist ein Platz frei." in sheet(dora, full, "entry-move", one.pk)
    f.drive(event_end, event, 60)
    for name, further in (
        ("table-break", [3]),
        ("final-table", []),
        ("entry-move", [entry]),
        ("disqualify", [entry]),
    ):
        assert "Das Turnier ist beendet." in sheet(dora, event, name, *further)
        refused(dora, event, name, *further, reason="x", to="2-9", sentence="")


# Disqualified


def test_a_disqualification_states_what_follows_and_needs_a_reason(dora):
    event = f.make_running_event(5)
    entry = f.entries_of(event)[0]
    shown = sheet(dora, event, "disqualify", entry.pk)
    shows(shown, "auf Platz 5, und kann nicht wieder einsteigen", "Der Stapel geht aus dem Spiel")
    refused(dora, event, "disqualify", entry.pk, sentence="Bitte den Grund angeben.", reason=" ")
    for stack in ("viele", "-1", "1.001", "1.00"):
        own = {"reason": "Betrug", "stack": stack}
        refused(dora, event, "disqualify", entry.pk, sentence="Chips", **own)
    html = done(dora, event, "disqualify", entry.pk, reason="Betrug", stack="180")
    assert "Disqualifiziert: Spieler 001" in html
    assert ChipMovement.objects.live().get(event=event, amount=-180).entry == entry
    refused(dora, event, "disqualify", entry.pk, sentence="schon disqualifiziert", reason="Nochmal")
    assert "schon disqualifiziert" in sheet(dora, event, "disqualify", entry.pk)


def test_who_is_out_already_is_disqualified_and_keeps_the_place(dora):
    event = f.make_running_event(5)
    entry = f.entries_of(event)[0]
    f.out(event, entry)
    assert sheet(dora, event, "floor-player", entry.pk).endswith("Disqualifizieren")
    shows(sheet(dora, event, "disqualify", entry.pk), "behält Platz 5", but=("Chips im Stapel",))
    html = done(dora, event, "disqualify", entry.pk, reason="Betrug")
    assert "Nach dem Ausscheiden disqualifiziert: Spieler 001" in html
    assert not ChipMovement.objects.live().filter(event=event, entry=entry, amount=None).exists()
    after = sheet(dora, event, "floor-player", entry.pk)
    shows(after, "disqualifiziert, 5. Platz", but=("Disqualifizieren",))


def test_a_stack_that_was_not_counted_is_counted_later(dora):
    event = f.make_running_event(5)
    entry, other = f.entries_of(event)[:2]
    assert dora.get(url_of(event, "dq-count", other.pk)).status_code == 404
    f.drive(entry_disqualify, event, 5, entry=entry, reason="Betrug")
    assert "Stapel von Spieler 001" in sheet(dora, event, "dq-count", entry.pk)
    for stack in ("", "x", "9999999"):
        refused(dora, event, "dq-count", entry.pk, sentence="Chips", stack=stack)
    done(dora, event, "dq-count", entry.pk, stack="220")
    refused(dora, event, "dq-count", entry.pk, sentence="schon gezählt", stack="220")
    assert "schon gezählt" in sheet(dora, event, "dq-count", entry.pk)


def free(event, number):
    return next(seat for seat in range(1, 11) if (number, seat) not in f.seats(event).values())


def put(client, event, entry, to):
    return press(client, event, "seat-place", entry.pk, to=to)


def test_what_the_procedure_asks_for_is_done_at_once_as_its_own_move(dora):
    event = f.make_unbalanced_event()
    move = floor_advice(event, f.after(10)).moves[0]
    done(dora, event, "seat-place", move.entry, to=f"{move.to_table}-{move.to_seat}")
    f.assert_logged(event, "seat.balanced", rule="drawn.drawn")


def test_anything_else_is_asked_for_its_reason_and_then_done(dora):
    event = f.make_running_event(14)
    entry = f.at_table(event, 1)[0]
    to, here = f"2-{free(event, 2)}", "{}-{}".format(*f.seat_of(entry))
    version = f.fresh(event).version
    assert "Der Ablauf verlangt gerade keinen Umzug." in text_of(put(dora, event, entry, to))
    assert f.fresh(event).version == version
    own = {"to": to, "moved_from": here}
    refused(dora, event, "entry-move", entry.pk, sentence="Grund", **own)
    done(dora, event, "entry-move", entry.pk, **own, reason="saß falsch")
    assert "{}-{}".format(*f.seat_of(entry)) == to
    assert f.last_action(event).text.data["reason"] == "saß falsch"
    stale = {**own, "reason": "saß falsch"}
    refused(dora, event, "entry-move", entry.pk, sentence="Inzwischen sitzt", **stale)


def test_on_a_seat_that_is_taken_the_two_would_change(dora):
    event = f.make_running_event(14)
    one, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    here, there = f.seat_of(one), f.seat_of(other)
    shows(text_of(put(dora, event, one, "{}-{}".format(*there))), "Plätze tauschen", "Spieler")
    places = {"here": "{}-{}".format(*here), "there": "{}-{}".format(*there), "other": other.pk}
    refused(dora, event, "seats-swap", one.pk, sentence="Grund", **places)
    done(dora, event, "seats-swap", one.pk, reason="Streit", **places)
    assert (f.seat_of(one), f.seat_of(other)) == (there, here)
    stale = {**places, "reason": "Streit"}
    refused(dora, event, "seats-swap", one.pk, sentence="Inzwischen sitzt", **stale)


def test_a_seat_that_cannot_be_is_refused_beside_the_table(dora):
    event = f.make_running_event(14)
    entry, gone, neighbour = f.at_table(event, 1)[:3]
    own, taken = ("{}-{}".format(*f.seat_of(one)) for one in (entry, neighbour))
    for to, sentence in (
        ("", "Bitte einen Platz"),
        ("2", "Bitte einen Platz"),
        ("2-x", "Bitte einen Platz"),
        ("2-11", "1 bis 10"),
        ("9-1", "Tisch 9 gibt es nicht"),
        (own, "sitzt"),
    ):
        refused(dora, event, "seat-place", entry.pk, sentence=sentence, to=to)
    for to, sentence in (
        ("", "freien Platz wählen"),
        ("2-1-1", "freien Platz wählen"),
        ("2-11", "1 bis 10"),
        ("9-1", "Tisch 9 gibt es"),
        (taken, "gehört Spieler"),
    ):
        refused(dora, event, "entry-move", entry.pk, sentence=sentence, to=to)
    f.out(event, gone)
    for name in ("seat-place", "entry-move"):
        refused(dora, event, name, gone.pk, sentence="an keinem Tisch", to="2-1")
    assert "an keinem Tisch" in sheet(dora, event, "entry-move", gone.pk)
    assert press(dora, event, "seat-place", 0, to="2-1").status_code == 404


def test_a_free_seat_is_locked_shown_and_freed(dora):
    event = f.make_running_event(14)
    place = f"1-{free(event, 1)}"
    page = url_of(event, "floor-table", 1)
    assert url_of(event, "seat-lock", place) in dora.get(page).content.decode()
    for wrong in ("x", "1-99", "1-0"):
        assert dora.get(url_of(event, "seat-lock", wrong)).status_code == 404
    assert "Platz sperren" in sheet(dora, event, "seat-lock", place)
    refused(dora, event, "seat-lock", place, sentence="Grund", do="lock")
    done(dora, event, "seat-lock", place, do="lock", reason="Stuhl kaputt")
    assert "Stuhl kaputt" in sheet(dora, event, "seat-lock", place)
    assert "gesperrt" in dora.get(url_of(event, "director-tables")).content.decode()
    entry = f.at_table(event, 2)[0]
    shows(text_of(put(dora, event, entry, place)), "Dieser Platz ist gesperrt.", "Stuhl kaputt")
    move = {"to": place, "reason": "will dort sitzen"}
    done(dora, event, "entry-move", entry.pk, **move)
    done(dora, event, "seat-lock", place, do="unlock")
    assert not SeatLock.objects.live().exists()
    refused(dora, event, "seat-lock", place, sentence="nicht gesperrt", do="unlock")


# What moves many


def test_a_break_out_of_order_asks_why_and_names_who_moves_but_not_where_to(dora):
    event = f.make_running_event(24)
    for entry in [*f.at_table(event, 1)[:2], *f.at_table(event, 2)[:2]]:
        f.out(event, entry)
    shown = sheet(dora, event, "table-break", 1)
    assert "wäre Tisch 3 der nächste" in shown
    for entry in f.at_table(event, 1):
        assert entry.registration.person.name in shown
    assert "Platz" not in shown
    refused(dora, event, "table-break", 1, sentence="Grund")
    done(dora, event, "table-break", 1, reason="Tisch wird gebraucht")
    action = f.last_action(event)
    slips = dora.get(url_of(event, "slips-moved", action.pk))
    assert slips.content.decode().count('<article class="slip">') == 6
    assert "Grund" not in sheet(dora, event, "table-break", 3)


def test_a_redraw_is_shown_without_where_to_and_then_done(dora):
    planned = f.make_seated_event(4, name="Geplant")
    assert "noch nicht begonnen" in sheet(dora, planned, "tables-redraw")
    refused(dora, planned, "tables-redraw", sentence="noch nicht begonnen")
    f.drive(event_cancel, planned, 1)
    event = f.make_running_event(24)
    for entry in [*f.at_table(event, 1)[:3], *f.at_table(event, 2)[:3]]:
        f.out(event, entry)
    Event.objects.filter(pk=event.pk).update(redraw_at=[18])
    assert "Neu auslosen bei 18" in text_of(dora.get(url_of(event, "director-due")))
    version = f.fresh(event).version
    shown = sheet(dora, event, "tables-redraw")
    assert "18 Spieler bekommen einen neuen Platz, an diesen Tischen: 1, 2." in shown
    shows(shown, "Tisch 3 schließt.", f.at_table(event, 1)[0].registration.person.name)
    assert f.fresh(event).version == version
    done(dora, event, "tables-redraw")
    assert "Neu auslosen bei" not in text_of(dora.get(url_of(event, "director-due")))
    assert "Platzzettel für 18" in text_of(dora.get(url_of(event, "director-due")))


def test_tda_2024_11d_a_table_far_short_is_due_decided_and_seen_by_the_arbiter(dora, event, client):
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    assert "Tisch 2 anhalten: Dort fehlen 3" in text_of(dora.get(url_of(event, "director-due")))
    shows(sheet(dora, event, "table-halt", 2), "3 Spieler weniger", "hat niemand gesagt")
    done(dora, event, "table-halt", 2, decision="halt")
    assert "angehalten" in text_of(dora.get(url_of(event, "director-tables")))
    assert "Tisch 2 ist angehalten" in text_of(dora.get(url_of(event, "director-due")))
    refused(dora, event, "table-halt", 2, sentence="schon so entschieden", decision="halt")
    done(dora, event, "table-halt", 2, decision="waive")
    assert "spielt auf Entscheidung der Turnierleitung" in sheet(dora, event, "table-halt", 2)
    assert "fehlen nicht so viele" in sheet(dora, event, "table-halt", 1)
    refused(dora, event, "table-halt", 1, sentence="fehlen nicht so viele", decision="halt")
    f.sign_browser_in(client, Role.ARBITER, event)
    seen = url_of(event, "floor-table", 2)
    assert "lässt weiterspielen" in text_of(client.get(seen))
    f.out(event, f.at_table(event, 2)[0])
    assert "Die Turnierleitung entscheidet" in text_of(client.get(seen))
    f.drive(table_halt, event, 10, table=f.table_of(event, 2))
    assert "Tisch angehalten" in text_of(client.get(seen))
    assert "Hier fehlen 4" in text_of(client.get(seen))
    assert "Hier fehlen" not in text_of(client.get(url_of(event, "floor-table", 1)))


def test_a_wish_is_made_by_name_shown_and_dropped(client):
    event = f.make_event()
    f.sign_browser_in(client, Role.DESK, event)
    for name in ("Anna Auer", "Bert Bauer", "Bert Bauer junior"):
        f.register(event, name)
    assert "Niemand ist getrennt zu setzen" in text_of(client.get(url_of(event, "keep-apart")))
    done(client, event, "keep-apart", first="anna auer ", second="Bert Bauer")
    assert "Anna Auer und Bert Bauer" in text_of(client.get(url_of(event, "keep-apart")))
    unknown = {"first": "Zeno", "second": "Bert Bauer"}
    refused(client, event, "keep-apart", sentence="niemand mit dem Namen „Zeno“", **unknown)
    same = {"first": "Anna Auer", "second": "Anna Auer"}
    refused(client, event, "keep-apart", sentence="zwei verschiedene", **same)
    f.register(event, "Bert Bauer", is_namesake=True)
    twice = {"first": "Anna Auer", "second": "Bert Bauer"}
    refused(client, event, "keep-apart", sentence="mehrmals", **twice)
    wish = KeepApart.objects.get()
    done(client, event, "keep-apart-drop", wish.pk)
    refused(client, event, "keep-apart-drop", wish.pk, sentence="nicht mehr")
