"""The buttons of a rehearsal that plays itself, on the director's page."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.calling import call_service
from tests.pressing import shows
from tests.views.pages import assert_shown
from tournaments.changes.access import SYSTEM
from tournaments.models import Action, Event
from tournaments.practice.selectors.rehearsal import self_play_of
from tournaments.practice.services.rehearsal import rehearsal_open

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def event():
    made = call_service(rehearsal_open,
        club=f.house(), by=SYSTEM, at=f.ARRIVAL, key=None,
        players=9, seats_per_table=6, level_minutes=3, are_here=False,
    )  # fmt: skip
    return f.fresh(Event(pk=made.payload["event"]))


def press(client, event, name, **sent):
    return client.post(reverse(name, args=[event.slug]), sent, **HTMX)


def panel(client, event):
    return client.get(reverse("director-rehearsal", args=[event.slug])).content.decode()


def test_it_is_played_step_by_step_or_at_a_speed_and_halted(dora, event):
    answer = press(dora, event, "rehearsal-step")
    assert_shown(answer, "Eingecheckt")
    action = Action.objects.filter(event=event).latest("sequence")
    assert action.kind == "entry.checked_in"
    assert reverse("action-undo", args=[event.slug, action.pk]) in answer.content.decode()
    assert "Abend abspielen" in dora.get(reverse("director", args=[event.slug])).content.decode()
    for speed in ("", "schnell", "7", "-1"):
        assert press(dora, event, "rehearsal-play", speed=speed).status_code == 422
    assert self_play_of(event) is None
    assert press(dora, event, "rehearsal-play", speed="20").status_code == 200
    assert self_play_of(event) == 20
    shows(panel(dora, event), "Abspielen anhalten", but=("Ein Schritt",))
    assert press(dora, event, "rehearsal-halt").status_code == 200
    assert self_play_of(event) is None
    assert '{"speed": 20}' in panel(dora, event)


def test_an_evening_in_earnest_has_no_such_buttons(dora):
    real = f.make_event()
    assert "Abend abspielen" not in dora.get(reverse("director", args=[real.slug])).content.decode()
    assert press(dora, real, "rehearsal-play", speed="5").status_code == 422
    assert "rehearsal-main" not in panel(dora, real)
    filled = {"players": "9", "seats_per_table": "6", "level_minutes": "2", "are_to_come": "on"}
    dora.post(reverse("rehearsal"), filled)
    event = Event.objects.get(is_sample=True)
    assert (event.registrations.count(), event.entries.count()) == (9, 0)
