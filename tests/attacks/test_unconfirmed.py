"""Who registers himself confirms: else the place goes on, and his address gets no more mail."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.core import mail as post
from django.urls import reverse

from clock.servertime import server_time
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, VISITOR, Role
from tournaments.door.selectors.places import confirm_by, mailbox_proof, unconfirmed, waiting_live
from tournaments.door.services.arrivals import registration_arrive
from tournaments.door.services.confirming import registration_confirm
from tournaments.door.services.registration import registration_correct, registration_withdraw
from tournaments.models import Event, Mail, Registration
from tournaments.tasks import mails_due, places_due

pytestmark = pytest.mark.django_db
LATER = f.ARRIVAL + timedelta(minutes=61)


@pytest.fixture
def event():
    """Three places; who registers himself confirms within the hour."""
    starts_at = f.ARRIVAL + timedelta(days=2)
    return f.make_event(capacity=3, confirm_minutes=60, offer_minutes=30, starts_at=starts_at)


def himself(event, name, *, minute=0, email=""):
    at = f.ARRIVAL + timedelta(minutes=minute)
    return f.register(event, name, by=VISITOR, at=at, email=email)


def fresh(row):
    return Registration.objects.select_related("event", "made_by").get(pk=row.pk)


def names_in_line(event):
    rows = waiting_live(event).order_by("since", "pk")
    return [row.registration.person.name for row in rows.select_related("registration__person")]


@pytest.fixture
def full(event):
    """Anna has confirmed, Bert and Carl have not; Dora waits."""
    people = [himself(event, name, minute=n) for n, name in enumerate(("Anna", "Bert", "Carl"))]
    call_service(registration_confirm, event=event, by=SYSTEM, at=f.ARRIVAL, registration=people[0])
    return [*people, himself(event, "Dora", minute=3)]


def page_of(client, row, question=""):
    return client.get(reverse("player", args=[row.link_token]) + question).content.decode()


def test_a_place_that_is_not_confirmed_goes_to_who_waits_by_itself_and_undo_brings_it_back(
    event, full
):
    anna, bert, _carl, dora = full
    late = LATER + timedelta(hours=5)
    assert [confirm_by(fresh(row)) is None for row in full[:2]] == [True, False]
    assert unconfirmed(event, f.ARRIVAL + timedelta(minutes=59)) == []
    assert unconfirmed(event, late) == [bert]
    with patch.object(server_time, "now", return_value=LATER):
        places_due()
    action = event.actions.get(kind="registrations.lapsed")
    assert action.payload["registrations"] == [bert.pk]
    assert action.payload["offered"] == [dora.pk]
    assert names_in_line(event) == ["Dora", "Bert"]
    # Nobody loses a place twice, and Dora's is held for her.
    assert unconfirmed(event, late) == []
    f.undo(f.fresh(event), action, at=LATER)
    assert names_in_line(event) == ["Dora"]
    with pytest.raises(Exception, match="Das ist nicht deine Anmeldung"):
        f.drive(registration_confirm, event, 0, by=f.petra_of(anna), registration=bert)


def test_nobody_loses_a_place_whom_staff_know_or_while_one_is_free(event):
    himself(event, "Anna")
    desk = f.register(event, "Bert", at=f.ARRIVAL)
    here = himself(event, "Carl")
    assert unconfirmed(event, LATER) == []
    himself(event, "Dora")
    call_service(registration_arrive, event=event, by=SYSTEM, at=f.ARRIVAL, registration=here)
    found = [row.person.name for row in unconfirmed(event, LATER)]
    assert found == ["Anna"]
    assert confirm_by(fresh(desk)) is None
    Event.objects.filter(pk=event.pk).update(confirm_minutes=0)
    assert unconfirmed(f.fresh(event), LATER) == []


def test_the_own_page_asks_and_one_tap_is_enough(client, event):
    row = himself(event, "Petra")
    where = reverse("player-confirm", args=[row.link_token])
    with patch.object(server_time, "now", return_value=f.ARRIVAL + timedelta(minutes=5)):
        assert "Kommst du sicher?" in page_of(client, row)
        assert client.post(where).status_code == 302
        assert "Kommst du sicher?" not in page_of(client, row)
        answer = client.post(where, follow=True).content.decode()
    assert "Das ist schon bestätigt." in answer
    row.refresh_from_db()
    assert (row.confirmed_at is not None, row.is_mail_proven) == (True, False)


def sent_to(address):
    with patch.object(server_time, "now", return_value=LATER):
        mails_due()
    return [letter.body for letter in post.outbox if letter.to == [address]]


def test_an_address_gets_one_mail_until_its_owner_opens_the_link_in_it(client, event, full):
    stranger = himself(event, "Opfer", email="opfer@example.org", minute=4)
    (first,) = sent_to("opfer@example.org")
    assert "es kommt keine weitere" in first
    withdraw = {"event": event, "by": SYSTEM, "at": f.ARRIVAL}
    for row in (full[0], full[1]):
        call_service(registration_withdraw, **withdraw, registration=row)
    assert waiting_live(event).filter(registration=stranger).exists()
    assert len(sent_to("opfer@example.org")) == 1
    link = next(line for line in first.splitlines() if "/p/" in line)
    proof = link.split("post=")[1]
    # Who registered in another's name knows the page, and not what the mail says.
    asks = "Ist das deine Mailadresse?"
    seen = [asks in page_of(client, stranger, end) for end in ("", "?post=x", f"?post={proof}")]
    assert seen == [False, False, True]
    with patch.object(server_time, "now", return_value=LATER):
        confirm = reverse("player-confirm", args=[stranger.link_token])
        assert client.post(confirm, {"post": proof}).status_code == 302
    stranger.refresh_from_db()
    assert stranger.is_mail_proven
    call_service(registration_withdraw, **withdraw, registration=full[2])
    offered = Mail.objects.filter(kind="offered", registration=stranger)
    assert len(sent_to("opfer@example.org")) == 1 + offered.count()


def test_another_address_is_to_be_proven_anew_and_staff_vouch_for_theirs(client, event):
    row = himself(event, "Petra", email="petra@example.org")
    f.sign_browser_in(client, Role.DESK, event)
    sheet = client.get(reverse("desk-correct", args=[event.slug, row.pk])).content.decode()
    assert "Ob die Mailadresse die eigene ist" in sheet
    Registration.objects.filter(pk=row.pk).update(is_mail_proven=True)
    proof = mailbox_proof(row)
    own = {"event": event, "at": f.ARRIVAL, "registration": row, "name": "Petra"}
    for by, is_proven in ((f.petra_of(row), False), (SYSTEM, True)):
        call_service(registration_correct, **own, by=by, email="anders@example.org")
        row.refresh_from_db()
        assert (row.email, row.is_mail_proven) == ("anders@example.org", is_proven)
        assert mailbox_proof(row) != proof
