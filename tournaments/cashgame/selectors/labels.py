"""Texts of the cash game's pages and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils.formats import time_format
from django.utils.functional import lazy
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.cashgame.domain.house_fee import FeeWay
from tournaments.cashgame.domain.ledger import Bearer, Stage
from tournaments.cashgame.domain.stakes import No, Range, Way, buying_range
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.games import KNOWN_GAMES, MIXES, Mix, deals_stud, game_named
from tournaments.event.selectors.labels import LIMITS, amount, amount_words, currency_word
from tournaments.models import CashTable

FEES = {
    FeeWay.NONE: gettext_lazy("keine"),
    FeeWay.TIME: gettext_lazy("nach Zeit"),
    FeeWay.POT: gettext_lazy("aus dem Pot"),
    FeeWay.DROP: gettext_lazy("aus dem Pot, eingetragen beim Leeren der Box"),
    FeeWay.HAND: gettext_lazy("je Hand"),
}
BEARERS = {
    Bearer.HOUSE: gettext_lazy("das Haus"),
    Bearer.ALL: gettext_lazy("alle, die dort gespielt haben"),
    Bearer.WINNERS: gettext_lazy("wer gewonnen hat"),
    Bearer.ONE: gettext_lazy("eine Person"),
}
# Names of games are the same in both languages.
CASH_GAMES = {game.key: game.name for game in KNOWN_GAMES}
CASH_MIXES = {
    "": gettext_lazy("immer dasselbe"),
    Mix.HORSE: "HORSE",
    Mix.EIGHT_GAME: "Eight-Game",
    Mix.DEALERS_CHOICE: "Dealer’s Choice",
}
WAYS = {
    Way.FIXED: lazy(currency_word, str)(),
    Way.BIG_BLINDS: gettext_lazy("Big Blinds"),
    Way.LARGEST_STACK: gettext_lazy("so viel, oder der größte Stapel, wenn er mehr ist"),
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
    """Return a table's blinds for display: "1 € / 2 €"; in stud its bets and bring-in."""
    is_stud = deals_stud(table.game)
    first = table.big_blind_cents if is_stud else table.small_blind_cents
    second = (table.big_bet_cents or 2 * first) if is_stud else table.big_blind_cents
    words = [f"{amount_at(table, first)} / {amount_at(table, second)}"]
    if table.ante_cents:
        words.append(_("Ante %(ante)s") % {"ante": amount_at(table, table.ante_cents)})
    if is_stud:
        bring_in = amount_at(table, table.small_blind_cents)
        words.append(_("Bring-in %(bring_in)s") % {"bring_in": bring_in})
    elif table.straddle_cents:
        words.append(_("Straddle %(cents)s") % {"cents": amount_at(table, table.straddle_cents)})
    return ", ".join(words)


def game_words(table: CashTable) -> str:
    """Return a table's game for display: "No Limit Texas Hold’em", with its rotation."""
    told = f"{LIMITS[table.limit]} {CASH_GAMES[table.game]}"
    return f"{CASH_MIXES[table.mix]}: {told}" if table.mix else told


def next_in_mix(table: CashTable) -> tuple[str, str] | None:
    """Return the next game and limit of a table's rotation; None if it turns by no order."""
    if table.mix not in (Mix.HORSE, Mix.EIGHT_GAME):
        return None
    games = [(game_named(name), limit.value) for name, limit in MIXES[Mix(table.mix)]]
    turns = [(game.key, limit) for game, limit in games if game is not None]
    own = (table.game, table.limit)
    return turns[(turns.index(own) + 1) % len(turns)] if own in turns else turns[0]


def noted_terms(payload: Mapping[str, Any]) -> str:
    """Return game and blinds in a log entry."""
    return f"{LIMITS[payload['limit']]} {CASH_GAMES[payload['game']]}, {noted_stakes(payload)}"


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
    least = amount_at(table, stakes.minimum.cents(table.big_blind_cents))
    most = amount_at(table, buying_range(stakes).most)
    told = _("%(least)s bis %(most)s") % {"least": least, "most": most}
    if stakes.maximum.way is Way.LARGEST_STACK:
        return _("%(range)s, oder der größte Stapel, wenn er mehr ist") % {"range": told}
    return told


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
    if table.fee_way == FeeWay.DROP:
        return _("Hausgebühr aus dem Pot")
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
        "most": amount_at(table, bounds.most),
        "taken": amount_at(table, bounds.taken),
    }
    sentences = {
        No.NO_AMOUNT: _("Dieser Betrag kann nicht stimmen."),
        No.CHIPS_STAY: _("Chips bleiben am Tisch, bis ihr Besitzer geht."),
        No.DURING_HAND: _("An Tisch %(table)s läuft eine Hand. Chips gibt es danach."),
        No.LARGEST_UNKNOWN: _(
            "Mehr als %(most)s nur, wenn ein Stapel am Tisch größer ist. Bitte dazusagen, wie groß."
        ),
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
        No.MORE_THAN_THERE_IS: _(
            "An Tisch %(table)s liegen nur %(there)s. Ist es mehr: erst „Chips zählen“."
        ),
        No.DURING_HAND: _("An Tisch %(table)s läuft eine Hand. Ausgezahlt wird danach."),
        No.FEE_OPEN: _("Noch offen ist die Hausgebühr: %(fee)s."),
    }
    return Refused(sentences[no] % numbers, code=no.value)
