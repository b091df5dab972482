"""Settings for places: registration, the waiting list, no-shows."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.event.selectors.settings.setting import Section, Setting, Typed

CAPACITY_LIMIT = 50_000
MOST_OFFER_MINUTES = 30 * 24 * 60
MOST_NO_SHOW_MINUTES = 24 * 60

DOOR_SETTINGS = (
    Setting(
        "is_registration_open",
        _("Anmeldung offen"),
        is_copied=False,
        section=Section.REGISTRATION,
        typed=Typed(label=_("Anmeldung auf der Turnierseite offen")),
    ),
    Setting(
        "reserved_places",
        _("Zurückgehaltene Plätze"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
        frees_places=True,
        section=Section.REGISTRATION,
        typed=Typed(
            label=_("Zurückgehaltene Plätze"),
            most=CAPACITY_LIMIT,
            is_optional=True,
            help_text=_("Diese Plätze vergibt nur die Turnierleitung."),
        ),
    ),
    Setting(
        "members_first_until",
        _("Mitglieder zuerst bis"),
        is_copied=False,
        is_asked_when_made=True,
        is_behind_more=True,
        frees_places=True,
        may_be_empty=True,
        section=Section.REGISTRATION,
        is_beside=True,
        typed=Typed(
            label=_("Mitglieder zuerst, bis"),
            help_text=_("Bis dahin warten alle anderen. Leer: Plätze gibt es gleich für alle."),
        ),
    ),
    Setting(
        "offer_minutes",
        _("Frist für einen freien Platz"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
        frees_places=True,
        section=Section.REGISTRATION,
        typed=Typed(
            label=_("Frist für einen freien Platz, in Minuten"),
            most=MOST_OFFER_MINUTES,
            help_text=_(
                "So lange hat Zeit, wer nachrückt, höchstens bis zum Start. "
                "0: Er bekommt den Platz ungefragt."
            ),
        ),
    ),
    Setting(
        "confirm_minutes",
        _("Frist zum Bestätigen"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
        section=Section.REGISTRATION,
        is_beside=True,
        typed=Typed(
            label=_("Frist zum Bestätigen, in Minuten"),
            most=MOST_OFFER_MINUTES,
            is_optional=True,
            help_text=_(
                "So lange hat Zeit, auf der eigenen Seite zu bestätigen, wer sich selbst anmeldet. "
                "Sonst bekommt den Platz, wer wartet. 0: Niemand muss bestätigen."
            ),
        ),
    ),
    Setting(
        "no_show_minutes",
        _("Platz verloren nach Minuten"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
        section=Section.REGISTRATION,
        typed=Typed(
            label=_("So lange wird auf alle gewartet, in Minuten"),
            most=MOST_NO_SHOW_MINUTES,
            help_text=_("Ab dem Start gezählt. 0: Wer nicht kommt, behält den Platz."),
        ),
    ),
    # A rule, shown in the form of a new tournament beside its minutes.
    Setting("no_show", is_column=False, is_changeable=False, is_behind_more=True),
    Setting(
        "is_gate_open",
        _("Viele Anmeldungen zugleich"),
        is_copied=False,
        section=Section.REGISTRATION,
        typed=Typed(
            label=_("Viele Anmeldungen zugleich erlauben"),
            help_text=_("Solange sich viele hinter einer Internetadresse zugleich anmelden."),
        ),
    ),
)
