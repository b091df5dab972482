"""The form of a deal: remaining prizes, and all stacks."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.errors import Refused
from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.selectors.labels import rounded_to
from tournaments.payouts.forms.prizes import RowField

LONGEST = 1000
UNITS = (
    (1, _("auf den Cent")),
    (100, rounded_to(100)),
    (500, rounded_to(500)),
    (1000, rounded_to(1000)),
)


class StacksForm(Refusable):
    """The chips of entries in play; an empty field keeps the earlier count."""

    needs_all = False
    prizes = RowField(
        label=_("Preise, vom ersten Platz abwärts"),
        longest=LONGEST,
        help_text=_("Dazwischen ein Leerzeichen: 500 300 200"),
    )

    def __init__(self, *args: Any, players: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players
        self.fields["prizes"].required = self.needs_all
        for entry, name in players.items():
            self.fields[f"stack_{entry}"] = WholeNumberField(
                label=name, least=1, most=MOST_CHIPS, required=self.needs_all
            )

    def stack_fields(self) -> list[forms.BoundField]:
        return [self[f"stack_{entry}"] for entry in self.players]

    def stacks(self) -> dict[int, int]:
        """Return the chips by entry, of a form that is valid."""
        typed = {entry: self.cleaned_data[f"stack_{entry}"] for entry in self.players}
        return {entry: chips for entry, chips in typed.items() if chips}


class DealForm(StacksForm):
    """The remaining prizes, and the chips of all who share them."""

    needs_all = True
    kept = RowField(
        label=_("Davon wird noch ausgespielt"),
        longest=20,
        help_text=_("Geht von den ersten Preisen weg und bleibt für den Sieger."),
    )
    unit = forms.TypedChoiceField(label=_("Runden"), choices=UNITS, coerce=int, initial=1)

    def __init__(self, *args: Any, players: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, players=players, **kwargs)
        self.fields["kept"].widget.attrs["inputmode"] = "decimal"
        self.fields |= {f"own_{entry}": RowField(longest=20) for entry in players}

    def asked(self) -> list[forms.BoundField]:
        """Return the fields of the computation, to be posted again with the chosen method."""
        return [self["prizes"], self["kept"], self["unit"], *self.stack_fields()]

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
        amounts: tuple[int, ...] = self.cleaned_data["kept"]
        if len(amounts) > 1:
            raise forms.ValidationError(_("Bitte ein Betrag: 50 oder 50,00."))
        return amounts[0] if amounts else 0


# --- The form to make the envelopes of a mystery bounty


class EnvelopesForm(Refusable):
    """The fullest envelopes; the others share the rest."""

    tops = RowField(
        label=_("Die vollsten Umschläge"),
        longest=LONGEST,
        help_text=_("Etwa 200 100 100. Den Rest teilen sich die übrigen gleich."),
    )
