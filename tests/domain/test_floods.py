"""Whose forms are counted: the internet's by connection, the hall's by phone, none of our own."""

import pytest

from krru.web.connections import is_counted, subscriber


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "", "unix:", "300.1.1.1"]
)
def test_this_machine_and_what_is_no_address_are_not_counted(address):
    assert not is_counted(address)


@pytest.mark.parametrize(
    "address",
    ["10.0.0.8", "192.168.1.2", "172.16.0.1", "169.254.3.4", "100.64.0.9", "fe80::1", "fd00::7"],
)
def test_a_phone_in_the_hall_is_counted_for_itself(address):
    assert subscriber(address) == address
    assert subscriber("::ffff:192.168.1.2") == "192.168.1.2"


def test_the_internet_is_counted_by_connection():
    assert subscriber("84.112.3.4") == "84.112.3.4"
    assert subscriber("::ffff:84.112.3.4") == "84.112.3.4"
    one, other = "2a02:8388:1:2::5", "2a02:8388:1:2:ffff::1"
    kept = "2a02:8388:1:2::/64"
    assert subscriber(one) == subscriber(other) == kept
    assert subscriber("2a02:8388:1:3::5") != kept
