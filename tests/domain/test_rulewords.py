"""Which points of the rules are told: for every rule set there can be, a sentence for each."""

import json
from dataclasses import replace
from itertools import product

import pytest

from krru.settings import FIXTURES
from tournaments.event.domain.betting import LimitKind
from tournaments.event.domain.rule_texts import rule_points
from tournaments.event.domain.rules import (
    ButtonRule,
    ClockCall,
    DisqualifiedPrize,
    LanguageRule,
    MinimumRaise,
    NoShow,
    SameHand,
    rule_set_from,
)
from tournaments.event.selectors.rule_texts import SENTENCES

PRESETS = {
    data["key"]: rule_set_from(data)
    for data in json.loads((FIXTURES / "rules.json").read_text("utf-8"))["presets"]
}


def names(rules, limit=LimitKind.NO_LIMIT):
    return [point.name for point in rule_points(rules, limit=limit)]


def test_krru_3_0_in_short():
    points = rule_points(PRESETS["krru-3"], limit=LimitKind.NO_LIMIT)
    clock = next(point for point in points if point.name == "clock_krru")
    assert (clock.first, clock.second) == (30, 10)
    assert {"no_show_no_seat", "raise_double_bet", "phones_away", "german", "no_deals"} <= set(
        names(PRESETS["krru-3"])
    )


def test_tda_2024_29_and_43_in_short():
    points = rule_points(PRESETS["tda-2024"], limit=LimitKind.POT_LIMIT)
    clock = next(point for point in points if point.name == "clock_tda")
    assert (clock.first, clock.second) == (25, 5)
    assert {"button_dead", "raise_largest_raise"} <= {point.name for point in points}
    assert "german" not in names(PRESETS["tda-2024"])


@pytest.mark.parametrize("limit", [LimitKind.SPLIT_LIMIT, LimitKind.SPREAD_LIMIT])
def test_where_bets_have_their_size_no_raise_is_explained(limit):
    assert not [name for name in names(PRESETS["krru-3"], limit) if name.startswith("raise_")]


def test_the_second_reading_of_krru_3_0_has_its_own_sentence():
    rules = replace(PRESETS["krru-3"], raises_by_double=True)
    assert "raise_by_double" in names(rules)


def test_every_point_of_every_rule_set_has_a_sentence():
    told = set()
    yes_no = (True, False)
    for raises, doubled, button, clock, same, absent in product(
        MinimumRaise, yes_no, ButtonRule, ClockCall, SameHand, NoShow
    ):
        for phones, deals, language, prize in product(
            yes_no, yes_no, LanguageRule, DisqualifiedPrize
        ):
            rules = replace(
                PRESETS["krru-3"], minimum_raise=raises, raises_by_double=doubled,
                button_rule=button, clock_call=clock, same_hand=same, no_show=absent,
                phones_at_table=phones, deals_allowed=deals, language_rule=language,
                disqualified_prize=prize,
            )  # fmt: skip
            told |= set(names(rules))
    assert told == SENTENCES.keys()
