"""What forms share: whole numbers as people type them, and the refusals of the services."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.domain.errors import Refused

MOST_CHIPS = 100_000_000

# Which field a refusal of the services belongs to; the others belong to the form.
FIELD_OF = {
    "no_name": "name",
    "bad_seats": "seats_per_table",
    "bad_capacity": "capacity",
    "bad_stack": "starting_stack",
    "fixed_after_start": "schedule",
    "fixed_after_check_in": "schedule",
}


class WholeNumberField(forms.IntegerField):
    """A whole number as people type it: 7400, 7.400 or 7 400."""

    GROUPS = re.compile(r"(?<=\d)[.,'’\s](?=\d{3}(?!\d))")

    def __init__(self, *, least: int, most: int, **own: Any) -> None:
        words = {
            "required": _("Bitte eine Zahl eingeben."),
            "invalid": _("Bitte eine ganze Zahl eingeben."),
            "min_value": _("Mindestens %(limit_value)s."),
            "max_value": _("Höchstens %(limit_value)s."),
        }
        widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
        super().__init__(
            min_value=least, max_value=most, error_messages=words, widget=widget, **own
        )

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str):
            value = self.GROUPS.sub("", value.strip())
        return super().to_python(value)


class Refusable(forms.Form):
    """A form that shows what a service refused, next to the field it is about."""

    def refuse(self, refusal: Refused) -> None:
        field = FIELD_OF.get(refusal.code)
        self.add_error(field if field in self.fields else None, str(refusal))
