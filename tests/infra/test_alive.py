"""The server notices for how long it was away, and the laptop offers to put the clock back."""

from datetime import timedelta

import pytest

from clock.selectors import clock_state
from clock.servertime import server_time
from krru.observing.alive import Presence, presence
from tests import factories as f
from tests.pressing import done, refused, words_of
from tournaments.changes.access import Role


def test_a_restart_knows_for_how_long_the_server_was_away(tmp_path):
    file = tmp_path / "alive"
    first = Presence(file)
    for minute in (0, 0.5, 1):
        first.note(f.after(minute))
    assert first.away is None
    second = Presence(file)
    second.note(f.after(15))
    assert second.away == (f.after(1), f.after(15))
    second.note(f.after(15.1))
    assert second.away == (f.after(1), f.after(15))
    file.write_text("rubbish")
    third = Presence(file)
    third.note(f.after(40))
    assert third.away is None


def test_a_laptop_that_slept_was_away_too():
    slept = Presence()
    slept.note(f.after(0))
    slept.note(f.after(20))
    assert slept.away == (f.after(0), f.after(20))


@pytest.mark.django_db
def test_the_clock_goes_back_to_before_the_outage_once(client, monkeypatch):
    event = f.make_running_event(4)
    f.sign_browser_in(client, Role.DIRECTOR)
    monkeypatch.setattr(server_time, "now", lambda: f.after(30))
    assert "lief hier nichts" not in words_of(client, event, "director-due")
    monkeypatch.setattr(presence, "away", (f.after(10), f.after(29)))
    due = words_of(client, event, "director-due")
    assert "Von 19:10 bis 19:29 lief hier nichts" in due
    assert "zurück auf 10:00" in due
    refused(client, event, "clock-back", since="x")
    done(client, event, "clock-back", since=str(int(f.after(10).timestamp())))
    state = clock_state(f.fresh(event).clock, f.after(30))
    assert (state.level.number, state.remaining) == (1, timedelta(minutes=10))
    assert "lief hier nichts" not in words_of(client, event, "director-due")
