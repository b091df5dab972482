"""Forms of payments and refunds."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.numbers import MOST
from tournaments.changes.forms.parts import Refusable
from tournaments.event.forms.fields import PriceField
from tournaments.event.selectors.labels import money
from tournaments.models import Club
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
