"""Mixed games: put into the schedule with one press, and what pages make of the game in force."""

import pytest
from django.urls import reverse

from clock.selectors import clock_levels
from tests import factories as f
from tests.views.pages import planned, text_of
from tournaments.changes.access import Role
from tournaments.event.domain.games import MIXES, Mix
from tournaments.event.services.clock import clock_jump
from tournaments.event.services.lifecycle import event_update
from tournaments.event.services.schedule.edit import schedule_edit, schedule_mixed

pytestmark = pytest.mark.django_db


def levels_of(event):
    return [level for level in clock_levels(f.fresh(event).clock) if not level.is_break]


def sent(event, **own):
    stand = ",".join(str(level.id) for level in clock_levels(event.clock))
    return {"stand": stand, "mix": "horse", **own}


def press(client, event, **own):
    return client.post(reverse("schedule-mix", args=[event.slug]), sent(event, **own))


@pytest.mark.parametrize("mix", Mix)
def test_s25_one_press_gives_every_level_its_game(dora, mix):
    event = planned(seats_per_table=8)
    assert press(dora, event, mix=mix.value).url == reverse("event-schedule", args=[event.slug])
    played = [(level.game, level.limit) for level in levels_of(event)]
    turns = MIXES[mix]
    assert played == [turns[row % len(turns)] for row in range(len(played))]
    page = text_of(dora.get(reverse("event-schedule", args=[event.slug])))
    assert turns[0][0] in page
    assert turns[0][0] in text_of(dora.get(event.get_absolute_url()))


def test_games_change_after_so_many_hands_within_each_level(dora):
    event = planned(seats_per_table=8)
    before = levels_of(event)
    press(dora, event, hands="6")
    found = levels_of(event)
    assert len(found) == 5 * len(before)
    assert {(level.hands, level.duration) for level in found} == {(6, None)}
    assert {level.unit for level in found[:5]} == {before[0].unit}


def test_what_has_begun_stays_and_the_rest_changes(dora, monkeypatch):
    monkeypatch.setattr("clock.servertime.server_time.now", lambda: f.after(3))
    event = f.make_running_event(6, seats_per_table=8)
    first = levels_of(event)[0]
    press(dora, event)
    assert levels_of(event)[0] == first
    assert levels_of(event)[1].game == "Texas Hold’em"


def test_it_is_taken_back_as_any_edit(dora):
    event = planned(seats_per_table=8)
    before = [level.amounts for level in levels_of(event)]
    press(dora, event)
    f.undo(f.fresh(event))
    assert [level.amounts for level in levels_of(event)] == before
    assert {level.game for level in levels_of(event)} == {""}


@pytest.mark.parametrize(
    ("own", "words"),
    [({"hands": "0"}, "Mindestens 1."), ({"hands": "x"}, "Bitte eine ganze Zahl"),
     ({"mix": "chess"}, "chess"), ({"hands": "6", "mix": "eight_game"}, "höchstens 100 Zeilen"),
     ({"stand": "7"}, "inzwischen geändert")],
)  # fmt: skip
def test_what_does_not_fit_says_so_and_changes_nothing(dora, own, words):
    event = planned(seats_per_table=8)
    answer = press(dora, event, **own)
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert {level.game for level in levels_of(event)} == {""}


def test_stud_at_tables_of_ten_is_refused_and_dealers_choice_is_not(dora):
    event = planned(seats_per_table=10)
    answer = press(dora, event)
    assert answer.status_code == 422
    assert "Stud braucht Tische mit höchstens 8 Plätzen, hier sind es 10." in text_of(answer)
    assert press(dora, event, mix="dealers_choice").status_code == 302


def test_s25_tables_stay_small_enough_for_the_stud_of_the_schedule(dora):
    event = planned(seats_per_table=8)
    press(dora, event)
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
