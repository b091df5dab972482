"""Settings for a tournament's own public texts, in addition to the club's."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.event.selectors.settings.setting import Section, Setting, Typed

ABOUT_SETTINGS = (
    Setting(
        "venue",
        _("Ort"),
        is_text=True,
        section=Section.ABOUT,
        typed=Typed(is_optional=True),
    ),
    Setting(
        "address",
        _("Adresse"),
        is_text=True,
        section=Section.ABOUT,
        typed=Typed(is_optional=True, help_text=_("Daraus wird der Link zur Karte.")),
    ),
    Setting(
        "description",
        _("Beschreibung"),
        is_text=True,
        section=Section.ABOUT,
        typed=Typed(is_optional=True),
    ),
    Setting(
        "contact",
        _("Kontakt"),
        is_text=True,
        section=Section.ABOUT,
        typed=Typed(
            is_optional=True,
            help_text=_("Je Zeile eine Mailadresse, Telefonnummer oder Webadresse."),
        ),
    ),
    Setting(
        "house_text",
        _("Hinweise des Hauses"),
        is_text=True,
        section=Section.ABOUT,
        typed=Typed(is_optional=True, help_text=_("Etwa: Einlass, Ausweis, Essen, Parken.")),
    ),
)
