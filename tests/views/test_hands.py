"""The tap for the next hand on the arbiter's phone, and what is in force at the tables."""

from uuid import uuid4

import pytest

from tests import factories as f
from tests.pressing import done, refused, sheet, url_of
from tests.views.pages import text_of
from tournaments.access import SYSTEM, Role
from tournaments.models import Hand
from tournaments.services.hands import hand_begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_running_event(10, seats=5)


@pytest.fixture
def arno(client, event):
    return f.sign_browser_in(client, Role.ARBITER, event)


def tap(event, minute, number=1):
    hand_begin(event=event, by=SYSTEM, at=f.after(minute), table=f.table_of(event, number))


def test_one_tap_begins_a_hand_and_its_toast_takes_it_back(client, arno, event):
    assert "Hand 1 an Tisch 2" in done(client, event, "floor-hand", 2)
    assert Hand.objects.live().get().table.number == 2
    client.post(url_of(event, "action-undo", f.last_action(event).pk))
    assert not Hand.objects.live().exists()


def test_the_same_tap_sent_twice_counts_once(client, arno, event):
    key = {"X-Idempotency-Key": str(uuid4()), "HX-Request": "true"}
    for _time in range(2):
        assert client.post(url_of(event, "floor-hand", 1), headers=key).status_code == 200
    assert Hand.objects.count() == 1


def test_a_second_tap_at_once_is_refused(client, arno, event):
    done(client, event, "floor-hand", 1)
    refused(client, event, "floor-hand", 1, sentence="eben erst eine Hand begonnen")


def test_no_tap_at_a_table_that_is_not_there_or_before_the_start(client, arno, event):
    refused(client, event, "floor-hand", 9, sentence="gibt es nicht mehr")
    planned = f.make_seated_event(4, name="Geplant")
    f.sign_browser_in(client, Role.ARBITER, planned)
    refused(client, planned, "floor-hand", 1, sentence="noch nicht begonnen")


def test_the_table_says_what_is_in_force_and_offers_the_tap(
    client, arno, event, django_assert_max_num_queries
):
    tap(event, 1)
    with django_assert_max_num_queries(23):
        page = text_of(client.get(url_of(event, "floor-table", 1)))
    assert url_of(event, "floor-hand", 1) in page
    assert "Nächste Hand" in page
    assert "Hand 1 begann um 19:01:00" in page
    assert "Hier gilt Stufe 1: 1 / 1" in sheet(client, event, "floor-in-force", 1).replace(
        " : ", ": "
    )


def test_the_desk_may_ask_and_not_tap(client, event):
    f.sign_browser_in(client, Role.DESK, event)
    page = text_of(client.get(url_of(event, "floor-table", 1)))
    assert url_of(event, "floor-hand", 1) not in page
    assert "Noch nichts getippt" in sheet(client, event, "floor-in-force", 2)
    assert client.post(url_of(event, "floor-hand", 1)).status_code == 403


def test_a_table_that_is_gone_is_a_refusal(client, arno, event):
    assert client.get(url_of(event, "floor-in-force", 7)).status_code == 422


def test_the_director_sees_which_tables_still_play_the_old_level(client, event):
    f.sign_browser_in(client, Role.DIRECTOR, event)
    tap(event, 19, 1)
    tap(event, 19, 2)
    done(client, event, "floor-hand", 2)
    page = text_of(client.get(url_of(event, "director")))
    assert "Noch nicht in Kraft" in page
    assert "Tisch 1: noch Stufe 1, 1 / 1" in page
    assert "Tisch 2: noch Stufe" not in page
    done(client, event, "floor-hand", 1)
    assert "noch Stufe" not in text_of(client.get(url_of(event, "director-in-force")))
