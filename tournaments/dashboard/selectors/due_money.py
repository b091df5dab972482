"""Due about money: bounties, deals, prizes, purchases, closing time, cash tables."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.selectors import clock_levels, clock_state
from tournaments.cashgame.selectors.books import open_tables
from tournaments.cashgame.selectors.due import cash_due
from tournaments.cashgame.selectors.layout import tables_shown
from tournaments.dashboard.selectors.items import (
    LATER,
    NOW,
    SOON,
    DueItem,
    DueKind,
    Urgency,
    time_of,
)
from tournaments.door.selectors.paying import debtors
from tournaments.event.domain.hours import last_level
from tournaments.event.selectors.event import (
    closing_of,
    entry_names,
    event_closes_at,
    is_stage,
    players_left,
    row_ends_at,
    sells_again,
)
from tournaments.event.selectors.labels import money
from tournaments.event.selectors.stakes import event_has_money
from tournaments.forecast.selectors.forecast import forecast_of
from tournaments.models import Event, PurchaseWish, RebuyChance, What
from tournaments.payouts.selectors.bounties import (
    bounties_of,
    event_has_bounties,
    heads_waiting,
    taker_asked,
)
from tournaments.payouts.selectors.deals import MOST_AT_A_DEAL, deal_open
from tournaments.payouts.selectors.payees import overpaid_payees, payees
from tournaments.payouts.selectors.prize_labels import why_unpayable
from tournaments.payouts.selectors.prizes import prizes_now, unpriced_cents
from tournaments.play.selectors.stacks import counting_of
from tournaments.prizes.domain.payouts import Unpayable
from tournaments.prizes.selectors.plans import prize_pool, prizes_frozen
from tournaments.rebuys.selectors.offers import (
    addon_end,
    chances_live,
    name_of,
    pool_may_grow,
    taps_open,
    wishes_live,
)
from tournaments.rebuys.selectors.prices import addon_sheet

MOST_HEADS = 3
MOST_SHOWN = 5


def bounty_items(event: Event) -> Iterator[DueItem]:
    """Yield the due items of bounties, each with the entry as its number."""
    if not event_has_bounties(event):
        return
    waiting, undrawn = heads_waiting(event)[:MOST_HEADS], bounties_of(event).undrawn[:MOST_HEADS]
    names = entry_names({*undrawn, *(stack.entry for stack, _cents in waiting)})
    for stack, _cents in waiting:
        title, note = taker_asked(stack, names[stack.entry]), _("Das Bounty wartet darauf.")
        yield DueItem(DueKind.TAKER, LATER, title, note, number=stack.entry, lost=stack.lost)
    for entry in undrawn:
        title = _("Umschlag ziehen für den Kopf von %(name)s") % {"name": names[entry]}
        yield DueItem(DueKind.ENVELOPE, SOON, title, number=entry)


def deal_items(event: Event) -> Iterator[DueItem]:
    """Yield a deal that waits for answers, or that can no longer be agreed."""
    deal = deal_open(event) if players_left(event) <= MOST_AT_A_DEAL else None
    if deal is not None:
        sentence = _("%(yes)s von %(all)s sagen Ja.") % {"yes": deal.yes, "all": len(deal.shares)}
        title = _("Ein Deal ist vorgeschlagen")
        yield DueItem(DueKind.DEAL, SOON, title, deal.stale or sentence)


def open_at_end(event: Event) -> Iterator[DueItem]:
    """Yield what stays open if the tournament ends now: bounties without a winner, debts."""
    heads = heads_waiting(event) if event_has_bounties(event) else []
    if heads:
        title = ngettext(
            "Ein Bounty hat noch keinen Gewinner",
            "%(number)s Bountys haben noch keinen Gewinner",
            len(heads),
        )
        note = _("Es geht um %(amount)s. Sagen lässt es sich auch nach dem Ende.")
        note %= {"amount": money(sum(cents for _stack, cents in heads))}
        yield DueItem(DueKind.TAKER, LATER, title % {"number": len(heads)}, note)
    yield from fee_items(event)


# --- Due by prizes and payments: fix prizes, overpayments, payouts, open fees


def payout_items(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield the due items; before the start and after a cancellation there are none."""
    if not event.has_started or event.is_clock_only or event.cancelled_by_id is not None:
        return
    yield from _prizes_open(event, now)
    note = _("Was dafür galt, hat sich nach dem Auszahlen geändert.")
    for name, cents in overpaid_payees(event):
        title = _("%(name)s hat %(amount)s zu viel bekommen")
        title %= {"name": name, "amount": money(cents)}
        yield DueItem(DueKind.PAID_TOO_MUCH, SOON, title, note)
    rows = [row for row in payees(event) if row.is_due] if event.is_over else []
    if rows:
        title = ngettext("Einer bekommt noch Geld", "%(number)s bekommen noch Geld", len(rows))
        note = _("Zusammen %(amount)s.") % {"amount": money(sum(row.value for row in rows))}
        yield DueItem(DueKind.PAYOUTS, LATER, title % {"number": len(rows)}, note)
    yield from fee_items(event)


def _prizes_open(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield prizes to fix, money of the pool in no prize, or a pool without planned prizes."""
    if event.prizes and prizes_frozen(event) is None and not pool_may_grow(event, now):
        found = prizes_now(event)
        cannot = why_unpayable(found) if isinstance(found, Unpayable) else ""
        title = _("Die Preise sind noch nicht festgeschrieben")
        note = cannot or _("Niemand kann mehr einsteigen oder nachkaufen.")
        yield DueItem(DueKind.PRIZES, SOON, title, note)
    if cents := unpriced_cents(event):
        title = _("%(amount)s im Topf sind in keinem Preis") % {"amount": money(cents)}
        note = _("Eingezahlt, nachdem die Preise festgeschrieben waren.")
        yield DueItem(DueKind.PRIZES, SOON, title, note)
        return
    if event.prizes or not event_has_money(event) or is_stage(event) or pool_may_grow(event, now):
        return
    if cents := prize_pool(event).cents:
        title = _("Für %(amount)s im Topf sind keine Preise geplant") % {"amount": money(cents)}
        note = _("Eine Kurve ist vorgeschlagen; gespeichert wird mit einem Klick.")
        yield DueItem(DueKind.PRIZES, SOON, title, note)


def fee_items(event: Event) -> Iterator[DueItem]:
    """Yield who of the players still owes; it stops nothing."""
    found = debtors(event) if event_has_money(event) else []
    if not found:
        return
    said = [f"{name} {money(cents)}" for name, cents in found[:MOST_SHOWN]]
    if len(found) > MOST_SHOWN:
        said.append(_("und %(number)s weitere") % {"number": len(found) - MOST_SHOWN})
    total = money(sum(cents for _name, cents in found))
    title = _("Zu zahlen sind noch %(amount)s") % {"amount": total}
    yield DueItem(DueKind.FEES_OPEN, LATER, title, f"{', '.join(said)}.")


# --- Players waiting for requested purchases, and seats held for a re-buy


def purchase_items(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield open requests and held seats, the first to expire first; add-ons to sell."""
    if not sells_again(event):
        return
    pending = taps_open(event).exclude(wish=None).values("wish")
    wishes = list(wishes_live(event).exclude(pk__in=pending)[:MOST_SHOWN])
    asked = {row.entry_id for row in wishes}
    chances = [row for row in chances_live(event)[: 2 * MOST_SHOWN] if row.entry_id not in asked]
    for row in wishes:
        what = {"number": row.number, "what": name_of(What(row.what))}
        title = _("%(name)s möchte %(number)s × %(what)s") % {"name": _name(row), **what}
        note = _("Seit %(at)s, nachgetragen.") if row.late_at else _("Seit %(at)s.")
        note %= {"at": time_of(row.asked_at)}
        yield DueItem(DueKind.PURCHASE, NOW, title, note, number=row.entry_id)
    for held in chances[:MOST_SHOWN]:
        title = _("Re-buy? %(name)s") % {"name": _name(held)}
        note = _("Ohne Chips. Der Platz wird bis %(until)s gehalten.")
        note %= {"until": time_of(held.until)}
        yield DueItem(DueKind.REBUY, SOON, title, note, number=held.entry_id)
    sheet = addon_sheet(event, now)
    if sheet.open_count:
        offer = sheet.good.offer
        note = _("%(open)s von %(all)s sind noch offen, %(until)s.")
        note %= {"open": sheet.open_count, "all": len(sheet.lines), "until": addon_end(event, now)}
        urgency = SOON if offer.first == offer.last else LATER
        yield DueItem(DueKind.ADDONS, urgency, _("Add-ons verkaufen"), note, fact="addons")


def _name(row: PurchaseWish | RebuyChance) -> str:
    return row.entry.registration.person.name


# --- Closing time: proposed while it can still be announced two levels ahead, and then due


def closing_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the due items of closing time; empty if it is not set."""
    closing = closing_of(event, now)
    if closing is not None:
        return [_closing(event, now)] if closing.is_over else []
    closes_at = event_closes_at(event)
    forecast = forecast_of(event, now) if closes_at is not None else None
    if closes_at is None or forecast is None or forecast.ends_at <= closes_at:
        return []
    return [_proposed(event, now, closes_at, forecast.ends_at)]


def _closing(event: Event, now: datetime) -> DueItem:
    runs = clock_state(event.clock, now).is_running
    is_counted = counting_of(event, now).is_complete
    kind = DueKind.CLOSING_END if is_counted else DueKind.CLOSING_COUNT
    title = _("Sperrstunde: Die letzte Stufe ist zu Ende")
    note = _("Alle Stapel zählen, dann das Turnier beenden: Der größte Stapel ist Platz 1.")
    if is_counted:
        note = _("Alle sind gezählt: Das Turnier lässt sich beenden.")
    elif runs:
        kind = DueKind.CLOCK_RUNS
        note = _("Uhr anhalten, laufende Hände zu Ende spielen lassen, dann zählen.")
    return DueItem(kind, NOW, title, note)


def _proposed(event: Event, now: datetime, closes_at: datetime, ends_at: datetime) -> DueItem:
    """Return the proposal of closing time; more urgent if the next level would be too late."""
    levels, state = clock_levels(event.clock), clock_state(event.clock, now)
    following = next(
        (row for row, level in enumerate(levels) if row > state.index and not level.is_break), None
    )
    row = None if following is None else last_level(levels, following)
    latest = None if row is None else row_ends_at(event, row, now)
    note = _("Sperrstunde ist um %(closes)s, Schluss wäre gegen %(ends)s.")
    note %= {"closes": time_of(closes_at), "ends": time_of(ends_at)}
    title = _("Bis zur Sperrstunde reicht die Zeit nicht")
    urgency = SOON if latest is None or latest > closes_at else LATER
    return DueItem(DueKind.CLOSING_PROPOSED, urgency, title, note, fact="closing")


# --- Due at cash tables, on the director's page


def cash_items(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield the due items of cash tables; none without any."""
    if not event.has_cash_game:
        return
    for one in cash_due(event, tables_shown(event, open_tables(event), now), now):
        kind = DueKind.CASH_GAME if one.table is None else DueKind.CASH_TABLE
        urgency = Urgency(one.when.value)
        yield DueItem(kind, urgency, one.title, one.note, rule=one.rule, number=one.number)
