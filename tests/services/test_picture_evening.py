"""The club of the screenshots is in the state that the pictures are meant to show."""

import pytest

from tests.factories import START
from tournaments.changes.access import Role, actor_of, device_of
from tournaments.changes.selectors.log import log_first_fault
from tournaments.devtools import picture_evening
from tournaments.event.selectors.event import players_left, winner_name
from tournaments.models import Entry, Event, Registration, with_link
from tournaments.seating.selectors.balancing import floor_advice

pytestmark = pytest.mark.django_db


def test_the_scene_has_an_evening_of_each_kind_and_something_to_do():
    scene = picture_evening.make_scene(START)

    running, planned, ended = (
        Event.objects.get(slug=slug) for slug in (scene.running, scene.planned, scene.ended)
    )
    assert [running.status, planned.status, ended.status] == ["running", "planned", "ended"]
    assert players_left(running) == picture_evening.LEFT
    assert floor_advice(running, running.log_recorded_at).breaks_table is not None
    assert Entry.objects.live().filter(event=planned).count() == picture_evening.ARRIVED
    assert winner_name(ended, to_staff=True)
    assert log_first_fault(running) is None
    player = with_link(Registration.objects.all(), scene.player).get()
    assert not player.entries.get().eliminations.exists()
    for role in (Role.DIRECTOR, Role.DESK, Role.ARBITER):
        assert actor_of(device_of(getattr(scene, role)), running).role == role
