"""What the owner of the laptop does to the database, in the hope that nobody sees it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from tests.attacks.forging import rewrite


def _outs(database: sqlite3.Connection, event: int) -> list[tuple[int, int]]:
    rows = database.execute(
        "SELECT id, entry_id FROM tournaments_elimination WHERE event_id = ? ORDER BY id", (event,)
    )
    return list(rows.fetchall())


def swap_outs(database: sqlite3.Connection, event: int) -> None:
    """The first who went out and the last one change places."""
    outs = _outs(database, event)
    (first, one), (last, other) = outs[0], outs[-1]
    set_entry = "UPDATE tournaments_elimination SET entry_id = ?, voided_by_id = ? WHERE id = ?"
    database.execute(set_entry, (one, 1, first))
    database.execute(set_entry, (one, None, last))
    database.execute(set_entry, (other, None, first))


def swap_seats(database: sqlite3.Connection, event: int) -> None:
    """Two players change seats."""
    rows = database.execute(
        "SELECT id, table_id, seat FROM tournaments_seating"
        " WHERE event_id = ? AND voided_by_id IS NULL ORDER BY id LIMIT 2",
        (event,),
    ).fetchall()
    (first, table, seat), (second, other_table, other_seat) = rows
    move = "UPDATE tournaments_seating SET table_id = ?, seat = ? WHERE id = ?"
    database.execute(move, (table, 99, first))
    database.execute(move, (table, seat, second))
    database.execute(move, (other_table, other_seat, first))


def rename(database: sqlite3.Connection, event: int) -> None:
    """Somebody else has played."""
    _out, entry = _outs(database, event)[0]
    database.execute(
        "UPDATE tournaments_person SET name = 'Wer Anderer' WHERE id = (SELECT r.person_id FROM"
        " tournaments_entry e JOIN tournaments_registration r ON r.id = e.registration_id"
        " WHERE e.id = ?)",
        (entry,),
    )


def forget_an_out(database: sqlite3.Connection, event: int) -> None:
    """The last out never was, in the tables."""
    database.execute(
        "DELETE FROM tournaments_elimination WHERE id = ?", (_outs(database, event)[-1][0],)
    )


def rewrite_the_log(database: sqlite3.Connection, event: int) -> None:
    """One entry says something else, and every hash from there on is recomputed."""
    (sequence,) = database.execute(
        "SELECT min(sequence) FROM tournaments_action WHERE event_id = ? AND kind = ?",
        (event, "entry.checked_in"),
    ).fetchone()
    rewrite(database, event, sequence, lambda payload: payload.update(seat=9))


def cut_the_log(database: sqlite3.Connection, event: int) -> None:
    """The last entry of the log is gone."""
    last, previous = database.execute(
        "SELECT id, previous_hash FROM tournaments_action WHERE event_id = ?"
        " ORDER BY sequence DESC LIMIT 1",
        (event,),
    ).fetchone()
    database.execute("UPDATE tournaments_action SET event_id = NULL WHERE id = ?", (last,))
    database.execute(
        "UPDATE tournaments_event SET log_hash = ?, version = version - 1 WHERE id = ?",
        (previous, event),
    )


FORGERIES: dict[str, Callable[[sqlite3.Connection, int], None]] = {
    one.__name__.replace("_", " "): one
    for one in (swap_outs, swap_seats, rename, forget_an_out, rewrite_the_log, cut_the_log)
}
