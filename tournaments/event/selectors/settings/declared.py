"""All settings of an event, each declared once; every list of settings derives from here.

A setting is a column of the event. Settings with a section appear there on the settings' page, in
order of declaration. The form builds each field from the column and the declaration. Values are
checked in `event.services.settings`.
"""

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from tournaments.changes.kinds import Holds, declare_texts
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.domain.games import FEWEST_SEATS, MOST_SEATS
from tournaments.event.selectors.labels import DRAW_MODES, EVENT_KINDS, GAMES, LIMITS
from tournaments.event.selectors.settings.door import (
    ABOUT_SETTINGS,
    CAPACITY_LIMIT,
    DOOR_SETTINGS,
    SCREEN_SETTINGS,
)
from tournaments.event.selectors.settings.entries import (
    BOUNTY_SETTINGS,
    CASH_SETTINGS,
    DRAWER_SETTINGS,
    FEE_SETTINGS,
    REBUY_SETTINGS,
)
from tournaments.event.selectors.settings.setting import Section, Setting, row

_DEALT = _("Das Spiel steht fest, sobald die ersten Karten gegeben sind.")
_NOT_YET = _("Leer: noch nicht festgelegt.")
_BEGUN = _("Begonnene Stufen bleiben, wie sie sind.")

SETTINGS = (
    *row(
        Section.EVENING,
        Setting("name", _("Name"), is_copied=False, is_text=True),
        Setting("kind", _("Was gespielt wird"), choices=EVENT_KINDS),
    ),
    Setting(
        "starts_at",
        _("Beginn"),
        fixed_after_start=_("Das Turnier hat schon begonnen."),
        is_copied=False,
        section=Section.EVENING,
        field_names=("day", "time"),
    ),
    Setting("schedule", fixed_after_start=_BEGUN, is_column=False, section=Section.BLINDS),
    *row(
        Section.EVENING,
        Setting("game", _("Spiel"), fixed_after_start=_DEALT, choices=GAMES),
        Setting("limit", _("Limit"), fixed_after_start=_DEALT, choices=LIMITS),
    ),
    Setting("level_minutes", fixed_after_start=_BEGUN, is_column=False),
    Setting("schedule_name", _("Blindplan"), is_changeable=False),
    Setting(
        "seats_per_table",
        _("Plätze je Tisch"),
        fixed_after_start=_("Die Tische sind schon besetzt."),
        fixed_after_check_in=True,
        section=Section.PLACES,
        least=FEWEST_SEATS,
        most=MOST_SEATS,
    ),
    Setting(
        "starting_stack",
        _("Startstapel"),
        fixed_after_start=_("Alle Teilnehmer bekommen gleich viele Chips."),
        fixed_after_check_in=True,
        section=Section.BLINDS,
        field_label=_("Startstapel in Chips"),
        least=1,
        most=MOST_CHIPS,
    ),
    *row(
        Section.PLACES,
        Setting(
            "capacity",
            _("Höchstzahl"),
            frees_places=True,
            is_beside=True,
            field_label=_("Teilnehmer höchstens"),
            least=2,
            most=CAPACITY_LIMIT,
        ),
        Setting(
            "draw_mode",
            fixed_after_start=_("Es ist schon ausgelost worden."),
            fixed_after_check_in=True,
            field_label=_("Plätze auslosen"),
            choices=DRAW_MODES,
        ),
    ),
    Setting("late_registration_level", _("Nachmelden bis Stufe"), section=Section.REGISTRATION),
    Setting("late_registration_break", _("Nachmelden bis zur Pause")),
    *DOOR_SETTINGS,
    Setting("fee_cents", _("Startgeld"), section=Section.MONEY, heading=_("Startgeld")),
    *FEE_SETTINGS,
    *REBUY_SETTINGS,
    Setting(
        "paid_places",
        _("Bezahlte Plätze"),
        fixed_at_the_bubble=True,
        section=Section.MONEY,
        heading=_("Preise"),
        most=CAPACITY_LIMIT,
        help_text=_NOT_YET,
    ),
    *DRAWER_SETTINGS,
    # Changed on a page of its own, see `money.services.prizes`.
    Setting("prizes", _("Preise"), is_changeable=False, is_text=True),
    *BOUNTY_SETTINGS,
    Setting(
        "final_table_seats",
        _("Plätze am Finaltisch"),
        section=Section.PLACES,
        least=FEWEST_SEATS,
        most=MOST_SEATS,
        help_text=_("Leer: wie es die Regeln vorsehen."),
    ),
    *SCREEN_SETTINGS,
    Setting("redraw_at", _("Neu ausgelost bei"), section=Section.PLACES, is_beside=True),
    Setting("areas", _("Wo die Tische stehen"), is_text=True, section=Section.PLACES),
    Setting(
        "hall_tables",
        _("Tische dieses Turniers"),
        is_text=True,
        section=Section.PLACES,
        help_text=_("Nummern aus dem Saalplan, etwa 1–12. Leer: alle, die gerade frei sind."),
    ),
    *ABOUT_SETTINGS,
    *CASH_SETTINGS,
    Setting("hall_number", _("Saalzahl"), is_changeable=False, is_copied=False),
    Setting("arbiters_may_call_clock", _("Schiedsrichter rufen die Uhr"), is_changeable=False),
    # Changed rule by rule, see `rules.services.rules`; an older entry is undone as a whole.
    Setting(
        "rules",
        _("Regeln"),
        fixed_after_start=_("Die Regeln sind den Teilnehmern schon bekannt gegeben."),
        is_changeable=False,
        is_text=True,
    ),
    Setting("chip_set_id", is_changeable=False),
    Setting("is_clock_only", is_changeable=False),
)
_OF_CASH = {
    "name", "kind", "starts_at", "is_registration_open", "is_gate_open", "payout_limit_cents",
    "cash_unit", "shows_cash_results",
}  # fmt: skip
_BY_NAME = {setting.name: setting for setting in SETTINGS}
for _setting in SETTINGS:
    # How the log keeps its former values.
    declare_texts(
        Holds.WORDS if _setting.is_text else Holds.NOTHING,
        (f"{_setting.name}_before", f"{_setting.name}_after"),
    )


def setting_of(name: str) -> Setting | None:
    """Return the setting of this name, or None."""
    return _BY_NAME.get(name)


def is_of_cash(setting: Setting) -> bool:
    """Tell whether an evening with only cash tables has this setting."""
    return setting.name in _OF_CASH or setting.section is Section.ABOUT


def setting_names(wanted: Callable[[Setting], bool]) -> list[str]:
    """Return the names of matching settings, in order."""
    return [setting.name for setting in SETTINGS if wanted(setting)]
