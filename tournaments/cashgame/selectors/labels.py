"""Texts of the cash game's pages and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.cashgame.domain.house_fee import FeeWay
from tournaments.cashgame.domain.ledger import Stage
from tournaments.cashgame.domain.stakes import No, Range, Way
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.labels import amount, amount_words
from tournaments.models import CashTable

FEES = {
    FeeWay.NONE: gettext_lazy("keine"),
    FeeWay.TIME: gettext_lazy("nach Zeit"),
    FeeWay.POT: gettext_lazy("aus dem Pot"),
    FeeWay.HAND: gettext_lazy("je Hand"),
}
WAYS = {
    Way.FIXED: gettext_lazy("Euro"),
    Way.BIG_BLINDS: gettext_lazy("Big Blinds"),
    Way.LARGEST_STACK: gettext_lazy("bis zum größten Stapel"),
}
STAGES = {
    Stage.PLAYS: gettext_lazy("es wird gespielt"),
    Stage.LAST_HANDS: gettext_lazy("letzte Hände"),
    Stage.LAST_HAND: gettext_lazy("letzte Hand"),
    Stage.FINISHES: gettext_lazy("die Hand wird zu Ende gespielt"),
    Stage.OVER: gettext_lazy("zu Ende"),
}


def amount_at(table: CashTable, cents: int) -> str:
    """Return an amount in the table's unit."""
    return amount(cents, table.event.cash_unit)


def stakes_words(table: CashTable) -> str:
    """Return a table's blinds for display: "1 € / 2 €"."""
    return (
        f"{amount_at(table, table.small_blind_cents)} / {amount_at(table, table.big_blind_cents)}"
    )


def noted_stakes(payload: Mapping[str, Any]) -> str:
    """Return the blinds in a log entry, or an empty text."""
    names = [name for name in ("small_cents", "big_cents") if name in payload]
    return " / ".join(amount_words(payload, name) for name in names)


def time_in_words(payload: Mapping[str, Any], name: str) -> str:
    """Return the time of day of an instant in a log entry."""
    return time_format(localtime(datetime.fromtimestamp(payload[name], UTC)), "H:i")


def range_words(table: CashTable) -> str:
    """Return the buy-in range of a table."""
    stakes = table.stakes
    least = amount_at(table, stakes.minimum.cents(table.big_blind_cents) or 0)
    most = stakes.maximum.cents(table.big_blind_cents)
    if most is None:
        return _("ab %(least)s, höchstens der größte Stapel") % {"least": least}
    return _("%(least)s bis %(most)s") % {"least": least, "most": amount_at(table, most)}


def fee_words(table: CashTable) -> str:
    """Return the house fee of a table."""
    numbers = {
        "cents": amount_at(table, table.fee_cents),
        "minutes": table.fee_minutes,
        "percent": table.fee_percent,
        "most": amount_at(table, table.fee_most_cents),
    }
    if table.fee_way == FeeWay.TIME:
        return _("%(cents)s je %(minutes)d Minuten") % numbers
    if table.fee_way == FeeWay.HAND:
        return _("%(cents)s je Hand") % numbers
    if table.fee_way == FeeWay.POT:
        if table.fee_most_cents:
            return _("%(percent)d %% vom Pot, höchstens %(most)s") % numbers
        return _("%(percent)d %% vom Pot") % numbers
    return ""


def refusal_to_buy(no: No, table: CashTable, bounds: Range) -> Refused:
    """Return why a purchase is refused, as a sentence."""
    numbers = {
        "table": table.number,
        "least": amount_at(table, bounds.least),
        "most": amount_at(table, bounds.most or 0),
        "taken": amount_at(table, bounds.taken),
    }
    sentences = {
        No.NO_AMOUNT: _("Dieser Betrag kann nicht stimmen."),
        No.CHIPS_STAY: _("Chips bleiben am Tisch, bis ihr Besitzer geht."),
        No.DURING_HAND: _("An Tisch %(table)s läuft eine Hand. Chips gibt es danach."),
        No.LARGEST_UNKNOWN: _("Bitte dazusagen, wie viel der größte Stapel am Tisch ist."),
        No.BELOW_MINIMUM: _("Nach dem Kauf müssen es mindestens %(least)s sein."),
        No.BELOW_TAKEN_AWAY: _("Mitgenommen wurden %(taken)s. So viel kommt wieder auf den Tisch."),
        No.ABOVE_MAXIMUM: _("Nach dem Kauf dürfen es höchstens %(most)s sein."),
    }
    return Refused(sentences[no] % numbers, code=no.value)


def refusal_to_take(no: No, table: CashTable, there_cents: int, fee_cents: int) -> Refused:
    """Return why a cash-out is refused, as a sentence."""
    numbers = {
        "table": table.number,
        "there": amount_at(table, max(0, there_cents)),
        "fee": amount_at(table, fee_cents),
    }
    sentences = {
        No.NO_AMOUNT: _("Dieser Betrag kann nicht stimmen."),
        No.MORE_THAN_THERE_IS: _("An Tisch %(table)s liegen nur %(there)s."),
        No.DURING_HAND: _("An Tisch %(table)s läuft eine Hand. Ausgezahlt wird danach."),
        No.FEE_OPEN: _("Noch offen ist die Hausgebühr: %(fee)s."),
    }
    return Refused(sentences[no] % numbers, code=no.value)
