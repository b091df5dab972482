"""What a director met in an evening and did not expect; each by its words on the page."""

import pytest

from clock.models import Level
from clock.selectors import clock_state
from clock.servertime import server_time
from tests import factories as f
from tests.pressing import done, press, text_of, url_of, words_of
from tournaments.changes.access import Role
from tournaments.event.domain.cards import card_from_code
from tournaments.event.services.clock_hands import clock_hand, clock_last_hands
from tournaments.models import DealerDraw
from tournaments.practice.services.sample import sample_make

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(client, monkeypatch):
    f.sign_browser_in(client, Role.DIRECTOR)
    client.at = lambda minute: monkeypatch.setattr(server_time, "now", lambda: f.after(minute))
    client.at(25)
    return client


def due(client, event):
    return words_of(client, event, "director-due")


def test_before_a_final_table_and_after_the_winner_the_clock_can_be_stopped(dora):
    event = f.make_running_event(14, seats=10)
    assert "Die Uhr läuft noch" not in due(dora, event)
    for entry in f.at_table(event, 2)[:5]:
        f.out(event, entry)
    shown = due(dora, event)
    assert "Finaltisch auslosen" in shown
    assert "Die Uhr läuft noch" in shown
    done(dora, event, "clock-pause")
    assert not clock_state(f.fresh(event).clock, f.after(25)).is_running
    shown = due(dora, event)
    assert "Finaltisch auslosen" in shown
    assert "Die Uhr läuft noch" not in shown


def test_after_the_last_hand_the_next_step_is_offered(dora):
    event = f.make_running_event(3)
    f.drive(clock_last_hands, event, 20, hands=2)
    f.drive(clock_hand, event, 21)
    assert "Noch eine Hand." in words_of(dora, event, "director-clock")
    assert "Die letzte Hand ist gespielt" not in due(dora, event)
    f.drive(clock_hand, event, 22)
    panel = words_of(dora, event, "director-clock")
    assert "Die letzte Hand ist gespielt." in panel
    assert "Noch 0" not in panel
    html = dora.get(url_of(event, "director-due")).content.decode()
    assert "Die letzte Hand ist gespielt" in html
    assert f'href="{url_of(event, "event-end")}"' in html
    assert "Die Uhr ist angehalten" not in html
    done(dora, event, "clock-start")
    assert "Die letzte Hand ist gespielt" not in due(dora, event)


@pytest.mark.parametrize(("level", "said"), [(1, False), (4, True)])
def test_breaking_a_table_into_full_ones_says_that_more_may_come(dora, level, said):
    event = f.make_running_event(22, seats=10, late_registration_level=level)
    for entry in f.at_table(event, 3)[:2]:
        f.out(event, entry)
    shown = due(dora, event)
    assert "Tisch 3 auflösen" in shown
    assert ("kein Platz frei, und es wird noch nachgemeldet" in shown) is said


def test_chips_that_leave_play_are_said_to_leave_now_while_it_is_a_break(dora):
    event = f.make_running_event(3)
    levels = list(Level.objects.filter(clock=event.clock).order_by("position"))
    Level.objects.filter(pk=levels[1].pk).update(kind=Level.Kind.BREAK, duration_ms=600_000)
    Level.objects.filter(pk=levels[2].pk).update(colour_up=[1])
    dora.at(15)
    assert "eingetauscht" not in words_of(dora, event, "director-clock")
    dora.at(25)
    assert clock_state(f.fresh(event).clock, f.after(25)).level.is_break
    shown = words_of(dora, event, "director-clock")
    assert "Jetzt werden die Chips zu 1 eingetauscht." in shown
    assert "Mit der nächsten Stufe" not in shown


def test_the_first_dealers_of_all_tables_are_one_press_and_shown_table_by_table(dora):
    event = f.make_seated_event(25, seats=10)
    html = dora.get(url_of(event, "director-due")).content.decode()
    assert url_of(event, "floor-dealers") in html
    answer = press(dora, event, "floor-dealers")
    shown = text_of(answer)
    for draw in DealerDraw.objects.select_related("table"):
        first = draw.cards[0]
        assert f"Tisch {draw.table.number}" in shown
        assert f"Platz {first['seat']}" in shown
        assert card_from_code(first["card"]).rank.label in shown
    assert DealerDraw.objects.count() == 3
    assert "Erste" not in due(dora, event)
    page = dora.get(url_of(event, "director-tables")).content.decode()
    assert url_of(event, "floor-dealer", 1) not in page


def test_nobody_is_asked_for_first_dealers_all_evening(dora):
    event = f.make_running_event(14, seats=10)
    dora.at(5)
    page = dora.get(url_of(event, "director-tables")).content.decode()
    assert url_of(event, "floor-dealer", 1) in page
    assert "Erste Geber an 2 Tischen" in due(dora, event)
    dora.at(25)
    page = dora.get(url_of(event, "director-tables")).content.decode()
    assert url_of(event, "floor-dealer", 1) not in page
    assert "Erste Geber" not in due(dora, event)


def test_the_sample_is_removed_only_after_a_question(dora):
    sample = sample_make(club=f.house(), at=f.START)
    page = dora.get(url_of(sample, "director")).content.decode()
    ribbon = page[page.index("sample-ribbon") : page.index("</aside>", page.index("sample-ribbon"))]
    opener, question = ribbon.split("</summary>")
    assert "Beispiel entfernen" in opener
    assert "<form" not in opener
    assert "Zurücknehmen geht nicht." in question
    assert "Ja, entfernen" in question
    own = f.make_running_event(3)
    assert "sample-ribbon" not in dora.get(url_of(own, "director")).content.decode()


def test_the_desk_names_what_is_free(client):
    event = f.make_event(capacity=30)
    for number in range(26):
        f.register(event, f"Gast {number}")
    f.check_in(event, event.registrations.first())
    f.sign_browser_in(client, Role.DESK, event)
    shown = words_of(client, event, "desk")
    assert "angemeldet 26 da 1 Plätze frei 4" in shown
