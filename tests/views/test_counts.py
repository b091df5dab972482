"""The director's page of an evening without names, and the pages there are not."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tests import factories as f
from tests.addresses import OF_PEOPLE
from tests.calling import call_service
from tests.pressing import done, refused, url_of
from tests.test_access import ADDRESSES
from tests.views.pages import TOMORROW, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.selectors.clock import counted
from tournaments.event.services.clock import clock_start
from tournaments.event.services.counts import count_change
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_event(is_clock_only=True)


@pytest.fixture
def dora(client, event):
    return f.sign_browser_in(client, Role.DIRECTOR)


def test_three_counters_with_their_keys(client, dora, event, django_assert_max_num_queries):
    with django_assert_max_num_queries(40):
        page = text_of(client.get(url_of(event, "director")))
    for key in "azedrf":
        assert f'data-key="{key}"' in page
    assert "Chips je Re-buy" in page
    assert "Uhr starten" in page
    for gone in ("Saalzahl", "Auslosungen", "Nachmelden", "Tisch öffnen", "eingecheckt"):
        assert gone not in page


def test_a_count_is_told_with_its_undo(client, dora, event):
    assert "1 Einstiege" in done(client, event, "count-change", what="entries", step=1)
    done(client, event, "count-change", what="rebuys", step=1, chips="150")
    assert counted(event).chips == 350
    assert "350" in text_of(client.get(url_of(event, "director-counts")))


def test_the_last_one_left_has_won(event):
    made = {"event": event, "by": SYSTEM}
    for _time in range(2):
        call_service(count_change, **made, at=f.ARRIVAL, what="entries", step=1)
    call_service(clock_start, **made, at=f.after(0))
    call_service(count_change, **made, at=f.after(5), what="left", step=-1)
    with f.refused("last_one_wins", event):
        call_service(count_change, **made, at=f.after(6), what="left", step=-1)
    # An entry counted by mistake can still be taken off.
    call_service(count_change, **made, at=f.after(7), what="left", step=1)
    for minute in (8, 9):
        call_service(count_change, **made, at=f.after(minute), what="entries", step=-1)
    assert (counted(f.fresh(event)).entries, counted(f.fresh(event)).left) == (0, 0)


def test_an_evening_without_names_is_ended_when_one_is_left(client, dora, event):
    made = {"event": event, "by": SYSTEM}
    for _time in range(3):
        call_service(count_change, **made, at=f.ARRIVAL, what="entries", step=1)
    call_service(clock_start, **made, at=f.after(0))
    call_service(count_change, **made, at=f.after(5), what="left", step=-1)
    assert "hat gewonnen" not in text_of(client.get(url_of(event, "director-due")))
    page = text_of(client.get(url_of(event, "event-end")))
    assert "2 sind noch im Spiel. Die Uhr bleibt stehen." in page
    assert "Chips" not in page
    assert "Ergebnis" not in page
    call_service(count_change, **made, at=f.after(6), what="left", step=-1)
    due = text_of(client.get(url_of(event, "director-due")))
    assert "Einer ist übrig und hat gewonnen" in due
    assert "Turnier beenden …" in due
    assert "Einer ist übrig und hat gewonnen." in text_of(client.get(url_of(event, "event-end")))
    answer = client.post(url_of(event, "event-end"), follow=True)
    assert (answer.status_code, answer.request["PATH_INFO"]) == (200, url_of(event, "director"))
    assert f.fresh(event).is_over


def test_bad_counts_are_refused_beside_the_button(client, dora, event):
    for data, sentence in (
        ({"what": "entries", "step": -1}, "Weniger als null"),
        ({"what": "entries", "step": "x"}, "ganze Zahl"),
        ({"what": "", "step": 1}, "einzeln"),
        ({"what": "rebuys", "step": 1, "chips": "viele"}, "ganze Zahl von Chips"),
    ):
        refused(client, event, "count-change", sentence=sentence, **data)


def test_pages_of_people_are_not_there_and_say_why(client, dora, event):
    assert len(OF_PEOPLE) > 90
    # Scripts are told so once they have shown a token: tests/api/test_reads.py.
    for name in (page for page in OF_PEOPLE if not page.startswith("api-")):
        wanted = ADDRESSES[name].pattern.converters
        url = reverse(name, kwargs={arg: event.slug if arg == "slug" else 1 for arg in wanted})
        method = client.post if client.get(url).status_code == 405 else client.get
        answer = method(url)
        assert answer.status_code == 404, name
        assert "läuft nur die Uhr" in text_of(answer), name


def test_every_other_page_is_there(client, dora, event):
    for name in ("director", "tournament", "screen", "staff", "event-settings", "event-schedule",
                 "event-copy", "event-end", "event-cancel", "director-log-all"):  # fmt: skip
        answer = client.get(url_of(event, name))
        assert answer.status_code == 200, name
        assert not any(f'"{url_of(event, gone)}"' in text_of(answer)
                       for gone in ("desk", "floor", "results", "draws")), name  # fmt: skip


def test_the_choice_is_made_with_the_evening(client, dora):
    page = client.get(reverse("new-event"))
    assert 'name="is_clock_only"' in text_of(page)
    shown = {
        name: value for name, value in page.context["form"].initial.items() if value is not None
    }
    data = {**shown, "name": "Nur Uhr", "is_clock_only": "on",
            "day": TOMORROW + timedelta(days=1), "time": "19:00", "starting_stack": ""}  # fmt: skip
    answer = client.post(reverse("new-event"), data)
    assert answer.status_code == 302, answer.context["form"].errors
    made = Event.objects.get(name="Nur Uhr")
    assert made.is_clock_only
    assert not made.is_registration_open


def test_home_tells_what_was_counted(client, event, django_assert_max_num_queries):
    made = {"event": event, "by": SYSTEM}
    for minute in range(5):
        call_service(count_change, **made, at=f.after(minute - 9), what="entries", step=1)
    assert "Ohne Anmeldung" in text_of(client.get("/"))
    call_service(clock_start, **made, at=f.START)
    call_service(count_change, **made, at=f.after(9), what="left", step=-1)
    with django_assert_max_num_queries(12):
        page = text_of(client.get("/"))
    assert "4 von 5 im Spiel" in page
    assert "#anmelden" not in page
    call_service(event_end, **made, at=f.after(99))
    page = text_of(client.get("/"))
    assert "Beendet, 5 haben mitgespielt" in page
    assert url_of(event, "tournament") in page
    assert url_of(event, "results") not in page


def test_the_last_hands_are_chosen_and_counted_by_key(client, dora, event):
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    panel = text_of(client.get(url_of(event, "director-clock")))
    assert "Noch 3 Hände" in panel
    assert 'data-key="h"' not in panel
    sheet = text_of(client.get(url_of(event, "clock-last-hands")))
    assert all(f'value="{hands}"' in sheet for hands in range(1, 21))
    assert 'value="21"' not in sheet
    refused(client, event, "clock-last-hands", hands="21", sentence="1 bis 20 Hände")
    done(client, event, "clock-last-hands", hands="2")
    for left in ("Noch 2 Hände.", "Noch eine Hand."):
        panel = text_of(client.get(url_of(event, "director-clock")))
        assert left in panel
        assert 'data-key="h"' in panel
        done(client, event, "clock-hand")
    assert 'data-key="h"' not in text_of(client.get(url_of(event, "director-clock")))
    refused(client, event, "clock-hand", sentence="Hände werden gerade nicht gezählt")


def test_no_last_hands_are_asked_for_once_it_is_over(client, dora, event):
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    event_end(Command(event=event, by=SYSTEM, at=f.after(9)))
    assert "Das Turnier ist beendet." in text_of(client.get(url_of(event, "clock-last-hands")))
