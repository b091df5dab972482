"""The page that pays out, and what stays open when a tournament ends."""

import pytest
from django.utils.html import strip_tags

from tests import factories as f
from tests.pressing import done, refused, shows, text_of, url_of
from tests.services.test_paying import desk, paid_out
from tournaments.changes.access import Role
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Drawer
from tournaments.money.services.drawers import drawer_hand
from tournaments.play.services.elimination_details import knockout_set

__all__ = ["desk", "paid_out"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(client, paid_out):
    event, *_people = paid_out
    actor = f.sign_browser_in(client, Role.DIRECTOR, event)
    own = {"drawer": Drawer.objects.get(), "device": actor.device}
    f.drive(drawer_hand, event, 9, by=actor, **own)
    return client


def text(response):
    return " ".join(strip_tags(response.content.decode()).split()).replace("\xa0", " ")


def test_one_button_pays_a_person_and_the_head_is_never_stale(dora, paid_out):
    event, first, _second, _third = paid_out
    page = dora.get(url_of(event, "payouts"))
    shows(text(page), "Noch auszuzahlen: 63 €. Ausgezahlt: 0 €.",
          "36 € auszahlen", "27 € auszahlen",
          "5 € verrechnen", "bleibt schuldig 15 €")  # fmt: skip
    swapped = page.content.decode().partition('id="payouts"')[2]
    assert "Noch auszuzahlen" in swapped
    refused(dora, event, "payout-pay", first.pk, amount_cents="5600", sentence="inzwischen")
    done(dora, event, "payout-pay", first.pk, amount_cents="3600")
    shows(text(dora.get(url_of(event, "payouts"))), "Noch auszuzahlen: 27 €. Ausgezahlt: 36 €.",
          "36 € ausgezahlt")  # fmt: skip
    assert "36 €" in text(dora.get(url_of(event, "payouts-sheet")))
    assert "Auszuzahlen" not in text(dora.get(url_of(event, "bounties")))


def test_the_end_names_heads_and_debts_and_both_stay_due(dora, paid_out):
    event, first, _second, third = paid_out
    lost = list(event.eliminations.order_by("pk")[:1])
    f.drive(knockout_set, event, 9, eliminations=lost, takers=[])
    ends = text(dora.get(url_of(event, "event-end")))
    shows(ends, "Ein Bounty hat noch keinen Gewinner. Es geht um 5 €.",
          "Zu zahlen sind noch 40 €", f"{first.person.name} 20 €",
          f"{third.person.name} 20 €", "Turnier beenden")  # fmt: skip
    f.drive(event_end, event, 10)
    page = text(dora.get(url_of(event, "director")))
    shows(page, "Gegen wen ist", "Zu zahlen sind noch 40 €", "Wer noch zahlt", "bekommen noch Geld")
    assert "Auszahlen" in text_of(dora.get(url_of(event, "drawer")))
