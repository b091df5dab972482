"""Late taps: what they would pass, and the questions to the director."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from clock.selectors import clock_state
from tournaments.changes.commands import Command
from tournaments.models import Elimination, Entry, Event, LateTap, RebuyChance, What
from tournaments.play.selectors.eliminations import round_at
from tournaments.rebuys.selectors.offers import name_of, taps_open

SECONDS = "H:i:s"


def out_claimed(command: Command, entries: Collection[Entry]) -> Command:
    """Return the command; as a claim of its arrival if it would pass an out or a level's end."""
    now, event = command.recorded_at or command.at, command.event
    rows = outs_passed(event, [entry.pk for entry in entries], command.at)
    held = RebuyChance.objects.live().filter(event=event, lost__at__gt=command.at)
    if rows.exists() or held.exists() or _level_ended(event, command.at, now):
        return replace(command, at=now, claimed=command.at)
    return command


def outs_passed(event: Event, entries: Collection[int], at: datetime) -> QuerySet[Elimination]:
    """Return the outs of others after an instant; in the same hand of hand-for-hand none."""
    rows = Elimination.objects.live().filter(event=event, at__gt=at).exclude(entry__in=entries)
    played = round_at(event, at)
    return rows.exclude(round=played) if played else rows


def _level_ended(event: Event, at: datetime, now: datetime) -> bool:
    return clock_state(event.clock, at).index != clock_state(event.clock, now).index


@dataclass(frozen=True, slots=True, kw_only=True)
class LateQuestion:
    """A late tap to decide about: all its entries, and what the claimed time would pass."""

    tap: LateTap
    names: str
    passes: tuple[str, ...]

    @property
    def at(self) -> str:
        """Return the claimed time."""
        return time_format(timezone.localtime(self.tap.at), SECONDS)

    @property
    def told_at(self) -> str:
        return time_format(timezone.localtime(self.tap.made_by.recorded_at), SECONDS)

    @property
    def device(self) -> str:
        return self.tap.made_by.device.name if self.tap.made_by.device else ""

    @property
    def what(self) -> str:
        """Return what is asked for; empty for an out."""
        return name_of(What(self.tap.wish.what)) if self.tap.wish else ""


def late_questions(event: Event) -> list[LateQuestion]:
    """Return the late taps to decide about, without those overtaken by an undo or a purchase."""
    here = {"entry": OuterRef("entry"), "voided_by": None}
    is_lost = Exists(Elimination.objects.filter(**here)) | Exists(
        RebuyChance.objects.filter(**here)
    )
    rows = list(taps_open(event).filter(~Q(wish=None) | is_lost))
    found = []
    for _tap, of_one in groupby(rows, lambda row: row.made_by_id):
        taps = list(of_one)
        passes = _passes(event, taps[0], [tap.entry_id for tap in rows])
        others = [tap for tap in rows if tap not in taps and tap.wish is None]
        if not passes and others:
            told = _("Zu entscheiden ist auch noch über %(names)s.")
            passes = [told % {"names": _names(others)}]
        found.append(LateQuestion(tap=taps[0], names=_names(taps), passes=tuple(passes)))
    return found


def _names(taps: Sequence[LateTap]) -> str:
    return ", ".join(tap.entry.registration.person.name for tap in taps)


def _passes(event: Event, tap: LateTap, pending: Collection[int]) -> list[str]:
    """Return what the claimed time of a tap would pass, as sentences."""
    if tap.wish is not None:
        ended = _("Die Zeit für %(what)s war bei der Meldung vorbei.")
        return [ended % {"what": name_of(What(tap.wish.what))}]
    told = tap.made_by.at
    outs = outs_passed(event, pending, tap.at).filter(at__lte=told).order_by("at", "pk")
    found = [
        _("Dann läge es vor dem Ausscheiden von %(name)s (%(at)s).")
        % {
            "name": row.entry.registration.person.name,
            "at": time_format(timezone.localtime(row.at), SECONDS),
        }
        for row in outs.select_related("entry__registration__person")
    ]
    if _level_ended(event, tap.at, told):
        number = clock_state(event.clock, tap.at).level.number
        found.append(
            _("Dazwischen endete Stufe %(number)s.") % {"number": number}
            if number
            else _("Dazwischen endete die Pause.")
        )
    return found
