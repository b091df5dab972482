"""How an overlay of a stream is shown."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.event.selectors.settings.door import LONGEST_DELAY_S


class OverlayForm(forms.Form):
    """The delay, the look and the table of overlays, as their addresses have them."""

    delay = forms.IntegerField(
        label=_("Verzögerung in Sekunden"), min_value=0, max_value=LONGEST_DELAY_S, initial=0
    )
    theme = forms.ChoiceField(
        label=_("Aussehen"),
        choices=(
            ("dark", _("dunkle Fläche")),
            ("light", _("helle Fläche")),
            ("clear", _("ohne Fläche")),
        ),
        initial="dark",
    )
    table = forms.IntegerField(label=_("Tisch"), min_value=1, max_value=9999, initial=1)
