"""An evening of twenty-four for money: bought again, fixed, shared by three, paid out, counted.

On the director's laptop, at the desk, on an arbiter's phone and on a player's. What many do alike
is done through the services, once of each by hand.
"""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import looking
from tests.pressing import name_of
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.event.services.clock import clock_start
from tournaments.models import Drawer, Elimination, Purchase, Receipt
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.selectors.journal import payments
from tournaments.money.services.fees import fee_pay
from tournaments.papers.selectors.evening_report import evening_report
from tournaments.payouts.selectors.bounties import bounties_due
from tournaments.payouts.selectors.deals import deals_agreed
from tournaments.payouts.selectors.prizes import payouts
from tournaments.payouts.services.prizes import prizes_plan
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.prizes.selectors.plans import prizes_frozen

pytestmark = [
    pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300),
]  # fmt: skip
LAPTOP, PHONE = {"width": 1366, "height": 650}, {"width": 390, "height": 664}
FIELD, FEE, HOUSE, BOUNTY, REBUY, ADDON, FLOAT = 24, 2000, 300, 500, 1000, 500, 20_000
TERMS = {
    "fee_cents": FEE,
    "fee_parts": [["house", HOUSE, ""], ["bounty", BOUNTY, ""]],
    "bounty_kind": "progressive",
    "rebuy_level": 1, "rebuy_cents": REBUY, "rebuy_chips": 200, "rebuy_most": 1,
    "rebuy_parts": [["bounty", BOUNTY, ""]],
    "addon_break": 1, "addon_cents": ADDON, "addon_chips": 300,
    "breaks": {1: 10},
    "late_registration_level": 1,
}  # fmt: skip
PLAN = PrizePlan(way=Way.CURVE, places_percent=15)
POOL = FIELD * (FEE - HOUSE - BOUNTY) + 2 * (REBUY - BOUNTY) + ADDON
HEADS = (FIELD + 2) * BOUNTY


@pytest.fixture
def event():
    """Return it, a minute after the start; nobody has paid."""
    began = now() - timedelta(minutes=1)
    made = f.make_event(seats=8, starts_at=began, at=began - timedelta(hours=1), **TERMS)
    for number in range(FIELD):
        f.check_in(made, f.register(made, f"Spieler {number:02}", at=began), at=began)
    prizes_plan(Command(event=made, by=SYSTEM, at=began), plan=PLAN)
    clock_start(Command(event=made, by=SYSTEM, at=began))
    return f.fresh(made)


class People:
    """The four at their devices, each with a page."""

    def __init__(self, browser, base, event):
        self.browser, self.base, self.event = browser, base, event
        self.contexts, self.devices, self.complaints = [], {}, []
        self.laptop = self.at(LAPTOP, Role.DIRECTOR)
        self.desk = self.at(LAPTOP, Role.DESK)
        self.arbiter = self.at(PHONE, Role.ARBITER)
        self.player = self.at(PHONE, None)

    def at(self, size, role):
        context = self.browser.new_context(viewport=size, locale="de-DE", base_url=self.base)
        self.contexts.append(context)
        if role:
            signed = f.sign_in(f"Gerät {role}", role, self.event)
            self.devices[role] = signed.actor
            context.add_cookies([{"name": COOKIE, "value": signed.token, "url": self.base}])
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("response", self.check)
        return page

    def check(self, answer):
        # The stream is served beside Django, and not by this server.
        if answer.status >= 400 and "/stream/" not in answer.url:
            self.complaints.append(f"{answer.status} {answer.url}")

    def go(self, page, name, *args):
        page.goto(reverse(name, args=[self.event.slug, *args]))

    def own_page(self, entry):
        self.player.goto(reverse("player", args=[entry.registration.link_token]))

    def by(self, service, **own):
        """Do through the services what many do alike."""
        by = self.devices.get(own.pop("role", None), SYSTEM)
        service(Command(event=self.event, by=by, at=now()), **own)

    def out(self, entry, taker):
        """Put somebody out on the arbiter's phone, and say against whom."""
        sheet = self.arbiter.locator("#sheet")
        self.tap_out(entry)
        sheet.locator(".takers").get_by_role("button", name=name_of(taker), exact=True).click()
        expect(sheet).to_contain_text("Kopfgeld:")

    def tap_out(self, entry):
        self.go(self.arbiter, "floor-table", f.seat_of(entry)[0])
        self.arbiter.locator(f"[data-entry='{entry.pk}']").first.click()
        self.arbiter.locator("#sheet").get_by_role("button", name="Aus", exact=False).first.click()


@pytest.fixture
def people(browser, live_server, event):
    found = People(browser, live_server.url, event)
    yield found
    for context in found.contexts:
        context.close()


def test_an_evening_for_money(people, event):
    at_one = f.at_table(event, 1)
    elsewhere = [entry for entry in f.entries_of(event) if entry not in at_one]
    hunter, second, third, *others = [*at_one, *elsewhere]
    everybody_pays(people, event)
    two_buy_again(people, event, others[0], others[1], taker=hunter)
    one_adds_on(people, event, hunter)
    the_prizes_are_fixed(people, event)
    down_to_three(people, event, [hunter, second, third], others)
    three_share(people, event, [hunter, second, third])
    down_to_the_winner(people, [hunter, second, third])
    everybody_is_paid(people, event)
    the_drawer_is_closed(people, event)
    assert people.complaints == []


def everybody_pays(people, event):
    desk = people.desk
    people.go(desk, "drawer")
    desk.get_by_label("Wechselgeld in Euro").fill(str(FLOAT // 100))
    desk.get_by_role("button", name="Öffnen", exact=True).click()
    expect(desk.get_by_text("Dieses Gerät hat Kassa 1.")).to_be_visible()
    first, *rest = (entry.registration for entry in f.entries_of(event))
    people.go(desk, "desk")
    desk.locator(f"#person-{first.pk}").click()
    desk.get_by_role("link", name="Anders bezahlt").click()
    desk.get_by_label("Gibt, in Euro").fill("50")
    expect(desk.locator(".cash-back")).to_have_text("zurück 30 €")
    desk.get_by_role("button", name="Kassieren", exact=True).click()
    expect(desk.locator(".toasts")).to_contain_text("Zurück: 30 €.")
    for row in rest:
        people.by(fee_pay, role=Role.DESK, registration=row)
    assert sum(payments(event).values()) == FIELD * FEE


def two_buy_again(people, event, one, two, taker):
    """One tells the arbiter, the other taps on his own phone; the desk takes the money."""
    people.out(one, taker)
    sheet = people.arbiter.locator("#sheet")
    expect(sheet).to_contain_text("Noch nicht aus: Re-buy möglich")
    sheet.get_by_role("button", name="Re-buy …").click()
    sheet.get_by_role("button", name="Möchte: Re-buy").click()
    expect(sheet).to_be_hidden()
    people.out(two, taker)
    expect(sheet).to_contain_text("Noch nicht aus: Re-buy möglich")
    people.own_page(two)
    expect(people.player.locator("#card section").first).to_contain_text("Dein Platz wird bis")
    people.player.get_by_role("button", name="Re-buy ansagen").click()
    expect(people.player.locator("#card")).to_contain_text("Angesagt: 1 × Re-buy")
    for entry in (one, two):
        sell(people, entry, "Re-buy, bezahlt")
    assert Purchase.objects.live().filter(event=event, what="rebuy").count() == 2
    assert (chips_in_play(event), players_left(event)) == (((FIELD + 2) * 200, True), FIELD)


def sell(people, entry, button):
    desk = people.desk
    people.go(desk, "desk")
    desk.locator("#desk-purchases").get_by_role("link", name=name_of(entry)).click()
    desk.locator("#sheet").get_by_role("button", name=button).click()
    expect(desk.locator("#desk-purchases")).not_to_contain_text(name_of(entry))


def one_adds_on(people, event, entry):
    laptop = people.laptop
    people.go(laptop, "director")
    laptop.get_by_role("button", name="Nächste Stufe").first.click()
    expect(laptop.locator("body")).to_contain_text("Pause")
    people.own_page(entry)
    people.player.get_by_role("button", name="Add-on ansagen").click()
    expect(people.player.locator("#card")).to_contain_text("Angesagt: 1 × Add-on")
    sell(people, entry, "Add-on, bezahlt")
    assert chips_in_play(event) == ((FIELD + 2) * 200 + 300, True)
    people.go(laptop, "director")
    laptop.get_by_role("button", name="Nächste Stufe").first.click()
    expect(laptop.locator("body")).to_contain_text("Stufe 2")


def the_prizes_are_fixed(people, event):
    laptop = people.laptop
    people.go(laptop, "prizes")
    laptop.get_by_role("button", name="Preise festschreiben").click()
    expect(laptop.locator("main")).to_contain_text(
        f"Die Preise sind festgeschrieben, bei {FIELD} Einstiegen."
    )
    frozen = prizes_frozen(f.fresh(event))
    assert frozen.pool_cents == sum(frozen.prizes) == POOL
    assert frozen.places == 4


def down_to_three(people, event, three, others):
    """Two go out by hand, the rest through the services; the three take turns with the heads."""
    for number, entry in enumerate(others[:2]):
        people.out(entry, three[number])
    for number, entry in enumerate(others[2:]):
        people.by(entries_eliminate, entries=[entry])
        rows = list(Elimination.objects.live().filter(entry=entry))
        people.by(knockout_set, eliminations=rows, takers=[three[number % 3]])
    assert players_left(event) == 3


def three_share(people, event, three):
    chips, _is_exact = chips_in_play(event)
    laptop = people.laptop
    people.go(laptop, "deal")
    laptop.get_by_role("button", name="Deal erlauben").click()
    expect(laptop.locator("#deal-panel")).to_contain_text("Ein Deal ist erlaubt")
    for entry, stack in zip(three, (chips - 2500, 1500, 1000), strict=True):
        laptop.locator(f"[name=stack_{entry.pk}]:not([type=hidden])").fill(str(stack))
    laptop.get_by_role("button", name="Rechnen", exact=True).click()
    laptop.get_by_role("button", name="nach ICM").click()
    expect(laptop.locator("#deal-panel")).to_contain_text("0 von 3 sagen Ja")
    arbiter = people.arbiter
    people.go(arbiter, "floor-deal")
    for entry in three[1:]:
        arbiter.get_by_role("button", name=f"{name_of(entry)} sagt Ja").click()
        expect(arbiter.locator(".toast").last).to_contain_text("stimmt dem Deal zu")
        people.go(arbiter, "floor-deal")
    people.own_page(three[0])
    card = people.player.locator(".player-deal")
    card.get_by_role("button", name="Ja", exact=True).click()
    expect(card).to_contain_text("Der Deal gilt")
    (deal,) = deals_agreed(event)
    assert deal.total == sum(prizes_frozen(f.fresh(event)).prizes[:3])


def down_to_the_winner(people, three):
    winner, second, third = three
    people.out(third, second)
    people.out(second, winner)
    people.own_page(winner)
    expect(people.player.locator("#card")).to_contain_text("Du hast gewonnen")
    expect(people.player.locator("#card")).not_to_contain_text("spielt ihr weiter")


def everybody_is_paid(people, event):
    desk = people.desk
    report = evening_report(f.fresh(event))
    assert report.to_pay_out == POOL + HEADS
    for name, count in (("prizes-paying", 4), ("bounties", 3)):
        people.go(desk, name)
        expect(desk.locator("main")).to_contain_text("€")
        assert list(looking.axe_faults(desk)) == []
        buttons = desk.locator("main").get_by_role("button", name=re.compile("auszahlen"))
        expect(buttons).to_have_count(count)
        for left in range(count, 0, -1):
            expect(buttons).to_have_count(left)
            buttons.first.click()
        expect(buttons).to_have_count(0)
    assert sum(row.paid_out for row in payouts(f.fresh(event))) == POOL
    assert sum(due.paid for due in bounties_due(f.fresh(event))) == HEADS


def the_drawer_is_closed(people, event):
    desk = people.desk
    there = FLOAT + FIELD * HOUSE
    people.go(desk, "drawer")
    desk.get_by_text("Zählen und abschließen").click()
    desk.get_by_label("Gezähltes Bargeld in Euro").fill(str(there // 100))
    desk.get_by_role("button", name="Abschließen", exact=True).click()
    expect(desk.get_by_text("abgeschlossen", exact=True)).to_be_visible()
    (state,) = [state for state in drawers_of(f.fresh(event)) if state.drawer]
    assert state.drawer == Drawer.objects.get()
    assert (state.cash_cents, state.difference_cents, state.is_closed) == (there, 0, True)
    assert Receipt.objects.count() == FIELD + 3 + 4 + 3
    people.go(people.laptop, "evening-report")
    expect(people.laptop.locator("article.sheet")).to_contain_text("Alles ist abgeschlossen.")
