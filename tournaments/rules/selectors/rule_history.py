"""The rules of an event as they stood when somebody agreed to them. Reads the log only.

A state has a number: 1 is what the event was made with, and each change of its rules, or one taken
back, makes the next. So an address with this number always shows the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.changes.kinds import kind_names
from tournaments.event.domain.rules import RuleSet, rule_set_from
from tournaments.models import Action, Event, Registration
from tournaments.rules.domain.rule_history import RuleChange, rules_through

IDENTITY = ("key", "name", "version")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleState:
    """The rules as they stood from `at` on, None for those the event was made with."""

    number: int
    at: datetime | None
    rules: RuleSet
    is_latest: bool


def rule_states(event: Event) -> list[RuleState]:
    """Return all states of an event's rules, the earliest first; none for one without rules."""
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
    """Return the number of the state in force, or of that when log entry `before` was made."""
    actions = _rule_actions(event)
    return 1 + (actions if before is None else actions.filter(sequence__lt=before)).count()


def rule_state_agreed(registration: Registration) -> int | None:
    """Return the number of the state that a player agreed to, None for one who was not asked."""
    if not registration.agrees_to_rules:
        return None
    return rule_state_number(registration.event, registration.made_by.sequence)


def _rule_actions(event: Event) -> QuerySet[Action]:
    kinds = kind_names(lambda kind: kind.sets_rules)
    return Action.objects.filter(Q(kind__in=kinds) | Q(undoes__kind__in=kinds), event=event)


def _changes(actions: list[Action], now: dict[str, Any]) -> list[RuleChange]:
    """Return what each entry changed.

    An entry of an earlier version names what the rules were called before it and not after it:
    that is what the next one names, or what they are called now.
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
