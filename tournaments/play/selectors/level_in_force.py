"""The level in force at a table, with the reason as a sentence. Reads only."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy

from clock.selectors import clock_past
from tournaments.event.selectors.clock import clock_then
from tournaments.models import Event, Hand, Table
from tournaments.play.domain.level_in_force import (
    Began,
    ClockHistory,
    Ground,
    InForce,
    level_in_force,
)

REASONS: Mapping[Ground, Any] = {
    Ground.NOT_STARTED: gettext_lazy(
        "Das Turnier hat noch nicht begonnen. Die erste Hand wird mit Stufe %(level)s gespielt."
    ),
    Ground.NOT_TAPPED: gettext_lazy("Angesagt seit %(since)s, gilt ab der nächsten Hand."),
    Ground.NOT_TAPPED_BREAK: gettext_lazy(
        "Noch nichts getippt, und es ist Pause: vor ihr war Stufe %(level)s angesagt."
    ),
    Ground.HAND_SINCE: gettext_lazy(
        "Hand %(hand)s begann um %(at)s, als Stufe %(level)s schon angesagt war."
    ),
    Ground.HAND_BEFORE_BREAK: gettext_lazy(
        "Hand %(hand)s begann um %(at)s, vor der Pause. Bis zu ihrem Ende gilt Stufe %(level)s."
    ),
    Ground.HAND_IN_BREAK: gettext_lazy(
        "Hand %(hand)s begann um %(at)s, in der Pause. Bis zu ihrem Ende gilt Stufe %(level)s."
    ),
    Ground.HAND_BEFORE: gettext_lazy(
        "Hand %(hand)s begann um %(at)s, vor Stufe %(announced)s. "
        "Bis zu ihrem Ende gilt Stufe %(level)s."
    ),
    Ground.ASSUMED: gettext_lazy(
        "Seit Hand %(hand)s um %(at)s nichts getippt: Stufe %(level)s, wie angesagt."
    ),
}
NOT_RUN_YET = gettext_lazy("Angesagt, gilt ab der nächsten Hand.")


def clock_history(event: Event) -> ClockHistory:
    """Return the event's clock history, in two queries for any number of tables."""
    return ClockHistory(clock_past(event.clock))


def hand_latest(table: Table) -> Hand | None:
    """Return the last tapped hand of a table."""
    return Hand.objects.live().filter(table=table).order_by("-began_at", "-number").first()


def table_in_force(event: Event, table: Table, now: datetime) -> InForce:
    """Return the level in force at a table at `now`, which may be in the past."""
    rows = Hand.objects.live().filter(table=table, began_at__lte=now)
    return _answer(event, _began(rows), clock_history(event), now)


def event_in_force(event: Event, now: datetime) -> InForce:
    """Return the level in force at `now` without a table: the announced one."""
    return _answer(event, [], clock_history(event), now)


def in_force_then(event: Event, number: int, at: datetime) -> InForce | None:
    """Return the level in force at a table at `at` from facts known then, or None.

    Actions undone later count, as they did for the screens then.
    """
    then = Q(made_by__at__lte=at) & (Q(voided_by__isnull=True) | Q(voided_by__at__gt=at))
    table = Table.objects.filter(then, event=event, number=number).order_by("-pk").first()
    if table is None:
        return None
    rows = Hand.objects.filter(then, table=table, began_at__lte=at)
    return _answer(event, _began(rows), ClockHistory(clock_past(clock_then(event, at))), at)


def _answer(event: Event, hands: list[Began], clock: ClockHistory, now: datetime) -> InForce:
    return level_in_force(hands, clock, now, longest=event.rule_set.tap_holds)


def _began(rows: QuerySet[Hand]) -> list[Began]:
    return [Began(number=number, at=at) for number, at in rows.values_list("number", "began_at")]


def tables_behind(event: Event, now: datetime) -> list[tuple[int, InForce]]:
    """Return the tables that still play another level than the announced one, by number.

    Only the last hand of each table is read, to be cheap in a large hall.
    """
    if not event.has_started or event.is_over:
        return []
    last = Hand.objects.live().filter(table=OuterRef("pk"), began_at__lte=now)
    last = last.order_by("-began_at", "-number")
    tables = Table.objects.live().filter(event=event).order_by("number")
    rows = tables.annotate(
        hand=Subquery(last.values("number")[:1]), began_at=Subquery(last.values("began_at")[:1])
    ).filter(hand__isnull=False)
    found = list(rows.values_list("number", "hand", "began_at"))
    if not found:
        return []
    history = clock_history(event)
    answers = (
        (number, _answer(event, [Began(number=hand, at=began_at)], history, now))
        for number, hand, began_at in found
    )
    return [(number, answer) for number, answer in answers if answer.is_behind]


def reason_of(answer: InForce) -> str:
    """Return why this level is in force, as a sentence in the reader's language."""
    if answer.ground is Ground.NOT_TAPPED and answer.since is None:
        return str(NOT_RUN_YET)
    return str(REASONS[answer.ground]) % {
        "level": answer.level.number,
        "announced": answer.announced.number,
        "since": _time(answer.since, "H:i"),
        "hand": answer.hand.number if answer.hand else "",
        "at": _time(answer.hand.at if answer.hand else None, "H:i:s"),
    }


def _time(at: datetime | None, form: str) -> str:
    return date_format(localtime(at), form) if at is not None else ""
