"""The figures from which a blind schedule is planned."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.forms.utils import from_current_timezone
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.domain.planning.planner import Wish
from tournaments.event.forms.event import LONGEST_LEVEL_MINUTES
from tournaments.event.forms.fields import TimeOfDayField
from tournaments.event.selectors.settings.entries import CAPACITY_LIMIT

JUMPS = [
    (140, _("sanft: höchstens das 1,4-Fache")),
    (150, _("höchstens das 1,5-Fache")),
    (170, _("üblich: höchstens das 1,7-Fache")),
    (200, _("steil: bis zum Doppelten")),
]
DAY = timedelta(days=1)


class WishForm(Refusable):
    """The figures of an evening; empty breaks and antes mean none."""

    players = WholeNumberField(label=_("Spieler"), least=2, most=CAPACITY_LIMIT)
    stack = WholeNumberField(label=_("Startstapel"), least=1, most=MOST_CHIPS)
    ends_at = TimeOfDayField(label=_("Ende um"))
    level_minutes = WholeNumberField(
        label=_("Minuten je Stufe"), least=3, most=LONGEST_LEVEL_MINUTES
    )
    break_every = WholeNumberField(
        label=_("Pause nach je … Stufen"), least=2, most=20, required=False, empty=0
    )
    break_minutes = WholeNumberField(label=_("Minuten je Pause"), least=1, most=240)
    percent = forms.TypedChoiceField(label=_("Sprung der Blinds"), choices=JUMPS, coerce=int)
    depth = WholeNumberField(label=_("Big Blinds am Anfang"), least=10, most=500)
    ante_from = WholeNumberField(
        label=_("Big-Blind-Ante ab Stufe"), least=1, most=60, required=False, empty=0
    )

    def __init__(self, *args: Any, begins_at: datetime, **own: Any) -> None:
        super().__init__(*args, **own)
        self.begins_at = begins_at

    def wish(self) -> Wish:
        """Return the figures of a valid form; an end before the start is on the next day."""
        data = self.cleaned_data
        return Wish(
            **{name: data[name] for name in data if name != "ends_at"},
            minutes=int((self.end() - self.begins_at) / timedelta(minutes=1)),
        )

    def end(self) -> datetime:
        """Return the wished end as an instant, of a valid form."""
        day = localtime(self.begins_at).date()
        found = from_current_timezone(datetime.combine(day, self.cleaned_data["ends_at"]))
        if found <= self.begins_at:
            found = from_current_timezone(datetime.combine(day + DAY, self.cleaned_data["ends_at"]))
        return found


class MinutesForm(forms.Form):
    """The length of the levels to come."""

    minutes = WholeNumberField(
        label=_("Minuten je Stufe, ab der nächsten"), least=1, most=LONGEST_LEVEL_MINUTES
    )
