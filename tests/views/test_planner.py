"""An evening planned by its end and its chips; mixed games put in with one press."""

import pytest
from django.urls import reverse

from clock.selectors import clock_levels
from tests import factories as f
from tests.pressing import shows
from tests.views.pages import planned, text_of
from tournaments.changes.access import Role
from tournaments.event.domain.games import MIXES, Mix
from tournaments.event.services.clock import clock_jump
from tournaments.event.services.lifecycle import event_update
from tournaments.event.services.schedule.edit import schedule_edit, schedule_mixed

pytestmark = pytest.mark.django_db
WISH = {
    "players": "10",
    "stack": "100",
    "ends_at": "23:00",
    "level_minutes": "20",
    "break_every": "4",
    "break_minutes": "10",
    "percent": "170",
    "depth": "100",
    "ante_from": "",
}


def url(event):
    return reverse("schedule-plan", args=[event.slug])


@pytest.fixture
def evening():
    """A tournament from seven on, with the chips of Steffen."""
    return planned(chip_set=f.house().chip_sets.get(name="Steffen"), schedule="T100", capacity=10)


def test_the_page_plans_the_evening_as_it_stands(dora, evening):
    answer = dora.get(url(evening))
    text = text_of(answer)
    shows(text, "Schluss etwa um", "Was jeder bekommt", "T100", "<svg", "1:30 h")


def test_what_is_changed_is_followed_at_once(dora, evening):
    answer = dora.post(url(evening), WISH | {"preview": "1"}, HTTP_HX_REQUEST="true")
    text = text_of(answer)
    assert answer.status_code == 200
    shows(text, "Schluss etwa um 23:0", "Color-up: Chips zu 1", but=("<html",))
    odd = {"stack": "200", "level_minutes": "8", "preview": "1"}
    text = text_of(dora.post(url(evening), WISH | odd))
    assert "Was der Abend sein soll" in text
    assert "auch krumme dabei. Mit Stufen zu 10 Minuten wären alle rund." in text
    past_midnight = {"stack": "300", "ends_at": "0:30", "preview": "1"}
    assert "Schluss etwa um 00:" in text_of(dora.post(url(evening), WISH | past_midnight))
    assert f.fresh(evening).schedule_name == "T100"


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
        ({"percent": "900"}, "900"),
        ({"ends_at": "19:30"}, "In dieser Zeit haben keine zwei Stufen Platz."),
        ({"ends_at": "20:00"}, "So schnell lassen sich die Blinds nicht steigern"),
        ({"ends_at": "18:59", "level_minutes": "5"}, "Das wären mehr als 60 Stufen."),
        ({"stack": "3", "depth": "10"}, "Der kleinste Chip ist zu groß"),
        ({"ends_at": "21:00", "level_minutes": "30"}, "Mit Stufen zu 15 Minuten geht es."),
    ],
)
def test_a_wish_that_cannot_be_had_says_why_and_changes_nothing(dora, evening, own, sentence):
    answer = dora.post(url(evening), WISH | own)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert f.fresh(evening).schedule_name == "T100"


def test_without_chips_or_once_it_runs_that_is_said(dora):
    event = planned(schedule="T100")
    event.chip_set = None
    event.save()
    assert "Für dieses Turnier sind keine Chips gewählt." in text_of(dora.get(url(event)))
    running = f.make_running_event(6)
    text = text_of(dora.get(url(running)))
    shows(text, "Der Plan steht fest", but=("Plan übernehmen",))
    assert dora.post(url(running), WISH).status_code == 422


def levels_of(event):
    return [level for level in clock_levels(f.fresh(event).clock) if not level.is_break]


def sent(event, **own):
    stand = ",".join(str(level.id) for level in clock_levels(event.clock))
    return {"stand": stand, "mix": "horse", **own}


def press_mix(client, event, **own):
    return client.post(reverse("schedule-mix", args=[event.slug]), sent(event, **own))


@pytest.mark.parametrize("mix", Mix)
def test_s25_one_press_gives_every_level_its_game(dora, mix):
    event = planned(seats_per_table=8)
    assert press_mix(dora, event, mix=mix.value).url == reverse("event-schedule", args=[event.slug])
    played = [(level.game, level.limit) for level in levels_of(event)]
    turns = MIXES[mix]
    assert played == [turns[row % len(turns)] for row in range(len(played))]
    page = text_of(dora.get(reverse("event-schedule", args=[event.slug])))
    assert turns[0][0] in page
    assert turns[0][0] in text_of(dora.get(event.get_absolute_url()))


def test_games_change_after_so_many_hands_within_each_level(dora):
    event = planned(seats_per_table=8)
    before = levels_of(event)
    press_mix(dora, event, hands="6")
    found = levels_of(event)
    assert len(found) == 5 * len(before)
    assert {(level.hands, level.duration) for level in found} == {(6, None)}
    assert {level.unit for level in found[:5]} == {before[0].unit}
    f.undo(f.fresh(event))
    assert [level.amounts for level in levels_of(event)] == [level.amounts for level in before]
    assert {level.game for level in levels_of(event)} == {""}


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"hands": "0"}, "Mindestens 1."),
        ({"hands": "x"}, "Bitte eine ganze Zahl"),
        ({"mix": "chess"}, "chess"),
        ({"hands": "6", "mix": "eight_game"}, "höchstens 100 Zeilen"),
        ({"stand": "7"}, "inzwischen geändert"),
    ],
)
def test_what_does_not_fit_says_so_and_changes_nothing(dora, own, words):
    event = planned(seats_per_table=8)
    answer = press_mix(dora, event, **own)
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert {level.game for level in levels_of(event)} == {""}


def test_s25_tables_stay_small_enough_for_the_stud_of_the_schedule(dora):
    large = planned(seats_per_table=10)
    answer = press_mix(dora, large)
    assert answer.status_code == 422
    assert "Razz braucht Tische mit höchstens 8 Plätzen, hier sind es 10." in text_of(answer)
    assert press_mix(dora, large, mix="dealers_choice").status_code == 302
    event = planned(seats_per_table=8)
    press_mix(dora, event)
    with f.refused("too_many_seats", event):
        f.drive(event_update, f.fresh(event), 1, settings={"seats_per_table": 9})
    f.drive(event_update, f.fresh(event), 1, settings={"seats_per_table": 7})
    assert f.fresh(event).seats_per_table == 7


@pytest.mark.parametrize(
    ("turn", "desk", "contest"),
    [(0, "holdem", "holdem"), (1, "omaha", "omaha_hilo"), (2, "stud", "razz"), (3, "stud", "stud")],
)  # fmt: skip
def test_s25_the_desk_takes_the_game_in_force(client, monkeypatch, turn, desk, contest):
    event = f.make_running_event(6, seats_per_table=8)
    levels = clock_levels(event.clock)
    mixed = schedule_mixed(event, Mix.HORSE, None, f.after(1))
    f.drive(schedule_edit, event, 1, levels=mixed, based_on=[level.id for level in levels])
    assert levels_of(event)[0].game == ""  # what has begun stays
    level = levels_of(event)[1 + turn]
    f.drive(clock_jump, f.fresh(event), 2, level=level.id)
    monkeypatch.setattr("clock.servertime.server_time.now", lambda: f.after(3))
    f.sign_browser_in(client, Role.ARBITER, event)
    answer = client.get(reverse("ruling-desk", args=[event.slug]), {"tisch": "1"})
    evening = answer.context["evening"]
    assert level.game == MIXES[Mix.HORSE][turn][0]
    assert level.game in evening.told
    assert evening.facts["contest"] == contest
    asked = answer.context["asked"].question
    assert (asked["game"], asked["limit"]) == (desk, "split_limit")
    assert (asked["big_blind"], asked["big_bet"]) == (level.unit, level.big_bet)
    assert asked["bring_in"] == level.bring_in
    assert "kennt das Pult nicht" not in text_of(answer)
