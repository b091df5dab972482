"""The reference of rules says what the program declares, rule by rule."""

import pytest
from django.utils.translation import override

from krru.data.folder import BASE_DIR
from tests.docs_tables import table_after
from tests.domain.cases import fixture
from tournaments.event.domain.rules import rule_set_from
from tournaments.rules.selectors.rule import RuleGroup
from tournaments.rules.selectors.rules import RULES

PAGE = (BASE_DIR / "docs" / "reference" / "rules.md").read_text("utf-8")
PRESETS = [rule_set_from(row) for row in fixture("rules.json")["presets"]]


def row_of(rule):
    """Return the row of a rule: what it may be, what the presets have, until when, whence."""
    number = rule.number
    choices = [str(choice.label) for choice in (rule.choices or {}).values()]
    may_be = f"{number.least} to {number.most}" if number else "; ".join(choices)
    presets = [rule.words(getattr(preset, rule.name)) for preset in PRESETS]
    told = "" if rule.is_obeyed else "; told only"
    name = f"`{rule.name}`{told}"
    return [name, str(rule.label), may_be, *presets, str(rule.binds.until), str(rule.source)]


@pytest.mark.guide("Alle stehen in der Übersicht")
def test_the_table_of_rules_is_the_programs():
    with override("en"):
        for group in RuleGroup:
            wanted = [row_of(rule) for rule in RULES if rule.heading.group is group]
            assert table_after(PAGE, f"## {group.label}") == wanted
