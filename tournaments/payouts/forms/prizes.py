"""The form of the prize plan and its preview."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.numbers import whole
from tournaments.changes.forms.parts import PlainTextField, Refusable, WholeNumberField
from tournaments.event.domain.prices import amount_typed, cents_of
from tournaments.event.selectors.labels import rounded_to
from tournaments.event.selectors.settings.entries import CAPACITY_LIMIT
from tournaments.money.domain.tickets import ANY_EVENT, Rest
from tournaments.payouts.selectors.prize_labels import Sold
from tournaments.prizes.domain.plans import MOST_CHIPS, MOST_SEATS, PrizePlan, Rounding, Shape, Way

# --- Fields for typed amounts and shares


WITHOUT = re.compile("€|CHF|%")
BETWEEN = re.compile(r"[\s;/]+|,\s+")
LONGEST = 2000
# Paid places of a field without any other word: one of eight, rounded up.
USUAL_PLACES = "12,5 %"
_SHARE = re.compile(r"(\d{1,3})(?:[.,](\d{1,2}))?", re.ASCII)


def _widget(inputmode: str) -> forms.TextInput:
    return forms.TextInput(attrs={"autocomplete": "off", "inputmode": inputmode})


class AmountField(forms.CharField):
    """One amount of money in cents; zero if empty."""

    def __init__(self, **own: Any) -> None:
        super().__init__(required=False, max_length=20, widget=_widget("decimal"), **own)

    def prepare_value(self, value: Any) -> Any:
        return (amount_typed(value) if value else "") if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        """Return the amount in cents."""
        typed = super().clean(value)
        try:
            return cents_of(typed) if typed else 0
        except ValueError as no_amount:
            raise forms.ValidationError(_("Bitte ein Betrag: 50 oder 50,00.")) from no_amount


class RowField(forms.CharField):
    """Several numbers in a row, by place; amounts unless a subclass reads others."""

    wrong = _("Bitte Beträge, einen je Platz: 500 300 200.")

    def __init__(self, *, required: bool = False, longest: int = LONGEST, **own: Any) -> None:
        super().__init__(required=required, max_length=longest, widget=_widget("text"), **own)

    def prepare_value(self, value: Any) -> Any:
        return " ".join(map(amount_typed, value)) if isinstance(value, tuple) else value

    def clean(self, value: Any) -> Any:
        """Return the numbers in hundredths."""
        typed = super().clean(value)
        parts = [part for part in BETWEEN.split(WITHOUT.sub(" ", typed)) if part]
        try:
            return tuple(self.one(part) for part in parts)
        except ValueError as no_amount:
            raise forms.ValidationError(self.wrong) from no_amount

    def one(self, part: str) -> int:
        return cents_of(part)


class SharesField(RowField):
    """Shares of the pool in percent."""

    wrong = _("Bitte Anteile in Prozent, einen je Platz: 50 30 20.")

    def one(self, part: str) -> int:
        """Return a share in hundredths of a percent."""
        return hundredths_of(part)


class SizesField(PlainTextField):
    """Shares by the size of the field, a line for each."""

    def __init__(self, **own: Any) -> None:
        super().__init__(required=False, max_length=LONGEST, **own)

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, tuple):
            return value
        return "\n".join(
            f"{most}: {' '.join(map(percent_typed, shares))}" for most, shares in value
        )

    def clean(self, value: Any) -> Any:
        """Return the greatest number of entries with the shares in hundredths."""
        row, found = SharesField(), []
        for line in filter(None, map(str.strip, super().clean(value).split("\n"))):
            size, _colon, shares = line.partition(":")
            most = whole(size.casefold().removeprefix("bis").strip())
            if most is None or not shares.strip():
                raise forms.ValidationError(_("Bitte je Zeile Größe und Anteile: 10: 60 40"))
            found.append((most, row.clean(shares)))
        return tuple(found)


def hundredths_of(typed: str) -> int:
    """Return a percentage such as 12,5 in hundredths.

    :raises ValueError: When it is none.
    """
    found = _SHARE.fullmatch(typed)
    if found is None:
        raise ValueError(typed)
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def percent_typed(hundredths: int) -> str:
    """Return a percentage as it is typed, 12,5."""
    return f"{hundredths / 100:g}".replace(".", ",")


ROUNDINGS = {
    Rounding.UP: _("aufgerundet"),
    Rounding.NEAREST: _("zur nächsten Zahl"),
    Rounding.DOWN: _("abgerundet"),
}
WAYS = (
    (Way.CURVE, _("nach einer Kurve")),
    (Way.SHARES, _("in Prozent")),
    (Way.AMOUNTS, _("feste Beträge")),
    (Way.SEATS, _("Plätze (Satellit)")),
    (Way.NONE, _("kein Geld")),
)
IN_A_FLIGHT = (Way.FLIGHT, _("Plätze im Flight"))
SHAPES = (
    (Shape.USUAL, _("üblich")),
    (Shape.TOP_HEAVY, _("steil: viel für den Sieger")),
    (Shape.FLAT, _("flach: näher beieinander")),
)
UNITS = (
    (1, _("auf den Cent")),
    *((cents, rounded_to(cents)) for cents in (100, 500, 1000, 5000, 10_000)),
)
RESTS = (
    (Rest.LOST, _("verfällt")),
    (Rest.TICKET, _("bleibt auf einem neuen Ticket")),
    (Rest.POOL, _("geht in den Topf des Turniers")),
)
OF_A_SATELLITE = ("seat_cents", "seat_name", "seats_guaranteed", "seats_for", "tickets_rest",
                  "target_stack", "holds_rest")  # fmt: skip
# The fields of a plan that are kept as typed, by the way to divide, and with any money.
OF_WAY = {
    Way.SHARES: ("shares", "sizes"),
    Way.AMOUNTS: ("amounts",),
    Way.SEATS: OF_A_SATELLITE,
    Way.FLIGHT: ("each_cents",),
}
OF_MONEY = ("minimum_tenths", "added_cents", "guarantee_cents", "refunds_bubble", "desk_cents")
# The field for each refusal of the service.
FIELDS = {
    "bad_over_all": "shares",
    "bad_under_all": "shares",
    "bad_no_shares": "shares",
    "bad_sizes": "sizes",
    "bad_no_amounts": "amounts",
    "bad_no_seat": "seat_cents",
    "bad_places_percent": "places",
    "bad_paid_places": "places",
    "fixed_at_the_bubble": "places",
    "fixed_in_the_money": "places",
    "bad_held_back": "held_back",
    "bad_minimum": "minimum_tenths",
    "bad_long": "in_kind",
    "bad_target": "target_stack",
    "bad_no_flight": "each_cents",
}


class TypedText(forms.CharField):
    """A short text for a number in its own notation."""

    def __init__(self, **own: Any) -> None:
        super().__init__(required=False, max_length=12, widget=_widget("text"), **own)


class PrizesForm(Refusable):
    """The prize plan of a tournament."""

    field_of = FIELDS
    way = forms.ChoiceField(label=_("So wird geteilt"), choices=WAYS, widget=forms.RadioSelect)
    shape = forms.ChoiceField(label=_("Verlauf"), choices=SHAPES, required=False)
    places = TypedText(
        label=_("Bezahlte Plätze"),
        help_text=_("5 oder 12,5 %: dann folgt die Zahl den Einstiegen."),
    )
    places_rounding = forms.ChoiceField(
        label=_("Gerundet"), choices=ROUNDINGS.items(), required=False
    )
    unit_cents = forms.TypedChoiceField(
        label=_("Runden"), choices=UNITS, coerce=int, required=False
    )
    minimum_tenths = TypedText(
        label=_("Letzter Preis mindestens"),
        help_text=_("In Startgeldern, etwa 1,5. Leer: ohne."),
    )
    shares = SharesField(
        label=_("Anteile, vom ersten Platz abwärts"),
        help_text=_("In Prozent, zusammen 100: 50 30 20"),
    )
    sizes = SizesField(
        label=_("Andere Anteile für kleine Felder"),
        help_text=_("Je Zeile so viele Einstiege höchstens, dann die Anteile: 10: 60 40"),
    )
    amounts = RowField(
        label=_("Beträge, vom ersten Platz abwärts"),
        help_text=_("Zusammen so viel, wie im Topf ist: 500 300 200"),
    )
    seat_cents = AmountField(label=_("Ein Platz ist wert"))
    seat_name = forms.CharField(label=_("Platz in"), required=False, max_length=120)
    seats_guaranteed = WholeNumberField(
        label=_("Garantierte Plätze"), least=0, most=MOST_SEATS, required=False, empty=0
    )
    seats_for = forms.TypedChoiceField(
        label=_("Ticket"),
        coerce=int,
        required=False,
        empty_value=None,
        help_text=_("Wer einen Platz gewinnt, bekommt ein Ticket und zahlt damit."),
    )
    tickets_until = forms.DateField(
        label=_("Gilt bis"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    tickets_rest = forms.ChoiceField(
        label=_("Was das Ticket mehr wert ist als der Einstieg"), choices=RESTS, required=False
    )
    target_stack = WholeNumberField(
        label=_("Zielstapel"),
        least=0,
        most=MOST_CHIPS,
        required=False,
        empty=0,
        help_text=_("Wer so viele Chips hat, gewinnt sofort einen Platz. Leer: ohne."),
    )
    holds_rest = forms.BooleanField(
        label=_("Was für keinen Platz mehr reicht, bleibt im Haus"), required=False
    )
    each_cents = AmountField(
        label=_("Jeder bekommt"),
        help_text=_("Wer im Geld ausscheidet, ehe der Flight endet."),
    )
    refunds_bubble = forms.BooleanField(
        label=_("Wer als Letzter keinen Preis bekommt, bekommt seinen Einstieg zurück"),
        required=False,
    )
    added_cents = AmountField(label=_("Dazu gegeben"), help_text=_("Vom Verein oder gespendet."))
    guarantee_cents = AmountField(
        label=_("Garantiert"), help_text=_("Was fehlt, legt der Verein dazu.")
    )
    held_back = TypedText(label=_("Einbehalten"), help_text=_("50 oder 10 %"))
    desk_cents = AmountField(
        label=_("Anmeldung zahlt aus bis"),
        help_text=_("Mehr zahlt nur die Turnierleitung aus. Leer: alles."),
    )
    in_kind = PlainTextField(
        label=_("Sachpreise"),
        max_length=4000,
        required=False,
        help_text=_("Je Platz eine Zeile, vom ersten Platz abwärts."),
    )
    entries = WholeNumberField(
        label=_("Einstiege"), least=1, most=CAPACITY_LIMIT, required=False, empty=0
    )
    rebuys = WholeNumberField(
        label=_("Re-buys"), least=0, most=CAPACITY_LIMIT, required=False, empty=0
    )
    addons = WholeNumberField(
        label=_("Add-ons"), least=0, most=CAPACITY_LIMIT, required=False, empty=0
    )

    def __init__(
        self,
        *args: Any,
        serves: Sequence[tuple[int, str]] = (),
        is_flight: bool = False,
        **own: Any,
    ) -> None:
        super().__init__(*args, **own)
        ways: Any = self.fields["way"]
        ways.choices = [*WAYS[:-1], IN_A_FLIGHT, WAYS[-1]] if is_flight else WAYS
        field: Any = self.fields["seats_for"]
        field.choices = [
            (0, _("keines: Der Platz wird anderswo vergeben")),
            (ANY_EVENT, _("für jedes Turnier des Vereins")),
            *serves,
        ]

    def clean_places(self) -> tuple[int, int]:
        """Return a number, or hundredths of a percent of the entries; the other is zero."""
        typed = self.cleaned_data["places"].strip()
        wrong = _("Bitte eine Zahl oder Prozent: 5 oder 12,5 %.")
        if not typed.endswith("%"):
            return self._number_or_percent("places", wrong)
        try:
            return 0, hundredths_of(typed.removesuffix("%").strip())
        except ValueError as no_share:
            raise forms.ValidationError(wrong) from no_share

    def clean_held_back(self) -> tuple[int, int]:
        """Return cents, or percent."""
        whole, percent = self._number_or_percent(
            "held_back", _("Bitte ein Betrag oder Prozent: 50 oder 10 %.")
        )
        return whole * 100, percent

    def _number_or_percent(self, name: str, wrong: Any) -> tuple[int, int]:
        typed = self.cleaned_data[name].strip()
        number, is_percent = whole(typed.removesuffix("%")), typed.endswith("%")
        if not typed:
            return 0, 0
        if number is None:
            raise forms.ValidationError(wrong)
        return (0, number) if is_percent else (number, 0)

    def clean_minimum_tenths(self) -> int:
        typed = self.cleaned_data["minimum_tenths"].strip().replace(".", ",")
        ones, _point, tenth = typed.partition(",")
        if not typed:
            return 0
        if not re.fullmatch(r"\d{1,3}(,\d?)?", typed, re.ASCII):
            raise forms.ValidationError(_("Bitte eine Zahl wie 1 oder 1,5."))
        return int(ones) * 10 + int(tenth or 0)

    def plan(self) -> PrizePlan:
        """Return the plan of a valid form, without fields of other methods."""
        asked, until = self.cleaned_data, self.cleaned_data["tickets_until"]
        way = Way(asked["way"])
        found: dict[str, Any] = {name: asked[name] for name in OF_WAY.get(way, ())}
        if way in (Way.CURVE, Way.FLIGHT):
            found["places_percent"], found["places_hundredths"] = divmod(asked["places"][1], 100)
            found["places_rounding"] = Rounding(asked["places_rounding"] or Rounding.UP)
        if way is Way.CURVE:
            found["shape"] = Shape(asked["shape"] or Shape.USUAL)
        if way is Way.SEATS:
            found["tickets_rest"] = Rest(asked["tickets_rest"] or Rest.LOST)
            found["seats_for"] = asked["seats_for"] or 0
            found["tickets_until"] = until.isoformat() if until else ""
        if way is not Way.NONE:
            found |= {name: asked[name] for name in OF_MONEY}
            found["held_back_cents"], found["held_back_percent"] = asked["held_back"]
        return PrizePlan(
            way=way,
            unit_cents=asked["unit_cents"] or 100,
            in_kind=tuple(line.strip() for line in asked["in_kind"].split("\n") if line.strip()),
            **found,
        )

    def sold(self, now: Sold) -> Sold:
        """Return the sales for the preview; empty fields mean the present ones."""
        asked = self.cleaned_data
        return Sold(
            entries=asked["entries"] or now.entries, rebuys=asked["rebuys"], addons=asked["addons"]
        )

    def typed_places(self, before: int) -> int:
        """Return the typed number of paid places; unchanged if the plan sets it."""
        number, percent = self.cleaned_data["places"]
        return before if percent or self.plan().counts_itself else number


def initial_of(plan: PrizePlan, typed_places: int, *, is_planned: bool = True) -> dict[str, Any]:
    """Return the initial values of the form; a pool is divided by a curve unless planned."""
    names = ("unit_cents", "shares", "sizes", "amounts", "each_cents", *OF_A_SATELLITE,
             "tickets_until",
             "refunds_bubble", "added_cents", "guarantee_cents", "desk_cents")  # fmt: skip
    tenths, share = plan.minimum_tenths, plan.places_share
    held = f"{plan.held_back_percent} %" if plan.held_back_percent else ""
    proposed = "" if is_planned else USUAL_PLACES
    return {
        **{name: getattr(plan, name) for name in names},
        "way": plan.way.value if is_planned else Way.CURVE.value,
        "shape": plan.shape.value,
        "places": f"{percent_typed(share)} %" if share else typed_places or proposed,
        "places_rounding": plan.places_rounding.value,
        "minimum_tenths": f"{tenths // 10},{tenths % 10}".removesuffix(",0") if tenths else "",
        "held_back": amount_typed(plan.held_back_cents) if plan.held_back_cents else held,
        "in_kind": "\n".join(plan.in_kind),
    }
