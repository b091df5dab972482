"""Away and back, arrived, warned, penalised: the taps, the sheets, the director's list."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tests import factories as f
from tests.calling import call_service
from tests.pressing import HTMX, done, name_of, now, press, refused, sheet, shows, url_of
from tests.views.pages import assert_shown, page_of, text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.dashboard.selectors.due import due_items
from tournaments.dashboard.selectors.items import DueKind
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Absence, Arrival, Penalty, Seating
from tournaments.play.services.conduct import entry_leave, penalty_give
from tournaments.play.services.hands import button_mark, hand_begin
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=6)]


def move(event, entry, number=2):
    seat = free_seats(event, [number])[number][0]
    own = {"table": f.table_of(event, number), "seat": seat, "reason": "Test"}
    call_service(entry_move, event=event, by=SYSTEM, at=now(event), entry=entry, **own)
    return Seating.objects.live().get(entry=entry)


def leave(event, entry):
    entry_leave(Command(event=event, by=SYSTEM, at=now(event)), entry=entry)


def panel(client, event, number=1):
    return page_of(client, event, "floor-table-panel", number)


# The player's sheet


def test_away_and_back_by_one_tap_with_the_undo_in_the_toast(client, arno, event, entry):
    html = page_of(client, event, "floor-player", entry.pk)
    for address in ("floor-out", "floor-leave", "floor-penalty"):
        assert url_of(event, address, entry.pk) in html
    assert f"{url_of(event, 'floor-penalty', entry.pk)}?give=warning" in html
    done(client, event, "floor-leave", entry.pk)
    words = sheet(client, event, "floor-player", entry.pk)
    shows(words, "Nicht am Platz seit", "Blinds und Antes werden weiter gesetzt")
    refused(client, event, "floor-leave", entry.pk, sentence="schon als abwesend")
    shows(panel(client, event), "is-away", url_of(event, "floor-return", entry.pk))
    done(client, event, "floor-return", entry.pk)
    refused(client, event, "floor-return", entry.pk, sentence="nicht als abwesend")
    assert "is-away" not in panel(client, event)


def test_a_warning_or_a_penalty_is_a_reason_tapped(client, arno, event, entry):
    words = sheet(client, event, "floor-penalty", entry.pk, give="warning")
    shows(words, f"{name_of(entry)} verwarnen", "Handy am Tisch", but=("Umlauf",))
    html = done(client, event, "floor-penalty", entry.pk, give="warning", reason="device")
    assert f"Verwarnt: {name_of(entry)}" in html
    shows(sheet(client, event, "floor-penalty", entry.pk), "Verwarnung Handy am Tisch", "2 Umläufe")
    given = {"give": "rounds-2", "reason": "manner", "text": "nach Verwarnung"}
    done(client, event, "floor-penalty", entry.pk, **given)
    assert f.last_action(event).text.data["reason"] == "Umgangston: nach Verwarnung"
    assert "Strafe: 2 Umläufe, 10 Hände" in sheet(client, event, "floor-player", entry.pk)
    assert 'aria-label="Strafe, noch 10 Hände"' in panel(client, event)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"give": "hands-2"}, "Grund"),
        ({"give": "hands-2", "reason": "erfunden"}, "Grund"),
        ({"reason": "device"}, "wie viele"),
        ({"give": "hands-viele", "reason": "device"}, "wie viele"),
        ({"give": "hands-99", "reason": "device"}, "Möglich sind"),
        ({"give": "warning-1", "reason": "device", "text": "x" * 300}, "Zeichen"),
    ],
)
def test_bad_penalties_are_refused_with_a_sentence(client, arno, event, given, sentence):
    entry = f.at_table(event, 1)[0]
    refused(client, event, "floor-penalty", entry.pk, sentence=sentence, **given)
    assert not Penalty.objects.exists()


def test_hands_are_counted_by_a_tap_where_none_are_tapped(client, arno, event, entry):
    done(client, event, "floor-penalty", entry.pk, give="hands-2", reason="slow")
    penalty = Penalty.objects.get()
    url = url_of(event, "floor-penalty-serve", penalty.pk)
    assert url in panel(client, event)
    done(client, event, "floor-penalty-serve", penalty.pk, left=2)
    refused(client, event, "floor-penalty-serve", penalty.pk, left=2, sentence="nur noch eine Hand")
    refused(client, event, "floor-penalty-serve", penalty.pk, sentence="unvollständig")
    press(client, event, "floor-hand", 1)
    shows(panel(client, event), "nur noch diese Hand", but=(url,))


def test_the_desk_notes_who_is_away_and_penalises_nobody(client, desk, event, entry):
    done(client, event, "floor-leave", entry.pk)
    words = sheet(client, event, "floor-player", entry.pk)
    assert "Verwarnungen und Strafen geben nur Turnierleitung und Schiedsrichter." in words


# Walking


def test_who_is_walking_is_shown_and_arrives_by_one_tap_alone_or_with_all(client, arno, event):
    one, other, last = f.at_table(event, 1)[:3]
    f.out(event, f.at_table(event, 2)[0])
    f.out(event, f.at_table(event, 2)[0])
    seat = move(event, one)
    shows(panel(client, event, 2), "is-walking", url_of(event, "floor-arrived", seat.pk))
    assert "Unterwegs hierher seit" in sheet(client, event, "floor-player", one.pk)
    done(client, event, "floor-arrived", seat.pk)
    assert "is-walking" not in panel(client, event, 2)
    refused(client, event, "floor-arrived", seat.pk, sentence="schon bestätigt")
    for entry in (other, last):
        move(event, entry)
    assert "Alle sind da" in panel(client, event, 2)
    done(client, event, "floor-all-arrived", 2)
    assert Arrival.objects.live().count() == 3
    refused(client, event, "floor-all-arrived", 2, sentence="niemand mehr unterwegs")


def player_url(entry, address):
    return reverse(address, args=[entry.registration.link_token])


def test_the_player_is_asked_and_confirms_neither_an_old_seat_nor_anothers(client, event, entry):
    old = Seating.objects.live().get(entry=entry).pk
    seat = move(event, entry)
    other = Seating.objects.live().get(entry=f.at_table(event, 2)[0]).pk
    shows(text_of(client.get(player_url(entry, "player"))), "Du ziehst um", "Ich bin angekommen")
    url = player_url(entry, "player-arrived")
    for wrong in (old, other, "", "x", 10**20):
        assert client.post(url, {"seating": wrong}, headers=HTMX).status_code == 422
    assert not Arrival.objects.exists()
    answer = client.post(url, {"seating": seat.pk}, headers=HTMX)
    assert_shown(answer, but=("Ich bin angekommen", "Du ziehst um"))
    assert f.last_action(event).role == "player"
    assert client.post(url, {"seating": seat.pk}, headers=HTMX).status_code == 422
    # Without scripts the player is led back.
    f.undo(event, at=now(event))
    answer = client.post(url, {"seating": seat.pk})
    assert (answer.status_code, answer.url) == (302, player_url(entry, "player"))
    assert "du bist angekommen" in text_of(client.get(answer.url))


# The director's list


def due(event, later=0):
    event = f.fresh(event)
    at = now(event) + timedelta(minutes=later)
    items = due_items(event, at, advice=floor_advice(event, f.after(10)))
    wanted = {DueKind.STACK, DueKind.MISSING, DueKind.PENALTY}
    return {item.kind: item for item in items if item.kind in wanted}


def test_the_directors_list_says_whose_stack_has_to_be_brought(lead, event, entry):
    seat = move(event, entry)
    assert not due(event)
    # Without phones at the tables nobody tells an arrival, and nobody is missed.
    assert not due(event, later=6)
    f.drive(button_mark, event, 1, by=f.make_arno(event), table=f.table_of(event, 1), seat=1)
    late = due(event, later=6)
    assert late[DueKind.STACK].title == f"Stapel von {name_of(entry)} an Tisch 2 bringen"
    leave(event, entry)
    assert set(due(event)) == {DueKind.STACK}
    assert url_of(event, "floor-stack", seat.pk) in page_of(lead, event, "director-due")
    done(lead, event, "floor-stack", seat.pk)
    assert not due(event)
    assert Absence.objects.live().count() == 1


def test_the_directors_list_counts_those_who_are_missed(lead, event):
    for gone in f.at_table(event, 2)[:2]:
        f.out(event, gone)
    told, *others = f.at_table(event, 1)[:3]
    done(lead, event, "floor-arrived", move(event, told).pk)
    for entry in others:
        move(event, entry)
    late = due(event, later=6)
    assert late[DueKind.MISSING].title == "Tisch 2: 2 nicht angekommen"
    assert DueKind.STACK not in late
    done(lead, event, "floor-all-arrived", 2)
    assert not due(event, later=6)


def test_the_directors_list_says_when_a_penalty_ends(lead, event, entry):
    own = {"entry": entry, "kind": "hands", "amount": 2, "reason": "Test"}
    f.drive(penalty_give, event, 1, **own)
    assert url_of(event, "floor-player", entry.pk) in page_of(lead, event, "director-due")
    titles = []
    for minute in (2, 3, 4):
        titles.append(due(event)[DueKind.PENALTY].title)
        f.drive(hand_begin, event, minute, table=f.table_of(event, 1))
    assert titles == [
        f"Strafe von {name_of(entry)}: noch 2 Hände",
        f"Strafe von {name_of(entry)}: noch eine Hand",
        f"Strafe von {name_of(entry)} endet mit dieser Hand",
    ]
    assert not due(event)


def test_the_dashboard_marks_seats_too_and_after_the_end_nothing_is_offered(lead, event, entry):
    leave(event, entry)
    move(event, f.at_table(event, 1)[1])
    page = page_of(lead, event, "director-tables")
    assert (page.count(" is-away"), page.count(" is-walking")) == (1, 1)
    whole = page_of(lead, event, "director")
    (told,) = re.findall(r'id="director-tables".*?hx-trigger="([^"]*)"', whole, re.DOTALL)
    assert "krru:conduct" in told
    event_end(Command(event=event, by=SYSTEM, at=now(event)))
    html = page_of(lead, event, "floor-player", entry.pk)
    assert url_of(event, "floor-return", entry.pk) not in html
    assert "conduct-title" not in panel(lead, event)
