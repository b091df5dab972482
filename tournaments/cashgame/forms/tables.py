"""The form to open a cash table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.cashgame.domain.house_fee import FeeWay
from tournaments.cashgame.domain.stakes import MOST_CENTS, Way
from tournaments.cashgame.domain.waiting import MOST_AWAY_MINUTES
from tournaments.cashgame.selectors.labels import FEES, WAYS
from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.games import FEWEST_SEATS, MOST_SEATS
from tournaments.event.forms.fields import MoneyField
from tournaments.event.selectors.labels import GAMES, LIMITS, unit_name, unit_typed
from tournaments.models import CashTable, Event

MOST_MINUTES = 24 * 60
MOST_BOUND = 100_000
CENTS = 100
LEAST_WAYS = (Way.BIG_BLINDS, Way.FIXED)
MOST_WAYS = (*LEAST_WAYS, Way.LARGEST_STACK)
# Their labels contain the unit of play.
IN_UNIT = ("small_blind", "big_blind", "fee", "fee_most")


class OpenForm(Refusable):
    """Open a table: game, blinds, buy-in, house fee."""

    game = forms.ChoiceField(label=_("Spiel"), choices=lambda: list(GAMES.items()))
    limit = forms.ChoiceField(label=_("Limit"), choices=lambda: list(LIMITS.items()))
    seats = WholeNumberField(label=_("Plätze"), least=FEWEST_SEATS, most=MOST_SEATS)
    small_blind = MoneyField(label=_("Kleiner Blind in %(unit)s"), initial=50)
    big_blind = MoneyField(label=_("Großer Blind in %(unit)s"), initial=100)
    minimum = WholeNumberField(label=_("Mindesteinkauf"), least=1, most=MOST_BOUND, initial=40)
    minimum_way = forms.ChoiceField(
        label=_("Mindesteinkauf gezählt in"),
        required=False,
    )
    maximum = WholeNumberField(
        label=_("Höchsteinkauf"), least=0, most=MOST_BOUND, empty=0, required=False, initial=100
    )
    maximum_way = forms.ChoiceField(
        label=_("Höchsteinkauf gezählt in"),
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
    meal_minutes = WholeNumberField(
        label=_("Wer essen geht, behält den Platz so viele Minuten"),
        least=1,
        most=MOST_AWAY_MINUTES,
        empty=30,
        required=False,
        initial=30,
    )
    feeds = forms.ChoiceField(
        label=_("Zubringertisch für"),
        required=False,
        help_text=_(
            "Wird am Haupttisch ein Platz frei, rückt nach, wer an diesem Tisch am längsten sitzt."
        ),
    )
    fee_way = forms.ChoiceField(label=_("Hausgebühr"), choices=list(FEES.items()))
    fee = MoneyField(label=_("Gebühr in %(unit)s, je Zeit oder Hand"))
    fee_minutes = WholeNumberField(
        label=_("Für so viele Minuten"), least=1, most=MOST_MINUTES, initial=30
    )
    fee_percent = WholeNumberField(
        label=_("Prozent vom Pot"), least=0, most=100, empty=0, required=False
    )
    fee_most = MoneyField(label=_("Höchstens aus einem Pot, in %(unit)s"))
    is_noted = forms.BooleanField(
        label=_("Nur anschreiben"),
        required=False,
        help_text=_("Niemand zahlt am Tisch. Am Ende steht da, wer wem wie viel gibt."),
    )

    def __init__(self, *args: Any, event: Event, mains: Sequence[CashTable] = (), **own: Any):
        super().__init__(*args, **own)
        self.mains = {str(table.pk): table for table in mains}
        unit = {"unit": unit_typed(event.cash_unit)}
        for name in IN_UNIT:
            self.fields[name].label = str(self.fields[name].label) % unit
        for name, ways in (("minimum_way", LEAST_WAYS), ("maximum_way", MOST_WAYS)):
            words = [
                (way.value, unit_name(event.cash_unit) if way is Way.FIXED else WAYS[way])
                for way in ways
            ]
            cast("forms.ChoiceField", self.fields[name]).choices = words
        numbers = [(pk, _("Tisch %(n)s") % {"n": table.number}) for pk, table in self.mains.items()]
        cast("forms.ChoiceField", self.fields["feeds"]).choices = [("", _("keinen")), *numbers]
        if not mains:
            del self.fields["feeds"]
        if not event.is_cash_for_money:
            del self.fields["is_noted"]

    def terms(self) -> dict[str, Any]:
        """Return the terms for the service."""
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
            "meal_minutes": data["meal_minutes"],
            "feeds": self.mains.get(data.get("feeds", "")),
            "is_noted": data.get("is_noted", False),
        }


def _bound(typed: int, way: Way) -> int:
    """Return a bound in stored form: cents, big blinds, or zero for the largest stack."""
    return {Way.FIXED: typed * CENTS, Way.BIG_BLINDS: typed, Way.LARGEST_STACK: 0}[way]
