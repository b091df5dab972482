"""TDA 2024 11-A, played out chair by chair: who moves, and to which seat.

Written from the words of the rule and of 10, 32 and 34 alone; it shares no code with the domain.
Whoever asks deals hand after hand, walking round the table with the button, until the newcomer has
to post a blind.
"""

MOVING, DEAD = "moving", "dead"


def after(seats, chair, wanted):
    """Walk clockwise from a chair to the next one that is wanted; it may be the same again."""
    for _step in range(seats):
        chair = 1 if chair == seats else chair + 1
        if chair in wanted:
            return chair
    raise AssertionError("Nobody is at the table.")


def passed(seats, start, end):
    """Return the chairs met on the way from one chair to another."""
    met, chair = set(), start
    while chair != end:
        chair = 1 if chair == seats else chair + 1
        if chair != end:
            met.add(chair)
    return met


def mover(seats, players, button):
    """Return who is due to post the next big blind; all that is known is who had the button.

    With three and more it is the third player after the button. Heads-up the button had the small
    blind, so it is the button's turn; if that chair is empty, its holder has just gone out, and the
    first player after it had the small blind.
    """
    first = after(seats, button, players)
    if len(players) == 2:
        return button if button in players else first
    third = after(seats, after(seats, first, players), players)
    return first if len(players) == 1 else third


def mover_dead(seats, players, big_blind):
    """With a dead button the big blind simply goes to the next player."""
    return after(seats, big_blind, players)


def seat(seats, free, outcomes, small_blind, button):
    """Return the worst seat: the first behind the small blind that gets the big blind.

    A seat between button and small blind is not wanted, the small blind's own never.
    """
    for wish, start in (("big", small_blind), ("waits", button), ("small", button)):
        allowed = {chair for chair in free if outcomes[chair][0] == wish}
        if allowed:
            return after(seats, start, allowed)
    raise AssertionError("No seat is free.")


def moving_outcome(seats, players, button, newcomer):
    """Deal with a moving button: return what the newcomer posts first, and after how many hands."""
    if len(players) == 1:
        return "big", 0
    button = after(seats, button, players)
    small_blind = after(seats, button, players)
    if newcomer in passed(seats, button, small_blind):
        return "waits", None
    everybody, hand = {*players, newcomer}, 0
    while True:
        if newcomer == after(seats, small_blind, everybody):
            return "big", hand
        assert newcomer != small_blind
        button = after(seats, button, everybody)
        small_blind = after(seats, button, everybody)
        hand += 1


def dead_outcome(seats, players, small_blind, big_blind, newcomer):
    """Deal with a dead button: the chairs of the last blinds tell all."""
    everybody, hand = {*players, newcomer}, 0
    if len(players) == 1:
        return "big", 0 if newcomer == after(seats, big_blind, everybody) else 1
    button, small_blind, big_blind = small_blind, big_blind, after(seats, big_blind, everybody)
    if newcomer == small_blind:
        return "small", 0
    if newcomer in passed(seats, button, small_blind):
        others = everybody - {newcomer}
        # Were he to wait, two would play heads-up; then he has the button, and nobody waits.
        if len(others) > 2 and big_blind != button:
            return "waits", None
    while newcomer != big_blind:
        big_blind = after(seats, big_blind, everybody)
        hand += 1
    return "big", hand
