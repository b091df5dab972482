"""Form for the chips of each seat of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.chips import MOST_CHIPS


class TableStacksForm(Refusable):
    """The chips of each seat; an empty field keeps the earlier count.

    :param seats: Entry and name by seat.
    """

    def __init__(self, *args: Any, seats: Mapping[int, tuple[int, str]], **own: Any) -> None:
        super().__init__(*args, **own)
        self.seats = seats
        for seat, (entry, name) in seats.items():
            self.fields[f"stack_{entry}"] = WholeNumberField(
                label=_("Platz %(seat)s: %(name)s") % {"seat": seat, "name": name},
                least=1,
                most=MOST_CHIPS,
                required=False,
            )

    def stack_fields(self) -> list[forms.BoundField]:
        return [self[f"stack_{entry}"] for entry, _name in self.seats.values()]

    def stacks(self) -> dict[int, int]:
        """Return the chips by entry, of a valid form."""
        typed = {entry: self.cleaned_data[f"stack_{entry}"] for entry, _name in self.seats.values()}
        return {entry: chips for entry, chips in typed.items() if chips}
