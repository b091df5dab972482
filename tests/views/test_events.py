"""Making a tournament on its form, with its places and breaks; copying one; the sample."""

from datetime import date, datetime, time, timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from clock.models import Level
from clock.selectors import clock_levels
from tests import factories as f
from tests.pressing import url_of
from tests.views.pages import (
    FILLED,
    NOW,
    TOMORROW,
    VIENNA,
    bare,
    errors_of,
    planned,
    sent_by,
    settings_of,
    text_of,
)
from tournaments.event.domain.games import Game
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.event.views.events import suggested
from tournaments.models import Event
from tournaments.practice.services.sample import sample_make

pytestmark = pytest.mark.django_db
# The last Sunday of March, on which the hour from two to three is left out.
SUNDAY = max(
    day for day in (date(TOMORROW.year + 1, 3, n) for n in range(25, 32)) if day.weekday() == 6
)


# A new one


def test_a_new_tournament_is_made_and_the_director_goes_to_its_evening(dora):
    answer = dora.post(reverse("new-event"), FILLED | {"starting_stack": "7.400"})
    event = Event.objects.get()
    assert (answer.status_code, answer.url) == (302, reverse("director", args=[event.slug]))
    assert (event.name, event.capacity, event.starting_stack) == ("Novemberturnier", 40, 7400)
    assert event.starts_at == datetime.combine(TOMORROW, time(19, 30), VIENNA)
    assert {level.duration for level in clock_levels(event.clock)} == {timedelta(minutes=25)}
    assert (event.rules["key"], event.late_registration_level) == ("krru-3", 4)
    assert event.chip_set is not None


def test_the_form_comes_filled_so_that_one_press_is_enough(dora):
    page = dora.get(reverse("new-event"))
    assert page.status_code == 200
    assert dora.post(reverse("new-event"), sent_by(page.context["form"])).status_code == 302
    assert Event.objects.get().schedule_name == "T200"


def test_a_new_tournament_begins_with_the_last_ones_values():
    last = planned(
        name="Omaha-Abend",
        game="omaha",
        limit="pot_limit",
        seats=8,
        level_minutes=15,
        breaks={4: 15, 8: 15},
        fee_cents=1250,
        reserved_places=4,
        late_registration_level=3,
    )
    wanted = {"name": "Omaha-Abend", "game": "omaha", "limit": "pot_limit", "seats_per_table": 8}
    wanted |= {"level_minutes": 15, "break_after": "4, 8", "break_minutes": 15}
    wanted |= {"fee_cents": 1250, "reserved_places": 4, "late_registration_level": "3"}
    wanted |= {"day": TOMORROW + timedelta(days=7), "time": time(19)}
    assert wanted.items() <= suggested(NOW).items()
    # Until a break of that evening's schedule: a new one may have none.
    Event.objects.filter(pk=last.pk).update(late_registration_break=1)
    assert suggested(NOW)["late_registration_level"] == "3"
    planned(breaks={5: 12, 10: 12}, starts_at=NOW + timedelta(days=30))
    assert suggested(NOW)["break_after"] == "alle 5"


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
    ("field", "own", "said"),
    [
        ("name", {"name": " "}, "braucht einen Namen"),
        ("name", {"name": "x" * 121}, "Höchstens 120"),
        ("day", {"day": ""}, "Tag angeben"),
        ("day", {"day": "31.02.2027"}, "den es gibt"),
        ("day", {"day": "2020-01-01"}, "schon vorbei"),
        ("day", {"day": "9999-12-31"}, "Stimmt das Jahr"),
        ("time", {"time": "25:00"}, "19:30"),
        ("time", {"day": SUNDAY.isoformat(), "time": "02:30"}, "umgestellt"),
        ("schedule", {"schedule": "T999"}, "gibt es nicht"),
        ("level_minutes", {"level_minutes": "241"}, "Höchstens 240"),
        ("level_minutes", {"level_minutes": "bald"}, "ganze Zahl"),
        ("game", {"game": "mau-mau"}, ""),
        ("limit", {"limit": "some"}, ""),
        ("seats_per_table", {"seats_per_table": "11"}, "Höchstens 10"),
        ("seats_per_table", {"game": Game.STUD}, "höchstens 8"),
        ("capacity", {"capacity": "1"}, "Mindestens 2"),
        ("capacity", {"capacity": "9" * 5000}, ""),
        ("rules", {"rules": "none"}, ""),
        ("draw_mode", {"draw_mode": "dice"}, ""),
        ("starting_stack", {"starting_stack": "0"}, "Mindestens 1"),
        ("fee_cents", {"fee_cents": "viel"}, "Betrag wie 12,50"),
        ("reserved_places", {"reserved_places": "99"}, "höchstens so viele Plätze"),
        ("members_first_until", {"members_first_until": "bald"}, "Tag und Uhrzeit"),
        ("no_show_minutes", {"no_show_minutes": "1441"}, "Höchstens 1440"),
        ("no_show", {"no_show": "shot"}, ""),
        ("late_registration_level", {"late_registration_level": "-1"}, ""),
        ("late_registration_level", {"late_registration_level": "p4"}, "Blindplan hat"),
    ],
)
def test_a_wrong_field_says_so_beside_itself_and_nothing_is_made(dora, field, own, said):
    answer = dora.post(reverse("new-event"), {**FILLED, **own})
    assert answer.status_code == 422
    assert errors_of(answer, field)
    assert said in str(errors_of(answer, field))
    page = answer.content.decode()
    assert "Noch nicht angelegt" in page
    assert field == "name" or 'value="Novemberturnier"' in page
    assert field not in BEHIND_MORE or '<details class="more" open' in page
    assert not Event.objects.exists()


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


def test_a_starting_stack_that_does_not_fit_the_plan_is_told_before(dora):
    shown = lambda **own: text_of(dora.get(reverse("new-event"), FILLED | {"plan": ""} | own))
    told = "Big Blinds am Anfang"
    assert told not in shown()
    assert 'stat-value">19</dd>' in shown(schedule="T300", starting_stack="19")
    assert "Nur 9 Big Blinds am Anfang" in shown(schedule="T300", starting_stack="19")
    assert "20.000 Big Blinds am Anfang" in shown(schedule="T200", starting_stack="20000")
    assert "nicht auszahlen" not in shown(schedule="T200")
    assert "Ein Startstapel von 10.000 lässt sich mit den Chips „Steffen“ nicht auszahlen" in shown(
        schedule="T10.000"
    )


def test_a_stack_that_a_changed_schedule_does_not_fit_is_told(dora):
    event = planned(schedule="T300", starting_stack=3000, chip_set=f.house().chip_sets.get())
    page = text_of(dora.get(url_of(event, "event-schedule")))
    assert "1.500 Big Blinds am Anfang" in page
    asked = {"plan": "", "schedule": "T20.000 Turbo", "level_minutes": "", "break_after": ""}
    preview = text_of(dora.get(url_of(event, "event-schedule"), asked))
    assert "Startstapel von 20.000 lässt sich mit den Chips „Steffen“ nicht" in preview
    assert "100 / 200" in preview
    begun = f.make_running_event(3, name="Läuft", schedule="T300", starting_stack=3000)
    assert "Big Blinds am Anfang" not in text_of(dora.get(url_of(begun, "event-schedule")))


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
    assert "plan" not in form.fields
    # That of an old evening is not in the past.
    old = f.make_event(name="Damals", starts_at=datetime(2024, 1, 5, 19, tzinfo=VIENNA))
    form = dora.get(reverse("event-copy", args=[old.slug])).context["form"]
    assert form["day"].value() > timezone.localdate()
    assert (form["day"].value().weekday(), form["time"].value()) == (4, time(19))


def test_a_copy_takes_the_plan_of_the_start_unless_the_changed_one_is_chosen(dora):
    source = f.make_running_event(4)
    seen = [level.id for level in clock_levels(source.clock)]
    wanted = list(clock_levels(source.clock))[:6]
    f.drive(schedule_edit, source, 5, levels=wanted, based_on=seen)
    url = reverse("event-copy", args=[source.slug])
    page = text_of(dora.get(url))
    assert "wie am Start: T200, 20 Minuten je Stufe, keine Pause" in page
    assert "mit den Änderungen des Abends: T200, geändert, 20 Minuten" in page
    for chosen, rows in (("", 15), ("changed", 6)):
        sent = {"name": "Wieder", "day": TOMORROW.isoformat(), "time": "19:00"}
        dora.post(url, sent | {"plan": chosen})
        made = Event.objects.exclude(pk=source.pk).latest("pk")
        assert len(clock_levels(made.clock)) == rows
    assert dora.post(url, sent | {"plan": "mine"}).status_code == 422


def test_the_sample_evening_goes_with_one_press_and_nothing_else_does(dora):
    sample = sample_make(club=f.house(), at=NOW)
    url = reverse("sample-remove", args=[sample.slug])
    assert dora.post(url).url == reverse("home")
    assert not Event.objects.exists()
    assert dora.post(url).status_code == 404
    event = planned()
    answer = dora.post(reverse("sample-remove", args=[event.slug]))
    assert answer.status_code == 422
    assert "kein Beispielabend" in answer.content.decode()
    assert Event.objects.filter(pk=event.pk).exists()


BEHIND_MORE = {"starting_stack", "fee_cents", "reserved_places", "members_first_until"}
BEHIND_MORE |= {"no_show_minutes", "no_show"}
PLACES = {
    "fee_cents": "12,50",
    "reserved_places": "4",
    "offer_minutes": "90",
    "members_first_until": "2026-11-01T20:00",
    "no_show_minutes": "30",
    "no_show": "blinded",
}


def make(dora, **own):
    assert dora.post(reverse("new-event"), FILLED | own).status_code == 302
    return Event.objects.latest("pk")


def test_a_new_tournament_knows_its_places_and_its_fee(dora):
    event = make(dora, **PLACES)
    assert (event.fee_cents, event.reserved_places, event.offer_minutes) == (1250, 4, 90)
    assert (event.no_show_minutes, event.rules["no_show"]) == (30, "blinded")
    assert event.members_first_until.isoformat() == "2026-11-01T19:00:00+00:00"
    assert event.rules["key"] == "krru-3"
    usual = make(dora)  # what is left empty
    assert (usual.fee_cents, usual.reserved_places, usual.offer_minutes) == (0, 0, 720)
    assert (usual.no_show_minutes, usual.rules["no_show"]) == (0, "no_seat")
    assert usual.members_first_until is None
    assert make(dora, offer_minutes="0").offer_minutes == 0
    until = make(dora, break_after="alle 5", late_registration_level="p2")
    assert until.late_registration_break == 2


def test_late_entry_until_a_break_is_set_shown_and_set_back(dora):
    event = make(dora, late_registration_level="2")
    url = reverse("event-settings", args=[event.slug])
    sent = settings_of(event) | {"late_registration_level": "p1"}
    answer = dora.post(url, sent)
    assert answer.status_code == 422
    assert "Pausen hat der Blindplan nicht" in str(
        answer.context["form"].errors["late_registration_level"]
    )
    Level.objects.filter(clock=event.clock, position=2).update(kind="break", small_blind=0)
    assert dora.post(url, sent).status_code == 302
    event = f.fresh(event)
    assert (event.late_registration_level, event.late_registration_break) == (0, 1)
    assert 'value="p1" selected' in dora.get(url).content.decode()
    sent = settings_of(event) | {"initial-late_registration_level": "p1"}
    assert dora.post(url, sent | {"late_registration_level": "3"}).status_code == 302
    event = f.fresh(event)
    assert (event.late_registration_level, event.late_registration_break) == (3, 0)


@pytest.mark.parametrize("level", [3, 17])
def test_until_when_one_may_enter_is_said_in_the_language_of_the_browser(dora, level):
    event = make(dora)
    Event.objects.filter(pk=event.pk).update(late_registration_level=level)
    for url in (reverse("new-event"), reverse("event-settings", args=[event.slug])):
        english = text_of(dora.get(url, headers={"Accept-Language": "en"}))
        assert f"until the end of level {level}<" in english, url
        assert "bis zum Ende" not in english, url
        assert f"bis zum Ende von Stufe {level}<" in text_of(dora.get(url)), url


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
    shown = text_of(dora.get(url_of(event, "event-schedule")))
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


def test_another_plan_is_chosen_with_breaks(dora):
    event = planned()
    wanted = {
        "schedule": "T100",
        "level_minutes": "20",
        "break_after": "alle 7",
        "break_minutes": "12",
    }
    assert dora.post(url_of(event, "event-schedule"), wanted).status_code == 302
    assert breaks_of(f.fresh(event)) == {7: 12, 14: 12}
    shown = dora.get(url_of(event, "event-schedule")).context["form"]
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
