"""The rules of an event at the time a player agreed to them. Reads the log only.

A state has a number: 1 is the state at creation, each change or undo makes the next. So an address
with this number always shows the same.
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
