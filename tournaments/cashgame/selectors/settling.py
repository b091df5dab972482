"""Payments among players at tables on account, and the link to them. Reads only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Sum
from django.utils.translation import gettext as _

from tournaments.cashgame.domain.ledger import MOST_EXACT, Bearer, Payment, borne, payments_left
from tournaments.cashgame.domain.stakes import FeeWay
from tournaments.cashgame.selectors.books import balances_noted, chips_on
from tournaments.cashgame.selectors.layout import BEARERS
from tournaments.models import (
    CashDebtPaid,
    CashSeat,
    CashTable,
    Event,
    Posting,
    Registration,
)
from tournaments.money.domain.accounts import Account
from tournaments.people.domain.naming import shown_name

HOUSE = 0


@dataclass(frozen=True, slots=True)
class Pays:
    """A payment from one player to another; the house has no registration."""

    payer: str
    payee: str
    cents: int
    payer_id: int = HOUSE
    payee_id: int = HOUSE
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """A player's win, or loss below zero."""

    name: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A counted difference of a table on account.

    :param cents: What was missing; below zero what was too much.
    """

    table: CashTable
    cents: int
    bears: Bearer
    borne_by: str

    @property
    def missing_cents(self) -> int:
        return abs(self.cents)

    @property
    def has_house(self) -> bool:
        return self.table.fee_way != FeeWay.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """The settlement.

    :param are_fewest: Whether this is certainly the least number of payments.
    :param house_cents: The house's share; below zero, it pays.
    :param on_table_cents: Chips still on those tables; settled once all players have left.
    :param are_seated: Whether players still sit there; else the chips are to be counted.
    """

    payments: tuple[Pays, ...]
    results: tuple[Result, ...]
    on_table_cents: int
    are_fewest: bool = True
    house_cents: int = 0
    differences: tuple[Difference, ...] = ()
    are_seated: bool = False
    people: tuple[tuple[int, str], ...] = ()


def settling_of(event: Event, *, to_staff: bool = True) -> Settling:
    """Return the payments among players at tables on account; to others initials if unlisted.

    Fees and tips belong to the house. Each table's difference is borne by whom it says. Seated
    players still have chips: until they leave, the result is not final.
    """
    balances = balances_noted(event)
    tables = {row.pk: row for row in CashTable.objects.live().filter(event=event, is_noted=True)}
    on_table = sum(chips_on(tables).values())
    bearers = {row.bearer for row in tables.values() if row.bearer}
    names = _names({*balances, *bearers}, to_staff=to_staff)
    people = tuple(sorted(names.items(), key=lambda one: one[1]))
    differences = _differences(event, tables, names)
    unit = 1 if event.is_cash_for_money else 100
    for one in differences:
        rows = Posting.objects.live().filter(cash_table=one.table, account=Account.OWED)
        played = balances.keys() & set(rows.values_list("registration", flat=True))
        own = {person: balances[person] for person in played}
        shares = borne(own, one.cents, one.bears, one=one.table.bearer, unit=unit)
        for person, cents in shares.items():
            balances[person] = balances.get(person, 0) + cents
    house = -sum(balances.values()) - on_table
    names |= {HOUSE: _("Haus")}
    even = balances | ({HOUSE: house} if house else {})
    ticked = CashDebtPaid.objects.live().filter(event=event).order_by("pk")
    paid = ticked.values_list("payer", "payee", "cents")
    done = [Payment(payer or HOUSE, payee or HOUSE, cents) for payer, payee, cents in paid]
    payments = [] if on_table else payments_left(even, done)
    results = [Result(names[pk], cents) for pk, cents in balances.items()]
    return Settling(
        payments=tuple(
            Pays(names[payer], names[payee], cents, payer, payee, is_done)
            for (payer, payee, cents), is_done in [
                *((one, True) for one in done if one not in payments),
                *((one, one in done) for one in payments),
            ]
        ),
        results=tuple(sorted(results, key=lambda one: (-one.cents, one.name))),
        on_table_cents=on_table,
        are_fewest=sum(map(bool, even.values())) <= MOST_EXACT,
        house_cents=house,
        differences=tuple(differences),
        people=people,
        are_seated=CashSeat.objects.live().filter(table__in=tables).exists(),
    )


def _names(people: Iterable[int], *, to_staff: bool) -> dict[int, str]:
    """Return names; initials that several people have are numbered."""
    rows = Registration.objects.filter(pk__in=list(people)).select_related("person")
    found: dict[int, str] = {}
    for row in rows.order_by("pk"):
        name = shown_name(row.person.name, is_listed=row.is_listed, to_staff=to_staff)
        same = sum(1 for other in found.values() if other.split(" (")[0] == name)
        found[row.pk] = f"{name} ({same + 1})" if same else name
    return found


def _differences(
    event: Event, tables: Mapping[int, CashTable], names: Mapping[int, str]
) -> list[Difference]:
    rows = Posting.objects.live().filter(cash_table__in=tables, account=Account.MISSING)
    sums = rows.values("cash_table").annotate(sum=Sum("amount_cents")).order_by("cash_table")
    found = []
    for pk, cents in sums.values_list("cash_table", "sum"):
        row = tables[pk]
        row.event = event
        if cents:
            # The house bears it only where it takes a fee, unless the table says otherwise.
            usual = Bearer.ALL if row.fee_way == FeeWay.NONE else Bearer.HOUSE
            bears = Bearer(row.bears) if row.bears else usual
            who = names.get(row.bearer or 0) or str(BEARERS[bears])
            found.append(Difference(table=row, cents=-cents, bears=bears, borne_by=who))
    return found
