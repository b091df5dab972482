"""Entry prices and purchases: the form's special fields."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.prices import LONGEST_TYPED, PartsError, parts_text, parts_typed
from tournaments.event.forms.fields import LateField, PriceField
from tournaments.event.selectors.labels import part_words
from tournaments.event.services.settings import parts_words


class PartsField(forms.Field):
    """Parts of a price outside the prize pool, "Haus 2, Bounty 5": see `domain.prices`."""

    def __init__(self, **own: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": "off", "maxlength": LONGEST_TYPED})
        super().__init__(required=False, widget=widget, **own)

    def to_python(self, value: Any) -> list[list[int | str]]:
        if isinstance(value, list):
            return value
        try:
            return [list(part) for part in parts_typed(value or "")]
        except PartsError as problem:
            raise forms.ValidationError(parts_words(problem)) from problem

    def prepare_value(self, value: Any) -> Any:
        return parts_text(value, part_words()) if isinstance(value, list) else value


_PARTS = _("Etwa: Haus 2, Bounty 5, Personal 1. Der Rest geht in den Preistopf.")


class EntryFields(forms.Form):
    """Prices, in parts, and the ends of offers."""

    fee_parts = PartsField(label=_("Davon nicht in den Preistopf"), help_text=_PARTS)
    early_fee_cents = PriceField(label=_("Frühbucherpreis"), help_text=_("Leer: keiner."))
    rebuy_level = LateField(label=_("Re-buy"), required=False)
    rebuy_cents = PriceField(label=_("Ein Re-buy kostet"))
    rebuy_parts = PartsField(label=_("Davon nicht in den Preistopf"))
    addon_level = LateField(label=_("Add-on"), only_in_break=True, required=False)
    addon_cents = PriceField(label=_("Ein Add-on kostet"))
    addon_parts = PartsField(label=_("Davon nicht in den Preistopf"))
    reentry_cents = PriceField(
        label=_("Ein Re-entry kostet"), help_text=_("Leer: so viel wie das Startgeld.")
    )
    reentry_parts = PartsField(label=_("Davon nicht in den Preistopf"))
