"""The form of a deal: remaining prizes, and all stacks."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.errors import Refused
from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.domain.prices import cents_of
from tournaments.event.selectors.labels import rounded_to

LONGEST = 1000
UNITS = (
    (1, _("auf den Cent")),
    (100, rounded_to(100)),
    (500, rounded_to(500)),
    (1000, rounded_to(1000)),
)
WITHOUT = re.compile("€|CHF|%")
BETWEEN = re.compile(r"[\s;/]+|,\s+")


class AmountsField(forms.CharField):
    """Amounts of money in a row, by place, as people type them."""

    def clean(self, value: str | None) -> list[int]:
        """Return the amounts in cents."""
        typed = [part for part in BETWEEN.split(WITHOUT.sub(" ", super().clean(value))) if part]
        try:
            return [cents_of(part) for part in typed]
        except ValueError as no_amount:
            raise forms.ValidationError(
                _("Bitte Beträge, einen je Platz: 500 300 200.")
            ) from no_amount


class DealForm(forms.Form):
    """The remaining prizes, and the chips of all who share them."""

    prizes = AmountsField(
        label=_("Preise, vom ersten Platz abwärts"),
        max_length=LONGEST,
        help_text=_("Dazwischen ein Leerzeichen: 500 300 200"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
    kept = AmountsField(
        label=_("Davon wird noch ausgespielt"),
        required=False,
        max_length=20,
        help_text=_("Geht von den ersten Preisen weg und bleibt für den Sieger."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "decimal"}),
    )
    unit = forms.TypedChoiceField(label=_("Runden"), choices=UNITS, coerce=int, initial=1)

    def __init__(self, *args: Any, players: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players
        for entry, name in players.items():
            self.fields[f"stack_{entry}"] = WholeNumberField(label=name, least=1, most=MOST_CHIPS)
            self.fields[f"own_{entry}"] = AmountsField(required=False, max_length=20)

    def stack_fields(self) -> list[forms.BoundField]:
        return [self[f"stack_{entry}"] for entry in self.players]

    def asked(self) -> list[forms.BoundField]:
        """Return the fields of the computation, to be posted again with the chosen method."""
        return [self["prizes"], self["kept"], self["unit"], *self.stack_fields()]

    def stacks(self) -> dict[int, int]:
        """Return the chips by entry, of a form that is valid."""
        return {entry: self.cleaned_data[f"stack_{entry}"] for entry in self.players}

    def own_amounts(self) -> dict[int, int]:
        """Return the negotiated amounts by entry, in cents.

        :raises Refused: When one of them is missing.
        """
        own = {entry: self.cleaned_data[f"own_{entry}"] for entry in self.players}
        if any(len(amounts) != 1 for amounts in own.values()):
            raise Refused(_("Bitte für jeden einen eigenen Betrag angeben."), code="own_missing")
        return {entry: amounts[0] for entry, amounts in own.items()}

    def clean_kept(self) -> int:
        """Return the amount in cents, zero if empty."""
        amounts: list[int] = self.cleaned_data["kept"]
        if len(amounts) > 1:
            raise forms.ValidationError(_("Bitte ein Betrag: 50 oder 50,00."))
        return amounts[0] if amounts else 0


# --- The form to count stacks and see their value


class StacksForm(Refusable):
    """The chips of entries in play; an empty field keeps the earlier count."""

    prizes = AmountsField(
        label=_("Preise, vom ersten Platz abwärts"),
        required=False,
        max_length=LONGEST,
        help_text=_("Dazwischen ein Leerzeichen: 500 300 200"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )

    def __init__(self, *args: Any, players: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players
        for entry, name in players.items():
            self.fields[f"stack_{entry}"] = WholeNumberField(
                label=name, least=1, most=MOST_CHIPS, required=False
            )

    def stack_fields(self) -> list[forms.BoundField]:
        return [self[f"stack_{entry}"] for entry in self.players]

    def stacks(self) -> dict[int, int]:
        """Return the chips by entry, of a form that is valid."""
        typed = {entry: self.cleaned_data[f"stack_{entry}"] for entry in self.players}
        return {entry: chips for entry, chips in typed.items() if chips}


# --- The form to make the envelopes of a mystery bounty


class EnvelopesForm(Refusable):
    """The fullest envelopes; the others share the rest."""

    tops = AmountsField(
        label=_("Die vollsten Umschläge"),
        required=False,
        max_length=LONGEST,
        help_text=_("Etwa 200 100 100. Den Rest teilen sich die übrigen gleich."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
