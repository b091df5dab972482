"""The form to change a card of settings; fixed fields show their reason."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clock.selectors import clock_levels
from tournaments.changes.forms.parts import (
    ENTRY_TERMS,
    QuietHidden,
    Refusable,
    WholeNumbersField,
)
from tournaments.event.domain.hall_plan import LONGEST_TYPED, areas_text, areas_typed
from tournaments.event.domain.latecomers import breaks_planned
from tournaments.event.domain.prices import parts_text, parts_typed, rates_text, rates_typed
from tournaments.event.forms import fields
from tournaments.event.forms.event import START_FIELDS, StartForm
from tournaments.event.selectors.labels import part_words
from tournaments.event.selectors.settings.declared import PHASES, setting_names
from tournaments.event.selectors.settings.setting import Setting
from tournaments.event.services.names import LONGEST_NAME
from tournaments.event.services.settings import hall_words, parts_words
from tournaments.models import Event


class Row(NamedTuple):
    """Fields side by side, what they are about, and why some of them are fixed."""

    fields: list[forms.BoundField]
    heading: Any
    reasons: list[str]


_PARTS = partial(
    fields.TypedListField,
    label=_("Davon nicht in den Preistopf"),
    read=parts_typed,
    write=lambda parts: parts_text(parts, part_words()),
    words=parts_words,
)


class FixableForm(Refusable):
    """Values as they are now, some of them fixed.

    Each field carries its initial value: only this person's changes are saved, without undoing
    other changes since. A fixed field is disabled; an old page that still sends it gets the reason
    next to the field.
    """

    bound_field_class = QuietHidden
    obstacles: Mapping[str, str]

    def fix(self, obstacles: Mapping[str, str]) -> None:
        """Disable the fields with these reasons."""
        self.obstacles = obstacles
        for name, field in self.fields.items():
            field.show_hidden_initial = True
            if name in obstacles:
                field.disabled = not self.is_bound or name not in self.data

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for name in self.changed_data:
            if name in self.obstacles:
                self.add_error(name, self.obstacles[name])
                self.fields[name].disabled = True
        return data


class SettingsForm(FixableForm, StartForm):
    """A card of an existing tournament's settings.

    A setting without a field here gets one from its column and declaration.

    :param shown: The settings of the card.
    :param focus: The field to begin with.
    """

    late_registration_level = fields.LateField(label=_("Nachmeldung"))
    redraw_at = WholeNumbersField(
        label=_("Alle neu auslosen bei"),
        help_text=_("So viele sind noch im Spiel, etwa 27, 18. Leer: gar nicht."),
    )
    fee_cents = fields.PriceField(label=_("Startgeld"), help_text=_("Leer: Es kostet nichts."))
    fee_parts = _PARTS(
        help_text=_("Etwa: Haus 2, Bounty 5, Personal 1. Der Rest geht in den Preistopf.")
    )
    fee_rates = fields.TypedListField(
        label=_("Andere Preise"),
        help_text=_("Einer je Zeile, etwa: Mitglied 15, oder: Ohne Bounty 10: Haus 2. „Mitglied“ "
                    "und „Spät“ gelten von selbst, jeden anderen gibt die Anmeldung."),
        read=rates_typed,
        write=lambda rates: rates_text(rates, part_words()),
        words=partial(parts_words, is_rate=True),
        rows=3,
    )  # fmt: skip
    early_fee_cents = fields.PriceField(label=_("Frühbucherpreis"), help_text=_("Leer: keiner."))
    rebuy_level = fields.LateField(label=_("Re-buy"), required=False)
    rebuy_cents = fields.PriceField(label=_("Ein Re-buy kostet"))
    rebuy_parts = _PARTS()
    addon_level = fields.LateField(label=_("Add-on"), only_in_break=True, required=False)
    addon_cents = fields.PriceField(label=_("Ein Add-on kostet"))
    addon_parts = _PARTS()
    reentry_cents = fields.PriceField(
        label=_("Ein Re-entry kostet"), help_text=_("Leer: so viel wie das Startgeld.")
    )
    reentry_parts = _PARTS()
    payout_limit_cents = fields.PriceField(
        label=_("Auszahlen ohne Leitung höchstens"),
        help_text=_("Mehr auf einmal zahlt nur die Turnierleitung aus. Leer: ohne Grenze."),
    )
    areas = fields.TypedListField(
        label=_("Wo die Tische stehen"),
        help_text=_("Ein Bereich je Zeile, etwa: 1-6: Großer Saal, gleich beim Eingang. "
                    "So findet man hin: auf Telefon, Zettel und Listen für die Tür."),
        read=areas_typed,
        write=areas_text,
        words=hall_words,
        longest=LONGEST_TYPED,
        rows=3,
    )  # fmt: skip

    def __init__(
        self,
        *args: Any,
        event: Event,
        shown: Sequence[Setting],
        obstacles: Mapping[str, str],
        focus: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, initial=_initial(event), **kwargs)
        self.shown = shown
        for setting in shown:
            if setting.is_column and not set(setting.fields) <= set(self.fields):
                self.fields[setting.name] = fields.field_for(setting)
        breaks = breaks_planned(clock_levels(event.clock))
        for name in PHASES:
            late: fields.LateField = self.fields[name]  # type: ignore[assignment]
            late.know(self.initial.get(name), breaks)
        asked = {name for setting in shown for name in setting.fields}
        for name in self.fields.keys() - asked:  # of other cards, or with a page of their own
            del self.fields[name]
        start = obstacles.get("starts_at")
        self.fix({**obstacles, **(dict.fromkeys(START_FIELDS, start) if start else {})})
        for name in self.fields.keys() & self.obstacles.keys():
            self.fields[name].help_text = ""
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
            reasons = filter(None, map(self.obstacles.get, names))
            rows[-1].reasons.extend(one for one in reasons if one not in rows[-1].reasons)
        return [row for row in rows if row.fields]

    def changes(self) -> dict[str, Any]:
        """Return this person's changes, as far as they can be read, for `event_update`."""
        data, names = self.cleaned_data, set(self.changed_data)
        changed = {name: data[name] for name in names - set(START_FIELDS) if name in data}
        if names & set(START_FIELDS) and "starts_at" in data:
            changed["starts_at"] = data["starts_at"]
        return changed | fields.phase_settings(changed)


def _initial(event: Event) -> dict[str, Any]:
    names = setting_names(lambda setting: setting.is_column and setting.is_changeable)
    begins = timezone.localtime(event.starts_at)
    return {
        **{name: getattr(event, name) for name in names},
        **fields.phases_typed(event),
        "day": begins.date(),
        "time": begins.time().replace(second=0, microsecond=0),
        "paid_places": event.paid_places or None,
        # Empty without an offer.
        **{name: None for name in ENTRY_TERMS if getattr(event, name) == 0},
    }


# --- The name to save a plan or a set of rules for other evenings


class PresetNameForm(Refusable):
    name = fields.NameField(
        label=_("Name der Vorlage"),
        max_length=LONGEST_NAME,
        required_words=_("Die Vorlage braucht einen Namen."),
    )
