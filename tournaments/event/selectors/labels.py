"""Words for stored values used on several pages."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.utils import numberformat
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clock.selectors import clock_levels
from tournaments.event.domain.games import Game, LimitKind
from tournaments.event.domain.latecomers import breaks_planned
from tournaments.event.domain.prices import BOUNTY, HOUSE
from tournaments.models import Club, Currency, Event

CENT = Decimal("0.01")
GAMES: dict[str, Any] = {
    Game.HOLDEM: _("Texas Hold’em"),
    Game.OMAHA: _("Omaha"),
    Game.STUD: _("Seven Card Stud"),
}
LIMITS: dict[str, Any] = {
    LimitKind.NO_LIMIT: _("No Limit"),
    LimitKind.POT_LIMIT: _("Pot Limit"),
    LimitKind.SPLIT_LIMIT: _("Split Limit"),
    LimitKind.SPREAD_LIMIT: _("Spread Limit"),
}
COLOURS: dict[str, Any] = {
    "white": _("weiß"),
    "red": _("rot"),
    "blue": _("blau"),
    "green": _("grün"),
    "black": _("schwarz"),
    "yellow": _("gelb"),
    "orange": _("orange"),
    "violet": _("violett"),
    "brown": _("braun"),
    "grey": _("grau"),
    "pink": _("rosa"),
}
EVENT_KINDS: dict[str, Any] = {
    Event.Kind.TOURNAMENT: _("Turnier"),
    Event.Kind.BOTH: _("Turnier und Cash Game"),
    Event.Kind.CASH_GAME: _("Cash Game"),
}
CASH_UNITS: dict[str, Any] = {
    Event.CashUnit.MONEY: _("Geld"),
    Event.CashUnit.POINTS: _("Punkte"),
    Event.CashUnit.MATCHES: _("Streichhölzer"),
}
DRAW_MODES: dict[str, Any] = {
    Event.DrawMode.ROLLING: _("sofort beim Einchecken"),
    Event.DrawMode.FIELD: _("alle vor dem Beginn"),
}


def part_words() -> dict[str, str]:
    """Return the names of a price's parts, as typed."""
    return {HOUSE: gettext("Haus"), BOUNTY: gettext("Bounty")}


def pause_name(number: int, after: Sequence[int]) -> str:
    """Return the name of a planned break.

    :param after: The levels that the planned breaks follow (`breaks_planned`).
    """
    level = after[number - 1] if number <= len(after) else 0
    text = (
        gettext("%(number)s. Pause (nach Stufe %(level)s)")
        if level
        else gettext("%(number)s. Pause")
    )
    return text % {"number": number, "level": level}


def event_pause_name(event: Event, number: int) -> str:
    """Return the name of a planned break of the event; empty for none."""
    return pause_name(number, breaks_planned(clock_levels(event.clock))) if number else ""


def end_words(*, level: int = 0, pause: str = "", in_break: bool = False) -> str:
    """Return an end in words: of a level, or at (or only in) a named break."""
    if pause:
        text = gettext("in der %(pause)s") if in_break else gettext("bis zum Ende der %(pause)s")
        return text % {"pause": pause}
    return gettext("bis zum Ende von Stufe %(level)s") % {"level": level}


def late_until(event: Event) -> str:
    """Return the end of late registration in words; empty without."""
    level, pause = event.late_registration_level, event.late_registration_break
    if not (level or pause):
        return ""
    return end_words(level=level, pause=event_pause_name(event, pause))


def amount(cents: int, unit: str) -> str:
    """Return an amount at a cash table: in money, points or matches.

    :param cents: Hundredths of what is played for.
    """
    if unit == Event.CashUnit.MONEY:
        return money(cents)
    number = abs(cents) // 100
    forms = {
        Event.CashUnit.POINTS: ngettext("%(amount)s\u00a0Punkt", "%(amount)s\u00a0Punkte", number),
        Event.CashUnit.MATCHES: ngettext(
            "%(amount)s\u00a0Streichholz", "%(amount)s\u00a0Streichhölzer", number
        ),
    }[Event.CashUnit(unit)]
    text = forms % {"amount": number_format(number, force_grouping=True)}
    return f"\N{MINUS SIGN}{text}" if cents < 0 else text


def amounts(cents: Sequence[int], unit: str) -> list[str]:
    """Return several amounts at once."""
    return [amount(one, unit) for one in cents]


def unit_name(unit: str) -> str:
    """Return the unit of a cash table."""
    return currency_word() if unit == Event.CashUnit.MONEY else str(CASH_UNITS[unit])


def unit_typed(unit: str) -> str:
    """Return the unit of typed amounts, in the form after "in"."""
    words = {
        Event.CashUnit.MONEY: currency_word(),
        Event.CashUnit.POINTS: gettext("Punkten"),
        Event.CashUnit.MATCHES: gettext("Streichhölzern"),
    }
    return words[Event.CashUnit(unit)]


def amount_words(payload: Mapping[str, Any], name: str = "amount_cents") -> str:
    """Return a log entry's amount in the entry's unit."""
    return amount(payload.get(name, 0), payload.get("unit", Event.CashUnit.MONEY))


def currency_code() -> str:
    """Return the code of the club's currency, empty for none; no query once a club was loaded."""
    if Club.loaded_currency is None:
        Club.objects.order_by("pk").first()
    return Currency.EUR if Club.loaded_currency is None else Club.loaded_currency


def currency_word() -> str:
    """Return the club's currency in words."""
    words = {
        Currency.EUR: gettext("Euro"),
        Currency.CHF: gettext("Franken"),
        Currency.NONE: gettext("Einheiten"),
    }
    return words[Currency(currency_code())]


def _in_currency(label: Any) -> str:
    """Return a field's label with the currency; without one the label alone."""
    if currency_code() == Currency.NONE:
        return str(label)
    return gettext("%(label)s in %(currency)s") % {"label": label, "currency": currency_word()}


def _rounded_to(cents: int) -> str:
    return gettext("auf %(amount)s") % {"amount": money(cents)}


# For labels and choices of forms.
in_currency, rounded_to = lazy(_in_currency, str), lazy(_rounded_to, str)


def money(cents: int) -> str:
    """Return an amount in the page's language, without zero cents.

    Francs are written as in Switzerland. A negative amount starts with its sign, on whichever side
    the currency is.
    """
    amount, places = Decimal(abs(cents)) * CENT, 0 if cents % 100 == 0 else 2
    shown = number_format(amount, decimal_pos=places, force_grouping=True)
    match currency_code():
        case Currency.EUR:
            text = gettext("%(amount)s\u00a0€") % {"amount": shown}
        case Currency.CHF:
            swiss = numberformat.format(amount, ".", places, 3, "’", force_grouping=True)
            text = f"CHF\u00a0{swiss}"
        case _:
            text = shown
    return f"\N{MINUS SIGN}{text}" if cents < 0 else text
