"""A receipt: shown, printed, mailed, on the player's page; one taken back says so."""

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tournaments.changes.access import Role
from tournaments.models import Mail, Receipt
from tournaments.post.selectors.mail import mail_text_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
NBSP = "\N{NO-BREAK SPACE}"


@pytest.fixture
def event():
    return f.make_event(fee_cents=3000)


@pytest.fixture
def desk(client, event):
    return f.sign_browser_in(client, Role.DESK, event)


def url(name, event, *args):
    return reverse(name, args=[event.slug, *args])


def post(client, name, event, *args, **fields):
    return client.post(url(name, event, *args), fields, headers=HTMX)


def test_a_receipt_is_shown_printed_mailed_and_on_the_players_page(client, event, desk):
    petra = f.register(event, email="petra@example.org")
    post(client, "fee-pay", event, petra.pk)
    receipt = Receipt.objects.get()
    name = f"{timezone.localtime().year}-0001"
    own = reverse("player", args=[petra.link_token])
    assert f"Beleg {name}" in client.get(own).content.decode()
    on_phone = reverse("player-receipt", args=[petra.link_token, receipt.pk])
    for address in (on_phone, url("receipt", event, receipt.pk)):
        page = client.get(address).content.decode()
        assert f"Beleg {name}" in page
        assert "Kein Beleg im Sinne der Registrierkassenpflicht." in page
        assert "receipt-roll.css" not in page
        assert "receipt-roll.css" in client.get(address, {"papier": "bon"}).content.decode()
    assert post(client, "receipt-mail", event, receipt.pk).status_code == 200
    row = Mail.objects.get(kind="receipt")
    text = mail_text_of(row, now=timezone.now(), base="http://krru.test")
    assert name in text.body
    assert "Kein Beleg im Sinne der Registrierkassenpflicht." in text.body
    assert mail.outbox == []


def test_a_receipt_of_somebody_else_is_not_shown(client, event, desk):
    petra, paul = f.register(event), f.register(event, "Paul Prohaska")
    post(client, "fee-pay", event, petra.pk)
    receipt = Receipt.objects.get()
    address = reverse("player-receipt", args=[paul.link_token, receipt.pk])
    assert client.get(address).status_code == 404
    assert post(client, "receipt-mail", event, receipt.pk).status_code == 422


def test_a_receipt_that_was_taken_back_says_so_on_both(client, event, desk):
    petra = f.register(event)
    post(client, "fee-pay", event, petra.pk)
    f.undo(event)
    first, second = Receipt.objects.order_by("number")
    year = first.year
    page = client.get(url("receipt", event, first.pk)).content.decode()
    assert f"Zurückgenommen mit Beleg {year}-0002." in " ".join(page.split())
    page = client.get(url("receipt", event, second.pk)).content.decode()
    assert f"Gegenbeleg {year}-0002" in page
    assert f"Nimmt Beleg {year}-0001 zurück." in page
