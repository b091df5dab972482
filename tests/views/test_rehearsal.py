"""The page that opens a rehearsal, and the scenes on the arbiter's phone."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_start
from tournaments.models import Event, Table
from tournaments.play.services.hands import hand_begin
from tournaments.practice.services.rehearsal import rehearsal_open

pytestmark = pytest.mark.django_db
FILLED = {"players": "18", "seats_per_table": "9", "level_minutes": "2"}


def test_a_rehearsal_is_opened_and_the_director_goes_to_its_evening(dora):
    assert dora.get(reverse("rehearsal")).status_code == 200
    answer = dora.post(reverse("rehearsal"), FILLED)
    event = Event.objects.get()
    assert (answer.status_code, answer.url) == (302, reverse("director", args=[event.slug]))
    assert dora.get(answer.url).status_code == 200
    assert event.is_sample


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("players", "1", "Mindestens 2"),
        ("players", "20000", "Höchstens 10112"),
        ("seats_per_table", "11", "Höchstens 10"),
        ("level_minutes", "viele", "ganze Zahl"),
    ],
)
def test_what_cannot_be_is_told_next_to_the_field(dora, field, typed, told):
    answer = dora.post(reverse("rehearsal"), {**FILLED, field: typed})
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not Event.objects.exists()


def test_the_table_tells_the_scene_of_its_hand_and_a_real_table_tells_none(client):
    f.sign_browser_in(client, Role.ARBITER)
    made = call_service(rehearsal_open,
        club=f.house(), by=SYSTEM, at=f.ARRIVAL, key=None,
        players=18, seats_per_table=9, level_minutes=2,
    )  # fmt: skip
    event = f.fresh(Event(pk=made.payload["event"]))
    address = reverse("floor-scene", args=[event.slug, 1])
    assert "scene" not in client.get(address).content.decode()
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    hand_begin(Command(event=event, by=SYSTEM, at=f.after(1)), table=Table.objects.get(number=1))
    assert "Probe, Hand 1" in client.get(address).content.decode()
    Event.objects.update(is_sample=False)
    assert "scene" not in client.get(address).content.decode()
