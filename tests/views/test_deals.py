"""What a deal would give, as a director sees it."""

import re

import pytest

from tests import factories as f
from tests.pressing import url_of
from tests.views.pages import assert_refused, page_of, text_of
from tournaments.play.services.eliminations import entries_eliminate

pytestmark = pytest.mark.django_db


def final_table(players, **own):
    """Return a running event of so many, and its entries as the form has them."""
    event = f.make_running_event(players, fee_cents=1000, **own)
    return event, [f"stack_{entry.pk}" for entry in f.entries_of(event)]


def figures(page):
    """Return the amounts of each row of the table, in the order of the columns."""
    rows = re.findall(r"<tr> <th scope=\"row\">(.*?)</tr>", text_of(page))
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


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"prizes": "30 50"}, "Ein Preis ist höher als der davor"),
        ({"prizes": "viel"}, "Bitte Beträge, einen je Platz"),
        ({"prizes": "0"}, "Der erste Preis fehlt"),
        ({"prizes": "50 30", "kept": "80"}, "Zum Teilen bleibt nichts"),
        ({"prizes": "50 30", "kept": "1 2"}, "Bitte ein Betrag"),
        ({"one": "0"}, ""),
        ({"one": ""}, ""),
        ({"unit": "7"}, ""),
    ],
)
def test_what_cannot_be_reckoned_is_said_at_its_field(dora, wrong, says):
    event, (one, two) = final_table(2)
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
