"""Forms to import a list or an earlier evening: the file, its columns, the confirmed preview.

Names of files are signed, so that another's file cannot be opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core import signing
from django.utils.translation import gettext_lazy as _

from tournaments.imports.domain.columns import Columns, Kind, columns_from
from tournaments.imports.domain.grids import Holds
from tournaments.imports.domain.listing import Layout
from tournaments.imports.uploads import KEPT_FOR
from tournaments.papers.domain.sheets import MOST_COLUMNS, MOST_ROWS
from tournaments.papers.reading import MOST_NAMES
from tournaments.papers.workbooks import LARGEST_FILE

SALT = "krru.import"
LONGEST_TEXT = 50_000
GONE = _("Die Vorschau gilt nicht mehr. Bitte die Datei noch einmal wählen.")
KINDS = (
    ("", _("nicht einlesen")),
    (Kind.NAME, _("Name")),
    (Kind.FIRST, _("Vorname")),
    (Kind.LAST, _("Nachname")),
    (Kind.EMAIL, _("E-Mail")),
    (Kind.PHONE, _("Telefon")),
    (Kind.MEMBER, _("Mitglied")),
    (Kind.REMARK, _("Bemerkung")),
    (Kind.ANSWER, _("Kommt")),
    (Kind.CANCELLED, _("Storniert")),
)


def packed(scope: str, *names: str) -> str:
    """Sign names of files for one event, or for the club's list only."""
    return signing.dumps([scope, *names], salt=SALT)


def unpacked(scope: str, text: str) -> list[str]:
    """Return the signed names for the same scope, as long as files are kept.

    :raises forms.ValidationError: Saying that the preview does not hold any more.
    """
    try:
        found = signing.loads(text, salt=SALT, max_age=KEPT_FOR)
    except signing.BadSignature:
        found = [None]
    if found[0] != scope:
        raise forms.ValidationError(GONE)
    return [str(name) for name in found[1:]]


class FileForm(forms.Form):
    asks = _("Bitte eine Datei wählen oder eine Liste einfügen.")
    file = forms.FileField(
        label=_("Datei wählen oder hierher ziehen"),
        allow_empty_file=True,
        required=False,
        widget=forms.FileInput(
            attrs={"accept": ".csv,.xlsx,.ods,.txt,.tsv,.vcf", "data-most-bytes": LARGEST_FILE}
        ),
    )
    text = forms.CharField(
        label=_("Oder eine Liste aus dem Chat einfügen"),
        required=False,
        max_length=LONGEST_TEXT,
        help_text=_(
            "Eine Zeile je Person, oder der Chat selbst: Wer „bin dabei“ schreibt, steht auf der "
            "Liste. Nummern, Striche und Emoji fallen weg; was in Klammern steht, wird Bemerkung, "
            "Durchgestrichenes zählt nicht."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not cleaned["file"] and not cleaned["text"]:
            self.add_error("file", self.asks)
        return cleaned


class LayoutForm(forms.Form):
    """The layout of a file: the row of the first person, and the kind of each column."""

    upload = forms.CharField(widget=forms.HiddenInput)
    first_row = forms.IntegerField(
        label=_("Die erste Person steht in Zeile"), min_value=1, max_value=MOST_ROWS
    )

    is_turned = forms.BooleanField(label=_("„Lang, Eva“ umdrehen: Eva Lang"), required=False)
    sheet = forms.ChoiceField(label=_("Blatt"), required=False)

    def __init__(
        self, *args: Any, scope: str, width: int, sheets: Sequence[str] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.scope = scope
        self.has_sheets = len(sheets) > 1
        sheet = self.fields["sheet"]
        assert isinstance(sheet, forms.ChoiceField)
        sheet.choices = list(enumerate(sheets)) or [(at, str(at)) for at in range(MOST_NAMES)]
        for index in range(min(width, MOST_COLUMNS)):
            self.fields[f"column-{index}"] = forms.ChoiceField(
                choices=KINDS, required=False, widget=forms.Select
            )

    @classmethod
    def posted(cls, data: Any, scope: str) -> LayoutForm:
        width = sum(name.startswith("column-") for name in data)
        return cls(data, scope=scope, width=width)

    @staticmethod
    def initial_of(columns: Columns | None, first_row: int, width: int) -> dict[str, Any]:
        kinds = [columns.kind_of(index) if columns else None for index in range(width)]
        return {"first_row": first_row} | {
            f"column-{index}": kind or "" for index, kind in enumerate(kinds)
        }

    def selects(self) -> Sequence[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("column-")]

    def clean_upload(self) -> list[str]:
        return unpacked(self.scope, self.cleaned_data["upload"])

    def layout(self) -> Layout | None:
        """Return the chosen layout, None without a name column."""
        told = [self.cleaned_data.get(field.name, "") for field in self.selects()]
        columns = columns_from([Kind(kind) if kind else None for kind in told])
        if columns is None:
            return None
        return Layout(
            columns=columns,
            first_row=self.cleaned_data["first_row"],
            is_turned=self.cleaned_data["is_turned"],
        )


class TakeOverForm(forms.Form):
    """The accepted people of a preview, by the name of their list."""

    people = forms.CharField(widget=forms.HiddenInput, error_messages={"required": GONE})

    def __init__(self, *args: Any, scope: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.scope = scope

    def clean_people(self) -> str:
        return unpacked(self.scope, self.cleaned_data["people"])[0]


class PeopleForm(TakeOverForm):
    is_listed = forms.BooleanField(
        label=_("Die Namen dürfen auf der Turnierseite stehen"),
        required=False,
        help_text=_("Nur ankreuzen, wenn alle zugestimmt haben. Sonst stehen dort die Initialen."),
    )


class MembersForm(TakeOverForm):
    is_complete = forms.BooleanField(
        label=_("Wer nicht auf der Liste steht, ist kein Mitglied mehr"), required=False
    )


LONGEST_NAME = 120


class EveningForm(FileForm):
    """A result as a file or text, with the evening's name and day where it has none."""

    asks = _("Bitte eine Datei wählen oder ein Ergebnis einfügen.")
    name = forms.CharField(
        label=_("Name des Abends"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    day = forms.DateField(
        label=_("Tag"),
        required=False,
        help_text=_("Nur, wenn er nicht in der Liste steht; im Raster der erste."),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    holds = forms.ChoiceField(
        label=_("In einem Raster, Namen mal Tage, stehen"),
        choices=[
            ("", _("kein Raster")),
            (Holds.PLACES, _("Plätze")),
            (Holds.POINTS, _("Punkte")),
        ],
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].widget.attrs["accept"] = ".csv,.xlsx,.ods,.txt,.tsv,.tdt"
        self.fields["text"].label = _("Oder das Ergebnis hier einfügen")
        self.fields["text"].help_text = _(
            "Eine Zeile je Spieler, mit Überschriften: Platz und Name, dazu Datum, Einsatz, "
            "Re-buys, Add-ons und Preis, wenn bekannt."
        )
