"""Forms on players' phones: register, correct data, announce a late arrival."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from krru.background.mailing import sends_mail
from tournaments.models import Event
from tournaments.people.forms.person import LONGEST_TYPED, AsksIfDouble, PersonForm

# A time of day counts for the day of the start from this long before it.
MUCH_EARLIER = timedelta(hours=6)


class OwnForm(PersonForm):
    """A person's own data, to correct later."""

    remark = forms.CharField(
        label=_("Bemerkung"),
        max_length=LONGEST_TYPED,
        required=False,
        help_text=_("Was die Turnierleitung wissen sollte, etwa: Platz am Rand wegen Rollstuhl."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "maxlength": 300}),
    )
    is_listed = forms.BooleanField(
        label=_("Mein Name darf auf der Turnierseite stehen"),
        required=False,
        help_text=_("Ohne Haken stehen in Ergebnis und Auslosungen nur deine Initialen."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Dein Name")
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        self.fields["name"].help_text = _("Vor- und Nachname, wie auf der Liste am Eingang.")
        self.fields["email"].widget.attrs["autocomplete"] = "email"
        self.fields["phone"].widget.attrs["autocomplete"] = "tel"
        if sends_mail():
            self.fields["email"].help_text = _(
                "Dein Platz und dein Link kommen dann auch per Mail."
            )


class RegisterForm(AsksIfDouble, OwnForm):
    """A visitor's registration."""

    is_member = forms.BooleanField(label=_("Ich bin Vereinsmitglied"), required=False)
    is_cash_guest = forms.BooleanField(
        label=_("Ich spiele nur Cash"),
        required=False,
        help_text=_("Ohne Startgeld und ohne Platz im Turnier."),
    )
    agrees_to_rules = forms.BooleanField(
        label=_("Ich spiele nach diesen Regeln"),
        error_messages={"required": _("Ohne die Regeln geht es nicht: bitte zustimmen.")},
    )
    # Invisible to people; robots fill in every field.
    website = forms.CharField(
        label=_("Webseite (bitte leer lassen)"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "tabindex": "-1"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("website"):
            self.add_error(None, _("Das Feld „Webseite“ bitte leer lassen."))
        return cleaned

    def wanted(self) -> dict[str, Any]:
        """Return the service's arguments."""
        typed = self.cleaned_data
        same = ("name", "email", "phone", "remark", "is_listed", "is_cash_guest", "agrees_to_rules")
        return {
            **{name: typed[name] for name in same},
            "is_member": typed["is_member"] or None,
            "is_namesake": typed["is_other"] == self.SAME,
            "is_somebody_else": typed["is_other"] == self.ALIKE,
        }


class LaterForm(forms.Form):
    """A late arrival: a time of day."""

    at = forms.TimeField(
        label=_("Ich komme um"),
        error_messages={
            "required": _("Bitte eine Uhrzeit eingeben."),
            "invalid": _("Das ist keine Uhrzeit."),
        },
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )

    def instant(self, event: Event) -> datetime:
        """Return the first instant with this time of day, from some hours before the start."""
        earliest = timezone.localtime(event.starts_at - MUCH_EARLIER)
        found = self._on(earliest)
        return found if found >= earliest else self._on(earliest + timedelta(days=1))

    def _on(self, day: datetime) -> datetime:
        return timezone.make_aware(datetime.combine(day.date(), self.cleaned_data["at"]))
