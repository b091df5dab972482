"""Players on the clock: open calls and their rule. Reads only."""

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as lazy

from tournaments.event.selectors.event import figures
from tournaments.models import ClockCall, ClockCallEnd, Event, Seating, Summons, Table
from tournaments.play.domain.calls import CallTimes, call_times


def times_of(call: ClockCall, event: Event) -> CallTimes:
    return call_times(event.rule_set.clock, call.began_at, has_watch=call.has_watch)


def calls_open(event: Event) -> QuerySet[ClockCall]:
    """Return the calls without an outcome, of players still seated."""
    ended = ClockCallEnd.objects.live().filter(call=OuterRef("pk"))
    seated = Seating.objects.live().filter(entry=OuterRef("entry"), table=OuterRef("table"))
    rows = ClockCall.objects.live().filter(Exists(seated), ~Exists(ended), event=event)
    return rows.select_related("entry__registration__person", "table")


def call_open_at(event: Event, table: Table) -> ClockCall | None:
    return calls_open(event).filter(table=table).order_by("-pk").first()


# --- Open calls for the director: table, time, word


# In the order shown on the phone.
WORDS = {
    "rule": lazy("Regelfrage"),
    "dispute": lazy("Streit"),
    "chips": lazy("Chips stimmen nicht"),
    "cards": lazy("Karten tauschen"),
    "manner": lazy("Benehmen"),
    "other": lazy("Bitte kommen"),
}


def summons_live(event: Event) -> list[Summons]:
    """Return the unsettled calls, earliest first."""
    if not figures(event, "summons")["summons"]:
        return []
    rows = Summons.objects.live().filter(event=event, table__voided_by=None)
    return list(rows.select_related("table").order_by("called_at", "pk"))


def summons_of(table: Table) -> Summons | None:
    return Summons.objects.live().filter(table=table).first()


def word_of(reason: str) -> str:
    return str(WORDS.get(reason, reason))
