"""What is read once of a row that is only shown, and anew of one that a service holds."""

from clock.models import Clock
from clock.snapshot import is_snapshot, read_once, snapshot

asked = []


@read_once
def told(row, *further, **named):
    asked.append((row, further, named))
    return len(asked)


def test_the_same_row_fetched_anew_knows_nothing():
    row, again = Clock(pk=1), Clock(pk=1)
    snapshot(row)
    snapshot(again)
    known = told(row)
    assert told(again) != known
    snapshot(row)
    assert told(row) == known


def test_a_snapshot_is_read_once_for_each_question_and_a_row_of_a_service_each_time():
    row = Clock(pk=1)
    assert not is_snapshot(row)
    assert told(row) != told(row)
    snapshot(row)
    assert is_snapshot(row)
    assert told(row) == told(row)
    assert told(row, 1) == told(row, 1) != told(row)
    assert told(row, number=1) == told(row, number=1) != told(row, 1)
    assert told(row, [1]) != told(row, [1]), "a list in a question is not kept"
