"""When it will be over: the director's line, and the page beside it."""

from datetime import timedelta

import pytest

from tests import buying
from tests import factories as f
from tests.pressing import shows, url_of
from tests.views.pages import assert_refused, page_of
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.event.services.counts import count_change
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.forecast.selectors.forecast import (
    club_past,
    course_of,
    ended_at,
    forecast_of,
    forecasts_until,
    hall_of,
    why_unforeseen,
)
from tournaments.models import Action, Event
from tournaments.play.services.rebuy_chances import rebuy_decline
from tournaments.rebuys.services.purchases import addon_buy, rebuy_buy
from tournaments.screens.views.big_screen import screen_payload

pytestmark = [pytest.mark.django_db, pytest.mark.running(20)]


def bust(event, minute, many=1):
    for _one in range(many):
        alive = f.entries_of(event)
        out = set(event.eliminations.filter(voided_by=None).values_list("entry_id", flat=True))
        f.out(event, next(e for e in alive if e.pk not in out), at=f.after(minute))


def at(event, minute):
    return forecast_of(f.fresh(event), f.after(minute))


def test_nothing_is_said_before_the_start_with_one_left_or_where_nobody_tells_who_is_out(
    dora, event
):
    planned = f.make_seated_event(6, name="Geplant")
    assert forecast_of(planned, f.START) is None
    assert "sobald gespielt wird" in why_unforeseen(planned, f.START)
    assert "Schluss" not in page_of(dora, planned, "director-end")
    assert "end-line" not in page_of(dora, planned, "director")
    assert "sobald gespielt wird" in page_of(dora, planned, "forecast")
    assert at(event, 200) is None
    assert "Niemand ist ausgetragen" in why_unforeseen(f.fresh(event), f.after(200))
    bust(event, 30, 18)
    assert at(event, 31) is not None
    bust(event, 32)
    assert at(event, 33) is None
    assert "nur noch einer" in why_unforeseen(f.fresh(event), f.after(33))
    assert ended_at(f.fresh(event)) == f.after(32)


def test_it_follows_who_goes_out(event):
    before = at(event, 60)
    bust(event, 40)
    f.undo(event, at=f.after(41))
    assert at(event, 60).ends_at == before.ends_at
    bust(event, 59, 14)
    assert at(event, 60).ends_at < before.ends_at
    assert before.earliest <= before.ends_at <= before.latest
    assert before.ends_at.minute % 5 == 0


def test_who_has_no_chips_and_may_still_buy_is_neither_in_nor_out():
    event = buying.evening(12, rebuy_level=9, rebuy_hold_minutes=60, late_registration_level=0)
    rows = f.entries_of(event)

    def hall():
        found = hall_of(f.fresh(event), f.after(30))
        return found.left, found.chips, found.pace.losses

    for entry in rows[:4]:
        buying.lose(event, entry, 20)
    # Four stacks are lost; of their players a share buys again, by what others did before.
    assert hall() == (8 + 2, 2400 + 600, 4)
    for entry in rows[:3]:
        buying.do(rebuy_buy, event, 25, entry=entry)
    assert hall() == (11 + 1, 3300 + 300, 4)
    buying.do(rebuy_decline, event, 26, entry=rows[3])
    assert hall() == (11, 3300, 4)


def test_a_clock_that_stands_is_taken_to_go_on_at_once(event):
    running = at(event, 40)
    f.drive(clock_pause, event, 30)
    standing = at(event, 40)
    assert standing.stands
    assert not running.stands
    assert at(event, 100).ends_at - standing.ends_at == timedelta(minutes=60)


def test_the_past_is_told_as_it_was_known_then(event):
    bust(event, 30, 5)
    told = at(event, 60)
    bust(event, 70, 10)
    past = list(forecasts_until(f.fresh(event), f.after(61), timedelta(minutes=60)))
    assert past[-1].at == f.after(60)
    assert abs(past[-1].ends_at - told.ends_at) <= timedelta(minutes=5)


@pytest.mark.postgres
def test_an_evening_without_names_is_foreseen_by_its_counters():
    event = f.make_event(is_clock_only=True)
    for _one in range(12):
        f.drive(count_change, event, -60, what="entries", step=1)
    f.drive(clock_start, event, 0)
    before = at(event, 20)
    assert before is not None
    for _one in range(8):
        f.drive(count_change, event, 30, what="left", step=-1)
    assert at(event, 31).ends_at < before.ends_at + timedelta(minutes=11)
    silent = f.make_event(is_clock_only=True, name="Ohne Zähler")
    f.drive(clock_start, silent, 0)
    assert at(silent, 20) is None


@pytest.mark.postgres
def test_evenings_of_the_club_make_its_pace(event):
    assert club_past(event).pace == 1.0
    bust(event, 20, 18)
    f.drive(event_end, event, 40)
    week = timedelta(days=7)
    later, earlier = (
        f.make_event(name="Andere", starts_at=f.START + way * week) for way in (1, -1)
    )
    assert club_past(later).pace > 1.0
    assert club_past(earlier).pace == 1.0


@pytest.mark.postgres
def test_evenings_of_the_club_say_who_comes_late_and_who_takes_an_add_on():
    assumed = club_past(f.make_event(name="Vorher", starts_at=f.START - timedelta(days=7)))
    assert (assumed.shows_up.percent, assumed.shows_up.people) == (70, 0)
    event = buying.evening(6)
    late = [f.register(event, f"Spät {number}", at=f.after(-5)) for number in (1, 2)]
    # The start was before; both registered before the first minute was over, and one came.
    f.register(event, "Niemand", at=f.after(1))
    f.check_in(event, late[0], at=f.after(3))
    for entry in f.entries_of(event)[:2]:
        buying.do(addon_buy, event, 5, entry=entry)
    f.drive(event_end, f.fresh(event), 40)
    later = f.make_running_event(9, name="Nächste Woche", starts_at=f.START + timedelta(days=7))
    past = club_past(f.fresh(later))
    assert past.takes_add_on.people == 7
    assert past.takes_add_on.percent == round(100 * (2 + 7) / (7 + 10))
    assert past.shows_up.people == 2


@pytest.mark.postgres
def test_the_director_reads_a_quiet_line(client, dora, event):
    f.drive(clock_pause, event, 1)
    said = page_of(client, event, "director-end")
    shows(said, "Schluss gegen", "80 %", "wenn die Uhr jetzt weiterläuft")
    page = client.get(url_of(event, "director"))
    # Nothing moves when it comes.
    empty = '<p class="end-line row small"></p>'
    shows(page.content.decode(), 'id="director-end"', empty)


def test_the_page_says_what_would_be_and_changes_nothing(client, dora, minute):
    event = f.make_running_event(
        20, addon_level=3, addon_cents=500, addon_chips=400, breaks={4: 15}
    )
    f.drive(clock_pause, event, 1)
    minute(5)
    before = Action.objects.count(), Event.objects.get(pk=event.pk).version
    page = page_of(client, event, "forecast")
    shows(page, "Ab der nächsten Stufe 15 Minuten", "Alle nehmen das Add-on")
    assert "Die nächste Pause fällt aus" in page
    asked = page_of(client, event, "forecast", minutes="10")
    shows(asked, "Ab der nächsten Stufe 10 Minuten", "min früher")
    for typed in ("0", "-5", "x", "", "100000", "241", "9" * 400):
        assert_refused(client.get(url_of(event, "forecast"), {"minutes": typed}), "errorlist")
    assert (Action.objects.count(), Event.objects.get(pk=event.pk).version) == before


@pytest.mark.postgres
def test_afterwards_forecasts_stand_beside_the_truth(
    client, dora, event, django_assert_max_num_queries
):
    for minute in range(20, 200, 10):
        bust(event, minute)
    bust(event, 201)
    page = page_of(client, event, "forecast")
    shows(page, "Vorhersage und Wahrheit", "daneben", "forecast-truth")
    assert page.count("<tr>") == 1 + 11
    assert ended_at(f.fresh(event)) == f.after(201)
    row = f.fresh(event)
    with django_assert_max_num_queries(9):
        course_of(row)


def test_the_big_screen_says_it_only_where_it_is_wished(event):
    f.drive(clock_pause, event, 1)
    assert screen_payload(f.fresh(event))["end"] is None
    f.drive(event_update, event, 2, settings={"shows_end": True})
    at, span = screen_payload(f.fresh(event))["end"]
    assert len(at) == 5
    assert "–" in span
    bust(event, 3, 19)
    assert screen_payload(f.fresh(event))["end"] is None
    assert screen_payload(f.make_event(name="Morgen", shows_end=True))["end"] is None
