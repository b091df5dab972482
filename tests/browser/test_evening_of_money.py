"""An evening for money on four devices: bought again, fixed, shared by three, paid out, counted.

What many do alike is done through the services, once of each by hand.
"""

import re
from datetime import timedelta

import pytest
from django.utils.timezone import now
from playwright.sync_api import expect

from tests import factories as f
from tests.browser.devices import PHONE, SMALL_LAPTOP, faults
from tests.pressing import name_of
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.event.services.clock import clock_start
from tournaments.models import Elimination, Receipt
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.services.fees import fee_pay
from tournaments.papers.selectors.papers import evening_report
from tournaments.payouts.selectors.deals import deals_agreed
from tournaments.payouts.services.prizes import prizes_plan
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.prizes.selectors.plans import prizes_frozen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FIELD, FEE, HOUSE, BOUNTY, REBUY, FLOAT = 12, 2000, 300, 500, 1000, 20_000
TERMS = {
    "fee_cents": FEE,
    "fee_parts": [["house", HOUSE, ""], ["bounty", BOUNTY, ""]],
    "bounty_kind": "progressive",
    "rebuy_level": 1, "rebuy_cents": REBUY, "rebuy_chips": 200, "rebuy_most": 1,
    "rebuy_parts": [["bounty", BOUNTY, ""]],
    "late_registration_level": 1,
}  # fmt: skip
POOL = FIELD * (FEE - HOUSE - BOUNTY) + 2 * (REBUY - BOUNTY)
HEADS = (FIELD + 2) * BOUNTY
# In points, as a printer is told: 105 × 148 mm, and a roll of 80 mm.
PAPER = {"": (298, 420), "?papier=bon": (227, 454)}
# The most lines that a cell takes, and the least room in the column for the signatures.
LINES = """() => Math.max(...[...document.querySelectorAll(".sheet :is(th, td)")].map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}))"""
TO_SIGN = """() => Math.min(...[...document.querySelectorAll(".sheet tbody td:last-child")]
  .map((one) => one.clientWidth))"""


@pytest.fixture
def event():
    """Return it, a minute after the start; nobody has paid."""
    began = now() - timedelta(minutes=1)
    made = f.make_event(seats=8, starts_at=began, at=began - timedelta(hours=1), **TERMS)
    for number in range(FIELD):
        f.check_in(made, f.register(made, f"Spieler {number:02}", at=began), at=began)
    command = Command(event=made, by=SYSTEM, at=began)
    prizes_plan(command, plan=PrizePlan(way=Way.CURVE, places_percent=33))
    clock_start(Command(event=made, by=SYSTEM, at=began))
    return f.fresh(made)


class People:
    """The four at their devices, each with a page."""

    def __init__(self, new_context, devices, event):
        self.devices, self.event = devices, event
        self.laptop, self.desk, self.arbiter, self.player = (
            new_context().new_page() for _device in range(4)
        )
        devices.sign_in(self.laptop, Role.DIRECTOR, event)
        devices.sign_in(self.arbiter, Role.ARBITER, event)
        till = f.sign_in("Kasse", Role.DESK, event)
        self.till = till.actor
        cookie = {"name": COOKIE, "value": till.token, "url": devices.base}
        self.desk.context.add_cookies([cookie])

    def go(self, page, name, *args, query=""):
        size = PHONE if page is self.arbiter else SMALL_LAPTOP
        return self.devices.open(page, self.event, name, *args, size=size, query=query)

    def own_page(self, entry):
        self.devices.own(self.player, entry.registration)

    def by(self, service, by=SYSTEM, **own):
        service(Command(event=self.event, by=by, at=now()), **own)

    def out(self, entry, taker):
        """Put somebody out on the arbiter's phone, and say against whom."""
        sheet = self.arbiter.locator("#sheet")
        self.go(self.arbiter, "floor-table", f.seat_of(entry)[0])
        self.arbiter.locator(f"[data-entry='{entry.pk}']").first.click()
        sheet.get_by_role("button", name="Aus", exact=False).first.click()
        sheet.locator(".takers").get_by_role("button", name=name_of(taker), exact=True).click()
        expect(sheet).to_contain_text("Bounty:")


def test_an_evening_for_money(new_context, devices, event):
    people = People(new_context, devices, event)
    three = f.at_table(event, 1)[:3]
    others = [entry for entry in f.entries_of(event) if entry not in three]
    everybody_pays(people, event)
    two_buy_again(people, event, others[:2])
    laptop = people.go(people.laptop, "director")
    laptop.get_by_role("button", name="Nächste Stufe").first.click()
    # Re-buys end with the level, so it is asked.
    laptop.get_by_role("button", name="Uhr stellen").click()
    expect(laptop.locator("body")).to_contain_text("Stufe 2")
    people.go(laptop, "prizes")
    laptop.get_by_role("button", name="Preise festschreiben").click()
    expect(laptop.locator("main")).to_contain_text(f"festgeschrieben, bei {FIELD} Einstiegen.")
    frozen = prizes_frozen(f.fresh(event))
    assert (frozen.pool_cents, frozen.places) == (POOL, 4)
    for number, entry in enumerate(others):
        people.by(entries_eliminate, entries=[entry])
        rows = list(Elimination.objects.live().filter(entry=entry))
        people.by(knockout_set, eliminations=rows, takers=[three[number % 3]])
    three_share(people, event, three)
    winner, second, third = three
    people.out(third, second)
    people.out(second, winner)
    people.own_page(winner)
    expect(people.player.locator("#card")).to_contain_text("Du hast gewonnen")
    everybody_is_paid(people, event)
    the_drawer_is_closed(people, event)


def everybody_pays(people, event):
    desk = people.go(people.desk, "drawer")
    desk.get_by_label("Wechselgeld in Euro").fill(str(FLOAT // 100))
    desk.get_by_role("button", name="Öffnen", exact=True).click()
    expect(desk.get_by_text("Dieses Gerät hat Kasse 1.")).to_be_visible()
    first, *rest = (entry.registration for entry in f.entries_of(event))
    people.go(desk, "desk")
    desk.locator(f"#person-{first.pk}").click()
    desk.get_by_role("link", name="Anders bezahlt").click()
    desk.get_by_label("Gibt in Euro").fill("50")
    expect(desk.locator(".cash-back")).to_have_text("zurück 30 €")
    desk.get_by_label("Bezahlt von jemand anderem").fill("Onkel Otto")
    desk.get_by_role("button", name="Kassieren", exact=True).click()
    expect(desk.locator(".toasts")).to_contain_text("Zurück: 30 €.")
    for query, size in PAPER.items():
        people.go(desk, "receipt", Receipt.objects.get().pk, query=query)
        expect(desk.locator(".receipt")).to_contain_text("Onkel Otto")
        paper = desk.pdf(prefer_css_page_size=True)
        boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper)
        assert [tuple(round(float(side)) for side in box) for box in boxes] == [size]
    for row in rest:
        people.by(fee_pay, people.till, registration=row)


def two_buy_again(people, event, two):
    """One tells the arbiter, the other taps on his own phone; the desk takes the money."""
    sheet, desk = people.arbiter.locator("#sheet"), people.desk
    for entry in two:
        beside = [one for one in f.at_table(event, f.seat_of(entry)[0]) if one not in two]
        people.out(entry, beside[0])
        expect(sheet).to_contain_text("Noch nicht aus: Re-buy möglich")
    sheet.get_by_role("button", name="Möchte: Re-buy").click()
    expect(sheet).to_be_hidden()
    people.own_page(two[0])
    people.player.get_by_role("button", name="Re-buy ansagen").click()
    expect(people.player.locator("#card")).to_contain_text("Angesagt: 1 × Re-buy")
    for entry in two:
        people.go(desk, "desk")
        desk.locator("#desk-purchases").get_by_role("link", name=name_of(entry)).click()
        desk.locator("#sheet").get_by_role("button", name="Re-buy, bezahlt").click()
        expect(desk.locator("#desk-purchases")).not_to_contain_text(name_of(entry))
    assert (chips_in_play(event), players_left(event)) == (((FIELD + 2) * 200, True), FIELD)


def three_share(people, event, three):
    chips, _is_exact = chips_in_play(event)
    laptop = people.go(people.laptop, "deal")
    laptop.get_by_role("button", name="Deal erlauben").click()
    expect(laptop.locator("#deal-panel")).to_contain_text("Ein Deal ist erlaubt")
    for entry, stack in zip(three, (chips - 1500, 900, 600), strict=True):
        laptop.locator(f"[name=stack_{entry.pk}]:not([type=hidden])").fill(str(stack))
    laptop.get_by_role("button", name="Rechnen", exact=True).click()
    laptop.get_by_role("button", name="nach ICM").click()
    expect(laptop.locator("#deal-panel")).to_contain_text("0 von 3 sagen Ja")
    assert faults(laptop) == []
    arbiter = people.arbiter
    for entry in three[1:]:
        people.go(arbiter, "floor-deal")
        arbiter.get_by_role("button", name=f"{name_of(entry)} sagt Ja").click()
        expect(arbiter.locator(".toast").last).to_contain_text("stimmt dem Deal zu")
    people.own_page(three[0])
    card = people.player.locator(".player-deal")
    assert faults(people.player) == []
    card.get_by_role("button", name="Ja", exact=True).click()
    expect(card).to_contain_text("Der Deal gilt")
    laptop.reload()
    laptop.get_by_role("link", name="Blatt zum Unterschreiben").click()
    expect(laptop.locator("article.sheet")).to_contain_text("(nach ICM)")
    assert laptop.evaluate(LINES) == 1, "an amount is broken"
    assert laptop.evaluate(TO_SIGN) > 150, "no room to sign"
    (deal,) = deals_agreed(event)
    assert deal.total == sum(prizes_frozen(f.fresh(event)).prizes[:3])


def everybody_is_paid(people, event):
    assert evening_report(f.fresh(event)).to_pay_out == POOL + HEADS
    desk = people.go(people.desk, "payouts")
    assert faults(desk) == []
    buttons = desk.locator("main").get_by_role("button", name=re.compile("auszahlen"))
    assert buttons.count() >= 4
    for left in range(buttons.count(), 0, -1):
        expect(buttons).to_have_count(left)
        buttons.first.click()
    expect(buttons).to_have_count(0)
    expect(desk.locator(".page-lead")).to_contain_text("Noch auszuzahlen: 0")
    assert evening_report(f.fresh(event)).to_pay_out == 0


def the_drawer_is_closed(people, event):
    desk, there = people.go(people.desk, "drawer"), FLOAT + FIELD * HOUSE
    desk.get_by_text("Zählen und abschließen").click()
    desk.get_by_label("Gezähltes Bargeld in Euro").fill(str(there // 100))
    desk.get_by_role("button", name="Abschließen", exact=True).click()
    expect(desk.get_by_text("abgeschlossen", exact=True)).to_be_visible()
    (state,) = [state for state in drawers_of(f.fresh(event)) if state.drawer]
    assert (state.cash_cents, state.difference_cents, state.is_closed) == (there, 0, True)
    laptop = people.go(people.laptop, "evening-report")
    expect(laptop.locator("article.sheet")).to_contain_text("Alles ist abgeschlossen.")
