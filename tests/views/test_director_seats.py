"""The director's sheets for seats by hand, locks, redraws and halts; wishes at the desk."""

import pytest

from tests import factories as f
from tests.pressing import HTMX, done, press, refused, sheet, shows, text_of, url_of
from tournaments.changes.access import Role
from tournaments.event.services.lifecycle import event_cancel
from tournaments.models import Event, KeepApart, SeatLock
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.services.chairs import table_halt

pytestmark = pytest.mark.django_db


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
    shown = text_of(put(dora, event, one, "{}-{}".format(*there)))
    shows(shown, "Plätze tauschen", "Spieler")
    places = {"here": "{}-{}".format(*here), "there": "{}-{}".format(*there), "other": other.pk}
    refused(dora, event, "seats-swap", one.pk, sentence="Grund", **places)
    done(dora, event, "seats-swap", one.pk, reason="Streit", **places)
    assert (f.seat_of(one), f.seat_of(other)) == (there, here)
    stale = {**places, "reason": "Streit"}
    refused(dora, event, "seats-swap", one.pk, sentence="Inzwischen sitzt", **stale)


def test_a_double_press_changes_seats_once(dora):
    event = f.make_running_event(14)
    one, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    data = {"other": other.pk, "reason": "Streit"}
    key = {"X-Idempotency-Key": "7b1c1c0a-5b0e-4a52-9a0e-111111111111"}
    for _ in range(2):
        dora.post(url_of(event, "seats-swap", one.pk), data, headers={**HTMX, **key})
    assert f.last_action(event).sequence == f.fresh(event).log_sequence
    assert f.seat_of(one)[0] == 2


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


def free_of(event, number):
    return [seat for seat in range(1, 11) if (number, seat) not in f.seats(event).values()]


def test_a_free_seat_is_locked_shown_and_freed(dora):
    event = f.make_running_event(14)
    seat = free(event, 1) if free_of(event, 1) else None
    number = 1 if seat else 2
    place = f"{number}-{free(event, number)}"
    page = url_of(event, "floor-table", number)
    assert url_of(event, "seat-lock", place) in dora.get(page).content.decode()
    for wrong in ("x", "1-99", "1-0"):
        assert dora.get(url_of(event, "seat-lock", wrong)).status_code == 404
    assert "Platz sperren" in sheet(dora, event, "seat-lock", place)
    refused(dora, event, "seat-lock", place, sentence="Grund", do="lock")
    done(dora, event, "seat-lock", place, do="lock", reason="Stuhl kaputt")
    assert "Stuhl kaputt" in sheet(dora, event, "seat-lock", place)
    assert "gesperrt" in dora.get(url_of(event, "director-tables")).content.decode()
    entry = f.at_table(event, 3 - number)[0]
    shown = text_of(put(dora, event, entry, place))
    shows(shown, "Dieser Platz ist gesperrt.", "Stuhl kaputt")
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
    due = text_of(dora.get(url_of(event, "director-due")))
    assert "Neu auslosen bei 18" in due
    version = f.fresh(event).version
    shown = sheet(dora, event, "tables-redraw")
    assert "18 Spieler bekommen einen neuen Platz, an diesen Tischen: 1, 2." in shown
    assert "Tisch 3 schließt." in shown
    assert f.at_table(event, 1)[0].registration.person.name in shown
    assert f.fresh(event).version == version
    done(dora, event, "tables-redraw")
    assert "Neu auslosen bei" not in text_of(dora.get(url_of(event, "director-due")))
    assert "Platzzettel für 18" in text_of(dora.get(url_of(event, "director-due")))


def test_tda_2024_11d_a_table_far_short_is_due_and_decided(dora):
    event = f.make_running_event(20)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    assert "Tisch 2 anhalten: Dort fehlen 3" in text_of(dora.get(url_of(event, "director-due")))
    shown = sheet(dora, event, "table-halt", 2)
    shows(shown, "3 Spieler weniger", "hat niemand gesagt")
    done(dora, event, "table-halt", 2, decision="halt")
    assert "angehalten" in text_of(dora.get(url_of(event, "director-tables")))
    assert "Tisch 2 ist angehalten" in text_of(dora.get(url_of(event, "director-due")))
    refused(dora, event, "table-halt", 2, sentence="schon so entschieden", decision="halt")
    done(dora, event, "table-halt", 2, decision="waive")
    assert "spielt auf Entscheidung der Turnierleitung" in sheet(dora, event, "table-halt", 2)
    assert "fehlen nicht so viele" in sheet(dora, event, "table-halt", 1)
    refused(dora, event, "table-halt", 1, sentence="fehlen nicht so viele", decision="halt")


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


def test_tda_2024_11d_the_arbiter_sees_the_halt_at_the_table(dora, client):
    event = f.make_running_event(20)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    done(dora, event, "table-halt", 2, decision="waive")
    f.sign_browser_in(client, Role.ARBITER, event)
    seen = url_of(event, "floor-table", 2)
    assert "lässt weiterspielen" in text_of(client.get(seen))
    f.out(event, f.at_table(event, 2)[0])
    assert "Die Turnierleitung entscheidet" in text_of(client.get(seen))
    f.drive(table_halt, event, 10, table=f.table_of(event, 2))
    assert "Tisch angehalten" in text_of(client.get(seen))
    assert "Hier fehlen 4" in text_of(client.get(seen))
    assert "Hier fehlen" not in text_of(client.get(url_of(event, "floor-table", 1)))
