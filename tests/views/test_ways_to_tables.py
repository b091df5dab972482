"""Where tables stand: typed once by the director, read wherever somebody looks for a table."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.pressing import url_of
from tests.views.desk import post
from tests.views.pages import bare, text_of
from tests.views.test_events import FILLED
from tests.views.test_events_settings import settings_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.event.services.lifecycle import event_copy, event_update
from tournaments.models import Entry, Event

pytestmark = pytest.mark.django_db
TYPED = "2-9: Galerie, Treppe hinten\n1: Großer Saal <b>links</b>"
KEPT = [[1, 1, "Großer Saal <b>links</b>"], [2, 9, "Galerie, Treppe hinten"]]
SHOWN = "Großer Saal &lt;b&gt;links&lt;/b&gt;"


@pytest.fixture
def event():
    made = f.make_event()
    event_update(Command(event=made, by=SYSTEM, at=f.ARRIVAL), settings={"areas": KEPT})
    return f.fresh(made)


def test_a_new_tournament_takes_them_and_the_next_one_begins_with_them(client):
    f.sign_browser_in(client, Role.DIRECTOR)
    assert client.post(reverse("new-event"), FILLED | {"areas": TYPED}).status_code == 302
    made = Event.objects.latest("pk")
    assert made.areas == KEPT
    again = text_of(client.get(reverse("new-event")))
    assert f"1: {SHOWN} 2-9: Galerie, Treppe hinten</textarea>" in again


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("im Saal", "„im Saal“ ist nicht zu lesen. Bitte so: 1-6: Großer Saal."),
        ("6-1: Saal", "„6-1“: Solche Tischnummern gibt es nicht."),
        ("1-6:", "Bei „1-6“ fehlt, wo diese Tische stehen."),
        ("1: " + "x" * 81, "Bei „1“ bitte höchstens 80 Zeichen."),
        ("1-6: Saal\n6: Galerie", "„6“: Einer dieser Tische steht schon in einem anderen Bereich."),
        ("\n".join(f"{table}: Saal" for table in range(1, 102)), "Höchstens 100 Bereiche."),
    ],
)
def test_what_cannot_be_is_told_beside_the_field_and_changes_nothing(client, event, typed, told):
    f.sign_browser_in(client, Role.DIRECTOR)
    answer = client.post(url_of(event, "event-settings"), settings_of(event) | {"areas": typed})
    assert answer.status_code == 422
    assert answer.context["form"].errors["areas"] == [told]
    assert f.fresh(event).areas == KEPT


def test_the_service_refuses_what_no_form_has_read(event):
    for areas in ([[6, 1, "Saal"]], [[2, 9, "Saal"], [1, 2, "Galerie"]]):
        with f.refused("bad_areas", event):
            event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"areas": areas})


def test_saving_the_page_unchanged_changes_nothing_and_a_change_is_taken_back(client, event):
    f.sign_browser_in(client, Role.DIRECTOR)
    url, data = url_of(event, "event-settings"), settings_of(event)
    shown = "\r\n".join(reversed(TYPED.splitlines()))  # as browsers send it
    client.post(url, data | {"areas": shown, "initial-areas": shown, "name": "Pokal"})
    assert (f.fresh(event).name, f.fresh(event).areas) == ("Pokal", KEPT)
    assert f.last_action(event).payload["settings"] == ["name"]
    client.post(url, data | {"areas": "1-9: Saal", "initial-areas": shown})
    assert f.fresh(event).areas == [[1, 9, "Saal"]]
    f.undo(event)
    assert f.fresh(event).areas == KEPT


def test_the_preview_of_an_undo_shows_them_as_they_are_typed(client, event):
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"areas": []})
    f.sign_browser_in(client, Role.DIRECTOR, event)
    page = text_of(post(client, "undo-preview", event, f.last_action(event).pk))
    assert f"1: {SHOWN}, 2-9: Galerie, Treppe hinten" in page


def test_a_copy_stands_in_the_same_hall(event):
    copied = event_copy(ClubCommand(club=event.club, by=SYSTEM, at=f.ARRIVAL), source=event)
    assert Event.objects.get(pk=copied.payload["event"]).areas == KEPT


def test_everybody_who_looks_for_a_table_is_told(client, event):
    petra = f.register(event, "Petra")
    f.register(event, "Otto")  # a table is enough for the two who are expected
    f.sign_browser_in(client, Role.DESK, event)
    assert SHOWN in text_of(post(client, "desk-check-in", event, petra.pk))
    entry = Entry.objects.get(registration=petra)
    for url in (
        reverse("player", args=[petra.link_token]),
        url_of(event, "slip", entry.pk),
        url_of(event, "slips"),
    ):
        page = bare(text_of(client.get(url)))
        assert 'class="slip-way"' in page, url
        assert f"{SHOWN}</p>" in page, url
    for name in ("paper-seats", "paper-tables"):
        page = bare(text_of(client.get(url_of(event, name))))
        assert f"<dt>Tisch 1</dt><dd>{SHOWN}</dd>" in page
        assert "<dt>Tische 2 bis 9</dt><dd>Galerie, Treppe hinten</dd>" in page


def test_where_nobody_wrote_anything_nothing_is_shown(client):
    event = f.make_event()
    petra = f.register(event, "Petra")
    entry = f.check_in(event, petra)
    f.sign_browser_in(client, Role.DESK, event)
    for url in (reverse("player", args=[petra.link_token]), url_of(event, "slip", entry.pk)):
        assert "slip-way" not in text_of(client.get(url))
    assert "sheet-areas" not in text_of(client.get(url_of(event, "paper-seats")))
