"""The form to count stacks and see their value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.payouts.forms.deals import LONGEST, AmountsField


class StacksForm(Refusable):
    """The chips of entries in play; an empty field keeps the earlier count."""

    prizes = AmountsField(
        label=_("Preise, vom ersten Platz abwärts"),
        required=False,
        max_length=LONGEST,
        help_text=_("In Euro, dazwischen ein Leerzeichen: 500 300 200"),
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
