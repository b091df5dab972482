"""Settings for places: registration, the waiting list, no-shows."""

from django.utils.translation import gettext_lazy as _

from tournaments.event.selectors.settings.setting import Section, Setting, row

MOST_LEAST_HOURS = 240
CAPACITY_LIMIT = 50_000
MOST_OFFER_MINUTES = 30 * 24 * 60
MOST_NO_SHOW_MINUTES = 24 * 60
LONGEST_DELAY_S = 3600

DOOR_SETTINGS = (
    *row(
        Section.REGISTRATION,
        Setting(
            "is_registration_open",
            _("Anmeldung offen"),
            is_copied=False,
            field_label=_("Anmeldung auf der Turnierseite offen"),
        ),
        Setting(
            "is_gate_open",
            _("Viele Anmeldungen zugleich"),
            is_copied=False,
            field_label=_("Viele Anmeldungen zugleich erlauben"),
            help_text=_("Solange sich viele hinter einer Internetadresse zugleich anmelden."),
        ),
    ),
    *row(
        Section.REGISTRATION,
        Setting(
            "reserved_places",
            _("Zurückgehaltene Plätze"),
            frees_places=True,
            field_label=_("Zurückgehaltene Plätze"),
            most=CAPACITY_LIMIT,
            help_text=_("Diese Plätze vergibt nur die Turnierleitung."),
        ),
        Setting(
            "members_first_until",
            _("Mitglieder zuerst bis"),
            is_copied=False,
            frees_places=True,
            may_be_empty=True,
            field_label=_("Mitglieder zuerst, bis"),
            help_text=_("Bis dahin warten alle anderen. Leer: Plätze gibt es gleich für alle."),
        ),
    ),
    *row(
        Section.REGISTRATION,
        Setting(
            "offer_minutes",
            _("Frist für einen freien Platz"),
            frees_places=True,
            field_label=_("Frist für einen freien Platz, in Minuten"),
            most=MOST_OFFER_MINUTES,
            help_text=_(
                "So lange hat Zeit, wer nachrückt, höchstens bis zum Start. "
                "0: Er bekommt den Platz ungefragt."
            ),
        ),
        Setting(
            "confirm_minutes",
            _("Frist zum Bestätigen"),
            field_label=_("Frist zum Bestätigen, in Minuten"),
            most=MOST_OFFER_MINUTES,
            help_text=_(
                "So lange hat Zeit, auf der eigenen Seite zu bestätigen, wer sich selbst anmeldet. "
                "Sonst bekommt den Platz, wer wartet. 0: Niemand muss bestätigen."
            ),
        ),
    ),
    *row(
        Section.REGISTRATION,
        Setting(
            "least_entries",
            _("Mindestens so viele Anmeldungen"),
            most=CAPACITY_LIMIT,
            help_text=_("Sonst wird gefragt, ob es stattfindet. Leer: auf jeden Fall."),
        ),
        Setting("least_hours", _("Entschieden so viele Stunden vorher"), most=MOST_LEAST_HOURS),
        Setting(
            "no_show_minutes",
            _("Platz verloren nach Minuten"),
            field_label=_("So lange wird auf alle gewartet, in Minuten"),
            most=MOST_NO_SHOW_MINUTES,
            help_text=_("Ab dem Start gezählt. 0: Wer nicht kommt, behält den Platz."),
        ),
    ),
)


# --- Settings for a tournament's own public texts, in addition to the club's


ABOUT_SETTINGS = (
    *row(
        Section.ABOUT,
        Setting("venue", _("Ort"), is_text=True),
        Setting(
            "address", _("Adresse"), is_text=True, help_text=_("Daraus wird der Link zur Karte.")
        ),
    ),
    Setting("description", _("Beschreibung"), is_text=True, section=Section.ABOUT),
    *row(
        Section.ABOUT,
        Setting(
            "contact",
            _("Kontakt"),
            is_text=True,
            help_text=_("Je Zeile eine Mailadresse, Telefonnummer oder Webadresse."),
        ),
        Setting(
            "house_text",
            _("Hinweise des Hauses"),
            is_text=True,
            help_text=_("Etwa: Einlass, Ausweis, Essen, Parken."),
        ),
    ),
    Setting(
        "stream_delay",
        _("Verzögerung des Streams"),
        section=Section.ABOUT,
        field_label=_("Verzögerung des Streams in Sekunden"),
        most=LONGEST_DELAY_S,
        help_text=_("Die Seite für alle und die Einblendungen folgen um so viel später."),
    ),
)


# --- Settings of an event's end: its forecast on big screens, and closing time


SCREEN_SETTINGS = (
    *row(
        Section.EVENING,
        Setting(
            "closing_time",
            _("Sperrstunde"),
            may_be_empty=True,
            help_text=_(
                "Reicht die Zeit bis dahin nicht, lässt sich zwei Stufen vorher ansagen, dass "
                "gezählt wird. Leer: keine."
            ),
            is_time=True,
        ),
        Setting(
            "shows_end",
            _("Voraussichtliches Ende auf der Leinwand"),
            field_label=_("Voraussichtliches Ende auf den Leinwänden zeigen"),
        ),
    ),
)
