"""Fields for typed amounts and shares."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.money import amount_typed, cents_of

BETWEEN = re.compile(r"[\s;/]+|,\s+")
LONGEST = 2000
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
    """Several numbers in a row, by place."""

    wrong = _("Bitte Beträge, einen je Platz: 500 300 200.")

    def __init__(self, **own: Any) -> None:
        super().__init__(required=False, max_length=LONGEST, widget=_widget("text"), **own)

    def prepare_value(self, value: Any) -> Any:
        return " ".join(map(amount_typed, value)) if isinstance(value, tuple) else value

    def clean(self, value: Any) -> Any:
        """Return the numbers in hundredths."""
        typed = super().clean(value)
        parts = [part for part in BETWEEN.split(typed.replace("€", " ").replace("%", " ")) if part]
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
        found = _SHARE.fullmatch(part)
        if found is None:
            raise ValueError(part)
        return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))
