"""What happens beside the cards: drawn by chance, or sought out when it does not come up."""

from __future__ import annotations

from tournaments.practice.simulation.deeds.deed import Deed, When, deeds
from tournaments.practice.simulation.evening import Evening

SOUGHT_FROM = 0.7  # when so much of the field is left, what has not happened yet is sought out
MOST_SOUGHT = 3  # between two hands


def happen(evening: Evening) -> None:
    """Let something happen now and then; in a whole evening everything, if there is occasion."""
    drawn = [row for row in deeds(When.PLAYING) for _often in range(row.often)]
    if len(evening.books.stacks) < 2:
        return
    if evening.chance(small=0.35, large=0.3):
        act(evening, evening.rng.choice(drawn))
    if evening.plan.is_whole and len(evening.books.stacks) < SOUGHT_FROM * evening.plan.entries:
        seek_out(evening, When.PLAYING)


def seek_out(evening: Evening, when: When) -> None:
    """Do what has not been done yet, a few things at a time."""
    done = 0
    for row in deeds(when):
        if done < MOST_SOUGHT and is_missing(evening, row):
            done += act(evening, row)


def is_missing(evening: Evening, row: Deed) -> bool:
    """Tell whether a deed makes an entry of a kind that nobody has made yet."""
    return any(kind not in evening.played.kinds for kind in row.kinds)


def act(evening: Evening, row: Deed) -> bool:
    done = row.act(evening)
    if done:
        evening.compare()
    return done
