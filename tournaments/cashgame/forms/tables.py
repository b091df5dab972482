"""The form of a cash table's terms: to open one, and to change them."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.cashgame.domain.stakes import MOST_AWAY_MINUTES, MOST_CENTS, FeeWay, Way
from tournaments.cashgame.selectors.layout import CASH_GAMES, CASH_MIXES, FEES
from tournaments.cashgame.services.tables import MOST_MINUTES
from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.games import FEWEST_SEATS, MOST_SEATS
from tournaments.event.forms.fields import MoneyField
from tournaments.event.selectors.labels import LIMITS, unit_name, unit_typed
from tournaments.models import CashTable, Event

CENTS = 100
# Their labels contain the unit of play.
IN_UNIT = (
    "small_blind", "big_blind", "ante", "big_bet", "straddle", "chip", "fee", "fee_most",
)  # fmt: skip
# The names of fields and their columns, of amounts.
AMOUNTS = {name: f"{name}_cents" for name in IN_UNIT}
PLAIN = ("game", "limit", "mix", "name", "seats", "return_minutes", "offer_minutes", "meal_minutes",
         "fee_minutes", "fee_percent", "minimum_way", "maximum_way", "fee_way")  # fmt: skip


# What is asked first of a table, and the rest under headings.
FIRST = ("game", "limit", "seats", "small_blind", "big_blind", "minimum", "minimum_way", "maximum",
         "maximum_way")  # fmt: skip
GROUPS = (
    (_("Tisch"), ("name", "mix", "ante", "big_bet", "straddle", "is_noted")),
    (_("Hausgebühr"), ("fee_way", "fee", "fee_minutes", "fee_percent", "fee_most", "chip")),
    (_("Warten und wiederkommen"), ("return_minutes", "offer_minutes", "meal_minutes", "feeds")),
)


def _minutes(
    label: Any, usual: int, *, least: int = 1, most: int = MOST_MINUTES
) -> WholeNumberField:
    own = {"label": label, "initial": usual, "empty": usual, "required": False}
    return WholeNumberField(least=least, most=most, **own)


class OpenForm(Refusable):
    """The terms of a table: game, blinds, buy-in, house fee."""

    name = forms.CharField(label=_("Name des Tischs"), required=False, max_length=40)
    game = forms.ChoiceField(label=_("Spiel"), choices=list(CASH_GAMES.items()))
    limit = forms.ChoiceField(label=_("Limit"), choices=lambda: list(LIMITS.items()))
    mix = forms.ChoiceField(
        label=_("Wechsel der Spiele"),
        required=False,
        choices=list(CASH_MIXES.items()),
        help_text=_("HORSE und Eight-Game beginnen mit ihrem ersten Spiel."),
    )
    seats = WholeNumberField(label=_("Plätze"), least=FEWEST_SEATS, most=MOST_SEATS)
    small_blind = MoneyField(
        label=_("Small Blind in %(unit)s"), initial=50, help_text=_("Im Stud der Bring-in.")
    )
    big_blind = MoneyField(
        label=_("Big Blind in %(unit)s"), initial=100, help_text=_("Im Stud der kleine Einsatz.")
    )
    ante = MoneyField(label=_("Ante in %(unit)s"))
    big_bet = MoneyField(label=_("Großer Einsatz im Split Limit und im Stud, in %(unit)s"))
    straddle = MoneyField(
        label=_("Straddle in %(unit)s"), help_text=_("Leer: Hier gibt es keinen.")
    )
    minimum = MoneyField(label=_("Mindesteinkauf"), initial=4000)
    minimum_way = forms.ChoiceField(label=_("Mindesteinkauf gezählt in"), required=False)
    maximum = MoneyField(label=_("Höchsteinkauf"), initial=10_000)
    maximum_way = forms.ChoiceField(label=_("Höchsteinkauf gezählt in"))
    return_minutes = _minutes(
        _("Wer in so vielen Minuten wiederkommt, bringt mit, was er mitnahm"), 60, least=0
    )
    offer_minutes = _minutes(_("Ein angebotener Platz wird so viele Minuten freigehalten"), 5)
    meal_minutes = _minutes(
        _("Wer essen geht, behält den Platz so viele Minuten"), 30, most=MOST_AWAY_MINUTES
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
    chip = MoneyField(
        label=_("Kleinster Chip in %(unit)s"),
        help_text=_("Darauf wird die Gebühr aus dem Pot abgerundet. Leer: der kleine Blind."),
    )
    is_noted = forms.BooleanField(
        label=_("Nur anschreiben"),
        required=False,
        help_text=_("Niemand zahlt am Tisch. Am Ende steht da, wer wem wie viel gibt."),
    )

    def __init__(
        self,
        *args: Any,
        event: Event,
        mains: Sequence[CashTable] = (),
        table: CashTable | None = None,
        like: CashTable | None = None,
        **own: Any,
    ) -> None:
        """Make the form; `table` is to be changed, `like` proposed for a new one."""
        initial = {"game": event.game, "limit": event.limit, "seats": event.seats_per_table}
        if not event.is_cash_for_money:
            initial |= {"small_blind": 100, "big_blind": 200}
        found = table or like
        initial |= _initial(found) if found else {}
        own["initial"] = initial
        super().__init__(*args, **own)
        self.mains = {str(row.pk): row for row in mains}
        unit = {"unit": unit_typed(event.cash_unit)}
        for name in IN_UNIT:
            self.fields[name].label = str(self.fields[name].label) % unit
        least = [
            (Way.BIG_BLINDS.value, _("Big Blinds")),
            (Way.FIXED.value, unit_name(event.cash_unit)),
        ]
        largest = _("so viel, oder der größte Stapel, wenn er mehr ist")
        most = [*least, (Way.LARGEST_STACK.value, largest)]
        for name, ways in (("minimum_way", least), ("maximum_way", most)):
            cast("forms.ChoiceField", self.fields[name]).choices = ways
        numbers = [(pk, _("Tisch %(n)s") % {"n": row.number}) for pk, row in self.mains.items()]
        cast("forms.ChoiceField", self.fields["feeds"]).choices = [("", _("keinen")), *numbers]
        self.is_change = table is not None
        if not mains or self.is_change:
            del self.fields["feeds"]
        if not event.is_cash_for_money or self.is_change:
            del self.fields["is_noted"]

    def first(self) -> list[forms.BoundField]:
        """Return the fields asked first."""
        return [self[name] for name in FIRST]

    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """Return the other fields with the headings they stand under."""
        return [(title, [self[one] for one in own if one in self.fields]) for title, own in GROUPS]

    @property
    def asks_more(self) -> bool:
        """Tell whether the other fields are to be seen: one is wrong, or the table is changed."""
        return self.is_change or bool(self.is_bound and set(self.errors) - set(FIRST))

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        for name in ("minimum", "maximum"):
            if data.get(f"{name}_way") == Way.BIG_BLINDS and data.get(name, 0) % CENTS:
                self.add_error(name, _("Big Blinds sind ganze Zahlen."))
        if data.get("maximum_way") == Way.LARGEST_STACK and not data.get("maximum"):
            self.add_error("maximum", _("Bitte dazusagen, wie viel immer gekauft werden darf."))
        return data

    def terms(self) -> dict[str, Any]:
        """Return the terms for the service."""
        data = self.cleaned_data
        data["minimum_way"] = data["minimum_way"] or Way.BIG_BLINDS.value
        way = FeeWay(data["fee_way"])
        terms = {name: data[name] for name in PLAIN}
        terms |= {column: min(data[name], MOST_CENTS) for name, column in AMOUNTS.items()}
        for name in ("minimum", "maximum"):
            is_big_blinds = data[f"{name}_way"] == Way.BIG_BLINDS
            terms[name] = data[name] // (CENTS if is_big_blinds else 1)
        terms["fee_cents"] = data["fee"] if way in {FeeWay.TIME, FeeWay.HAND} else 0
        terms["fee_percent"] = data["fee_percent"] if way is FeeWay.POT else 0
        terms["fee_most_cents"] = data["fee_most"] if way is FeeWay.POT else 0
        if self.is_change:
            return terms
        own = {"feeds": self.mains.get(data.get("feeds", ""))}
        return terms | own | {"is_noted": data.get("is_noted", False)}


def _initial(table: CashTable) -> dict[str, Any]:
    found = {name: getattr(table, name) for name in PLAIN}
    found |= {name: getattr(table, column) for name, column in AMOUNTS.items()}
    for name in ("minimum", "maximum"):
        is_big_blinds = found[f"{name}_way"] == Way.BIG_BLINDS
        found[name] = getattr(table, name) * (CENTS if is_big_blinds else 1)
    return found | {"is_noted": table.is_noted}
