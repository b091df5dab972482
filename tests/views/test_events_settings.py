"""Changing a tournament's settings: before the start, after it, and by whom."""

from datetime import time
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.views.pages import NOW, errors_of, planned
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.models import Action

pytestmark = pytest.mark.django_db


def settings_of(event):
    """Return what the settings page sends back when nothing was touched."""
    begins = timezone.localtime(event.starts_at)
    shown = {
        "name": event.name,
        "day": begins.date().isoformat(),
        "time": f"{begins:%H:%M}",
        "capacity": event.capacity,
        "seats_per_table": event.seats_per_table,
        "game": event.game,
        "limit": event.limit,
        "starting_stack": event.starting_stack,
        "late_registration_level": event.late_registration_level,
        "draw_mode": event.draw_mode,
    }
    return (
        shown
        | {f"initial-{name}": value for name, value in shown.items()}
        | {"is_registration_open": "on", "initial-is_registration_open": "True"}
    )


def test_settings_before_the_start_all_change(dora):
    event = planned()
    url = reverse("event-settings", args=[event.slug])
    changed = {
        **settings_of(event), "name": "Anders", "time": "20:15", "capacity": "1.000",
        "game": "omaha", "limit": "pot_limit", "seats_per_table": "8",
        "starting_stack": "500", "late_registration_level": "3", "draw_mode": "field",
    }  # fmt: skip
    del changed["is_registration_open"]
    assert dora.post(url, changed).url == url
    again = f.fresh(event)
    assert (again.name, again.capacity, again.game, again.limit) == (
        "Anders", 1000, "omaha", "pot_limit"
    )  # fmt: skip
    assert (again.seats_per_table, again.starting_stack, again.draw_mode) == (8, 500, "field")
    assert again.late_registration_level == 3
    assert again.is_registration_open is False
    assert timezone.localtime(again.starts_at).time() == time(20, 15)


def test_nothing_touched_is_refused_in_words(dora):
    event = planned()
    answer = dora.post(reverse("event-settings", args=[event.slug]), settings_of(event))
    assert answer.status_code == 422
    assert "nichts geändert" in answer.content.decode()
    assert f.fresh(event).version == event.version


def test_only_what_this_person_changed_is_changed(dora):
    event = planned()
    sent = settings_of(event) | {"name": "Anders"}
    event_update(Command(event=event, by=SYSTEM, at=NOW), settings={"capacity": 20})
    dora.post(reverse("event-settings", args=[event.slug]), sent)
    again = f.fresh(event)
    assert (again.name, again.capacity) == ("Anders", 20)


def test_the_same_change_sent_twice_is_one(dora):
    event = planned()
    url = reverse("event-settings", args=[event.slug])
    sent = settings_of(event) | {"name": "Anders", "idempotency_key": str(uuid4())}
    assert [dora.post(url, sent).status_code for _ in range(2)] == [302, 302]
    assert Action.objects.filter(event=event, kind="event.updated").count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""), ("capacity", "1"), ("seats_per_table", "12"), ("day", "2020-01-01"),
        ("game", "stud"), ("late_registration_level", "400"),
    ],
)  # fmt: skip
def test_a_wrong_setting_says_so_beside_itself(dora, field, value):
    event = planned(seats=10)
    sent = settings_of(event) | {field: value, "limit": "pot_limit"}
    answer = dora.post(reverse("event-settings", args=[event.slug]), sent)
    assert answer.status_code == 422
    assert errors_of(answer, "seats_per_table" if field == "game" else field)
    again = f.fresh(event)
    assert (again.version, again.limit) == (event.version, "no_limit")
    # What was typed is still there, and so is what the page began with.
    page = answer.content.decode()
    assert '<option value="pot_limit" selected>' in page
    assert 'name="initial-limit" value="no_limit"' in page


def test_after_the_start_the_fixed_settings_are_grey_with_their_reason(dora):
    event = f.make_running_event(3)
    page = dora.get(reverse("event-settings", args=[event.slug])).content.decode()
    for reason in ("schon begonnen", "Die Tische sind schon besetzt", "Karten gegeben",
                   "gleich viele Chips", "schon ausgelost"):  # fmt: skip
        assert reason in page
    form = dora.get(reverse("event-settings", args=[event.slug])).context["form"]
    grey = {name for name, field in form.fields.items() if field.disabled}
    assert grey == {
        "day", "time", "game", "limit", "seats_per_table", "starting_stack", "draw_mode",
        "on_time_chips",
        "bounty_kind", "bounty_cut",
    }  # fmt: skip


def test_after_the_start_the_others_still_change(dora):
    event = f.make_running_event(3)
    sent = settings_of(event) | {"name": "Anders"}
    for name in ("day", "time", "game", "limit", "seats_per_table", "starting_stack",
                 "draw_mode"):  # fmt: skip
        del sent[name]
    answer = dora.post(reverse("event-settings", args=[event.slug]), sent)
    assert (answer.status_code, f.fresh(event).name) == (302, "Anders")


def test_a_page_from_before_the_start_gets_the_reason_beside_the_field(dora):
    event = f.make_running_event(3)
    sent = settings_of(event) | {"seats_per_table": "8", "name": "Anders"}
    answer = dora.post(reverse("event-settings", args=[event.slug]), sent)
    assert answer.status_code == 422
    assert "Die Tische sind schon besetzt" in str(errors_of(answer, "seats_per_table"))
    assert f.fresh(event).version == event.version


def test_once_somebody_is_checked_in_the_tables_stay(dora):
    event = f.make_seated_event(2)
    form = dora.get(reverse("event-settings", args=[event.slug])).context["form"]
    assert form.fields["seats_per_table"].disabled
    assert not form.fields["game"].disabled


def test_settings_of_an_evening_that_is_over_are_all_grey(dora):
    event = planned()
    event_cancel(Command(event=event, by=SYSTEM, at=NOW))
    url = reverse("event-settings", args=[event.slug])
    page = dora.get(url)
    assert all(field.disabled for field in page.context["form"].fields.values())
    assert "Speichern" not in page.content.decode()
    answer = dora.post(url, settings_of(event) | {"name": "Anders"})
    assert (answer.status_code, f.fresh(event).name) == (422, event.name)


@pytest.mark.parametrize("role", [Role.DESK, Role.ARBITER, None])
def test_only_directors_change_settings(client, role):
    event = planned()
    if role:
        f.sign_browser_in(client, role)
    url = reverse("event-settings", args=[event.slug])
    assert client.get(url).status_code == 403
    assert client.post(url, settings_of(event) | {"name": "Anders"}).status_code == 403
    assert f.fresh(event).name == event.name


def test_a_director_of_another_tournament_changes_nothing_here(client):
    event, other = planned(), planned()
    f.sign_browser_in(client, Role.DIRECTOR, other)
    url = reverse("event-settings", args=[event.slug])
    assert client.post(url, settings_of(event) | {"name": "Anders"}).status_code == 403
    assert client.get(reverse("event-settings", args=[other.slug])).status_code == 200


def test_pages_cost_a_fixed_number_of_queries(dora, django_assert_max_num_queries):
    event = f.make_running_event(10)
    for name in ("event-settings", "event-copy"):
        with django_assert_max_num_queries(20):
            dora.get(reverse(name, args=[event.slug]))
