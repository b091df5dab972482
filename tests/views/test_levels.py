"""What is played is shown: stud, antes, limits; the editor marks what is wrong; own plans."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse

from clock.domain import AnteKind, Level, LimitKind
from clock.models import ScheduleTemplate
from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tests.pressing import url_of
from tests.views.pages import FILLED, NOW, bare, card_with, planned, text_of
from tests.views.test_schedule import levels, rows_sent, save, sent_of
from tournaments.changes.access import SYSTEM
from tournaments.event.services.schedule.edit import schedule_edit
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
        plain = text_of(dora.get(url_of(event, name)))
        assert not any(
            word in plain
            for word in ("<th>Ante", "BB-Ante", "Bring-in<", "Razz, Split", "Small / Big")
        )
    event = play(event, levels(event)[0], STUD, ONE_ANTE)
    for name in PAGES:
        page = bare(text_of(dora.get(url_of(event, name))))
        for word in ("Razz, Split Limit", "4.000", "8.000", "500", "1.000", "25.000 / 50.000"):
            assert word in page, (name, word)
        assert "Zuerst kommt der Blind, dann die Ante (TDA 2024 RP-11)." in page
        assert "0 / 0" not in page
    jump = text_of(dora.get(url_of(event, "clock-jump")))
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
    assert answer.status_code == 422
    assert "Razz braucht Tische mit höchstens 8 Plätzen, hier sind es 9." in text_of(answer)
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
    english = text_of(dora.get(pages[0], headers={"Accept-Language": "en"}))
    assert "T200, changed" in english
    action = f.last_action(event)
    dora.post(reverse("action-undo", args=[event.slug, action.pk]), headers={"HX-Request": "true"})
    assert "T200, geändert" not in text_of(dora.get(pages[1]))

    save(dora, event, tun="remove-3")
    begins = {name: FILLED[name] for name in ("day", "time")}
    dora.post(url_of(event, "event-copy"), {"name": "Kopie", **begins})
    copied = Event.objects.get(name="Kopie")
    assert "T200, geändert" in text_of(dora.get(url_of(copied, "event-schedule")))
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
    assert "T200, geändert" in text_of(dora.get(url_of(event, "event-schedule")))
    taken = dora.post(here, {"name": "t200"})
    assert "gibt es schon" in text_of(taken)
    assert dora.post(here, {"name": ""}).status_code == 422
    assert dora.post(here, {"name": " Haus  am See "}).url == url_of(event, "event-schedule")
    own = ScheduleTemplate.objects.get(name="Haus am See")
    assert "Haus am See, geändert" not in text_of(dora.get(url_of(event, "event-schedule")))
    assert f.fresh(event).schedule_name == "Haus am See"

    chosen = {"schedule": "Haus am See", "ends": "21:15"}
    answer = dora.post(reverse("new-event"), FILLED | chosen)
    assert answer.status_code == 422
    assert "braucht Tische mit höchstens 8 Plätzen" in text_of(answer)
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
