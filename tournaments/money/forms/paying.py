"""Forms of payments, refunds and drawers."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.numbers import MOST
from tournaments.changes.forms.parts import Refusable
from tournaments.event.forms.fields import PriceField
from tournaments.event.selectors.labels import money
from tournaments.models import Club, Drawer, StaffDevice
from tournaments.money.domain.accounts import Means
from tournaments.money.selectors.journal import means_taken
from tournaments.money.services.fees import LONGEST_NAME


class MeansForm(Refusable):
    """The means of payment; not asked if the club takes only cash."""

    means = forms.ChoiceField(label=_("Wie bezahlt"), required=False, widget=forms.RadioSelect)

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        taken = means_taken(club)
        field = cast("forms.ChoiceField", self.fields["means"])
        field.choices = [(str(means), name) for means, name in taken.items()]
        field.initial = str(Means.CASH)
        if len(taken) == 1:
            del self.fields["means"]

    @property
    def means_chosen(self) -> Means:
        return Means(self.cleaned_data.get("means") or Means.CASH)


class RefundForm(MeansForm):
    """Amount and means of a refund."""

    amount = PriceField(label=_("Betrag"))

    field_order = ("amount", "means")


class PayForm(MeansForm):
    """Amount, means, cash handed over, and payer."""

    amount = PriceField(label=_("Betrag"))
    given = PriceField(label=_("Gibt"))
    payer = forms.CharField(
        label=_("Bezahlt von jemand anderem"),
        required=False,
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    open_seen = forms.IntegerField(
        required=False, min_value=-MOST, max_value=MOST, widget=forms.HiddenInput
    )

    field_order = ("amount", "means", "given", "payer", "open_seen")

    def clean_given(self) -> int:
        given: int = self.cleaned_data["given"]
        amount = self.cleaned_data.get("amount")
        if given and amount is not None and given < amount:
            raise forms.ValidationError(
                gettext("Das ist um %(less)s zu wenig.") % {"less": money(amount - given)}
            )
        return given

    @property
    def back_cents(self) -> int:
        """Return the change."""
        given: int = self.cleaned_data["given"]
        return max(0, given - int(self.cleaned_data["amount"])) if given else 0


# --- A drawer: float, cash added or removed, counted cash


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
