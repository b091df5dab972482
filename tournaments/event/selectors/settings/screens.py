"""Settings of an event's end: its forecast on big screens, and closing time."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.event.selectors.settings.setting import Section, Setting, Typed

SCREEN_SETTINGS = (
    Setting(
        "shows_end",
        _("Voraussichtliches Ende auf der Leinwand"),
        is_suggested=True,
        section=Section.EVENING,
        typed=Typed(label=_("Voraussichtliches Ende auf den Leinwänden zeigen")),
    ),
    Setting(
        "closing_time",
        _("Sperrstunde"),
        is_suggested=True,
        may_be_empty=True,
        section=Section.EVENING,
        typed=Typed(
            help_text=_(
                "Reicht die Zeit bis dahin nicht, lässt sich zwei Stufen vorher ansagen, dass "
                "gezählt wird. Leer: keine."
            ),
            is_optional=True,
            is_time=True,
        ),
    ),
)
