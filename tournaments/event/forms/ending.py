"""The forms to call a tournament off, or to end it without a winner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.errors import Refused
from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.chips import MOST_CHIPS


class CancelForm(Refusable):
    reason = forms.CharField(
        label=_("Grund"),
        required=False,
        max_length=500,
        help_text=_("Steht im Protokoll."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class StacksForm(Refusable):
    """The remaining players' chips: all or none.

    The service refuses a sum that differs from the chips in play until it is confirmed.
    """

    is_sure = forms.BooleanField(label=_("Die Zahlen stimmen trotzdem"), required=False)

    def __init__(self, *args: Any, players: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players
        self.asks = False
        for entry, name in players.items():
            self.fields[_stack(entry)] = WholeNumberField(
                label=name, least=0, most=MOST_CHIPS, required=False
            )

    def stack_fields(self) -> list[forms.BoundField]:
        return [self[_stack(entry)] for entry in self.players]

    def clean(self) -> dict[str, Any]:
        counted = self.stacks() or {}
        if counted or self.errors:
            for entry in self.players:
                if entry not in counted and _stack(entry) not in self.errors:
                    self.add_error(_stack(entry), _("Bitte auch diese Chips zählen."))
        return self.cleaned_data

    def refuse(self, refusal: Refused) -> None:
        """Ask to confirm a sum that differs from the chips in play."""
        self.asks = refusal.code == "chips_differ"
        super().refuse(refusal)

    def stacks(self) -> dict[int, int] | None:
        """Return chips by entry, or None if not counted."""
        counted = {entry: self.cleaned_data.get(_stack(entry)) for entry in self.players}
        return {entry: chips for entry, chips in counted.items() if chips is not None} or None


def _stack(entry: int) -> str:
    return f"stack_{entry}"
