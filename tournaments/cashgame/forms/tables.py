"""What is typed to open a cash table."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.cashgame.domain.house_fee import FeeWay
from tournaments.cashgame.domain.stakes import MOST_CENTS, Way
from tournaments.cashgame.selectors.words import FEES, WAYS
from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.betting import FEWEST_SEATS, MOST_SEATS
from tournaments.event.forms.places import MoneyField
from tournaments.event.selectors.words import GAMES, LIMITS

MOST_MINUTES = 24 * 60
MOST_BOUND = 100_000
CENTS = 100


class OpenForm(Refusable):
    """Open a table: game, blinds, what may be bought, what the house takes."""

    game = forms.ChoiceField(label=_("Spiel"), choices=lambda: list(GAMES.items()))
    limit = forms.ChoiceField(label=_("Limit"), choices=lambda: list(LIMITS.items()))
    seats = WholeNumberField(label=_("Plätze"), least=FEWEST_SEATS, most=MOST_SEATS)
    small_blind = MoneyField(label=_("Kleiner Blind in Euro"), initial=50)
    big_blind = MoneyField(label=_("Großer Blind in Euro"), initial=100)
    minimum = WholeNumberField(label=_("Mindesteinkauf"), least=1, most=MOST_BOUND, initial=40)
    minimum_way = forms.ChoiceField(
        label=_("Mindesteinkauf gezählt in"),
        choices=[(way.value, WAYS[way]) for way in (Way.BIG_BLINDS, Way.FIXED)],
        required=False,
    )
    maximum = WholeNumberField(
        label=_("Höchsteinkauf"), least=0, most=MOST_BOUND, empty=0, required=False, initial=100
    )
    maximum_way = forms.ChoiceField(
        label=_("Höchsteinkauf gezählt in"),
        choices=[(way.value, WAYS[way]) for way in (Way.BIG_BLINDS, Way.FIXED, Way.LARGEST_STACK)],
    )
    return_minutes = WholeNumberField(
        label=_("Wer in so vielen Minuten wiederkommt, bringt mit, was er mitnahm"),
        least=0,
        most=MOST_MINUTES,
        empty=60,
        required=False,
        initial=60,
    )
    offer_minutes = WholeNumberField(
        label=_("Ein angebotener Platz wird so viele Minuten freigehalten"),
        least=1,
        most=MOST_MINUTES,
        empty=5,
        required=False,
        initial=5,
    )
    fee_way = forms.ChoiceField(label=_("Hausgebühr"), choices=list(FEES.items()))
    fee = MoneyField(label=_("Gebühr in Euro, je Zeit oder Hand"))
    fee_minutes = WholeNumberField(
        label=_("Für so viele Minuten"), least=1, most=MOST_MINUTES, initial=30
    )
    fee_percent = WholeNumberField(
        label=_("Prozent vom Pot"), least=0, most=100, empty=0, required=False
    )
    fee_most = MoneyField(label=_("Höchstens aus einem Pot, in Euro"))
    is_noted = forms.BooleanField(
        label=_("Nur anschreiben"),
        required=False,
        help_text=_("Niemand zahlt am Tisch. Am Ende steht da, wer wem wie viel gibt."),
    )

    def terms(self) -> dict[str, Any]:
        """Return what the service takes."""
        data = self.cleaned_data
        least_way = Way(data["minimum_way"] or Way.BIG_BLINDS)
        most_way = Way(data["maximum_way"])
        way = FeeWay(data["fee_way"])
        return {
            "game": data["game"],
            "limit": data["limit"],
            "seats": data["seats"],
            "small_blind_cents": min(data["small_blind"], MOST_CENTS),
            "big_blind_cents": min(data["big_blind"], MOST_CENTS),
            "minimum": _bound(data["minimum"], least_way),
            "minimum_way": least_way.value,
            "maximum": _bound(data["maximum"], most_way),
            "maximum_way": most_way.value,
            "return_minutes": data["return_minutes"],
            "offer_minutes": data["offer_minutes"],
            "fee_way": way.value,
            "fee_cents": data["fee"] if way in {FeeWay.TIME, FeeWay.HAND} else 0,
            "fee_minutes": data["fee_minutes"],
            "fee_percent": data["fee_percent"] if way is FeeWay.POT else 0,
            "fee_most_cents": data["fee_most"] if way is FeeWay.POT else 0,
            "is_noted": data["is_noted"],
        }


def _bound(typed: int, way: Way) -> int:
    """Return a bound as it is stored: cents, big blinds, or nothing where the stacks say it."""
    return {Way.FIXED: typed * CENTS, Way.BIG_BLINDS: typed, Way.LARGEST_STACK: 0}[way]
