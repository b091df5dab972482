"""Settings of entry prices and purchases, in a director's order of thought.

The price, the chips, the purchases. An end is a level or a break in one field; a price is typed as
its total and its parts outside the prize pool.
"""

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.selectors.labels import CASH_UNITS
from tournaments.event.selectors.settings.setting import Section, Setting, row
from tournaments.models import Event

MOST_TIMES = 100
MOST_HOLD_MINUTES = 60
MOST_EARLY = 50_000

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


NO_BOUNTIES = ""
BOUNTY_KINDS = {
    NO_BOUNTIES: _("keine"),
    Event.BountyKind.FIXED.value: _("fest: Wer jemanden ausschaltet, bekommt dessen Bounty"),
    Event.BountyKind.PROGRESSIVE.value: _("steigend: ein Teil bar, der Rest auf den eigenen Kopf"),
    Event.BountyKind.MYSTERY.value: _("Umschläge: Jedes Ausscheiden zieht einen"),
}
_PLAYED = _("Um diese Bountys wird schon gespielt.")

BOUNTY_SETTINGS = (
    *row(
        Section.MONEY,
        Setting(
            "bounty_kind",
            _("Bountys"),
            fixed_after_start=_PLAYED,
            may_be_empty=True,
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
    ),
)


# --- Settings of an evening's cash tables: their unit, and their public link


CASH_SETTINGS = (
    *row(
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
            field_label=_(
                "Der Link zu „Wer wem wie viel gibt“ zeigt, wer gewonnen und verloren hat"
            ),
        ),
    ),
)


# --- Settings of drawers


DRAWER_SETTINGS = (
    Setting(
        "payout_limit_cents",
        _("Auszahlen ohne Leitung höchstens"),
        section=Section.MONEY,
        is_beside=True,
    ),
)
