"""How an overlay of a stream is shown."""

from django import forms
from django.utils.translation import gettext_lazy as _


class OverlayForm(forms.Form):
    """The look and the table of overlays, as their addresses have them."""

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
