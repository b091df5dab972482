"""What a director fills in to make a tournament.

Whether it holds, the services say again; here each fault finds the field it is about.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.forms.utils import from_current_timezone
from django.utils.translation import gettext_lazy as _

from clock.models import ScheduleTemplate
from tournaments.changes.forms.parts import (
    MOST_CHIPS,
    Refusable,
    WholeNumberField,
    WholeNumbersField,
)
from tournaments.event.domain.betting import FEWEST_SEATS, MOST_SEATS, Game, seat_limit
from tournaments.event.forms.places import (
    LateField,
    PlacesFields,
    late_settings,
)
from tournaments.event.selectors.event_settings import setting_names
from tournaments.event.selectors.words import DRAW_MODES, GAMES, LIMITS
from tournaments.models import RulePreset

MOST_PLACES = 50_000
LONGEST_LEVEL_MINUTES = 240
FARTHEST = timedelta(days=3 * 366)
START_FIELDS = ("day", "time")


class StartForm(Refusable):
    """Name and beginning; `cleaned_data["starts_at"]` is the instant. All a copy asks for."""

    name = forms.CharField(
        label=_("Name"),
        max_length=120,
        help_text=_("So steht er auf der Turnierseite und auf der Leinwand."),
        error_messages={
            "required": _("Das Turnier braucht einen Namen."),
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
                raise forms.ValidationError(_("Dieser Tag ist schon vorbei."))
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


class PlanFields(forms.Form):
    """Which schedule, and how long a level lasts."""

    schedule = forms.ChoiceField(
        label=_("Blindplan"),
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Bitte einen Blindplan wählen."),
            "invalid_choice": _("Diesen Blindplan gibt es nicht."),
        },
    )
    level_minutes = WholeNumberField(
        label=_("Minuten je Stufe"), least=1, most=LONGEST_LEVEL_MINUTES
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.templates = {row.name: row for row in ScheduleTemplate.objects.all()}
        self.fields["schedule"].choices = [  # type: ignore[attr-defined]
            (name, _("%(name)s (%(stack)s\u00a0Chips)") % {"name": name, "stack": stack})
            for name, stack in ((row.name, row.starting_stack) for row in self.templates.values())
        ]


class ScheduleForm(PlanFields, Refusable):
    """Another schedule for a tournament that has not begun."""


class SettingFields(PlacesFields, StartForm):
    """The settings of a tournament beside its schedule."""

    capacity = WholeNumberField(label=_("Teilnehmer höchstens"), least=2, most=MOST_PLACES)
    seats_per_table = WholeNumberField(
        label=_("Plätze je Tisch"), least=FEWEST_SEATS, most=MOST_SEATS
    )
    game = forms.ChoiceField(label=_("Spiel"), choices=list(GAMES.items()))
    limit = forms.ChoiceField(label=_("Limit"), choices=list(LIMITS.items()))
    rules = forms.ChoiceField(label=_("Regeln"))
    starting_stack = WholeNumberField(label=_("Startstapel in Chips"), least=1, most=MOST_CHIPS)
    late_registration_level = LateField(label=_("Nachmeldung"))
    draw_mode = forms.ChoiceField(label=_("Plätze auslosen"), choices=list(DRAW_MODES.items()))
    paid_places = WholeNumberField(
        label=_("Bezahlte Plätze"),
        least=0,
        most=MOST_PLACES,
        required=False,
        help_text=_("Leer: noch nicht festgelegt."),
    )
    redraw_at = WholeNumbersField(
        label=_("Alle neu auslosen bei"),
        help_text=_("So viele sind noch im Spiel, etwa 27, 18. Leer: gar nicht."),
    )
    final_table_seats = WholeNumberField(
        label=_("Plätze am Finaltisch"),
        least=FEWEST_SEATS,
        most=MOST_SEATS,
        required=False,
        help_text=_("Leer: wie es die Regeln vorsehen."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.presets = {row.key: row for row in RulePreset.objects.order_by("pk")}
        self._choose("rules", [(key, row.name) for key, row in self.presets.items()])
        late: LateField = self.fields["late_registration_level"]  # type: ignore[assignment]
        late.know(self.initial.get("late_registration_level"))

    def _choose(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean_paid_places(self) -> int:
        return self.cleaned_data["paid_places"] or 0

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
    """All that makes a tournament; what is rarely changed has its default."""

    is_clock_only = forms.BooleanField(
        label=_("Nur die Uhr"),
        required=False,
        help_text=_("Ohne Namen, Tische und Plätze: Spieler und Re-buys werden nur gezählt."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("rules", next(iter(self.presets), ""))
        self.fields["starting_stack"].required = False
        self.fields["starting_stack"].help_text = _("Leer: so viel, wie der Blindplan vorsieht.")

    def service_values(self) -> dict[str, Any]:
        """Return what `event_create` takes."""
        names = setting_names(lambda setting: setting.is_asked_when_made)
        further = ("level_minutes", "is_clock_only", "no_show")
        return {
            **{name: self.cleaned_data[name] for name in (*names, *further)},
            **late_settings(self.cleaned_data["late_registration_level"]),
            "schedule": self.templates[self.cleaned_data["schedule"]],
            "preset": self.presets[self.cleaned_data["rules"]],
        }
