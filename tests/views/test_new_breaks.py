"""Breaks in the plan of a new tournament: typed, seen at once, said when there are none."""

from datetime import timedelta

import pytest
from django.urls import reverse

from clock.selectors import clock_levels
from tests import factories as f
from tests.views.pages import NOW, bare, planned, text_of
from tests.views.test_events import FILLED
from tests.views.test_schedule import url
from tournaments.event.views.events import suggested
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def breaks_of(event):
    after, number = {}, 0
    for level in clock_levels(event.clock):
        if level.is_break:
            after[number] = level.duration / timedelta(minutes=1)
        number = level.number or number
    return after


@pytest.mark.parametrize(
    ("typed", "breaks"),
    [
        ({}, {}),
        ({"break_after": "alle 4"}, {4: 10, 8: 10, 12: 10}),
        ({"break_after": "3, 9", "break_minutes": "15"}, {3: 15, 9: 15}),
        ({"break_minutes": "15"}, {}),
    ],
)
def test_breaks_come_into_the_plan_of_a_new_tournament(dora, typed, breaks):
    preview = text_of(dora.get(reverse("new-event"), {"plan": "", **FILLED, **typed}))
    assert preview.count("plan-break") - preview.count("plan-breaks") == len(breaks)
    if not breaks:
        assert "Keine Pause" in preview
        assert "01:45" in preview  # 15 levels of 25 minutes from 19:30 on
    assert dora.post(reverse("new-event"), FILLED | typed).status_code == 302
    event = Event.objects.get()
    assert breaks_of(event) == breaks
    shown = text_of(dora.get(url(event, "event-schedule")))
    assert ("keine Pause" in shown) is not bool(breaks)
    assert "geändert" not in bare(shown).split('id="schedule-title">')[1].split("</h2>")[0]


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        ({"break_after": "alle"}, "break_after", "alle wie viele Stufen"),
        ({"break_after": "alle 4 5"}, "break_after", "alle wie viele Stufen"),
        ({"break_after": "3, 15"}, "break_after", "nach Stufe 1 bis 14: Der Plan hat 15 Stufen."),
        ({"break_after": "0"}, "break_after", "nach Stufe 1 bis 14"),
        ({"break_after": "vier"}, "break_after", "ganze Zahlen"),
        ({"break_after": "every 4", "break_minutes": "0"}, "break_minutes", "Mindestens 1."),
    ],
)
def test_breaks_that_cannot_be_are_said_and_nothing_is_made(dora, typed, field, sentence):
    answer = dora.post(reverse("new-event"), FILLED | typed)
    assert answer.status_code == 422
    assert sentence in str(answer.context["form"].errors[field])
    assert not Event.objects.exists()
    assert "ohne sie" in text_of(dora.get(reverse("new-event"), {"plan": "", **FILLED, **typed}))


def test_the_next_tournament_begins_with_the_breaks_of_the_last():
    planned(breaks={4: 15, 8: 15})
    values = suggested(NOW)
    assert (values["break_after"], values["break_minutes"]) == ("4, 8", 15)
    planned(breaks={5: 12, 10: 12}, starts_at=NOW + timedelta(days=30))
    assert suggested(NOW)["break_after"] == "alle 5"


def test_late_registration_may_end_with_a_break_that_the_form_puts_in(dora):
    wanted = FILLED | {"break_after": "alle 5", "late_registration_level": "p2"}
    assert dora.post(reverse("new-event"), wanted).status_code == 302
    assert Event.objects.get().late_registration_break == 2


def test_another_plan_is_chosen_with_breaks(dora):
    event = planned()
    wanted = {
        "schedule": "T100",
        "level_minutes": "20",
        "break_after": "alle 7",
        "break_minutes": "12",
    }
    assert dora.post(url(event, "event-schedule"), wanted).status_code == 302
    assert breaks_of(f.fresh(event)) == {7: 12, 14: 12}
    shown = dora.get(url(event, "event-schedule")).context["form"]
    assert (shown["break_after"].value(), shown["break_minutes"].value()) == ("alle 7", 12)


@pytest.mark.parametrize(("typed", "offered"), [({}, 0), ({"break_after": "4, 8"}, 2)])
def test_late_registration_offers_the_breaks_of_the_plan_and_no_others(dora, typed, offered):
    """When the page opens, when the plan changes under it, and when something else was wrong."""
    answer = dora.get(reverse("new-event"), {"plan": "", **FILLED, **typed})
    shown = text_of(answer)
    select = shown[shown.index('name="late_registration_level"') :]
    assert 'hx-swap-oob="true"' in shown
    assert [f'value="p{number}"' in select for number in (1, 2, 3)] == [
        number <= offered for number in (1, 2, 3)
    ]
    wrong = dora.post(reverse("new-event"), FILLED | typed | {"name": ""})
    assert wrong.status_code == 422
    assert text_of(wrong).count(". Pause (nach Stufe ") == 3 * offered
    assert ". Pause</option>" not in text_of(dora.get(reverse("new-event")))


def test_a_break_that_is_gone_meanwhile_is_refused_in_a_sentence(dora):
    wanted = FILLED | {"break_after": "", "late_registration_level": "p2"}
    answer = dora.post(reverse("new-event"), wanted)
    assert answer.status_code == 422
    assert "Pause" in text_of(answer)[text_of(answer).index("errorlist") :]
    assert not Event.objects.exists()
