"""The rules of an event in plain words, for players to read and agree to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.rules import RuleSet, rule_set_from
from tournaments.models import Event, RulePreset
from tournaments.rules.domain.editions import edition_of
from tournaments.rules.selectors.procedures import procedures
from tournaments.rules.selectors.rule import Heading, Rule, RuleGroup
from tournaments.rules.selectors.rules import rules_for

# To be read before agreeing.
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
    """The texts of one heading; `differs` where the preset has another text.

    `preset` is the preset's text for each rule that differs.
    """

    heading: Heading
    sentences: list[str]
    preset: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        return bool(self.preset)

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesShown:
    """The rule set: name, edition, its date if known, and the texts."""

    name: str
    version: str
    dated: date | None
    parts: list[Published]
    own_text: str
    of_tomorrow: str

    @property
    def in_short(self) -> list[str]:
        """Return a summary to read before agreeing, a paragraph for each heading."""
        found = [part.text for part in self.parts if part.heading in IN_SHORT]
        return [*found, self.of_tomorrow] if self.of_tomorrow else found

    @property
    def groups(self) -> list[tuple[RuleGroup, list[Published]]]:
        """Return all texts, in groups."""
        return [
            (group, list(parts))
            for group, parts in groupby(self.parts, key=lambda part: part.heading.group)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A rule that differs from its preset, both in words; `published` is for players."""

    rule: Rule
    here: str
    preset: str
    published: str


def rules_shown(
    event: Event, differing: Sequence[Difference] = (), *, paid: int
) -> RulesShown | None:
    """Return the rules of an event; None if it was made without any.

    :param paid: The number of paid places, 0 if unknown.
    """
    if not event.rules:
        return None
    rules = event.rule_set
    texts = _sentences(event, rules)
    found: dict[Heading, list[str]] = defaultdict(list)
    for heading, sentence in (
        *((rule.heading, sentence) for rule, sentence in texts if not rule.is_after),
        *procedures(event, paid),
        *((rule.heading, sentence) for rule, sentence in texts if rule.is_after),
    ):
        found[heading].append(sentence)
    return _shown(rules, found, differing)


def rules_shown_then(event: Event, rules: RuleSet, differing: Sequence[Difference]) -> RulesShown:
    """Return the texts of other rules than those in force, without the event's settings."""
    found: dict[Heading, list[str]] = defaultdict(list)
    for rule, sentence in _sentences(event, rules):
        found[rule.heading].append(sentence)
    return _shown(rules, found, differing)


def _sentences(event: Event, rules: RuleSet) -> list[tuple[Rule, str]]:
    return [(rule, rule.published(getattr(rules, rule.name))) for rule in rules_for(event)]


def _shown(
    rules: RuleSet, found: Mapping[Heading, list[str]], differing: Sequence[Difference]
) -> RulesShown:
    others: dict[Heading, list[str]] = defaultdict(list)
    for one in differing:
        others[one.rule.heading].append(one.published)
    version, dated = edition_of(rules.version)
    return RulesShown(
        name=rules.name,
        version=version,
        dated=dated,
        parts=[
            Published(heading=one, sentences=found[one], preset=tuple(others[one]))
            for one in Heading
            if one in found
        ],
        own_text=rules.own_text,
        of_tomorrow=(
            OF_TOMORROW % {"names": ", ".join(sorted(rules.unknown))} if rules.unknown else ""
        ),
    )


def preset_of(event: Event) -> RulePreset | None:
    """Return the preset the event's rules began with, None once deleted."""
    return RulePreset.objects.filter(key=event.rules.get("key", "")).first()


def differences(event: Event, preset: RulePreset | None) -> list[Difference]:
    """Return the differences from the preset."""
    if preset is None:
        return []
    return differences_between(event, event.rule_set, rule_set_from(preset.rules))


def differences_between(event: Event, here: RuleSet, there: RuleSet) -> list[Difference]:
    """Return the differences of two rule sets that matter for this event."""
    return [
        Difference(
            rule=rule,
            here=rule.words(getattr(here, rule.name)),
            preset=rule.words(getattr(there, rule.name)),
            published=rule.published(getattr(there, rule.name)),
        )
        for rule in rules_for(event)
        if getattr(here, rule.name) != getattr(there, rule.name)
    ]
