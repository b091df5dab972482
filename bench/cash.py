"""A cash evening of 10 tables, 200 buy-ins and 40 who wait: how long does one action take?

Every change is timed by itself, from the call to its return, by the clock and in processor time.
What is read again after a change is timed too: the staff's tables, a player's card, the wall's
list. In a new data folder: a real file, WAL, every commit synchronised to the disk.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from bench._child import in_child, set_up
from bench._report import Report, percentile

TABLES, SEATS, BUY_INS, WAITING = 10, 9, 200, 40
LOOKS = 20
GOAL_MS = 50.0
NOON = datetime(2026, 1, 10, 12, tzinfo=UTC)
MEASURE = "--measure"
TERMS: dict[str, Any] = {
    "game": "holdem", "limit": "no_limit", "seats": SEATS, "small_blind_cents": 50,
    "big_blind_cents": 100, "minimum": 20, "maximum": 100,
}  # fmt: skip


def main(arguments: list[str]) -> int:
    """Measure in a child process with a data folder of its own, and show the figures."""
    if arguments == [MEASURE]:
        print(json.dumps(_measure()))
        return 0
    report, found = Report("cash"), in_child("bench.cash", MEASURE)
    for name in ("wall", "processor"):
        times = found["action"][name]
        report.add(f"action_{name}_p50", percentile(times, 50), "ms", goal=None)
        report.add(f"action_{name}_p99", percentile(times, 99), "ms", goal=GOAL_MS)
    for name, times in found["looks"].items():
        report.add(f"{name}_processor_p50", percentile(times, 50), "ms", goal=None)
    report.add("bought_in", found["bought_in"], "buy-ins", goal=BUY_INS, better="higher")
    report.add("waiting", found["waiting"], "people", goal=WAITING, better="higher")
    report.add("actions_timed", len(found["action"]["wall"]), "actions", goal=None)
    return report.show()


class _Watch:
    """Calls services one after the other, and notes how long each took."""

    def __init__(self, event: Any) -> None:
        self.event, self.at = event, NOON
        self.wall: list[float] = []
        self.processor: list[float] = []

    def do(self, service: Callable[..., Any], **own: Any) -> Any:
        from tournaments.changes.access import SYSTEM
        from tournaments.changes.commands import Command

        self.at += timedelta(seconds=1)
        began, used = time.perf_counter(), time.process_time()
        action = service(Command(event=self.event, by=SYSTEM, at=self.at), **own)
        self.wall.append((time.perf_counter() - began) * 1000)
        self.processor.append((time.process_time() - used) * 1000)
        return action


def _measure() -> dict[str, Any]:
    set_up()
    from tournaments.cashgame.services.tables import cash_table_open
    from tournaments.changes.access import SYSTEM
    from tournaments.changes.commands import Command
    from tournaments.devtools.made import make_event
    from tournaments.door.services.registration import registrations_import
    from tournaments.models import CashTable, CashWaiting, Posting, Registration

    people = TABLES * SEATS + WAITING
    own = {"kind": "cash_game", "capacity": people, "seats_per_table": SEATS}
    event = make_event("Cash Game", at=NOON, starts_at=NOON, **own)
    names = [{"name": f"Gast {number:03}"} for number in range(people)]
    registrations_import(Command(event=event, by=SYSTEM, at=NOON), people=names)
    rows = list(Registration.objects.filter(event=event).order_by("pk"))
    watch = _Watch(event)
    for _table in range(TABLES):
        watch.do(cash_table_open, **TERMS)
    tables = list(CashTable.objects.filter(event=event).order_by("number"))
    _buy_in(watch, tables, rows)
    _wait(watch, tables, rows)
    bought = Posting.objects.live().filter(event=event, account="chips", amount_cents__lt=0)
    waiting = CashWaiting.objects.live().filter(event=event).values("registration").distinct()
    counts = {"bought_in": bought.count(), "waiting": waiting.count()}
    looks = _looks(event, rows[0], watch.at)
    _go(watch, tables, rows)
    return {
        "action": {"wall": watch.wall, "processor": watch.processor},
        "looks": looks,
        **counts,
    }


def _buy_in(watch: _Watch, tables: list[Any], rows: list[Any]) -> None:
    """Seat everybody there is a seat for; then hands are played, and chips bought between them."""
    from tournaments.cashgame.services.hands import cash_hand_begin, cash_hand_end
    from tournaments.cashgame.services.seats import cash_sit, cash_top_up

    seated = rows[: TABLES * SEATS]
    for number, row in enumerate(seated):
        own = {"table": tables[number // SEATS], "seat": number % SEATS + 1}
        watch.do(cash_sit, registration=row, cents=5_000, **own)
    for number in range(BUY_INS - len(seated)):
        table = tables[number % TABLES]
        watch.do(cash_hand_begin, table=table)
        watch.do(cash_hand_end, table=table)
        own = {"registration": seated[number % len(seated)], "stack_cents": 1_000}
        watch.do(cash_top_up, cents=2_000, **own)


def _wait(watch: _Watch, tables: list[Any], rows: list[Any]) -> None:
    """Put forty on the lists, every fourth on those of all tables; people go out meanwhile."""
    from tournaments.cashgame.services.line import cash_wait
    from tournaments.cashgame.services.presence import cash_away, cash_back

    for number, row in enumerate(rows[TABLES * SEATS :]):
        table = tables[number % TABLES]
        watch.do(cash_wait, registration=row, table=table, any_table=number % 4 == 0)
        watch.do(cash_away, registration=rows[number], minutes=20)
        watch.do(cash_back, registration=rows[number])


def _go(watch: _Watch, tables: list[Any], rows: list[Any]) -> None:
    """At each table somebody is paid out; the seat is offered by itself, and taken with chips."""
    from tournaments.cashgame.services.answers import cash_offer_accept
    from tournaments.cashgame.services.seats import cash_out, cash_sit
    from tournaments.models import CashOffer

    for number, table in enumerate(tables):
        watch.do(cash_out, registration=rows[number * SEATS], cents=5_000)
        offer = CashOffer.objects.live().get(waiting__table=table)
        guest = offer.waiting.registration
        watch.do(cash_offer_accept, registration=guest, table=table)
        watch.do(cash_sit, registration=guest, table=table, seat=1, cents=5_000)


def _looks(event: Any, row: Any, now: datetime) -> dict[str, list[float]]:
    """Return the processor time of what is read again after a change."""
    from tournaments.cashgame.selectors.books import open_tables
    from tournaments.cashgame.selectors.own import own_cash
    from tournaments.cashgame.selectors.pictures import tables_shown
    from tournaments.screens.selectors.cash import hall_cash

    looks: dict[str, Callable[[], Any]] = {
        "staff_tables": lambda: tables_shown(event, open_tables(event), now),
        "player_card": lambda: own_cash(row, now),
        "wall_list": lambda: hall_cash(event, now),
    }
    return {name: [_processor_ms(look) for _ in range(LOOKS)] for name, look in looks.items()}


def _processor_ms(look: Callable[[], Any]) -> float:
    used = time.process_time()
    look()
    return (time.process_time() - used) * 1000


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
