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
MOST_BIG_BLINDS = 100_000


class OpenForm(Refusable):
    """Open a table: game, blinds, what may be bought, what the house takes."""

    game = forms.ChoiceField(label=_("Spiel"), choices=lambda: list(GAMES.items()))
    limit = forms.ChoiceField(label=_("Limit"), choices=lambda: list(LIMITS.items()))
    seats = WholeNumberField(label=_("Plätze"), least=FEWEST_SEATS, most=MOST_SEATS)
    small_blind = MoneyField(label=_("Kleiner Blind in Euro"), initial=50)
    big_blind = MoneyField(label=_("Großer Blind in Euro"), initial=100)
    minimum = WholeNumberField(
        label=_("Mindestens, in Big Blinds"), least=1, most=MOST_BIG_BLINDS, initial=40
    )
    maximum_way = forms.ChoiceField(
        label=_("Höchstens"),
        choices=[(way.value, WAYS[way]) for way in (Way.BIG_BLINDS, Way.LARGEST_STACK)],
    )
    maximum = WholeNumberField(
        label=_("Höchstens, in Big Blinds"),
        least=0,
        most=MOST_BIG_BLINDS,
        empty=0,
        required=False,
        initial=100,
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
        is_largest = data["maximum_way"] == Way.LARGEST_STACK
        way = FeeWay(data["fee_way"])
        return {
            "game": data["game"],
            "limit": data["limit"],
            "seats": data["seats"],
            "small_blind_cents": min(data["small_blind"], MOST_CENTS),
            "big_blind_cents": min(data["big_blind"], MOST_CENTS),
            "minimum": data["minimum"],
            "maximum_way": data["maximum_way"],
            "maximum": 0 if is_largest else data["maximum"],
            "fee_way": way.value,
            "fee_cents": data["fee"] if way in {FeeWay.TIME, FeeWay.HAND} else 0,
            "fee_minutes": data["fee_minutes"],
            "fee_percent": data["fee_percent"] if way is FeeWay.POT else 0,
            "fee_most_cents": data["fee_most"] if way is FeeWay.POT else 0,
            "is_noted": data["is_noted"],
        }
