"""The rules of an event in plain words, for whoever is about to agree to them or plays by them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.changes.kinds import kind_names
from tournaments.event.domain.editions import edition_of
from tournaments.event.domain.rules import rule_set_from
from tournaments.event.selectors.procedures import procedures
from tournaments.event.selectors.rule import Heading, Rule, RuleGroup
from tournaments.event.selectors.rules import rules_for
from tournaments.models import Action, Event, RulePreset

# What one should have read before one agrees.
IN_SHORT = frozenset(
    {
        Heading.LEVEL, Heading.BUTTON, Heading.RAISE, Heading.CLOCK, Heading.PHONE,
        Heading.LANGUAGE, Heading.ABSENT, Heading.HAND, Heading.DEALS, Heading.DISQUALIFIED,
    }
)  # fmt: skip
OF_TOMORROW = _(
    "Diese Regeln sind neuer als das Programm. Was es nicht kennt, gilt hier nicht: %(names)s."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What stands under one heading; `differs` where the preset would say something else."""

    heading: Heading
    sentences: list[str]
    differs: bool = False

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesShown:
    """The rule set's name, its edition, from when that is if it says so, and what it says."""

    name: str
    version: str
    dated: date | None
    parts: list[Published]
    own_text: str
    of_tomorrow: str

    @property
    def in_short(self) -> list[str]:
        """Return what one should know before one agrees, a paragraph for each heading."""
        found = [part.text for part in self.parts if part.heading in IN_SHORT]
        return [*found, self.of_tomorrow] if self.of_tomorrow else found

    @property
    def groups(self) -> list[tuple[RuleGroup, list[Published]]]:
        """Return all, in groups."""
        return [
            (group, list(parts))
            for group, parts in groupby(self.parts, key=lambda part: part.heading.group)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A rule that is not as its preset has it, both in words."""

    rule: Rule
    here: str
    preset: str


def rules_shown(event: Event, differing: frozenset[str] = frozenset()) -> RulesShown | None:
    """Return the rules of an event; None for one that was made without any."""
    if not event.rules:
        return None
    rules = event.rule_set
    chosen = rules_for(event)
    told = [(rule.heading, rule.published(getattr(rules, rule.name)), rule) for rule in chosen]
    found: dict[Heading, list[str]] = defaultdict(list)
    for heading, sentence in (
        *((heading, sentence) for heading, sentence, rule in told if not rule.is_after),
        *procedures(event),
        *((heading, sentence) for heading, sentence, rule in told if rule.is_after),
    ):
        found[heading].append(sentence)
    marked = {rule.heading for rule in chosen if rule.name in differing}
    version, dated = edition_of(rules.version)
    return RulesShown(
        name=rules.name,
        version=version,
        dated=dated,
        parts=[
            Published(heading=one, sentences=found[one], differs=one in marked)
            for one in Heading
            if one in found
        ],
        own_text=rules.own_text,
        of_tomorrow=(
            OF_TOMORROW % {"names": ", ".join(sorted(rules.unknown))} if rules.unknown else ""
        ),
    )


def preset_of(event: Event) -> RulePreset | None:
    """Return the preset that the rules of an event began with, None once it was deleted."""
    return RulePreset.objects.filter(key=event.rules.get("key", "")).first()


def differences(event: Event, preset: RulePreset | None) -> list[Difference]:
    """Return what is not as the preset has it."""
    if preset is None:
        return []
    here, there = event.rule_set, rule_set_from(preset.rules)
    return [
        Difference(
            rule=rule,
            here=rule.words(getattr(here, rule.name)),
            preset=rule.words(getattr(there, rule.name)),
        )
        for rule in rules_for(event)
        if getattr(here, rule.name) != getattr(there, rule.name)
    ]


def rules_changed_at(event: Event) -> datetime | None:
    """Return when the rules of an event were changed last, None if they never were."""
    kinds = kind_names(lambda kind: kind.sets_rules)
    rows = Action.objects.filter(Q(kind__in=kinds) | Q(undoes__kind__in=kinds), event=event)
    return rows.order_by("-sequence").values_list("at", flat=True).first()
