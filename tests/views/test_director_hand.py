"""The director's hand on clock and bubble from one page: times typed, breaks, what follows what."""

import pytest

from clock.selectors import clock_state
from clock.servertime import server_time
from tests import factories as f
from tests.bubble import begin, first_round, in_the_money, make_event, report_all
from tests.pressing import done, refused, sheet, url_of, words_of
from tournaments.changes.access import Role
from tournaments.play.services.conduct import entry_leave, entry_return

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_event()


@pytest.fixture
def dora(client, event, monkeypatch):
    monkeypatch.setattr(server_time, "now", lambda: f.after(25))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    return client


def state(event):
    return clock_state(f.fresh(event).clock, f.after(25))


def test_the_clock_is_set_and_a_break_begun_from_the_page(dora, event):
    assert "noch zu spielen" in sheet(dora, event, "clock-jump")
    assert "Uhr auf 12:30 gestellt" in done(dora, event, "clock-set", time="12:30")
    assert state(event).remaining.total_seconds() == 750
    for typed in ("", "abc", "-5", "12:75", "1000"):
        refused(dora, event, "clock-set", time=typed)
    assert "Small Blind" in sheet(dora, event, "level-correct")
    values = {"small_blind": "1", "big_blind": "1.000", "ante": "x"}
    refused(dora, event, "level-correct", sentence="Bitte ganze Zahlen", **values)
    done(dora, event, "level-correct", small_blind="1", big_blind="2", ante="1")
    assert "10" in sheet(dora, event, "clock-break")
    refused(dora, event, "clock-break", minutes="lang", sentence="Bitte ganze Minuten")
    done(dora, event, "clock-break", minutes="10")
    assert state(event).level.is_break
    assert "Es ist gerade Pause." in sheet(dora, event, "level-correct")


def test_what_the_clock_does_in_hand_for_hand_is_asked(dora, event):
    asks = url_of(event, "clock-in-round")
    page = url_of(event, "director-clock")
    assert asks not in dora.get(page).content.decode()
    begin(event)
    assert asks in dora.get(page).content.decode()
    assert "Erst wenn alle Tische" in sheet(dora, event, "clock-in-round")
    report_all(event, 0)
    assert "Erst wenn alle Tische" not in sheet(dora, event, "clock-in-round")


def test_after_the_burst_heads_are_counted_then_it_is_announced_then_ended(dora, event):
    def due():
        words = words_of(dora, event, "director-due")
        assert "Nächste Hand freigeben" not in words
        return words

    first_round(event)
    in_the_money(event)
    report_all(event, 1, 23)
    assert "Spieler zählen" in due()
    for table, players in f.sizes(event).items():
        assert f"Tisch {table} gezählt" in due()
        done(dora, event, "floor-heads", table, players=str(players))
    assert "„Im Geld“ ansagen" in due()
    done(dora, event, "money-reach")
    assert "Hand für Hand beenden" in due()
    done(dora, event, "hand-for-hand-end")
    assert "Hand für Hand" not in due()


def test_what_is_due_hears_of_everything_it_shows(dora, event):
    """Seats taken, stacks brought, who is back: all of it is told as conduct."""
    html = dora.get(url_of(event, "director")).content.decode()
    panel = html[html.index('id="director-due"') :][:900]
    away = f.drive(entry_leave, event, 20, entry=f.entries_of(event)[0])
    assert "nicht am Platz" in words_of(dora, event, "director-due")
    back = f.drive(entry_return, event, 21, entry=f.entries_of(event)[0])
    assert "nicht am Platz" not in words_of(dora, event, "director-due")
    for action in (away, back):
        assert any(f"krru:{topic} from:body" in panel for topic in action.news["changed"])
