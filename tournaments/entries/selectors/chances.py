"""Whose seat is held for a re-buy, until when, and who has asked for something. Reads only."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.models import Action, Event, PurchaseWish, RebuyChance

# Who takes one of these back is busy with it: nobody is put out meanwhile.
GIVES_TIME = ("rebuy.bought", "rebuy.declined", "rebuys.lapsed")


def chances_live(event: Event) -> QuerySet[RebuyChance]:
    """Return whose seat is held, the earliest to end first."""
    rows = RebuyChance.objects.live().filter(event=event)
    rows = rows.select_related("entry__registration__person", "lost__made_by", "made_by")
    return rows.order_by("until", "pk")


def wishes_live(event: Event) -> QuerySet[PurchaseWish]:
    """Return what is asked for and not sold yet, the first first."""
    rows = PurchaseWish.objects.live().filter(event=event)
    return rows.select_related("entry__registration__person").order_by("asked_at", "pk")


def chances_lapsed(event: Event, now: datetime) -> list[RebuyChance]:
    """Return whose time is up without a wish.

    After something was taken back nobody is put out for as long as a seat is held: staff is at it.
    """
    asked = PurchaseWish.objects.live().filter(entry=OuterRef("entry"))
    rows = chances_live(event).filter(until__lte=now).exclude(Exists(asked))
    found = list(rows)
    if found and _is_being_corrected(event, now):
        return []
    return found


def _is_being_corrected(event: Event, now: datetime) -> bool:
    since = now - timedelta(minutes=event.rebuy_hold_minutes)
    undone = Action.objects.filter(event=event, kind="action.undone", recorded_at__gt=since)
    return undone.filter(undoes__kind__in=GIVES_TIME).exists()


def events_with_chances_due(now: datetime) -> list[Event]:
    """Return the events at which a held seat has to be given up."""
    due = RebuyChance.objects.live().filter(event=OuterRef("pk"), until__lte=now)
    running = Event.objects.filter(started_by__isnull=False, ended_by=None, cancelled_by=None)
    return list(running.filter(Exists(due)).select_related("clock", "club"))
