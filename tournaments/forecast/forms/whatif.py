"""The form for alternatives."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import WholeNumberField

LONGEST_LEVEL = 240


class MinutesForm(forms.Form):
    """The length of the levels to come."""

    minutes = WholeNumberField(
        label=_("Minuten je Stufe, ab der nächsten"), least=1, most=LONGEST_LEVEL
    )
