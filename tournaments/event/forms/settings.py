"""The form to change a tournament; fixed fields show their reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clock.selectors import clock_levels
from tournaments.changes.forms.parts import ENTRY_TERMS, QuietHidden, Refusable
from tournaments.event.domain.latecomers import breaks_planned
from tournaments.event.forms.event import START_FIELDS, SettingFields
from tournaments.event.forms.fields import Placed, phase_settings, phases_typed
from tournaments.event.selectors.settings.declared import SETTINGS, is_of_cash, setting_names
from tournaments.event.selectors.settings.setting import Section
from tournaments.event.services.names import LONGEST_NAME
from tournaments.models import Event


class SettingsForm(SettingFields):
    """The settings of an existing tournament.

    Each field carries its initial value: only this person's changes are saved, without undoing
    other changes since. A field in `obstacles` is disabled with its reason; an old page that still
    sends it gets the reason next to the field.
    """

    bound_field_class = QuietHidden

    def __init__(
        self, *args: Any, event: Event, obstacles: Mapping[str, str], **kwargs: Any
    ) -> None:
        asked = [setting for setting in SETTINGS if setting.section]
        breaks = breaks_planned(clock_levels(event.clock))
        super().__init__(*args, asked=asked, breaks=breaks, initial=_initial(event), **kwargs)
        self.obstacles = {_field_of(name): reason for name, reason in obstacles.items()}
        self.shown = [one for one in asked if not event.is_cash_only or is_of_cash(one)]
        fields = {name for setting in self.shown for name in setting.fields}
        for name in self.fields.keys() - fields:  # have pages of their own, or are a tournament's
            del self.fields[name]
        for name, field in self.fields.items():
            field.show_hidden_initial = True
            if self._obstacle(name):
                field.help_text = "" if name == "time" else self._obstacle(name) or ""
                field.disabled = not self.is_bound or name not in self.data

    def rows(self) -> dict[Section, list[list[Placed]]]:
        """Return the rows of each section; a section with its own page is empty."""
        rows: dict[Section, list[list[str]]] = {section: [] for section in Section}
        for setting in self.shown:
            if setting.section:
                names = [name for name in setting.fields if name in self.fields]
                if setting.is_beside:
                    rows[setting.section][-1] += names
                else:
                    rows[setting.section].append(names)
        return {section: self.rows_of(found) for section, found in rows.items()}

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        for name in self.changed_data:
            reason = self._obstacle(name)
            if reason:
                self.add_error(name, reason)
                self.fields[name].help_text = ""
                self.fields[name].disabled = True
        return data

    def changes(self) -> dict[str, Any]:
        """Return this person's changes for `event_update`."""
        data = self.cleaned_data
        changed = {name: data[name] for name in self.changed_data if name not in START_FIELDS}
        if set(START_FIELDS) & set(self.changed_data):
            changed["starts_at"] = data["starts_at"]
        return changed | phase_settings(changed)

    def _obstacle(self, name: str) -> str | None:
        return self.obstacles.get("day" if name == "time" else name)


def _field_of(setting: str) -> str:
    return "day" if setting == "starts_at" else setting


def _initial(event: Event) -> dict[str, Any]:
    names = setting_names(lambda setting: setting.is_column and setting.is_changeable)
    begins = timezone.localtime(event.starts_at)
    return {
        **{name: getattr(event, name) for name in names},
        **phases_typed(event),
        "day": begins.date(),
        "time": begins.time().replace(second=0, microsecond=0),
        "paid_places": event.paid_places or None,
        # Empty without an offer.
        **{name: None for name in ENTRY_TERMS if getattr(event, name) == 0},
    }


# --- The name to save a plan or a set of rules for other evenings


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
