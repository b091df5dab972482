"""Forms of a drawer: float, cash added or removed, counted cash."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.numbers import MOST
from tournaments.changes.forms.parts import Refusable
from tournaments.event.forms.fields import PriceField
from tournaments.models import Drawer, StaffDevice

IN, OUT, NOWHERE = "in", "out", "none"


class DeviceField(forms.ModelChoiceField):
    """A staff device, by name."""

    def __init__(self, **own: Any) -> None:
        super().__init__(queryset=StaffDevice.objects.none(), empty_label=None, **own)

    def label_from_instance(self, obj: StaffDevice) -> str:
        return obj.name


class OpenForm(Refusable):
    """Open a drawer: for this device, or, by a director, for another."""

    float_cents = PriceField(label=_("Wechselgeld"), help_text=_("Leer: keines."))
    device = DeviceField(label=_("Für das Gerät"), required=False)

    is_further = forms.BooleanField(
        label=_("Es ist eine zweite Geldlade"),
        help_text=_("Die offene Kasse gilt für alle Turniere des Vereins."),
        required=False,
    )

    def __init__(
        self, *args: Any, devices: list[StaffDevice], is_first: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        _choose(self, devices)
        if is_first:
            del self.fields["is_further"]


class MoveForm(Refusable):
    """Add or remove cash with a reason, or pass it on to another drawer."""

    way = forms.ChoiceField(label=_("Was"), widget=forms.RadioSelect)
    amount = PriceField(label=_("Betrag"))
    reason = forms.CharField(
        label=_("Wofür"),
        required=False,
        max_length=200,
        help_text=_("Beim Weitergeben nicht nötig."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, to: Sequence[Drawer] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._to = {f"to-{row.pk}": row for row in to}
        gives = gettext("An Kasse %(number)s geben")
        field = cast("forms.ChoiceField", self.fields["way"])
        field.choices = [
            *((OUT, _("Herausnehmen")), (IN, _("Hineinlegen"))),
            *((key, gives % {"number": row.number}) for key, row in self._to.items()),
            (NOWHERE, _("Zu dem legen, was ohne Kasse ist")),
        ]

    @property
    def passes_on(self) -> bool:
        return self.cleaned_data["way"] not in (IN, OUT)

    @property
    def to(self) -> Drawer | None:
        """Return the drawer to which cash goes; None for the cash without one."""
        return self._to.get(self.cleaned_data["way"])

    @property
    def amount_cents(self) -> int:
        cents: int = self.cleaned_data["amount"]
        return cents if self.cleaned_data["way"] == IN else -cents


class HandForm(Refusable):
    """Hand the drawer to another device."""

    device = DeviceField(
        label=_("An das Gerät"), error_messages={"required": _("Bitte ein Gerät wählen.")}
    )

    def __init__(self, *args: Any, devices: list[StaffDevice], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _choose(self, devices)


class CloseForm(Refusable):
    """Count the cash, and close."""

    counted = PriceField(label=_("Gezähltes Bargeld"), help_text=_("Alles, auch das Wechselgeld."))
    expected = forms.IntegerField(
        required=False, min_value=-MOST, max_value=MOST, widget=forms.HiddenInput
    )

    def clean_counted(self) -> int:
        # An empty field is different from zero.
        if not self.data.get("counted", "").strip():
            raise forms.ValidationError(_("Bitte eingeben, wie viel gezählt wurde."))
        counted: int = self.cleaned_data["counted"]
        return counted


def _choose(form: Any, devices: list[StaffDevice]) -> None:
    field = form.fields["device"]
    field.queryset = StaffDevice.objects.filter(pk__in=[row.pk for row in devices]).order_by("name")
