from dataclasses import replace
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


def test_krru_3_0_what_its_text_says():
    assert KRRU.button_rule is ButtonRule.MOVING
    assert KRRU.minimum_raise is MinimumRaise.DOUBLE_BET
    assert not KRRU.phones_at_table
    assert not KRRU.arbiters_may_call_clock
    assert not KRRU.deals_allowed
    assert KRRU.language_rule is LanguageRule.GERMAN
    assert KRRU.no_show is NoShow.NO_SEAT


def test_krru_3_0_clock_thirty_seconds_first_then_ten_to_zero_and_dead():
    call = KRRU.clock
    figures = (call.allowed_after_seconds, call.thinking_seconds, call.countdown_seconds)
    assert figures == (30, 0, 10)
    assert not call.checks_when_unbet


def test_tda_2024_29_clock_twenty_five_then_five_after_the_request():
    call = TDA.clock
    figures = (call.allowed_after_seconds, call.thinking_seconds, call.countdown_seconds)
    assert figures == (0, 25, 5)
    assert call.checks_when_unbet


def test_tda_2024_32_and_43():
    assert TDA.button_rule is ButtonRule.DEAD
    assert TDA.minimum_raise is MinimumRaise.LARGEST_RAISE
    assert TDA.balancing_tolerance == 1
    assert TDA.halt_when_short_by == 3


def test_every_way_to_call_the_clock_has_figures():
    assert set(CLOCK_CALLS) == set(ClockCall)


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


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("button_rule", ""),
        ("button_rule", None),
        ("clock_call", ["krru"]),
        ("phones_at_table", 0),
        ("phones_at_table", "no"),
        ("balancing_tolerance", True),
        ("balancing_tolerance", 0),
        ("balancing_tolerance", 1.0),
        ("name", ""),
        ("name", 7),
    ],
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


@given(st.fixed_dictionaries(SETTINGS))
def test_what_is_written_is_read_again(values):
    rules = RuleSet(**values)
    data = rules.as_data()
    assert rule_set_from(data) == rules
    assert {type(value) for value in data.values()} <= {str, int, bool}


@given(st.fixed_dictionaries({}, optional=SETTINGS), OTHERS)
def test_whatever_a_program_stored_is_read_and_nothing_of_it_is_lost(values, others):
    rules = rule_set_from({**values, **others})
    # The figures of Clock follow from the way of it where they are not there.
    clock = rule_set_from({"clock_call": values.get("clock_call", ClockCall.KRRU)})
    assert rules == replace(clock, **values, unknown=others)
    assert rules.as_data() == {**clock.as_data(), **values, **others}


def test_a_change_is_a_new_value():
    assert replace(KRRU, balancing_tolerance=2) != KRRU
