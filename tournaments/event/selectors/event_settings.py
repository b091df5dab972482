"""The settings of an event. Each is declared once here; every list of settings is derived.

A setting is a column of the event. What it may be is checked in `event.services.settings`; how it
is typed stands in the forms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import Promise

    Sentence = Promise | str


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """One setting of an event.

    :param name: The column.
    :param label: What it is called where a change of it is shown; empty for what is never shown.
    :param fixed_after_start: Why it cannot change once play has begun; empty where it may.
    :param fixed_after_check_in: Whether it is fixed once somebody is checked in.
    :param fixed_at_the_bubble: Whether it is fixed once hand-for-hand was announced.
    :param is_column: Whether the event has a column for it; a schedule is chosen in another way.
    :param is_changeable: Whether it can be changed by itself at all.
    :param is_copied: Whether next week's event has it, too.
    :param is_suggested: Whether a new tournament begins with what the last one had.
    :param is_asked_when_made: Whether the form of a new tournament asks for it.
    :param is_behind_more: Whether that form shows it only on demand.
    :param frees_places: Whether those who wait may get a place by it.
    :param is_text: Whether what it was is kept as text, outside of the log's chain.
    :param may_be_empty: Whether nothing is a value of its own.
    """

    name: str
    label: Sentence = ""
    fixed_after_start: Sentence = ""
    fixed_after_check_in: bool = False
    fixed_at_the_bubble: bool = False
    is_column: bool = True
    is_changeable: bool = True
    is_copied: bool = True
    is_suggested: bool = False
    is_asked_when_made: bool = False
    is_behind_more: bool = False
    frees_places: bool = False
    is_text: bool = False
    may_be_empty: bool = False


_DEALT = _("Das Spiel steht fest, sobald die ersten Karten gegeben sind.")
_BEGUN = _("Begonnene Stufen bleiben, wie sie sind.")

SETTINGS = (
    Setting(
        "name", _("Name"), is_copied=False, is_suggested=True, is_asked_when_made=True, is_text=True
    ),
    Setting(
        "starts_at",
        _("Beginn"),
        fixed_after_start=_("Das Turnier hat schon begonnen."),
        is_copied=False,
        is_asked_when_made=True,
    ),
    Setting(
        "game", _("Spiel"), fixed_after_start=_DEALT, is_suggested=True, is_asked_when_made=True
    ),
    Setting(
        "limit", _("Limit"), fixed_after_start=_DEALT, is_suggested=True, is_asked_when_made=True
    ),
    Setting("schedule", fixed_after_start=_BEGUN, is_column=False),
    Setting("level_minutes", fixed_after_start=_BEGUN, is_column=False),
    Setting("schedule_name", _("Blindplan"), is_changeable=False),
    Setting(
        "starting_stack",
        _("Startstapel"),
        fixed_after_start=_("Alle Teilnehmer bekommen gleich viele Chips."),
        fixed_after_check_in=True,
        is_asked_when_made=True,
        is_behind_more=True,
    ),
    Setting(
        "seats_per_table",
        _("Plätze je Tisch"),
        fixed_after_start=_("Die Tische sind schon besetzt."),
        fixed_after_check_in=True,
        is_suggested=True,
        is_asked_when_made=True,
    ),
    Setting(
        "capacity",
        _("Höchstzahl"),
        is_suggested=True,
        is_asked_when_made=True,
        frees_places=True,
    ),
    Setting("late_registration_level", _("Nachmelden bis Stufe"), is_behind_more=True),
    Setting("late_registration_break", _("Nachmelden bis zur Pause")),
    Setting("is_registration_open", _("Anmeldung offen"), is_copied=False),
    Setting(
        "reserved_places",
        _("Zurückgehaltene Plätze"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
        frees_places=True,
    ),
    Setting(
        "members_first_until",
        _("Mitglieder zuerst bis"),
        is_copied=False,
        is_asked_when_made=True,
        is_behind_more=True,
        frees_places=True,
        may_be_empty=True,
    ),
    Setting(
        "offer_minutes",
        _("Frist für einen freien Platz"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
        frees_places=True,
    ),
    Setting(
        "no_show_minutes",
        _("Platz verloren nach Minuten"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
    ),
    Setting(
        "fee_cents",
        _("Startgeld in Cent"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
    ),
    Setting("is_gate_open", _("Ohne Bremse"), is_copied=False),
    Setting(
        "paid_places",
        _("Bezahlte Plätze"),
        fixed_at_the_bubble=True,
        is_asked_when_made=True,
        is_behind_more=True,
    ),
    Setting(
        "final_table_seats",
        _("Plätze am Finaltisch"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
    ),
    Setting(
        "redraw_at",
        _("Neu ausgelost bei"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
    ),
    Setting(
        "areas",
        _("Wo die Tische stehen"),
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
        is_text=True,
    ),
    Setting("hall_number", _("Saalzahl"), is_changeable=False, is_copied=False),
    Setting("arbiters_may_call_clock", _("Schiedsrichter rufen die Uhr")),
    Setting(
        "rules",
        _("Regeln"),
        fixed_after_start=_("Die Regeln sind den Teilnehmern schon bekannt gegeben."),
        is_text=True,
    ),
    Setting(
        "draw_mode",
        fixed_after_start=_("Es ist schon ausgelost worden."),
        fixed_after_check_in=True,
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
    ),
    Setting("chip_set_id", is_changeable=False),
    Setting("is_clock_only", is_changeable=False),
)
_BY_NAME = {setting.name: setting for setting in SETTINGS}


def setting_of(name: str) -> Setting | None:
    """Return the setting of this name, or None."""
    return _BY_NAME.get(name)


def setting_names(wanted: Callable[[Setting], bool]) -> list[str]:
    """Return the names of the settings that are wanted, in their order."""
    return [setting.name for setting in SETTINGS if wanted(setting)]
