"""A deal on the pages: what it would give, the offer, everybody's answer, and the paper."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.pressing import HTMX, press, refused, shows, text_of, url_of
from tests.views.pages import assert_refused, page_of
from tournaments.changes.access import Role
from tournaments.models import Deal, DealShare, Registration, StackCount
from tournaments.payouts.domain.deals import Way
from tournaments.payouts.selectors.deals import deal_open, deal_shares, deals_agreed
from tournaments.payouts.services.deals import deal_allow, deal_offer
from tournaments.play.services.eliminations import entries_eliminate

pytestmark = [pytest.mark.django_db, pytest.mark.running(3, starting_stack=1000, fee_cents=1000)]


@pytest.fixture
def arno(client):
    f.sign_browser_in(client, Role.ARBITER)
    return client


def reckoned(event, **own):
    one, two, three = (f"stack_{entry.pk}" for entry in f.entries_of(event))
    sent = {"prizes": "500 300 200", "kept": "", "unit": "1", one: 1500, two: 900, three: 600}
    return sent | own


def offered(event):
    f.drive(deal_allow, event, 1)
    stacks = dict(zip([row.pk for row in f.entries_of(event)], (1500, 900, 600), strict=True))
    f.drive(deal_offer, event, 2, way=Way.ICM, stacks=stacks, prizes=[500_00, 300_00, 200_00])
    return deal_open(event)


def test_it_is_allowed_reckoned_offered_and_called_off(dora, event):
    assert "erst, wenn die Leitung ihn erlaubt" in text_of(dora.get(url_of(event, "deal")))
    assert "Allen vorschlagen" not in text_of(dora.post(url_of(event, "deal"), reckoned(event)))
    assert press(dora, event, "deal-allow").status_code == 200
    page = dora.post(url_of(event, "deal"), reckoned(event, kept="50"))
    assert "Allen vorschlagen" in text_of(page)
    assert "Eigener Betrag für" in page.content.decode()
    answer = press(dora, event, "deal-offer", **reckoned(event, kept="50"), way="chips")
    assert answer["HX-Redirect"] == url_of(event, "deal")
    panel = text_of(dora.get(url_of(event, "deal-panel")))
    shows(panel, "0 von 3 sagen Ja", "bleiben 50 € für den Sieger")
    paper = text_of(dora.get(url_of(event, "deal-sheet")))
    shows(paper, "teilen 950 € (nach Chips)", "Unterschrift")
    assert press(dora, event, "deal-withdraw", Deal.objects.live().get().pk).status_code == 200
    assert "Noch kein Deal" in text_of(dora.get(url_of(event, "deal-sheet")))


def test_amounts_of_their_own_are_offered_when_they_sum(dora, event):
    f.drive(deal_allow, event, 1)
    names = [f"own_{row.pk}" for row in f.entries_of(event)]
    own = dict(zip(names, ("450", "320", "230"), strict=True))
    for typed, sentence in (
        ({}, "Bitte für jeden einen eigenen Betrag angeben."),
        (
            own | {names[0]: "450,01"},
            "Die eigenen Beträge ergeben zusammen nicht, was zu teilen ist.",
        ),
    ):
        sent = {**reckoned(event), **typed, "way": "own"}
        refused(dora, event, "deal-offer", sentence=sentence, **sent)
    for absurd in ({"way": "alles"}, {"way": "icm", "prizes": "viel"}):
        assert press(dora, event, "deal-offer", **reckoned(event, **absurd)).status_code == 422
    assert press(dora, event, "deal-offer", **reckoned(event), **own, way="own").status_code == 204
    assert [share.cents for share in deal_open(event).shares] == [450_00, 320_00, 230_00]


def test_arbiter_and_player_answer_each_on_their_own_page(arno, event):
    petra = Client()
    assert "Kein Deal" in text_of(arno.get(url_of(event, "floor-deal")))
    deal = offered(event)
    assert "0 von 3 sagen Ja" in text_of(arno.get(url_of(event, "floor-deal")))
    for share in deal.shares[:2]:
        assert press(arno, event, "floor-deal-answer", share.pk, says="yes").status_code == 200
    assert "2 von 3 sagen Ja" in text_of(arno.get(url_of(event, "floor-deal-panel")))
    last = deal.shares[2]
    unlisted = DealShare.objects.get(pk=deal.shares[1].pk).entry.registration_id
    Registration.objects.exclude(pk=unlisted).update(is_listed=True)
    Registration.objects.filter(pk=unlisted).update(is_listed=False)
    token = DealShare.objects.get(pk=last.pk).entry.registration.link_token
    card = text_of(petra.get(reverse("player-card", args=[token])))
    shows(card, "gleich welchen Platz du erreichst", "Spieler 001")
    shows(card, "Es gilt nur, wenn alle Ja sagen. Niemand muss.", but=("Spieler 002: ",))
    own = reverse("player-deal", args=[token])
    another = {"share": deal.shares[0].pk, "says": "no"}
    assert petra.post(own, another, headers=HTMX).status_code == 422
    for absurd in ({}, {"share": "²"}, {"share": "9" * 30}):
        assert petra.post(own, absurd, headers=HTMX).status_code == 422
    said = petra.post(own, {"share": last.pk, "says": "yes"}, headers=HTMX)
    assert "Der Deal gilt" in text_of(said)
    assert len(deals_agreed(event)) == 1
    assert deal_shares(event)[last.entry] == last.cents


def test_no_word_of_a_deal_where_nothing_is_played_for(dora):
    event = f.make_running_event(3)
    assert "geht es um nichts" in text_of(dora.get(url_of(event, "deal")))
    for page in ("director", "floor", "event-settings"):
        assert "Deal" not in text_of(dora.get(url_of(event, page)))


def test_what_a_stack_is_worth(arno, event):
    one, two, three = (entry.pk for entry in f.entries_of(event))
    url = url_of(event, "stacks-worth")
    assert "Gezählt: 0 von 3" in text_of(arno.get(url))
    page = arno.post(url, {"prizes": "500 300 200", f"stack_{one}": "1500", f"stack_{two}": "900"})
    shows(text_of(page), "Gezählt: 2 von 3", "Wer nicht gezählt ist, fehlt in der Rechnung")
    # Two alone: 1500 of 2400 wins five in eight, 300 are sure.
    assert "425 €" in text_of(page)
    wrong = arno.post(url, {"prizes": "500", f"stack_{three}": "601"})
    assert_refused(wrong, "Gezählt sind 3.001 Chips, im Spiel sind 3.000")
    assert StackCount.objects.live().count() == 2
    page = arno.post(url, {"prizes": "500 300 200", f"stack_{three}": "600"})
    shows(text_of(page), "383,93 €", "Gezählt: 3 von 3")
    for prizes in ("30 50", "viel"):
        assert arno.post(url, {"prizes": prizes}).status_code == 422
    here = arno.get(url, {"tisch": "1"}).content.decode()
    shows(here, f"stack_{three}", 'value="1500"')
    assert f"stack_{three}" not in arno.get(url, {"tisch": "7"}).content.decode()
    before = f.make_seated_event(3)
    assert "Noch ist kein Stapel zu zählen" in text_of(arno.get(url_of(before, "stacks-worth")))


# --- What a deal would give, before anything is offered


def final_table(players, **own):
    """Return a running event of so many, and its entries as the form has them."""
    event = f.make_running_event(players, fee_cents=1000, **own)
    return event, [f"stack_{entry.pk}" for entry in f.entries_of(event)]


def figures(page):
    """Return the amounts of each row of the table, in the order of the columns."""
    text = " ".join(page.content.decode().split())
    rows = re.findall(r"<tr> <th scope=\"row\">(.*?)</tr>", text)
    return [re.findall(r"[\d.,]*\d", row.split("</th>")[1]) for row in rows]


def test_the_ways_to_share_stand_side_by_side_and_sum(dora):
    event, (one, two, three) = final_table(3, starting_stack=1000)
    url = url_of(event, "deal")
    assert "im Spiel sind 3.000" in text_of(dora.get(url))
    sent = {"prizes": "500 300 € 200", "kept": "", "unit": "1", one: 600, two: "1.500", three: 900}
    page = dora.post(url, sent)
    assert page.status_code == 200
    # Places drawn one after the other, by hand: 1500 of 3000 wins half the time, and so on.
    first = [0.5, 0.3, 0.2]
    second = [
        0.3 * 0.5 / 0.7 + 0.2 * 0.5 / 0.8,
        0.5 * 0.3 / 0.5 + 0.2 * 0.3 / 0.8,
        0.5 * 0.2 / 0.5 + 0.3 * 0.2 / 0.7,
    ]
    icm = [200 + 300 * a + 100 * b for a, b in zip(first, second, strict=True)]
    found = figures(page)
    assert [row[0] for row in found] == ["1.500", "900", "600", "3.000"]
    amounts = [float(row[1].replace(".", "").replace(",", ".")) for row in found]
    assert amounts[:3] == pytest.approx(icm, abs=0.011)
    assert amounts[3] == 1000
    assert [row[2] for row in found] == ["400", "320", "280", "1.000"]
    assert [row[3] for row in found] == ["333,34", "333,33", "333,33", "1.000"]
    assert "nachzählen" not in text_of(page)
    notice = "Nach Chips bekommt hier jemand mehr als den ersten Preis."
    assert notice not in text_of(page)
    # 200 each, and of the other 400 all but 26.67: 573.33 for the leader.
    assert notice in text_of(dora.post(url, sent | {one: 100, two: "2.800", three: 100}))


def test_chips_that_do_not_sum_are_said(dora):
    event, (one, two) = final_table(2, starting_stack=1000)
    page = dora.post(
        url_of(event, "deal"), {"prizes": "50 30", "kept": "10", "unit": "100", one: 900, two: 1000}
    )
    assert "100 Chips weniger, als im Spiel sind (2.000)" in text_of(page)
    assert "bleiben 10 € für den Sieger" in text_of(page)


WRONG = [
    ({"prizes": "30 50"}, "Ein Preis ist höher als der davor"),
    ({"prizes": "viel"}, "Bitte Beträge, einen je Platz"),
    ({"prizes": "50 30", "kept": "80"}, "Zum Teilen bleibt nichts"),
    ({"prizes": "50 30", "kept": "1 2"}, "Bitte ein Betrag"),
    ({"one": "0"}, ""),
    ({"one": ""}, ""),
]


def test_what_cannot_be_reckoned_is_said_at_its_field(dora):
    event, (one, two) = final_table(2)
    for wrong, says in WRONG:
        sent = {"prizes": "50 30", "kept": "", "unit": "1", "one": "300", two: "100"} | wrong
        sent[one] = sent.pop("one")
        assert_refused(dora.post(url_of(event, "deal"), sent), says, but=("Was jeder bekommt",))


def test_no_deal_before_the_start_or_alone_or_with_everybody(dora):
    assert "noch nicht begonnen" in page_of(dora, f.make_event(), "deal")
    event, _ = final_table(2)
    f.drive(entries_eliminate, event, 9, entries=[f.entries_of(event)[0]])
    assert "braucht es zwei" in page_of(dora, event, "deal")
    many, _ = final_table(31)
    assert "höchstens 30" in page_of(dora, many, "deal")
