"""The forms of the club's texts: what is public, and the plan of the hall."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import PlainTextField, Refusable
from tournaments.event.domain.about import (
    LONGEST_ADDRESS,
    LONGEST_CONTACT,
    LONGEST_IMPRINT,
    LONGEST_TEXT,
    LONGEST_VENUE,
)
from tournaments.event.domain.hall_plan import LONGEST_PLAN


class HallForm(Refusable):
    """The plan of the hall, as text."""

    hall = forms.CharField(
        label=_("Saalplan"),
        max_length=LONGEST_PLAN,
        required=False,
        help_text=_("Eine Zeile Text ist ein Bereich. Darunter je Zeile eine Reihe Tische, wie sie "
                    "stehen: Nummern, „1-6“ für sechs nebeneinander, ein Punkt für eine Lücke."),
        widget=forms.Textarea(attrs={"rows": 10, "autocomplete": "off", "spellcheck": "false",
                                     "class": "hall-text"}),
    )  # fmt: skip


class AboutForm(Refusable):
    """The club's place, description, contact and imprint; all optional."""

    venue = forms.CharField(label=_("Ort"), max_length=LONGEST_VENUE, required=False)
    address = forms.CharField(
        label=_("Adresse"),
        max_length=LONGEST_ADDRESS,
        required=False,
        help_text=_("Daraus wird der Link zur Karte."),
    )
    contact = PlainTextField(
        label=_("Kontakt"),
        max_length=LONGEST_CONTACT,
        required=False,
        help_text=_("Je Zeile eine Mailadresse, Telefonnummer oder Webadresse."),
    )
    description = PlainTextField(
        label=_("Über den Verein"), max_length=LONGEST_TEXT, required=False
    )
    house_text = PlainTextField(
        label=_("Hinweise des Hauses"),
        max_length=LONGEST_TEXT,
        required=False,
        help_text=_("Etwa: Einlass, Ausweis, Essen, Parken."),
    )
    imprint = PlainTextField(
        label=_("Impressum"),
        max_length=LONGEST_IMPRINT,
        required=False,
        help_text=_("Wer für diese Seiten einsteht. Vereine brauchen es in Deutschland und "
                    "Österreich."),
    )  # fmt: skip
