"""The declaration of a house rule; the rules themselves are in `rules`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.betting import LimitKind

if TYPE_CHECKING:
    from django.utils.functional import Promise

    Sentence = Promise | str


class Binds(StrEnum):
    """The event that makes a rule binding."""

    NEVER = "never"
    ON_THE_CLOCK = "on_the_clock"
    START = "start"
    FIRST_OUT = "first_out"
    HAND_FOR_HAND = "hand_for_hand"
    FINAL_TABLE = "final_table"

    @property
    def until(self) -> Sentence:
        """Return until when a rule can change."""
        return _UNTIL[self]

    @property
    def reason(self) -> Sentence:
        """Return why it cannot change now."""
        return _REASONS[self]


_UNTIL: Mapping[Binds, Sentence] = {
    Binds.NEVER: _("jederzeit"),
    Binds.ON_THE_CLOCK: _("solange niemand auf der Uhr ist"),
    Binds.START: _("bis zum Start"),
    Binds.FIRST_OUT: _("bis jemand ausscheidet"),
    Binds.HAND_FOR_HAND: _("bis Hand für Hand angesagt ist"),
    Binds.FINAL_TABLE: _("bis der Finaltisch ausgelost ist"),
}
_REASONS: Mapping[Binds, Sentence] = {
    Binds.NEVER: "",
    Binds.ON_THE_CLOCK: _("Gerade ist jemand auf der Uhr. Danach lässt es sich ändern."),
    Binds.START: _("Seit dem Start wird danach gespielt: Es gilt für alle bis zum Ende gleich."),
    Binds.FIRST_OUT: _(
        "Es ist schon jemand ausgeschieden: Eine andere Regel würde vergebene Plätze verschieben."
    ),
    Binds.HAND_FOR_HAND: _("Seit Hand für Hand angesagt ist, richten sich alle danach."),
    Binds.FINAL_TABLE: _("Der Finaltisch ist schon ausgelost."),
}


class RuleGroup(StrEnum):
    """A group of rules, on the settings page and on the players' page."""

    TABLE = "table"
    SEATS = "seats"
    PLACES = "places"

    @property
    def label(self) -> Sentence:
        return _GROUPS[self][0]

    @property
    def sentence(self) -> Sentence:
        return _GROUPS[self][1]


_GROUPS: Mapping[RuleGroup, tuple[Sentence, Sentence]] = {
    RuleGroup.TABLE: (_("Am Tisch"), _("Wie eine Hand gespielt wird.")),
    RuleGroup.SEATS: (_("Plätze und Tische"), _("Wer wo sitzt, und wann jemand umzieht.")),
    RuleGroup.PLACES: (_("Ausscheiden und Preise"), _("Welchen Platz jemand bekommt.")),
}


class Heading(StrEnum):
    """The headings for players, in reading order."""

    LEVEL = "level"
    BUTTON = "button"
    RAISE = "raise"
    CLOCK = "clock"
    PHONE = "phone"
    LANGUAGE = "language"
    SEAT = "seat"
    ABSENT = "absent"
    LATE = "late"
    BALANCE = "balance"
    HALT = "halt"
    BREAK = "break"
    REDRAW = "redraw"
    FINAL = "final"
    HAND = "hand"
    HAND_FOR_HAND = "hand_for_hand"
    MONEY = "money"
    DEALS = "deals"
    DISQUALIFIED = "disqualified"

    @property
    def label(self) -> Sentence:
        return _HEADINGS[self][1]

    @property
    def group(self) -> RuleGroup:
        return _HEADINGS[self][0]


_HEADINGS: Mapping[Heading, tuple[RuleGroup, Sentence]] = {
    Heading.LEVEL: (RuleGroup.TABLE, _("Neue Stufe")),
    Heading.BUTTON: (RuleGroup.TABLE, _("Button")),
    Heading.RAISE: (RuleGroup.TABLE, _("Erhöhen")),
    Heading.CLOCK: (RuleGroup.TABLE, _("Clock")),
    Heading.PHONE: (RuleGroup.TABLE, _("Handy")),
    Heading.LANGUAGE: (RuleGroup.TABLE, _("Sprache")),
    Heading.SEAT: (RuleGroup.SEATS, _("Dein Platz")),
    Heading.ABSENT: (RuleGroup.SEATS, _("Wer nicht kommt")),
    Heading.LATE: (RuleGroup.SEATS, _("Später einsteigen")),
    Heading.BALANCE: (RuleGroup.SEATS, _("Tische ausgleichen")),
    Heading.HALT: (RuleGroup.SEATS, _("Tisch anhalten")),
    Heading.BREAK: (RuleGroup.SEATS, _("Tisch auflösen")),
    Heading.REDRAW: (RuleGroup.SEATS, _("Neu auslosen")),
    Heading.FINAL: (RuleGroup.SEATS, _("Finaltisch")),
    Heading.HAND: (RuleGroup.PLACES, _("In einer Hand")),
    Heading.HAND_FOR_HAND: (RuleGroup.PLACES, _("Hand für Hand")),
    Heading.MONEY: (RuleGroup.PLACES, _("Im Geld")),
    Heading.DEALS: (RuleGroup.PLACES, _("Absprachen")),
    Heading.DISQUALIFIED: (RuleGroup.PLACES, _("Disqualifiziert")),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a rule: the director's choice, and the text for players."""

    label: Sentence
    published: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """The bounds of a numeric rule, and the text for players.

    :param published: With `%(number)d`.
    :param special: Other sentences for single numbers, such as 0 and 1.
    """

    least: int
    most: int
    published: Sentence
    special: Mapping[int, Sentence] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rule:
    """One rule of a tournament.

    :param name: The field of `RuleSet`.
    :param label: Its display name.
    :param sentence: The effect of the choice.
    :param source: The rule book.
    :param heading: The heading on the players' page.
    :param choices: The possible values; None for a number.
    :param number: The possible numbers; None for a choice.
    :param binds: The event that makes it binding.
    :param is_obeyed: Whether the program applies it. Otherwise it is information for players.
    :param is_after: Whether players read it after the fixed procedures.
    :param limits: The betting limits it applies to; None for all.
    """

    name: str
    label: Sentence
    sentence: Sentence
    source: Sentence
    heading: Heading
    choices: Mapping[Any, Choice] | None = None
    number: Number | None = None
    binds: Binds = Binds.START
    is_obeyed: bool = True
    is_after: bool = False
    limits: frozenset[LimitKind] | None = None

    def may_be(self, value: Any) -> bool:
        """Tell whether this is a possible value."""
        if self.number is not None:
            return type(value) is int and self.number.least <= value <= self.number.most
        return any(value == one and type(value) in (type(one), str) for one in self.choices or ())

    def words(self, value: Any) -> str:
        """Return a value in words."""
        if self.choices is None:
            return str(value)
        return str(self.choices[value].label) if value in self.choices else str(value)

    def published(self, value: Any) -> str:
        """Return the text for players for this value."""
        if self.number is None:
            return str((self.choices or {})[value].published)
        sentence = self.number.special.get(value, self.number.published)
        return str(sentence) % {"number": value}
