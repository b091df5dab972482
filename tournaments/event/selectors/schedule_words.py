"""An edit of the blind schedule in words, as announced in the hall."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.domain import Level, ScheduleChange
from tournaments.event.selectors.level_words import amounts_in_words, game_of, posted_of
from tournaments.event.selectors.schedule_problems import row_name

MOST_TOLD = 3
LENGTH = {"duration", "hands"}
BLINDS = {"small_blind", "big_blind"}
NAMED = {"small_bet": "Small Bet", "big_bet": "Big Bet"}
POSTED = {"ante", "ante_kind", "bring_in"}
PLAYED = {"game", "limit"}


def changes_in_words(
    changes: Sequence[ScheduleChange], before: Sequence[Level], after: Sequence[Level]
) -> str:
    """Return the changes as one announcement: the first few rows, and the number of others."""
    texts = [text for item in changes for text in _in_words(item, before, after)]
    shown, more = texts[:MOST_TOLD], len(texts) - MOST_TOLD
    if more > 0:
        text = ngettext("und noch eine Änderung", "und %(count)s weitere Änderungen", more)
        shown.append(text % {"count": more})
    return _("Der Blindplan ist geändert: %(changes)s.") % {"changes": "; ".join(shown)}


def _in_words(item: ScheduleChange, before: Sequence[Level], after: Sequence[Level]) -> list[str]:
    rows = before if item.what == "removed" else after
    words = {"row": row_name(rows, item.index)}
    if item.what == "removed":
        return [_("%(row)s entfällt") % words]
    if item.what == "moved":
        return [_("%(row)s hat jetzt %(what)s") % {**words, "what": _amounts(item.level)}]
    if item.what == "added":
        what = _lasts(item.level) if item.level.is_break else _amounts(item.level)
        return [_("neu: %(row)s, %(what)s") % {**words, "what": what}]
    return _changed(item.level, set(item.names), words)


def _changed(level: Level, names: set[str], words: dict[str, str]) -> list[str]:
    found = []
    if names & LENGTH:
        found.append(_("%(row)s dauert jetzt %(what)s") % {**words, "what": _lasts(level)})
    has = [_amounts(level)] if names & BLINDS else []
    has += [f"{label} {getattr(level, name)}" for name, label in NAMED.items() if name in names]
    if names & POSTED:
        has += posted_of(level) or [_("keine Ante")]
    found += [_("%(row)s hat jetzt %(what)s") % {**words, "what": what} for what in has]
    if names & PLAYED and game_of(level):
        found.append(_("%(row)s ist jetzt %(what)s") % {**words, "what": game_of(level)})
    return found or [_("%(row)s ist anders") % words]


def _amounts(level: Level) -> str:
    if not level.big_blind:
        return amounts_in_words(level)
    return _("Blinds %(small)s und %(big)s") % {
        "small": level.small_blind,
        "big": level.big_blind,
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
