"""The pages of the chip race: all tables, and the step at one of them."""

import pytest

from tests import factories as f
from tests.pressing import url_of
from tests.races import in_race
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.models import ChipMovement, ChipRace

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    chips = f.house().chip_sets.get(name="Steffen")
    return in_race(f.make_running_event(8, seats=6, chip_set=chips), 1)


def typed(event, *counts, **more):
    sitting = f.at_table(event, 1)
    pieces = zip(sitting, counts, strict=False)
    return {f"count_{entry.pk}_1": str(count) for entry, count in pieces} | more


def test_the_list_says_which_tables_are_done(client, arno, event):
    assert "Chip Race" in text_of(client.get(url_of(event, "floor")))
    before = text_of(client.get(url_of(event, "chip-races")))
    assert "Die Chips zu 1 werden zu solchen zu 5." in before
    assert "fertig" not in before
    client.post(url_of(event, "floor-race", 1), {})
    assert "fertig" in text_of(client.get(url_of(event, "chip-races")))


def test_the_step_at_a_table_says_who_won_and_is_taken_back(client, arno, event):
    page = url_of(event, "floor-race", 1)
    assert "hat sonst nichts" in text_of(client.get(page))
    answer = client.post(page, typed(event, 4, 3, 8))
    assert (answer.status_code, answer.url) == (302, page)
    text = text_of(client.get(page))
    assert "gibt 8 her" in text
    assert "gewinnt" in text
    race = ChipRace.objects.get()
    assert f"{race.draw.number}: Chip Race" in text_of(client.get(url_of(event, "draws")))
    undo = client.post(url_of(event, "action-undo", race.made_by_id), {"next": page})
    assert (undo.status_code, undo.url) == (302, page)
    assert not ChipMovement.objects.live().filter(reason="chip_race").exists()
    assert "Karten geben und eintauschen" in text_of(client.get(page))


@pytest.mark.parametrize("wrong", ["-1", "viele", "99999"])
def test_what_is_no_number_of_chips_is_said_at_its_field(client, arno, event, wrong):
    answer = client.post(url_of(event, "floor-race", 1), typed(event, wrong))
    assert answer.status_code == 422
    assert not ChipRace.objects.exists()


def test_a_table_that_is_done_is_not_done_again(client, arno, event):
    page = url_of(event, "floor-race", 1)
    client.post(page, {})
    answer = client.post(page, typed(event, 2))
    assert answer.status_code == 422
    assert ChipRace.objects.count() == 1


def test_when_no_chips_leave_the_pages_say_so(client):
    event = f.make_running_event(6)
    f.sign_browser_in(client, Role.ARBITER, event)
    for name, args in (("chip-races", ()), ("floor-race", (1,))):
        assert "Jetzt gehen keine Chips aus dem Spiel." in text_of(
            client.get(url_of(event, name, *args))
        )
    assert client.post(url_of(event, "floor-race", 1), {}).status_code == 422
    assert client.get(url_of(event, "floor-race", 9)).status_code == 404


def test_the_director_is_told_which_tables_are_missing(dora, event):
    text = text_of(dora.get(url_of(event, "director")))
    assert "Chips zu 1 eintauschen" in text
    assert "Zum Chip Race" in text
