"""A small evening of bounties on which things are bought again, with own books of chips and money.

It stays as a sample, as the other small evenings do.
"""

from dataclasses import dataclass, field
from datetime import timedelta

from tests.evenings.side import BountyBooks, side_evening, tell_takers
from tournaments.changes.access import SYSTEM
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registration_create
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.event.services.clock import clock_start
from tournaments.models import Entry, LostStack, Registration
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents, open_by_registration, payments
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.selectors.bounties import bounties_of
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.rebuy_chances import rebuy_decline, rebuys_lapse, stack_surrender
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening
from tournaments.rebuys.services.purchases import (
    addon_buy,
    entry_reenter,
    purchase_ask,
    purchase_unask,
    rebuy_buy,
)

MINUTE = timedelta(minutes=1)
PLAYERS = 8
STACK, REBUY, ADDON = 200, 300, 400
FEE, HOUSE, BOUNTY, REBUY_CENTS, ADDON_CENTS = 1_000, 200, 301, 500, 300
REBUY_BOUNTY, ADDON_BOUNTY = 151, 50
TERMS = {
    "fee_cents": FEE,
    "fee_parts": [["house", HOUSE, ""], ["bounty", BOUNTY, ""]],
    "bounty_kind": "progressive",
    "rebuy_level": 9,
    "rebuy_cents": REBUY_CENTS,
    "rebuy_parts": [["bounty", REBUY_BOUNTY, ""]],
    "rebuy_chips": REBUY,
    "rebuy_most": 2,
    "addon_level": 9,
    "addon_cents": ADDON_CENTS,
    "addon_parts": [["bounty", ADDON_BOUNTY, ""]],
    "addon_chips": ADDON,
    "reentry_most": 1,
    "late_registration_level": 9,
}


@dataclass(slots=True)
class MoneyBooks:
    """The chips in play, who is in, what each has to pay and has paid, and heads, in cents."""

    chips: int = 0
    left: int = 0
    owed: dict[int, int] = field(default_factory=dict)
    paid: dict[int, int] = field(default_factory=dict)
    bounties: BountyBooks = field(default_factory=lambda: BountyBooks("progressive", {}))
    for_heads: int = 0

    def comes(self, entry: Entry) -> None:
        """Write down a new stack, and what it costs."""
        pk = entry.registration_id
        self.chips, self.left = self.chips + STACK, self.left + 1
        self.owed[pk] = self.owed.get(pk, 0) + FEE
        self.paid.setdefault(pk, 0)
        self.pays_for_head(entry, BOUNTY)

    def pays_for_head(self, entry: Entry, cents: int) -> None:
        """Write down what of a price lies on the player's head."""
        self.for_heads += cents
        self.bounties.put_on(entry.pk, cents)

    def compare(self, side: Evening) -> None:
        """Compare the database with these books."""
        event, expect = side.event, side.expect
        expect(chips_in_play(event) == (self.chips, True), "chips in play", self.chips)
        expect(players_left(event) == self.left, "players left", self.left)
        found = payments(event, self.owed)
        paid = {pk: found.get(pk, 0) for pk in self.owed}
        expect(paid == self.paid, "what was paid", paid, self.paid)
        still = open_by_registration(event, self.owed)
        own = {pk: max(0, cents - self.paid[pk]) for pk, cents in self.owed.items()}
        expect(still == own, "what is open", still, own)
        lies = -account_cents(event, Account.POOL, Account.HOUSE, Account.BOUNTY)
        expect(lies == sum(self.paid.values()), "where it lies", lies, self.paid)
        stands, won = bounties_of(event), self.bounties.won
        expect(stands.heads == self.bounties.heads, "heads", stands.heads, self.bounties.heads)
        expect(stands.won == won, "won with heads", stands.won, won)
        waiting = self.bounties.waiting
        expect(stands.open == waiting, "heads that wait", stands.open, waiting)
        expect(stands.total() == self.for_heads, "bounties in all", stands.total())


def play_with_rebuys(seed: int) -> Evening:
    """Lose, re-buy, let it be, add on and enter anew; what is paid and open agrees throughout."""
    side, books = side_evening(seed, "Re-buys", **TERMS), MoneyBooks()
    people = _come(side, books)
    side.do(clock_start)
    first, second, third, fourth = people[:4]
    _rebuys(side, books, first, taker=people[4])
    _lets_it_be(side, books, second, third, takers=[first, fourth])
    _adds_on(side, books, fourth)
    anew = _enters_anew(side, books, second)
    _is_taken(side, books, first, anew)
    _gives_up(side, books, people[5])
    _pays(side, books, people)
    return side


def _come(side: Evening, books: MoneyBooks) -> list[Entry]:
    people = []
    for number in range(1, PLAYERS + 1):
        made = side.do(registration_create, by=DESK, name=f"Simulantin Kauf {number}")
        row = Registration.objects.get(pk=made.payload["registration"])
        entered = side.do(entry_check_in, by=DESK, registration=row)
        people.append(_entry(entered.payload["entry"]))
        books.comes(people[-1])
    side.reload()
    books.compare(side)
    return people


def _entry(pk: int) -> Entry:
    return Entry.objects.select_related("registration__person").get(pk=pk)


def _loses(side: Evening, books: MoneyBooks, entry: Entry) -> None:
    side.do(entries_eliminate, by=ARBITER, entries=[entry])
    books.bounties.lose(entry.pk)
    books.compare(side)  # the head has fallen, and nobody is out yet


def _rebuys(side: Evening, books: MoneyBooks, entry: Entry, *, taker: Entry) -> None:
    """Lose all, ask, take it back, ask again, and get the chips for money.

    Who took the stack is told when a new one is there already, and has a new head.
    """
    side.refused("stack_unknown", rebuy_buy, by=DESK, entry=entry)
    _loses(side, books, entry)
    side.refused("seat_held", entries_eliminate, by=ARBITER, entries=[entry])
    side.do(purchase_ask, by=ARBITER, entry=entry, what="rebuy")
    side.do(purchase_unask, by=ARBITER, entry=entry)
    side.refused("nothing_asked", purchase_unask, by=ARBITER, entry=entry)
    side.do(purchase_ask, by=ARBITER, entry=entry, what="rebuy")
    side.refused("no_drawer_given", rebuy_buy, by=ARBITER, entry=entry)
    bought = side.do(rebuy_buy, by=DESK, entry=entry, pays=True)
    books.chips += REBUY
    books.owed[entry.registration_id] += REBUY_CENTS
    books.paid[entry.registration_id] += REBUY_CENTS
    books.pays_for_head(entry, REBUY_BOUNTY)
    books.compare(side)
    undone = side.undo(bought)
    side.undo(undone)
    books.compare(side)
    side.refused("had_no_chips", knockout_set, by=ARBITER, lost=_lost(entry), takers=[entry])
    _took(side, books, entry, [taker])


def _lost(entry: Entry) -> list[LostStack]:
    return list(LostStack.objects.live().filter(entry=entry))


def _lets_it_be(
    side: Evening, books: MoneyBooks, says: Entry, waits: Entry, *, takers: list[Entry]
) -> None:
    """One says not to re-buy, the other's time runs out; who took the stacks is told then."""
    _loses(side, books, says)
    _loses(side, books, waits)
    side.do(rebuy_decline, by=ARBITER, entry=says)
    books.left -= 1
    _took(side, books, says, takers)
    side.refused("no_chance", rebuys_lapse, by=SYSTEM)
    side.now += 6 * MINUTE
    side.do(rebuys_lapse, by=SYSTEM)
    books.left -= 1
    side.refused("is_out", rebuy_buy, by=DESK, entry=waits, stack=0)
    _took(side, books, waits, takers[:1])


def _took(side: Evening, books: MoneyBooks, out: Entry, takers: list[Entry]) -> None:
    by = [taker.pk for taker in takers]
    tell_takers(side, out.pk, by)
    books.bounties.take(out.pk, by)
    books.compare(side)


def _is_taken(side: Evening, books: MoneyBooks, entry: Entry, taker: Entry) -> None:
    """Who had bought again goes out after all: with the head goes what was won onto it."""
    _loses(side, books, entry)
    side.do(rebuy_decline, by=ARBITER, entry=entry)
    books.left -= 1
    _took(side, books, entry, [taker])


def _gives_up(side: Evening, books: MoneyBooks, entry: Entry) -> None:
    """Give up a stack of which a third has been lost: the rest leaves play with its head."""
    _loses(side, books, entry)
    side.do(stack_surrender, by=ARBITER, entry=entry, stack=STACK * 2 // 3)
    side.refused("already_out", stack_surrender, by=ARBITER, entry=entry)
    books.chips -= STACK * 2 // 3
    books.left -= 1
    del books.bounties.waiting[entry.pk]
    books.compare(side)


def _adds_on(side: Evening, books: MoneyBooks, entry: Entry) -> None:
    side.do(addon_buy, by=DESK, entry=entry)
    books.chips += ADDON
    books.owed[entry.registration_id] += ADDON_CENTS
    books.pays_for_head(entry, ADDON_BOUNTY)
    side.refused("too_often", addon_buy, by=DESK, entry=entry)
    books.compare(side)


def _enters_anew(side: Evening, books: MoneyBooks, entry: Entry) -> Entry:
    """Enter anew, with a head of its own again, and return the new stack."""
    side.do(entry_reenter, by=DESK, entry=entry)
    anew = Entry.objects.live().filter(registration=entry.registration_id).latest("number")
    books.comes(anew)
    side.refused("is_in", entry_reenter, by=DESK, entry=entry)
    books.compare(side)
    return anew


def _pays(side: Evening, books: MoneyBooks, people: list[Entry]) -> None:
    for entry in people:
        registration, pk = entry.registration, entry.registration_id
        side.do(fee_pay, by=DESK, registration=registration)
        books.paid[pk] = books.owed[pk]
        side.refused("already_paid", fee_pay, by=DESK, registration=registration)
        books.compare(side)
