"""The director's sheets for seats by hand, locks, redraws and halts; wishes at the desk."""

import pytest

from tests import factories as f
from tests.pressing import HTMX, done, press, refused, sheet, text_of, url_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.models import Event, KeepApart, SeatLock
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.services.locks import seat_lock, table_halt
from tournaments.seating.services.tables import table_break

pytestmark = pytest.mark.django_db


def free(event, number):
    return next(seat for seat in range(1, 11) if (number, seat) not in f.seats(event).values())


def put(client, event, entry, to):
    return press(client, event, "seat-place", entry.pk, to=to)


# Put on a seat of the plan


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
    shown = text_of(put(dora, event, entry, to))
    assert "Der Ablauf verlangt gerade keinen Umzug." in shown
    assert f.fresh(event).version == version
    refused(dora, event, "entry-move", entry.pk, sentence="Grund", to=to, moved_from=here)
    done(dora, event, "entry-move", entry.pk, to=to, moved_from=here, reason="saß falsch")
    assert "{}-{}".format(*f.seat_of(entry)) == to


def test_on_a_seat_that_is_taken_the_two_would_change(dora):
    event = f.make_running_event(14)
    one, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    here, there = f.seat_of(one), f.seat_of(other)
    shown = text_of(put(dora, event, one, "{}-{}".format(*there)))
    assert "Plätze tauschen" in shown
    assert "Spieler" in shown
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
    entry, gone = f.at_table(event, 1)[:2]
    for to in ("", "2", "2-x"):
        refused(dora, event, "seat-place", entry.pk, sentence="Bitte einen Platz", to=to)
    refused(dora, event, "seat-place", entry.pk, sentence="1 bis 10", to="2-11")
    refused(dora, event, "seat-place", entry.pk, sentence="Tisch 9 gibt es nicht", to="9-1")
    own = "{}-{}".format(*f.seat_of(entry))
    refused(dora, event, "seat-place", entry.pk, sentence="sitzt", to=own)
    f.out(event, gone)
    refused(dora, event, "seat-place", gone.pk, sentence="an keinem Tisch", to="2-1")
    assert press(dora, event, "seat-place", 0, to="2-1").status_code == 404


def test_a_table_that_was_emptied_while_a_page_shows_it_is_refused(dora):
    event = f.make_running_event(14)
    entry = f.at_table(event, 1)[0]
    for one in f.at_table(event, 2)[1:]:
        f.out(event, one)
    for one in f.at_table(event, 1)[1:4]:
        f.out(event, one)
    table_break(Command(event=event, by=SYSTEM, at=f.after(6)), table=f.table_of(event, 2))
    refused(dora, event, "seat-place", entry.pk, sentence="Tisch 2 gibt es nicht mehr", to="2-1")


# Locks


def test_a_free_seat_is_locked_shown_and_freed(dora):
    event = f.make_running_event(14)
    seat = free(event, 1) if free_of(event, 1) else None
    number = 1 if seat else 2
    place = f"{number}-{free(event, number)}"
    assert "Platz sperren" in sheet(dora, event, "seat-lock", place)
    refused(dora, event, "seat-lock", place, sentence="Grund", do="lock")
    done(dora, event, "seat-lock", place, do="lock", reason="Stuhl kaputt")
    assert "Stuhl kaputt" in sheet(dora, event, "seat-lock", place)
    assert "gesperrt" in dora.get(url_of(event, "director-tables")).content.decode()
    entry = f.at_table(event, 3 - number)[0]
    shown = text_of(put(dora, event, entry, place))
    assert "Dieser Platz ist gesperrt." in shown
    assert "Stuhl kaputt" in shown
    move = {"to": place, "reason": "will dort sitzen"}
    done(dora, event, "entry-move", entry.pk, **move)
    done(dora, event, "seat-lock", place, do="unlock")
    assert not SeatLock.objects.live().exists()
    refused(dora, event, "seat-lock", place, sentence="nicht gesperrt", do="unlock")


def free_of(event, number):
    return [seat for seat in range(1, 11) if (number, seat) not in f.seats(event).values()]


@pytest.mark.parametrize("place", ["x", "1-99", "1-0"])
def test_no_such_seat(dora, place):
    event = f.make_seated_event(4)
    assert dora.get(url_of(event, "seat-lock", place)).status_code == 404


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


def test_a_redraw_that_cannot_be_says_why(dora):
    event = f.make_seated_event(4)
    assert "noch nicht begonnen" in sheet(dora, event, "tables-redraw")
    refused(dora, event, "tables-redraw", sentence="noch nicht begonnen")


# Halts


def test_tda_2024_11d_a_table_far_short_is_due_and_decided(dora):
    event = f.make_running_event(20)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    assert "Tisch 2 anhalten: Dort fehlen 3" in text_of(dora.get(url_of(event, "director-due")))
    shown = sheet(dora, event, "table-halt", 2)
    assert "3 Spieler weniger" in shown
    assert "hat niemand gesagt" in shown
    done(dora, event, "table-halt", 2, decision="halt")
    assert "angehalten" in text_of(dora.get(url_of(event, "director-tables")))
    assert "Tisch 2 ist angehalten" in text_of(dora.get(url_of(event, "director-due")))
    refused(dora, event, "table-halt", 2, sentence="schon so entschieden", decision="halt")
    done(dora, event, "table-halt", 2, decision="waive")
    assert "Tisch 2 hält an" not in text_of(dora.get(url_of(event, "director-due")))
    assert "spielt auf Entscheidung der Turnierleitung" in sheet(dora, event, "table-halt", 2)
    assert "fehlen nicht so viele" in sheet(dora, event, "table-halt", 1)
    refused(dora, event, "table-halt", 1, sentence="fehlen nicht so viele", decision="halt")


# Wishes at the desk


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


def test_the_plan_costs_no_more_with_locks(dora, django_assert_max_num_queries):
    event = f.make_unbalanced_event()
    for number in (1, 2, 3):
        for seat in free_of(event, number)[:2]:
            table = f.table_of(event, number)
            seat_lock(
                Command(event=event, by=SYSTEM, at=f.after(6)),
                table=table,
                seat=seat,
                reason="kaputt",
            )
    with django_assert_max_num_queries(45):
        dora.get(url_of(event, "director-tables"))


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


def test_a_free_seat_is_locked_from_the_tables_own_page_too_by_the_director_alone(dora, client):
    event = f.make_running_event(14)
    place = f"1-{free(event, 1)}"
    page = url_of(event, "floor-table", 1)
    assert url_of(event, "seat-lock", place) in dora.get(page).content.decode()
    done(dora, event, "seat-lock", place, do="lock", reason="Stuhl kaputt")
    f.sign_browser_in(client, Role.ARBITER, event)
    html = client.get(page).content.decode()
    assert url_of(event, "seat-lock", place) not in html
    assert "gesperrt" in html
