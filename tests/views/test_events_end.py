"""Calling a tournament off, ending it early, and choosing another schedule."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from clock.selectors import clock_levels, clock_state
from tests import factories as f
from tests.pressing import url_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_cancel, event_end
from tournaments.models import Action, StackCount
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify

pytestmark = pytest.mark.django_db


def stacks(event, *amounts):
    return {
        f"stack_{entry.pk}": str(amount)
        for entry, amount in zip(f.entries_of(event), amounts, strict=False)
    }


# Calling off


def test_calling_off_says_what_it_means_and_keeps_the_reason(dora):
    event = f.make_event()
    f.register(event)
    page = dora.get(url_of(event, "event-cancel")).content.decode()
    assert "Eine Person ist angemeldet" in page
    answer = dora.post(url_of(event, "event-cancel"), {"reason": "Der Saal ist zu."})
    assert (answer.status_code, answer.url) == (302, url_of(event, "director"))
    assert f.fresh(event).status == "cancelled"
    assert f.last_action(event).text.data["reason"] == "Der Saal ist zu."


def test_calling_off_a_running_one_stops_its_clock(dora):
    event = f.make_running_event(3)
    page = dora.get(url_of(event, "event-cancel")).content.decode()
    assert "Die Uhr bleibt stehen" in page
    dora.post(url_of(event, "event-cancel"), {"reason": ""})
    later = max(timezone.now(), f.after(600))
    assert not clock_state(event.clock, later).is_running


def test_calling_off_twice_is_refused_but_the_same_request_is_not(dora):
    event = f.make_event()
    sent = {"reason": "", "idempotency_key": str(uuid4())}
    assert [dora.post(url_of(event, "event-cancel"), sent).status_code for _ in range(2)] == [
        302, 302
    ]  # fmt: skip
    version = f.fresh(event).version
    answer = dora.post(url_of(event, "event-cancel"), {"reason": ""})
    assert (answer.status_code, f.fresh(event).version) == (422, version)
    assert "Das Turnier ist beendet" in answer.content.decode()
    assert "schon beendet" in dora.get(url_of(event, "event-cancel")).content.decode()


def test_a_reason_can_be_too_long(dora):
    event = f.make_event()
    answer = dora.post(url_of(event, "event-cancel"), {"reason": "x" * 501})
    assert answer.status_code == 422
    assert answer.context["form"].errors["reason"]
    assert not f.fresh(event).is_over


# Ending


def test_ending_with_counted_chips_places_everybody(dora):
    event = f.make_running_event(3)
    page = dora.get(url_of(event, "event-end")).content.decode()
    assert "3 sind noch im Spiel" in page
    assert "im Spiel sind 600" in page
    answer = dora.post(url_of(event, "event-end"), stacks(event, 100, "3.00", 200))
    assert answer.status_code == 422  # 3.00 is no number of chips
    answer = dora.post(url_of(event, "event-end"), stacks(event, 100, 300, 200))
    assert (answer.status_code, answer.url) == (302, url_of(event, "results"))
    first, second, third = (entry.pk for entry in f.entries_of(event))
    assert places_of(f.fresh(event)) == {second: 1, third: 2, first: 3}


def test_ending_without_counting_shares_the_first_place(dora):
    event = f.make_running_event(3)
    dora.post(url_of(event, "event-end"), stacks(event, "", "", ""))
    assert set(places_of(f.fresh(event)).values()) == {1}


def test_who_is_not_counted_is_named_and_nothing_ends(dora):
    event = f.make_running_event(3)
    answer = dora.post(url_of(event, "event-end"), stacks(event, "100", "", "viele"))
    first, second, third = (f"stack_{entry.pk}" for entry in f.entries_of(event))
    errors = answer.context["form"].errors
    assert answer.status_code == 422
    assert set(errors) == {second, third}
    assert "auch diese" in str(errors[second])
    assert f'name="{first}" value="100"' in answer.content.decode()
    assert f.fresh(event).version == event.version


def test_a_sum_that_is_not_in_play_has_to_be_confirmed(dora):
    event = f.make_running_event(2)
    sent = stacks(event, 100, 200)
    answer = dora.post(url_of(event, "event-end"), sent)
    page = answer.content.decode()
    assert (answer.status_code, StackCount.objects.count()) == (422, 0)
    assert "Gezählt sind 300 Chips, im Spiel sind 400" in page
    assert 'name="is_sure"' in page
    assert dora.post(url_of(event, "event-end"), {**sent, "is_sure": "on"}).status_code == 302
    assert f.fresh(event).status == "ended"


def test_more_than_can_be_in_play_is_asked_about_while_a_stack_is_not_counted(dora):
    event = f.make_running_event(3)
    gone = f.entries_of(event)[0]
    f.drive(entry_disqualify, event, 5, entry=gone, reason="Test")
    own = {f"stack_{entry.pk}": "301" for entry in f.entries_of(event)[1:]}
    answer = dora.post(url_of(event, "event-end"), own)
    assert answer.status_code == 422
    assert "im Spiel sind höchstens 600" in answer.content.decode()
    own = dict.fromkeys(own, "200")
    assert dora.post(url_of(event, "event-end"), own).status_code == 302


def test_a_winner_needs_no_counting(dora):
    event = f.make_running_event(2)
    loser = f.entries_of(event)[0]
    entries_eliminate(Command(event=event, by=SYSTEM, at=f.after(5)), entries=[loser])
    page = dora.get(url_of(event, "event-end")).content.decode()
    assert "hat gewonnen" in page
    assert "stack_" not in page
    assert dora.post(url_of(event, "event-end"), {}).status_code == 302
    assert f.fresh(event).status == "ended"


def test_the_same_end_sent_twice_is_one(dora):
    event = f.make_running_event(2)
    sent = {**stacks(event, 100, 300), "idempotency_key": str(uuid4())}
    assert [dora.post(url_of(event, "event-end"), sent).status_code for _ in range(2)] == [302, 302]
    assert Action.objects.filter(event=event, kind="event.ended").count() == 1


def test_what_has_not_begun_or_is_over_cannot_end(dora):
    event = f.make_event()
    assert "lässt sich absagen" in dora.get(url_of(event, "event-end")).content.decode()
    answer = dora.post(url_of(event, "event-end"), {})
    assert (answer.status_code, f.fresh(event).version) == (422, event.version)
    over = f.make_running_event(2)
    event_end(Command(event=over, by=SYSTEM, at=f.after(5)))
    assert "schon beendet" in dora.get(url_of(over, "event-end")).content.decode()
    assert dora.post(url_of(over, "event-end"), {}).status_code == 422


def test_the_number_of_queries_does_not_grow_with_the_players(dora, django_assert_max_num_queries):
    event = f.make_running_event(30)
    with django_assert_max_num_queries(18):
        dora.get(url_of(event, "event-end"))


# The schedule


def test_the_schedule_shows_when_each_level_comes(dora):
    event = f.make_event(level_minutes=30)
    page = dora.get(url_of(event, "event-schedule"))
    assert [line.minutes for line in page.context["lines"]] == [30] * 15
    assert "Anderen Plan wählen" in page.content.decode()


def test_before_the_start_another_schedule_is_chosen(dora):
    event = f.make_event()
    sent = {"schedule": "T300", "level_minutes": "15"}
    answer = dora.post(url_of(event, "event-schedule"), sent)
    assert (answer.status_code, answer.url) == (302, url_of(event, "event-schedule"))
    again = f.fresh(event)
    assert (again.schedule_name, again.starting_stack) == ("T300", 300)
    assert {level.duration for level in clock_levels(again.clock)} == {timedelta(minutes=15)}


@pytest.mark.parametrize(
    ("field", "value"), [("schedule", "T9"), ("level_minutes", "0"), ("level_minutes", "")]
)
def test_a_wrong_schedule_says_so_beside_the_field(dora, field, value):
    event = f.make_event()
    sent = {"schedule": "T300", "level_minutes": "15", field: value}
    answer = dora.post(url_of(event, "event-schedule"), sent)
    assert answer.status_code == 422
    assert answer.context["form"].errors[field]
    assert f.fresh(event).version == event.version


def test_a_schedule_with_other_stacks_is_refused_once_stacks_are_out(dora):
    event = f.make_seated_event(2)
    answer = dora.post(url_of(event, "event-schedule"), {"schedule": "T300", "level_minutes": "15"})
    assert answer.status_code == 422
    assert "Stapel ausgegeben" in str(answer.context["form"].errors["schedule"])
    assert f.fresh(event).schedule_name == "T200"


def test_after_the_start_the_schedule_stands_and_says_why(dora):
    event = f.make_running_event(2)
    page = dora.get(url_of(event, "event-schedule")).content.decode()
    assert "Begonnene Stufen bleiben" in page
    assert "Anderen Plan" not in page
    answer = dora.post(url_of(event, "event-schedule"), {"schedule": "T300", "level_minutes": "9"})
    assert answer.status_code == 422
    assert 'class="refusal"' in answer.content.decode()
    assert f.fresh(event).version == event.version


def test_the_big_bet_is_shown_in_split_limit_alone(dora):
    for limit, shown in (("split_limit", True), ("no_limit", False)):
        event = f.make_event(limit=limit)
        page = dora.get(url_of(event, "event-schedule")).content.decode()
        assert ("Big Bet" in page) is shown


def test_an_evening_that_is_over_keeps_its_schedule(dora):
    event = f.make_event()
    event_cancel(Command(event=event, by=SYSTEM, at=f.START))
    page = dora.get(url_of(event, "event-schedule")).content.decode()
    assert "Das Turnier ist beendet" in page


@pytest.mark.parametrize("name", ["event-cancel", "event-end", "event-schedule"])
@pytest.mark.parametrize("role", [Role.DESK, Role.ARBITER, None])
def test_only_directors_end_and_plan(client, name, role):
    event = f.make_running_event(2)
    if role:
        f.sign_browser_in(client, role)
    assert client.get(url_of(event, name)).status_code == 403
    assert client.post(url_of(event, name), {"schedule": "T100"}).status_code == 403
    assert client.delete(url_of(event, name)).status_code == 405
    assert f.fresh(event).version == event.version
