"""The forms of the club's settings."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from krru.backups import is_allowed
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.schedule_files import MOST_BYTES


class ClubForm(forms.Form):
    """The club's name, and the folder of the backup each minute."""

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

    def refuse(self, refusal: Refused) -> None:
        self.add_error("name" if refusal.code == "no_name" else None, str(refusal))


class PassphraseForm(forms.Form):
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

    def refuse(self, refusal: Refused) -> None:
        self.add_error("passphrase", str(refusal))


class ColourForm(forms.Form):
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


class LogoForm(forms.Form):
    """A picture for the big screen's corner."""

    logo = forms.FileField(
        label=gettext_lazy("Logo"),
        help_text=gettext_lazy("PNG, JPEG, WebP oder SVG, höchstens 300 KB."),
        error_messages={
            "required": gettext_lazy("Bitte zuerst eine Datei wählen."),
            "empty": gettext_lazy("Diese Datei ist leer."),
        },
        widget=forms.FileInput(attrs={"accept": ".png,.jpg,.jpeg,.webp,.svg"}),
    )


class ScheduleFileForm(forms.Form):
    """A blind schedule's file."""

    schedule = forms.FileField(
        label=gettext_lazy("Datei eines Blindplans"),
        error_messages={
            "required": gettext_lazy("Bitte zuerst eine Datei wählen."),
            "empty": gettext_lazy("Diese Datei ist leer."),
        },
        widget=forms.FileInput(attrs={"accept": ".json"}),
    )

    def clean_schedule(self) -> Any:
        """Refuse too large a file."""
        sent = self.cleaned_data["schedule"]
        if sent.size > MOST_BYTES:
            raise forms.ValidationError(_("Das ist keine Datei eines Blindplans."))
        return sent


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
