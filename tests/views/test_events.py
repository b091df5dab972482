"""Making a tournament on its form, with its places and breaks; copying one; the sample."""

import re
from datetime import date, datetime, time, timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from clock.models import Level
from clock.selectors import clock_levels
from tests import factories as f
from tests.pressing import shows, url_of
from tests.views.pages import (
    FILLED,
    NOW,
    TOMORROW,
    VIENNA,
    assert_refused,
    bare,
    card_with,
    errors_of,
    page_of,
    planned,
    save,
    sent_by,
    text_of,
)
from tournaments.event.domain.hours import next_evening, week_after
from tournaments.event.services.schedule.edit import clock_break_now, schedule_edit
from tournaments.models import Event
from tournaments.practice.services.rehearsal import sample_make

pytestmark = pytest.mark.django_db
# The last Sunday of March, on which the hour from two to three is left out.
SUNDAY = max(
    day for day in (date(TOMORROW.year + 1, 3, n) for n in range(25, 32)) if day.weekday() == 6
)


# A new one


def test_a_new_tournament_is_made_and_the_director_goes_to_its_evening(dora):
    sent = FILLED | {"fee_cents": "20", "idempotency_key": str(uuid4())}
    answer, again = (dora.post(reverse("new-event"), sent) for _time in range(2))
    event = Event.objects.get()
    assert again.url == answer.url
    assert (answer.status_code, answer.url) == (302, reverse("director", args=[event.slug]))
    assert (event.name, event.capacity, event.fee_cents) == ("Novemberturnier", 36, 2000)
    assert event.starts_at == datetime.combine(TOMORROW, time(19, 30), VIENNA)
    assert breaks_of(event) == {4: 10, 8: 10, 12: 10}
    assert event.chip_set is not None


def test_the_end_gives_the_minutes_of_a_level(dora):
    """By the model of the planner: 36 play with 200 each until twenty big blinds are left."""
    for ends, minutes in (("22:30", 12), ("02:30", 30), ("19:00", 60)):
        dora.post(reverse("new-event"), FILLED | {"ends": ends})
        event = Event.objects.latest("pk")
        played = {level.duration for level in clock_levels(event.clock) if not level.is_break}
        assert played == {timedelta(minutes=minutes)}, ends
        shown = dora.get(reverse("new-event"), FILLED | {"ends": ends, "plan": ""}).context["plan"]
        assert shown.minutes == minutes
    wrong = dora.post(reverse("new-event"), FILLED | {"ends": "19:30"})
    assert "nicht der Beginn" in errors_of(wrong, "ends")


def test_the_first_evening_asks_eight_fields_and_one_press_is_enough(dora):
    page = dora.get(reverse("new-event"))
    assert len(page.context["form"].fields) == 8
    assert dora.post(reverse("new-event"), sent_by(page.context["form"])).status_code == 302
    assert Event.objects.get().schedule_name == "T200"


def test_an_evening_like_the_last_is_made_with_one_press_and_shows_what_it_inherits(dora):
    planned(name="Bounty-Abend", seats=8, level_minutes=15, capacity=48, fee_cents=2000,
            fee_parts=[["bounty", 500, ""]], bounty_kind="fixed", rebuy_level=4,
            rebuy_cents=2000)  # fmt: skip
    page = dora.get(reverse("new-event"))
    shown = text_of(page)
    for said in ("Wie letzten", "Bounty-Abend", "6 Tische zu 8", "<b>20 €</b>, davon <b>15 €</b>",
                 "<b>5 €</b> Bounty", "Re-buy <b>bis Stufe 4</b>", "15 min"):  # fmt: skip
        assert said in shown, said
    assert "Doch mitnehmen" not in shown
    answer = dora.post(*pressed_on(page))
    made = Event.objects.latest("pk")
    assert (answer.status_code, made.name, made.fee_cents) == (302, "Bounty-Abend", 2000)
    assert timezone.localtime(made.starts_at).date() == TOMORROW + timedelta(days=7)


def test_accidents_of_the_last_evening_are_named_and_left_out_unless_wanted(dora):
    source = f.make_running_event(4, breaks={4: 10})
    f.drive(clock_break_now, source, 15, minutes=7)
    url = reverse("new-event")
    shown = text_of(dora.get(url))
    shows(shown, "Die Pause um 19:15 war ungeplant. Das bleibt weg.", but=("Am Abend geändert",))
    for asked, breaks in ({}, {4: 10}), ({"mit": ""}, {1: 7, 4: 10}):
        page = dora.get(url, {"wie": source.slug, **asked})
        assert ("Das kommt mit." in text_of(page)) is bool(asked)
        assert dora.post(*pressed_on(page)).status_code == 302
        assert breaks_of(Event.objects.latest("pk")) == breaks


def pressed_on(page):
    """Return where the button of an evening like another sends it, and what."""
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text_of(page)))
    return reverse("event-copy", args=[page.context["source"].slug]), sent


def test_other_evenings_are_offered_by_name_and_one_for_nothing_has_no_word_of_money(dora):
    planned(name="Anfänger", starts_at=NOW + timedelta(days=30))
    planned(name="Herbstpokal", fee_cents=5000, starts_at=NOW - timedelta(days=30))
    planned(name="Herbstpokal", starts_at=NOW - timedelta(days=60))
    page = dora.get(reverse("new-event"))
    assert [one.name for one in page.context["others"]] == ["Herbstpokal"]
    assert re.findall(r"Geld|€|Topf|Preis|Cash", text_of(page)) == []
    like = dora.get(reverse("new-event"), {"wie": page.context["others"][0].slug})
    assert "50 €" in text_of(like)
    assert dora.get(reverse("new-event"), {"wie": "nichts"}).status_code == 404


def test_the_hour_stays_the_same_on_the_wall_when_the_clocks_change():
    begins = next_evening(datetime(2026, 10, 24, 23, 0, tzinfo=VIENNA))
    assert (begins.date(), begins.time()) == (date(2026, 10, 25), time(19))
    begins = week_after(datetime(2026, 10, 23, 19, tzinfo=VIENNA), date(2026, 10, 24))
    assert (begins.date(), begins.time()) == (date(2026, 10, 30), time(19))


def test_a_wrong_field_says_so_beside_itself_and_nothing_is_made(dora):
    for field, own, said in (
        ("name", {"name": " "}, "braucht einen Namen"),
        ("name", {"name": "x" * 121}, "Höchstens 120"),
        ("day", {"day": ""}, "Tag angeben"),
        ("day", {"day": "31.02.2027"}, "den es gibt"),
        ("day", {"day": "2020-01-01"}, "schon vorbei"),
        ("day", {"day": "9999-12-31"}, "Stimmt das Jahr"),
        ("time", {"time": "25:00"}, "19:30"),
        ("time", {"day": SUNDAY.isoformat(), "time": "02:30"}, "umgestellt"),
        ("schedule", {"schedule": "T999"}, "gibt es nicht"),
        ("ends", {"ends": ""}, "Uhrzeit angeben"),
        ("ends", {"ends": "25:00"}, "19:30"),
        ("seats_per_table", {"seats_per_table": "11"}, "Höchstens 10"),
        ("players", {"players": "1"}, "Mindestens 2"),
        ("players", {"players": "viele"}, "ganze Zahl"),
        ("players", {"players": "9" * 5000}, ""),
        ("fee_cents", {"fee_cents": "viel"}, "Betrag wie 12,50"),
    ):
        answer = dora.post(reverse("new-event"), {**FILLED, **own})
        assert said in errors_of(answer, field)
        page = answer.content.decode()
        assert "Noch nicht angelegt" in page
        assert field == "name" or 'value="Novemberturnier"' in page
    assert not Event.objects.exists()


def test_the_evening_is_drawn_while_choosing(dora):
    asked = {**FILLED, "plan": ""}
    answer = dora.get(reverse("new-event"), asked)
    page = text_of(answer)
    plan = answer.context["plan"]
    assert (plan.minutes, plan.depth, plan.starting_stack) == (30, 200, 200)
    assert abs(plan.ends_at - datetime.combine(TOMORROW, time(19, 30), VIENNA)) > timedelta(hours=6)
    assert page.count('class="picture-break"') == 3
    assert page.count('class="picture-level"') == plan.levels
    shows(page, "höchstens 36 Spieler an 4 Tischen", "Jeder bekommt")
    assert sum(piece.worth for piece in answer.context["pieces"]) == 200
    assert "<html" not in page
    assert "steht hier" in dora.get(reverse("new-event"), {"plan": ""}).content.decode()
    early = dora.get(reverse("new-event"), {**asked, "day": ""}).content.decode()
    shows(early, "Startstapel", but=("Schluss gegen",))


def test_the_first_schedule_that_fits_the_clubs_chips_is_proposed(dora):
    f.house().chip_sets.update(
        name="Koffer", pieces=[{"value": v, "count": 400} for v in (25, 100, 500, 1000, 5000)]
    )
    page = dora.get(reverse("new-event"), {"art": "tournament"})
    assert page.context["form"]["schedule"].value() == "T5.000"
    told = text_of(dora.get(reverse("new-event"), FILLED | {"plan": "", "schedule": "T200"}))
    assert "Der kleinste Chip von „Koffer“ ist 25: Die Blinds der ersten Stufe" in told
    assert "Der kleinste Chip" not in text_of(page)


def test_a_stack_that_a_changed_schedule_does_not_fit_is_told(dora):
    event = planned(schedule="T300", starting_stack=3000, chip_set=f.house().chip_sets.get())
    assert "1.500 Big Blinds am Anfang" in page_of(dora, event, "event-schedule")
    asked = {"plan": "", "schedule": "T20.000 Turbo", "level_minutes": "", "break_after": ""}
    preview = page_of(dora, event, "event-schedule", **asked)
    shows(preview, "Startstapel von 20.000 lässt sich mit den Chips „Steffen“ nicht", "100 / 200")
    begun = f.make_running_event(3, name="Läuft", schedule="T300", starting_stack=3000)
    assert "Big Blinds am Anfang" not in page_of(dora, begun, "event-schedule")


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
    assert "<dd>T200, 15 Minuten je Stufe, keine Pause</dd>" in text_of(page)
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
        assert len(clock_levels(Event.objects.exclude(pk=source.pk).latest("pk").clock)) == rows
    assert dora.post(url, sent | {"plan": "mine"}).status_code == 422


def test_the_sample_evening_goes_with_one_press_and_nothing_else_does(dora):
    sample = sample_make(club=f.house(), at=NOW)
    url = reverse("sample-remove", args=[sample.slug])
    assert dora.post(url).url == reverse("home")
    assert not Event.objects.exists()
    assert dora.post(url).status_code == 404
    event = planned()
    assert_refused(dora.post(reverse("sample-remove", args=[event.slug])), "kein Beispielabend")
    assert Event.objects.filter(pk=event.pk).exists()


def test_late_entry_until_a_break_is_set_shown_and_set_back(dora):
    event = planned(late_registration_level=2)
    late = "late_registration_level"
    answer = save(dora, event, late, **{late: "p1"})
    assert "Pausen hat der Blindplan nicht" in errors_of(answer, late)
    Level.objects.filter(clock=event.clock, position=2).update(kind="break", small_blind=0)
    assert save(dora, event, late, **{late: "p1"}).status_code == 302
    event = f.fresh(event)
    assert (event.late_registration_level, event.late_registration_break) == (0, 1)
    assert 'value="p1" selected' in dora.get(card_with(event, late)).content.decode()
    assert save(dora, event, late, **{late: "3"}).status_code == 302
    event = f.fresh(event)
    assert (event.late_registration_level, event.late_registration_break) == (3, 0)


@pytest.mark.parametrize("level", [3, 17])
def test_until_when_one_may_enter_is_said_in_the_language_of_the_browser(dora, level):
    event = planned(late_registration_level=level)
    url = card_with(event, "late_registration_level")
    english = text_of(dora.get(url, headers={"Accept-Language": "en"}))
    shows(english, f"until the end of level {level}<", but=("bis zum Ende",))
    assert f"bis zum Ende von Stufe {level}<" in text_of(dora.get(url))


def breaks_of(event):
    after, number = {}, 0
    for level in clock_levels(event.clock):
        if level.is_break:
            after[number] = level.duration / timedelta(minutes=1)
        number = level.number or number
    return after


CHOSEN = {"schedule": "T200", "level_minutes": "25", "break_minutes": "10"}


def test_breaks_come_into_the_plan(dora):
    event = planned(level_minutes=10)
    url = url_of(event, "event-schedule")
    for typed, breaks in (
        ({}, {}),
        ({"break_after": "alle 4"}, {4: 10, 8: 10, 12: 10}),
        ({"break_after": "3, 9", "break_minutes": "15"}, {3: 15, 9: 15}),
        ({"break_minutes": "15"}, {}),
        ({"schedule": "T300", "break_after": "alle 7", "break_minutes": "12"}, {7: 12, 14: 12}),
    ):
        preview = text_of(dora.get(url, {"plan": "", **CHOSEN, **typed}))
        assert preview.count('class="picture-break"') == len(breaks)
        assert ("Keine Pause" in preview) is not bool(breaks)
        assert dora.post(url, CHOSEN | typed).status_code == 302
        assert breaks_of(f.fresh(event)) == breaks
        page = dora.get(url)
        shown, form = text_of(page), page.context["form"]
        assert ("keine Pause" in shown) is not bool(breaks)
        assert form["break_after"].value() == typed.get("break_after", "")
        assert form["break_minutes"].value() == max(breaks.values(), default=10)
        assert "geändert" not in bare(shown).split('id="schedule-title">')[1].split("</h2>")[0]


def test_breaks_that_cannot_be_are_said_and_nothing_is_changed(dora):
    event = planned()
    url = url_of(event, "event-schedule")
    for typed, field, sentence in (
        ({"break_after": "alle"}, "break_after", "alle wie viele Stufen"),
        ({"break_after": "alle 4 5"}, "break_after", "alle wie viele Stufen"),
        ({"break_after": "3, 15"}, "break_after", "nach Stufe 1 bis 14: Der Plan hat 15 Stufen."),
        ({"break_after": "0"}, "break_after", "nach Stufe 1 bis 14"),
        ({"break_after": "vier"}, "break_after", "ganze Zahlen"),
        ({"break_after": "every 4", "break_minutes": "0"}, "break_minutes", "Mindestens 1."),
    ):
        assert sentence in errors_of(dora.post(url, CHOSEN | typed), field)
        assert f.fresh(event).version == event.version
        assert "ohne sie" in text_of(dora.get(url, {"plan": "", **CHOSEN, **typed}))
