"""The forecast of an event's end, now or at a past instant. Reads only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np
from django.core.cache import cache
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain.history import Past
from clock.selectors import clock_past
from clock.snapshot import read_once
from tournaments import models
from tournaments.event.domain.latecomers import last_late_position
from tournaments.event.selectors.moments import moves_with_levels
from tournaments.forecast.domain.course import (
    MINUTE,
    Change,
    Known,
    known_at,
    spells_of,
    stretches_of,
)
from tournaments.forecast.domain.end import (
    Hall,
    Pace,
    end_of,
    usual_pace,
    with_minutes,
    without_next_break,
)
from tournaments.forecast.domain.rates import MODEL, Share, losses_expected, share_of
from tournaments.models import Event
from tournaments.rebuys.selectors.offers import good_of

SILENT = 8.0
"""With this many eliminations expected and none recorded, they are not being recorded."""

OWN_EVENINGS = 12
KEPT_SECONDS = 24 * 3600
ROUNDED_TO = timedelta(minutes=5)
Expected = tuple[float, ...]
_NOTHING: Expected = tuple(0.0 for _kind in MODEL.kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The forecast end, seen from `at`: most likely, and the band of eight in ten evenings.

    `stands`: the clock is stopped, and is assumed to go on at once.
    """

    at: datetime
    ends_at: datetime
    earliest: datetime
    latest: datetime
    stands: bool = False


def forecast_of(event: Event, now: datetime) -> Forecast | None:
    """Return the forecast of an event, or None if there is no basis."""
    hall = None if event.is_over else hall_of(event, now)
    return None if hall is None else forecast_from(event, hall, now)


@moves_with_levels(lazy("Voraussichtlich zu Ende"))
def end_expected(event: Event, now: datetime) -> str:
    found = forecast_of(event, now)
    return f"{localtime(found.ends_at):%H:%M}" if found else ""


def hall_of(event: Event, now: datetime) -> Hall | None:
    """Return the event's present state; None before the start or without a basis."""
    if not event.has_started:
        return None
    course = course_of(event)
    return _hall_at(event, course, now, _expected(course, course.began_at, now))


def forecasts_until(event: Event, until: datetime, step: timedelta) -> Iterator[Forecast]:
    """Yield the forecasts at intervals since the start, each from the facts known then."""
    course = course_of(event)
    if course.began_at is None:
        return
    at, expected = course.began_at, _NOTHING
    while at <= until:
        hall = _hall_at(event, course, at, expected)
        forecast = None if hall is None else forecast_from(event, hall, at)
        if forecast is not None:
            yield forecast
        more = _expected(course, at, at + step)
        expected = tuple(map(sum, zip(expected, more, strict=True)))
        at += step


def ended_at(event: Event) -> datetime | None:
    """Return the instant with one player left, else the end of the event, or None."""
    course = course_of(event)
    left, ended = 0, None
    for change in course.changes:
        left += change.left
        if not change.left:
            continue
        has_begun = course.began_at is not None and change.at > course.began_at
        ended = change.at if left <= 1 and has_begun else None
    if ended is None and event.ended_by is not None:
        return event.ended_by.at
    return ended


def why_unforeseen(event: Event, now: datetime) -> str:
    """Return why there is no forecast, as a sentence for the staff."""
    if event.cancelled_by_id is not None:
        return _("Das Turnier ist abgesagt.")
    if event.is_over:
        return _("Der Abend ist zu Ende.")
    if not event.has_started:
        return _("Eine Vorhersage gibt es, sobald gespielt wird.")
    course = course_of(event)
    known = known_at(course.changes, now)
    if known.left <= 1:
        return _("Es ist nur noch einer im Spiel.") if known.entries else _("Niemand spielt.")
    if _is_silent(known, _expected(course, course.began_at, now)):
        return _("Niemand ist ausgetragen. Erst damit lässt sich etwas vorhersagen.")
    return _("Mit diesem Blindplan lässt sich kein Ende vorhersagen.")


def _hall_at(event: Event, course: Course, at: datetime, expected: Expected) -> Hall | None:
    known = known_at(course.changes, at)
    levels, state = course.past.levels(at), course.past.state(at)
    stretches = stretches_of(levels, state)
    if known.left < 2 or known.chips <= 0 or not stretches or _is_silent(known, expected):
        return None
    here = state.index
    late = last_late_position(
        levels, level=event.late_registration_level, pause=event.late_registration_break
    )
    rebuy, reentry = good_of(event, models.What.REBUY), good_of(event, models.What.REENTRY)
    again = max(-1 if last is None else last for last in (rebuy.offer.last, reentry.offer.last))
    addon = good_of(event, models.What.ADDON)
    adds = -1 if addon.offer.last is None else addon.offer.last - here
    club = club_past(event)
    # Of those who lost their stack and have decided.
    share = (known.again + 1) / (max(0, known.lost - known.held) + 2) if again >= here else 0.0
    back = round(share * known.held)
    add_ons = max(0.0, club.takes_add_on.share * known.left - known.added)
    missing = max(0, known.registered - (known.entries - known.again))
    return Hall(
        left=known.left + back,
        entries=max(known.entries, known.left),
        chips=known.chips + back * rebuy.chips,
        stretches=stretches,
        pace=Pace(
            losses=max(0, known.lost),
            expected=expected,
            usual=club.pace,
        ),
        stack=event.starting_stack,
        to_come=club.shows_up.share * missing,
        late_through=-1 if late is None else max(-1, late - here),
        rebuy_share=share,
        rebuy_chips=rebuy.chips,
        rebuy_through=max(-1, again - here),
        addon_chips=round(add_ons) * addon.chips,
        addon_at=adds if adds >= 0 else -1,
    )


def _expected(course: Course, since: datetime | None, until: datetime) -> Expected:
    if since is None:
        return _NOTHING
    return losses_expected(MODEL, spells_of(course.past, course.changes, since, until))


def _is_silent(known: Known, expected: Expected) -> bool:
    return not known.lost and min(expected) > SILENT


def forecast_from(event: Event, hall: Hall, at: datetime) -> Forecast | None:
    """Return the forecast for a given state."""
    # A fixed seed for each event: the forecast changes with events, not between requests.
    end = end_of(hall, np.random.default_rng(event.pk))
    if end is None:
        return None
    state = course_of(event).past.state(at)
    return Forecast(
        at=at,
        ends_at=_rounded(at + end.minutes * MINUTE),
        earliest=_rounded(at + end.low * MINUTE),
        latest=_rounded(at + end.high * MINUTE),
        stands=not state.is_running,
    )


def _rounded(at: datetime) -> datetime:
    past = timedelta(minutes=at.minute % 5, seconds=at.second, microseconds=at.microsecond)
    return at - past + (ROUNDED_TO if past >= ROUNDED_TO / 2 else timedelta())


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPast:
    """Averages of a club's latest events; with few events they weigh little.

    :param pace: Relative pace of eliminations.
    :param shows_up: Share of registered players missing at the start who came.
    :param takes_add_on: Share of players in play who took an add-on.
    """

    pace: float
    shows_up: Share
    takes_add_on: Share


@read_once
def club_past(event: Event) -> ClubPast:
    """Return the averages of the club's latest events, each cached by version."""
    rows = Event.objects.filter(
        club=event.club_id,
        is_sample=False,
        head__ended_by__isnull=False,
        starts_at__lt=event.starts_at,
    ).exclude(head__started_by=None)
    evenings: list[Any] = [
        cache.get_or_set(f"krru-past-{row.pk}-{row.version}", partial(_evening, row), KEPT_SECONDS)
        for row in rows.order_by("-starts_at")[:OWN_EVENINGS]
    ]
    return ClubPast(
        pace=usual_pace(evening[:2] for evening in evenings),
        shows_up=share_of(evening[2:4] for evening in evenings),
        takes_add_on=share_of(evening[4:] for evening in evenings),
    )


PastEvening = tuple[float, float, int, int, int, int]


def _evening(event: Event) -> PastEvening:
    """Return lost and expected stacks, missing and arrived players, possible and taken add-ons."""
    course, ended = course_of(event), ended_at(event)
    if course.began_at is None or ended is None:
        return 0.0, 0.0, 0, 0, 0, 0
    first, known = known_at(course.changes, course.began_at), known_at(course.changes, ended)
    missing = max(0, first.registered - (first.entries - first.again))
    new = max(0, known.registered - first.registered)
    came = known.entries - known.again - (first.entries - first.again) - new
    sold = [change.at for change in course.changes if change.added > 0]
    could = known_at(course.changes, max(sold)).left if sold else 0
    expected = _expected(course, course.began_at, ended)
    shares = missing, max(0, came), could, known.added
    if _is_silent(known, expected):
        return 0.0, 0.0, *shares
    return float(max(0, known.lost)), sum(expected) / len(expected), *shares


# --- The facts known of an event at any instant


_MADE = ("made_by__at", "voided_by__at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The course of an event: clock, all changes, start of play."""

    past: Past
    changes: tuple[Change, ...]
    began_at: datetime | None


@read_once
def course_of(event: Event) -> Course:
    """Return the course of an event; eight queries, whatever its length."""
    found = _counted(event) if event.is_clock_only else _from_entries(event)
    began = event.started_by.at if event.started_by else None
    return Course(
        past=clock_past(event.clock),
        changes=tuple(sorted(found, key=attrgetter("at"))),
        began_at=began,
    )


def _from_entries(event: Event) -> Iterator[Change]:
    coming = models.Registration.objects.filter(event=event, is_cash_guest=False)
    for made, voided in coming.values_list(*_MADE):
        yield from _change(made, voided, registered=1)
    for made, voided in models.Entry.objects.filter(event=event).values_list(*_MADE):
        yield from _change(made, voided, left=1, entries=1)
    outs = models.Elimination.objects.filter(event=event)
    for at, voided in outs.values_list("at", "voided_by__at"):
        yield from _change(at, voided, left=-1, lost=1)
    for (at,) in models.RebuyChance.objects.live().filter(event=event).values_list("made_by__at"):
        yield Change(at=at, left=-1, lost=1, held=1)
    chips = models.ChipMovement.objects.filter(event=event, amount__isnull=False)
    for amount, made, voided in chips.values_list("amount", *_MADE):
        yield from _change(made, voided, chips=amount)
    bought = models.Purchase.objects.filter(event=event)
    for what, number, at, voided in bought.values_list(
        "what", "number", "bought_at", "voided_by__at"
    ):
        if what == models.What.ADDON:
            yield from _change(at, voided, added=number)
        else:
            # A re-entry follows a recorded elimination; a re-buy does not.
            yield from _change(at, voided, again=1, lost=1 if what == models.What.REBUY else 0)


def _counted(event: Event) -> Iterator[Change]:
    rows = models.HeadCount.objects.filter(event=event)
    names = ("entries", "left", "rebuys", "chips")
    for entries, left, rebuys, chips, made, voided in rows.values_list(*names, *_MADE):
        yield from _change(
            made,
            voided,
            entries=entries,
            registered=entries,
            left=left,
            chips=chips,
            again=rebuys,
            lost=rebuys + entries - left,
        )


def _change(at: datetime, voided: datetime | None, **counts: Any) -> Iterator[Change]:
    yield Change(at=at, **counts)
    if voided is not None:
        yield Change(at=max(at, voided), **{name: -count for name, count in counts.items()})


# --- Alternatives: the end after a change, beside the forecast one


def insteads_of(
    event: Event, hall: Hall, forecast: Forecast, minutes: int | None
) -> list[dict[str, Any]]:
    """Return the possible changes at this event now, each with the end after it. Reads only.

    `minutes` of each: how much later, below zero earlier.

    :param minutes: Length of the levels to come; None: not asked.
    """
    halls = {}
    if (shorter := without_next_break(hall)) is not hall:
        halls[_("Die nächste Pause fällt aus")] = shorter
    if minutes is not None and len(hall.stretches) > 1:
        name = _("Ab der nächsten Stufe %(minutes)s Minuten") % {"minutes": minutes}
        halls[name] = with_minutes(hall, minutes)
    if hall.addon_at >= 0:
        addon = good_of(event, models.What.ADDON)
        open_ones = max(0, hall.left - known_at(course_of(event).changes, forecast.at).added)
        halls[_("Alle nehmen das Add-on")] = replace(hall, addon_chips=open_ones * addon.chips)
        halls[_("Niemand nimmt mehr ein Add-on")] = replace(hall, addon_chips=0)
    ends = {name: forecast_from(event, one, forecast.at) for name, one in halls.items()}
    return [
        {
            "name": name,
            "forecast": end,
            "minutes": round((end.ends_at - forecast.ends_at) / MINUTE) if end else 0,
        }
        for name, end in ends.items()
    ]
