"""What the club knows of a person, as the director corrects it."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.errors import Refused
from tournaments.people.forms.person import FIELD_OF, PersonForm


class KnownPersonForm(PersonForm):
    """Name, contact, and whether somebody is a member."""

    is_member = forms.BooleanField(label=_("Mitglied des Vereins"), required=False)

    def refuse(self, refusal: Refused) -> None:
        """Put a refusal next to the field it is about."""
        field = {**FIELD_OF, "bad_phone": "phone"}.get(refusal.code)
        self.add_error(field, str(refusal))
