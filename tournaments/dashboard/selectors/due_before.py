"""Due before play, in a contest of several flights, and by computer and screens."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.contests.selectors.contests import (
    Nearing,
    day_begins_at,
    ends_with_bags,
    feeding,
    left_to_the_end,
    nearing_of,
    stacks_to_carry,
    stage_of,
)
from tournaments.dashboard.selectors.items import (
    SOON_MINUTES,
    DueItem,
    DueKind,
    Urgency,
    minutes_of,
    time_of,
)
from tournaments.dashboard.selectors.tables import card_items, dealer_items, floor_items
from tournaments.event.selectors.clock import CALL_BEFORE, lacks_call
from tournaments.event.selectors.event import (
    entries_live_count,
    least_of,
    registrations_placed_count,
    takes_bags_only,
)
from tournaments.models import Event, Message, Stage
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
    if entered >= 2 and not seated:
        items.append(_seats_item(entered, all_here=all_here))
    urgency = Urgency.NOW if all_here else Urgency.LATER
    items += [*card_items(event, counts, urgency), *dealer_items(event, counts, urgency)]
    items += floor_items(event, counts, advice, now)
    if seated:
        items += [start_item(event, now, all_here=all_here), *call_items(event, now)]
    return items


def _least(event: Event, now: datetime) -> list[DueItem]:
    """Return whether enough are registered: once it is decided, and a day before."""
    least = least_of(event, now)
    if least is None or now < least.decided_at - LEAST_BEFORE:
        return []
    at = time_of(least.decided_at)
    told = {"missing": least.missing, "count": least.registered, "needed": least.needed, "at": at}
    if least.missing and not least.is_decided:
        title = ngettext(
            "Bis %(at)s fehlt noch eine Anmeldung",
            "Bis %(at)s fehlen noch %(missing)s Anmeldungen",
            least.missing,
        )
        note = _("Ab %(needed)s findet es statt.") % told
        return [DueItem(DueKind.DESK, Urgency.LATER, title % told, note)]
    if least.missing:
        title = _("Nur %(count)s von mindestens %(needed)s sind angemeldet") % told
        note = _("Absagen, oder weglegen und trotzdem spielen.")
        return [DueItem(DueKind.LEAST, Urgency.NOW, title, note)]
    if Message.objects.live().filter(event=event, table=None, entry=None).exists():
        return []
    title = _("Es findet statt: %(count)s sind angemeldet") % told
    note = _("Als Durchsage geht es an alle Handys.")
    return [DueItem(DueKind.LEAST_MET, Urgency.SOON, title, note)]


def _arrivals(registered: int, entered: int) -> DueItem:
    if not registered:
        title = _("Noch niemand angemeldet")
        note = _("Namen kommen von der Turnierseite, aus einer Liste, oder hier eingetippt.")
        return DueItem(DueKind.DESK, Urgency.NOW, title, note)
    missing = registered - entered
    title = ngettext("Einer fehlt noch", "%(count)s fehlen noch", missing)
    note = _("%(entered)s von %(registered)s sind eingecheckt.") % {
        "entered": entered,
        "registered": registered,
    }
    return DueItem(
        DueKind.DESK,
        Urgency.SOON if entered else Urgency.NOW,
        title % {"count": missing},
        note,
        fact="arrivals",
    )


def _seats_item(entered: int, *, all_here: bool) -> DueItem:
    note = _("Alle %(count)s sind da.") if all_here else _(
        "%(count)s sind da. Wer später kommt, bekommt seinen Platz einzeln."
    )  # fmt: skip
    title = _("Plätze auslosen")
    return DueItem(
        DueKind.DRAW_SEATS,
        Urgency.NOW if all_here else Urgency.LATER,
        title,
        note % {"count": entered},
        fact=f"{all_here}",
    )


def start_item(event: Event, now: datetime, *, all_here: bool) -> DueItem:
    begins, today = timezone.localtime(event.starts_at), timezone.localtime(now)
    same_day = begins.date() == today.date()
    when = time_format(begins, "H:i") if same_day else date_format(begins, _("D, j. F, H:i"))
    if now >= event.starts_at:
        title, urgency = _("Beginn war um %(when)s"), Urgency.NOW
    else:
        is_soon = minutes_of(event.starts_at - now) <= SOON_MINUTES
        title, urgency = _("Beginn um %(when)s"), Urgency.SOON if is_soon else Urgency.LATER
    if not same_day:
        title = _("Beginn: %(when)s")
    note = _("Wenn alle sitzen: die Uhr starten.") if all_here else _(
        "Wer nach dem Start eincheckt, wird nachgesetzt."
    )  # fmt: skip
    return DueItem(DueKind.START, urgency, title % {"when": when}, note)


def call_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the missing five-minute call, once the planned one was missed."""
    if now < event.starts_at - CALL_BEFORE or not lacks_call(event, now):
        return []
    title = _("Der Beginn ist noch nicht ausgerufen")
    note = _("Fünf Minuten vorher wird er angesagt; so spät war er nicht geplant.")
    return [DueItem(DueKind.START_CALL, Urgency.NOW, title, note)]


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


def machine_items(event: Event, backups: Backups) -> list[DueItem]:
    """Return the due items of the computer running the evening."""
    items = [DueItem(DueKind.MACHINE, Urgency.NOW, title, note) for title, note in backups.troubles]
    items += [
        _backup(Urgency.NOW, _("Die Sicherung klappt nicht"), error) for error in backups.errors
    ]
    if event.is_over:
        return items
    items += [
        _backup(Urgency.LATER, _("Die Sicherung liegt am selben Ort"), hint)
        for hint in backups.hints
    ]
    if not (backups.is_chosen or event.has_started):
        note = _("Mit einem Stick geht der Abend auf einem anderen Laptop weiter.")
        items.append(_backup(Urgency.LATER, _("Noch keine Sicherung"), note))
    return items


def _backup(urgency: Urgency, title: str, note: str) -> DueItem:
    return DueItem(DueKind.BACKUP, urgency, title, note)


# --- Due by an event's big screens: a silent one, one with blocked sound


def screen_items(event: Event, now: datetime) -> list[DueItem]:
    items = []
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
        items.append(DueItem(DueKind.SCREEN, Urgency.SOON, title, note, number=number))
    return items


def contest_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the due items of a flight or a day of a contest."""
    stage = stage_of(event)
    if stage is None:
        return []
    if not event.has_started:
        return _to_draw(event, stage)
    return _to_end(event, nearing_of(stage, event, now), now) if ends_with_bags(stage) else []


def _to_end(event: Event, nearing: Nearing, now: datetime) -> list[DueItem]:
    """Return the end of the flight, once a hand at each table could bring it."""
    if nearing.by is not None:
        title = _("Der Flight ist zu Ende")
        note = _("Die laufenden Hände noch fertig spielen, dann die Chips in Säcke.")
        return [DueItem(DueKind.FLIGHT_END, Urgency.NOW, title, note)]
    to_go = left_to_the_end(event, now)
    if not to_go:
        return []
    title = ngettext(
        "Noch einer bis zum Ende des Flights",
        "Noch %(shown)s bis zum Ende des Flights",
        to_go,
    )
    note = _("Säcke, Siegel und Listen bereitlegen.")
    return [DueItem(DueKind.FLIGHT_END, Urgency.SOON, title % {"shown": to_go}, note)]


def _to_draw(event: Event, stage: Stage) -> list[DueItem]:
    flights = feeding(stage)
    if not flights or entries_live_count(event):
        return []
    if day_begins_at(flights) is None:
        running = ", ".join(row.label for row in flights if not row.event.is_over)
        title = _("Wartet auf die Flights")
        note = _("Noch nicht beendet: %(labels)s.") % {"labels": running}
        return [DueItem(DueKind.DAY_DRAW, Urgency.LATER, title, note, number=stage.contest_id)]
    comes = len(stacks_to_carry(stage))
    title = _("%(label)s auslosen") % {"label": stage.label}
    note = _("%(shown)s kommen mit ihren Säcken weiter.") % {"shown": comes}
    return [DueItem(DueKind.DAY_DRAW, Urgency.NOW, title, note, number=stage.contest_id)]
