"""A share of the field in whole players: a percentage to the hundredth, and its rounding."""

from enum import StrEnum

WHOLE = 10_000  # a hundred percent, in hundredths


class Rounding(StrEnum):
    """The rounding of a share of the field. Live organisers use the nearest or up."""

    NEAREST = "nearest"
    UP = "up"
    DOWN = "down"


def share_rounded(entries: int, hundredths: int, rounding: Rounding) -> int:
    """Return a percentage of the entries as a whole number; a half counts as one.

    >>> [share_rounded(entries, 1500, Rounding.NEAREST) for entries in (155, 362, 353)]
    [23, 54, 53]
    >>> [share_rounded(201, 1250, way) for way in Rounding]
    [25, 26, 25]
    """
    part = entries * hundredths
    match rounding:
        case Rounding.NEAREST:
            return (2 * part + WHOLE) // (2 * WHOLE)
        case Rounding.UP:
            return -(-part // WHOLE)
        case Rounding.DOWN:
            return part // WHOLE
