"""Bounties on the pages of the staff, of the player, of everybody."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.pressing import press, refused, shows, text_of, url_of
from tests.views.test_screens import a_screen
from tournaments.changes.access import Role
from tournaments.models import Elimination, Envelope
from tournaments.payouts.selectors.bounties import mystery_pot
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.screens.selectors.screens import hall_hunters

pytestmark = pytest.mark.django_db


def evening(kind, players=4, **own):
    price = {"fee_cents": 1000, "fee_parts": [["bounty", 1000, ""]]}
    event = f.make_running_event(players, bounty_kind=kind, **(price | own))
    return event, f.entries_of(event)


def out(event, entry, *takers, minute=5):
    f.drive(entries_eliminate, event, minute, entries=[entry])
    rows = list(Elimination.objects.live().filter(entry=entry))
    if takers:
        f.drive(knockout_set, event, minute, eliminations=rows, takers=list(takers))


def told(entry, *takers):
    rows = list(Elimination.objects.live().filter(entry=entry))
    f.drive(knockout_set, entry.event, 99, eliminations=rows, takers=list(takers))


@pytest.fixture
def arbiter(client):
    f.sign_browser_in(client, Role.ARBITER)
    return client


def card_of(entry):
    return text_of(Client().get(reverse("player-card", args=[entry.registration.link_token])))


def test_heads_stand_on_the_arbiters_table_and_with_the_player(arbiter):
    event, (a, b, _c, _d) = evening("progressive")
    table = text_of(arbiter.get(url_of(event, "floor-table", 1)))
    assert "Auf den Köpfen je 10 €" in table
    assert "Kopf: 10 €" in text_of(arbiter.get(url_of(event, "floor-player", b.pk)))
    out(event, a, b)
    table = text_of(arbiter.get(url_of(event, "floor-table", 1)))
    assert f"Auf den Köpfen je 10 €, {b.registration.person.name} 15 €" in table
    assert "Bounty: 10 €" in text_of(arbiter.get(url_of(event, "floor-outs"), {"entry": a.pk}))
    assert "Kopf: 15 €" in text_of(arbiter.get(url_of(event, "floor-player", b.pk)))
    assert "Bounty 5 € dein Kopf 15 €" in card_of(b)
    assert "Bounty 0 €" not in card_of(b)


def test_who_has_not_been_told_is_due_and_told_with_one_tap(dora):
    event, (a, b, _c, _d) = evening("fixed")
    out(event, a)
    asked = f"Gegen wen ist {a.registration.person.name} ausgeschieden?"
    for page in ("director", "bounties"):
        assert asked in text_of(dora.get(url_of(event, page)))
    press(dora, event, "floor-knockout", entry=a.pk, taker=b.pk)

    def panel():
        return text_of(dora.get(url_of(event, "bounties-panel")))

    assert "Gegen wen" not in panel()


def test_envelopes_are_made_and_drawn_on_the_page(dora):
    event, (a, b, _c, _d) = evening("mystery")
    assert "40 € kommen in die Umschläge" in text_of(dora.get(url_of(event, "bounties")))
    said = "Bitte Beträge, einen je Umschlag: 200 100 100."
    refused(dora, event, "mystery-begin", tops="viel", sentence=said)
    assert press(dora, event, "mystery-begin", tops="20").status_code == 200
    assert mystery_pot(event).amounts == [2000, 667, 667, 666]
    f.drive(entries_eliminate, event, 99, entries=[a])
    told(a, b)
    name = a.registration.person.name
    page = text_of(dora.get(url_of(event, "director")))
    assert f"Umschlag ziehen für den Kopf von {name}" in page
    assert press(dora, event, "mystery-draw", a.pk).status_code == 200
    number = Envelope.objects.get().number
    draws = text_of(dora.get(url_of(event, "draws")))
    shows(draws, f"Umschlag {number}, für den Kopf von {name}", "nachgerechnet, stimmt")


def test_no_word_of_bounties_where_there_are_none(dora):
    event = f.make_running_event(3)
    entry = f.entries_of(event)[0]
    out(event, entry, f.entries_of(event)[1])
    for page in ("director", "floor", "results"):
        assert "Kopf" not in text_of(dora.get(url_of(event, page)))
    assert "Kopf" not in text_of(dora.get(url_of(event, "floor-table", 1)))
    assert "Kopf" not in card_of(entry)
    board = dora.get(url_of(event, "bounties"))
    assert board["Location"] == url_of(event, "floor")


def test_wall_and_results_show_who_has_won_most_and_only_where_there_are_bounties(dora):
    event, (a, b, c, d) = evening("fixed")
    out(event, a, d, minute=5)
    out(event, b, c, d, minute=6)
    assert [row[1:] for row in hall_hunters(event)] == [[2, "15\u00a0€"], [1, "5\u00a0€"]]
    assert "Bountys" not in text_of(dora.get(url_of(f.make_event(), "screens")))
    _screen, wall = a_screen(event, shows="hunters")
    rows = wall.get(reverse("screen-hall"), {"was": "hunters"}).json()["rows"]
    assert rows == hall_hunters(event)
    out(event, c, d, minute=7)
    shows(text_of(Client().get(url_of(event, "results"))), "Bountys", "35 €")
