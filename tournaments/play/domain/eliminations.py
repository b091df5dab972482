"""The questions to ask when several go out in one hand. Places are in `ranking`."""

from __future__ import annotations

from datetime import timedelta

# Recorded together but busted one after another: the grounds of the order.
STEP = timedelta(microseconds=1)


def stacks_matter(*, left: int, out: int, paid: int, final_table: int) -> bool:
    """Tell whether the starting stacks of a hand decide a relevant place.

    `left` are still in after the hand; `out` busted in it and rank by stack (common practice).
    Their best place must be paid, otherwise the order is irrelevant. While the paid places are not
    set (`paid` 0), the places of the final table count as relevant (ours).

    >>> stacks_matter(left=40, out=2, paid=5, final_table=9)
    False
    >>> stacks_matter(left=4, out=2, paid=5, final_table=9)  # places 5 and 6
    True
    >>> stacks_matter(left=4, out=1, paid=5, final_table=9)
    False
    >>> stacks_matter(left=8, out=2, paid=0, final_table=9)
    True

    :raises ValueError: If nobody went out.
    """
    if out < 1:
        raise ValueError("Nobody went out.")
    return out > 1 and left + 1 <= (paid or final_table)
