"""The form to correct a person's data."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.errors import Refused
from tournaments.people.forms.person import FIELD_OF, PersonForm


class KnownPersonForm(PersonForm):
    """Name, contact and membership."""

    is_member = forms.BooleanField(label=_("Mitglied des Vereins"), required=False)

    def refuse(self, refusal: Refused) -> None:
        """Show a refusal next to its field."""
        field = {**FIELD_OF, "bad_phone": "phone"}.get(refusal.code)
        self.add_error(field, str(refusal))
