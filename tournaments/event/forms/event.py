"""The forms for a new tournament, and the fields of its settings.

Services check the values again; here each fault goes to its field.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
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
from tournaments.event.domain.games import FEWEST_SEATS, MOST_SEATS
from tournaments.event.forms.fields import NameField, PriceField, TimeOfDayField
from tournaments.event.selectors.labels import CASH_UNITS
from tournaments.event.selectors.plans import USUAL_BREAK_MINUTES
from tournaments.event.selectors.settings.entries import CAPACITY_LIMIT
from tournaments.models import Event

LONGEST_LEVEL_MINUTES = 240
EVERY = re.compile(r"(alle|every)\b", re.IGNORECASE)
FARTHEST = timedelta(days=3 * 366)
START_FIELDS = ("day", "time")
CLOCK_ONLY = "clock"
START = ("name", *START_FIELDS)
# What the form of a new evening asks besides name and start, by what is played.
ASKED = {
    Event.Kind.TOURNAMENT: ("ends", "players", "seats_per_table", "fee_cents", "schedule"),
    CLOCK_ONLY: ("ends", "players", "schedule"),
    Event.Kind.CASH_GAME: ("cash_unit",),
}


class StartForm(Refusable):
    """Name and start; `cleaned_data["starts_at"]` is the instant. Enough for a copy."""

    name = NameField(
        label=_("Name"),
        max_length=120,
        help_text=_("So steht er auf der Seite für alle und auf der Leinwand."),
        required_words=_("Der Abend braucht einen Namen."),
    )
    day = forms.DateField(
        label=_("Tag"),
        error_messages={
            "required": _("Bitte den Tag angeben."),
            "invalid": _("Bitte einen Tag angeben, den es gibt."),
        },
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    time = TimeOfDayField(label=_("Beginn"), invalid=_("Bitte eine Uhrzeit wie 19:30 angeben."))

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


class PlanField(forms.Form):
    schedule = forms.ChoiceField(
        label=_("Blindplan"),
        error_messages={
            "required": _("Bitte einen Blindplan wählen."),
            "invalid_choice": _("Diesen Blindplan gibt es nicht."),
        },
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

    def values(self) -> dict[str, Any]:
        """Return what is filled in so far: typed, or as the form begins."""
        if self.is_bound:
            self.is_valid()  # validates once; again, a service's refusal would be lost
        return dict(self.cleaned_data if self.is_bound else self.initial)


class ScheduleForm(PlanField, Refusable):
    """Another schedule for a tournament before its start, its level length and its breaks."""

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

    def clean_break_after(self) -> list[int]:
        template = self.templates.get(self.cleaned_data.get("schedule", ""))
        return breaks_typed(self.cleaned_data["break_after"], template)

    def breaks(self) -> dict[int, int]:
        """Return the typed breaks: minutes by the number of the level before."""
        values = self.values()
        minutes = values.get("break_minutes") or USUAL_BREAK_MINUTES
        after = values.get("break_after") or ()
        if isinstance(after, str):
            after = breaks_typed(after, self.templates.get(values.get("schedule", "")))
        return dict.fromkeys(after, minutes)


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


class NewEventForm(PlanField, StartForm):
    """What a new evening needs; the rest is in its settings.

    :param played: What is played: a kind of event, or only a clock.
    """

    ends = TimeOfDayField(
        label=_("Schluss gegen"), invalid=_("Bitte eine Uhrzeit wie 19:30 angeben.")
    )
    players = WholeNumberField(label=_("Wir sind etwa"), least=2, most=CAPACITY_LIMIT)
    seats_per_table = WholeNumberField(
        label=_("Plätze je Tisch"), least=FEWEST_SEATS, most=MOST_SEATS
    )
    fee_cents = PriceField(label=_("Startgeld"), help_text=_("Leer: um nichts."))
    cash_unit = forms.ChoiceField(
        label=_("Am Cash-Tisch gespielt um"), choices=list(CASH_UNITS.items())
    )

    def __init__(self, *args: Any, played: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.played = played
        self.fields["name"].help_text = ""
        if played == CLOCK_ONLY:
            self.fields["players"].label = _("Spieler etwa")
        for name in self.fields.keys() - {*START, *ASKED[played]}:
            del self.fields[name]
        self.order_fields([*START, *ASKED[played]])

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("ends") and data["ends"] == data.get("time"):
            self.add_error("ends", _("Der Schluss ist nicht der Beginn."))
        return data

    def service_values(self) -> dict[str, Any]:
        """Return the values of these fields for `event_create`."""
        data = self.cleaned_data
        found = {name: data[name] for name in ("name", "starts_at")}
        if self.played == Event.Kind.CASH_GAME:
            return found | {"kind": self.played, "cash_unit": data["cash_unit"]}
        seats = data.get("seats_per_table")
        own = {"fee_cents": data["fee_cents"], "seats_per_table": seats} if seats else {}
        return {
            **found,
            **own,
            "capacity": full_tables(data["players"], seats or 1),
            "schedule": self.templates[data["schedule"]],
            "is_clock_only": self.played == CLOCK_ONLY,
        }


def full_tables(players: int, seats: int) -> int:
    """Return the places of the tables that so many players need.

    >>> full_tables(44, 8), full_tables(48, 8)
    (48, 48)
    """
    return -(-players // seats) * seats


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
