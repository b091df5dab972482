"""Every address that the program answers, as the URLconf has it."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.access_lines import LINES


def addresses(patterns: list[Any]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns)
        else:
            yield pattern


ADDRESSES = {pattern.name: pattern for pattern in addresses(get_resolver().url_patterns)}


def address_of(name: str, values: dict[str, Any]) -> str:
    """Return the path of an address, with what its line says it is about."""
    wanted = ADDRESSES[name].pattern.converters
    return reverse(name, kwargs={arg: values[LINES[name].args.get(arg, arg)] for arg in wanted})
