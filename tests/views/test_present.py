"""The server's clock set back or forward, and a machine that slept, with injected clocks."""

from datetime import timedelta

import pytest
from django.urls import reverse

from clock.models import ClockAction
from clock.selectors import clock_state
from tests import factories as f
from tournaments.changes.views.requests import present
from tournaments.models import Action

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def event():
    return f.make_running_event(3)


@pytest.fixture
def wall(monkeypatch):
    """Set the laptop's clock, in minutes after the start."""

    def set_to(minute):
        monkeypatch.setattr("django.utils.timezone.now", lambda: f.after(minute))

    return set_to


def press(dora, event, name, **data):
    answer = dora.post(reverse(name, args=[event.slug]), data, headers=HTMX)
    assert answer.status_code == 200, answer.content.decode()
    return f.fresh(event)


def test_a_clock_set_back_never_goes_before_what_was_written_down(dora, event, wall):
    wall(25)
    event = press(dora, event, "clock-adjust", seconds="60")
    wall(-35)
    assert present(event) == f.after(25)
    event = press(dora, event, "clock-pause")
    rows = ClockAction.objects.filter(clock=event.clock).order_by("sequence")
    assert [row.at for row in rows] == [f.START, f.after(25), f.after(25)]
    recorded = list(Action.objects.filter(event=event).order_by("sequence"))
    assert recorded == sorted(recorded, key=lambda row: row.recorded_at)
    state = clock_state(event.clock, present(event))
    assert (state.level.number, state.elapsed) == (2, timedelta(minutes=4))
    wall(26)
    assert present(event) == f.after(26)


def test_a_standing_clock_loses_nothing_when_the_time_is_set_forward(dora, event, wall):
    wall(5)
    event = press(dora, event, "clock-pause")
    wall(65)
    assert clock_state(event.clock, present(event)).remaining == timedelta(minutes=15)
    event = press(dora, event, "clock-start")
    assert clock_state(event.clock, present(event)).remaining == timedelta(minutes=15)


def test_a_machine_that_slept_wakes_where_the_hall_is(dora, event, wall):
    wall(1)
    event = press(dora, event, "clock-adjust", seconds="-60")
    wall(181)
    state = clock_state(event.clock, present(event))
    assert (state.level.number, state.elapsed) == (10, timedelta(minutes=2))
    event = press(dora, event, "clock-pause")
    assert clock_state(event.clock, f.after(999)).elapsed == timedelta(minutes=2)
