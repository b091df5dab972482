"""Hand for hand before the money, with outs told late and put into other hands; then "im Geld"."""

from __future__ import annotations

from datetime import timedelta

from clock.selectors import clock_state
from tournaments.cash.selectors.prizes import paid_places
from tournaments.models import Action
from tournaments.play.services.bubble import (
    hand_for_hand_begin,
    hand_for_hand_end,
    heads_check,
    money_reach,
    round_release,
    table_report,
)
from tournaments.play.services.elimination_details import elimination_correct
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.deeds.outs import outs_of
from tournaments.practice.simulation.evening import ARBITER, DESK, SECOND, Evening
from tournaments.practice.simulation.floor import settle
from tournaments.practice.simulation.hands import play_table
from tournaments.practice.simulation.outs import put_out
from tournaments.practice.simulation.standings import Hand, Round

NEAR = 6  # so many before the money it is announced
MOST_ROUNDS = 40
HAND = timedelta(minutes=2)
Busted = dict[int, int]


@deed(
    hand_for_hand_begin, table_report, round_release, hand_for_hand_end, elimination_correct,
    entries_eliminate, when=When.COURSE,
)  # fmt: skip
def play_hand_for_hand(evening: Evening) -> None:
    """Play hand for hand until all who are left are paid."""
    left = len(evening.books.stacks) - paid_places(evening.event)
    if not 0 < left <= NEAR or _is_too_early(evening):
        return
    which = len(evening.books.rounds.ended) + 1
    evening.refused("not_allowed", hand_for_hand_begin, by=ARBITER)
    _begin(evening, evening.do(hand_for_hand_begin), (which, 0))
    for number in range(MOST_ROUNDS):
        untold = _play_round(evening, (which, number))
        if not untold:
            settle(evening)
            evening.note_tables()
        is_last = number + 1 == MOST_ROUNDS or _plays_at_one_table(evening)
        if is_last or _is_over(evening, untold):
            break
        evening.now = max(evening.now, evening.books.rounds.began[-1][0] + HAND)
        _wait_for_the_break(evening)
        _begin(evening, evening.do(round_release, after=number), (which, number + 1))
        for busted in untold:
            _tell_late(evening, busted, (which, number))
        _put_into_another_hand(evening, which)
    for busted in untold:
        _tell_late(evening, busted, (which, number))
    ended = evening.do(hand_for_hand_end)
    evening.books.rounds.ended[which] = ended.at
    evening.read_clock()
    evening.checker.full(evening.books, evening.now)


def _is_too_early(evening: Evening) -> bool:
    """Tell whether people are still to come, the clock is in a break, or one table plays alone."""
    is_expected = evening.missing is not None and evening.missing.pk
    is_late = evening.expected < evening.plan.entries
    is_early = is_expected or is_late or evening.clock_is_in_a_break()
    return bool(is_early) or _plays_at_one_table(evening)


def _plays_at_one_table(evening: Evening) -> bool:
    return sum(len(seats) > 1 for seats in evening.books.tables.values()) < 2


def _begin(evening: Evening, action: Action, played: Round) -> None:
    """Write down that a hand began, and where the clock is that its minutes came off."""
    evening.books.rounds.began.append((action.at, played))
    evening.read_clock()


def _is_over(evening: Evening, untold: list[Busted]) -> bool:
    left = len(evening.books.stacks) - sum(map(len, untold))
    return left <= paid_places(evening.event)


def _play_round(evening: Evening, played: Round) -> list[Busted]:
    """Play one hand at every table; return who went out and is not told before the next hand."""
    untold: list[Busted] = []
    level = clock_state(evening.event.clock, evening.now).level
    numbers = sorted(evening.books.tables)
    evening.rng.shuffle(numbers)
    for number in numbers:
        if len(evening.books.tables[number]) < 2:
            continue
        busted = play_table(evening, number, level)
        is_late = busted and evening.rng.random() < 0.4
        if busted and not is_late:
            put_out(evening, busted)
        if len(evening.books.tables[number]) > 1:
            if number == numbers[-1]:
                evening.refused("tables_missing", round_release, after=played[1])
            table = evening.table(number)
            told = evening.do(table_report, by=ARBITER, table=table, number=played[1])
            evening.books.rounds.reports[played, number] = told.at
        if is_late:
            untold.append(busted)
    evening.checker.quick(evening.books)
    return untold


def _wait_for_the_break(evening: Evening) -> None:
    """Let a break pass to which the minutes of the hands have led."""
    state = clock_state(evening.event.clock, evening.now)
    if state.level.is_break and not state.is_waiting and state.remaining is not None:
        evening.refused("break", round_release, after=evening.books.rounds.began[-1][1][1])
        evening.now += state.remaining + SECOND


def _tell_late(evening: Evening, busted: Busted, played: Round) -> None:
    """Record who went out in a hand that is over: it names the hand."""
    books = evening.books
    table = books.where[next(iter(busted))][0]
    action = evening.do(
        entries_eliminate,
        by=ARBITER,
        entries=[evening.entry(pk) for pk in busted],
        start_stacks=busted,
        hand=played[1],
    )
    at = books.rounds.nearest(played, action.at, table)
    books.leave(Hand(at, action.sequence, dict(busted), table, played))
    evening.checker.full(books, evening.now)


def _put_into_another_hand(evening: Evening, which: int) -> None:
    """Correct in which hand somebody went out; mostly that was right, and is taken back."""
    books = evening.books
    hands = [hand for hand in books.hands if hand.round and hand.round[0] == which]
    if not hands or evening.rng.random() < 0.6:
        return
    hand = evening.rng.choice(hands)
    number = evening.rng.randrange(books.rounds.began[-1][1][1])
    played = (which, number)
    if hand.round == played:
        return
    before = evening.kept(small=0.7, large=0.7)
    action = evening.do(
        elimination_correct, by=ARBITER, eliminations=outs_of(evening, hand), hand=number
    )
    at = books.rounds.nearest(played, hand.at, hand.table)
    books.correct(hand, at=at, round=played)
    evening.checker.full(books, evening.now)
    evening.stays(action, before)
    evening.checker.full(evening.books, evening.now)


@deed(heads_check, money_reach, when=When.COURSE)
def reach_the_money(evening: Evening) -> None:
    """Count every table, and announce that all who are left are paid."""
    books = evening.books
    if evening.has_money or len(books.stacks) > paid_places(evening.event):
        return
    for number, seats in sorted(books.tables.items(), reverse=True):
        table = evening.table(number)
        if number == min(books.tables) and len(seats) > 1:
            evening.refused("not_allowed", heads_check, by=DESK, table=table, players=len(seats))
            evening.do(heads_check, by=ARBITER, table=table, players=len(seats) - 1)
            evening.refused("tables_differ", money_reach)
        evening.do(heads_check, by=ARBITER, table=table, players=len(seats))
    evening.do(money_reach)
    evening.has_money = True
    evening.refused("already_reached", money_reach)
