"""The edition of a rule book, as it is printed on it."""

from datetime import date


def edition_of(version: str) -> tuple[str, date | None]:
    """Return an edition as rule books print it, apart from its date if there is one behind it.

    >>> edition_of("3.0, 22.02.2025")
    ('3.0', datetime.date(2025, 2, 22))
    >>> edition_of("2024"), edition_of("2, 31.02.2025")
    (('2024', None), ('2, 31.02.2025', None))
    """
    edition, _comma, printed = version.rpartition(", ")
    day, _dot, rest = printed.partition(".")
    month, _dot, year = rest.partition(".")
    try:
        return edition, date(int(year), int(month), int(day))
    except ValueError:
        return version, None
