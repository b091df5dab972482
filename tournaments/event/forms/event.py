"""The form for a new tournament.

Services check the values again; here each fault goes to its field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Any

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.forms.utils import from_current_timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clock.domain import breaks_every
from clock.models import ScheduleTemplate
from tournaments.changes.domain.errors import Refused
from tournaments.changes.forms.parts import Refusable, WholeNumberField, WholeNumbersField
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.domain.games import Game, seat_limit
from tournaments.event.forms.entries import ENTRY_ROWS, EntryFields
from tournaments.event.forms.fields import (
    PHASES,
    LateField,
    Placed,
    PlacesFields,
    field_for,
    phase_settings,
)
from tournaments.event.selectors.labels import EVENT_KINDS, GAMES
from tournaments.event.selectors.settings.declared import SETTINGS, setting_names
from tournaments.event.selectors.settings.setting import Setting
from tournaments.models import Event, RulePreset

LONGEST_LEVEL_MINUTES = 240
USUAL_BREAK_MINUTES = 10
EVERY = re.compile(r"(alle|every)\b", re.IGNORECASE)
FARTHEST = timedelta(days=3 * 366)
START_FIELDS = ("day", "time")
CLOCK_ONLY = "clock"
# What the form asks for an evening with only cash tables, and what it takes as suggested.
ASKED_FOR_CASH = ("name", "kind", "cash_unit")
NOT_ASKED_FOR_CASH = ("game", "limit", "seats_per_table", "capacity")
# The rows of a new tournament's form; other fields get a row each after them.
Rows = tuple[tuple[str, ...], ...]
ROWS: Rows = (("game", "limit"), ("seats_per_table", "capacity", "rules"))
ROWS_BEHIND_MORE: Rows = (
    ("starting_stack",),
    ("late_registration_level", "draw_mode"),
    *ENTRY_ROWS,
    ("reserved_places", "members_first_until"),
    ("offer_minutes", "confirm_minutes"),
    ("no_show_minutes",),
    ("no_show",),
    ("paid_places", "redraw_at", "final_table_seats"),
    ("bounty_kind", "bounty_cut"),
    ("areas",),
)


class StartForm(Refusable):
    """Name and start; `cleaned_data["starts_at"]` is the instant. Enough for a copy."""

    name = forms.CharField(
        label=_("Name"),
        max_length=120,
        help_text=_("So steht er auf der Seite für alle und auf der Leinwand."),
        error_messages={
            "required": _("Der Abend braucht einen Namen."),
            "max_length": _("Höchstens %(limit_value)d Zeichen."),
        },
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    day = forms.DateField(
        label=_("Tag"),
        error_messages={
            "required": _("Bitte den Tag angeben."),
            "invalid": _("Bitte einen Tag angeben, den es gibt."),
        },
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    time = forms.TimeField(
        label=_("Beginn"),
        error_messages={
            "required": _("Bitte die Uhrzeit angeben."),
            "invalid": _("Bitte eine Uhrzeit wie 19:30 angeben."),
        },
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.today = today

    def clean_day(self) -> date:
        day: date = self.cleaned_data["day"]
        if "day" in self.changed_data:
            if day < self.today:
                raise forms.ValidationError(
                    _("Dieser Tag ist schon vorbei. Früheres wird bei den Ligen nachgetragen.")
                )
            if day > self.today + FARTHEST:
                raise forms.ValidationError(_("Das liegt sehr weit voraus. Stimmt das Jahr?"))
        return day

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("day") and data.get("time") is not None:
            try:
                data["starts_at"] = from_current_timezone(
                    datetime.combine(data["day"], data["time"])
                )
            except forms.ValidationError:
                self.add_error(
                    "time",
                    _("An diesem Tag wird die Uhr umgestellt. Bitte eine andere Uhrzeit wählen."),
                )
        return data


class CopyForm(StartForm):
    """Name and start of a copy, and its plan if the evening changed it."""

    plan = forms.ChoiceField(label=_("Blindplan"), required=False, widget=forms.RadioSelect)

    def __init__(self, *args: Any, plans: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(plans) == 1:
            del self.fields["plan"]
            return
        labels = (_("wie am Start: %(plan)s"), _("mit den Änderungen des Abends: %(plan)s"))
        choices = zip(("", "changed"), labels, plans, strict=True)
        self.fields["plan"].choices = [  # type: ignore[attr-defined]
            (value, label % {"plan": plan}) for value, label, plan in choices
        ]


class PlanFields(forms.Form):
    """The schedule, its level length, and inserted breaks."""

    schedule = forms.ChoiceField(
        label=_("Blindplan"),
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Bitte einen Blindplan wählen."),
            "invalid_choice": _("Diesen Blindplan gibt es nicht."),
        },
    )
    level_minutes = WholeNumberField(
        label=_("Minuten je Stufe"),
        least=1,
        most=LONGEST_LEVEL_MINUTES,
        required=False,
        help_text=_("Leer: wie im Blindplan."),
    )
    break_after = forms.CharField(
        label=_("Pause nach Stufe"),
        required=False,
        max_length=200,
        help_text=_("Etwa 4, 8 oder alle 4. Leer: keine."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    break_minutes = WholeNumberField(
        label=_("Minuten je Pause"),
        least=1,
        most=LONGEST_LEVEL_MINUTES,
        empty=USUAL_BREAK_MINUTES,
        initial=USUAL_BREAK_MINUTES,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = ScheduleTemplate.objects.order_by("starting_stack", "name")
        self.templates = {row.name: row for row in rows}
        text = _("%(name)s (%(stack)s\u00a0Chips, %(minutes)s\u00a0min)")
        words = [(row.name, intcomma(row.starting_stack), row.level_minutes) for row in rows]
        self.fields["schedule"].choices = [  # type: ignore[attr-defined]
            (name, text % {"name": name, "stack": stack, "minutes": minutes})
            for name, stack, minutes in words
        ]

    def clean_break_after(self) -> list[int]:
        template = self.templates.get(self.cleaned_data.get("schedule", ""))
        return breaks_typed(self.cleaned_data["break_after"], template)

    def breaks(self) -> dict[int, int]:
        """Return the typed breaks: minutes by the number of the level before."""
        data = self.cleaned_data
        minutes = data.get("break_minutes") or USUAL_BREAK_MINUTES
        return dict.fromkeys(data.get("break_after") or (), minutes)


def breaks_typed(text: str, template: ScheduleTemplate | None) -> list[int]:
    """Parse the levels before breaks, typed as "4, 8" or "alle 4".

    :raises forms.ValidationError: When it says something else, or no level follows the break.
    """
    is_every, numbers = EVERY.match(text.strip()), WholeNumbersField()
    after = numbers.clean(text[is_every.end() :] if is_every else text)
    if is_every and len(after) != 1:
        raise forms.ValidationError(_("Bitte sagen, alle wie viele Stufen, etwa: alle 4."))
    if template is None:
        return []
    last = template.levels.filter(kind="play").count()
    if not all(1 <= number < last for number in after):
        raise forms.ValidationError(
            _("Eine Pause geht nach Stufe 1 bis %(last)d: Der Plan hat %(levels)d Stufen.")
            % {"last": last - 1, "levels": last}
        )
    return breaks_every(after[0], last) if is_every else sorted(set(after))


def breaks_text(after: Iterable[int], levels: int) -> str:
    """Return breaks as typed, as "alle 4" if equivalent."""
    numbers = sorted(after)
    if len(numbers) > 1 and numbers == breaks_every(numbers[0], levels):
        return gettext("alle %(every)d") % {"every": numbers[0]}
    return ", ".join(map(str, numbers))


class ScheduleForm(PlanFields, Refusable):
    """Another schedule for a tournament before its start."""


class SettingFields(EntryFields, PlacesFields, StartForm):
    """The settings of a tournament except its schedule.

    A setting without a field here gets one from its column and declaration.
    """

    rules = forms.ChoiceField(label=_("Regeln"))
    late_registration_level = LateField(label=_("Nachmeldung"))
    redraw_at = WholeNumbersField(
        label=_("Alle neu auslosen bei"),
        help_text=_("So viele sind noch im Spiel, etwa 27, 18. Leer: gar nicht."),
    )

    def __init__(
        self,
        *args: Any,
        asked: Iterable[Setting],
        breaks: Sequence[int] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.optional = set(
            setting_names(lambda setting: setting.may_be_empty or setting.typed.is_optional)
        )
        for setting in asked:
            if setting.is_column and not set(setting.fields) <= set(self.fields):
                self.fields[setting.name] = field_for(setting)
        self.presets = {row.key: row for row in RulePreset.objects.order_by("pk")}
        self._choose("rules", [(key, row.name) for key, row in self.presets.items()])
        for name in PHASES:
            late: LateField = self.fields[name]  # type: ignore[assignment]
            late.know(self.initial.get(name), breaks)

    def _choose(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def rows_of(self, rows: Iterable[Iterable[str]]) -> list[list[Placed]]:
        """Return the fields of these names, row by row."""
        return [[Placed(self[name], name in self.optional) for name in row] for row in rows]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        game, seats = data.get("game"), data.get("seats_per_table")
        if game and seats and seats > seat_limit(Game(game)):
            self.add_error(
                "seats_per_table",
                _("Bei %(game)s sitzen höchstens %(most)d an einem Tisch.")
                % {"game": GAMES[game], "most": seat_limit(Game(game))},
            )
        return data


class NewEventForm(SettingFields, PlanFields):
    """All fields for a new tournament; rarely changed ones have a default."""

    kind = forms.ChoiceField(
        label=_("Was gespielt wird"),
        required=False,
        widget=forms.RadioSelect,
        choices=[*EVENT_KINDS.items(), (CLOCK_ONLY, _("Turnier, nur die Uhr"))],
        initial=Event.Kind.TOURNAMENT,
        help_text=_(
            "Nur die Uhr: ohne Namen, Tische und Plätze. Spieler und Re-buys werden gezählt."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.asked = [
            setting for setting in SETTINGS if setting.is_asked_when_made or setting.is_behind_more
        ]
        super().__init__(*args, asked=self.asked, **kwargs)
        self.initial.setdefault("rules", next(iter(self.presets), ""))
        self.optional.add("starting_stack")
        self.fields["starting_stack"].required = False
        self.fields["starting_stack"].help_text = _("Leer: so viel, wie der Blindplan vorsieht.")

    def rows(self) -> list[list[Placed]]:
        """Return the rows below name, start and schedule."""
        return self._with_others(ROWS, is_behind_more=False)

    def rows_behind_more(self) -> list[list[Placed]]:
        """Return the rows shown on demand."""
        return self._with_others(ROWS_BEHIND_MORE, is_behind_more=True)

    def _with_others(self, rows: Rows, *, is_behind_more: bool) -> list[list[Placed]]:
        placed = {*StartForm.base_fields, *ASKED_FOR_CASH, *chain.from_iterable(rows)}
        others = (
            (name,)
            for setting in self.asked
            if setting.is_behind_more == is_behind_more
            for name in setting.fields
            if name not in placed
        )
        return self.rows_of([*rows, *others])

    def know_breaks(self, breaks: Sequence[int]) -> None:
        """Offer only breaks of the chosen plan in fields that end at a break."""
        for name in PHASES:
            phase: LateField = self.fields[name]  # type: ignore[assignment]
            phase.know(self[name].value(), breaks)

    def phases(self) -> list[forms.BoundField]:
        """Return the fields that depend on the plan's breaks."""
        return [self[name] for name in PHASES]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        data["is_clock_only"] = data.get("kind") == CLOCK_ONLY
        if data["is_clock_only"] or not data.get("kind"):
            data["kind"] = Event.Kind.TOURNAMENT
        if data["kind"] == Event.Kind.CASH_GAME:
            for name in self.errors.keys() - {*ASKED_FOR_CASH, *START_FIELDS}:
                del self.errors[name]
        return data

    def service_values(self) -> dict[str, Any]:
        """Return the arguments for `event_create`."""
        if self.cleaned_data["kind"] == Event.Kind.CASH_GAME:
            templates, presets = self.templates, self.presets
            schedule = templates.get(self.initial["schedule"], next(iter(templates.values())))
            preset = presets.get(self.initial["rules"], next(iter(presets.values())))
            asked = {name: self.cleaned_data[name] for name in (*ASKED_FOR_CASH, "starts_at")}
            suggested = {name: self.initial[name] for name in NOT_ASKED_FOR_CASH}
            return asked | suggested | {"schedule": schedule, "preset": preset}
        names = setting_names(lambda setting: setting.is_asked_when_made)
        further = ("level_minutes", "is_clock_only", "no_show")
        return {
            **{name: self.cleaned_data[name] for name in (*names, *further)},
            **phase_settings(self.cleaned_data),
            "schedule": self.templates[self.cleaned_data["schedule"]],
            "breaks": self.breaks(),
            "preset": self.presets[self.cleaned_data["rules"]],
        }


# --- The forms to call a tournament off, or to end it without a winner


class CancelForm(Refusable):
    reason = forms.CharField(
        label=_("Grund"),
        required=False,
        max_length=500,
        help_text=_("Steht im Protokoll."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class StacksForm(Refusable):
    """The remaining players' chips: all or none.

    The service refuses a sum that differs from the chips in play until it is confirmed.
    """

    is_sure = forms.BooleanField(label=_("Die Zahlen stimmen trotzdem"), required=False)

    def __init__(self, *args: Any, players: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players
        self.asks = False
        for entry, name in players.items():
            self.fields[_stack(entry)] = WholeNumberField(
                label=name, least=0, most=MOST_CHIPS, required=False
            )

    def stack_fields(self) -> list[forms.BoundField]:
        return [self[_stack(entry)] for entry in self.players]

    def clean(self) -> dict[str, Any]:
        counted = self.stacks() or {}
        if counted or self.errors:
            for entry in self.players:
                if entry not in counted and _stack(entry) not in self.errors:
                    self.add_error(_stack(entry), _("Bitte auch diese Chips zählen."))
        return self.cleaned_data

    def refuse(self, refusal: Refused) -> None:
        """Ask to confirm a sum that differs from the chips in play."""
        self.asks = refusal.code == "chips_differ"
        super().refuse(refusal)

    def stacks(self) -> dict[int, int] | None:
        """Return chips by entry, or None if not counted."""
        counted = {entry: self.cleaned_data.get(_stack(entry)) for entry in self.players}
        return {entry: chips for entry, chips in counted.items() if chips is not None} or None


def _stack(entry: int) -> str:
    return f"stack_{entry}"
