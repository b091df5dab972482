"""The page of what everybody is dealt, and the form in which a club enters its chips."""

import pytest
from django.urls import reverse

from clock.selectors import clock_levels
from tests import factories as f
from tests.views.pages import planned, text_of
from tournaments.models import ChipSet

pytestmark = pytest.mark.django_db
TYPED = {"name": "Koffer", "value_0": "25", "count_0": "400", "colour_0": "green",
         "value_1": "100", "count_1": "1.200", "colour_1": "black"}  # fmt: skip


def url(event, name="event-chips"):
    return reverse(name, args=[event.slug])


def steffen(**own):
    return planned(chip_set=f.house().chip_sets.get(name="Steffen"), **own)


def test_the_page_says_what_everybody_gets_and_how_many_sets_that_takes(dora):
    event = steffen(seats=10, schedule="T100", capacity=40)
    text = text_of(dora.get(url(event)))
    assert "15 × 1" in text
    assert "Für 40 Spieler braucht es 4 Sätze." in text
    assert "Einer reicht für höchstens 10 Spieler." in text
    assert "Für 9 Spieler reicht ein Satz." in text_of(dora.get(url(event), {"spieler": "9"}))


@pytest.mark.parametrize("typed", ["", "0", "-3", "viele", "9999999", "²"])
def test_a_number_that_cannot_be_is_read_as_all_who_may_play(dora, typed):
    event = steffen(seats=10, schedule="T100", capacity=30)
    assert "Für 30 Spieler" in text_of(dora.get(url(event), {"spieler": typed}))


def test_when_chips_leave_is_written_into_the_schedule_and_taken_back(dora):
    event = steffen(seats=10, schedule="T100")
    assert not any(level.colour_up for level in clock_levels(event.clock))
    answer = dora.post(url(event, "event-chips-plan"))
    assert answer.status_code == 302
    marked = {level.number: level.colour_up for level in clock_levels(f.fresh(event).clock)}
    assert (marked[5], marked[8]) == ((1,), (5, 10))
    again = dora.get(url(event))
    assert "im Plan" in text_of(again)
    assert "So in den Blindplan schreiben" not in text_of(again)


def test_other_chips_are_chosen_until_the_start(dora):
    event = steffen(seats=10, schedule="T100")
    own = ChipSet.objects.create(
        club=event.club, name="Koffer", pieces=[{"value": 5, "count": 400, "colour": "red"}]
    )
    answer = dora.post(url(event, "event-chips-choose"), {"chips": own.pk})
    assert answer.status_code == 302
    assert f.fresh(event).chip_set == own
    gone = dora.post(url(event, "event-chips-choose"), {"chips": "kein"})
    assert gone.status_code == 422
    assert "Diese Chips gibt es nicht mehr." in text_of(gone)
    assert "20 × 5" in text_of(dora.get(url(event)))


def test_chips_that_make_no_stack_are_told(dora):
    event = planned(schedule="T100")
    event.chip_set = ChipSet.objects.create(
        club=event.club, name="Koffer", pieces=[{"value": 30, "count": 400}]
    )
    event.save()
    assert "kein Stapel von 100" in text_of(dora.get(url(event)))
    assert "kein gleicher Stapel" in text_of(dora.get(url(event, "paper-chips")))


def test_what_lies_at_each_seat_is_printed(dora):
    event = steffen(seats=10, schedule="T100", capacity=20)
    text = text_of(dora.get(url(event, "paper-chips"), {"spieler": "20"}))
    assert "alle 20" in text
    assert "300" in text  # twenty times fifteen


def test_a_club_enters_its_chips(dora):
    answer = dora.post(reverse("chip-set-new"), TYPED)
    assert answer.status_code == 302
    row = ChipSet.objects.get(name="Koffer")
    assert [(piece["value"], piece["count"]) for piece in row.pieces] == [(25, 400), (100, 1200)]
    page = dora.get(reverse("chip-set", args=[row.pk]))
    assert page.context["form"]["count_1"].value() == 1200
    changed = dora.post(reverse("chip-set", args=[row.pk]), TYPED | {"count_0": "300"})
    assert changed.status_code == 302
    row.refresh_from_db()
    assert row.pieces[0]["count"] == 300
    assert dora.post(reverse("chip-set-delete", args=[row.pk])).status_code == 302
    assert not ChipSet.objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ({"name": ""}, "Der Satz braucht einen Namen."),
        ({"value_1": "25"}, "Diesen Wert gibt es oben schon."),
        ({"count_1": ""}, "Wert und Anzahl gehören zusammen."),
        ({"value_1": ""}, "Wert und Anzahl gehören zusammen."),
        ({"count_0": "-4"}, "Mindestens 1."),
        ({"colour_0": "durchsichtig"}, "durchsichtig"),
        ({"value_0": "", "count_0": "", "value_1": "", "count_1": ""}, "mindestens einen Chip"),
    ],
)
def test_what_is_no_case_is_said_at_its_field(dora, own, sentence):
    answer = dora.post(reverse("chip-set-new"), TYPED | own)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert not ChipSet.objects.filter(name="Koffer").exists()


def test_what_came_with_the_program_is_not_opened(dora):
    row = f.house().chip_sets.get(name="Steffen")
    assert dora.get(reverse("chip-set", args=[row.pk])).status_code == 404
