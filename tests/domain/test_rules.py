"""Rule sets: what ships and what their sources say, how they are stored, changed and told."""

from dataclasses import fields, replace
from enum import StrEnum
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.cases import fixture
from tournaments.event.domain.rules import (
    CLOCK_CALLS,
    ButtonRule,
    ClockCall,
    LanguageRule,
    MinimumRaise,
    NoShow,
    RuleSet,
    rule_set_from,
)
from tournaments.rules.domain.editions import RuleChange, rules_through
from tournaments.rules.selectors.rule import Binds, Heading, RuleGroup
from tournaments.rules.selectors.rules import RULES

PRESETS = {row["key"]: row for row in fixture("rules.json")["presets"]}
KRRU = rule_set_from(PRESETS["krru-3"])
TDA = rule_set_from(PRESETS["tda-2024"])


def test_the_presets_that_ship():
    assert [preset.name for preset in (KRRU, TDA)] == ["KRRU 3.0", "TDA 2024"]
    assert next(iter(PRESETS)) == "krru-3"  # the default comes first
    for data in PRESETS.values():
        rules = rule_set_from(data)
        assert list(rules.as_data()) == list(data)  # nothing is left to a default
        assert rules.as_data() == data
        assert not rules.unknown


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (
            KRRU,
            {
                "button_rule": ButtonRule.MOVING,
                "minimum_raise": MinimumRaise.DOUBLE_BET,
                "phones_at_table": False,
                "arbiters_may_call_clock": False,
                "deals_allowed": False,
                "language_rule": LanguageRule.GERMAN,
                "no_show": NoShow.NO_SEAT,
            },
        ),
        (
            TDA,
            {
                "button_rule": ButtonRule.DEAD,
                "minimum_raise": MinimumRaise.LARGEST_RAISE,
                "balancing_tolerance": 1,
                "halt_when_short_by": 3,
            },
        ),
    ],
    ids=["KRRU 3.0", "TDA 2024"],
)
def test_a_preset_says_what_its_text_says(rules, told):
    assert {name: getattr(rules, name) for name in told} == told


@pytest.mark.parametrize(
    ("rules", "seconds", "checks"), [(KRRU, (30, 0, 10), False), (TDA, (0, 25, 5), True)]
)
def test_krru_3_0_clock_ten_to_zero_after_thirty_and_tda_2024_29_twenty_five_then_five(
    rules, seconds, checks
):
    call = rules.clock
    figures = (call.allowed_after_seconds, call.thinking_seconds, call.countdown_seconds)
    assert figures == seconds
    assert call.checks_when_unbet is checks


def test_a_stored_rule_set_without_a_setting_keeps_what_was_done_before():
    data = dict(PRESETS["tda-2024"])
    del data["no_show"], data["button_rule"]
    rules = rule_set_from(data)
    assert (rules.no_show, rules.button_rule) == (NoShow.NO_SEAT, ButtonRule.MOVING)
    assert rules == replace(TDA, no_show=NoShow.NO_SEAT, button_rule=ButtonRule.MOVING)


def test_what_only_a_newer_program_knows_is_kept_and_does_not_apply():
    data = {**PRESETS["krru-3"], "straddle": {"most": 2}, "button_rule": "forward"}
    rules = rule_set_from(data)
    assert rules.unknown == {"straddle": {"most": 2}, "button_rule": "forward"}
    assert rules.button_rule is ButtonRule.MOVING
    assert rules.as_data() == data
    assert replace(rules, unknown={}) == KRRU


WRONG = {
    "button_rule": ["", None],
    "clock_call": [["krru"]],
    "phones_at_table": [0, "no"],
    "balancing_tolerance": [True, 0, 1.0],
    "name": ["", 7],
}


@pytest.mark.parametrize(
    ("name", "wrong"), [(name, wrong) for name, values in WRONG.items() for wrong in values]
)
def test_a_value_of_another_kind_is_refused_by_name(name, wrong):
    with pytest.raises(ValueError, match=f"Not a value of {name}"):
        rule_set_from({**PRESETS["krru-3"], name: wrong})


def test_what_was_stored_before_clock_had_figures_of_its_own_has_those_of_its_way():
    figures = ("clock_after_seconds", "clock_thinking_seconds", "clock_countdown_seconds")
    for rules, key in ((KRRU, "krru-3"), (TDA, "tda-2024")):
        older = {name: value for name, value in PRESETS[key].items() if name not in figures}
        assert rule_set_from(older | {"raises_by_double": False}) == rules
        assert rules.clock == CLOCK_CALLS[rules.clock_call]


def test_krru_3_0_the_second_reading_that_was_stored_as_a_setting_of_its_own():
    older = {**PRESETS["krru-3"], "raises_by_double": True}
    assert rule_set_from(older) == replace(KRRU, minimum_raise=MinimumRaise.BY_DOUBLE)
    assert rule_set_from({**PRESETS["tda-2024"], "raises_by_double": True}) == TDA


def values_of(kind):
    if issubclass(kind, StrEnum):
        return st.sampled_from(kind)
    return {bool: st.booleans(), int: st.integers(1, 9), str: st.text(min_size=1)}[kind]


SETTINGS = {
    name: values_of(kind) for name, kind in get_type_hints(RuleSet).items() if name != "unknown"
}
OTHERS = st.dictionaries(
    st.text().filter(lambda name: name not in {*SETTINGS, "unknown"}), st.integers() | st.text()
)


@given(st.fixed_dictionaries({}, optional=SETTINGS), OTHERS)
def test_whatever_a_program_stored_is_read_and_nothing_of_it_is_lost(values, others):
    rules = rule_set_from({**values, **others})
    # The figures of Clock follow from the way of it where they are not there.
    clock = rule_set_from({"clock_call": values.get("clock_call", ClockCall.KRRU)})
    assert rules == replace(clock, **values, unknown=others)
    assert rules.as_data() == {**clock.as_data(), **values, **others}
    assert {type(value) for value in rules.as_data().values()} <= {str, int, bool}


# --- How rules are told


# What names the set of rules, and what the house adds in its own words.
NO_RULES = {"key", "name", "version", "own_text", "unknown"}


def choices_of(rule):
    if rule.number is None:
        return list(rule.choices)
    return list(range(rule.number.least, rule.number.most + 1))


def test_every_field_of_the_rule_set_is_a_rule_and_every_rule_a_field():
    declared = [rule.name for rule in RULES]
    assert len(declared) == len(set(declared))
    assert {field.name for field in fields(KRRU)} - NO_RULES == set(declared)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_either_chosen_or_a_number_and_says_what_it_does(rule):
    assert (rule.choices is None) != (rule.number is None)
    for text in (rule.label, rule.sentence, rule.source, rule.heading.label):
        assert str(text)
    assert rule.binds is Binds.NEVER or str(rule.binds.reason)
    values = choices_of(rule)
    told = [rule.published(value) for value in values]
    assert len(set(told)) == len(values) > 1
    assert len({rule.words(value) for value in values}) == len(values)
    assert not [text for text in told if "%" in text]
    for rules in (KRRU, TDA):
        assert rule.may_be(getattr(rules, rule.name))
    for wrong in ("", "elsewhere", None, -1, 1000, 1.0):
        assert not rule.may_be(wrong), wrong


def test_headings_stand_in_the_order_of_their_groups():
    groups = [heading.group for heading in Heading]
    assert groups == sorted(groups, key=list(RuleGroup).index)


def test_tda_2024_5b_the_phone_may_not_lie_on_the_table():
    [phones] = [rule for rule in RULES if rule.name == "phones_at_table"]
    assert "nicht auf ihn" in phones.published(True)


# --- The rules after each change, against a book in which every state was written down


NAMES = ("button", "raise", "text")
numbers = st.integers(0, 3)
changes = st.dictionaries(st.sampled_from(NAMES), numbers, min_size=1)
# What is done next: something changed, or the so-manieth change taken back.
deeds = st.lists(st.one_of(changes, st.integers(0, 5)), max_size=8)


@given(st.fixed_dictionaries(dict.fromkeys(NAMES, numbers)), deeds)
def test_every_state_is_found_again_from_the_last_one(first, deeds):
    written, log, made = [first], [], []
    for number, deed in enumerate(deeds, 1):
        now = written[-1]
        if isinstance(deed, dict):
            changed = {name: (now[name], value) for name, value in deed.items()}
            log.append(RuleChange(number=number, changed=changed))
            made.append(log[-1])
            written.append(now | deed)
        elif deed < len(made):
            back = made.pop(deed)
            log.append(RuleChange(number=number, undoes=back.number))
            written.append(now | {name: was for name, (was, _) in back.changed.items()})
    assert rules_through(written[-1], log) == written
