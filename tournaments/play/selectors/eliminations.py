"""Eliminations with names; players at a table at an instant. Reads only, bounded."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from clock.selectors import clock_state
from tournaments.changes.commands import Command
from tournaments.models import (
    Elimination,
    Entry,
    Event,
    HandForHand,
    HandReport,
    HandRound,
    Knockout,
    LateTap,
    LostStack,
    Purchase,
    RebuyChance,
    Seating,
    What,
)
from tournaments.play.domain.ranking import STEP
from tournaments.rebuys.selectors.offers import name_of, taps_open


def outs_of(event: Event, entries: Iterable[int]) -> list[Elimination]:
    """Return the eliminations in force of these entries, earliest first."""
    rows = Elimination.objects.live().filter(event=event, entry__in=list(entries))
    rows = rows.select_related("entry__registration__person", "made_by", "table")
    return list(rows.order_by("at", "pk"))


def outs_before(event: Event, at: datetime, most: int) -> list[Elimination]:
    """Return the eliminations before an instant, latest first."""
    rows = Elimination.objects.live().filter(event=event, at__lt=at).order_by("-at", "-sequence")
    return list(rows.select_related("entry__registration__person")[:most])


def takers_of(event: Event) -> dict[int, list[tuple[str, bool]]]:
    """Return the known takers by entry: each name with "is listed"."""
    person = "by__registration"
    rows = Knockout.objects.live().filter(
        elimination__event=event, elimination__voided_by__isnull=True
    )
    found: dict[int, list[tuple[str, bool]]] = {}
    for entry, name, is_listed in rows.order_by("pk").values_list(
        "elimination__entry", f"{person}__person__name", f"{person}__is_listed"
    ):
        found.setdefault(entry, []).append((name, is_listed))
    return found


def entries_at(table_id: int, at: datetime) -> list[int]:
    """Return the entries in play at a table at an instant, by seat."""
    still = Q(voided_by__isnull=True) | Q(voided_by__at__gt=at)
    rows = Seating.objects.filter(still, table=table_id, seated_at__lte=at).order_by("seat", "pk")
    # Ignore a seat given and then undone.
    rows = rows.exclude(voided_by__isnull=False, voided_by__undoes=F("made_by"))
    out = Elimination.objects.live().filter(table=table_id, at__lte=at).values("entry_id")
    return list(dict.fromkeys(rows.exclude(entry__in=out).values_list("entry_id", flat=True)))


# --- Notes of other apps on eliminated players, besides the place: a prize, for example


# From event, places and instant to notes by entry.
Notes = Callable[[Event, Mapping[int, int], datetime], Mapping[int, str]]
_ADDED: list[Notes] = []


def adds_out_notes(notes: Notes) -> None:
    """Register a function that returns such notes."""
    _ADDED.append(notes)


def out_notes(event: Event, places: Mapping[int, int], now: datetime) -> dict[int, list[str]]:
    """Return the notes on these entries, by entry."""
    found: dict[int, list[str]] = {}
    for notes in _ADDED:
        for entry, words in notes(event, places, now).items():
            found.setdefault(entry, []).append(words)
    return found


# --- All lost stacks with their takers, whether eliminated or re-bought


@dataclass(frozen=True, slots=True, kw_only=True)
class StackLost:
    """A lost stack.

    :param number: The number of the entry's stack, from 1.
    :param is_removed: Whether it left play, by disqualification or surrender.
    :param lost: The row of a stack lost without an elimination; None if eliminated.
    """

    entry: int
    number: int
    at: datetime
    sequence: int
    is_removed: bool = False
    lost: int | None = None
    takers: Sequence[int] = field(default=())

    @property
    def is_out(self) -> bool:
        return self.lost is None


def stacks_lost(event: Event) -> list[StackLost]:
    """Return the lost stacks of an event, in order of time."""
    return stacks_lost_at([event.pk])[event.pk]


def stacks_lost_at(events: Collection[int]) -> dict[int, list[StackLost]]:
    """Return the lost stacks of each event; three queries for any number of events."""
    takers = _takers(events)
    outs = Elimination.objects.live().filter(event__in=events)
    out_names = ("at", "sequence", "pk", "event", "entry", "way")
    others = LostStack.objects.live().filter(event__in=events)
    lost_names = ("at", "made_by__sequence", "pk", "event", "entry")
    rows = [(*row, True) for row in outs.values_list(*out_names)]
    rows += [(*row, "", False) for row in others.values_list(*lost_names)]
    found: dict[int, list[StackLost]] = {event: [] for event in events}
    number: dict[int, int] = defaultdict(int)
    for at, sequence, pk, event, entry, way, is_out in sorted(rows):
        number[entry] += 1
        stack = StackLost(
            entry=entry,
            number=number[entry],
            at=at,
            sequence=sequence,
            is_removed=bool(way) and way != Elimination.Way.BUST,
            lost=None if is_out else pk,
            takers=tuple(takers[pk, is_out]),
        )
        found[event].append(stack)
    return found


def _takers(events: Collection[int]) -> dict[tuple[int, bool], list[int]]:
    """Return the takers by (row of the lost stack, whether that is an elimination)."""
    of_out = Q(elimination__event__in=events, elimination__voided_by=None)
    of_lost = Q(lost__event__in=events, lost__voided_by=None)
    rows = Knockout.objects.live().filter(of_out | of_lost, by__event__in=events).order_by("by")
    found: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for out, lost, by in rows.values_list("elimination", "lost", "by"):
        found[out or lost, out is not None].append(by)
    return found


def lost_rows(event: Event, keys: Collection[int]) -> list[LostStack]:
    """Return these stacks lost without an elimination, with names, earliest first."""
    rows = LostStack.objects.live().filter(event=event, pk__in=keys)
    return list(rows.select_related("entry__registration__person").order_by("at", "pk"))


def without_chips(event: int, entries: Collection[int], at: datetime) -> set[int]:
    """Return the entries among these without chips at an instant."""
    lost = LostStack.objects.live().filter(event=event, entry__in=entries, at__lte=at)
    bought = Purchase.objects.live().filter(
        entry=OuterRef("entry"),
        what=What.REBUY,
        bought_at__lte=at,
        made_by__sequence__gte=OuterRef("made_by__sequence"),
    )
    return set(lost.exclude(Exists(bought)).values_list("entry_id", flat=True))


# --- The hand of hand-for-hand of an elimination


# An elimination can join hand-for-hand up to this long after its end (ours).
TOLD_LATE = timedelta(minutes=15)
MOST_LAST = 2


def round_at(event: Event, at: datetime) -> HandRound | None:
    """Return the round of hand-for-hand played at an instant, which may be in the past."""
    if not HandForHand.objects.filter(event=event).exists():
        return None
    rows = HandRound.objects.live().filter(hand_for_hand__event=event, began_at__lte=at)
    rows = rows.select_related("hand_for_hand__voided_by").order_by("-began_at", "-pk")
    newest = rows.first()
    ended = newest.hand_for_hand.voided_by if newest else None
    return None if ended is not None and ended.at <= at else newest


def hands_near(out: Elimination) -> list[HandRound]:
    """Return the elimination's hand of hand-for-hand and the ones next to it, if any.

    For an elimination told soon after hand-for-hand, return its last hands.
    """
    own = out.round
    if own is None:
        return _last_hands(out) if out.way == Elimination.Way.BUST else []
    next_to_it = range(max(0, own.number - 1), own.number + 2)
    rows = HandRound.objects.live().filter(hand_for_hand=own.hand_for_hand_id)
    return list(rows.filter(number__in=next_to_it).order_by("number"))


def _last_hands(out: Elimination) -> list[HandRound]:
    """Return the last hands of a hand-for-hand that ended shortly before this elimination."""
    since = out.at - TOLD_LATE
    ended = HandForHand.objects.filter(
        event=out.event_id, voided_by__undoes=None, voided_by__at__range=(since, out.at)
    )
    row = ended.order_by("-pk").first()
    rows = HandRound.objects.live().filter(hand_for_hand=row) if row else HandRound.objects.none()
    return sorted(rows.order_by("-number")[:MOST_LAST], key=lambda played: played.number)


def instant_in(row: HandRound, at: datetime, table_id: int | None) -> datetime:
    """Return the instant of this hand nearest to `at`, limited by the table's reports.

    For a hand that is over, at the latest the table's report of it.
    """
    if at < row.began_at:
        return row.began_at
    after = HandRound.objects.live().filter(
        hand_for_hand=row.hand_for_hand_id, number=row.number + 1
    )
    ended = row.hand_for_hand.voided_by
    ends = [later.began_at for later in after] or ([ended.at] if ended else [])
    if not ends or at < ends[0]:
        return at
    reports = HandReport.objects.live().filter(round=row, table=table_id)
    return min([ends[0] - STEP, *reports.values_list("reported_at", flat=True)])


# --- Late taps: what they would pass, and the questions to the director


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
