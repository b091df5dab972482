"""Prices and possible purchases of a tournament, worded for the announcement."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.selectors.labels import end_words, event_pause_name, money
from tournaments.models import Event, What
from tournaments.money.domain.accounts import Account, Price, price_cents
from tournaments.money.selectors.journal import entry_price
from tournaments.rebuys.selectors.offers import Good, goods_of, name_of


@dataclass(frozen=True, slots=True)
class Announced:
    """One line of the announcement: subject and text."""

    label: str
    text: str


def announced(event: Event) -> list[Announced]:
    """Return the announced prices and purchases; empty if the event is free."""
    lines = []
    if event.fee_cents:
        told = [money(event.fee_cents), *_parts(entry_price(event))]
        lines.append(Announced(_("Startgeld"), ", ".join(told)))
    for name, cents, _own in event.fee_rates:
        told = [money(cents), *_parts(entry_price(event, rate=name))]
        lines.append(Announced(_("Startgeld: %(name)s") % {"name": name}, ", ".join(told)))
    if event.early_fee_cents:
        lines.append(Announced(_("Frühbucher"), _early(event)))
    if event.on_time_chips:
        text = _("%(chips)s Chips mehr, wer vor dem Start eingecheckt ist")
        lines.append(Announced(_("Pünktlich"), text % {"chips": _chips(event.on_time_chips)}))
    return [*lines, *(Announced(name_of(good.what), _of(event, good)) for good in goods_of(event))]


def prices_in_a_line(event: Event) -> str:
    """Return the prices in one line; empty if the event is free."""
    goods = [(name_of(good.what), good.cents) for good in goods_of(event)]
    told = [(_("Startgeld"), event.fee_cents), *goods]
    return ", ".join(f"{name} {money(cents)}" for name, cents in told if cents)


def costs_announced(event: Event) -> list[dict[str, Any]]:
    """Return prices and purchases as data, with the accounts they go to.

    `what` is `entry`, `rebuy`, `addon` or `reentry`; amounts are in cents, `to` is an account of
    the journal. Empty if the event is free.
    """
    entry = ("entry", entry_price(event), event.starting_stack)
    again = [(good.what.value, good.price, good.chips) for good in goods_of(event)]
    return [
        {
            "what": what,
            "cents": price_cents(price),
            "chips": chips,
            "parts": [
                {"to": share.account.value, "name": share.name, "cents": share.cents}
                for share in price
            ],
        }
        for what, price, chips in (entry, *again)
        if price_cents(price)
    ]


def _early(event: Event) -> str:
    told = [money(event.early_fee_cents)]
    if event.early_until is not None:
        until = date_format(timezone.localtime(event.early_until), "SHORT_DATETIME_FORMAT")
        told.append(_("wer sich bis %(until)s anmeldet") % {"until": until})
    if event.early_entries:
        count = event.early_entries
        text = ngettext("nur der Erste", "nur die ersten %(count)s", count)
        told.append(text % {"count": number_format(count, force_grouping=True)})
    return ", ".join(told)


def _of(event: Event, good: Good) -> str:
    told = [money(good.cents)] if good.cents else []
    told += [_("%(chips)s Chips") % {"chips": _chips(good.chips)}, _until(event, good)]
    if good.what == What.REBUY and good.offer.threshold:
        text = _("mit höchstens %(chips)s Chips")
        told.append(text % {"chips": _chips(good.offer.threshold)})
    elif good.what == What.REBUY:
        told.append(_("wenn alle Chips verloren sind"))
    if good.what == What.REBUY and event.rebuy_double:
        told.append(_("auch zwei auf einmal"))
    if good.offer.most:
        most = ngettext("einmal je Person", "höchstens %(most)s Mal je Person", good.offer.most)
        told.append(most % {"most": good.offer.most})
    return ", ".join([*told, *_parts(good.price)])


def _until(event: Event, good: Good) -> str:
    """Return the deadline, worded like its field in the settings."""
    if good.what == What.REENTRY:
        return _("solange die Nachmeldung offen ist")
    level, pause = (
        (event.rebuy_level, event.rebuy_break)
        if good.what == What.REBUY
        else (event.addon_level, event.addon_break)
    )
    name, in_break = event_pause_name(event, pause), good.what == What.ADDON
    return end_words(level=level, pause=name, in_break=in_break)


def _parts(price: Price) -> list[str]:
    """Return the parts of a price, unless all of it goes to the prize pool."""
    names = {
        Account.POOL: _("Preistopf"),
        Account.HOUSE: _("Haus"),
        Account.BOUNTY: _("Bounty"),
    }
    if all(share.account == Account.POOL for share in price):
        return []
    told = (f"{money(share.cents)} {share.name or names[share.account]}" for share in price)
    return [_("davon %(parts)s") % {"parts": " + ".join(told)}]


def _chips(chips: int) -> str:
    return number_format(chips, force_grouping=True)
