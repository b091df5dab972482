"""The form for a club's chips: a name, and a row for each value."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.chips import CHIP_COLOURS, MOST_CHIPS, MOST_VALUES
from tournaments.event.selectors.labels import COLOURS
from tournaments.event.services.names import LONGEST_NAME
from tournaments.models import ChipSet


class ChipSetForm(Refusable):
    """A chip set; empty rows are ignored."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("Der Satz braucht einen Namen."),
            "max_length": _("Höchstens %(limit_value)d Zeichen."),
        },
    )

    def __init__(self, *args: Any, chip_set: ChipSet | None = None, **kwargs: Any) -> None:
        rows = chip_set.pieces if chip_set else []
        initial = {"name": chip_set.name if chip_set else ""}
        for number, row in enumerate(rows):
            initial |= {f"{name}_{number}": row.get(name, "") for name in ("value", "count")}
            initial[f"colour_{number}"] = row.get("colour", "")
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
        choices = [(colour, COLOURS[colour]) for colour in CHIP_COLOURS]
        for number in range(MOST_VALUES):
            self.fields[f"value_{number}"] = WholeNumberField(
                label=_("Wert"), least=1, most=MOST_CHIPS, required=False
            )
            self.fields[f"count_{number}"] = WholeNumberField(
                label=_("Anzahl"), least=1, most=MOST_CHIPS, required=False
            )
            self.fields[f"colour_{number}"] = forms.ChoiceField(
                label=_("Farbe"),
                choices=choices,
                required=False,
                initial=CHIP_COLOURS[number],
            )

    @property
    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField, forms.BoundField]]:
        """Return the fields of each row: value, count, colour."""
        return [
            (self[f"value_{n}"], self[f"count_{n}"], self[f"colour_{n}"])
            for n in range(MOST_VALUES)
        ]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        pieces: dict[int, tuple[int, str]] = {}
        for number in range(MOST_VALUES):
            value, count = data.get(f"value_{number}"), data.get(f"count_{number}")
            if value is None and count is None:
                continue
            if value is None or count is None:
                empty = "value" if value is None else "count"
                if f"{empty}_{number}" not in self.errors:
                    self.add_error(f"{empty}_{number}", _("Wert und Anzahl gehören zusammen."))
            elif value in pieces:
                self.add_error(f"value_{number}", _("Diesen Wert gibt es oben schon."))
            else:
                colour = data.get(f"colour_{number}") or CHIP_COLOURS[number]
                pieces[value] = (count, colour)
        if not pieces and not self.errors:
            self.add_error("value_0", _("Bitte mindestens einen Chip eintragen."))
        return data | {"pieces": pieces}
