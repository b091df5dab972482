"""Turns: one thread at a time, in the order in which they came."""

import threading
import time

import pytest

from krru.turns import Turns


def waiting(turns):
    return len(turns._waiting)


def test_they_go_one_at_a_time_in_the_order_in_which_they_came():
    turns, order, inside = Turns(), [], []

    def work(number):
        with turns:
            assert not inside
            inside.append(number)
            order.append(number)
            time.sleep(0.002)
            inside.remove(number)

    threads = []
    with turns:
        for number in range(12):
            threads.append(threading.Thread(target=work, args=(number,)))
            threads[-1].start()
            while waiting(turns) <= number:
                time.sleep(0.001)
    for thread in threads:
        thread.join(10)
    assert order == list(range(12))


def test_whoever_comes_again_and_again_does_not_get_in_before_one_who_waits():
    turns, done = Turns(), threading.Event()

    def wait():
        with turns:
            done.set()

    waiter = threading.Thread(target=wait)
    turns.__enter__()
    waiter.start()
    while not waiting(turns):
        time.sleep(0.001)
    turns.__exit__(None, None, None)
    with turns:
        assert done.is_set()
    waiter.join(10)


def test_a_thread_that_has_its_turn_may_take_it_again():
    turns = Turns()
    with turns, turns:
        pass
    others = []
    thread = threading.Thread(target=lambda: others.append(turns.__enter__()))
    thread.start()
    thread.join(10)
    assert others == [None]


def test_an_error_gives_the_turn_on():
    turns = Turns()
    with pytest.raises(ValueError, match="no"), turns:
        raise ValueError("no")
    with turns:
        pass
