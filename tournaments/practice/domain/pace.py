"""The pace of an invented event: the length of a hand, the time to an elimination."""

HAND_SECONDS = 120
SPEEDS = (1, 5, 20, 60)
USUAL_SPEED = 20
# The risk of an elimination in a hand, for each big blind of an average stack.
RISK = 8
MOST_RISK = 0.6


def seconds_to_next_out(*, left: int, tables: int, chips: int, big_blind: int) -> float:
    """Return the average time until the next elimination.

    >>> seconds_to_next_out(left=27, tables=3, chips=5400, big_blind=2)
    500.0
    >>> round(seconds_to_next_out(left=27, tables=3, chips=5400, big_blind=100))
    67
    """
    risk = min(MOST_RISK, RISK * max(big_blind, 1) * left / max(chips, 1))
    return HAND_SECONDS / (risk * max(tables, 1))
