"""All settings of an event, each declared once; every list of settings derives from here.

A setting is a column of the event. Settings with a section appear there on the settings' page, in
order of declaration. The form builds each field from the column and the declaration. Values are
checked in `event.services.settings`.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.changes.kinds import Holds, declare_texts
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.domain.games import FEWEST_SEATS, MOST_SEATS
from tournaments.event.domain.hall_plan import areas_text
from tournaments.event.domain.prices import parts_text, rates_text
from tournaments.event.selectors import labels
from tournaments.event.selectors.settings import entries
from tournaments.event.selectors.settings.setting import Section, Setting, row
from tournaments.models import Event

_DEALT = _("Das Spiel steht fest, sobald die ersten Karten gegeben sind.")
_NOT_YET = _("Leer: noch nicht festgelegt.")
_BEGUN = _("Begonnene Stufen bleiben, wie sie sind.")

SETTINGS = (
    *row(
        Section.EVENING,
        Setting("name", _("Name"), is_copied=False, is_text=True),
        Setting("kind", _("Was gespielt wird"), choices=labels.EVENT_KINDS),
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
        Setting("game", _("Spiel"), fixed_after_start=_DEALT, choices=labels.GAMES),
        Setting("limit", _("Limit"), fixed_after_start=_DEALT, choices=labels.LIMITS),
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
            most=entries.CAPACITY_LIMIT,
        ),
        Setting(
            "draw_mode",
            fixed_after_start=_("Es ist schon ausgelost worden."),
            fixed_after_check_in=True,
            field_label=_("Plätze auslosen"),
            choices=labels.DRAW_MODES,
        ),
    ),
    Setting("late_registration_level", _("Nachmelden bis Stufe"), section=Section.REGISTRATION),
    Setting("late_registration_break", _("Nachmelden bis zur Pause")),
    *entries.DOOR_SETTINGS,
    Setting("fee_cents", _("Startgeld"), section=Section.MONEY, heading=_("Startgeld")),
    *entries.FEE_SETTINGS,
    *entries.REBUY_SETTINGS,
    Setting(
        "paid_places",
        _("Bezahlte Plätze"),
        fixed_at_the_bubble=True,
        section=Section.MONEY,
        heading=_("Preise"),
        most=entries.CAPACITY_LIMIT,
        help_text=_NOT_YET,
    ),
    Setting(
        "payout_limit_cents",
        _("Auszahlen ohne Leitung höchstens"),
        section=Section.MONEY,
        is_beside=True,
    ),
    # Changed on a page of its own, see `money.services.prizes`.
    Setting("prizes", _("Preise"), is_changeable=False, is_text=True),
    *entries.BOUNTY_SETTINGS,
    Setting(
        "final_table_seats",
        _("Plätze am Finaltisch"),
        section=Section.PLACES,
        least=FEWEST_SEATS,
        most=MOST_SEATS,
        help_text=_("Leer: wie es die Regeln vorsehen."),
    ),
    *entries.SCREEN_SETTINGS,
    Setting("redraw_at", _("Neu ausgelost bei"), section=Section.PLACES, is_beside=True),
    Setting("areas", _("Wo die Tische stehen"), is_text=True, section=Section.PLACES),
    Setting(
        "hall_tables",
        _("Tische dieses Turniers"),
        is_text=True,
        section=Section.PLACES,
        help_text=_("Nummern aus dem Saalplan, etwa 1–12. Leer: alle, die gerade frei sind."),
    ),
    *entries.ABOUT_SETTINGS,
    *entries.CASH_SETTINGS,
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
    return _BY_NAME.get(name)


def is_of_cash(setting: Setting) -> bool:
    """Tell whether an evening with only cash tables has this setting."""
    return setting.name in _OF_CASH or setting.section is Section.ABOUT


def setting_names(wanted: Callable[[Setting], bool]) -> list[str]:
    """Return the names of matching settings, in order."""
    return [setting.name for setting in SETTINGS if wanted(setting)]


# --- Values in words: in the log's preview, on the cards, in the search


NOTHING = "–"
# Settings that end at a level or a break: the setting of the break by that of the level.
PHASES = {
    "late_registration_level": "late_registration_break",
    "rebuy_level": "rebuy_break",
    "addon_level": "addon_break",
}


def setting_words(setting: Setting, value: Any) -> str:
    if setting.choices and value in setting.choices:
        return str(setting.choices[value])
    if (setting.may_be_empty or setting.name.endswith("_cents")) and not value:
        return NOTHING
    return labels.money(value) if setting.name.endswith("_cents") else _value(value)


def said_of(event: Event, name: str) -> str:
    """Return the event's value of this setting in words; a phase with its end."""
    if name in PHASES:
        return phase_words(event, name) or NOTHING
    return setting_words(_BY_NAME[name], getattr(event, name))


def phase_words(event: Event, name: str) -> str:
    """Return when an offer ends, shortly, by the setting of its level; empty without the offer."""
    level, pause = getattr(event, name), getattr(event, PHASES[name])
    if level:
        return gettext("bis Stufe %(level)s") % {"level": level}
    if not pause:
        return ""
    if name == "addon_level":
        return gettext("in der %(number)s. Pause") % {"number": pause}
    return gettext("bis zur %(number)s. Pause") % {"number": pause}


def _value(value: Any) -> str:
    if value is None:
        return gettext("wie in den Regeln")
    if isinstance(value, bool):
        return gettext("ja") if value else gettext("nein")
    if isinstance(value, datetime):
        return date_format(localtime(value), "SHORT_DATETIME_FORMAT")
    if isinstance(value, list):
        return ", ".join(map(_item, value)) or NOTHING
    return str(intcomma(value)) if isinstance(value, int) else value or NOTHING


def _item(item: Any) -> str:
    """Return an item of a list as typed: a number, an area of the hall, a price or its part."""
    if isinstance(item, list):
        if not isinstance(item[2], str):
            return rates_text([item], labels.part_words())
        is_part = isinstance(item[0], str)
        return parts_text([item], labels.part_words()) if is_part else areas_text([item])
    return str(item)
