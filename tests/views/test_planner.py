"""The page on which an evening is planned."""

import pytest
from django.urls import reverse

from clock.selectors import clock_levels
from tests import factories as f
from tests.views.pages import planned, text_of

pytestmark = pytest.mark.django_db
WISH = {"players": "10", "stack": "100", "ends_at": "23:00", "level_minutes": "20",
        "break_every": "4", "break_minutes": "10", "percent": "170", "depth": "100",
        "ante_from": ""}  # fmt: skip


def url(event):
    return reverse("schedule-plan", args=[event.slug])


@pytest.fixture
def evening():
    """A tournament from seven on, with the chips of Steffen."""
    return planned(chip_set=f.house().chip_sets.get(name="Steffen"), schedule="T100", capacity=10)


def test_the_page_plans_the_evening_as_it_stands(dora, evening):
    answer = dora.get(url(evening))
    text = text_of(answer)
    assert "Schluss etwa um" in text
    assert "Was jeder bekommt" in text
    assert "T100" in text
    assert "<svg" in text
    assert "1:30 h" in text


def test_what_is_changed_is_followed_at_once(dora, evening):
    answer = dora.post(url(evening), WISH | {"preview": "1"}, HTTP_HX_REQUEST="true")
    text = text_of(answer)
    assert answer.status_code == 200
    assert "<html" not in text
    assert "Schluss etwa um 23:0" in text
    assert "Eingetauscht werden die Chips zu 1" in text
    assert f.fresh(evening).schedule_name == "T100"
    without = dora.post(url(evening), WISH | {"preview": "1"})
    assert "Was der Abend sein soll" in text_of(without)


def test_odd_amounts_are_said_to_be_odd_and_how_they_would_not_be(dora, evening):
    wish = {"stack": "200", "level_minutes": "8", "preview": "1"}
    text = text_of(dora.post(url(evening), WISH | wish, HTTP_HX_REQUEST="true"))
    assert "auch krumme dabei. Mit Stufen zu 10 Minuten wären alle rund." in text


def test_the_plan_is_taken_over(dora, evening):
    answer = dora.post(url(evening), WISH)
    assert answer.status_code == 302
    assert answer.url == reverse("event-schedule", args=[evening.slug])
    event = f.fresh(evening)
    assert event.schedule_name == "Plan bis 23:00"
    levels = clock_levels(event.clock)
    assert [row.is_break for row in levels[:5]] == [False] * 4 + [True]
    assert "Plan bis 23:00" in text_of(dora.get(answer.url))


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ({"players": "1"}, "Mindestens 2."),
        ({"ends_at": "spät"}, "Bitte eine Uhrzeit wie 23:30 angeben."),
        ({"ends_at": ""}, "Bitte die Uhrzeit angeben."),
        ({"stack": "0"}, "Mindestens 1."),
        ({"level_minutes": "2"}, "Mindestens 3."),
        ({"break_every": "1"}, "Mindestens 2."),
        ({"percent": "900"}, "900"),
        ({"ends_at": "19:30"}, "In dieser Zeit haben keine zwei Stufen Platz."),
        ({"ends_at": "20:00"}, "So schnell lassen sich die Blinds nicht steigern"),
        ({"ends_at": "18:59", "level_minutes": "5"}, "Das wären mehr als 60 Stufen."),
        ({"stack": "3", "depth": "10"}, "Der kleinste Chip ist zu groß"),
    ],
)
def test_a_wish_that_cannot_be_had_says_why_and_changes_nothing(dora, evening, own, sentence):
    answer = dora.post(url(evening), WISH | own)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert f.fresh(evening).schedule_name == "T100"


def test_another_length_of_levels_is_offered(dora, evening):
    answer = dora.post(url(evening), WISH | {"ends_at": "21:00", "level_minutes": "30"})
    assert "Mit Stufen zu 15 Minuten geht es." in text_of(answer)


def test_an_evening_past_midnight(dora, evening):
    answer = dora.post(url(evening), WISH | {"stack": "300", "ends_at": "0:30", "preview": "1"})
    assert "Schluss etwa um 00:" in text_of(answer)


def test_without_chips_that_is_said(dora):
    event = planned(schedule="T100", chip_set=None)
    event.chip_set = None
    event.save()
    assert "Für dieses Turnier sind keine Chips gewählt." in text_of(dora.get(url(event)))


def test_once_it_runs_the_page_says_that_the_plan_is_fixed(dora):
    event = f.make_running_event(6)
    text = text_of(dora.get(url(event)))
    assert "Der Plan steht fest" in text
    assert "Plan übernehmen" not in text
    assert dora.post(url(event), WISH).status_code == 422
