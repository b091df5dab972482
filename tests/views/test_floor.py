"""The arbiter's pages: tables, a player, out, several out; away and back, arrived, penalised."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import localtime

from tests import factories as f
from tests.calling import call_service
from tests.pressing import HTMX, done, followed, name_of, now, press, refused, sheet, shows, url_of
from tests.views.pages import assert_refused, assert_shown, page_of, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.dashboard.selectors.due import due_items
from tournaments.dashboard.selectors.items import DueKind
from tournaments.event.services.lifecycle import event_end
from tournaments.models import (
    Absence,
    Action,
    Arrival,
    Elimination,
    Penalty,
    Person,
    Seating,
    Table,
)
from tournaments.play.services.conduct import entry_leave, penalty_give
from tournaments.play.services.hands import button_mark, hand_begin
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move, table_close

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=6)]


def out(client, entry):
    return press(client, entry.event, "floor-out", entry.pk)


def outs(event):
    return Elimination.objects.live().filter(event=event).count()


def test_the_tables_are_tiles_and_name_their_players_count(client, arno, event):
    answer = page_of(client, event, "floor")
    shows(answer, "10 Spieler im Turnier", "2 Tische", url_of(event, "floor-table", 2), "5 von 6")
    assert 'id="sheet"' not in page_of(client, event, "floor-tables")
    empty = f.make_event(name="Noch leer")
    f.sign_browser_in(client, Role.ARBITER, empty)
    assert "Noch keine Tische" in page_of(client, empty, "floor")


def test_very_many_tables_are_grouped(client, arno, event, django_assert_max_num_queries):
    action = Action.objects.latest("pk")
    rows = [Table(event=event, number=n, seats=6, made_by=action) for n in range(3, 1125)]
    Table.objects.bulk_create(rows)
    with django_assert_max_num_queries(18):
        answer = page_of(client, event, "floor")
    shows(answer, "Tische 1 bis 50", "Tische 1101 bis 1124", but=("tile-table",))
    assert len(answer) < 40_000
    group = text_of(client.get(url_of(event, "floor") + "?ab=1101"))
    assert group.count("tile-table") == 24
    assert f"{url_of(event, 'floor-tables')}?ab=1101" in group
    assert "Tisch 1124" in text_of(client.get(url_of(event, "floor-find") + "?q=1124"))
    assert "Tisch 1124" in page_of(client, event, "floor-table", 1124)


def test_somebody_is_found_by_parts_of_the_name(client, arno, event, django_assert_max_num_queries):
    def found(query):
        return page_of(client, event, "floor-find", q=query)

    entry = f.entries_of(event)[0]
    Person.objects.filter(registrations__entries=entry).update(name="Mira Öztürk")
    table, seat = f.seat_of(entry)
    with django_assert_max_num_queries(9):
        assert found("spieler").count("found-player") == 10
    assert "Mira Öztürk" in found("001 spie")
    assert f"Tisch {table}, Platz {seat}" in found("001 spie")
    out(client, entry)
    assert "10. Platz" in found("001")
    assert "Niemand gefunden" in found("zzz")
    assert not found("").strip()


def test_a_table_shows_its_seats_and_says_when_it_is_gone(client, arno, event):
    answer = page_of(client, event, "floor-table", 1)
    for entry in f.at_table(event, 1):
        assert entry.registration.person.name in answer
        assert url_of(event, "floor-player", entry.pk) in answer
    assert "5 spielen" in page_of(client, event, "floor-table-panel", 1)
    assert client.get(url_of(event, "floor-table", 77)).status_code == 404
    for entry in f.at_table(event, 2):
        out(client, entry)
    gone = Command(event=event, by=SYSTEM, at=f.last_action(event).at)
    table_close(gone, table=f.table_of(event, 2))
    assert "nicht mehr" in page_of(client, event, "floor-table-panel", 2)
    assert client.get(url_of(event, "floor-many", 2)).status_code == 404


def test_out_shows_the_place_and_one_tap_takes_it_back(client, arno, event):
    entry = f.at_table(event, 1)[0]
    answer = out(client, entry)
    action = f.last_action(event)
    assert answer.status_code == 200
    assert "krru:acted" in answer["HX-Trigger"]
    assert url_of(event, "action-undo", action.pk) in text_of(answer)
    sheet = text_of(followed(client, answer))
    shows(sheet, "Platz 10", "Noch 9 Spieler", url_of(event, "action-undo", action.pk))
    assert action.device == arno.device
    panel = page_of(client, event, "floor-table-panel", 1)
    shows(panel, "Auf diesem Gerät zuletzt eingetragen", url_of(event, "action-undo", action.pk))
    assert press(client, event, "action-undo", action.pk).status_code == 200
    assert not outs(event)
    assert "zuletzt eingetragen" not in page_of(client, event, "floor-table-panel", 1)


def test_only_the_own_latest_are_offered_for_undo(client, arno, event):
    for entry in f.entries_of(event)[:5]:
        out(client, entry)
    assert page_of(client, event, "floor-table-panel", 1).count("Rückgängig") == 3
    f.sign_browser_in(client, Role.ARBITER, event)
    assert "Rückgängig" not in page_of(client, event, "floor-table-panel", 1)


def test_two_arbiters_tap_the_same_player(client, arno, event):
    entry = f.at_table(event, 1)[0]
    out(client, entry)
    f.sign_browser_in(client, Role.ARBITER, event)
    answer = out(client, entry)
    assert answer.status_code == 422
    name, at = entry.registration.person.name, f.last_action(event).at
    told = f"{name} ist schon ausgeschieden ({arno.device.name}, {localtime(at):%H:%M})."
    assert told in text_of(answer)
    assert text_of(answer).lstrip().startswith('<p class="refusal"')
    assert outs(event) == 1
    sheet = page_of(client, event, "floor-player", entry.pk)
    shows(sheet, "auf dem 10. Platz", but=("Zurücknehmen",))


def test_the_last_out_names_the_winner(client, arno, event):
    *losers, winner = f.entries_of(event)
    for entry in losers:
        answer = out(client, entry)
    answer = followed(client, answer)
    shows(text_of(answer), "Platz 2", f"{winner.registration.person.name} hat gewonnen.")
    assert "Gewonnen" in page_of(client, event, "floor")
    screen = client.get(url_of(event, "screen-state")).json()
    assert screen["figures"]["winner"] == winner.registration.person.name
    assert out(client, winner).status_code == 422


def test_before_the_start_and_after_the_end_the_button_is_grey_and_says_why(client, arno, event):
    planned, now = f.make_seated_event(4, name="Geplant"), f.last_action(event).at
    out(client, f.entries_of(event)[0])
    phones = [f.sign_in("Handy", Role.ARBITER, at).token for at in (planned, event)]
    event_end(Command(event=event, by=SYSTEM, at=now))
    whys = ("noch nicht begonnen", "Das Turnier ist beendet.")
    for at, phone, why in zip((planned, event), phones, whys, strict=True):
        client.cookies["krru_device"] = phone
        gone, entry = f.entries_of(at)[:2]
        shows(page_of(client, at, "floor-player", entry.pk), why, "disabled")
        assert_refused(out(client, entry), why)
        assert "Zurücknehmen" not in page_of(client, at, "floor-player", gone.pk)


def test_each_role_sees_on_the_sheet_what_is_its_own(client, arno, event):
    entry = f.at_table(event, 1)[0]
    own = ("floor-out", "entry-move", "disqualify")
    for role, said, offered in (
        (
            Role.ARBITER,
            "Das macht die Turnierleitung: Clock, Umsetzen, Disqualifizieren.",
            [True, False, False],
        ),
        (Role.DIRECTOR, "", [True, True, True]),
        (Role.DESK, "nur Schiedsrichter und Turnierleitung", [True, False, False]),
    ):
        f.sign_browser_in(client, role, event)
        sheet = page_of(client, event, "floor-player", entry.pk)
        assert said in sheet
        assert [url_of(event, name, entry.pk) in sheet for name in own] == offered
        assert ("disabled" in sheet) is (role == Role.DESK)
    assert "Mehrere aus" not in page_of(client, event, "floor-table", 1)


def many(client, event, entries, **stacks):
    return press(client, event, "floor-out-many", entry=[one.pk for one in entries], **stacks)


def test_after_the_end_the_table_says_so_and_leads_to_the_result(client, arno, event):
    f.drive(event_end, event, 5)
    page = page_of(client, event, "floor-table", 1)
    shows(page, "Das Turnier ist zu Ende", url_of(event, "results"), but=["Nächste Hand</h2>"])
    shows(page, but=["Hier gilt", url_of(event, "floor-hand", 1)])
    # An open page is told by the part that it fetches again.
    assert "Das Turnier ist zu Ende" in page_of(client, event, "floor-button", 1)


def test_several_of_one_hand_share_a_place_or_are_ranked_by_stack(client, arno, event):
    first, second, third, fourth = f.at_table(event, 1)[:4]
    form = page_of(client, event, "floor-many", 1)
    for entry in f.at_table(event, 1):
        assert f'name="entry" value="{entry.pk}"' in form
    assert text_of(followed(client, many(client, event, [first, second]))).count("Platz 9") == 2
    stacks = {f"stack-{third.pk}": "900", f"stack-{fourth.pk}": "40"}
    answer = text_of(followed(client, many(client, event, [third, fourth], **stacks)))
    assert answer.index("Platz 7") < answer.index("Platz 8")
    assert answer.index(third.registration.person.name) < answer.index(
        fourth.registration.person.name
    )
    press(client, event, "action-undo", f.last_action(event).pk)
    assert outs(event) == 2


@pytest.mark.parametrize("stack", ["viel", "-5", "1.5", "0", "9" * 13])
def test_a_stack_is_a_number_of_chips(client, arno, event, stack):
    pair = f.at_table(event, 1)[:2]
    assert_refused(many(client, event, pair, **{f"stack-{pair[0].pk}": stack}), "Chip")
    assert not outs(event)


def test_nobody_ticked_is_refused_and_strangers_are_not_found(client, arno, event):
    assert many(client, event, []).status_code == 422
    other = f.make_running_event(2, name="Anderes")
    assert many(client, event, f.entries_of(other)).status_code == 404
    assert not outs(event)
    assert not outs(other)


# --- Away and back, arrived, warned, penalised: the taps, the sheets, the director's list


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
