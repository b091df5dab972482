"""The declaration of a house rule, its reasons to bind, its earlier states."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments.changes.access import Sentence
from tournaments.changes.kinds import kind_names
from tournaments.event.domain.games import LimitKind
from tournaments.event.domain.rules import RuleSet, rule_set_from
from tournaments.event.selectors.event import eliminations_live_count, hand_for_hand_was_begun
from tournaments.models import Action, ClockCall, ClockCallEnd, Draw, Event, Registration, Seating
from tournaments.rules.domain.editions import RuleChange, rules_through


class Binds(StrEnum):
    """The event that makes a rule binding: until when it can change, and why it cannot then."""

    until: Sentence
    reason: Sentence

    NEVER = "never", _("jederzeit"), ""
    ON_THE_CLOCK = (
        "on_the_clock",
        _("solange niemand auf der Uhr ist"),
        _("Gerade ist jemand auf der Uhr. Danach lässt es sich ändern."),
    )
    START = (
        "start",
        _("bis zum Start"),
        _("Seit dem Start wird danach gespielt: Es gilt für alle bis zum Ende gleich."),
    )
    FIRST_OUT = (
        "first_out",
        _("bis jemand ausscheidet"),
        _("Es ist schon jemand ausgeschieden: Eine andere Regel würde vergebene Plätze "
          "verschieben."),
    )  # fmt: skip
    HAND_FOR_HAND = (
        "hand_for_hand",
        _("bis Hand für Hand angesagt ist"),
        _("Seit Hand für Hand angesagt ist, richten sich alle danach."),
    )
    FINAL_TABLE = (
        "final_table",
        _("bis der Finaltisch ausgelost ist"),
        _("Der Finaltisch ist schon ausgelost."),
    )

    def __new__(cls, value: str, until: Sentence, reason: Sentence) -> Self:
        made = str.__new__(cls, value)
        made._value_, made.until, made.reason = value, until, reason
        return made


class RuleGroup(StrEnum):
    """A group of rules, on the settings page and on the players' page."""

    label: Sentence
    sentence: Sentence

    TABLE = "table", _("Am Tisch"), _("Wie eine Hand gespielt wird.")
    SEATS = "seats", _("Plätze und Tische"), _("Wer wo sitzt, und wann jemand umzieht.")
    PLACES = "places", _("Ausscheiden und Preise"), _("Welchen Platz jemand bekommt.")

    def __new__(cls, value: str, label: Sentence, sentence: Sentence) -> Self:
        made = str.__new__(cls, value)
        made._value_, made.label, made.sentence = value, label, sentence
        return made


class Heading(StrEnum):
    """The headings for players, in reading order."""

    group: RuleGroup
    label: Sentence

    LEVEL = "level", RuleGroup.TABLE, _("Neue Stufe")
    BUTTON = "button", RuleGroup.TABLE, _("Button")
    RAISE = "raise", RuleGroup.TABLE, _("Erhöhen")
    CLOCK = "clock", RuleGroup.TABLE, _("Clock")
    PHONE = "phone", RuleGroup.TABLE, _("Handy")
    LANGUAGE = "language", RuleGroup.TABLE, _("Sprache")
    SEAT = "seat", RuleGroup.SEATS, _("Dein Platz")
    ABSENT = "absent", RuleGroup.SEATS, _("Wer nicht kommt")
    LATE = "late", RuleGroup.SEATS, _("Später einsteigen")
    BALANCE = "balance", RuleGroup.SEATS, _("Tische ausgleichen")
    HALT = "halt", RuleGroup.SEATS, _("Tisch anhalten")
    BREAK = "break", RuleGroup.SEATS, _("Tisch auflösen")
    REDRAW = "redraw", RuleGroup.SEATS, _("Neu auslosen")
    FINAL = "final", RuleGroup.SEATS, _("Finaltisch")
    HAND = "hand", RuleGroup.PLACES, _("In einer Hand")
    HAND_FOR_HAND = "hand_for_hand", RuleGroup.PLACES, _("Hand für Hand")
    MONEY = "money", RuleGroup.PLACES, _("Im Geld")
    DEALS = "deals", RuleGroup.PLACES, _("Absprachen")
    DISQUALIFIED = "disqualified", RuleGroup.PLACES, _("Disqualifiziert")

    def __new__(cls, value: str, group: RuleGroup, label: Sentence) -> Self:
        made = str.__new__(cls, value)
        made._value_, made.group, made.label = value, group, label
        return made


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


# --- Binding rules with their reasons: for the service and the grey field


def obstacles_to_rules(event: Event, rules: Iterable[Rule]) -> Mapping[str, str]:
    """Return why rules cannot change now, by name; changeable ones are left out."""
    if not event.has_started:
        return {}
    ended = ClockCallEnd.objects.live().filter(call=OuterRef("pk"))
    seated = Seating.objects.live().filter(entry=OuterRef("entry"), table=OuterRef("table"))
    on_the_clock = ClockCall.objects.live().filter(Exists(seated), ~Exists(ended), event=event)
    binding = {
        Binds.START: True,
        Binds.FIRST_OUT: eliminations_live_count(event) > 0,
        Binds.HAND_FOR_HAND: hand_for_hand_was_begun(event),
        Binds.FINAL_TABLE: Draw.objects.live().filter(event=event, kind="final").exists(),
        Binds.ON_THE_CLOCK: on_the_clock.exists(),
    }
    return {rule.name: str(rule.binds.reason) for rule in rules if binding.get(rule.binds)}


# --- The rules of an event at the time a player agreed to them


IDENTITY = ("key", "name", "version")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleState:
    """The rules in force from `at` on, None for the state at creation."""

    number: int
    at: datetime | None
    rules: RuleSet
    is_latest: bool


def rule_states(event: Event) -> list[RuleState]:
    """Return all states of an event's rules, earliest first; empty without rules."""
    if not event.rules:
        return []
    actions = list(_rule_actions(event).select_related("text", "undoes").order_by("sequence"))
    now = event.rule_set.as_data()
    states = rules_through(now, _changes(actions, now))
    instants = [None, *(action.at for action in actions)]
    return [
        RuleState(number=number, at=at, rules=rule_set_from(rules), is_latest=number == len(states))
        for number, (at, rules) in enumerate(zip(instants, states, strict=True), 1)
    ]


def rule_state_number(event: Event, before: int | None = None) -> int:
    """Return the number of the present state, or of the state before log entry `before`."""
    actions = _rule_actions(event)
    return 1 + (actions if before is None else actions.filter(sequence__lt=before)).count()


def rule_state_agreed(registration: Registration) -> int | None:
    """Return the number of the state a player agreed to, None if not asked."""
    if not registration.agrees_to_rules:
        return None
    return rule_state_number(registration.event, registration.made_by.sequence)


def _rule_actions(event: Event) -> QuerySet[Action]:
    kinds = kind_names(lambda kind: kind.sets_rules)
    return Action.objects.filter(Q(kind__in=kinds) | Q(undoes__kind__in=kinds), event=event)


def _changes(actions: list[Action], now: dict[str, Any]) -> list[RuleChange]:
    """Return the change of each entry.

    Entries of an earlier version have only the old name of the rules. The new name is taken from
    the next entry, or is the present one.
    """
    found: list[RuleChange] = []
    called: dict[str, Any] = {name: now[name] for name in IDENTITY}
    for action in reversed(actions):
        if action.undoes is not None:
            found.append(RuleChange(number=action.sequence, undoes=action.undoes.sequence))
            continue
        changed = _changed(action, called)
        called |= {name: changed[name][0] for name in IDENTITY if name in changed}
        found.append(RuleChange(number=action.sequence, changed=changed))
    return found[::-1]


def _changed(action: Action, called: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    texts = action.text.data
    changed = {name: (was, then) for name, (was, then) in action.payload["rules"].items()}
    if action.payload["own_text"]:
        changed["own_text"] = (texts.get("own_text_before", ""), texts.get("own_text_after", ""))
    for name in IDENTITY:
        if f"{name}_before" in texts:
            then = texts.get(f"rules_{name}_after", called[name])
            changed[name] = (texts[f"{name}_before"], then)
    return changed
