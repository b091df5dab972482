"""Settings of late play: paid places, redraws, the size of the final table."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.bubble import begin, make_event
from tests.pressing import words_of
from tournaments.changes.access import Role
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_event()


@pytest.fixture
def dora(client, event):
    f.sign_browser_in(client, Role.DIRECTOR, event)
    return client


def test_settings_of_late_play_are_set_and_shown_and_fixed_at_the_bubble(dora, event):
    where = reverse("event-settings", args=[event.slug])
    form = dora.get(where).context["form"]
    assert form["paid_places"].value() == 7
    sent = {"paid_places": "6", "initial-paid_places": "7", "redraw_at": "27, 18",
            "initial-redraw_at": "", "final_table_seats": "3"}  # fmt: skip
    keeps = {name: form[name].value() for name in form.fields if name not in sent}
    keeps |= {f"initial-{name}": value for name, value in keeps.items()}
    keeps = {name: value for name, value in keeps.items() if value is not None}
    assert dora.post(where, keeps | sent).status_code == 302
    again = f.fresh(event)
    assert (again.paid_places, again.redraw_at, again.final_table_seats) == (6, [27, 18], 3)
    assert "27, 18" in dora.get(where).content.decode()
    assert "6 bezahlt" in words_of(dora, event, "director-facts")
    begin(event)
    form = dora.get(where).context["form"]
    assert form.fields["paid_places"].disabled
    assert "steht fest, wie viele bezahlt werden" in form.fields["paid_places"].help_text


def test_a_new_tournament_has_them_behind_more_and_takes_them_from_the_last(client):
    f.sign_browser_in(client, Role.DIRECTOR)
    where = reverse("new-event")
    form = client.get(where).context["form"]
    sent = {name: form[name].value() for name in form.fields}
    typed = {"paid_places": "5", "redraw_at": "18; 9", "final_table_seats": "9"}
    sent = {name: value for name, value in (sent | typed).items() if value is not None}
    answer = client.post(where, sent | {"redraw_at": "9, 18"})
    assert answer.status_code == 422
    assert answer.context["is_more_open"]
    assert "werden kleiner" in str(answer.context["form"].errors["redraw_at"])
    assert client.post(where, sent).status_code == 302
    event = Event.objects.get()
    assert (event.paid_places, event.redraw_at, event.final_table_seats) == (5, [18, 9], 9)
    form = client.get(where).context["form"]
    assert [form[name].value() for name in typed] == [5, "18, 9", 9]


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("paid_places", "viele", "ganze Zahl"),
        ("paid_places", "61", "höchstens so viele"),
        ("redraw_at", "27 und 18", "ganze Zahlen"),
        ("redraw_at", "18, 27", "werden kleiner"),
        ("redraw_at", "1", "mindestens 2"),
        ("final_table_seats", "11", "Höchstens 10"),
    ],
)
def test_settings_that_cannot_be_say_so_next_to_the_field(dora, event, field, typed, sentence):
    where = reverse("event-settings", args=[event.slug])
    before = f.fresh(event).version
    form = dora.get(where).context["form"]
    sent = {name: form[name].value() for name in form.fields} | {field: typed}
    initial = {f"initial-{name}": form[name].value() for name in form.fields}
    both = {name: value for name, value in (sent | initial).items() if value is not None}
    answer = dora.post(where, both)
    assert answer.status_code == 422
    assert sentence in str(answer.context["form"].errors[field])
    assert f.fresh(event).version == before
