"""The schedule of a poster: every level with its expected time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clock import models as clock_models
from clock.domain import (
    Level,
    LevelProblem,
    ScheduleChange,
    anchor_of,
    cut_by,
    numbered,
    smallest_chips,
    state_from,
    validate_levels,
)
from clock.domain.values import STATED
from clock.models import ScheduleTemplate
from clock.selectors import clock_actions, clock_levels, clock_plan
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.games import most_seats
from tournaments.event.domain.schedule_files import ScheduleFile
from tournaments.event.selectors import level_words
from tournaments.models import Event

USUAL_EVENING, LONGEST_EVENING = timedelta(hours=4), timedelta(hours=8)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelLine:
    """One row of the schedule; `begins_at` is None if past or unknown.

    `is_earliest`: it may begin later, as the clock waits before it. `shows_big_bet` is that of the
    event's limit.
    """

    level: Level
    begins_at: datetime | None
    shows_big_bet: bool = False
    is_earliest: bool = False
    is_past: bool = False
    is_now: bool = False

    @property
    def minutes(self) -> int | None:
        length = self.level.duration
        return None if length is None else round(length / timedelta(minutes=1))

    @property
    def stakes(self) -> str:
        return level_words.stakes_of(self.level, shows_big_bet=self.shows_big_bet)

    @property
    def posted(self) -> list[str]:
        return level_words.posted_of(self.level)

    @property
    def game(self) -> str:
        return level_words.game_of(self.level)


def schedule_lines(event: Event, now: datetime) -> list[LevelLine]:
    """Return all levels with times, from the planned start or from the started clock.

    For a stopped clock, the times assume that it goes on at once. After a break with a waiting
    clock they are the earliest possible.
    """
    levels = clock_levels(event.clock)
    anchor = anchor_of(clock_actions(event.clock), levels)
    stops = anchor.stops_after_break
    line = partial(LevelLine, shows_big_bet=level_words.shows_bets(event))
    if not event.has_started:
        begins_at = None if event.is_over else max(event.starts_at, now)
        return lines_foreseen(levels, begins_at, stops=stops, line=line)
    state = state_from(anchor, levels, now)
    past = [line(level=level, begins_at=None, is_past=True) for level in levels[: state.index]]
    current = line(level=state.level, begins_at=state.level_began_at, is_now=not event.is_over)
    ends_at = None if state.remaining is None or event.is_over else now + state.remaining
    waits = stops and state.level.is_break
    rest = levels[state.index + 1 :]
    following = lines_foreseen(rest, ends_at, stops=stops, is_earliest=waits, line=line)
    return [*past, current, *following]


def lines_foreseen(
    levels: Sequence[Level],
    begins_at: datetime | None,
    *,
    stops: bool = False,
    is_earliest: bool = False,
    line: Callable[..., LevelLine] = LevelLine,
) -> list[LevelLine]:
    """Return the rows in sequence, the first at `begins_at`.

    :param stops: Whether the clock waits at the end of a break until it is started.
    """
    lines = []
    for level in levels:
        lines.append(line(level=level, begins_at=begins_at, is_earliest=is_earliest))
        is_earliest = is_earliest or (stops and level.is_break)
        if begins_at is not None:
            begins_at = None if level.duration is None else begins_at + level.duration
    return lines


def level_minutes(event: Event) -> int | None:
    """Return the planned minutes of a level of play; None if different or counted in hands."""
    lengths = {level.duration for level in clock_plan(event.clock) if not level.is_break}
    length = lengths.pop() if len(lengths) == 1 else None
    return None if length is None else round(length / timedelta(minutes=1))


def event_lasts(event: Event) -> timedelta:
    """Return an event's longest duration by its schedule, for a calendar."""
    lengths = [level.duration for level in clock_levels(event.clock)]
    known = sum((length for length in lengths if length is not None), timedelta())
    return min(known, LONGEST_EVENING) or USUAL_EVENING


def events_last(events: Sequence[Event]) -> dict[int, timedelta]:
    """Return the longest durations of many events (one query)."""
    clocks = [event.clock_id for event in events]
    rows = clock_models.Level.objects.filter(clock__in=clocks, removed_by=None).order_by()
    sums = rows.values("clock").annotate(ms=Sum("duration_ms"))
    known = {row["clock"]: timedelta(milliseconds=row["ms"] or 0) for row in sums}
    return {
        event.pk: min(known.get(event.clock_id, timedelta()), LONGEST_EVENING) or USUAL_EVENING
        for event in events
    }


# --- An edit of the blind schedule in words, as announced in the hall


MOST_TOLD = 3
LENGTH = {"duration", "hands"}
BLINDS = {"small_blind", "big_blind"}
NAMED = {"small_bet": "Small Bet", "big_bet": "Big Bet"}
POSTED = {"ante", "ante_kind", "bring_in"}
PLAYED = {"game", "limit"}


def changes_in_words(
    event: Event,
    changes: Sequence[ScheduleChange],
    before: Sequence[Level],
    after: Sequence[Level],
) -> str:
    """Return the changes as one announcement: the first few rows, and the number of others.

    Empty if no change is of use in the hall, such as a big bet without a limit.
    """
    texts = [
        text
        for _key, items in groupby(changes, key=_paced)
        for text in _together(event, list(items), before, after)
    ]
    if not texts:
        return ""
    shown, more = texts[:MOST_TOLD], len(texts) - MOST_TOLD
    if more > 0:
        text = ngettext("und noch eine Änderung", "und %(count)s weitere Änderungen", more)
        shown.append(text % {"count": more})
    return _("Der Blindplan ist geändert: %(changes)s.") % {"changes": "; ".join(shown)}


def _paced(item: ScheduleChange) -> object:
    """Return the length that a level shares with its neighbours; of other changes the row."""
    is_length_alone = item.what == "changed" and set(item.names) <= LENGTH
    return item.level.duration if is_length_alone and item.level.duration else (item.index,)


def _together(
    event: Event, items: list[ScheduleChange], before: Sequence[Level], after: Sequence[Level]
) -> list[str]:
    if len(items) < 2:
        return [text for item in items for text in _in_words(event, item, before, after)]
    first, last = row_name(after, items[0].index), row_name(after, items[-1].index)
    words = {"first": first, "last": last, "what": _lasts(items[0].level)}
    return [_("%(first)s bis %(last)s dauern jetzt %(what)s") % words]


def _in_words(
    event: Event, item: ScheduleChange, before: Sequence[Level], after: Sequence[Level]
) -> list[str]:
    rows = before if item.what == "removed" else after
    words = {"row": row_name(rows, item.index)}
    if item.what == "removed":
        return [_("%(row)s entfällt") % words]
    if item.what == "moved":
        return [_("%(row)s hat jetzt %(what)s") % {**words, "what": _amounts(item.level)}]
    if item.what == "added":
        what = _lasts(item.level) if item.level.is_break else _amounts(item.level)
        return [_("neu: %(row)s, %(what)s") % {**words, "what": what}]
    return _changed(event, item.level, set(item.names), words)


def _changed(event: Event, level: Level, names: set[str], words: dict[str, str]) -> list[str]:
    found = []
    if names & LENGTH:
        found.append(_("%(row)s dauert jetzt %(what)s") % {**words, "what": _lasts(level)})
    has = [_amounts(level)] if names & BLINDS else []
    bets = dict(zip(NAMED, level.bets(shows_big_bet=level_words.shows_bets(event)), strict=True))
    has += [
        f"{label} {intcomma(bets[name])}"
        for name, label in NAMED.items()
        if name in names and bets[name]
    ]
    if names & POSTED:
        has += level_words.posted_of(level) or [_("keine Ante")]
    if has:
        found.append(_("%(row)s hat jetzt %(what)s") % {**words, "what": ", ".join(has)})
    if names & PLAYED and level_words.game_of(level):
        found.append(
            _("%(row)s ist jetzt %(what)s") % {**words, "what": level_words.game_of(level)}
        )
    return found if found or names <= set(NAMED) else [_("%(row)s ist anders") % words]


def _amounts(level: Level) -> str:
    if not level.big_blind:
        return level_words.amounts_in_words(level)
    return _("Blinds %(small)s und %(big)s") % {
        "small": intcomma(level.small_blind),
        "big": intcomma(level.big_blind),
    }


def _lasts(level: Level) -> str:
    """Return the length of a row in words.

    >>> from datetime import timedelta
    >>> _lasts(Level(id=1, duration=timedelta(minutes=20)))
    '20 Minuten'
    """
    if level.duration is None:
        hands = level.hands or 0
        return ngettext("eine Hand", "%(count)s Hände", hands) % {"count": hands}
    minutes = round(level.duration.total_seconds() / 60)
    return ngettext("eine Minute", "%(count)s Minuten", minutes) % {"count": minutes}


# --- A club's blind schedule as a file


def schedule_as_file(row: ScheduleTemplate) -> ScheduleFile:
    return ScheduleFile(
        name=row.name,
        starting_stack=row.starting_stack,
        level_minutes=row.level_minutes,
        levels=[
            {
                "kind": level.kind,
                "minutes": level.minutes,
                "hands": level.hands,
                "colour_up": level.colour_up,
                **{name: getattr(level, name) for name in STATED},
            }
            for level in row.levels.order_by("position")
        ],
    )


# --- The problems of a blind schedule in words: one sentence for each code of the domain


PROBLEMS: Mapping[str, Any] = {
    "no_levels": gettext_lazy("Ein Blindplan braucht mindestens eine Stufe."),
    "no_play": gettext_lazy("Ein Blindplan braucht mindestens eine Stufe, in der gespielt wird."),
    "no_length": gettext_lazy("%(row)s: Es fehlen die Minuten oder die Hände."),
    "two_lengths": gettext_lazy("%(row)s: Entweder Minuten oder Hände, nicht beides."),
    "length_not_positive": gettext_lazy("%(row)s: Die Dauer muss größer als null sein."),
    "break_in_hands": gettext_lazy("%(row)s: Eine Pause dauert Minuten, keine Hände."),
    "amount_negative": gettext_lazy("%(row)s: Kein Einsatz kann unter null sein."),
    "no_blinds": gettext_lazy("%(row)s: Es fehlen die Blinds oder die Ante."),
    "small_above_big": gettext_lazy("%(row)s: Der Small Blind ist größer als der Big Blind."),
    "big_bet_below_big": gettext_lazy("%(row)s: Die Big Bet ist kleiner als der Big Blind."),
    "big_bet_below_small_bet": gettext_lazy("%(row)s: Die Big Bet ist kleiner als die Small Bet."),
    "bring_in_above_small_bet": gettext_lazy("%(row)s: Das Bring-in ist größer als die Small Bet."),
    "ante_without_big_blind": gettext_lazy("%(row)s: Eine Big-Blind-Ante braucht einen Big Blind."),
    "blinds_fall": gettext_lazy("%(row)s: Die Blinds fallen gegenüber der Stufe davor."),
    "ends_with_break": gettext_lazy("%(row)s: Nach der Pause kommt keine Stufe mehr."),
    "no_such_chip": gettext_lazy(
        "%(row)s: Es sollen Chips eingetauscht werden, die es nicht gibt."
    ),
    "unpayable": gettext_lazy(
        "%(row)s: Mit den Chips im Spiel lassen sich die Einsätze nicht genau bezahlen; "
        "der kleinste ist %(chip)s."
    ),
    "unpayable_no_chips": gettext_lazy("%(row)s: Es sind keine Chips mehr im Spiel."),
}


def obstacle_to_games(levels: Sequence[Level], seats: int) -> Refused | None:
    """Return why a game of the schedule cannot be played at tables of this size, or None."""
    short = [level.game for level in levels if most_seats(level.game) < seats]
    if not short:
        return None
    reason = _(
        "%(game)s braucht Tische mit höchstens %(most)d Plätzen, hier sind es %(seats)d."
    ) % {"game": short[0], "most": most_seats(short[0]), "seats": seats}
    return Refused(reason, code="too_many_seats")


def schedule_warnings(event: Event, levels: Sequence[Level]) -> list[str]:
    """Return the schedule's warnings, with the chips of the event."""
    chips = chip_values(event)
    found = [item for item in validate_levels(levels, chips) if item.is_warning]
    return [problem_text(item, levels, chips) for item in found]


def schedule_faults(levels: Sequence[Level]) -> tuple[list[str], dict[int, str]]:
    """Return the schedule's errors in words: of the whole, and by row from 0."""
    whole: list[str] = []
    rows: dict[int, str] = {}
    for item in validate_levels(levels):
        text = problem_text(item, levels)
        if item.index is None:
            whole.append(text)
        elif not item.is_warning:
            rows[item.index] = f"{rows[item.index]} {text}" if item.index in rows else text
    return whole, rows


def chip_values(event: Event) -> list[int]:
    """Return the values of the event's chips, smallest first; empty if unknown."""
    pieces = event.chip_set.pieces if event.chip_set else []
    return sorted(piece["value"] for piece in pieces)


def problem_text(problem: LevelProblem, levels: Sequence[Level], chips: Sequence[int] = ()) -> str:
    """Return a problem as a sentence with its level."""
    text = str(PROBLEMS[problem.code])
    if problem.index is None:
        return text
    chip = smallest_chips(levels, chips)[problem.index]
    if problem.code == "unpayable" and chip is None:
        text = str(PROBLEMS["unpayable_no_chips"])
    return text % {"row": row_name(levels, problem.index), "chip": chip}


def row_name(levels: Sequence[Level], index: int) -> str:
    rows = numbered(levels)
    number = rows[index].number
    if number is not None:
        return _("Stufe %(number)s") % {"number": number}
    if (cut := cut_by(rows, index)) is not None:
        return _("Pause in Stufe %(number)s") % {"number": cut.number}
    before = next((row.number for row in reversed(rows[:index]) if row.number), None)
    if before is None:
        return _("Pause vor der ersten Stufe")
    return _("Pause nach Stufe %(number)s") % {"number": before}
