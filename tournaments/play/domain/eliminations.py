"""What has to be asked when several go out in one hand. Places themselves are in `ranking`."""

from __future__ import annotations

from datetime import timedelta

# One after the other, but told at once: what decides their order.
STEP = timedelta(microseconds=1)


def stacks_matter(*, left: int, out: int, paid: int, final_table: int) -> bool:
    """Tell whether the stacks at the start of a hand change a place that matters.

    `left` are still in after the hand, `out` went out in it and rank by those stacks (common
    practice). Their best place has to be paid; otherwise nothing hangs on it. While nobody has said
    how many are paid (`paid` 0), the places of the final table are taken to matter (ours).

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
