"""What people type about themselves, at home or at the desk. Whether it holds, the services say."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django import forms
from django.core import signing
from django.utils.translation import gettext_lazy as _

from tournaments.domain.errors import Refused
from tournaments.models import Event

LONGEST_TYPED = 1_000  # the services say what is too long, in their words
PREVIEW_SALT = "krru.import"
PREVIEW_LASTS = timedelta(days=1)

# Which field a refusal of the services belongs to; the others belong to the form.
FIELD_OF = {"bad_name": "name", "duplicate": "name", "bad_email": "email"}


class PersonForm(forms.Form):
    """Name and address, as the desk types and confirms them."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_TYPED,
        error_messages={"required": _("Bitte einen Namen angeben.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words"}),
    )
    email = forms.CharField(
        label=_("E-Mail"),
        max_length=LONGEST_TYPED,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off", "maxlength": 254}),
    )

    def refuse(self, refusal: Refused) -> None:
        """Put a refusal next to the field it is about."""
        self.add_error(FIELD_OF.get(refusal.code), str(refusal))


class ConfirmForm(PersonForm):
    """A registered person's data, read out and confirmed at the desk."""

    is_listed = forms.BooleanField(
        label=_("Der Name darf auf der Turnierseite stehen"), required=False, initial=True
    )


class DeskForm(ConfirmForm):
    """A new person at the desk; a namesake is taken as somebody else.

    Whether it is one is asked only when somebody of that name is registered already.
    """

    is_namesake = forms.BooleanField(label=_("Gleicher Name, andere Person"), required=False)
    asks_for_namesake = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autofocus"] = True

    def refuse(self, refusal: Refused) -> None:
        super().refuse(refusal)
        self.asks_for_namesake = refusal.code == "duplicate"


class RegisterForm(PersonForm):
    """What a visitor fills in about himself."""

    is_listed = forms.BooleanField(
        label=_("Mein Name darf auf der Turnierseite stehen"), required=False, initial=True
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Dein Name")
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        self.fields["email"].widget.attrs["autocomplete"] = "email"
        self.fields["email"].help_text = _("Nur, damit dich die Turnierleitung erreichen kann.")
        self.fields["is_listed"].help_text = _(
            "Ohne Haken stehen in Ergebnis und Auslosungen nur deine Initialen."
        )


class FileForm(forms.Form):
    file = forms.FileField(
        label=_("Datei wählen oder hierher ziehen"),
        allow_empty_file=True,
        error_messages={"required": _("Bitte eine Datei wählen.")},
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt,.tsv"}),
    )


class PeopleForm(forms.Form):
    """The accepted rows of a preview, posted back as `packed` made them."""

    people = forms.CharField(widget=forms.HiddenInput)
    is_listed = forms.BooleanField(
        label=_("Die Namen dürfen auf der Turnierseite stehen"), required=False, initial=True
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event

    @staticmethod
    def packed(event: Event, rows: Iterable[tuple[str, str]]) -> str:
        """Return names and addresses as a text that cannot be changed unnoticed."""
        return signing.dumps([event.pk, list(rows)], salt=PREVIEW_SALT, compress=True)

    def clean_people(self) -> list[dict[str, str]]:
        try:
            found = signing.loads(
                self.cleaned_data["people"], salt=PREVIEW_SALT, max_age=PREVIEW_LASTS
            )
        except signing.BadSignature:
            found = [None, []]
        event_id, rows = found
        if event_id != self.event.pk:
            raise forms.ValidationError(
                _("Die Vorschau gilt nicht mehr. Bitte die Datei noch einmal wählen.")
            )
        return [{"name": name, "email": email} for name, email in rows]
