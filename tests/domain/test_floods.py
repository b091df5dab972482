"""Whose forms are counted: the internet's by connection, the hall's never."""

import pytest

from tournaments.changes.domain.floods import counted_connection


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "::1", "10.0.0.8", "192.168.1.2", "172.16.0.1", "169.254.3.4", "100.64.0.9",
     "fe80::1%wlan0", "fd00::7", "::ffff:192.168.1.2", "", "unix:", "300.1.1.1"],
)  # fmt: skip
def test_local_addresses_and_what_is_none_are_not_counted(address):
    assert counted_connection(address) is None


def test_the_internet_is_counted_by_connection():
    assert counted_connection("84.112.3.4") == "84.112.3.4"
    assert counted_connection("::ffff:84.112.3.4") == "84.112.3.4"
    one, other = "2a02:8388:1:2::5", "2a02:8388:1:2:ffff::1"
    assert counted_connection(one) == counted_connection(other) == "2a02:8388:1:2::/64"
    assert counted_connection("2a02:8388:1:3::5") != counted_connection(one)
