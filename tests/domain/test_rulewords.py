"""What is told of the rules: each has a declaration, and each of its values a text of its own."""

from dataclasses import fields

import pytest

from tests.domain.cases import fixture
from tournaments.event.domain.rules import rule_set_from
from tournaments.rules.selectors.rule import Binds, Heading, RuleGroup
from tournaments.rules.selectors.rules import RULES

PRESETS = [rule_set_from(row) for row in fixture("rules.json")["presets"]]
# What names the set of rules, and what the house adds in its own words.
NO_RULES = {"key", "name", "version", "own_text", "unknown"}


def values_of(rule):
    if rule.number is None:
        return list(rule.choices)
    return list(range(rule.number.least, rule.number.most + 1))


def test_every_field_of_the_rule_set_is_a_rule_and_every_rule_a_field():
    declared = [rule.name for rule in RULES]
    assert len(declared) == len(set(declared))
    assert {field.name for field in fields(PRESETS[0])} - NO_RULES == set(declared)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_either_chosen_or_a_number_and_says_what_it_does(rule):
    assert (rule.choices is None) != (rule.number is None)
    for text in (rule.label, rule.sentence, rule.source, rule.heading.label):
        assert str(text)
    assert rule.binds is Binds.NEVER or str(rule.binds.reason)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_value_of_a_rule_has_a_text_and_words_of_its_own(rule):
    values = values_of(rule)
    told = [rule.published(value) for value in values]
    assert len(set(told)) == len(values) > 1
    assert len({rule.words(value) for value in values}) == len(values)
    assert not [text for text in told if "%" in text]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_preset_has_a_value_that_can_be_chosen_and_other_values_cannot(rule):
    for rules in PRESETS:
        assert rule.may_be(getattr(rules, rule.name))
    for wrong in ("", "elsewhere", None, -1, 1000, 1.0):
        assert not rule.may_be(wrong), wrong


def test_headings_stand_in_the_order_of_their_groups():
    groups = [heading.group for heading in Heading]
    assert groups == sorted(groups, key=list(RuleGroup).index)


def test_tda_2024_5b_the_phone_may_not_lie_on_the_table():
    [phones] = [rule for rule in RULES if rule.name == "phones_at_table"]
    assert "nicht auf ihn" in phones.published(True)
