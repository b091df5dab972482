"""A deal of three by ICM: offered on the laptop, answered on the arbiter's and a player's phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import looking, phones
from tests.pressing import name_of
from tournaments.changes.access import COOKIE, Role
from tournaments.models import Elimination
from tournaments.payouts.selectors.deals import deal_shares, deals_agreed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LAPTOP = {"width": 1366, "height": 650}
PHONE = {"width": 390, "height": 664}
SMALL = {"width": 320, "height": 640}


@pytest.fixture
def event():
    return f.make_running_event(
        3,
        starting_stack=1000,
        fee_cents=1500,
        bounty_kind="progressive",
        fee_parts=[["bounty", 500, ""]],
    )


@pytest.fixture
def opened(browser, live_server, event):
    """Return a way to open pages, each as its own device."""
    contexts = []

    def open_as(role, size, path):
        context = browser.new_context(viewport=size, locale="de-DE", base_url=live_server.url)
        contexts.append(context)
        if role:
            token = f.sign_in(f"Gerät {role}", role, event).token
            context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
        page = context.new_page()
        page.goto(path)
        return page

    yield open_as
    for context in contexts:
        context.close()


# The most lines that a cell takes, and the least room in the column for the signatures.
LINES = """() => Math.max(...[...document.querySelectorAll(".sheet :is(th, td)")].map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}))"""
TO_SIGN = """() => Math.min(...[...document.querySelectorAll(".sheet tbody td:last-child")]
  .map((one) => one.clientWidth))"""


def looked_at(page, name):
    """Hold the page against what is asked of every page."""
    assert list(looking.axe_faults(page)) == []
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide, f"{name} is wider than the window"


def test_three_agree_on_the_laptop_the_arbiters_and_a_players_phone(opened, event):
    one, two, three = f.entries_of(event)
    laptop = opened(Role.DIRECTOR, LAPTOP, reverse("deal", args=[event.slug]))
    laptop.get_by_role("button", name="Deal erlauben").click()
    expect(laptop.locator("#deal-panel")).to_contain_text("Ein Deal ist erlaubt")
    laptop.get_by_label("Preise, vom ersten Platz abwärts").fill("500 300 200")
    for entry, chips in ((one, "1500"), (two, "900"), (three, "600")):
        laptop.locator(f"[name=stack_{entry.pk}]:not([type=hidden])").fill(chips)
    laptop.get_by_role("button", name="Rechnen", exact=True).click()
    expect(laptop.get_by_text("383,93")).to_be_visible()
    looked_at(laptop, "deal-reckoned")
    laptop.get_by_role("button", name="nach ICM").click()
    expect(laptop.locator("#deal-panel")).to_contain_text("0 von 3 sagen Ja")
    looked_at(laptop, "deal-offered")

    arbiter = opened(Role.ARBITER, PHONE, reverse("floor-deal", args=[event.slug]))
    for entry in (one, two):
        arbiter.get_by_role("button", name=f"{name_of(entry)} sagt Ja").click()
        expect(arbiter.locator(".toast").last).to_contain_text("stimmt dem Deal zu")
        arbiter.reload()
    expect(arbiter.locator("#floor-deal-panel")).to_contain_text("2 von 3 sagen Ja")
    looked_at(arbiter, "deal-arbiter")

    player = opened(None, PHONE, reverse("player", args=[three.registration.link_token]))
    card = player.locator(".player-deal")
    expect(card).to_contain_text("Du bekommst 288,57 €")
    looked_at(player, "deal-player")
    card.get_by_role("button", name="Ja", exact=True).click()
    expect(card).to_contain_text("Der Deal gilt")
    laptop.reload()
    expect(laptop.locator("#deal-panel")).to_contain_text("Der Deal gilt")
    laptop.get_by_role("link", name="Blatt zum Unterschreiben").click()
    expect(laptop.locator("article.sheet")).to_contain_text("teilen 1.000 € (nach ICM)")
    looked_at(laptop, "deal-sheet")
    assert laptop.evaluate(LINES) == 1, "an amount is broken"
    assert laptop.evaluate(TO_SIGN) > 150, "no room to sign"
    assert len(deals_agreed(event)) == 1
    assert sorted(deal_shares(event).values()) == [288_57, 327_50, 383_93]


def test_heads_on_the_table_at_the_out_and_on_the_page_of_bounties(opened, event):
    one, two, _three = f.entries_of(event)
    phone = opened(Role.ARBITER, PHONE, reverse("floor-table", args=[event.slug, 1]))
    expect(phone.locator("main")).to_contain_text("Auf den Köpfen:")
    phone.click(f".seat-face:has-text('{name_of(one)}')")
    phone.click("#sheet button:has-text('Aus')")
    takers = phone.locator("#sheet .takers")
    takers.get_by_role("button", name=name_of(two)).click()
    expect(phone.locator("#sheet")).to_contain_text("Kopfgeld: 5 €")
    assert phones.faults(phone) == []
    rows = Elimination.objects.live().filter(event=event)
    assert rows.get().knockouts.live().get().by == two
    laptop = opened(Role.DIRECTOR, LAPTOP, reverse("bounties", args=[event.slug]))
    expect(laptop.locator("#bounties-panel")).to_contain_text("7,50 €")
    looked_at(laptop, "bounties")
    laptop.get_by_role("button", name="2,50 €").click()
    expect(laptop.locator(".toast").last).to_contain_text("Kopfgeld ausgezahlt")
    small = opened(Role.ARBITER, SMALL, reverse("bounties", args=[event.slug]))
    looked_at(small, "bounties-320")
    worth = opened(Role.ARBITER, PHONE, reverse("stacks-worth", args=[event.slug]))
    looked_at(worth, "stacks")
