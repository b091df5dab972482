"""Calling a tournament off, ending it early, and choosing another schedule."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from clock.selectors import clock_levels, clock_state
from tests import factories as f
from tests.pressing import HTMX, shows, url_of
from tests.views.desk import Nothing
from tests.views.pages import assert_refused, errors_of, page_of, text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import Action, Event, Registration, StackCount, Waiting
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


def stacks(event, *amounts):
    rows = zip(f.entries_of(event), amounts, strict=False)
    return {f"stack_{entry.pk}": str(amount) for entry, amount in rows}


# Calling off


def test_calling_off_says_what_it_means_keeps_the_reason_and_stops_the_clock(dora):
    event, running = f.make_event(), f.make_running_event(3, name="Läuft")
    f.register(event)
    assert "Eine Person ist angemeldet" in page_of(dora, event, "event-cancel")
    assert errors_of(dora.post(url_of(event, "event-cancel"), {"reason": "x" * 501}), "reason")
    assert not f.fresh(event).is_over
    answer = dora.post(url_of(event, "event-cancel"), {"reason": "Der Saal ist zu."})
    assert (answer.status_code, answer.url) == (302, url_of(event, "director"))
    assert f.fresh(event).status == "cancelled"
    assert f.last_action(event).text.data["reason"] == "Der Saal ist zu."
    assert "Der Abend ist beendet" in page_of(dora, event, "event-schedule")
    assert "Die Uhr bleibt stehen" in page_of(dora, running, "event-cancel")
    dora.post(url_of(running, "event-cancel"), {"reason": ""})
    assert not clock_state(running.clock, max(timezone.now(), f.after(600))).is_running


@pytest.mark.parametrize(("name", "kind"), [("event-cancel", "cancelled"), ("event-end", "ended")])
def test_the_same_end_sent_twice_is_one_and_another_is_refused(dora, name, kind):
    event = f.make_running_event(2)
    sent = {"reason": "", **stacks(event, 100, 300)}
    for _again in range(2):
        key = {"idempotency_key": "6b6f0c52-33bb-4b2e-9a64-0d1a1f6d3c11"}
        assert dora.post(url_of(event, name), sent | key).status_code == 302
    assert Action.objects.filter(event=event, kind=f"event.{kind}").count() == 1
    version = f.fresh(event).version
    assert dora.post(url_of(event, name), sent).status_code == 422
    assert f.fresh(event).version == version
    assert "schon beendet" in page_of(dora, event, name)


# Ending


def test_ending_without_counting_shares_the_first_place(dora):
    event = f.make_running_event(3)
    dora.post(url_of(event, "event-end"), stacks(event, "", "", ""))
    assert set(places_of(f.fresh(event)).values()) == {1}


def test_who_is_not_counted_is_named_and_counted_chips_place_everybody(dora):
    event = f.make_running_event(3)
    answer = dora.post(url_of(event, "event-end"), stacks(event, "100", "", "viele"))
    first, second, third = (f"stack_{entry.pk}" for entry in f.entries_of(event))
    errors = answer.context["form"].errors
    assert answer.status_code == 422
    assert set(errors) == {second, third}
    assert "auch diese" in str(errors[second])
    assert f'name="{first}" value="100"' in answer.content.decode()
    assert f.fresh(event).version == event.version
    shows(page_of(dora, event, "event-end"), "3 sind noch im Spiel", "im Spiel sind 600")
    answer = dora.post(url_of(event, "event-end"), stacks(event, 100, "3.00", 200))
    assert answer.status_code == 422  # 3.00 is no number of chips
    answer = dora.post(url_of(event, "event-end"), stacks(event, 100, 300, 200))
    assert (answer.status_code, answer.url) == (302, url_of(event, "results"))
    first, second, third = (entry.pk for entry in f.entries_of(event))
    assert places_of(f.fresh(event)) == {second: 1, third: 2, first: 3}


def test_a_sum_that_is_not_in_play_has_to_be_confirmed(dora):
    event = f.make_running_event(2)
    sent = stacks(event, 100, 200)
    answer = dora.post(url_of(event, "event-end"), sent)
    page = answer.content.decode()
    assert (answer.status_code, StackCount.objects.count()) == (422, 0)
    shows(page, "Gezählt sind 300 Chips, im Spiel sind 400", 'name="is_sure"')
    assert dora.post(url_of(event, "event-end"), {**sent, "is_sure": "on"}).status_code == 302
    assert f.fresh(event).status == "ended"


def test_more_than_can_be_in_play_is_asked_about_while_a_stack_is_not_counted(dora):
    event = f.make_running_event(3)
    gone = f.entries_of(event)[0]
    f.drive(entry_disqualify, event, 5, entry=gone, reason="Test")
    own = {f"stack_{entry.pk}": "301" for entry in f.entries_of(event)[1:]}
    assert_refused(dora.post(url_of(event, "event-end"), own), "im Spiel sind höchstens 600")
    own = dict.fromkeys(own, "200")
    assert dora.post(url_of(event, "event-end"), own).status_code == 302


def test_a_winner_needs_no_counting_and_what_has_not_begun_cannot_end(dora):
    event, planned = f.make_running_event(2), f.make_event(name="Geplant")
    f.out(event, f.entries_of(event)[0])
    shows(page_of(dora, event, "event-end"), "hat gewonnen", but=("stack_",))
    assert dora.post(url_of(event, "event-end"), {}).status_code == 302
    assert f.fresh(event).status == "ended"
    assert "lässt sich absagen" in page_of(dora, planned, "event-end")
    answer = dora.post(url_of(planned, "event-end"), {})
    assert (answer.status_code, f.fresh(planned).version) == (422, planned.version)


# The schedule


@pytest.mark.parametrize(("limit", "is_shown"), [("split_limit", True), ("no_limit", False)])
def test_the_schedule_shows_when_each_level_comes_and_the_big_bet_of_split_limit(
    dora, limit, is_shown
):
    event = f.make_event(level_minutes=30, limit=limit)
    page = dora.get(url_of(event, "event-schedule"))
    assert [line.minutes for line in page.context["lines"]] == [30] * 15
    assert "Anderen Plan wählen" in page.content.decode()
    assert ("Big Bet" in page.content.decode()) is is_shown


def test_another_schedule_is_chosen_until_stacks_are_out(dora):
    event, sent = f.make_event(), {"schedule": "T300", "level_minutes": "15"}
    for field, value in (("schedule", "T9"), ("level_minutes", "0")):
        assert errors_of(dora.post(url_of(event, "event-schedule"), {**sent, field: value}), field)
        assert f.fresh(event).version == event.version
    answer = dora.post(url_of(event, "event-schedule"), sent)
    assert (answer.status_code, answer.url) == (302, url_of(event, "event-schedule"))
    again = f.fresh(event)
    assert (again.schedule_name, again.starting_stack) == ("T300", 300)
    assert {level.duration for level in clock_levels(again.clock)} == {timedelta(minutes=15)}
    seated, event = f.make_seated_event(2, name="Ausgegeben"), f.make_running_event(2)
    answer = dora.post(url_of(seated, "event-schedule"), sent)
    assert "Stapel ausgegeben" in errors_of(answer, "schedule")
    assert f.fresh(seated).schedule_name == "T200"
    shows(page_of(dora, event, "event-schedule"), "Begonnene Stufen bleiben", but=("Anderen Plan",))
    assert_refused(dora.post(url_of(event, "event-schedule"), sent), 'class="refusal"')
    assert f.fresh(event).version == event.version


# --- As last week: who was there is registered again, as chosen


@pytest.fixture
def last_week():
    made = f.make_event(name="Donnerstag", capacity=2)
    f.check_in(made, f.register(made, "Eva Lang", is_listed=False, language="en"))
    f.register(made, "Otto Kurz")
    f.register(made, "Zoë Müller")
    return made


def ticked(page):
    boxes = re.findall(r'name="person" value="(\d+)"\s*(checked)?', text_of(page))
    return {int(pk): bool(checked) for pk, checked in boxes}


def test_a_copy_asks_who_comes_again_and_registers_whom_one_chose(dora, last_week):
    day = timezone.localdate() + timedelta(days=7)
    sent = {"name": "Donnerstag", "day": day.isoformat(), "time": "19:00"}
    answer = dora.post(reverse("event-copy", args=[last_week.slug]), sent)
    copied = Event.objects.exclude(pk=last_week.pk).get()
    assert answer.url == f"{url_of(copied, 'carry-over')}?von={last_week.slug}"
    people = {row.name: row.person_id for row in Registration.objects.filter(event=last_week)}
    page = dora.get(answer.url)
    assert ticked(page) == {people["Eva Lang"]: True, people["Otto Kurz"]: False,
                            people["Zoë Müller"]: False}  # fmt: skip
    assert all(ticked(dora.get(answer.url + "&wer=alle")).values())
    assert not any(ticked(dora.get(answer.url + "&wer=niemand")).values())
    assert not Registration.objects.filter(event=copied).exists()
    data = {"von": last_week.slug, "person": [*people.values(), "77777", "x"]}
    key = {**HTMX, "X-Idempotency-Key": str(uuid4())}
    for _press in range(2):
        answer = dora.post(url_of(copied, "carry-over"), data, headers=key)
        assert answer["HX-Redirect"] == url_of(copied, "desk")
    assert "davon auf der Warteliste: 1." in page_of(dora, copied, "desk")
    rows = Registration.objects.filter(event=copied).order_by("pk")
    # What they agreed to stays: Eva does not want to be named.
    assert list(rows.values_list("person", "is_listed", "language")) == [
        (people["Eva Lang"], False, "en"),
        (people["Otto Kurz"], True, "de"),
        (people["Zoë Müller"], True, "de"),
    ]
    assert Waiting.objects.live().filter(event=copied).count() == 1
    assert "angemeldet" in page_of(dora, copied, "carry-over")
    made = f.last_action(copied)
    assert made.kind == "registration.imported"
    action_undo(Command(event=f.fresh(copied), by=SYSTEM, at=f.ARRIVAL), action=made)
    assert not Registration.objects.live().filter(event=copied).exists()


def test_nobody_chosen_or_gone_meanwhile_is_refused(dora, last_week, event):
    for person in ([], ["x"]):
        with Nothing(event):
            sent = {"von": last_week.slug, "person": person}
            answer = dora.post(url_of(event, "carry-over"), sent, headers=HTMX)
        assert_refused(answer, "Niemand ist ausgewählt.")
    assert dora.get(url_of(event, "carry-over"), {"von": "nirgends"}).status_code == 404


def test_the_first_evening_has_nobody_to_carry_over(dora, event):
    f.make_event(name="Beispiel", is_sample=True)
    assert "Es war noch niemand da" in page_of(dora, event, "carry-over")
