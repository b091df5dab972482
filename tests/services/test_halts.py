"""Tables that are far short stand still, or the director lets them play on."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.halts import table_far_short, tables_far_short
from tournaments.seating.services.locks import table_halt
from tournaments.seating.services.tables import balance_step

pytestmark = pytest.mark.django_db


def far_short_event():
    """Two tables of ten; three are out at the second."""
    event = f.make_running_event(20)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    return f.fresh(event)


def halt(event, number, minute=10, **own):
    return f.drive(table_halt, event, minute, table=f.table_of(event, number), **own)


def test_tda_2024_11d_a_table_three_short_halts_until_it_is_not():
    event = far_short_event()
    [state] = tables_far_short(event, f.after(13))
    assert (state.number, state.short_by, state.is_waived) == (2, 3, None)
    halt(event, 2)
    f.assert_logged(event, "table.halted", table=2, short_by=3, outcome="halted")
    assert table_far_short(event, 2, f.after(13)).is_halted
    assert table_far_short(event, 1, f.after(13)) is None
    move = floor_advice(event, f.after(10)).moves[0]
    entry = next(one for one in f.entries_of(event) if one.pk == move.entry)
    step = {"from_table": 1, "to_table": 2, "to_seat": move.to_seat}
    call_service(balance_step, event=event, by=SYSTEM, at=f.after(11), entry=entry, **step)
    assert tables_far_short(event, f.after(13)) == []
    f.undo(event, at=f.after(12))
    assert (
        table_far_short(event, 2, f.after(13)).is_waived is None
    )  # whoever came and went is a new question


def test_tda_2024_11d_the_director_may_waive_and_think_again():
    event = far_short_event()
    halt(event, 2, is_waived=True)
    f.assert_logged(event, "table.halted", table=2, outcome="waived")
    assert table_far_short(event, 2, f.after(13)).is_waived is True
    halt(event, 2, 11)
    assert table_far_short(event, 2, f.after(13)).is_halted
    with f.refused("cannot_halt", event):
        halt(event, 2, 12)
    f.out(event, f.at_table(event, 2)[0], at=f.after(13))
    assert table_far_short(event, 2, f.after(13)).is_waived is None
    assert table_far_short(event, 2, f.after(13)).short_by == 4


def test_tda_2024_11d_only_a_table_that_is_far_short():
    event = far_short_event()
    with f.refused("cannot_halt", event) as caught:
        halt(event, 1)
    assert "fehlen nicht so viele" in str(caught.value)
    with f.refused("not_allowed", event):
        halt(event, 2, by=f.make_arno(event))
    assert tables_far_short(f.make_seated_event(4, name="Noch nicht"), f.START) == []
