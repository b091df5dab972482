"""The form to open a rehearsal."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.games import FEWEST_SEATS, MOST_SEATS
from tournaments.practice.services.rehearsal import FEWEST_PLAYERS, MOST_PLAYERS

LONGEST_LEVEL_MINUTES = 60


class RehearsalForm(Refusable):
    """Size of the invented field, and length of its levels."""

    players = WholeNumberField(
        label=_("Spieler"), least=FEWEST_PLAYERS, most=MOST_PLAYERS, initial=27
    )
    seats_per_table = WholeNumberField(
        label=_("Plätze je Tisch"), least=FEWEST_SEATS, most=MOST_SEATS, initial=9
    )
    level_minutes = WholeNumberField(
        label=_("Minuten je Stufe"),
        least=1,
        most=LONGEST_LEVEL_MINUTES,
        initial=3,
        help_text=_("Kurz, damit viel passiert. Ändern lässt es sich auch später, im Blindplan."),
    )
    are_to_come = forms.BooleanField(
        label=_("Die Spieler kommen erst"),
        required=False,
        help_text=_("Das Einchecken gehört dann zur Probe, und einige kommen nach dem Beginn."),
    )
