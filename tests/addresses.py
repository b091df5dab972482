"""Every address that the program answers, as the URLconf has it."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.access_lines import LINES
from tournaments.api.app import interface


def addresses(patterns: list[Any]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns)
        else:
            yield pattern


ADDRESSES = {pattern.name: pattern for pattern in addresses(get_resolver().url_patterns)}


def is_of_people(pattern: URLPattern) -> bool:
    """Tell whether a page or route says that it is about people, tables or seats."""
    return getattr(pattern.callback, "people", False) or pattern.name in ROUTES_OF_PEOPLE


# The framework of the interface for scripts keeps what a route asks for to itself.
ROUTES_OF_PEOPLE = {
    interface.get_operation_url_name(operation, router)
    for router in interface._get_bound_routers()
    for route in router.path_operations.values()
    for operation in route.operations
    if any(getattr(auth, "people", False) for auth in operation.auth_callbacks)
}
OF_PEOPLE = {name for name, pattern in ADDRESSES.items() if is_of_people(pattern)}


def address_of(name: str, values: dict[str, Any]) -> str:
    """Return the path of an address, with what its line says it is about."""
    wanted = ADDRESSES[name].pattern.converters
    return reverse(name, kwargs={arg: values[LINES[name].args.get(arg, arg)] for arg in wanted})
