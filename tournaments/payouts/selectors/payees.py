"""What each player gets or owes: prizes, bounties, refunds and fees in one amount. Reads only."""

from copy import copy
from dataclasses import dataclass

from django.db.models import Sum

from clock.snapshot import snapshot
from tournaments.door.selectors.paying import overpaid
from tournaments.models import Event, Posting, Receipt, Registration
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import balances, owed_of_row, paid_of_row
from tournaments.payouts.selectors.bounties import Due, bounties_due
from tournaments.payouts.selectors.prizes import Payout, payout_of, payouts
from tournaments.prizes.selectors.plans import prizes_frozen

WON = (Account.PRIZES, Account.BOUNTIES, Account.BONUS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Payee:
    """A player with a prize, bounties or a refund; open fees are deducted from what is won.

    :param won: What is due now by account: prize, bounties, and a seat below zero.
    :param back: The refund due.
    :param netted: The open fees that the winnings cover.
    :param still_owes: The open fees beyond them.
    :param amount: The cash to pay out now.
    :param value: That, and the value of a satellite seat.
    :param over: What was paid out too much by account; the director decides on it.
    :param given: The cash paid out so far, less what came back.
    :param deducted: The open fees paid by it; below zero, the fees refunded with it.
    """

    registration: int
    name: str
    prize: Payout | None
    bounty: Due | None
    won: dict[Account, int]
    back: int
    netted: int
    still_owes: int
    amount: int
    value: int
    over: dict[Account, int]
    given: int
    deducted: int

    @property
    def is_due(self) -> bool:
        return bool(self.won or self.back)

    @property
    def is_seat(self) -> bool:
        return Account.SEATS in self.won

    @property
    def bonus(self) -> int:
        return self.won.get(Account.BONUS, 0)

    @property
    def over_cents(self) -> int:
        return sum(self.over.values())

    @property
    def in_all(self) -> int:
        """Return the cash paid out and still to pay; for a seat alone, its value."""
        return self.given + self.amount or (self.prize.prize if self.prize else 0)

    @property
    def is_paid(self) -> bool:
        """Tell whether anything was won and settled, if only against open fees."""
        return bool((self.prize and self.prize.paid_out) or (self.bounty and self.bounty.paid))

    @property
    def place(self) -> int | None:
        return self.prize.place if self.prize else None


def _payee(
    registration: int,
    name: str,
    prize: Payout | None,
    bounty: Due | None,
    *,
    balance: int,
    is_fixed: bool,
    given: int = 0,
    deducted: int = 0,
    bonus: int = 0,
) -> Payee:
    """Return what a player gets now; no prize before prizes are fixed, or while provisional.

    :param balance: The open fees; below zero, the amount to refund.
    :param bonus: What is due for further qualifications.
    """
    prize_cents = prize.prize - prize.paid_out if prize else 0
    bounty_cents = bounty.won - bounty.paid if bounty else 0
    prize_due = _prize_due(prize, is_fixed=is_fixed) if prize else 0
    seat = prize_due if prize and prize.is_seat else 0
    won = {
        Account.PRIZES: prize_due,
        Account.BOUNTIES: max(0, bounty_cents),
        Account.BONUS: bonus,
        Account.SEATS: -seat,
    }
    netted = min(sum(won.values()), max(0, balance))
    amount = sum(won.values()) + max(0, -balance) - netted
    over = {Account.PRIZES: max(0, -prize_cents), Account.BOUNTIES: max(0, -bounty_cents)}
    return Payee(
        registration=registration,
        name=name,
        prize=prize,
        bounty=bounty,
        won={account: cents for account, cents in won.items() if cents},
        back=max(0, -balance),
        netted=netted,
        still_owes=max(0, balance) - netted,
        amount=amount,
        value=amount + seat,
        over={account: cents for account, cents in over.items() if cents},
        given=given,
        deducted=deducted,
    )


def _prize_due(prize: Payout, *, is_fixed: bool) -> int:
    """Return the part of a prize due now; before it is fixed, only what is paid at once."""
    is_payable = is_fixed and not prize.is_provisional
    due = prize.prize if is_payable else min(prize.at_once, prize.prize)
    return max(0, due - prize.paid_out)


def payees(event: Event) -> list[Payee]:
    """Return all players with a prize, bounties or a refund; best place first."""
    prizes = {row.registration: row for row in payouts(event)}
    bounties = {row.registration: row for row in bounties_due(event)}
    refunds = {row.pk: (row.person.name, -cents) for row, cents in overpaid(event)}
    bonuses = _bonuses(event)
    owed = balances(event, prizes.keys() | bounties.keys() | bonuses.keys())
    owed |= {pk: cents for pk, (_name, cents) in refunds.items()}
    names = {pk: name for pk, (name, _cents) in refunds.items()}
    names |= {pk: won.name for pk, won in bounties.items()}
    if bonuses:
        rows = Registration.objects.filter(pk__in=bonuses)
        names |= dict(rows.values_list("pk", "person__name"))
    names |= {pk: row.name for pk, row in prizes.items()}
    (given, deducted), is_fixed = _given(event), prizes_frozen(event) is not None
    found = [
        _payee(
            pk,
            name,
            prizes.get(pk),
            bounties.get(pk),
            balance=owed[pk],
            is_fixed=is_fixed,
            given=given.get(pk, 0),
            deducted=deducted.get(pk, 0),
            bonus=bonuses.get(pk, 0),
        )
        for pk, name in names.items()
    ]
    return sorted(found, key=lambda row: (row.place is None, row.place or 0, row.name))


def payee_of(event: Event, registration: int) -> Payee | None:
    """Return what one player gets now; None if the registration is of another event."""
    seen = copy(event)  # each is read once for this answer
    snapshot(seen)
    rows = Registration.objects.filter(event=event, pk=registration)
    rows = rows.annotate(owed=owed_of_row(event), paid=paid_of_row())
    row = rows.values("person__name", "voided_by", "owed", "paid").first()
    if row is None:
        return None
    owed = row["owed"] if row["voided_by"] is None else 0
    bounty = None
    if event.bounty_kind:
        own = (due for due in bounties_due(seen) if due.registration == registration)
        bounty = next(own, None)
    return _payee(
        registration,
        row["person__name"],
        payout_of(seen, registration),
        bounty,
        balance=owed - (row["paid"] or 0),
        is_fixed=prizes_frozen(seen) is not None,
        bonus=_bonuses(seen).get(registration, 0),
    )


def _bonuses(event: Event) -> dict[int, int]:
    """Return by registration what is still due for further qualifications; only a day has some."""
    if event.fee_cents:
        return {}
    rows = Posting.objects.live().filter(event=event, account=Account.BONUS)
    sums = rows.values("registration").annotate(sum=-Sum("amount_cents")).order_by()
    return {pk: cents for pk, cents in sums.values_list("registration", "sum") if pk}


def _given(event: Event) -> tuple[dict[int, int], dict[int, int]]:
    """Return by registration the cash paid out, less what came back, and the fees deducted."""
    live = Posting.objects.live().filter(event=event)
    acts = live.filter(account__in=WON).values("made_by")
    receipts = Receipt.objects.filter(event=event, action__in=acts).order_by()
    given = receipts.values("registration").annotate(sum=-Sum("cents"))
    fees = live.filter(account=Account.CASH, registration__isnull=False, made_by__in=acts)
    deducted = fees.values("registration").annotate(sum=Sum("amount_cents")).order_by()
    return (
        dict(given.values_list("registration", "sum")),
        {one: cents for one, cents in deducted.values_list("registration", "sum") if one},
    )


def overpaid_payees(event: Event) -> list[tuple[str, int]]:
    """Return those paid out too much by name, with the amount."""
    over: dict[int, tuple[str, int]] = {}
    if event.prizes and prizes_frozen(event) is not None:
        over |= {row.registration: (row.name, row.owed_back) for row in payouts(event)}
    for due in bounties_due(event) if event.bounty_kind else ():
        over[due.registration] = (due.name, due.over + over.get(due.registration, ("", 0))[1])
    return [(name, cents) for name, cents in over.values() if cents]
