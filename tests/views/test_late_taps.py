"""What a late tap may claim: how far it reaches back, and what only the director lets it pass."""

from datetime import timedelta

import pytest
from django.utils import timezone

from clock.contacts import DEVICE, note_contact
from clock.domain import instant_ms
from tests import factories as f
from tests.buying import TERMS
from tests.pressing import shows, url_of
from tests.views.test_held import asked, late
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.models import Elimination, Event, LateTap, LostStack, Purchase, PurchaseWish
from tournaments.play.selectors.ranking import place_of
from tournaments.play.services.eliminations import entries_eliminate

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=5, **TERMS)]

SECONDS = timedelta(seconds=1)


@pytest.fixture
def phone(client, arno, event, minute):
    """Arno's phone: in contact during the given minutes, at last by a page it asks for."""

    def in_contact(first, last):
        for quarter in range(int(first * 4), int(last * 4) + 1):
            note_contact(DEVICE % arno.device.pk, instant_ms(f.after(quarter / 4)))
        minute(last)
        assert client.get(url_of(event, "floor")).status_code == 200

    minute(1)
    arno.device.created_at = f.after(1)
    arno.device.save()
    return in_contact


def bust(event, entry, minute):
    command = Command(event=event, by=SYSTEM, at=f.after(minute))
    return entries_eliminate(command, entries=[entry])


def test_a_quiet_phone_in_contact_cannot_put_an_out_before_anothers(client, phone, minute, event):
    """Fritz busts in minute 80; ten minutes later Rolf's friend says it was Rolf before him."""
    fritz, rolf = f.entries_of(event)[:2]
    phone(1, 80)
    bust(event, fritz, 80)
    phone(80, 90)
    answer = late(client, event, "floor-out", rolf.pk, at=f.after(80) - 5 * SECONDS)
    assert "war danach noch verbunden" in asked(answer, "heard_since")
    assert Elimination.objects.count() == 1


def test_a_tap_of_an_outage_keeps_its_time(client, phone, minute, event):
    """Also when the phone is in contact again before it delivers, and after a short outage."""
    first, second, third = f.entries_of(event)[:3]
    phone(1, 80)
    phone(86, 86.5)
    assert late(client, event, "floor-out", first.pk, at=f.after(82)).status_code == 200
    assert f.last_action(event).at == f.after(82)
    phone(86.5, 100)
    minute(100.5)
    late(client, event, "floor-out", second.pk, at=f.after(100.25))
    assert f.last_action(event).at == f.after(100.25)
    late(client, event, "floor-out", third.pk, at=f.after(98))
    assert f.last_action(event).at == f.after(100.25)


def test_after_a_restart_a_tap_reaches_back_to_the_last_action(client, phone, minute, event):
    first, second = f.entries_of(event)[:2]
    minute(80)
    late(client, event, "floor-out", first.pk, at=f.after(80))
    minute(90)
    asked(late(client, event, "floor-out", second.pk, at=f.after(77)), "heard_since")
    assert late(client, event, "floor-out", second.pk, at=f.after(84)).status_code == 200
    assert f.last_action(event).at == f.after(84)


# --- What a late tap would pass is a question to the director


@pytest.fixture
def director(event, client):
    """Dora's laptop, which is asked: her page's list of what is due, and her two answers."""

    def ask(decision=""):
        tokens = client.cookies["krru_device"].value
        f.sign_browser_in(client, Role.DIRECTOR, event)
        due = client.get(url_of(event, "director-due")).content.decode()
        told = LateTap.objects.filter(voided_by=None).first()
        if told is not None and decision:
            url = url_of(event, "late-tap", told.pk)
            assert "Nachgetragen" in client.get(url).content.decode()
            assert client.post(url, {"decision": decision}).status_code == 302
        client.cookies["krru_device"] = tokens
        return due

    return ask


def test_an_out_of_an_outage_passes_anothers_only_if_the_director_says_so(
    client, phone, minute, event, director
):
    """Until then it counts from its arrival; accepted, the two change places."""
    fritz, rolf = f.entries_of(event)[:2]
    phone(1, 62)
    bust(event, fritz, 64)
    minute(66)
    assert (
        late(client, event, "floor-out", rolf.pk, at=f.after(64) - 5 * SECONDS).status_code == 200
    )
    assert (place_of(event, fritz), place_of(event, rolf)) == (10, 9)
    shows(director("accept"), "Nachgetragen, bitte entscheiden", "vor dem Ausscheiden von")
    assert (place_of(event, fritz), place_of(event, rolf)) == (9, 10)
    assert "bitte entscheiden" not in director()


def test_refused_it_counts_from_its_arrival_and_nothing_is_asked_again(
    client, phone, minute, event, director
):
    fritz, rolf, later = f.entries_of(event)[:3]
    phone(1, 62)
    bust(event, fritz, 64)
    minute(66)
    for entry, at in ((rolf, 63), (later, 65)):  # one phone's queue keeps its order
        assert late(client, event, "floor-out", entry.pk, at=f.after(at)).status_code == 200
    director("refuse")
    assert "bitte entscheiden" in director("refuse")
    assert [place_of(event, entry) for entry in (fritz, rolf, later)] == [10, 9, 8]
    assert not LateTap.objects.filter(voided_by=None).exists()


def test_an_out_before_a_levels_end_is_asked_and_keeps_its_chance_of_a_rebuy(
    client, phone, minute, event, director
):
    """Re-buys end with level 3, minute 60. The lost stack moves with its held seat."""
    rolf = f.entries_of(event)[0]
    phone(1, 57)
    minute(61)
    assert late(client, event, "floor-out", rolf.pk, at=f.after(58)).status_code == 200
    assert LostStack.objects.live().get().at == f.after(61)
    assert "Dazwischen endete Stufe 3" in director("accept")
    assert LostStack.objects.live().get().at == f.after(58)
    minute(90)
    assert not Elimination.objects.exists()


@pytest.mark.parametrize("name", ["purchase-ask", "purchase-buy"])
def test_a_late_wish_or_sale_past_the_end_of_rebuys_waits_for_the_director(
    client, phone, minute, director, name
):
    """A quiet phone claims level 3 at level 5: nothing is sold before the director agrees."""
    event = Event.objects.get()
    rolf = f.entries_of(event)[0]
    phone(1, 57)
    minute(99)
    own = {"stack": "0"}
    assert client.post(url_of(event, name, rolf.pk, "rebuy"), own).status_code == 422
    claim = {"at": f.after(58), "data": own}
    assert late(client, event, name, rolf.pk, "rebuy", **claim).status_code == 200
    assert not Purchase.objects.exists()
    assert "bitte entscheiden" in director("refuse")
    assert not PurchaseWish.objects.live().exists()
    late(client, event, name, rolf.pk, "rebuy", **claim)
    director("accept")
    f.sign_browser_in(client, Role.DESK, event)
    minute(101)
    assert "nachgetragen" in client.get(url_of(event, "purchase", rolf.pk)).content.decode()
    client.post(url_of(event, "purchase-buy", rolf.pk, "rebuy"), own)
    assert Purchase.objects.live().count() == 1


def test_what_was_entered_late_says_so_in_the_latest_actions(client, phone, minute, event):
    rolf = f.entries_of(event)[0]
    phone(1, 40)
    minute(44)
    late(client, event, "floor-out", rolf.pk, at=f.after(42))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    text = client.get(url_of(event, "director")).content.decode()
    shows(text, "nachgetragen, ", f"{timezone.localtime(f.after(42)):%H:%M:%S}")
