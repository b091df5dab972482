"""What a director fills in to call a tournament off, or to end it before there is a winner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext_lazy as _

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
    """The chips of everybody who is left: of all of them or of nobody.

    A sum that is not what is in play (`chips`) has to be confirmed. While a stack that left play is
    not counted there may be fewer, never more.
    """

    is_sure = forms.BooleanField(label=_("Die Zahlen stimmen trotzdem"), required=False)

    def __init__(
        self, *args: Any, players: Mapping[int, str], chips: int, is_exact: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.players = players
        self.chips = chips
        self.is_exact = is_exact
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
        if counted and not self.errors:
            self._compare(sum(counted.values()))
        return self.cleaned_data

    def _compare(self, total: int) -> None:
        self.asks = total > self.chips or (self.is_exact and total != self.chips)
        if self.asks and not self.cleaned_data["is_sure"]:
            text = _("Gezählt sind %(total)s Chips, im Spiel sind %(chips)s. Bitte nachzählen.")
            if not self.is_exact:
                text = _(
                    "Gezählt sind %(total)s Chips, im Spiel sind höchstens %(chips)s. Bitte "
                    "nachzählen."
                )
            shown = {"total": intcomma(total), "chips": intcomma(self.chips)}
            self.add_error(None, text % shown)

    def stacks(self) -> dict[int, int] | None:
        """Return chips by entry, or None when nobody's were counted."""
        counted = {entry: self.cleaned_data.get(_stack(entry)) for entry in self.players}
        return {entry: chips for entry, chips in counted.items() if chips is not None} or None


def _stack(entry: int) -> str:
    return f"stack_{entry}"
