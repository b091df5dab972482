"""The form to make the envelopes of a mystery bounty."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import Refusable
from tournaments.payouts.forms.deals import LONGEST, AmountsField


class EnvelopesForm(Refusable):
    """The fullest envelopes; the others share the rest."""

    tops = AmountsField(
        label=_("Die vollsten Umschläge"),
        required=False,
        max_length=LONGEST,
        help_text=_("Etwa 200 100 100. Den Rest teilen sich die übrigen gleich."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
