"""Seats held for a re-buy with their deadlines, and requests. Reads only."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.models import Action, Event, PurchaseWish, RebuyChance

# Staff who undo one of these are busy with it: eliminate no player meanwhile.
GIVES_TIME = ("rebuy.bought", "rebuy.declined", "rebuys.lapsed")


def chances_live(event: Event) -> QuerySet[RebuyChance]:
    """Return the held seats, earliest deadline first."""
    rows = RebuyChance.objects.live().filter(event=event)
    rows = rows.select_related("entry__registration__person", "lost__made_by", "made_by")
    return rows.order_by("until", "pk")


def wishes_live(event: Event) -> QuerySet[PurchaseWish]:
    """Return the open requests, earliest first."""
    rows = PurchaseWish.objects.live().filter(event=event)
    return rows.select_related("entry__registration__person").order_by("asked_at", "pk")


def chances_lapsed(event: Event, now: datetime) -> list[RebuyChance]:
    """Return the expired held seats without a request.

    After an undo none expires for the time a seat is held: staff is correcting.
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
    """Return the events with an expired held seat."""
    due = RebuyChance.objects.live().filter(event=OuterRef("pk"), until__lte=now)
    running = Event.objects.filter(started_by__isnull=False, ended_by=None, cancelled_by=None)
    return list(running.filter(Exists(due)).select_related("clock", "club"))
