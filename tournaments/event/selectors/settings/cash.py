"""Settings of an evening's cash tables: their unit, and their public link."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.event.selectors.labels import CASH_UNITS
from tournaments.event.selectors.settings.setting import Section, Setting, Typed

CASH_SETTINGS = (
    Setting(
        "cash_unit",
        _("Am Cash-Tisch gespielt um"),
        is_suggested=True,
        section=Section.MONEY,
        typed=Typed(
            choices=CASH_UNITS,
            help_text=_("Um Punkte oder Streichhölzer wird nur angeschrieben, ohne Kassa."),
        ),
    ),
    Setting(
        "shows_cash_results",
        _("Gewinn und Verlust am Cash-Tisch"),
        is_suggested=True,
        section=Section.MONEY,
        typed=Typed(
            label=_("Der Link zu „Wer wem wie viel gibt“ zeigt, wer gewonnen und verloren hat")
        ),
    ),
)
