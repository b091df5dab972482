"""S26: how often each hand comes among seven cards, counted by classes and one by one."""

import json
import subprocess
from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from tests.domain.cases import fixture
from tests.domain.test_clock_vectors import node
from tests.domain.test_hands import FIVE_CARD_COUNTS
from tournaments.rulings.domain import hand_shares
from tournaments.rulings.domain.hand_shares import ALL_HANDS, counts_by_category
from tournaments.rulings.domain.hands import Category, category_of, value_of_numbers

PRINTED = {
    Category.FOUR: 0.17, Category.FULL_HOUSE: 2.60, Category.FLUSH: 3.03, Category.STRAIGHT: 4.62,
    Category.THREE: 4.83, Category.TWO_PAIR: 23.50, Category.PAIR: 43.82,
    Category.HIGH_CARD: 17.41,
}  # fmt: skip


def test_s26_all_133_784_560_hands_are_counted_and_what_is_stored_is_the_count():
    counts = counts_by_category()
    assert sum(counts.values()) == ALL_HANDS == 133_784_560
    stored = fixture("hand-shares.json")
    assert stored == {category.name.lower(): count for category, count in counts.items()}


def test_steffen_the_shares_are_those_printed_but_for_one_pair():
    """STEFFEN prints 43.83 for one pair, which is 43.82."""
    counts = counts_by_category()
    shares = {category: round(100 * count / ALL_HANDS, 2) for category, count in counts.items()}
    assert {category: shares[category] for category in PRINTED} == PRINTED
    both = counts[Category.STRAIGHT_FLUSH] + counts[Category.ROYAL_FLUSH]
    assert round(100 * both / ALL_HANDS, 2) == 0.03


def test_counting_by_classes_is_counting_one_by_one_in_a_deck_of_six_ranks(monkeypatch):
    monkeypatch.setattr(hand_shares, "RANKS", 6)
    found = Counter(category_of(value_of_numbers(seven)) for seven in combinations(range(24), 7))
    assert counts_by_category() == {category: found[category] for category in Category}
    assert sum(found.values()) == comb(24, 7)


@pytest.mark.long
def test_counting_by_classes_is_counting_one_by_one_in_a_deck_of_eight_ranks(monkeypatch):
    monkeypatch.setattr(hand_shares, "RANKS", 8)
    found = Counter(category_of(value_of_numbers(seven)) for seven in combinations(range(32), 7))
    assert counts_by_category() == {category: found[category] for category in Category}


def counted_on_a_phone(size):
    """Return how many of all hands of so many cards are of each kind, by JavaScript."""
    runner = Path(__file__).with_name("run_hands.js")
    done = subprocess.run([node(), runner, str(size)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.long
def test_the_phone_values_all_2_598_960_hands_of_five_cards():
    wanted = {category.name.lower(): count for category, count in FIVE_CARD_COUNTS.items()}
    assert counted_on_a_phone(5) == wanted


@pytest.mark.long
def test_s26_all_133_784_560_hands_valued_one_by_one_come_to_what_is_stored():
    assert counted_on_a_phone(7) == fixture("hand-shares.json")
