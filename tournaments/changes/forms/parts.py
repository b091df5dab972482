"""Common parts of forms: whole numbers as typed, and refusals of services."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import GROUPED, whole

ABOUT = ("venue", "address", "description", "contact", "house_text", "imprint")
ENTRY_TERMS = (
    "fee_parts", "fee_rates", "early_fee_cents", "early_until", "early_entries", "on_time_chips",
    "rebuy_cents", "rebuy_parts",
    "rebuy_chips", "rebuy_threshold", "rebuy_most", "rebuy_hold_minutes", "addon_cents",
    "addon_parts", "addon_chips", "reentry_most", "reentry_cents", "reentry_parts",
)  # fmt: skip
# Fields whose refusals have their name.
ITSELF = (
    *("areas", "bounty_cut", "bounty_kind", "capacity", "closing_time", "confirm_minutes", "hall"),
    *("hall_tables", "least_entries", "least_hours", "no_show_minutes", "offer_minutes"),
    "paid_places",
)
# The field of each refusal; others belong to the form.
FIELD_OF = {
    **{f"bad_{name}": name for name in (*ITSELF, *ENTRY_TERMS, *ABOUT)},
    **dict.fromkeys(("fixed_after_start", "fixed_after_check_in"), "schedule"),
    **dict.fromkeys(
        ("fixed_at_the_bubble", "fixed_in_the_money", "fixed_by_prizes", "prizes_frozen"),
        "paid_places",
    ),
    **dict.fromkeys(("no_name", "name_taken", "long_name"), "name"),
    "bad_seats": "seats_per_table",
    "bad_stack": "starting_stack",
    "bad_redraw": "redraw_at",
    "bad_final_table": "final_table_seats",
    "bad_reserved": "reserved_places",
    "bad_fee": "fee_cents",
    "bad_payout_limit": "payout_limit_cents",
    "bad_bounty": "fee_parts",
    "bad_rebuy_break": "rebuy_level",
    "bad_addon_break": "addon_level",
    "bad_late_break": "late_registration_level",
    "halt_before_balance": "halt_when_short_by",
    "long_own_text": "own_text",
}
MOST_OF_SEVERAL = 999_999


class WholeNumberField(forms.IntegerField):
    """A whole number as typed: 7400, 7.400 or 7 400.

    :param empty: What it is when nothing is typed.
    """

    def __init__(self, *, least: int, most: int, empty: int | None = None, **own: Any) -> None:
        self.empty = empty
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
            value = GROUPED.sub("", value.strip())
        return super().to_python(value)

    def clean(self, value: Any) -> int | None:
        typed: int | None = super().clean(value)
        return self.empty if typed is None else typed


class PlainTextField(forms.CharField):
    """A text of several lines, without invisible characters."""

    def __init__(self, *, max_length: int | None, rows: int = 3, **own: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows})
        super().__init__(max_length=max_length, widget=widget, **own)

    def to_python(self, value: Any) -> str:
        return "\n".join(str(super().to_python(value)).splitlines())


class WholeNumbersField(forms.Field):
    """Several whole numbers as typed, "27, 18": a list, empty if nothing is typed."""

    LONGEST = 200
    APART = re.compile(r"[,;\s]+")

    def __init__(self, **own: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": "off", "maxlength": self.LONGEST})
        super().__init__(required=False, widget=widget, **own)

    def to_python(self, value: Any) -> list[int]:
        if isinstance(value, list):
            return value
        parts = [part for part in self.APART.split(value or "") if part]
        numbers = [whole(part, most=MOST_OF_SEVERAL) for part in parts]
        if len(value or "") > self.LONGEST or None in numbers:
            raise forms.ValidationError(_("Bitte ganze Zahlen eingeben, etwa: 27, 18."))
        return [number for number in numbers if number is not None]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value


class QuietHidden(forms.BoundField):
    """A field whose hidden initial value has no description for screen readers."""

    def build_widget_attrs(
        self, attrs: dict[str, Any], widget: forms.Widget | None = None
    ) -> dict[str, Any]:
        """Return a widget's attributes; HTML forbids `aria-*` on hidden ones."""
        made: dict[str, Any] = super().build_widget_attrs(attrs, widget)
        if (widget or self.field.widget).is_hidden:
            made.pop("aria-describedby", None)
        return made


class Refusable(forms.Form):
    """A form that shows a service's refusal next to its field."""

    # The field of each refusal; others belong to the form.
    field_of: ClassVar[Mapping[str, str]] = FIELD_OF

    def refuse(self, refusal: Refused) -> None:
        field = self.field_of.get(refusal.code)
        self.add_error(field if field in self.fields else None, str(refusal))
