"""Making a tournament, copying one, removing the sample evening."""

from datetime import date, datetime, time, timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from clock.selectors import clock_levels
from tests import factories as f
from tests.views.pages import NOW, TOMORROW, VIENNA, errors_of, planned
from tournaments.changes.access import Role
from tournaments.event.domain.games import Game
from tournaments.event.views.events import suggested
from tournaments.models import Event
from tournaments.practice.services.sample import sample_make

pytestmark = pytest.mark.django_db
FILLED = {
    "name": "Novemberturnier",
    "day": TOMORROW.isoformat(),
    "time": "19:30",
    "schedule": "T200",
    "level_minutes": "25",
    "game": "holdem",
    "limit": "no_limit",
    "seats_per_table": "9",
    "capacity": "40",
    "rules": "krru-3",
    "starting_stack": "",
    "late_registration_level": "4",
    "draw_mode": "rolling",
}


# A new one


def test_a_new_tournament_is_made_and_the_director_goes_to_its_evening(dora):
    answer = dora.post(reverse("new-event"), FILLED)
    event = Event.objects.get()
    assert (answer.status_code, answer.url) == (302, reverse("director", args=[event.slug]))
    assert (event.name, event.capacity, event.starting_stack) == ("Novemberturnier", 40, 200)
    assert event.starts_at == datetime.combine(TOMORROW, time(19, 30), VIENNA)
    assert {level.duration for level in clock_levels(event.clock)} == {timedelta(minutes=25)}
    assert (event.rules["key"], event.late_registration_level) == ("krru-3", 4)
    assert event.chip_set is not None


def test_the_form_comes_filled_so_that_one_press_is_enough(dora):
    page = dora.get(reverse("new-event"))
    assert page.status_code == 200
    form = page.context["form"]
    sent = {
        name: form[name].value() if form[name].value() is not None else "" for name in form.fields
    }
    assert dora.post(reverse("new-event"), sent).status_code == 302
    assert Event.objects.get().schedule_name == "T200"


def test_a_new_tournament_begins_with_the_last_ones_values():
    planned(name="Omaha-Abend", game="omaha", limit="pot_limit", seats=8, level_minutes=15)
    values = suggested(NOW)
    assert (values["name"], values["game"], values["limit"]) == (
        "Omaha-Abend", "omaha", "pot_limit"
    )  # fmt: skip
    assert (values["seats_per_table"], values["level_minutes"]) == (8, 15)
    assert (values["day"], values["time"]) == (TOMORROW + timedelta(days=7), time(19))


@pytest.mark.parametrize(
    ("now", "day"),
    [
        (datetime(2026, 11, 20, 16, 59, tzinfo=VIENNA), date(2026, 11, 20)),
        (datetime(2026, 11, 20, 17, 0, tzinfo=VIENNA), date(2026, 11, 21)),
        (datetime(2026, 10, 24, 23, 0, tzinfo=VIENNA), date(2026, 10, 25)),  # clocks go back
    ],
)
def test_without_a_last_one_it_is_the_next_evening(now, day):
    f.house()
    values = suggested(now)
    assert (values["day"], values["time"]) == (day, time(19))


def test_the_hour_stays_the_same_on_the_wall_when_the_clocks_change():
    f.make_event(starts_at=datetime(2026, 10, 23, 19, tzinfo=VIENNA))
    values = suggested(datetime(2026, 10, 24, 12, tzinfo=VIENNA))
    assert (values["day"], values["time"]) == (date(2026, 10, 30), time(19))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", " ", "braucht einen Namen"),
        ("name", "x" * 121, "Höchstens 120"),
        ("day", "", "Tag angeben"),
        ("day", "31.02.2027", "den es gibt"),
        ("day", "2020-01-01", "schon vorbei"),
        ("day", "9999-12-31", "Stimmt das Jahr"),
        ("time", "25:00", "19:30"),
        ("schedule", "T999", "gibt es nicht"),
        ("schedule", "", "Blindplan wählen"),
        ("level_minutes", "0", "Mindestens 1"),
        ("level_minutes", "241", "Höchstens 240"),
        ("level_minutes", "bald", "ganze Zahl"),
        ("game", "mau-mau", ""),
        ("limit", "some", ""),
        ("seats_per_table", "1", "Mindestens 2"),
        ("seats_per_table", "11", "Höchstens 10"),
        ("capacity", "1", "Mindestens 2"),
        ("capacity", "viele", "ganze Zahl"),
        ("capacity", "9" * 5000, ""),
        ("rules", "none", ""),
        ("starting_stack", "0", "Mindestens 1"),
        ("late_registration_level", "-1", ""),
        ("draw_mode", "dice", ""),
    ],
)
def test_a_wrong_field_says_so_beside_itself_and_nothing_is_made(dora, field, value, said):
    answer = dora.post(reverse("new-event"), {**FILLED, field: value})
    assert answer.status_code == 422
    assert errors_of(answer, field)
    assert said in str(errors_of(answer, field))
    page = answer.content.decode()
    assert "Noch nicht angelegt" in page
    if field != "name":
        assert 'value="Novemberturnier"' in page
    assert not Event.objects.exists()


def test_stud_has_fewer_seats(dora):
    answer = dora.post(reverse("new-event"), {**FILLED, "game": Game.STUD})
    assert (answer.status_code, Event.objects.count()) == (422, 0)
    assert "höchstens 8" in str(errors_of(answer, "seats_per_table"))
    seats = {"game": Game.STUD, "seats_per_table": "8"}
    assert dora.post(reverse("new-event"), {**FILLED, **seats}).status_code == 302


def test_an_hour_that_the_change_of_clocks_leaves_out_is_refused(dora):
    year = TOMORROW.year + 1
    sunday = next(
        day for day in (date(year, 3, 31 - back) for back in range(7)) if day.weekday() == 6
    )
    answer = dora.post(reverse("new-event"), {**FILLED, "day": sunday.isoformat(), "time": "02:30"})
    assert (answer.status_code, Event.objects.count()) == (422, 0)
    assert "umgestellt" in str(errors_of(answer, "time"))


def test_what_stands_behind_more_is_open_when_something_is_wrong_there(dora):
    assert "<details" in dora.get(reverse("new-event")).content.decode()
    answer = dora.post(reverse("new-event"), {**FILLED, "starting_stack": "0"})
    assert '<details class="more" open' in answer.content.decode()


@pytest.mark.parametrize("typed", ["7400", "7.400", "7 400", "7,400", "7’400"])
def test_numbers_may_be_typed_as_people_write_them(dora, typed):
    dora.post(reverse("new-event"), {**FILLED, "starting_stack": typed})
    assert Event.objects.get().starting_stack == 7400


def test_the_same_form_sent_twice_makes_one_tournament(dora):
    sent = {**FILLED, "idempotency_key": str(uuid4())}
    first, second = (dora.post(reverse("new-event"), sent) for _ in range(2))
    assert (first.status_code, second.url) == (302, first.url)
    assert Event.objects.count() == 1


def test_the_end_is_foretold_while_choosing(dora):
    asked = {**FILLED, "plan": "", "level_minutes": "20"}
    page = dora.get(reverse("new-event"), asked).content.decode()
    assert "00:30" in page  # 15 levels of 20 minutes from 19:30
    assert "00:10" in page
    assert "<html" not in page
    assert "steht hier" in dora.get(reverse("new-event"), {"plan": ""}).content.decode()
    early = dora.get(reverse("new-event"), {**asked, "day": ""}).content.decode()
    assert "Stufen" in early
    assert "00:30" not in early


@pytest.mark.parametrize("role", [Role.DESK, Role.ARBITER, None])
def test_only_the_clubs_director_makes_tournaments(client, role):
    event = planned()
    if role:
        f.sign_browser_in(client, role)
    for name, args in (("new-event", []), ("event-copy", [event.slug])):
        assert client.get(reverse(name, args=args)).status_code == 403
        assert client.post(reverse(name, args=args), FILLED).status_code == 403
    assert Event.objects.count() == 1


def test_who_directs_one_evening_makes_no_other(client):
    event = planned()
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert client.post(reverse("new-event"), FILLED).status_code == 403
    assert client.post(reverse("event-copy", args=[event.slug]), FILLED).status_code == 403


# Copying


def test_a_copy_is_next_week_at_the_same_hour_and_otherwise_the_same(dora):
    source = planned(name="Freitag", seats=8, level_minutes=15)
    page = dora.get(reverse("event-copy", args=[source.slug]))
    form = page.context["form"]
    assert form["day"].value() == TOMORROW + timedelta(days=7)
    sent = {"name": "Freitag", "day": form["day"].value().isoformat(), "time": "19:00"}
    answer = dora.post(reverse("event-copy", args=[source.slug]), sent)
    copied = Event.objects.exclude(pk=source.pk).get()
    assert answer.url == reverse("director", args=[copied.slug])
    assert timezone.localtime(copied.starts_at).date() == TOMORROW + timedelta(days=7)
    assert (copied.seats_per_table, copied.name) == (8, "Freitag")
    assert {level.duration for level in clock_levels(copied.clock)} == {timedelta(minutes=15)}


def test_a_copy_of_an_old_evening_is_not_in_the_past(dora):
    source = f.make_event(starts_at=datetime(2024, 1, 5, 19, tzinfo=VIENNA))
    form = dora.get(reverse("event-copy", args=[source.slug])).context["form"]
    day = form["day"].value()
    assert day > timezone.localdate()
    assert (day.weekday(), form["time"].value()) == (4, time(19))


@pytest.mark.parametrize(("field", "value"), [("name", ""), ("day", "2020-01-01"), ("time", "x")])
def test_a_copy_with_a_fault_is_not_made(dora, field, value):
    source = planned()
    sent = {"name": "Neu", "day": TOMORROW.isoformat(), "time": "19:00", field: value}
    answer = dora.post(reverse("event-copy", args=[source.slug]), sent)
    assert (answer.status_code, Event.objects.count()) == (422, 1)
    assert errors_of(answer, field)


# The sample


def test_the_sample_evening_goes_with_one_press(dora):
    sample = sample_make(club=f.house(), at=NOW)
    url = reverse("sample-remove", args=[sample.slug])
    assert dora.get(url).status_code == 405
    assert dora.post(url).url == reverse("home")
    assert not Event.objects.exists()
    assert dora.post(url).status_code == 404


def test_what_is_no_sample_is_never_removed(dora, client):
    event = planned()
    url = reverse("sample-remove", args=[event.slug])
    answer = dora.post(url)
    assert answer.status_code == 422
    assert "kein Beispielabend" in answer.content.decode()
    client.cookies.clear()
    assert client.post(url).status_code == 403
    assert Event.objects.filter(pk=event.pk).exists()
