"""Settings of places, the public page, prices and purchases, in a director's order of thought.

An end is a level or a break in one field; a price is typed as its total and its parts outside the
prize pool.
"""

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.selectors.labels import CASH_UNITS
from tournaments.event.selectors.settings.setting import Section, Setting, row
from tournaments.models import Event

MOST_LEAST_HOURS = 240
CAPACITY_LIMIT = 50_000
MOST_OFFER_MINUTES = 30 * 24 * 60
MOST_NO_SHOW_MINUTES = 24 * 60
LONGEST_DELAY_S = 3600
MOST_TIMES = 100
MOST_HOLD_MINUTES = 60
MOST_EARLY = 50_000

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


SCREEN_SETTINGS = row(
    Section.EVENING,
    Setting(
        "closing_time",
        _("Sperrstunde"),
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
)


# --- Settings of entry prices and purchases


# Price and terms of an entry: a change of these reposts payments.
OF_AN_ENTRY = frozenset(
    {"fee_cents", "fee_parts", "fee_rates", "early_fee_cents", "early_until", "early_entries"}
)

FEE_SETTINGS = (
    Setting(
        "fee_parts",
        _("Davon nicht in den Preistopf"),
        is_text=True,
        section=Section.MONEY,
        is_beside=True,
    ),
    Setting("fee_rates", _("Andere Preise"), is_text=True, section=Section.MONEY),
    *row(
        Section.MONEY,
        Setting("early_fee_cents", _("Frühbucherpreis"), heading=_("Frühbucher")),
        Setting(
            "early_until",
            _("Frühbucher bis"),
            is_copied=False,
            may_be_empty=True,
            help_text=_("Es zählt, wann sich jemand anmeldet."),
        ),
        Setting(
            "early_entries",
            _("Frühbucher: nur die ersten"),
            most=MOST_EARLY,
            help_text=_("In der Reihenfolge der Anmeldung."),
        ),
    ),
    Setting(
        "on_time_chips",
        _("Mehr Chips für Pünktliche"),
        fixed_after_start=_("Alle Stapel der Pünktlichen sind ausgegeben."),
        fixed_after_check_in=True,
        section=Section.BLINDS,
        is_beside=True,
        most=MOST_CHIPS,
        help_text=_("Für alle, die vor dem Start eingecheckt sind, zum Startstapel dazu."),
    ),
)
REBUY_SETTINGS = (
    Setting("rebuy_level", _("Re-buy bis Stufe"), section=Section.MONEY, heading=_("Re-buy")),
    Setting("rebuy_break", _("Re-buy bis zur Pause")),
    *row(
        Section.MONEY,
        Setting("rebuy_cents", _("Preis eines Re-buys"), is_beside=True),
        Setting("rebuy_parts", _("Re-buy: nicht in den Preistopf"), is_text=True),
        Setting(
            "rebuy_chips",
            _("Chips eines Re-buys"),
            most=MOST_CHIPS,
            help_text=_("Leer: ein Startstapel."),
        ),
    ),
    *row(
        Section.MONEY,
        Setting(
            "rebuy_threshold",
            _("Re-buy schon mit so vielen Chips oder weniger"),
            most=MOST_CHIPS,
            help_text=_("Leer: nur, wer alle Chips verloren hat."),
        ),
        Setting(
            "rebuy_most",
            _("Re-buys je Person höchstens"),
            most=MOST_TIMES,
            help_text=_("Leer: so oft man will."),
        ),
        Setting(
            "rebuy_hold_minutes",
            _("Platz halten, in Minuten"),
            least=0,
            most=MOST_HOLD_MINUTES,
            help_text=_("So lange hat Zeit, wer noch einen Re-buy machen darf. 0: gar nicht."),
        ),
        Setting("rebuy_double", _("Zwei Re-buys auf einmal")),
    ),
    Setting("addon_level", _("Add-on bis Stufe"), section=Section.MONEY, heading=_("Add-on")),
    Setting("addon_break", _("Add-on in der Pause")),
    *row(
        Section.MONEY,
        Setting("addon_cents", _("Preis eines Add-ons"), is_beside=True),
        Setting("addon_parts", _("Add-on: nicht in den Preistopf"), is_text=True),
        Setting(
            "addon_chips",
            _("Chips eines Add-ons"),
            most=MOST_CHIPS,
            help_text=_("Leer: ein Startstapel."),
        ),
    ),
    Setting("addon_many", _("Add-on mehr als einmal"), section=Section.MONEY),
    *row(
        Section.MONEY,
        Setting(
            "reentry_most",
            _("Re-entrys je Person höchstens"),
            heading=_("Re-entry"),
            most=MOST_TIMES,
            help_text=_("Solange die Nachmeldung offen ist. Leer: keine."),
        ),
        Setting("reentry_cents", _("Preis eines Re-entrys")),
        Setting("reentry_parts", _("Re-entry: nicht in den Preistopf"), is_text=True),
    ),
)
# Purchases are offered while one of these is set.
OFFERED_BY = ("rebuy_level", "rebuy_break", "addon_level", "addon_break", "reentry_most")
PRICES = tuple((f"{name}_cents", f"{name}_parts") for name in ("fee", "rebuy", "addon", "reentry"))


# --- Settings of bounties: their kind, their amount and their split


BOUNTY_KINDS = {
    "": _("keine"),
    Event.BountyKind.FIXED.value: _("fest: Wer jemanden ausschaltet, bekommt dessen Bounty"),
    Event.BountyKind.PROGRESSIVE.value: _("steigend: ein Teil bar, der Rest auf den eigenen Kopf"),
    Event.BountyKind.MYSTERY.value: _("Umschläge: Jedes Ausscheiden zieht einen"),
}
_PLAYED = _("Um diese Bountys wird schon gespielt.")

BOUNTY_SETTINGS = row(
    Section.MONEY,
    Setting(
        "bounty_kind",
        _("Bountys"),
        fixed_after_start=_PLAYED,
        heading=_("Bounty"),
        choices=BOUNTY_KINDS,
        help_text=_("Was ein Kopf wert ist, ist ein Teil des Startgelds: „Bounty 5“."),
    ),
    Setting(
        "bounty_cut",
        _("Davon bar, in Prozent"),
        fixed_after_start=_PLAYED,
        most=100,
        help_text=_("Bei steigenden Bountys. Der Rest kommt auf den eigenen Kopf."),
    ),
)


# --- Settings of an evening's cash tables: their unit, and their public link


CASH_SETTINGS = row(
    Section.EVENING,
    Setting(
        "cash_unit",
        _("Am Cash-Tisch gespielt um"),
        choices=CASH_UNITS,
        help_text=_("Um Punkte oder Streichhölzer wird nur angeschrieben, ohne Kasse."),
    ),
    Setting(
        "shows_cash_results",
        _("Gewinn und Verlust am Cash-Tisch"),
        field_label=_("Der Link zu „Wer wem wie viel gibt“ zeigt, wer gewonnen und verloren hat"),
    ),
)
