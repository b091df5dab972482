"""The forms of the club's settings, its public texts and the plan of its hall."""

import tempfile
from pathlib import Path
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from krru.backups import is_allowed
from tournaments.changes.forms.parts import PlainTextField, Refusable, WholeNumberField
from tournaments.event.domain.about import (
    LONGEST_ADDRESS,
    LONGEST_CONTACT,
    LONGEST_IMPRINT,
    LONGEST_TEXT,
    LONGEST_VENUE,
)
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.domain.hall_plan import LONGEST_PLAN
from tournaments.event.domain.schedule_files import LONGEST_NAME, MOST_BYTES
from tournaments.models import Currency


class ClubForm(Refusable):
    name = forms.CharField(
        label=gettext_lazy("Name des Vereins"),
        max_length=120,
        error_messages={"required": gettext_lazy("Der Verein braucht einen Namen.")},
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    backup_folder = forms.CharField(
        label=gettext_lazy("Ordner für die Sicherung"),
        max_length=500,
        required=False,
        help_text=gettext_lazy(
            "Am besten auf einem Stick, zum Beispiel /media/stick/krru oder E:\\krru."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    draws_without_number = forms.BooleanField(
        label=gettext_lazy("Wir losen ohne Saalzahl"),
        required=False,
        help_text=gettext_lazy("Bei keiner Auslosung wird nach einer Zahl aus dem Saal gefragt."),
    )

    currency = forms.ChoiceField(
        label=gettext_lazy("Währung"),
        required=False,
        choices=[
            (Currency.EUR, gettext_lazy("Euro")),
            (Currency.CHF, gettext_lazy("Schweizer Franken")),
            (Currency.NONE, gettext_lazy("keine: um Punkte oder um nichts")),
        ],
        help_text=gettext_lazy("Gilt für alle Beträge, auch früherer Abende."),
    )

    def __init__(self, *args: Any, kept_folder: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kept_folder = kept_folder

    def clean_backup_folder(self) -> str:
        typed = self.cleaned_data["backup_folder"]
        if typed == self._kept_folder:
            return str(typed)
        reason = obstacle_to_folder(Path(typed))
        if reason:
            raise forms.ValidationError(reason)
        return str(Path(typed))

    def clean_currency(self) -> str | None:
        """Return None where no currency was sent."""
        return self.cleaned_data["currency"] if "currency" in self.data else None


class PassphraseForm(Refusable):
    """The passphrase of backups, typed twice because it cannot be recovered."""

    passphrase = forms.CharField(
        label=gettext_lazy("Kennwort"),
        max_length=200,
        help_text=gettext_lazy(
            "Mindestens zwölf Zeichen, am besten vier Wörter. Es steht nirgends: Ohne Kennwort "
            "öffnet diese Sicherungen niemand mehr, auch der Verein nicht."
        ),
        error_messages={"required": gettext_lazy("Bitte ein Kennwort eingeben.")},
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    again = forms.CharField(
        label=gettext_lazy("Noch einmal"),
        max_length=200,
        error_messages={"required": gettext_lazy("Bitte das Kennwort noch einmal eingeben.")},
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_again(self) -> str:
        again: str = self.cleaned_data["again"]
        if self.cleaned_data.get("passphrase", again) != again:
            raise forms.ValidationError(_("Die beiden Kennwörter sind verschieden."))
        return again


class ColourForm(Refusable):
    """The club's colour; without the tick the program's colour."""

    is_own = forms.BooleanField(label=gettext_lazy("Eigene Farbe verwenden"), required=False)
    colour = forms.CharField(
        label=gettext_lazy("Vereinsfarbe"),
        required=False,
        help_text=gettext_lazy(
            "Ist sie zum Lesen zu dunkel oder zu hell, wird sie aufgehellt oder abgedunkelt."
        ),
        widget=forms.TextInput(attrs={"type": "color"}),
    )

    def clean(self) -> dict[str, Any]:
        data = dict(self.cleaned_data)
        if not data.get("is_own"):
            data["colour"] = ""
        return data


class LogoForm(Refusable):
    logo = forms.FileField(
        label=gettext_lazy("Logo"),
        help_text=gettext_lazy("PNG, JPEG, WebP oder SVG, höchstens 300 KB."),
        error_messages={
            "required": gettext_lazy("Bitte zuerst eine Datei wählen."),
            "empty": gettext_lazy("Diese Datei ist leer."),
        },
        widget=forms.FileInput(attrs={"accept": ".png,.jpg,.jpeg,.webp,.svg"}),
    )


LONGEST_PASTED = 20_000


class ScheduleFileForm(forms.Form):
    """A blind schedule as a file or as text, its name and its stack."""

    schedule = forms.FileField(
        label=gettext_lazy("Datei eines Blindplans"),
        required=False,
        error_messages={"empty": gettext_lazy("Diese Datei ist leer.")},
        widget=forms.FileInput(attrs={"accept": ".json,.csv,.txt,.tsv,.tdt"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Oder hier einfügen"),
        required=False,
        max_length=LONGEST_PASTED,
        help_text=gettext_lazy(
            "Eine Zeile je Stufe, etwa „25/50 20 min“, Pausen als „Pause 10 min“."
        ),
        widget=forms.Textarea(attrs={"rows": 4, "autocomplete": "off", "spellcheck": "false"}),
    )
    name = forms.CharField(label=gettext_lazy("Name"), required=False, max_length=LONGEST_NAME)
    stack = WholeNumberField(
        label=gettext_lazy("Startstapel"), least=1, most=MOST_CHIPS, required=False, empty=0
    )

    def clean(self) -> dict[str, Any]:
        """Refuse too large a file, or none."""
        data = super().clean() or self.cleaned_data
        sent = data.get("schedule")
        if sent and sent.size > MOST_BYTES:
            self.add_error("schedule", _("Die Datei ist zu groß."))
        elif not sent and not data.get("text") and not self.errors:
            self.add_error("schedule", _("Bitte eine Datei wählen oder einen Plan einfügen."))
        return data

    def content(self) -> tuple[bytes, str]:
        """Return what was sent, and its name unless one is told."""
        sent = self.cleaned_data["schedule"]
        if not sent:
            return self.cleaned_data["text"].encode(), _("Eingefügter Plan")
        return sent.read(), sent.name.rpartition(".")[0][:LONGEST_NAME]


def obstacle_to_folder(folder: Path) -> str | None:
    """Return why backups to a folder fail, or None; writes a file there to test it."""
    try:
        if not folder.is_absolute():
            return _("Bitte den ganzen Pfad angeben, vom Laufwerk an.")
        if not is_allowed(folder):
            # Do not reveal whether it exists.
            return _("Von hier aus geht das nur auf einen Stick oder eine externe Platte. Einen "
                     "anderen Ordner erlaubt KRRU_BACKUP_ROOTS am Rechner.")  # fmt: skip
        if not folder.exists():
            return _("Diesen Ordner gibt es nicht. Ist der Stick eingesteckt?")
        if not folder.is_dir():
            return _("Das ist eine Datei. Gebraucht wird ein Ordner.")
        with tempfile.TemporaryFile(dir=folder):
            return None
    except (OSError, ValueError):
        return _("In diesen Ordner kann KRRU nicht schreiben. Bitte einen anderen wählen.")


class HallForm(Refusable):
    hall = forms.CharField(
        label=gettext_lazy("Saalplan"),
        max_length=LONGEST_PLAN,
        required=False,
        help_text=gettext_lazy(
            "Eine Zeile Text ist ein Bereich. Darunter je Zeile eine Reihe Tische, wie sie "
            "stehen: Nummern, „1-6“ für sechs nebeneinander, ein Punkt für eine Lücke."
        ),
        widget=forms.Textarea(
            attrs={"rows": 10, "autocomplete": "off", "spellcheck": "false", "class": "hall-text"}
        ),
    )


class AboutForm(Refusable):
    """The club's place, description, contact and imprint; all optional."""

    venue = forms.CharField(label=gettext_lazy("Ort"), max_length=LONGEST_VENUE, required=False)
    address = forms.CharField(
        label=gettext_lazy("Adresse"),
        max_length=LONGEST_ADDRESS,
        required=False,
        help_text=gettext_lazy("Daraus wird der Link zur Karte."),
    )
    contact = PlainTextField(
        label=gettext_lazy("Kontakt"),
        max_length=LONGEST_CONTACT,
        required=False,
        help_text=gettext_lazy("Je Zeile eine Mailadresse, Telefonnummer oder Webadresse."),
    )
    description = PlainTextField(
        label=gettext_lazy("Über den Verein"), max_length=LONGEST_TEXT, required=False
    )
    house_text = PlainTextField(
        label=gettext_lazy("Hinweise des Hauses"),
        max_length=LONGEST_TEXT,
        required=False,
        help_text=gettext_lazy("Etwa: Einlass, Ausweis, Essen, Parken."),
    )
    imprint = PlainTextField(
        label=gettext_lazy("Impressum"),
        max_length=LONGEST_IMPRINT,
        required=False,
        help_text=gettext_lazy(
            "Wer für diese Seiten einsteht. Vereine brauchen es in Deutschland und Österreich."
        ),
    )
