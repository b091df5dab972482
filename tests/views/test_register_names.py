"""Registering under every kind of name and mail that people have, or try."""

from html import escape

import pytest
from django.core.cache import caches
from django.utils import timezone

from tests import factories as f
from tests.views.pages import soon, text_of
from tournaments.models import Person, Registration

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def forget_floods():
    caches["kept"].clear()
    yield
    caches["kept"].clear()


def send(client, event, name, **typed):
    filled_in = {"name": name, "is_listed": "on", "agrees_to_rules": "on", **typed}
    return client.post(f"/t/{event.slug}/anmelden/", filled_in)


@pytest.mark.parametrize(
    "name",
    [
        "X",
        "Ö",
        "x" * 200,
        "Sinéad O'Connor",
        "D’Artagnan",
        "Zoë 🎉 Müller",
        "🃏 Ass",
        "محمد علي",
        "דוד כהן",
        "李小龍",
        "=SUMME(A1:A9)",
        "+43 664 123",
        "@cmd|'/C calc'!A0",
        '"><script>alert(1)</script>',
        "<img src=x onerror=alert(1)>",
        "{{ 7 * 7 }} {% now %}",
        "Robert'); DROP TABLE tournaments_person;--",
    ],
)
def test_a_name_is_taken_as_it_is_and_shown_as_text(client, name):
    event = soon()
    answer = send(client, event, name)
    assert answer.status_code == 302
    registration = Registration.objects.select_related("person").get(event=event)
    assert registration.person.name == name
    for path in (answer.url, f"/t/{event.slug}/"):
        page = client.get(path)
        assert escape(name) in page.content.decode()
        assert "<script>alert" not in page.content.decode()
        assert "<img src=x" not in page.content.decode()


def test_what_turns_text_round_is_left_out_of_a_name(client):
    event = soon()
    send(client, event, "Eva\u202egnaL\u2066 \u200bLang")
    assert Person.objects.get().name == "EvagnaL Lang"


def test_a_family_shares_an_address(client):
    event = soon()
    for name in ("Petra Probst", "Paul Probst"):
        assert send(client, event, name, email="probst@example.org").status_code == 302
    assert Person.objects.filter(email="probst@example.org").count() == 2


def test_the_same_person_with_the_same_address_is_asked_about(client):
    event = soon()
    send(client, event, "Petra Probst", email="petra@example.org")
    again = send(client, event, "petra probst", email="PETRA@example.org")
    assert again.status_code == 422
    assert "Bist du das?" in text_of(again)
    assert Registration.objects.filter(event=event).count() == 1


def test_the_link_of_one_evening_opens_no_other(client):
    """A code that was kept from the last evening says which evening it is of."""
    last, this = soon(name="Voriger Abend"), soon(name="Dieser Abend")
    petra = f.register(last, "Petra Probst", at=timezone.now())
    text = text_of(client.get(f"/p/{petra.link_token}/"))
    assert "Voriger Abend" in text
    assert "Dieser Abend" not in text
    assert not Registration.objects.filter(event=this).exists()
