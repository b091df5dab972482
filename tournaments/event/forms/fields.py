"""The field of an ordinary setting, built from its column and declaration.

Other settings have their fields in the form itself.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.numbers import whole
from tournaments.changes.forms.parts import PlainTextField, WholeNumberField
from tournaments.event.domain.hall_plan import HallError
from tournaments.event.domain.prices import LONGEST_TYPED, PartsError, amount_typed, cents_of
from tournaments.event.selectors.labels import end_words, in_currency, pause_name
from tournaments.event.selectors.settings.declared import PHASES
from tournaments.event.selectors.settings.setting import Setting
from tournaments.event.services.settings import MOST_FEE_CENTS
from tournaments.models import Event


def field_for(setting: Setting) -> forms.Field:
    """Return the field of a setting. Empty input means the column's default, if any.

    :raises TypeError: When neither column nor declaration says how it is typed.
    """
    column: Any = Event._meta.get_field(setting.name)
    label = setting.field_label or setting.label
    own: dict[str, Any] = {"label": label, "help_text": setting.help_text}
    if setting.choices is not None:
        return forms.TypedChoiceField(
            choices=list(setting.choices.items()),
            required=not (column.has_default() or column.blank),
            empty_value=column.get_default(),
            **own,
        )
    if isinstance(column, models.BooleanField):
        return forms.BooleanField(required=False, **own)
    if isinstance(column, models.IntegerField) and setting.most is not None:
        empty = column.get_default()
        return WholeNumberField(
            least=setting.least,
            most=setting.most,
            empty=empty,
            required=empty is None and not column.null,
            **own,
        )
    if setting.is_time or isinstance(column, models.DateTimeField):
        make = TimeTextField if setting.is_time else _instant_field
        return make(required=not (column.blank or column.null), **own)
    if isinstance(column, models.CharField):
        return forms.CharField(max_length=column.max_length, required=not column.blank, **own)
    if isinstance(column, models.TextField) and column.max_length:
        return PlainTextField(max_length=column.max_length, required=not column.blank, **own)
    raise TypeError(f"{setting.name} is no ordinary setting: write its field out in the form.")


class TimeOfDayField(forms.TimeField):
    """A time of day as a browser asks for it."""

    def __init__(self, *, invalid: Any = None, **own: Any) -> None:
        words = {
            "required": _("Bitte die Uhrzeit angeben."),
            "invalid": invalid or _("Bitte eine Uhrzeit wie 23:30 angeben."),
        }
        widget = forms.TimeInput(format="%H:%M", attrs={"type": "time"})
        super().__init__(error_messages=words, widget=widget, **own)


class TimeTextField(TimeOfDayField):
    """A time of day, stored as "23:30"; empty for empty input."""

    def clean(self, value: Any) -> str:
        typed = super().clean(value)
        return "" if typed is None else f"{typed:%H:%M}"


class NameField(forms.CharField):
    """A short name with an own sentence for an empty field."""

    def __init__(self, *, required_words: Any, **own: Any) -> None:
        super().__init__(
            error_messages={
                "required": required_words,
                "max_length": _("Höchstens %(limit_value)d Zeichen."),
            },
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
            **own,
        )


def _instant_field(**own: Any) -> forms.DateTimeField:
    return forms.DateTimeField(
        error_messages={"invalid": _("Bitte Tag und Uhrzeit angeben, die es gibt.")},
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        **own,
    )


# --- Fields of settings for places, no-shows and prices


LATE_LEVELS, LATE_BREAKS = 15, 4
MOST_OFFERED = 999


class LateField(forms.ChoiceField):
    """The end of late registration: a level, a break or none, as the event stores both."""

    def __init__(self, *, only_in_break: bool = False, **own: Any) -> None:
        wrong = {"invalid_choice": _("So viele Stufen oder Pausen hat der Blindplan nicht.")}
        self.only_in_break = only_in_break
        choices = partial(_late_choices, only_in_break, LATE_LEVELS)
        super().__init__(choices=choices, error_messages=wrong, **own)

    def know(self, value: Any, breaks: Sequence[int] | None = None) -> None:
        """Offer at least the event's present level, and its schedule's planned breaks.

        :param breaks: The levels that they follow; None as long as no schedule is known.
        """
        typed = str(value or 0)
        last = whole(typed, most=MOST_OFFERED) or 0
        chosen = (typed.startswith("p") and whole(typed[1:], most=MOST_OFFERED)) or 0
        shown = LATE_BREAKS if breaks is None else max(len(breaks), chosen)
        names = [pause_name(number, breaks or ()) for number in range(1, shown + 1)]
        self.choices = partial(_late_choices, self.only_in_break, max(last, LATE_LEVELS), names)


def _late_choices(
    only_in_break: bool, last: int, breaks: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Return the choices in the language of the request."""
    within = partial(end_words, in_break=only_in_break)
    return [
        ("0", gettext("keine")),
        *((str(number), end_words(level=number)) for number in range(1, last + 1)),
        *((f"p{number}", within(pause=name)) for number, name in enumerate(breaks, 1)),
    ]


def phases_typed(event: Event) -> dict[str, str]:
    """Return the fields' values for an event."""
    found = {}
    for level, pause in PHASES.items():
        number = getattr(event, pause)
        found[level] = f"p{number}" if number else str(getattr(event, level))
    return found


def phase_settings(typed: Mapping[str, Any]) -> dict[str, int]:
    """Return the settings chosen in the submitted fields.

    >>> phase_settings({"rebuy_level": "3"})
    {'rebuy_level': 3, 'rebuy_break': 0}
    >>> phase_settings({"rebuy_level": "p1"})
    {'rebuy_level': 0, 'rebuy_break': 1}
    """
    found: dict[str, int] = {}
    for level, pause in PHASES.items():
        if level in typed:
            is_break = typed[level].startswith("p")
            number = int(typed[level].removeprefix("p") or 0)
            found |= {level: 0 if is_break else number, pause: number if is_break else 0}
    return found


class MoneyField(forms.Field):
    """An amount as typed, 12,50: in cents. Empty is zero."""

    def __init__(self, **own: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off", "maxlength": 20}
        super().__init__(required=False, widget=forms.TextInput(attrs=attrs), **own)

    def to_python(self, value: Any) -> int:
        if isinstance(value, int):
            return value
        try:
            cents = cents_of(value) if (value or "").strip() else 0
        except ValueError as problem:
            raise forms.ValidationError(_("Bitte einen Betrag wie 12,50 eingeben.")) from problem
        if cents > MOST_FEE_CENTS:
            raise forms.ValidationError(_("Dieser Betrag kann nicht stimmen."))
        return cents

    def prepare_value(self, value: Any) -> Any:
        return (amount_typed(value) if value else "") if isinstance(value, int) else value


class PriceField(MoneyField):
    """An amount in the club's currency, which its label names."""

    def __init__(self, *, label: Any, **own: Any) -> None:
        super().__init__(label=in_currency(label), **own)


class TypedListField(forms.Field):
    """A list as one types it: parts of a price, prices by person, areas of the hall.

    :param read: Returns the items of a text, or raises the error that `words` puts into words.
    :param rows: The lines of the input; 0 for one without a second.
    """

    def __init__(
        self,
        *,
        read: Callable[[str], Sequence[Sequence[Any]]],
        write: Callable[[list[Any]], str],
        words: Callable[[Any], str],
        longest: int = LONGEST_TYPED,
        rows: int = 0,
        **own: Any,
    ) -> None:
        self.read, self.write, self.words = read, write, words
        attrs: dict[str, Any] = {"autocomplete": "off", "maxlength": longest}
        widget = forms.Textarea(attrs | {"rows": rows}) if rows else forms.TextInput(attrs)
        super().__init__(required=False, widget=widget, **own)

    def to_python(self, value: Any) -> list[list[Any]]:
        if isinstance(value, list):
            return value
        try:
            return [list(one) for one in self.read(value or "")]
        except (PartsError, HallError) as problem:
            raise forms.ValidationError(self.words(problem)) from problem

    def prepare_value(self, value: Any) -> Any:
        return self.write(value) if isinstance(value, list) else value
