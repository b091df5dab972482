"""Whose forms are counted against a flood: which visitors come from one connection.

The phones of a hall have addresses of their own in its network; what comes from the internet is
counted by connection, and whole networks of IPv6 belong to one. A family is within the limit. Who
has the link of the poster may send more: a hall may share an address. Even so one phone does not
take every place. This machine is not counted: a proxy runs here.
"""

from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network

THIS_MACHINE = frozenset({"127.0.0.1", "::1"})
ONE_SUBSCRIBER = 64  # bits of an IPv6 address that one connection keeps


@dataclass(frozen=True, slots=True, kw_only=True)
class FloodLimit:
    """So many forms are taken in a while."""

    most: int
    window: timedelta


PER_ADDRESS = FloodLimit(most=10, window=timedelta(minutes=10))
# A router may show several phones under one address.
FROM_THE_POSTER = FloodLimit(most=30, window=timedelta(minutes=10))
OF_SCREENS = FloodLimit(most=20, window=timedelta(minutes=10))
# A million codes, one of them good for five minutes: nobody guesses it within these.
OF_TYPED_CODES = FloodLimit(most=10, window=timedelta(minutes=10))
OF_ALL_TYPED_CODES = FloodLimit(most=100, window=timedelta(minutes=10))
PER_LINK = FloodLimit(most=60, window=timedelta(minutes=10))


def counted_connection(address: str) -> str | None:
    """Return what a visitor's address is counted under, or None if it is not counted.

    Not counted are addresses of this machine, and what is no address.

    >>> counted_connection("127.0.0.1")
    >>> counted_connection("192.168.0.17"), counted_connection("2a02:8388:1:2:3:4:5:6")
    ('192.168.0.17', '2a02:8388:1:2::/64')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if str(found) in THIS_MACHINE:
        return None
    if isinstance(found, IPv6Address) and found.is_global:
        return str(ip_network((found, ONE_SUBSCRIBER), strict=False))
    return str(found)
