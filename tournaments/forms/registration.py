"""What people type about themselves, at home or at the desk. Whether it holds, the services say."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.domain.errors import Refused
from tournaments.domain.sheets import MOST_ROWS

LONGEST_TYPED = 1_000  # the services say what is too long, in their words

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


class DeskForm(PersonForm):
    """A new person at the desk; a namesake is taken as somebody else."""

    is_namesake = forms.BooleanField(label=_("Gleicher Name, andere Person"), required=False)


class RegisterForm(PersonForm):
    """What a visitor fills in. `website` is for programs: nobody sees it, so nobody fills it."""

    is_listed = forms.BooleanField(
        label=_("Mein Name darf auf der Turnierseite stehen"), required=False, initial=True
    )
    website = forms.CharField(
        label=_("Dieses Feld leer lassen"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "tabindex": "-1"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Dein Name")
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        self.fields["email"].widget.attrs["autocomplete"] = "email"
        self.fields["email"].help_text = _("Nur, damit dich die Turnierleitung erreichen kann.")

    def clean_website(self) -> str:
        if self.cleaned_data["website"]:
            raise forms.ValidationError(_("Bitte nur die sichtbaren Felder ausfüllen."))
        return ""


class FileForm(forms.Form):
    file = forms.FileField(
        label=_("Datei wählen oder hierher ziehen"),
        allow_empty_file=True,
        error_messages={"required": _("Bitte eine Datei wählen.")},
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt,.tsv"}),
    )


class PeopleForm(forms.Form):
    """The rows of a preview, posted back: a list of [name, address]."""

    people = forms.CharField(widget=forms.HiddenInput)

    def clean_people(self) -> list[dict[str, str]]:
        broken = forms.ValidationError(
            _("Die Vorschau ist nicht mehr vollständig. Bitte die Datei noch einmal wählen.")
        )
        try:
            rows = json.loads(self.cleaned_data["people"])
            people = [{"name": name, "email": email} for name, email in rows]
        except (ValueError, TypeError):
            raise broken
        texts = [text for person in people for text in person.values()]
        if len(people) > MOST_ROWS or not all(isinstance(text, str) for text in texts):
            raise broken
        return people
