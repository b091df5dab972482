"""Form for the chips of each seat of a table."""

from collections.abc import Iterator, Mapping, Sequence
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


# --- Form for each seat's chips that leave play


MOST_PIECES = 10_000


class RaceForm(Refusable):
    """The chips of each seat; an empty field means none.

    :param seats: Entry and name by seat.
    """

    def __init__(
        self,
        *args: Any,
        seats: Mapping[int, tuple[int, str]],
        values: Sequence[int],
        **own: Any,
    ) -> None:
        super().__init__(*args, **own)
        self.seats, self.chip_values = seats, values
        for entry, _name in seats.values():
            for value in values:
                self.fields[f"count_{entry}_{value}"] = WholeNumberField(
                    label=_("Chips zu %(value)s") % {"value": value},
                    least=0,
                    most=MOST_PIECES,
                    required=False,
                    empty=0,
                )
            self.fields[f"broke_{entry}"] = forms.BooleanField(
                label=_("hat sonst nichts"), required=False
            )

    def seat_fields(self) -> Iterator[dict[str, Any]]:
        """Yield the fields of each seat."""
        for seat, (entry, name) in sorted(self.seats.items()):
            counts = [self[f"count_{entry}_{value}"] for value in self.chip_values]
            broke = self[f"broke_{entry}"]
            yield {"seat": seat, "name": name, "counts": counts, "broke": broke}

    def held(self) -> dict[int, dict[int, int]]:
        """Return the chips by entry and value, of a valid form."""
        data = self.cleaned_data
        return {
            entry: {value: data[f"count_{entry}_{value}"] for value in self.chip_values}
            for entry, _name in self.seats.values()
        }

    def broke(self) -> list[int]:
        """Return the entries without other chips, of a valid form."""
        data = self.cleaned_data
        return [entry for entry, _name in self.seats.values() if data[f"broke_{entry}"]]
