"""The field of an ordinary setting, built from its column and declaration.

Other settings have their fields in the form itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django import forms
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import PlainTextField, WholeNumberField
from tournaments.event.selectors.settings.setting import Setting
from tournaments.models import Event


class Placed(NamedTuple):
    """A field on a page, and whether to mark it as optional."""

    field: forms.BoundField
    is_optional: bool


def field_for(setting: Setting) -> forms.Field:
    """Return the field of a setting. Empty input means the column's default, if any.

    :raises TypeError: When neither column nor declaration says how it is typed.
    """
    column: Any = Event._meta.get_field(setting.name)
    typed = setting.typed
    own: dict[str, Any] = {"label": typed.label or setting.label, "help_text": typed.help_text}
    if typed.choices is not None:
        return _choice_field(list(typed.choices.items()), column, **own)
    if isinstance(column, models.BooleanField):
        return forms.BooleanField(required=False, initial=column.get_default(), **own)
    if isinstance(column, models.IntegerField) and typed.most is not None:
        empty = column.get_default()
        return WholeNumberField(
            least=typed.least,
            most=typed.most,
            empty=empty,
            initial=None if typed.is_optional else empty,
            required=empty is None and not column.null,
            **own,
        )
    if typed.is_time or isinstance(column, models.DateTimeField):
        make = TimeTextField if typed.is_time else _instant_field
        return make(required=not (column.blank or column.null), **own)
    if isinstance(column, models.CharField):
        return forms.CharField(max_length=column.max_length, required=not column.blank, **own)
    if isinstance(column, models.TextField) and column.max_length:
        return PlainTextField(max_length=column.max_length, required=not column.blank, **own)
    raise TypeError(f"{setting.name} is no ordinary setting: write its field out in the form.")


def _choice_field(choices: list[tuple[Any, Any]], column: Any, **own: Any) -> forms.ChoiceField:
    if not column.has_default():
        return forms.ChoiceField(choices=choices, **own)
    usual = column.get_default()
    return forms.TypedChoiceField(
        choices=choices, required=False, initial=usual, empty_value=usual, **own
    )


class TimeTextField(forms.TimeField):
    """A time of day, stored as "23:30"; empty for empty input."""

    def __init__(self, **own: Any) -> None:
        super().__init__(
            error_messages={"invalid": _("Bitte eine Uhrzeit wie 23:30 angeben.")},
            widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
            **own,
        )

    def clean(self, value: Any) -> str:
        typed = super().clean(value)
        return "" if typed is None else f"{typed:%H:%M}"


def _instant_field(**own: Any) -> forms.DateTimeField:
    return forms.DateTimeField(
        error_messages={"invalid": _("Bitte Tag und Uhrzeit angeben, die es gibt.")},
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        **own,
    )
