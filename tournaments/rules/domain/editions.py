"""The edition of a rule book, as printed."""

from datetime import date


def edition_of(version: str) -> tuple[str, date | None]:
    """Return an edition as printed, split from its date if it ends with one.

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
