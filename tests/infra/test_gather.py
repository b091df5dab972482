"""Group commit: everybody gets his own answer, in order, whatever happens to the others."""

import threading
import time

import pytest

from krru.gather import Gathering


class Refusal(Exception):
    pass


def hand_in_at_once(gathering, items):
    """Hand items in from a thread each; return what each got, an exception included."""
    found = [None] * len(items)
    ready = threading.Barrier(len(items))

    def run(index, item):
        ready.wait(10)
        try:
            found[index] = gathering.hand_in(item)
        except Exception as problem:
            found[index] = problem

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(items)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    return found


class Kitchen:
    """Carries items out slowly, and keeps which came together."""

    def __init__(self, answer=lambda item: item * 2):
        self.batches = []
        self.answer = answer
        self.is_busy = threading.Lock()

    def __call__(self, items):
        assert self.is_busy.acquire(blocking=False), "two threads at once"
        try:
            self.batches.append(list(items))
            time.sleep(0.02)
            return [self.answer(item) for item in items]
        finally:
            self.is_busy.release()


def test_who_comes_alone_is_done_at_once_and_alone():
    kitchen = Kitchen()
    gathering = Gathering(kitchen)
    assert [gathering.hand_in(item) for item in (1, 2, 3)] == [2, 4, 6]
    assert kitchen.batches == [[1], [2], [3]]


def test_who_comes_meanwhile_is_done_together_and_gets_his_own():
    kitchen = Kitchen()
    items = list(range(40))
    assert hand_in_at_once(Gathering(kitchen), items) == [item * 2 for item in items]
    assert sorted(item for batch in kitchen.batches for item in batch) == items
    assert len(kitchen.batches) < 10


def test_no_more_than_the_most_go_together():
    kitchen = Kitchen()
    hand_in_at_once(Gathering(kitchen, most=4), list(range(20)))
    assert max(map(len, kitchen.batches)) <= 4


def test_they_are_done_in_the_order_in_which_they_came():
    begun, go_on = threading.Event(), threading.Event()
    order = []

    def carry_out(items):
        order.extend(items)
        begun.set()
        assert go_on.wait(10)
        return items

    gathering = Gathering(carry_out)
    threads = []
    for item in range(8):
        threads.append(threading.Thread(target=gathering.hand_in, args=(item,)))
        threads[-1].start()
        assert begun.wait(10)
        deadline = time.monotonic() + 10
        while item and len(gathering._waiting) < item and time.monotonic() < deadline:
            time.sleep(0.001)
    go_on.set()
    for thread in threads:
        thread.join(10)
    assert order == list(range(8))


def test_one_refused_does_not_concern_the_others():
    kitchen = Kitchen(lambda item: Refusal(str(item)) if item % 3 == 0 else item)
    found = hand_in_at_once(Gathering(kitchen), list(range(12)))
    for item, answer in enumerate(found):
        assert str(answer) == str(item)
        assert isinstance(answer, Refusal) == (item % 3 == 0)


def test_when_all_fail_together_each_is_tried_alone():
    def carry_out(items):
        time.sleep(0.01)
        if 7 in items:
            raise Refusal(str(len(items)))
        return items

    found = hand_in_at_once(Gathering(carry_out), list(range(12)))
    assert [item for item, answer in enumerate(found) if answer != item] == [7]
    assert str(found[7]) == "1"


@pytest.mark.parametrize("ending", [SystemExit, KeyboardInterrupt])
def test_nobody_waits_for_ever_when_the_thread_that_leads_is_ended(ending):
    begun, go_on = threading.Event(), threading.Event()
    has_ended = []

    def carry_out(items):
        begun.set()
        assert go_on.wait(10)
        if not has_ended:
            has_ended.append(True)
            raise ending
        return items

    gathering = Gathering(carry_out)

    def lead():
        with pytest.raises(ending):
            gathering.hand_in("first")

    leader = threading.Thread(target=lead)
    leader.start()
    assert begun.wait(10)
    found = []
    follower = threading.Thread(target=lambda: found.append(gathering.hand_in("second")))
    follower.start()
    while not gathering._waiting:
        time.sleep(0.001)
    go_on.set()
    leader.join(10)
    follower.join(10)
    assert found == ["second"]
    assert gathering.hand_in("third") == "third"
