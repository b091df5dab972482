"""What somebody does who writes into the database of the laptop: SQL, and a few lines of Python."""

import json
from datetime import UTC, datetime

from tournaments.changes.domain.logchain import entry_hash

COLUMNS = "id, sequence, kind, at, recorded_at, payload, role, device_id"


def rewrite(database, event, sequence, change):
    """Change the payload of one entry, and recompute every hash from there on."""
    rows = database.execute(
        f"SELECT {COLUMNS} FROM tournaments_action WHERE event_id = ? AND sequence >= ?"
        " ORDER BY sequence",
        (event, sequence),
    ).fetchall()
    (previous,) = database.execute(
        "SELECT hash FROM tournaments_action WHERE event_id = ? AND sequence = ?",
        (event, sequence - 1),
    ).fetchone()
    for row, number, kind, at, recorded_at, text, role, device in rows:
        payload = json.loads(text)
        if number == sequence:
            change(payload)
        chained = {**payload, "role": role, "device": device}
        digest = entry_hash(previous, number, kind, ms(at), ms(recorded_at), chained)
        database.execute(
            "UPDATE tournaments_action SET payload = ?, previous_hash = ?, hash = ? WHERE id = ?",
            (json.dumps(payload), previous, digest, row),
        )
        previous = digest
    database.execute(
        "UPDATE tournaments_eventhead SET log_hash = ? WHERE event_id = ?", (previous, event)
    )


def ms(stored):
    at = stored if isinstance(stored, datetime) else datetime.fromisoformat(stored)
    return round((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
