"""The arbiter's pages: the tables, one table, a player, out, several out, the first dealer."""

from uuid import uuid4

import pytest
from django.urls import reverse

from tests import factories as f
from tournaments.access import SYSTEM, Role
from tournaments.middleware import COOKIE
from tournaments.models import Action, Elimination, Person, Table
from tournaments.selectors.floor import free_seats
from tournaments.services.floor import entry_move, table_close
from tournaments.services.lifecycle import event_end

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def event():
    return f.make_running_event(10, seats=6)


def url(name, event, *more):
    return reverse(name, args=[event.slug, *more])


def signed_in(client, role, event=None):
    found = f.sign_in(str(role), role, event)
    client.cookies[COOKIE] = found.token
    return found.actor


@pytest.fixture
def arno(client, event):
    return signed_in(client, Role.ARBITER, event)


def out(client, entry, **headers):
    return client.post(url("floor-out", entry.event, entry.pk), headers={**HTMX, **headers})


def outs(event):
    return Elimination.objects.live().filter(event=event).count()


def text(answer):
    return answer.content.decode()


def test_the_tables_are_tiles_and_name_their_players_count(client, arno, event):
    answer = text(client.get(url("floor", event)))
    assert "10 Spieler im Turnier" in answer
    assert "2 Tische" in answer
    assert url("floor-table", event, 2) in answer
    assert "5 von 6" in answer
    assert 'id="sheet"' not in text(client.get(url("floor-tables", event)))


def test_before_there_are_tables_the_page_says_when(client):
    event = f.make_event()
    signed_in(client, Role.ARBITER, event)
    assert "Noch keine Tische" in text(client.get(url("floor", event)))


def test_very_many_tables_are_grouped(client, arno, event, django_assert_max_num_queries):
    action = Action.objects.latest("pk")
    rows = [Table(event=event, number=n, seats=6, made_by=action) for n in range(3, 1125)]
    Table.objects.bulk_create(rows)
    with django_assert_max_num_queries(18):
        answer = text(client.get(url("floor", event)))
    assert "Tische 1 bis 50" in answer
    assert "Tische 1101 bis 1124" in answer
    assert "tile-table" not in answer
    assert len(answer) < 40_000
    group = text(client.get(url("floor", event) + "?ab=1101"))
    assert group.count("tile-table") == 24
    assert f"{url('floor-tables', event)}?ab=1101" in group
    assert "Tisch 1124" in text(client.get(url("floor-find", event) + "?q=1124"))
    assert "Tisch 1124" in text(client.get(url("floor-table", event, 1124)))


def test_somebody_is_found_by_parts_of_the_name(client, arno, event, django_assert_max_num_queries):
    entry = f.entries_of(event)[0]
    Person.objects.filter(registrations__entries=entry).update(name="Mira Öztürk")
    table, seat = f.seat_of(entry)
    with django_assert_max_num_queries(9):
        found = text(client.get(url("floor-find", event) + "?q=spieler"))
    assert found.count("found-player") == 10
    found = text(client.get(url("floor-find", event) + "?q=001 spie"))
    assert "Mira Öztürk" in found
    assert f"Tisch {table}, Platz {seat}" in found
    out(client, entry)
    assert "10. Platz" in text(client.get(url("floor-find", event) + "?q=001"))
    assert "Niemand gefunden" in text(client.get(url("floor-find", event) + "?q=zzz"))
    assert not text(client.get(url("floor-find", event) + "?q=")).strip()


def test_a_table_shows_its_seats_and_costs_the_same_when_large(
    client, arno, event, django_assert_max_num_queries
):
    with django_assert_max_num_queries(20):
        answer = text(client.get(url("floor-table", event, 1)))
    for entry in f.at_table(event, 1):
        assert entry.registration.person.name in answer
        assert url("floor-player", event, entry.pk) in answer
    assert "5 von 6 besetzt" in text(client.get(url("floor-table-panel", event, 1)))
    assert client.get(url("floor-table", event, 77)).status_code == 404


def test_a_table_that_is_gone_says_so(client, arno, event):
    for entry in f.at_table(event, 2):
        out(client, entry)
    table_close(event=event, by=SYSTEM, at=f.last_action(event).at, table=f.table_of(event, 2))
    assert "nicht mehr" in text(client.get(url("floor-table-panel", event, 2)))
    assert client.get(url("floor-many", event, 2)).status_code == 404


def test_out_shows_the_place_and_one_tap_takes_it_back(client, arno, event):
    entry = f.at_table(event, 1)[0]
    answer = out(client, entry)
    action = f.last_action(event)
    assert answer.status_code == 200
    assert "krru:acted" in answer["HX-Trigger"]
    assert "Platz 10" in text(answer)
    assert "Noch 9 Spieler" in text(answer)
    assert url("action-undo", event, action.pk) in text(answer)
    assert action.device == arno.device
    panel = text(client.get(url("floor-table-panel", event, 1)))
    assert "Hier zuletzt eingetragen" in panel
    assert url("action-undo", event, action.pk) in panel
    back = client.post(url("action-undo", event, action.pk), headers=HTMX)
    assert back.status_code == 200
    assert not outs(event)
    assert "Hier zuletzt" not in text(client.get(url("floor-table-panel", event, 1)))


def test_only_the_own_latest_are_offered_for_undo(client, arno, event):
    for entry in f.entries_of(event)[:5]:
        out(client, entry)
    own = text(client.get(url("floor-table-panel", event, 1)))
    assert own.count("Rückgängig") == 3
    signed_in(client, Role.ARBITER, event)
    assert "Rückgängig" not in text(client.get(url("floor-table-panel", event, 1)))


def test_two_arbiters_tap_the_same_player(client, arno, event):
    entry = f.at_table(event, 1)[0]
    out(client, entry)
    signed_in(client, Role.ARBITER, event)
    answer = out(client, entry)
    assert answer.status_code == 422
    assert f"{entry.registration.person.name} ist schon ausgeschieden." in text(answer)
    assert text(answer).lstrip().startswith('<p class="refusal"')
    assert outs(event) == 1
    sheet = text(client.get(url("floor-player", event, entry.pk)))
    assert "auf dem 10. Platz" in sheet
    assert "Zurücknehmen" not in sheet


def test_a_tap_repeated_after_a_lost_answer_is_one_elimination(client, arno, event):
    entry, key = f.at_table(event, 1)[0], {"X-Idempotency-Key": str(uuid4())}
    first, again = out(client, entry, **key), out(client, entry, **key)
    assert text(first) == text(again)
    assert outs(event) == 1
    other = client.post(
        url("floor-out", event, f.at_table(event, 1)[1].pk), headers={**HTMX, **key}
    )
    assert other.status_code == 422
    assert outs(event) == 1
    client.post(url("action-undo", event, f.last_action(event).pk), headers=HTMX)
    assert "inzwischen zurückgenommen" in text(out(client, entry, **key))


def test_the_last_out_names_the_winner(client, arno, event):
    *losers, winner = f.entries_of(event)
    for entry in losers:
        answer = out(client, entry)
    assert "Platz 2" in text(answer)
    assert f"{winner.registration.person.name} hat gewonnen." in text(answer)
    assert "Gewonnen" in text(client.get(url("floor", event)))
    assert out(client, winner).status_code == 422


def test_before_the_start_the_button_is_grey_and_says_why(client):
    event = f.make_seated_event(4)
    signed_in(client, Role.ARBITER, event)
    entry = f.entries_of(event)[0]
    sheet = text(client.get(url("floor-player", event, entry.pk)))
    assert "noch nicht begonnen" in sheet
    assert "disabled" in sheet
    answer = out(client, entry)
    assert answer.status_code == 422
    assert "noch nicht begonnen" in text(answer)


def test_after_the_end_nothing_is_offered(client, arno, event):
    entry = f.entries_of(event)[0]
    out(client, entry)
    event_end(event=event, by=SYSTEM, at=f.last_action(event).at)
    sheet = text(client.get(url("floor-player", event, f.entries_of(event)[1].pk)))
    assert "Das Turnier ist beendet." in sheet
    assert "Zurücknehmen" not in text(client.get(url("floor-player", event, entry.pk)))
    assert out(client, f.entries_of(event)[1]).status_code == 422


def test_what_is_the_directors_is_grey_for_an_arbiter_with_who_may(client, arno, event):
    entry = f.at_table(event, 1)[0]
    sheet = text(client.get(url("floor-player", event, entry.pk)))
    assert "Umsetzen und Tische auflösen darf nur die Turnierleitung." in sheet
    assert "Disqualifizieren darf nur die Turnierleitung." in sheet
    assert sheet.count("disabled") == 2
    assert url("entry-move", event, entry.pk) not in sheet
    signed_in(client, Role.DIRECTOR)
    sheet = text(client.get(url("floor-player", event, entry.pk)))
    assert url("entry-move", event, entry.pk) in sheet
    assert url("disqualify", event, entry.pk) in sheet
    assert "disabled" not in sheet


def test_the_desk_sees_the_floor_and_cannot_put_anybody_out(client, event):
    signed_in(client, Role.DESK, event)
    entry = f.at_table(event, 1)[0]
    sheet = text(client.get(url("floor-player", event, entry.pk)))
    assert "nur Schiedsrichter und Turnierleitung" in sheet
    assert "Mehrere aus" not in text(client.get(url("floor-table", event, 1)))
    assert out(client, entry).status_code == 403
    assert not outs(event)


def test_a_moved_player_is_shown_at_the_new_table(client, arno, event):
    entry = f.at_table(event, 1)[0]
    free = free_seats(event, [2])[2][0]
    moved = {"entry": entry, "table": f.table_of(event, 2), "seat": free}
    entry_move(event=event, by=SYSTEM, at=f.after(1), **moved)
    sheet = text(client.get(url("floor-player", event, entry.pk)))
    assert f"Tisch 2, Platz {free}" in sheet


def many(client, event, entries, **stacks):
    data = {"entry": [entry.pk for entry in entries], **stacks}
    return client.post(url("floor-out-many", event), data, headers=HTMX)


def test_several_of_one_hand_share_a_place_or_are_ranked_by_stack(client, arno, event):
    first, second, third, fourth = f.entries_of(event)[:4]
    form = text(client.get(url("floor-many", event, 1)))
    for entry in f.at_table(event, 1):
        assert f'name="stack-{entry.pk}"' in form
    answer = text(many(client, event, [first, second]))
    assert answer.count("Platz 9") == 2
    stacks = {f"stack-{third.pk}": "900", f"stack-{fourth.pk}": "40"}
    answer = text(many(client, event, [third, fourth], **stacks))
    assert answer.index("Platz 7") < answer.index("Platz 8")
    assert answer.index(third.registration.person.name) < answer.index(
        fourth.registration.person.name
    )
    client.post(url("action-undo", event, f.last_action(event).pk), headers=HTMX)
    assert outs(event) == 2


@pytest.mark.parametrize("stack", ["viel", "-5", "1.5", "0", "9" * 13])
def test_a_stack_is_a_number_of_chips(client, arno, event, stack):
    pair = f.entries_of(event)[:2]
    answer = many(client, event, pair, **{f"stack-{pair[0].pk}": stack})
    assert answer.status_code == 422
    assert "Chip" in text(answer)
    assert not outs(event)


def test_nobody_ticked_is_refused_and_strangers_are_not_found(client, arno, event):
    assert many(client, event, []).status_code == 422
    other = f.make_running_event(2, name="Anderes")
    assert many(client, event, f.entries_of(other)).status_code == 404
    stranger = url("floor-out", event, f.entries_of(other)[0].pk)
    assert client.post(stranger, headers=HTMX).status_code == 404
    assert not outs(event)
    assert not outs(other)


def test_without_scripts_out_leads_back_with_a_message(client, arno, event):
    entry = f.at_table(event, 1)[0]
    answer = client.post(url("floor-out", event, entry.pk), {"next": url("floor-table", event, 1)})
    assert (answer.status_code, answer.url) == (302, url("floor-table", event, 1))
    assert "Ausgeschieden" in text(client.get(answer.url))
