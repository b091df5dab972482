"""Forms for people at the desk. Services check the values."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.errors import Refused
from tournaments.changes.forms.parts import Refusable
from tournaments.people.selectors.people import Double

LONGEST_TYPED = 1_000  # services refuse longer texts in their own words

FIELD_OF = {
    "bad_name": "name",
    "duplicate": "name",
    "double": "name",
    "bad_email": "email",
    "bad_phone": "phone",
    "bad_remark": "remark",
}


class PersonForm(Refusable):
    """Name and address, typed and confirmed at the desk."""

    field_of = FIELD_OF

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_TYPED,
        error_messages={"required": _("Bitte einen Namen angeben.")},
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "words",
                "data-one-letter": _("Nur ein Buchstabe? So steht es dann auf Liste und Zettel."),
            }
        ),
    )
    email = forms.CharField(
        label=_("E-Mail"),
        max_length=LONGEST_TYPED,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off", "maxlength": 254}),
    )
    phone = forms.CharField(
        label=_("Telefon"),
        max_length=LONGEST_TYPED,
        required=False,
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "off", "maxlength": 40}),
    )


class AsksIfDouble(PersonForm):
    """Ask whether a typed person is different from a known one with a similar name."""

    SAME, ALIKE = "same", "alike"

    is_other = forms.CharField(required=False, max_length=10)
    double: Double | None = None

    def refuse(self, refusal: Refused) -> None:
        super().refuse(refusal)
        if self.double is None and refusal.code in ("double", "duplicate"):
            self.double = Double(name="", is_same_name=refusal.code == "duplicate")

    @property
    def asks(self) -> str:
        """Return the answer's value for "somebody else": the same name, or a similar one."""
        if self.double is None:
            return ""
        return self.SAME if self.double.is_same_name else self.ALIKE

    @property
    def is_namesake(self) -> bool:
        """Tell whether a namesake of exactly this name was confirmed."""
        return bool(self.cleaned_data["is_other"] == self.SAME)

    def is_somebody_else(self, double: Double) -> bool:
        """Tell whether it was confirmed; a confirmed similar name does not cover the same name."""
        choice = self.cleaned_data["is_other"]
        return bool(choice == self.SAME or (choice == self.ALIKE and not double.is_same_name))


class ConfirmForm(PersonForm):
    """A registered person's data, read out and confirmed at the desk.

    Missing fields stay unchanged. `pays` exists only if there is a fee to pay.
    """

    remark = forms.CharField(
        label=_("Bemerkung"),
        max_length=LONGEST_TYPED,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "maxlength": 300}),
    )
    is_member = forms.BooleanField(label=_("Vereinsmitglied"), required=False)
    is_listed = forms.BooleanField(
        label=_("Der Name darf auf der Turnierseite stehen"),
        required=False,
        help_text=_("Bitte fragen. Ohne Haken stehen dort und auf der Leinwand nur die Initialen."),
    )
    pays = forms.BooleanField(required=False)

    def __init__(self, *args: Any, pays: str = "", **kwargs: Any) -> None:
        """Ask whether the fee was taken in these words, if there is one to pay."""
        super().__init__(*args, **kwargs)
        if pays:
            self.fields["pays"].label = pays
        else:
            del self.fields["pays"]

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the person's data for the services."""
        absent = {name for name in ("phone", "remark") if name not in self.data}
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name not in ("pays", "is_other") and name not in absent
        }


class DeskForm(AsksIfDouble, ConfirmForm):
    """A new person at the desk; a namesake counts as somebody else."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autofocus"] = True
        self.fields["name"].help_text = _("Vor- und Nachname")

    def clean_is_member(self) -> bool | None:
        """Return None if not ticked: a known person's membership stays."""
        return self.cleaned_data["is_member"] or None

    @property
    def arguments(self) -> dict[str, Any]:
        return super().arguments | {"is_namesake": self.is_namesake}


# --- The form to correct a person's data


class KnownPersonForm(PersonForm):
    is_member = forms.BooleanField(label=_("Mitglied des Vereins"), required=False)
