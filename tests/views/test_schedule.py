"""The blind schedule's editor, files, jumps, how the clock runs, and what a past instant showed."""

import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from clock.models import ClockAction, ScheduleTemplate
from clock.selectors import clock_anchor, clock_levels, clock_state, template_levels
from tests import factories as f
from tests.pressing import HTMX, shows, url_of
from tests.views.pages import assert_refused, assert_shown, page_of, planned, text_of
from tournaments.changes.access import Role
from tournaments.changes.views.requests import present
from tournaments.event.services.clock import clock_pause
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action
from tournaments.play.services.hands import hand_begin

pytestmark = [pytest.mark.django_db, pytest.mark.running(3)]


def sent_of(page):
    """Return what the editor's form sends as it came."""
    formset = page.context["rows"]
    sent = {"stand": page.context["based_on"]}
    sent |= {f"stufe-{name}": value for name, value in formset.management_form.initial.items()}
    for form in formset:
        for bound in form:
            sent[bound.html_name] = "" if bound.value() is None else bound.value()
    return sent


def rows_sent(dora, event):
    """Return what the editor's form sends when nobody has typed anything."""
    return sent_of(dora.get(url_of(event, "schedule-edit")))


def save(dora, event, **own):
    return dora.post(url_of(event, "schedule-edit"), rows_sent(dora, event) | own)


def levels(event):
    return list(clock_levels(f.fresh(event).clock))


@pytest.mark.parametrize(
    ("press", "expected"),
    [
        ("", [(1, 1), (1, 2), (2, 4)]),
        ("up-1", [(1, 2), (1, 1), (2, 4)]),
        ("down-0", [(1, 2), (1, 1), (2, 4)]),
        ("remove-1", [(1, 1), (2, 4), (4, 8)]),
        ("play-0", [(1, 1), (1, 1), (1, 2)]),
        ("break-0", [(1, 1), (0, 0), (1, 2)]),
    ],
)
def test_a_button_does_its_work_and_saves_what_was_typed(dora, press, expected):
    event = planned()
    own = {"stufe-9-minutes": "33", "stufe-0-game": "B", "stufe-1-game": "A", "tun": press}
    answer = save(dora, event, **own)
    assert (answer.status_code, answer.url) == (302, url_of(event, "schedule-edit"))
    found = levels(event)
    assert [(level.small_blind, level.big_blind) for level in found[:3]] == expected
    assert timedelta(minutes=33) in {level.duration for level in found}


def test_what_cannot_be_is_said_and_changes_nothing(dora):
    event = planned(chip_set=f.house().chip_sets.first())
    before = levels(event)
    for field, value, sentence in (
        ("tun", "", "Es hat sich nichts geändert."),
        ("stufe-2-minutes", "0", "Mindestens 1."),
        ("stufe-2-minutes", "", "Stufe 3: Es fehlen die Minuten oder die Hände."),
        ("stufe-2-small_blind", "77", "Stufe 3: Der Small Blind ist größer"),
        ("stufe-2-big_blind", "abc", "ganze Zahl"),
        ("stufe-2-colour_up", ["3"], "Diesen Chip gibt es nicht."),
        ("stufe-2-kind", "lunch", "stimmt nicht"),
        ("stufe-2-id", "x", "stimmt nicht"),
        ("tun", "fly-3", "Diesen Knopf gibt es nicht."),
        ("tun", "remove-99", "Diese Zeile gibt es nicht mehr."),
        ("tun", "remove-²", "Diesen Knopf gibt es nicht."),
        ("stufe-TOTAL_FORMS", "x", "stimmt nicht"),
        ("stand", "1,2,3", "wurde inzwischen geändert"),
    ):
        assert_refused(save(dora, event, **{field: value}), sentence)
    assert levels(event) == before


def big_bets(event):
    return [(level.small_blind, level.big_blind, level.big_bet) for level in levels(event)]


def test_in_no_limit_blinds_are_raised_and_put_in_without_regard_to_a_big_bet_nobody_sees(dora):
    event = planned()
    before = big_bets(event)
    assert before[4] == (8, 15, 30)
    assert "-big_bet" not in page_of(dora, event, "schedule-edit")
    raised = {"stufe-4-small_blind": "20", "stufe-4-big_blind": "40"}
    later = {f"stufe-{row}-big_blind": "600" for row in range(5, 15)}
    assert save(dora, event, **raised, **later).status_code == 302
    assert big_bets(event)[:5] == [*before[:4], (20, 40, 80)]
    # A big bet sent from a page of yesterday is not heard in no limit.
    own = {"stufe-14-small_blind": "1000", "stufe-14-big_blind": "2000", "stufe-14-big_bet": "600"}
    assert save(dora, event, **own).status_code == 302
    assert big_bets(event)[14] == (1000, 2000, 4000)
    assert save(dora, event, tun="play-14").status_code == 302
    assert big_bets(event)[15] == (2000, 4000, 8000)
    own = {"stufe-15-small_blind": "5000", "stufe-15-big_blind": "10000"}
    assert save(dora, event, **own).status_code == 302
    assert big_bets(event)[15] == (5000, 10000, 20000)


def test_in_split_limit_a_big_bet_below_the_big_blind_is_refused(dora):
    event = planned(limit="split_limit")
    before = levels(event)
    answer = save(dora, event, **{"stufe-2-big_bet": "1"})
    assert_refused(answer, "Stufe 3: Die Big Bet ist kleiner")
    assert levels(event) == before
    assert save(dora, event, **{"stufe-2-big_bet": "10"}).status_code == 302
    assert levels(event)[2].big_bet == 10


def test_a_running_evening_keeps_what_has_begun(dora, event):
    f.drive(clock_pause, event, 25)
    page = dora.get(url_of(event, "schedule-edit"))
    assert text_of(page).count("steht fest") == 2
    assert len(page.context["rows"].forms) == 13
    assert save(dora, event, tun="remove-1").status_code == 422
    asked = save(dora, event, tun="break-1")  # it says first what that moves
    confirmed = sent_of(asked) | {"seen": asked.context["asked"].seen}
    assert dora.post(url_of(event, "schedule-edit"), confirmed).status_code == 302
    assert levels(event)[2].is_break
    assert save(dora, event, tun="up-2").status_code == 422
    f.drive(event_end, event, 30)
    assert not dora.get(url_of(event, "schedule-edit")).context["rows"].forms
    assert clock_state(event.clock, f.after(40)).level.number == 2


def test_colour_up_is_marked_and_shown(dora, django_assert_max_num_queries):
    event = planned(chip_set=f.house().chip_sets.first())
    save(dora, event, tun="break-3")
    save(dora, event, **{"stufe-4-colour_up": ["1"]})
    assert levels(event)[4].colour_up == (1,)
    with django_assert_max_num_queries(25):
        page = page_of(dora, event, "event-schedule")
    shows(page, "Color-up: Chips zu 1", "Stufe 5: Mit den Chips im Spiel", "der kleinste ist 5")


# Jumps and how the clock runs


def test_the_jump_shows_the_blinds_and_goes_there(dora, event):
    f.drive(clock_pause, event, 1)
    sheet = text_of(dora.get(url_of(event, "clock-jump"), headers=HTMX))
    shows(sheet, "Jetzt: Stufe 1, 1 / 1", "Stufe 5: 8 / 15")
    target = levels(event)[4]
    asked = dora.post(url_of(event, "clock-jump"), {"level": target.id}, headers=HTMX)
    sent = {"level": target.id, "seen": asked.context["asked"].seen}
    assert_shown(dora.post(url_of(event, "clock-jump"), sent, headers=HTMX), "Rückgängig")
    assert clock_anchor(event.clock).level_id == target.id
    for wrong in ("", "x", "0"):
        answer = dora.post(url_of(event, "clock-jump"), {"level": wrong}, headers=HTMX)
        assert answer.status_code == 422


def test_how_the_clock_runs_is_set_on_the_schedule_page(dora):
    event = f.make_seated_event(3, starts_at=timezone.now() + timedelta(days=400))
    page = url_of(event, "event-schedule")
    assert save(dora, event, tun="break-0").status_code == 302
    assert "frühestens" not in text_of(dora.get(page))
    sent = {"stops": "1", "next": page}
    assert dora.post(url_of(event, "clock-break-stop"), sent).url == page
    assert clock_anchor(event.clock).stops_after_break
    assert dora.post(url_of(event, "clock-plan-start"), {"by_itself": "1"}).status_code == 302
    assert f.fresh(event).clock.starts_at == event.starts_at
    shown = text_of(dora.get(page))
    assert "frühestens" in shown
    assert "frühestens" in page_of(dora, event, "tournament")
    shows(shown, "wartet die Uhr, bis jemand sie startet", "startet die Uhr von selbst")
    assert "von selbst" in page_of(dora, event, "director-clock")
    assert dora.post(url_of(event, "clock-plan-start"), {"by_itself": "0"}).status_code == 302
    assert f.fresh(event).clock.starts_at is None


def file_of(client, name="T100"):
    row = ScheduleTemplate.objects.get(name=name)
    answer = client.get(reverse("schedule-file", args=[row.pk]))
    assert answer["Content-Type"] == "application/json"
    assert "attachment" in answer["Content-Disposition"]
    return answer.content


def send_file(client, data):
    sent = SimpleUploadedFile("plan.json", data, "application/json")
    return client.post(reverse("schedule-import"), {"schedule": sent})


def renamed(data, **own):
    return json.dumps(json.loads(data) | own).encode()


def test_a_schedule_goes_from_one_club_to_another(dora):
    assert send_file(dora, renamed(file_of(dora), name="Vom Nachbarn")).status_code == 302
    old, new = (ScheduleTemplate.objects.get(name=name) for name in ("T100", "Vom Nachbarn"))
    assert template_levels(new) == template_levels(old)
    assert (new.starting_stack, new.level_minutes, new.revision) == (100, 20, None)
    assert Action.objects.filter(kind="club.schedule_imported").exists()
    page = text_of(dora.get(reverse("club-settings")))
    shows(page, "Vom Nachbarn", reverse("schedule-file", args=[new.pk]))


def test_a_file_that_is_no_schedule_says_why(dora):
    before = ScheduleTemplate.objects.count()
    for own, sentence in (
        ({}, "Eine Vorlage mit diesem Namen gibt es schon: T100."),
        ({"format": "anders", "levels": []}, "Darin ist kein Blindplan zu erkennen."),
        ({"levels": [{}] * 101}, "Ein Blindplan hat höchstens 100 Zeilen."),
        ({"levels": [{"minutes": "x"}]}, "In der Datei stimmt Zeile 1 nicht."),
        ({"levels": [{"small_blind": 4, "big_blind": 2}], "name": "Neu"}, "größer als der Big"),
    ):
        assert_refused(send_file(dora, renamed(file_of(dora), **own)), sentence)
    for data in (b"", b"\xff\xfe\x00", b"{", b"x" * 200_001):
        assert send_file(dora, data).status_code == 422
    assert dora.post(reverse("schedule-import")).status_code == 422
    assert ScheduleTemplate.objects.count() == before


def test_a_schedule_is_pasted_and_told_what_has_no_place_in_it(dora):
    lines = "30 3 6 0 Stufe 1\n10 Pause mit Add-on\n30 5 10 0 Stufe 2"
    pasted = {"text": lines, "name": "Donnerstag", "stack": "600"}
    assert dora.post(reverse("schedule-import"), pasted).status_code == 302
    made = ScheduleTemplate.objects.get(name="Donnerstag")
    assert (made.starting_stack, made.level_minutes) == (600, 30)
    page = text_of(dora.get(reverse("club-settings")))
    assert "Im Turnier einzustellen: 10 Pause mit Add-on." in page
    answer = dora.get(reverse("schedule-file", args=[made.pk]), {"als": "csv"})
    table = answer.content.decode("utf-8-sig")
    assert table.splitlines()[:2] == [
        "Stufe;Small Blind;Big Blind;Ante;Minuten;Aus dem Spiel", "1;3;6;0;30;",
    ]  # fmt: skip
    again = SimpleUploadedFile("tabelle.csv", answer.content)
    dora.post(reverse("schedule-import"), {"schedule": again, "stack": "600"})
    assert template_levels(ScheduleTemplate.objects.get(name="tabelle")) == template_levels(made)


def ask(client, event, at, **own):
    local = timezone.localtime(at)
    asked = {"day": f"{local:%Y-%m-%d}", "time": f"{local:%H:%M:%S}"} | own
    return client.get(url_of(event, "clock-at"), asked)


def ask_at(client, event, at, **own):
    return text_of(ask(client, event, at, **own))


def test_a_past_instant_is_answered_to_the_second(dora, event):
    f.drive(clock_pause, event, 30)
    shows(ask_at(dora, event, f.after(20)), "Stufe 2: 1 / 2", "Die Uhr lief.")
    assert "Stufe 1: 1 / 1" in ask_at(dora, event, f.after(20) - timedelta(seconds=1))
    assert "Die Uhr stand." in ask_at(dora, event, f.after(30))
    assert "Noch nicht begonnen" in ask_at(dora, event, f.after(-1))
    # The answer comes into the page of the schedule alone.
    assert 'id="clock-at-answer"' in page_of(dora, event, "event-schedule")
    answer = dora.get(url_of(event, "clock-at"), {"time": "21:00"}, headers=HTMX)
    assert answer.content.decode().lstrip().startswith('<div id="clock-at-answer"')


def test_a_table_is_asked_what_was_in_force_there(client, event):
    f.drive(hand_begin, event, 20 - 1 / 60, table=f.table_of(event, 1))
    f.sign_browser_in(client, Role.ARBITER, event)
    here = text_of(client.get(reverse("floor-in-force", args=[event.slug, 1])))
    assert f'href="{url_of(event, "clock-at")}?table=1"' in here
    assert 'value="1"' in page_of(client, event, "clock-at", table="1")
    answer = ask_at(client, event, f.after(24), table="1")
    assert "Stufe 2: 1 / 2" in answer
    assert "An Tisch 1 galt Stufe 1: 1 / 1" in " ".join(answer.replace("<strong>", "").split())
    assert "vor Stufe 2. Bis zu ihrem Ende gilt Stufe 1" in answer
    assert "An Tisch" not in ask_at(client, event, f.after(24))
    before = ask_at(client, event, f.after(-1), table="1")
    shows(before, "Die erste Hand wird mit Stufe 1 gespielt.", but=("An Tisch",))


def test_an_instant_or_a_table_that_cannot_be_is_said(dora, event):
    for own, sentence in (
        ({"time": ""}, "Bitte die Uhrzeit angeben."),
        ({"time": "25:99"}, "Bitte eine Uhrzeit wie 21:14:30 angeben."),
        ({"day": "2026-02-31"}, "Bitte einen Tag angeben, den es gibt."),
        ({"day": "2999-01-01"}, "Dieser Zeitpunkt kommt erst noch."),
        ({"day": "2026-03-29", "time": "02:30"}, "nicht eindeutig"),
        ({"table": "99"}, "Diesen Tisch gab es zu diesem Zeitpunkt nicht."),
        ({"table": "0"}, "Bitte die Nummer des Tisches angeben."),
        ({"table": "x"}, "Bitte die Nummer des Tisches angeben."),
    ):
        assert_refused(ask(dora, event, f.after(5), **own), sentence, but=("Die Uhr lief.",))


@pytest.fixture
def wall(monkeypatch):
    """Set the laptop's clock, in minutes after the start."""

    def set_to(minute):
        monkeypatch.setattr("django.utils.timezone.now", lambda: f.after(minute))

    return set_to


def press_clock(dora, event, name, **data):
    answer = dora.post(reverse(name, args=[event.slug]), data, headers=HTMX)
    assert answer.status_code == 200, answer.content.decode()
    return f.fresh(event)


def test_a_clock_set_back_never_goes_before_what_was_written_down(dora, event, wall):
    wall(25)
    event = press_clock(dora, event, "clock-adjust", seconds="60")
    wall(-35)
    assert present(event) == f.after(25)
    event = press_clock(dora, event, "clock-pause")
    rows = ClockAction.objects.filter(clock=event.clock).order_by("sequence")
    assert [row.at for row in rows] == [f.START, f.after(25), f.after(25)]
    recorded = list(Action.objects.filter(event=event).order_by("sequence"))
    assert recorded == sorted(recorded, key=lambda row: row.recorded_at)
    state = clock_state(event.clock, present(event))
    assert (state.level.number, state.elapsed) == (2, timedelta(minutes=4))
    wall(26)
    assert present(event) == f.after(26)


def test_a_machine_that_slept_wakes_where_the_hall_is(dora, event, wall):
    wall(1)
    event = press_clock(dora, event, "clock-adjust", seconds="-60")
    wall(181)
    state = clock_state(event.clock, present(event))
    assert (state.level.number, state.elapsed) == (10, timedelta(minutes=2))
    event = press_clock(dora, event, "clock-pause")
    assert clock_state(event.clock, f.after(999)).elapsed == timedelta(minutes=2)
