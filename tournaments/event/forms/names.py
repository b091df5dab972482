"""The name to save a plan or a set of rules for other evenings."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import Refusable
from tournaments.event.services.names import LONGEST_NAME


class PresetNameForm(Refusable):
    """The name of a club's own preset."""

    name = forms.CharField(
        label=_("Name der Vorlage"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("Die Vorlage braucht einen Namen."),
            "max_length": _("Höchstens %(limit_value)d Zeichen."),
        },
    )
