"""What a scanner typed: links, whatever keyboard it takes itself for; names are none."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.door.domain.scans import scanned_token

TOKENS = st.text(string.ascii_letters + string.digits + "-_", min_size=8, max_size=64)
GERMAN_KEYS = str.maketrans("/:-_yzYZ", "-Öß?zyZY")


@given(TOKENS, st.sampled_from(["http://krru.test:8000/p/", "https://a/p/", "/p/", "p/"]))
def test_a_link_gives_its_secret_with_and_without_the_last_slash(token, before):
    assert scanned_token(f" {before}{token}/ ") == token
    assert scanned_token(before + token) == token


@given(TOKENS)
def test_an_american_scanner_on_a_german_keyboard_is_understood(token):
    link = f"http://192.168.1.5:8000/p/{token}/"
    assert scanned_token(link.translate(GERMAN_KEYS)) == token


@pytest.mark.parametrize(
    "typed",
    ["", "Petra", "p/kurz/", "http://krru.test/t/abend/", "/p/" + "x" * 65, "Anna-p-Berger",
     "/p/zu viele Worte/", "/p/<script>alert(1)</script>/"],
)  # fmt: skip
def test_what_is_no_link_is_a_search(typed):
    assert scanned_token(typed) is None
