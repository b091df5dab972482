"""The door: places and the line, links that a scanner types, and whose forms are counted."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krru.web.connections import is_counted, subscriber
from tournaments.door.domain.places import Capacity, Waiter, waiting_list_next
from tournaments.door.domain.scans import scanned_token

small = st.integers(0, 60)


@given(small, small, small, small, small)
def test_what_is_free_and_taken_never_exceeds_the_capacity(
    capacity, reserved, placed, kept, offered
):
    room = Capacity(
        capacity=capacity, reserved=reserved, placed=placed, placed_reserved=kept, offered=offered
    )
    assert room.free >= 0
    assert room.free_reserved >= 0
    if room.free:
        assert room.taken + room.free <= capacity
    if room.free_reserved:
        assert room.taken + room.free_reserved <= capacity


@pytest.mark.parametrize("name", ["capacity", "reserved", "placed", "placed_reserved", "offered"])
def test_a_number_below_zero_is_no_room(name):
    with pytest.raises(ValueError, match="below zero"):
        Capacity(**{"capacity": 9, name: -1})


@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), max_size=20),
    st.integers(-2, 25),
    st.booleans(),
)
def test_the_line_is_kept(flags, free, only):
    line = [
        Waiter(registration=number, is_member=member, is_asked=asked)
        for number, (member, asked) in enumerate(flags)
    ]
    found = waiting_list_next(line, free=free, members_only=only)
    assert list(found) == sorted(found)
    assert len(found) <= max(0, free)
    eligible = [w.registration for w in line if not w.is_asked and (w.is_member or not only)]
    assert list(found) == eligible[: len(found)]
    assert len(found) == min(len(eligible), max(0, free))


# --- What a scanner typed: links, whatever keyboard it takes itself for; names are none


TOKENS = st.text(string.ascii_letters + string.digits + "-_", min_size=8, max_size=64)
GERMAN_KEYS = str.maketrans("/:-_yzYZ", "-Öß?zyZY")


@given(TOKENS, st.sampled_from(["http://krru.test:8000/p/", "https://a/p/", "/p/", "p/"]))
def test_a_link_gives_its_secret_from_an_american_scanner_on_a_german_keyboard_too(token, before):
    assert scanned_token(f" {before}{token}/ ") == token
    assert scanned_token(before + token) == token
    link = f"http://192.168.1.5:8000/p/{token}/"
    assert scanned_token(link.translate(GERMAN_KEYS)) == token


@pytest.mark.parametrize(
    "typed",
    [
        *("", "Petra", "p/kurz/", "http://krru.test/t/abend/", "/p/" + "x" * 65),
        *("Anna-p-Berger", "/p/zu viele Worte/", "/p/<script>alert(1)</script>/"),
    ],
)
def test_what_is_no_link_is_a_search(typed):
    assert scanned_token(typed) is None


# --- The internet is counted by connection, the hall by phone, none of our own


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "", "unix:", "300.1.1.1"]
)
def test_this_machine_and_what_is_no_address_are_not_counted(address):
    assert not is_counted(address)


PHONES = "10.0.0.8 192.168.1.2 172.16.0.1 169.254.3.4 100.64.0.9 fe80::1 fd00::7 84.112.3.4"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        *((phone, phone) for phone in PHONES.split()),
        ("::ffff:192.168.1.2", "192.168.1.2"),
        ("::ffff:84.112.3.4", "84.112.3.4"),
        ("2a02:8388:1:2::5", "2a02:8388:1:2::/64"),
        ("2a02:8388:1:2:ffff::1", "2a02:8388:1:2::/64"),
        ("2a02:8388:1:3::5", "2a02:8388:1:3::/64"),
    ],
)
def test_a_phone_is_counted_for_itself_and_the_internet_by_connection(address, counted):
    assert subscriber(address) == counted
