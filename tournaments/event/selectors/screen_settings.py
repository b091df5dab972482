"""The settings of an event that say what its big screens tell."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.event.selectors.setting import Section, Setting, Typed

SCREEN_SETTINGS = (
    Setting(
        "shows_end",
        _("Voraussichtliches Ende auf der Leinwand"),
        is_suggested=True,
        section=Section.EVENING,
        typed=Typed(label=_("Voraussichtliches Ende auf den Leinwänden zeigen")),
    ),
)
