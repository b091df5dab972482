"""What is played is shown and edited; own plans; evenings planned by their end; mixed games."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse

from clock.domain import AnteKind, Level, LimitKind
from clock.models import ScheduleTemplate
from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tests.pressing import HTMX, shows, url_of
from tests.views.pages import (
    FILLED,
    NOW,
    assert_refused,
    bare,
    card_with,
    page_of,
    planned,
    text_of,
)
from tests.views.test_schedule import levels, rows_sent, save, sent_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.event.domain.games import MIXES, Mix
from tournaments.event.services.clock import clock_jump
from tournaments.event.services.lifecycle import event_update
from tournaments.event.services.schedule.edit import schedule_edit, schedule_mixed
from tournaments.models import Event
from tournaments.screens.views.big_screen import screen_payload

pytestmark = pytest.mark.django_db
LENGTH = timedelta(minutes=20)
STUD = Level(id=0, duration=LENGTH, small_bet=4000, big_bet=8000, ante=500, bring_in=1000,
             game="Razz", limit=LimitKind.SPLIT_LIMIT)  # fmt: skip
ONE_ANTE = Level(id=0, duration=LENGTH, small_blind=25_000, big_blind=50_000, ante=50_000,
                 ante_kind=AnteKind.BIG_BLIND)  # fmt: skip
PAGES = ("tournament", "event-schedule", "paper-poster", "paper-blank")


def play(event, *rows):
    """Give the event this schedule."""
    seen = [level.id for level in levels(event)]
    call_service(schedule_edit, event=event, by=SYSTEM, at=NOW, levels=list(rows), based_on=seen)
    return f.fresh(event)


def marks(answer):
    return {line["index"]: line["mark"] for line in answer.context["lines"] if line["mark"]}


# Shown


def test_every_page_shows_what_is_played_and_none_a_column_that_is_empty(dora):
    event = planned(seats_per_table=8)
    for name in PAGES:
        plain = page_of(dora, event, name)
        assert not any(
            word in plain
            for word in ("<th>Ante", "BB-Ante", "Bring-in<", "Razz, Split", "Small / Big")
        )
    event = play(event, levels(event)[0], STUD, ONE_ANTE)
    for name in PAGES:
        page = bare(page_of(dora, event, name))
        for word in ("Razz, Split Limit", "4.000", "8.000", "500", "1.000", "25.000 / 50.000"):
            assert word in page, (name, word)
        shows(page, "Zuerst kommt der Blind, dann die Ante (TDA 2024 RP-11).", but=("0 / 0",))
    jump = page_of(dora, event, "clock-jump")
    assert "Stufe 2: 4.000 / 8.000, Ante 500, Bring-in 1.000, Razz, Split Limit" in jump
    assert "Stufe 3: 25.000 / 50.000, BB-Ante 50.000" in jump


def test_screens_and_scripts_get_it_too(client):
    event = play(planned(seats_per_table=8), STUD, ONE_ANTE)
    stud, one_ante = screen_payload(event)["clock"]["levels"]
    assert (stud["small_bet"], stud["limit"], stud["game"]) == (4000, "split_limit", "Razz")
    assert (one_ante["ante"], one_ante["ante_kind"]) == (50_000, "big_blind")
    told = client.get(reverse("api-schedule", args=[event.slug])).json()
    assert told["is_edited"] is True
    assert told["levels"][1]["ante_kind"] == "big_blind"
    assert told["levels"][0]["small_bet"] == 4000


# The editor


def test_what_was_typed_stays_marked_at_its_row_and_no_clock_gets_it(dora):
    event = planned()
    before = levels(event)
    wrong = {"stufe-2-small_blind": "77", "stufe-4-minutes": "33", "tun": "break-5"}
    answer = save(dora, event, **wrong)
    assert answer.status_code == 422
    assert marks(answer) == {2: "Stufe 3: Der Small Blind ist größer als der Big Blind."}
    assert "Noch nicht gespeichert" in text_of(answer)
    forms = list(answer.context["rows"])
    assert (forms[2]["small_blind"].value(), forms[4]["minutes"].value()) == (77, 33)
    assert forms[6]["kind"].value() == "break"  # the press has done its work
    assert levels(event) == before

    two = save(dora, event, **{"stufe-1-minutes": "", "stufe-3-big_blind": "1"})
    assert "Es fehlen die Minuten" in marks(two)[1]
    assert "Die Blinds fallen" in marks(two)[3]
    assert all(sentence in text_of(two) for sentence in marks(two).values())

    sent = sent_of(answer)
    unreadable = dora.post(url_of(event, "schedule-edit"), sent | {"stufe-2-minutes": "bald"})
    assert "ganze Zahl" in text_of(unreadable)
    shown = [line["level"].is_break for line in unreadable.context["lines"]]
    assert [index for index, is_break in enumerate(shown) if is_break] == [6]
    assert all(line["form"] for line in unreadable.context["lines"])
    answer = dora.post(url_of(event, "schedule-edit"), sent | {"stufe-2-small_blind": "2"})
    assert answer.status_code == 302
    now = levels(event)
    assert (len(now), now[4].duration, now[6].is_break) == (16, timedelta(minutes=33), True)


def test_stud_is_typed_with_its_bets_and_the_others_name_what_they_play(dora):
    stud = {"small_blind": "", "big_blind": "", "small_bet": "40", "ante": "5", "bring_in": "10"}
    stud |= {"game": "Razz", "limit": "split_limit"}
    typed = {f"stufe-14-{name}": value for name, value in stud.items()}
    large = planned(seats_per_table=9)
    answer = save(dora, large, **typed)
    assert_refused(answer, "Razz braucht Tische mit höchstens 8 Plätzen, hier sind es 9.")
    event = planned(seats_per_table=8)
    assert save(dora, event, **typed).status_code == 302
    first, *_others, last = levels(event)
    assert (last.small_bet, last.big_bet, last.bring_in) == (40, 80, 10)
    assert (first.game, first.limit) == ("Texas Hold’em", "no_limit")
    assert (last.game, last.limit) == ("Razz", "split_limit")
    assert first.big_bet == 2  # nobody sees it, nobody takes it away


def test_from_one_level_on_the_big_blind_posts_the_ante(dora):
    event = planned()
    assert save(dora, event, tun="bbante-3").status_code == 302
    now = levels(event)
    assert [level.ante for level in now[:3]] == [0, 0, 0]
    assert all(level.is_big_blind_ante and level.ante == level.big_blind for level in now[3:])
    assert save(dora, event, tun="noante-5").status_code == 302
    assert [level.ante for level in levels(event)[3:7]] == [8, 15, 0, 0]
    answer = save(dora, event, **{"stufe-3-ante": "7", "stufe-3-is_big_blind_ante": ""})
    assert answer.status_code == 302
    assert levels(event)[3].ante_kind == AnteKind.EACH


# Its name


def test_an_edited_plan_does_not_carry_the_old_name(dora):
    event = planned()
    pages = [url_of(event, name) for name in ("tournament", "event-schedule")]
    pages.append(card_with(event, "starting_stack"))
    assert all("T200, geändert" not in text_of(dora.get(page)) for page in pages)
    save(dora, event, tun="remove-3")
    assert all("T200, geändert" in text_of(dora.get(page)) for page in pages)
    assert "T200, changed" in text_of(dora.get(pages[0], headers={"Accept-Language": "en"}))
    action = f.last_action(event)
    dora.post(reverse("action-undo", args=[event.slug, action.pk]), headers=HTMX)
    assert "T200, geändert" not in text_of(dora.get(pages[1]))

    save(dora, event, tun="remove-3")
    begins = {name: FILLED[name] for name in ("day", "time")}
    dora.post(url_of(event, "event-copy"), {"name": "Kopie", **begins})
    assert "T200, geändert" in page_of(dora, Event.objects.get(name="Kopie"), "event-schedule")
    dora.post(url_of(event, "event-schedule"), {"schedule": "T100", "level_minutes": "20"})
    assert "T100, geändert" not in text_of(dora.get(pages[1]))


def test_a_plan_is_kept_chosen_renamed_and_deleted(dora):
    long = replace(ONE_ANTE, duration=timedelta(minutes=45))
    event = play(planned(seats_per_table=8), STUD, ONE_ANTE, long)
    here = url_of(event, "event-schedule-save")
    dora.post(here, {"name": "Kurz"})
    f.assert_logged(event, "schedule.saved")
    f.undo(event, at=NOW)
    assert not ScheduleTemplate.objects.filter(name="Kurz").exists()
    assert "T200, geändert" in page_of(dora, event, "event-schedule")
    assert "gibt es schon" in text_of(dora.post(here, {"name": "t200"}))
    assert dora.post(here, {"name": ""}).status_code == 422
    assert dora.post(here, {"name": " Haus  am See "}).url == url_of(event, "event-schedule")
    own = ScheduleTemplate.objects.get(name="Haus am See")
    assert "Haus am See, geändert" not in page_of(dora, event, "event-schedule")
    assert f.fresh(event).schedule_name == "Haus am See"

    chosen = {"schedule": "Haus am See", "ends": "21:15"}
    answer = dora.post(reverse("new-event"), FILLED | chosen)
    assert_refused(answer, "braucht Tische mit höchstens 8 Plätzen")
    chosen["seats_per_table"] = "8"
    assert dora.post(reverse("new-event"), FILLED | chosen).status_code == 302
    made = list(clock_levels(Event.objects.get(name="Novemberturnier").clock))
    assert [level.duration / timedelta(minutes=1) for level in made] == [60, 60, 45]
    assert (made[0].small_bet, made[0].game, made[1].is_big_blind_ante) == (4000, "Razz", True)

    name = reverse("own-schedule-rename", args=[own.pk])
    assert dora.post(name, {"name": "T300"}).status_code == 422
    assert dora.post(name, {"name": "Stud am See"}).status_code == 302
    assert "Stud am See" in text_of(dora.get(reverse("club-settings")))
    shipped = ScheduleTemplate.objects.get(name="T100")
    for way in ("own-schedule-rename", "own-schedule-delete"):
        answer = dora.post(reverse(way, args=[shipped.pk]), {"name": "Meins"})
        assert "kommt mit dem Programm" in text_of(answer)
    assert dora.post(reverse("own-schedule-delete", args=[own.pk])).status_code == 302
    assert not ScheduleTemplate.objects.filter(pk=own.pk).exists()


def test_done_saves_what_was_typed_or_just_leaves(dora):
    event = planned()
    sent = rows_sent(dora, event)
    there = reverse("event-schedule", args=[event.slug])
    assert dora.post(url_of(event, "schedule-edit"), {**sent, "done": "1"}).url == there
    assert not f.fresh(event).clock.is_edited
    sent["stufe-1-minutes"] = "33"
    assert dora.post(url_of(event, "schedule-edit"), {**sent, "done": "1"}).url == there
    assert levels(event)[1].duration == timedelta(minutes=33)
    wrong = {**rows_sent(dora, event), "stufe-2-minutes": "x", "done": "1"}
    answer = dora.post(url_of(event, "schedule-edit"), wrong)
    assert answer.status_code == 422
    assert not any(form.more_is_wrong for form in answer.context["rows"])
    assert levels(event)[2].duration == LENGTH


# --- An evening planned by its end and its chips; mixed games put in with one press


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


def test_the_page_plans_the_evening_follows_what_is_changed_and_takes_it_over(dora, evening):
    answer = dora.get(url(evening))
    shows(text_of(answer), "Schluss etwa um", "Was jeder bekommt", "T100", "<svg", "1:30 h")
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
    answer = dora.post(url(evening), WISH)
    assert answer.status_code == 302
    assert answer.url == reverse("event-schedule", args=[evening.slug])
    event = f.fresh(evening)
    assert event.schedule_name == "Plan bis 23:00"
    assert [row.is_break for row in clock_levels(event.clock)[:5]] == [False] * 4 + [True]
    assert "Plan bis 23:00" in text_of(dora.get(answer.url))


def test_a_wish_that_cannot_be_had_says_why_and_changes_nothing(dora, evening):
    for own, sentence in (
        ({"players": "1"}, "Mindestens 2."),
        ({"ends_at": "spät"}, "Bitte eine Uhrzeit wie 23:30 angeben."),
        ({"ends_at": ""}, "Bitte die Uhrzeit angeben."),
        ({"percent": "900"}, "900"),
        ({"ends_at": "19:30"}, "In dieser Zeit haben keine zwei Stufen Platz."),
        ({"ends_at": "20:00"}, "So schnell lassen sich die Blinds nicht steigern"),
        ({"ends_at": "18:59", "level_minutes": "5"}, "Das wären mehr als 60 Stufen."),
        ({"stack": "3", "depth": "10"}, "Der kleinste Chip ist zu groß"),
        ({"ends_at": "21:00", "level_minutes": "30"}, "Mit Stufen zu 15 Minuten geht es."),
    ):
        assert_refused(dora.post(url(evening), WISH | own), sentence)
    assert f.fresh(evening).schedule_name == "T100"


def test_without_chips_or_once_it_runs_that_is_said(dora):
    event = planned(schedule="T100")
    event.chip_set = None
    event.save()
    assert "Für dieses Turnier sind keine Chips gewählt." in text_of(dora.get(url(event)))
    running = f.make_running_event(6)
    shows(text_of(dora.get(url(running))), "Der Plan steht fest", but=("Plan übernehmen",))
    assert dora.post(url(running), WISH).status_code == 422


def levels_of(event):
    return [level for level in clock_levels(f.fresh(event).clock) if not level.is_break]


def sent(event, **own):
    stand = ",".join(str(level.id) for level in clock_levels(event.clock))
    return {"stand": stand, "mix": "horse", **own}


def press_mix(client, event, **own):
    return client.post(reverse("schedule-mix", args=[event.slug]), sent(event, **own))


def test_s25_one_press_gives_every_level_its_game(dora):
    event = planned(seats_per_table=8)
    page = reverse("event-schedule", args=[event.slug])
    for mix, turns in MIXES.items():
        assert press_mix(dora, event, mix=mix.value).url == page
        played = [(level.game, level.limit) for level in levels_of(event)]
        assert played == [turns[row % len(turns)] for row in range(len(played))]
        assert turns[0][0] in text_of(dora.get(page))
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


def test_what_does_not_fit_says_so_and_changes_nothing(dora):
    event = planned(seats_per_table=8)
    for own, words in (
        ({"hands": "0"}, "Mindestens 1."),
        ({"hands": "x"}, "Bitte eine ganze Zahl"),
        ({"mix": "chess"}, "chess"),
        ({"hands": "6", "mix": "eight_game"}, "höchstens 100 Zeilen"),
        ({"stand": "7"}, "inzwischen geändert"),
    ):
        assert_refused(press_mix(dora, event, **own), words)
    assert {level.game for level in levels_of(event)} == {""}


def test_s25_tables_stay_small_enough_for_the_stud_of_the_schedule(dora):
    large = planned(seats_per_table=10)
    answer = press_mix(dora, large)
    assert_refused(answer, "Razz braucht Tische mit höchstens 8 Plätzen, hier sind es 10.")
    assert press_mix(dora, large, mix="dealers_choice").status_code == 302
    event = planned(seats_per_table=8)
    press_mix(dora, event)
    with f.refused("too_many_seats", event):
        f.drive(event_update, f.fresh(event), 1, settings={"seats_per_table": 9})
    f.drive(event_update, f.fresh(event), 1, settings={"seats_per_table": 7})
    assert f.fresh(event).seats_per_table == 7


def test_s25_the_desk_takes_the_game_in_force(client, minute):
    event = f.make_running_event(6, seats_per_table=8)
    levels = clock_levels(event.clock)
    mixed = schedule_mixed(event, Mix.HORSE, None, f.after(1))
    f.drive(schedule_edit, event, 1, levels=mixed, based_on=[level.id for level in levels])
    assert levels_of(event)[0].game == ""  # what has begun stays
    minute(3)
    f.sign_browser_in(client, Role.ARBITER, event)
    games = (("holdem", "holdem"), ("omaha", "omaha_hilo"), ("stud", "razz"), ("stud", "stud"))
    for turn, (desk, contest) in enumerate(games):
        level = levels_of(event)[1 + turn]
        f.drive(clock_jump, f.fresh(event), 2, level=level.id)
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
