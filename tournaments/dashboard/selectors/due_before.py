"""Due before play, in a contest of several flights, and by clock, computer and screens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.models import ClockAction
from clock.selectors import clock_anchor, clock_state
from tournaments.contests.selectors.contests import (
    day_begins_at,
    ends_with_bags,
    feeding,
    left_to_the_end,
    nearing_of,
    stacks_to_carry,
    stage_of,
)
from tournaments.dashboard.selectors.items import (
    LATER,
    NOW,
    SOON,
    SOON_MINUTES,
    DueItem,
    DueKind,
    minutes_of,
    time_of,
)
from tournaments.dashboard.selectors.tables import card_items, dealer_items, floor_items
from tournaments.event.domain.latecomers import time_in_words
from tournaments.event.selectors.clock import CALL_BEFORE, TOLERANCE, evening_held, lacks_call
from tournaments.event.selectors.event import (
    entries_live_count,
    event_accepts_late,
    late_entry_of,
    least_of,
    registrations_placed_count,
    takes_bags_only,
)
from tournaments.event.selectors.labels import late_until
from tournaments.models import Action, Event, Message, Stage
from tournaments.screens.selectors.screens import screen_pictures
from tournaments.seating.domain.seating import TableCount
from tournaments.seating.selectors.balancing import FloorAdvice

LEAST_BEFORE = timedelta(days=1)


def before_items(
    event: Event, now: datetime, counts: Sequence[TableCount], advice: FloorAdvice
) -> list[DueItem]:
    registered, entered = registrations_placed_count(event), entries_live_count(event)
    seated = sum(count.players for count in counts)
    all_here = 0 < registered <= entered
    waits = not registered and takes_bags_only(event)  # for its flights
    items = [*_least(event, now), *([] if all_here or waits else [_arrivals(registered, entered)])]
    urgency = NOW if all_here else LATER
    if entered >= 2 and not seated:
        note = _("%(count)s sind da. Wer später kommt, bekommt seinen Platz einzeln.")
        note = (_("Alle %(count)s sind da.") if all_here else note) % {"count": entered}
        title, fact = _("Plätze auslosen"), f"{all_here}"
        items.append(DueItem(DueKind.DRAW_SEATS, urgency, title, note, fact=fact))
    items += [*card_items(event, counts, urgency), *dealer_items(event, counts, urgency)]
    items += floor_items(event, counts, advice, now)
    if seated:
        items += [start_item(event, now, all_here=all_here), *call_items(event, now)]
    return items


def _least(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield whether enough are registered: once it is decided, and a day before."""
    least = least_of(event, now)
    if least is None or now < least.decided_at - LEAST_BEFORE:
        return
    at = time_of(least.decided_at)
    told = {"missing": least.missing, "count": least.registered, "needed": least.needed, "at": at}
    if least.missing and not least.is_decided:
        title = ngettext(
            "Bis %(at)s fehlt noch eine Anmeldung",
            "Bis %(at)s fehlen noch %(missing)s Anmeldungen",
            least.missing,
        )
        note = _("Ab %(needed)s findet es statt.") % told
        yield DueItem(DueKind.DESK, LATER, title % told, note)
    elif least.missing:
        title = _("Nur %(count)s von mindestens %(needed)s sind angemeldet") % told
        note = _("Absagen, oder weglegen und trotzdem spielen.")
        yield DueItem(DueKind.LEAST, NOW, title, note)
    elif not Message.objects.live().filter(event=event, table=None, entry=None).exists():
        title = _("Es findet statt: %(count)s sind angemeldet") % told
        note = _("Als Durchsage geht es an alle Handys.")
        yield DueItem(DueKind.LEAST_MET, SOON, title, note)


def _arrivals(registered: int, entered: int) -> DueItem:
    if not registered:
        title = _("Noch niemand angemeldet")
        note = _("Namen kommen von der Turnierseite, aus einer Liste, oder hier eingetippt.")
        return DueItem(DueKind.DESK, NOW, title, note)
    missing = registered - entered
    title = ngettext("Einer fehlt noch", "%(count)s fehlen noch", missing) % {"count": missing}
    note = _("%(entered)s von %(registered)s sind eingecheckt.")
    note %= {"entered": entered, "registered": registered}
    return DueItem(DueKind.DESK, SOON if entered else NOW, title, note, fact="arrivals")


def start_item(event: Event, now: datetime, *, all_here: bool) -> DueItem:
    begins, today = timezone.localtime(event.starts_at), timezone.localtime(now)
    same_day = begins.date() == today.date()
    when = time_format(begins, "H:i") if same_day else date_format(begins, _("D, j. F, H:i"))
    if now >= event.starts_at:
        title, urgency = _("Beginn war um %(when)s"), NOW
    else:
        is_soon = minutes_of(event.starts_at - now) <= SOON_MINUTES
        title, urgency = _("Beginn um %(when)s"), SOON if is_soon else LATER
    if not same_day:
        title = _("Beginn: %(when)s")
    note = _("Wer nach dem Start eincheckt, wird nachgesetzt.")
    if all_here:
        note = _("Wenn alle sitzen: die Uhr starten.")
    return DueItem(DueKind.START, urgency, title % {"when": when}, note)


def call_items(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield the missing five-minute call, once the planned one was missed."""
    if now >= event.starts_at - CALL_BEFORE and lacks_call(event, now):
        title = _("Der Beginn ist noch nicht ausgerufen")
        note = _("Fünf Minuten vorher wird er angesagt; so spät war er nicht geplant.")
        yield DueItem(DueKind.START_CALL, NOW, title, note)


# --- Due by the computer: backups, disk space, automatic work


@dataclass(frozen=True, slots=True, kw_only=True)
class Backups:
    """The state of the computer: whether a backup folder is chosen, and its errors.

    `hints` are doubts about a folder, `troubles` other problems: title and sentence.
    """

    is_chosen: bool = True
    errors: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    troubles: tuple[tuple[str, str], ...] = ()


def machine_items(event: Event, backups: Backups) -> Iterator[DueItem]:
    """Yield the due items of the computer running the evening."""
    for title, note in backups.troubles:
        yield DueItem(DueKind.MACHINE, NOW, title, note)
    for error in backups.errors:
        yield DueItem(DueKind.BACKUP, NOW, _("Die Sicherung klappt nicht"), error)
    if event.is_over:
        return
    for hint in backups.hints:
        yield DueItem(DueKind.BACKUP, LATER, _("Die Sicherung liegt am selben Ort"), hint)
    if not (backups.is_chosen or event.has_started):
        note = _("Mit einem Stick geht der Abend auf einem anderen Laptop weiter.")
        yield DueItem(DueKind.BACKUP, LATER, _("Noch keine Sicherung"), note)


# --- Due by an event's big screens: a silent one, one with blocked sound


def screen_items(event: Event, now: datetime) -> Iterator[DueItem]:
    for picture in screen_pictures(event.club, now, event=event):
        name, number = {"name": picture.screen.name}, picture.screen.pk
        if picture.is_silent:
            title = _("Leinwand meldet sich nicht: %(name)s") % name
            note = _("Läuft das Gerät noch? Die Uhr dort geht von selbst weiter.")
        elif picture.is_blocked:
            title = _("Leinwand ohne Ton: %(name)s") % name
            note = _("Der Browser dort blockiert den Ton. Am Gerät einmal auf das Bild tippen.")
        else:
            continue
        yield DueItem(DueKind.SCREEN, SOON, title, note, number=number)


def contest_items(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield the due items of a flight or a day of a contest."""
    stage = stage_of(event)
    if stage is None:
        return
    if not event.has_started:
        yield from _to_draw(event, stage)
    elif ends_with_bags(stage):
        if nearing_of(stage, event, now).by is not None:
            title = _("Der Flight ist zu Ende")
            note = _("Die laufenden Hände noch fertig spielen, dann die Chips in Säcke.")
            yield DueItem(DueKind.FLIGHT_END, NOW, title, note)
        elif to_go := left_to_the_end(event, now):  # a hand at each table could bring it
            title = ngettext(
                "Noch einer bis zum Ende des Flights",
                "Noch %(shown)s bis zum Ende des Flights",
                to_go,
            )
            note = _("Säcke, Siegel und Listen bereitlegen.")
            yield DueItem(DueKind.FLIGHT_END, SOON, title % {"shown": to_go}, note)


def _to_draw(event: Event, stage: Stage) -> Iterator[DueItem]:
    flights = feeding(stage)
    if not flights or entries_live_count(event):
        return
    if day_begins_at(flights) is None:
        running = ", ".join(row.label for row in flights if not row.event.is_over)
        title, urgency = _("Wartet auf die Flights"), LATER
        note = _("Noch nicht beendet: %(labels)s.") % {"labels": running}
    else:
        title, urgency = _("%(label)s auslosen") % {"label": stage.label}, NOW
        comes = {"shown": len(stacks_to_carry(stage))}
        note = _("%(shown)s kommen mit ihren Säcken weiter.") % comes
    yield DueItem(DueKind.DAY_DRAW, urgency, title, note, number=stage.contest_id)


# --- Due by the clock: it stands, the end of late registration, an outage


COUNTING_SHOWN = timedelta(minutes=10)
OUTAGE_SHOWN = timedelta(minutes=30)


def clock_items(event: Event, now: datetime) -> list[DueItem]:
    state = clock_state(event.clock, now)
    items = []
    if state.last_hands == 0:
        title = _("Die letzte Hand ist gespielt")
        note = _("Turnier beenden, oder mit „Weiter“ die Stufe weiterlaufen lassen.")
        items = [DueItem(DueKind.HANDS_PLAYED, NOW, title, note)]
    elif not state.is_running:
        note = _("Sie läuft erst weiter, wenn jemand sie startet.")
        fact = f"{clock_anchor(event.clock).elapsed}"
        title = _("Die Uhr ist angehalten")
        items = [DueItem(DueKind.CLOCK_STANDS, SOON, title, note, fact=fact)]
    return [*items, *_counting(event, now), *_late(event, now)]


def outage_items(
    event: Event, now: datetime, away: tuple[datetime, datetime] | None
) -> Iterator[DueItem]:
    """Yield that the clock ran on during the computer's outage, until it is operated."""
    if away is None or now - away[1] > OUTAGE_SHOWN:
        return
    since, until = away
    is_driven = ClockAction.objects.filter(clock=event.clock_id, at__gt=since).exists()
    was = clock_state(event.clock, since)
    if is_driven or not was.is_running or was.remaining is None:
        return
    left = time_in_words(was.remaining)
    words = {"since": time_of(since), "until": time_of(until), "left": left}
    note = _(
        "Der Rechner war aus, oder seine Uhr wurde gestellt. "
        "Wurde nicht gespielt: zurück auf %(left)s."
    )
    title, number = _("Von %(since)s bis %(until)s lief hier nichts"), int(since.timestamp())
    yield DueItem(DueKind.AWAY_CLOCK, NOW, title % words, note % words, number=number)


def set_back_items(now: datetime, ahead: timedelta) -> Iterator[DueItem]:
    """Yield that the time is ahead of the computer's clock, which was set back."""
    if ahead < TOLERANCE:
        return
    held = evening_held(now - ahead)
    note = _(
        "Die Zeit läuft weiter wie davor. Geht die Uhr jetzt richtig, lässt sie sich übernehmen."
    )
    if held is not None:
        note = _(
            "Bei %(event)s steht schon etwas mit der Zeit davor. Sie läuft weiter bis zum Ende."
        ) % {"event": held.name}
    span = time_in_words(ahead - timedelta(days=ahead.days))
    if ahead.days:
        days = ngettext("%(days)s Tag", "%(days)s Tage", ahead.days) % {"days": ahead.days}
        span = f"{days} {span}"
    title = _("Die Uhr des Rechners wurde um %(span)s zurückgestellt") % {"span": span}
    yield DueItem(DueKind.CLOCK_SET_BACK, SOON, title, note, number=None if held else 1)


def _counting(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield the change of the counting table, for some minutes."""
    counting = event.clock.counting_table
    if counting is None:
        return
    since = now - COUNTING_SHOWN
    given_on = Action.objects.filter(event=event, recorded_at__gt=since)
    last = given_on.filter(payload__has_key="counts_now").order_by("-sequence").first()
    if last is None or last.payload["counts_now"] != counting:
        return
    words = {"before": last.payload["counts_before"], "table": counting}
    title = _("Tisch %(table)s zählt jetzt die Hände") % words
    note = _("An Tisch %(before)s wird keine Hand mehr gespielt.") % words
    yield DueItem(DueKind.COUNTING, SOON, title, note, number=counting)


def _late(event: Event, now: datetime) -> Iterator[DueItem]:
    if not event.is_registration_open or not event_accepts_late(event, now):
        return
    ends_at, until = late_entry_of(event, now).ends_at, {"until": late_until(event)}
    urgency, title = LATER, _("Nachmelden %(until)s") % until
    if ends_at is not None:
        minutes = minutes_of(ends_at - now)
        title = _("Nachmelden noch %(minutes)s min") % {"minutes": minutes}
        urgency = SOON if minutes <= SOON_MINUTES else LATER
    note = _("Möglich %(until)s.") % until
    yield DueItem(DueKind.LATE_REGISTRATION, urgency, title, note, fact=f"{urgency} {note}")
