"""Prizes in words: obstacles, places and amounts, the preview of a plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, Sum
from django.utils.translation import gettext as _

from tournaments.event.selectors.clock import counted
from tournaments.event.selectors.event import (
    entries_live_count,
    event_accepts_late,
    registrations_placed_count,
)
from tournaments.event.selectors.labels import money
from tournaments.models import Elimination, Entry, Event, Purchase, Registration, Waiting, What
from tournaments.money.domain.accounts import Account, Price, price_cents
from tournaments.money.selectors.journal import entry_price, prices_owed
from tournaments.payouts.domain.pictures import PrizeRow, curve_path, prize_rows
from tournaments.payouts.selectors.prizes import coming_to, prize_table_of, prizes_given, prizes_now
from tournaments.prizes.domain.payouts import PrizeTable, Unpayable, prize_table
from tournaments.prizes.domain.plans import (
    LONGEST_NAME,
    MOST_TYPED,
    Pool,
    PrizePlan,
    Way,
    places_paid,
    pool_of,
)
from tournaments.prizes.selectors.plans import (
    entries_that_count,
    flight_advance,
    prize_pool,
    prizes_frozen,
)
from tournaments.rebuys.selectors.offers import good_of


def why_unplannable(code: str) -> str:
    """Return the error of a plan as a sentence."""
    words = {
        "absurd": _("Einer dieser Beträge kann nicht stimmen."),
        "unit": _("Gerundet wird auf mindestens einen Cent."),
        "places_percent": _("Bezahlt werden höchstens 100 % der Einstiege."),
        "held_back": _("Einbehalten werden höchstens 100 %."),
        "minimum": _("Dieser Mindestpreis kann nicht stimmen."),
        "too_many": _("Höchstens %(most)d Preise, jeder für sich eingegeben.")
        % {"most": MOST_TYPED},
        "long": _("Ein Sachpreis hat höchstens %(most)d Zeichen.") % {"most": LONGEST_NAME},
        "no_shares": _("Es fehlen die Anteile."),
        "no_amounts": _("Es fehlen die Beträge."),
        "no_seat": _("Es fehlt, was ein Platz wert ist."),
        "no_flight": _("Es fehlt, wie viele im Flight bezahlt werden und was jeder bekommt."),
        "target": _("Dieser Zielstapel kann nicht stimmen."),
        "nothing": _("Jeder Preis ist mehr als nichts."),
        "rising": _("Ein Preis ist höher als der davor. Bitte vom ersten Platz abwärts."),
        "over_all": _("Die Anteile sind zusammen mehr als 100 %."),
        "sizes": _("Die Größen der Felder müssen von Zeile zu Zeile steigen."),
        "under_all": _("Die Anteile sind zusammen weniger als 100 %."),
    }
    return words[code]


def why_unpayable(no: Unpayable) -> str:
    """Return why this pool cannot pay the prizes, as a sentence."""
    words = {
        "empty": _("Für Preise ist noch nichts eingezahlt."),
        "places": _("Wie viele Plätze bezahlt werden, ist noch nicht gesagt."),
        "minimum": _(
            "Für so viele Plätze zu mindestens %(cents)s reicht der Topf nicht: weniger Plätze "
            "bezahlen, oder weniger je Platz."
        ),
        "refund": _("Der Topf reicht nicht, um den Einstieg zurückzugeben (%(cents)s)."),
        "over_pool": _(
            "Die Preise sind %(cents)s mehr, als im Topf ist: als Zuschuss eintragen, oder die "
            "Beträge ändern."
        ),
        "under_pool": _(
            "Vom Topf sind %(cents)s nicht verteilt: als einbehalten eintragen, oder die Beträge "
            "ändern."
        ),
        "seats": _("Im Topf sind mehr Plätze, als Teilnehmer da sind: %(cents)s bleiben übrig."),
    }
    return words[no.code] % {"cents": money(no.cents)}


# --- Prizes in words for players, screens and staff; from the end of late registration


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeWords:
    """The prizes by place, and the prize of each winner in words.

    `is_fixed`: later payments change nothing.
    """

    rows: list[PrizeRow]
    refund: int
    by_entry: Mapping[int, str]
    is_fixed: bool


def prizes_in_words(event: Event, now: datetime) -> PrizeWords | None:
    """Return the prizes to announce now, or None before that."""
    if event.earlier:
        return _earlier_prizes(event)
    rows = rows_to_tell(event, now)
    if not rows:
        return None
    given = prizes_given(event)
    return PrizeWords(
        rows=rows,
        refund=prize_table_of(event).refund,
        by_entry={
            entry: _words(event, given.prizes.get(entry, 0), given.in_kind.get(entry, ""))
            for entry in given.prizes.keys() | given.in_kind.keys()
        },
        is_fixed=prizes_frozen(event) is not None,
    )


def rows_to_tell(event: Event, now: datetime) -> list[PrizeRow]:
    """Return the prizes by place that can be announced now; none before that."""
    if not event.prizes or not event.has_started or event.cancelled_by_id is not None:
        return []
    if prizes_frozen(event) is None and event_accepts_late(event, now):
        return []
    rows = prize_rows(prize_table_of(event).prizes, event.prize_plan.in_kind)
    if event.prize_plan.way is not Way.FLIGHT:
        return rows
    # The places with a bag have their prize on another day.
    return [row if row.cents else replace(row, in_kind=_("weiter")) for row in rows]


def _earlier_prizes(event: Event) -> PrizeWords | None:
    """Return the prizes of an evening entered afterwards, if any are known."""
    of = {int(entry): told["prize"] for entry, told in event.earlier["of"].items()}
    by_entry = {entry: money(cents) for entry, cents in of.items() if cents}
    rows = prize_rows(sorted((cents for cents in of.values() if cents), reverse=True), ())
    return PrizeWords(rows=rows, refund=0, by_entry=by_entry, is_fixed=True) if by_entry else None


def prize_words(row: PrizeRow) -> str:
    """Return the prize of a place in words."""
    return ", ".join(part for part in (money(row.cents) if row.cents else "", row.in_kind) if part)


def _words(event: Event, cents: int, in_kind: str) -> str:
    seat = event.prize_plan.seat_name
    is_seat = bool(seat) and cents == event.prize_plan.seat_cents
    text = _("Platz: %(seat)s (%(cents)s)") % {"seat": seat, "cents": money(cents)}
    amount = text if is_seat else money(cents)
    return ", ".join(part for part in (amount if cents else "", in_kind) if part)


def words_of_outs(event: Event, places: Mapping[int, int], now: datetime) -> dict[int, str]:
    """Return the prizes of eliminated players in words; cheap for a place without one."""
    plan = event.prize_plan
    if not event.prizes:
        return {}
    deepest = max(len(prize_table_of(event).prizes) + 1, len(plan.in_kind))
    rows = Elimination.objects.live().filter(event=event)
    gone = rows.filter(way=Elimination.Way.DISQUALIFIED).count() if places else 0
    if not places or min(places.values()) > deepest + gone:
        return {}
    text = prizes_in_words(event, now)
    found = text.by_entry if text else {}
    return {entry: found[entry] for entry in places if entry in found}


# --- The result of a prize plan: for an assumed field, or for the present one


USUAL_FIELD = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Sold:
    """The number of sales, real or assumed."""

    entries: int
    rebuys: int = 0
    addons: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A prize table with its basis; `obstacle` says why there is none, or its flaw."""

    pool: Pool
    rows: Sequence[PrizeRow] = ()
    refund: int = 0
    path: str = ""
    obstacle: str = ""
    has_money: bool = False
    sold: Sold | None = None


def sold_of(event: Event) -> Sold:
    """Return the sales so far; before the start, the registered or a usual evening's field."""
    coming = coming_to(event)
    if event.has_started:
        entries = entries_live_count(event)
    else:
        entries = registrations_placed_count(event) or min(USUAL_FIELD, event.capacity)
    if coming is not None and coming.people:
        entries = coming.people
    if event.is_clock_only:
        return Sold(entries=entries, rebuys=counted(event).rebuys)
    rows = Purchase.objects.live().filter(event=event).order_by().values_list("what")
    bought = dict(rows.annotate(Sum("number")))
    return Sold(entries=entries, rebuys=bought.get(What.REBUY, 0), addons=bought.get(What.ADDON, 0))


def preview_of(event: Event, plan: PrizePlan, *, typed_places: int, sold: Sold) -> Preview:
    """Return the result of a plan for these sales.

    Real sales count as far as paid, as after saving the plan; assumed ones as if paid. Before the
    start all are assumed, except what the flights of a further day have taken.
    """
    is_known, coming = event.has_started and not event.is_clock_only, coming_to(event)
    now = sold_of(event) if is_known or coming else Sold(entries=0)
    paid = prize_pool(event).paid if is_known or coming else 0
    paid += coming.cents if coming else 0
    entries = sold.entries
    if is_known:
        entries += entries_that_count(event) - now.entries
    paid += _entries_pay(event, sold.entries - now.entries, is_known=is_known)
    for price, more in (
        (good_of(event, What.REBUY).price, sold.rebuys - now.rebuys),
        (good_of(event, What.ADDON).price, sold.addons - now.addons),
    ):
        paid += more * _to_the_pool(price)
    pool = pool_of(plan, max(0, paid))
    places = places_paid(plan, typed=typed_places, entries=entries, pool_cents=pool.cents)
    found: PrizeTable | Unpayable
    try:
        found = prize_table(
            plan,
            pool_cents=pool.cents,
            places=places,
            entries=entries,
            buy_in_cents=price_cents(entry_price(event)),
            advance=flight_advance(event, plan, entries),
        )
    except Unpayable as no:
        found = no
    return _shown(plan, pool, found, sold=sold)


def preview_now(event: Event) -> Preview:
    """Return the present prizes, from actual payments and entries."""
    return _shown(event.prize_plan, prize_pool(event), prizes_now(event))


def _shown(
    plan: PrizePlan,
    pool: Pool,
    found: PrizeTable | Unpayable,
    *,
    sold: Sold | None = None,
) -> Preview:
    table = PrizeTable() if isinstance(found, Unpayable) else found
    obstacle = why_unpayable(found) if isinstance(found, Unpayable) else ""
    if table.refunds_above_last:
        obstacle = _(
            "Wer knapp vor dem Geld ausscheidet, bekäme %(refund)s zurück, der letzte Preis ist "
            "nur %(last)s."
        ) % {"refund": money(table.refund), "last": money(table.prizes[-1])}
    return Preview(
        pool=pool,
        rows=prize_rows(table.prizes, plan.in_kind),
        refund=table.refund,
        path=curve_path(table.prizes),
        obstacle=obstacle,
        has_money=plan.has_money,
        sold=sold,
    )


def _entries_pay(event: Event, more: int, *, is_known: bool) -> int:
    """Return what further entries bring into the pool: first the registered at their own prices.

    :param is_known: Whether those who are in have been counted.
    """
    rows: list[int] = []
    if more > 0 and event.fee_rates:
        waits = Waiting.objects.live().filter(registration=OuterRef("pk"))
        are_in = Entry.objects.live().filter(registration=OuterRef("pk"))
        found = Registration.objects.live().filter(event=event, is_cash_guest=False)
        found = found.exclude(Exists(waits)).exclude(Exists(are_in) if is_known else Q())
        rows = list(found.order_by("pk").values_list("pk", flat=True)[:more])
    own = sum(_to_the_pool(prices[0]) for prices in prices_owed(event, rows).values() if prices)
    return own + (more - len(rows)) * _to_the_pool(entry_price(event))


def _to_the_pool(price: Price) -> int:
    return sum(share.cents for share in price if share.account in (Account.POOL, Account.FEES))
