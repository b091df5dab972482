"""The rotation of games, chosen on the schedule's page."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.games import Mix
from tournaments.event.forms.schedule import MOST_HANDS

MIX_NAMES = {
    Mix.HORSE: _("HORSE: Texas, Omaha Hi-Lo, Razz, Stud, Stud Hi-Lo"),
    Mix.EIGHT_GAME: _("Eight-Game: Triple Draw, HORSE, No Limit Texas, Pot Limit Omaha"),
    Mix.DEALERS_CHOICE: _("Dealer’s Choice: das Spiel sagt an, wer den Button hat"),
}


class MixForm(Refusable):
    """The games, changing with each level or after so many hands."""

    mix = forms.ChoiceField(label=_("Spiele"), choices=list(MIX_NAMES.items()))
    hands = WholeNumberField(
        label=_("Wechsel nach so vielen Händen"),
        least=1,
        most=MOST_HANDS,
        required=False,
        help_text=_("Leer: Jede Stufe ist ein anderes Spiel. Sonst wird jede Stufe in jedem Spiel "
                    "gespielt, je so viele Hände."),
    )  # fmt: skip
