"""Settings of drawers."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.event.selectors.settings.setting import Section, Setting, Typed

DRAWER_SETTINGS = (
    Setting(
        "payout_limit_cents",
        _("Auszahlen ohne Leitung höchstens, in Cent"),
        is_suggested=True,
        section=Section.MONEY,
        typed=Typed(is_optional=True),
    ),
)
