"""The declaration of a setting."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from tournaments.changes.access import Sentence


class Section(StrEnum):
    """A card of the settings' page; its value stands in the address."""

    EVENING = "evening"
    BLINDS = "blinds"
    PLACES = "places"
    REGISTRATION = "registration"
    MONEY = "money"
    ABOUT = "about"


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """One setting of an event, by the name of its column.

    :param label: What it is called where a change of it is shown; empty for what is never shown.
    :param fixed_after_start: Why it cannot change once play has begun; empty where it may.
    :param fixed_at_the_bubble: Whether it is fixed by hand-for-hand, or while "in the money" holds.
    :param is_copied: Whether next week's event has it, too.
    :param frees_places: Whether those who wait may get a place by it.
    :param is_text: Whether what it was is kept as text, outside of the log's chain.
    :param may_be_empty: Whether nothing is a value of its own.
    :param section: Its card on the settings' page; None where it is not asked there.
    :param is_beside: Whether it stands there in the row of the one declared before it.
    :param heading: What its row of the card is about, where the card is about several things.
    :param field_label: What the field is called, where that is not what the setting is called.
    :param most: The most a number may be; every setting that is a number says it.
    :param is_time: Whether it is a time of day, kept as "23:30".
    :param field_names: The names of its fields, where these are not one of its own name.
    """

    name: str
    label: Sentence = ""
    fixed_after_start: Sentence = ""
    fixed_after_check_in: bool = False
    fixed_at_the_bubble: bool = False
    is_column: bool = True
    is_changeable: bool = True
    is_copied: bool = True
    frees_places: bool = False
    is_text: bool = False
    may_be_empty: bool = False
    section: Section | None = None
    is_beside: bool = False
    heading: Sentence = ""
    field_label: Sentence = ""
    help_text: Sentence = ""
    least: int = 0
    most: int | None = None
    choices: Mapping[str, Any] | None = None
    is_time: bool = False
    field_names: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        return self.field_names or (self.name,)


def row(section: Section, first: Setting, *others: Setting) -> tuple[Setting, ...]:
    """Return settings that stand in one row of a card."""
    beside = (replace(one, section=section, is_beside=True) for one in others)
    return replace(first, section=section), *beside
