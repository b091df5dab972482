"""Two hundred registrations that nobody means: seen, and taken back at once, with one undo."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.views.pages import soon, text_of
from tournaments.changes.access import SYSTEM, VISITOR, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.dashboard.selectors.due import DueKind, due_items
from tournaments.door.selectors.origins import FLOOD, FLOOD_WINDOW, origins_flooding
from tournaments.door.services.fees import fee_pay
from tournaments.door.services.origins import FORGOTTEN_AFTER, origins_forget, registrations_clear
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.ending import event_cancel
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Action, ActionText, Event, Registration, Waiting
from tournaments.privacy.services.privacy import person_erase
from tournaments.seating.selectors.balancing import floor_advice

pytestmark = pytest.mark.django_db
PHONE = "192.168.0.17"


def send(event, name, address=PHONE):
    filled_in = {"name": name, "is_listed": "on", "agrees_to_rules": "on", "is_other": "alike"}
    told = {"REMOTE_ADDR": address}
    answer = Client().post(reverse("register", args=[event.slug]), filled_in, **told)
    assert answer.status_code == 302, answer.content
    return Registration.objects.latest("pk")


def names(event):
    rows = Registration.objects.live().filter(event=event).order_by("pk")
    return list(rows.values_list("person__name", flat=True))


def clear(event, row, since=None, **own):
    since = since or row.event.starts_at - timedelta(days=9)
    command = Command(event=event, by=SYSTEM, at=timezone.now(), **own)
    return registrations_clear(command, registration=row, since=since)


@pytest.fixture
def flooded():
    """Four places: one of a guest, three of a flood, one of which is here; a guest waits."""
    event = soon(capacity=4, fee_cents=1000, offer_minutes=0)
    send(event, "Gerda Gast", "192.168.0.3")
    rows = [send(event, f"Niemand {word}") for word in ("Eins", "Zwei", "Drei")]
    send(event, "Willi Wartet", "192.168.0.4")
    now = timezone.now()
    f.check_in(event, rows[0], at=now)
    return event, rows


def test_all_of_one_phone_go_at_once_who_is_here_stays_and_the_line_moves_up(flooded):
    event, rows = flooded
    action = clear(event, rows[0])
    assert names(event) == ["Gerda Gast", "Niemand Eins", "Willi Wartet"]
    assert action.payload["registrations"] == [row.pk for row in rows[1:]]
    assert not Waiting.objects.live().filter(registration__person__name="Willi Wartet").exists()
    assert ActionText.objects.get(action=action).data["name"] == "Niemand Zwei, Niemand Drei"
    with f.refused("none", event):
        clear(event, rows[0])
    # Who was told that he has a place keeps it: there must be room for those who come back.
    now = timezone.now()
    with f.refused("overbooked", event):
        f.undo(event, action, at=now)
    event_update(Command(event=event, by=SYSTEM, at=now), settings={"capacity": 5})
    f.undo(event, action, at=now)
    assert len(names(event)) == 5


def test_who_has_paid_or_came_earlier_stays():
    event = soon(fee_cents=1000)
    early, paid, late = (send(event, f"Gast {word}") for word in ("Früh", "Bezahlt", "Spät"))
    earlier = timezone.now() - timedelta(hours=2)
    Registration.objects.filter(pk=early.pk).update(registered_at=earlier)
    fee_pay(Command(event=event, by=SYSTEM, at=timezone.now()), registration=paid)
    clear(event, late, since=earlier + timedelta(minutes=1))
    assert names(event) == ["Gast Früh", "Gast Bezahlt"]


def test_nobody_registered_by_staff_or_on_this_machine_has_an_origin():
    event = soon()
    rows = [f.register(event, "Vom Tisch", at=timezone.now()), send(event, "Hier", "127.0.0.1")]
    for row in rows:
        assert row.origin == ""
        with f.refused("none", event):
            clear(event, row)


def test_the_origin_tells_alike_from_unlike_at_one_event_and_no_address():
    event, other = soon(), soon(name="Anderes")
    one, same = send(event, "Gast Eins"), send(event, "Gast Zwei")
    elsewhere, there = send(event, "Gast Drei", "192.168.0.99"), send(other, "Gast Vier")
    assert one.origin == same.origin
    assert len({one.origin, elsewhere.origin, there.origin}) == 3
    assert PHONE not in one.origin


def test_the_same_form_sent_again_from_another_network_is_the_same_form(client):
    event, key = soon(), "6d1f2a34-0000-4000-8000-000000000001"
    sent = {"name": "Petra Probst", "agrees_to_rules": "on", "idempotency_key": key}
    url = reverse("register", args=[event.slug])
    first = client.post(url, sent, REMOTE_ADDR=PHONE)
    again = client.post(url, sent, REMOTE_ADDR="84.112.3.4")
    assert (first.status_code, first["Location"]) == (again.status_code, again["Location"])


@pytest.mark.parametrize("how", ["ended", "never ended", "erased"])
def test_it_is_forgotten_when_the_event_is_over(how):
    event = soon()
    row = send(event, "Gast Eins")
    now = timezone.now()
    if how == "ended":
        event_cancel(Command(event=event, by=SYSTEM, at=now))
    elif how == "erased":
        registration_withdraw(Command(event=event, by=SYSTEM, at=now), registration=row)
        person_erase(ClubCommand(club=event.club, by=SYSTEM, at=now), person=row.person)
    else:
        origins_forget(event.starts_at + FORGOTTEN_AFTER - timedelta(minutes=1))
        assert Registration.objects.get().origin
        origins_forget(event.starts_at + FORGOTTEN_AFTER + timedelta(minutes=1))
    assert Registration.objects.get().origin == ""


def test_an_erased_person_does_not_come_back_by_the_undo():
    event = soon()
    rows = [send(event, f"Gast {word}") for word in ("Eins", "Zwei")]
    action = clear(event, rows[0])
    own = ClubCommand(club=event.club, by=SYSTEM, at=timezone.now())
    person_erase(own, person=rows[1].person)
    with f.refused("erased", event):
        f.undo(event, action, at=timezone.now())


def test_a_flood_is_under_what_is_due_and_a_family_is_not():
    event, now = soon(capacity=100), timezone.now()
    by = replace(VISITOR, origin="haus")
    for number in range(FLOOD - 1):
        f.register(event, f"Gast {number}", by=by, at=now)
    assert origins_flooding(event, now) == []
    row = f.register(event, "Gast zu viel", by=by, at=now)
    event = f.fresh(event)
    first = Registration.objects.filter(event=event).earliest("pk")
    assert origins_flooding(event, now) == [(first.pk, FLOOD)]
    (item,) = [
        item
        for item in due_items(event, now, advice=floor_advice(event, now))
        if item.kind == DueKind.FLOOD
    ]
    assert str(FLOOD) in item.title
    assert origins_flooding(event, now + FLOOD_WINDOW) == []
    clear(event, row)
    assert origins_flooding(event, now) == []


def test_the_director_looks_first_and_then_presses(client):
    event = soon()
    row, _other = send(event, "Gast Eins"), send(event, "Gast Zwei")
    url = reverse("origin-clear", args=[event.slug, row.pk])
    for role in (None, Role.ARBITER, Role.DESK):
        stranger = Client()
        if role:
            f.sign_browser_in(stranger, role, event)
        assert stranger.get(url).status_code == 403
        assert stranger.post(url, {"since": "2020-01-01T00:00"}).status_code == 403
    f.sign_browser_in(client, Role.DIRECTOR, event)
    sheet = reverse("desk-check-in", args=[event.slug, row.pk])
    assert url in text_of(client.get(sheet))
    text = text_of(client.get(url))
    assert "2 Anmeldungen werden zurückgenommen" in text
    assert "Gast Zwei" in text
    later = text_of(client.get(url, {"since": "2999-01-01T00:00"}))
    assert "keine Anmeldung, die sich zurücknehmen lässt" in later
    for since in ("gestern", "2026-13-01T00:00", ""):
        assert client.post(url, {"since": since}).status_code == 422
    assert len(names(event)) == 2
    assert client.post(url, {"since": "2020-01-01T00:00"}).status_code == 302
    assert names(event) == []
    assert Action.objects.latest("pk").kind == "registrations.cleared"
    assert Event.objects.get(pk=event.pk).version > event.version


def test_who_is_checked_in_is_shown_as_staying(client, flooded):
    event, rows = flooded
    f.sign_browser_in(client, Role.DIRECTOR, event)
    text = text_of(client.get(reverse("origin-clear", args=[event.slug, rows[0].pk])))
    assert "Eingecheckt oder bezahlt, bleiben" in text
