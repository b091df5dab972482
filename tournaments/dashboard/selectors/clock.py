"""Due by the clock during play: it stands, the end of late registration."""

from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.models import ClockAction
from clock.selectors import clock_anchor, clock_state
from tournaments.dashboard.selectors.items import (
    SOON_MINUTES,
    DueItem,
    DueKind,
    Urgency,
    minutes_of,
    time_of,
)
from tournaments.event.domain.latecomers import time_in_words
from tournaments.event.selectors.clock import TOLERANCE, evening_held
from tournaments.event.selectors.event import event_accepts_late, late_entry_of
from tournaments.event.selectors.labels import late_until
from tournaments.models import Action, Event

COUNTING_SHOWN = timedelta(minutes=10)
OUTAGE_SHOWN = timedelta(minutes=30)


def clock_items(event: Event, now: datetime) -> list[DueItem]:
    state = clock_state(event.clock, now)
    items = []
    if state.last_hands == 0:
        items.append(
            DueItem(
                DueKind.HANDS_PLAYED,
                Urgency.NOW,
                _("Die letzte Hand ist gespielt"),
                _("Turnier beenden, oder mit „Weiter“ die Stufe weiterlaufen lassen."),
            )
        )
    elif not state.is_running:
        items.append(
            DueItem(
                DueKind.CLOCK_STANDS,
                Urgency.SOON,
                _("Die Uhr ist angehalten"),
                _("Sie läuft erst weiter, wenn jemand sie startet."),
                fact=f"{clock_anchor(event.clock).elapsed}",
            )
        )
    return [*items, *_counting(event, now), *_late(event, now)]


def outage_items(
    event: Event, now: datetime, away: tuple[datetime, datetime] | None
) -> list[DueItem]:
    """Return that the clock ran on during the computer's outage, until it is operated."""
    if away is None or now - away[1] > OUTAGE_SHOWN:
        return []
    since, until = away
    is_driven = ClockAction.objects.filter(clock=event.clock_id, at__gt=since).exists()
    was = clock_state(event.clock, since)
    if is_driven or not was.is_running or was.remaining is None:
        return []
    words = {
        "since": time_of(since),
        "until": time_of(until),
        "left": time_in_words(was.remaining),
    }
    note = _(
        "Der Rechner war aus, oder seine Uhr wurde gestellt. "
        "Wurde nicht gespielt: zurück auf %(left)s."
    )
    title = _("Von %(since)s bis %(until)s lief hier nichts") % words
    return [
        DueItem(DueKind.AWAY_CLOCK, Urgency.NOW, title, note % words, number=int(since.timestamp()))
    ]


def set_back_items(now: datetime, ahead: timedelta) -> list[DueItem]:
    """Return that the time is ahead of the computer's clock, which was set back."""
    if ahead < TOLERANCE:
        return []
    held = evening_held(now - ahead)
    if held is None:
        note = _(
            "Die Zeit läuft weiter wie davor. "
            "Geht die Uhr jetzt richtig, lässt sie sich übernehmen."
        )
    else:
        note = _(
            "Bei %(event)s steht schon etwas mit der Zeit davor. Sie läuft weiter bis zum Ende."
        ) % {"event": held.name}
    title = _("Die Uhr des Rechners wurde um %(span)s zurückgestellt") % {"span": _span(ahead)}
    return [DueItem(DueKind.CLOCK_SET_BACK, Urgency.SOON, title, note, number=None if held else 1)]


def _span(span: timedelta) -> str:
    if span < timedelta(days=1):
        return time_in_words(span)
    days = ngettext("%(days)s Tag", "%(days)s Tage", span.days) % {"days": span.days}
    return f"{days} {time_in_words(span - timedelta(days=span.days))}"


def _counting(event: Event, now: datetime) -> list[DueItem]:
    """Return the change of the counting table, for some minutes."""
    counting = event.clock.counting_table
    if counting is None:
        return []
    since = now - COUNTING_SHOWN
    given_on = Action.objects.filter(
        event=event, recorded_at__gt=since, payload__has_key="counts_now"
    )
    last = given_on.order_by("-sequence").first()
    if last is None or last.payload["counts_now"] != counting:
        return []
    words = {"before": last.payload["counts_before"], "table": counting}
    title = _("Tisch %(table)s zählt jetzt die Hände") % words
    note = _("An Tisch %(before)s wird keine Hand mehr gespielt.") % words
    return [DueItem(DueKind.COUNTING, Urgency.SOON, title, note, number=counting)]


def _late(event: Event, now: datetime) -> list[DueItem]:
    if not event.is_registration_open or not event_accepts_late(event, now):
        return []
    ends_at, until = late_entry_of(event, now).ends_at, {"until": late_until(event)}
    urgency, title = Urgency.LATER, _("Nachmelden %(until)s") % until
    if ends_at is not None:
        minutes = minutes_of(ends_at - now)
        title = _("Nachmelden noch %(minutes)s min") % {"minutes": minutes}
        urgency = Urgency.SOON if minutes <= SOON_MINUTES else Urgency.LATER
    note = _("Möglich %(until)s.") % until
    return [DueItem(DueKind.LATE_REGISTRATION, urgency, title, note, fact=f"{urgency} {note}")]
