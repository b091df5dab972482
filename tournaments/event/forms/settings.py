"""The form to change a card of settings; fixed fields show their reason."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clock.selectors import clock_levels
from tournaments.changes.forms.parts import ENTRY_TERMS, QuietHidden, Refusable
from tournaments.event.domain.latecomers import breaks_planned
from tournaments.event.forms.event import START_FIELDS, SettingFields
from tournaments.event.forms.fields import phase_settings, phases_typed
from tournaments.event.selectors.settings.declared import setting_names
from tournaments.event.selectors.settings.setting import Setting
from tournaments.event.services.names import LONGEST_NAME
from tournaments.models import Event


class Row(NamedTuple):
    """Fields side by side, what they are about, and why some of them are fixed."""

    fields: list[forms.BoundField]
    heading: Any
    reasons: list[str]


class SettingsForm(SettingFields):
    """A card of an existing tournament's settings.

    Each field carries its initial value: only this person's changes are saved, without undoing
    other changes since. A field in `obstacles` is disabled with its reason; an old page that still
    sends it gets the reason next to the field.

    :param shown: The settings of the card.
    :param focus: The field to begin with.
    """

    bound_field_class = QuietHidden

    def __init__(
        self,
        *args: Any,
        event: Event,
        shown: Sequence[Setting],
        obstacles: Mapping[str, str],
        focus: str = "",
        **kwargs: Any,
    ) -> None:
        breaks = breaks_planned(clock_levels(event.clock))
        super().__init__(*args, asked=shown, breaks=breaks, initial=_initial(event), **kwargs)
        self.obstacles = {_field_of(name): reason for name, reason in obstacles.items()}
        self.shown = shown
        fields = {name for setting in self.shown for name in setting.fields}
        for name in self.fields.keys() - fields:  # of other cards, or with a page of their own
            del self.fields[name]
        for name, field in self.fields.items():
            field.show_hidden_initial = True
            if self._obstacle(name):
                field.help_text = ""
                field.disabled = not self.is_bound or name not in self.data
        if focus in self.fields:
            self.fields[focus].widget.attrs["autofocus"] = True

    def rows(self) -> list[Row]:
        """Return the rows of the card."""
        rows: list[Row] = []
        for setting in self.shown:
            if not rows or not setting.is_beside:
                rows.append(Row([], setting.heading, []))
            names = [name for name in setting.fields if name in self.fields]
            rows[-1].fields.extend(self[name] for name in names)
            reasons = filter(None, map(self._obstacle, names))
            rows[-1].reasons.extend(one for one in reasons if one not in rows[-1].reasons)
        return [row for row in rows if row.fields]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        for name in self.changed_data:
            reason = self._obstacle(name)
            if reason:
                self.add_error(name, reason)
                self.fields[name].disabled = True
        return data

    def changes(self) -> dict[str, Any]:
        """Return this person's changes, as far as they can be read, for `event_update`."""
        data, names = self.cleaned_data, set(self.changed_data)
        changed = {name: data[name] for name in names - set(START_FIELDS) if name in data}
        if names & set(START_FIELDS) and "starts_at" in data:
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
