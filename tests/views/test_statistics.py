"""What all evenings of the club come to: attendance, length, busy hours, forecasts and truth."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse

from tests import factories as f
from tests.calling import call_service
from tests.seasons import PLAYERS, WEEK, evening
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.event.services.clock import clock_start
from tournaments.event.services.counts import count_change
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action
from tournaments.seasons.selectors.statistics import checked_of, statistics_of

pytestmark = pytest.mark.django_db
A, B, C, D = PLAYERS
URL = "/verein/statistik/"


def shown(client, **asked):
    answer = client.get(URL, asked)
    assert answer.status_code == 200
    return text_of(answer)


def long_evening(number=0):
    """Play one that lasts over three hours."""
    begins = f.START + number * WEEK
    event = f.make_running_event(20, name=f"Lang {number}", starts_at=begins, at=begins)
    for minute, entry in enumerate(f.entries_of(event)[1:], start=1):
        f.out(event, entry, at=f.after(10 * minute))
    call_service(event_end, event=f.fresh(event), by=SYSTEM, at=f.after(200))
    return f.fresh(event)


def test_figures_of_evenings_that_are_over():
    evening()
    evening((A, B, "Eva Ernst"), number=1)
    f.make_running_event(5, name="Läuft noch")
    found = statistics_of(f.house())
    assert [(one.people, one.entries, one.minutes) for one in found.evenings] == [
        (4, 4, 30), (3, 3, 20),
    ]  # fmt: skip
    assert found.different == 5
    assert found.average == 3.5
    assert found.lasted == "25 min"
    assert found.late == 0
    assert sum(one.entries for one in found.hours) == 7
    assert sum(one.outs for one in found.hours) == 5


def test_an_evening_without_names_counts_its_heads():
    event = f.make_event(is_clock_only=True)
    for _one in range(6):
        call_service(count_change, event=event, by=SYSTEM, at=f.ARRIVAL, what="entries", step=1)
    call_service(clock_start, event=event, by=SYSTEM, at=f.START + timedelta(minutes=12))
    call_service(event_end, event=f.fresh(event), by=SYSTEM, at=f.after(72))
    (one,) = statistics_of(f.house()).evenings
    assert (one.people, one.entries, one.late, one.minutes) == (6, 6, 12, 60)
    assert not one.has_places


def test_an_end_that_is_taken_back_takes_its_evening_out():
    event = evening()
    assert len(statistics_of(f.house()).evenings) == 1
    f.undo(event, at=f.after(100))
    assert statistics_of(f.house()).evenings == []


def test_forecasts_stand_beside_the_truth_and_short_evenings_have_none():
    cache.clear()
    evening(number=-1)
    event = long_evening()
    (one,) = checked_of(f.house())
    assert one.ended == f.after(190)
    assert one.at == f.after(60)
    assert one.earliest <= one.ends_at <= one.latest
    assert one.off == round((one.ends_at - one.ended).total_seconds() / 60)
    assert one.slug == event.slug


def test_the_page_before_the_first_evening_and_after(client, dora):
    assert "Noch kein Abend ist zu Ende gespielt" in shown(dora)
    long_evening()
    text = shown(dora)
    assert "Vorhersage und Wahrheit" in text
    assert "Wann am meisten los ist" in text
    assert "Lang 0" in text
    assert "season-chart" in text
    assert reverse("club-statistics") in dora.get(reverse("club-settings")).content.decode()


def test_it_is_for_who_leads(client):
    f.make_event()
    assert client.get(URL).status_code == 403
    f.sign_browser_in(client, Role.ARBITER)
    assert client.get(URL).status_code == 403


def test_as_many_questions_however_many_evenings(django_assert_max_num_queries):
    for number in range(4):
        evening(number=number)
    before = Action.objects.count()
    club = f.house()
    with django_assert_max_num_queries(7):
        assert len(statistics_of(club).evenings) == 4
    checked_of(club)
    with django_assert_max_num_queries(1):
        checked_of(club)
    assert Action.objects.count() == before
