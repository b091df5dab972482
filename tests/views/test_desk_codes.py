"""A player's QR code at the desk: in the search, and opened on a device of the desk."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.pressing import url_of
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Waiting

pytestmark = pytest.mark.django_db
GERMAN_KEYS = str.maketrans("/:-_yzYZ", "-Öß?zyZY")


def link_of(row):
    return "http://192.168.1.5:8000" + reverse("player", args=[row.link_token])


def own_page(client, row):
    return text_of(client.get(reverse("player", args=[row.link_token])))


def found(client, event, typed):
    return text_of(client.get(url_of(event, "desk-list"), {"q": typed}))


# In the search


def test_a_scanned_code_opens_the_sheet_of_its_person(client, desk, event):
    f.register(event, "Otto Kurz")
    petra = f.register(event)
    sheet = url_of(event, "desk-check-in", petra.pk)
    for typed in (link_of(petra), link_of(petra).translate(GERMAN_KEYS)):
        answer = found(client, event, typed)
        assert f'data-scanned hx-get="{sheet}"' in answer
        assert "Otto" not in answer
    assert client.get(url_of(event, "desk"), {"q": link_of(petra)}).url == sheet


def test_the_code_of_another_event_is_told_plainly(client, desk, event):
    elsewhere = f.register(f.make_event(name="Sonntagsturnier"))
    answer = found(client, event, link_of(elsewhere))
    assert "Dieser Code gehört zu „Sonntagsturnier“" in answer
    assert "data-scanned hx-get" not in answer
    assert "Petra" not in answer
    assert "Sonntagsturnier" in text_of(
        client.get(url_of(event, "desk"), {"q": link_of(elsewhere)})
    )


def test_a_code_that_is_no_more_and_one_of_somebody_gone(client, desk, event):
    assert "Diesen Code gibt es nicht" in found(client, event, "http://krru.test/p/nirgendwo/")
    petra = f.register(event)
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=petra)
    assert "Petra Probst ist abgemeldet" in found(client, event, link_of(petra))


def test_the_only_one_found_may_be_checked_in_with_enter(client, desk, event):
    petra = f.register(event)
    f.register(event, "Paul Probst")
    assert 'id="desk-enter"' not in found(client, event, "probst")
    assert 'id="desk-enter"' in found(client, event, "petra")
    f.check_in(event, petra)
    assert 'id="desk-enter"' not in found(client, event, "petra")
    assert "ist schon eingecheckt: Tisch 1, Platz" in found(client, event, "petra")
    assert 'id="desk-enter"' not in found(client, event, "")


# Opened on a device


def test_a_device_of_the_desk_is_offered_the_check_in(client, desk, event):
    petra = f.register(event)
    sheet = url_of(event, "desk-check-in", petra.pk)
    assert f'href="{sheet}"' in own_page(client, petra)
    f.check_in(event, petra)
    assert "Schon eingecheckt: Tisch 1" in own_page(client, petra)


def test_of_somebody_who_waits_or_is_gone_it_is_told_that(client, desk, event):
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"capacity": 2})
    rows = [f.register(event, name) for name in ("Eins", "Zwei", "Vera")]
    assert Waiting.objects.live().count() == 1
    assert "Steht auf der Warteliste an Stelle 1." in own_page(client, rows[2])
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=rows[2])
    assert "Diese Anmeldung gilt nicht mehr." in own_page(client, rows[2])


def test_a_desk_of_another_event_is_told_plainly(client, event):
    f.sign_browser_in(client, Role.DESK, f.make_event(name="Sonntagsturnier"))
    page = own_page(client, f.register(event))
    assert "Dieser Code gehört zu „Freitagsturnier“" in page
    assert "Sonntagsturnier" in page
    assert "/einchecken/" not in page


@pytest.mark.parametrize("role", [None, Role.ARBITER])
def test_nobody_else_is_offered_anything(client, event, role):
    if role:
        f.sign_browser_in(client, role, event)
    page = own_page(client, f.register(event))
    assert "/einchecken/" not in page
    assert "Dieser Code" not in page
