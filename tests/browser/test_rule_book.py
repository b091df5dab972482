"""The rule book on a player's phone: searched without Wi-Fi, coloured, and linked from the desk."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import looking, phones
from tests.views.pages import soon
from tournaments.rules.services.rules import event_rules_change

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def book(page, live_server):
    """Return the rules of a tournament on a phone, changed once."""
    event = soon()
    f.drive(event_rules_change, event, 700, rules={"break_order": "lowest_number"})
    page.set_viewport_size(phones.SIZE)
    page.goto(live_server.url + reverse("rules", args=[event.slug]))
    expect(page.get_by_role("searchbox")).to_be_visible()
    return page


def parts(page):
    return page.locator("#rules [data-part]:visible")


def test_words_find_their_parts_without_wifi_and_nothing_is_said_so(book):
    every = parts(book).count()
    book.context.set_offline(True)
    search = book.get_by_role("searchbox")
    search.fill("side POT")
    expect(book.get_by_role("status").filter(has_text="Stelle")).to_have_text("Eine Stelle.")
    expect(parts(book)).to_contain_text(["All-in und Side Pots"])
    search.fill("strasse quark")
    expect(book.locator("#book-search")).to_contain_text("Dazu steht hier nichts.")
    search.fill("karo")
    expect(book.locator("#book-hands")).to_be_hidden()
    expect(book.locator("#tied")).to_be_visible()
    search.fill("zehn hande vierling")
    expect(parts(book)).to_contain_text(["Vier vom selben Wert."])
    search.fill("")
    expect(parts(book)).to_have_count(every)
    assert list(looking.width_faults(book, looking.PHONE)) == []


def test_a_link_to_a_rule_shows_it_whatever_was_looked_for(book):
    book.get_by_role("searchbox").fill("vierling")
    expect(book.locator("#pots")).to_be_hidden()
    book.evaluate("location.hash = 'pots'")
    expect(book.locator("#pots")).to_be_in_viewport()


def test_each_suit_has_its_colour_where_one_wants_it(book):
    card = book.locator("#four .suit-ink-diamond")
    before = card.evaluate("(one) => getComputedStyle(one).color")
    book.get_by_label("Jede Farbe anders färben").check()
    assert card.evaluate("(one) => getComputedStyle(one).color") != before


def test_an_answer_of_the_desk_leads_to_its_rule(book):
    book.get_by_role("link", name="Regelfragen rechnen").click()
    book.get_by_role("link", name="Pots", exact=True).click()
    book.get_by_text("Worauf das beruht").click()
    book.locator(".ruling-rules a").first.click()
    expect(book.locator("#pots")).to_be_in_viewport()


def test_the_state_from_the_beginning_says_what_is_other_today(book):
    book.get_by_role("link", name="Stand 1, von Anfang an").click()
    expect(book.locator("#rule-break")).to_contain_text("Heute: Aufgelöst wird immer")
    assert list(looking.axe_faults(book)) == []
