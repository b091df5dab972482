"""The form of an evening that was played elsewhere."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.imports.domain.grids import Holds
from tournaments.imports.forms.imports import LONGEST_TEXT
from tournaments.papers.workbooks import LARGEST_FILE

LONGEST_NAME = 120


class EveningForm(forms.Form):
    """A result as a file or text, with the evening's name and day where it has none."""

    name = forms.CharField(
        label=gettext_lazy("Name des Abends"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    day = forms.DateField(
        label=gettext_lazy("Tag"),
        required=False,
        help_text=gettext_lazy("Nur, wenn er nicht in der Liste steht; im Raster der erste."),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    holds = forms.ChoiceField(
        label=gettext_lazy("In einem Raster, Namen mal Tage, stehen"),
        choices=[
            ("", gettext_lazy("kein Raster")),
            (Holds.PLACES, gettext_lazy("Plätze")),
            (Holds.POINTS, gettext_lazy("Punkte")),
        ],
        required=False,
    )
    file = forms.FileField(
        label=gettext_lazy("Datei wählen oder hierher ziehen"),
        allow_empty_file=True,
        required=False,
        widget=forms.FileInput(
            attrs={"accept": ".csv,.xlsx,.ods,.txt,.tsv,.tdt", "data-most-bytes": LARGEST_FILE}
        ),
    )
    text = forms.CharField(
        label=gettext_lazy("Oder das Ergebnis hier einfügen"),
        required=False,
        max_length=LONGEST_TEXT,
        help_text=gettext_lazy(
            "Eine Zeile je Spieler, mit Überschriften: Platz und Name, dazu Datum, Einsatz, "
            "Re-buys, Add-ons und Preis, wenn bekannt."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not cleaned["file"] and not cleaned["text"]:
            self.add_error("file", _("Bitte eine Datei wählen oder ein Ergebnis einfügen."))
        return cleaned
