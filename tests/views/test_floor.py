"""The arbiter's pages: the tables, one table, a player, out, several out."""

import pytest
from django.utils.timezone import localtime

from tests import factories as f
from tests.pressing import HTMX, followed, shows, url_of
from tests.views.pages import assert_refused, page_of, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action, Elimination, Person, Table
from tournaments.seating.services.tables import table_close

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=6)]


def out(client, entry, **headers):
    return client.post(url_of(entry.event, "floor-out", entry.pk), headers={**HTMX, **headers})


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
    assert client.post(url_of(event, "action-undo", action.pk), headers=HTMX).status_code == 200
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
    data = {"entry": [entry.pk for entry in entries], **stacks}
    return client.post(url_of(event, "floor-out-many"), data, headers=HTMX)


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
    client.post(url_of(event, "action-undo", f.last_action(event).pk), headers=HTMX)
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
