"""Waking the streams of one topic: changes go out together, none is left out, the loop rests."""

import asyncio
import time
from itertools import pairwise

import pytest

from clock import rounds as rounds_module
from clock.rounds import SHARE, WOKEN_A_TURN, Rounds

MANY = 20 * WOKEN_A_TURN
SLOW_S = 0.00005


class Sleeper:
    """Counts how often it was woken, and what it had heard by then."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.heard: list[tuple[float, int]] = []
        self.seconds, self.news = seconds, [0]

    def wake(self) -> None:
        until = time.perf_counter() + self.seconds
        self.heard.append((time.perf_counter(), self.news[0]))
        while time.perf_counter() < until:
            pass


def hall(count: int, seconds: float = 0.0) -> tuple[list[Sleeper], list[int]]:
    """Return sleepers, and where they hear how many changes there were."""
    sleepers, news = [Sleeper(seconds) for _ in range(count)], [0]
    for sleeper in sleepers:
        sleeper.news = news
    return sleepers, news


async def until(condition) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0)


def test_a_change_wakes_everybody_at_once_in_a_small_hall():
    sleepers, news = hall(60)

    async def change():
        rounds = Rounds(lambda: sleepers)
        news[0] = 1
        rounds.wake()

    asyncio.run(change())
    assert all(len(one.heard) == 1 and one.heard[0][1] == 1 for one in sleepers)


@pytest.mark.parametrize("count", [1, 60, MANY])
def test_of_changes_during_a_round_everybody_hears_in_the_next(count):
    sleepers, news = hall(count)

    async def change():
        rounds = Rounds(lambda: sleepers)
        for number in range(1, 51):
            news[0] = number
            rounds.wake()
        await until(lambda: all(len(one.heard) == 2 for one in sleepers))

    asyncio.run(change())
    assert all(len(one.heard) == 2 and one.heard[-1][1] == 50 for one in sleepers)


def two_rounds(sleepers, news, beside=None):
    """Let two changes come at once, and return when each round began and when the first ended."""

    async def change():
        rounds = Rounds(lambda: sleepers)
        other = asyncio.create_task(beside()) if beside else None
        for number in (1, 2):
            news[0] = number
            rounds.wake()
        await until(lambda: len(sleepers[-1].heard) == 2)
        if other:
            other.cancel()

    asyncio.run(change())
    return sleepers[0].heard[0][0], sleepers[-1].heard[0][0], sleepers[0].heard[1][0]


def test_with_nothing_saved_others_have_three_quarters_of_the_loop(monkeypatch):
    monkeypatch.setattr(rounds_module, "MOST_SAVED_S", 0.0)
    sleepers, news = hall(MANY, SLOW_S)
    turns: list[float] = []

    async def stand_by():
        while True:
            turns.append(time.perf_counter())
            await asyncio.sleep(0)

    began, ended, again = two_rounds(sleepers, news, stand_by)
    assert ended - began >= MANY * SLOW_S
    assert again - began >= 0.9 * (ended - began) / SHARE
    assert sum(began < turn < ended for turn in turns) >= MANY // WOKEN_A_TURN - 1


def test_a_change_after_a_calm_does_not_wait_for_a_rest():
    began, ended, again = two_rounds(*hall(MANY, SLOW_S))
    assert again - ended < 0.9 * (ended - began) * (1 / SHARE - 1)


def test_changes_without_end_use_up_what_was_saved(monkeypatch):
    monkeypatch.setattr(rounds_module, "MOST_SAVED_S", 2 * MANY * SLOW_S)
    sleepers, news = hall(MANY, SLOW_S)

    async def change():
        rounds = Rounds(lambda: sleepers)
        while len(sleepers[-1].heard) < 6:
            news[0] += 1
            rounds.wake()
            await asyncio.sleep(0)

    asyncio.run(change())
    began = [at for at, _ in sleepers[0].heard]
    waited = [after - before for before, after in pairwise(began)]
    assert max(waited[:1]) < min(waited[-2:])
    assert min(waited[-2:]) >= 0.9 * MANY * SLOW_S / SHARE


def test_no_rest_is_longer_than_the_longest(monkeypatch):
    monkeypatch.setattr(rounds_module, "MOST_SAVED_S", 0.0)
    monkeypatch.setattr(rounds_module, "LONGEST_REST_S", 0.001)
    began, ended, again = two_rounds(*hall(MANY, SLOW_S))
    assert again - ended < 0.9 * (ended - began) * (1 / SHARE - 1)


def test_a_new_loop_begins_anew():
    sleepers, news = hall(MANY, SLOW_S)
    rounds = Rounds(lambda: sleepers)

    async def change():
        news[0] += 1
        rounds.wake()

    asyncio.run(change())
    rounds.forget()
    asyncio.run(change())
    assert sleepers[0].heard[-1][1] == 2
