"""The events of the screens' pictures are in the states that the pictures are meant to show."""

import pytest
from django.utils import timezone

from clock.selectors import clock_state
from tests import factories as f
from tournaments.devtools.picture_screens import FACES, Faces
from tournaments.event.selectors.event import screen_figures
from tournaments.models import Club, ClubLogo, Screen
from tournaments.screens.selectors.screens import screen_hand_for_hand, screen_money

pytestmark = pytest.mark.django_db

STATES = {
    "before": lambda event, state: not state.has_started,
    "warning": lambda event, state: state.remaining.total_seconds() < 60,
    "level": lambda event, state: state.elapsed.total_seconds() < 12,
    "break": lambda event, state: state.level.is_break and not state.level.colour_up,
    "colour-up": lambda event, state: state.level.is_break and state.level.colour_up == (1,),
    "waiting": lambda event, state: state.is_waiting,
    "paused": lambda event, state: not state.is_running,
    "last-hands": lambda event, state: state.last_hands == 3,
    "hand-for-hand": lambda event, state: screen_hand_for_hand(event)["reported"] == 2,
    "money": lambda event, state: screen_money(event)["left"] == 5,
    "final-table": lambda event, state: screen_figures(event, timezone.now())["is_final_table"],
    "announcement": lambda event, state: state.is_running,
}


@pytest.fixture
def faces():
    return Faces(f.house())


def test_every_face_has_its_state():
    assert set(STATES) == set(FACES)


@pytest.mark.parametrize("name", FACES)
def test_each_is_in_its_state(faces, name):
    event = f.fresh(FACES[name](faces))
    assert STATES[name](event, clock_state(event.clock, timezone.now()))


def test_the_club_is_dressed_and_screens_are_paired(faces):
    event = faces.theme()
    assert Club.objects.get().colour
    assert ClubLogo.objects.exists()
    faces.paired(event, "seating")
    faces.code(timezone.now())
    assert [screen.is_claimed for screen in Screen.objects.order_by("pk")] == [True, False]
