"""A level in words, the same everywhere: schedule, poster, paper, the table's page."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.domain import Level
from tournaments.event.domain.games import LimitKind, shows_big_bet
from tournaments.event.domain.latecomers import breaks_planned
from tournaments.event.selectors.labels import LIMITS
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The columns of a schedule: those with a value in any level.

    `stakes` is the heading of the blinds or bets.
    """

    stakes: str
    ante: bool
    has_big_blind_ante: bool
    is_big_blind_ante: bool
    bring_in: bool


def columns_of(levels: Iterable[Level], event: Event) -> Columns:
    """Return a schedule's columns. `is_big_blind_ante`: it has no other ante."""
    played = [level for level in levels if not level.is_break]
    antes = [level for level in played if level.ante]
    return Columns(
        stakes=_head(played, event),
        ante=bool(antes),
        has_big_blind_ante=any(level.is_big_blind_ante for level in antes),
        is_big_blind_ante=bool(antes) and all(level.is_big_blind_ante for level in antes),
        bring_in=any(level.bring_in for level in played),
    )


def _head(played: Iterable[Level], event: Event) -> str:
    """Return the heading of the blinds or bets: "Blinds", or "Blinds – Big Bet"."""
    bets = shows_bets(event)
    kinds = [
        (_("Blinds – Big Bet") if level.bets(shows_big_bet=bets)[1] else _("Blinds"))
        if level.big_blind
        else _("Small / Big Bet")
        for level in played
        if level.unit
    ]
    return ", ".join(dict.fromkeys(kinds)) or _("Blinds")


def schedule_title(event: Event) -> str:
    """Return the schedule's name, marked if changed."""
    return plan_title(event.schedule_name, is_edited=event.clock.is_edited)


def plan_title(name: str, *, is_edited: bool) -> str:
    return _("%(name)s, geändert") % {"name": name} if is_edited else name


def shows_bets(event: Event) -> bool:
    """Tell whether the event's limit has two fixed bets."""
    return shows_big_bet(LimitKind(event.limit))


def stakes_of(level: Level, *, shows_big_bet: bool) -> str:
    """Return the blinds, "8 / 15", in limit with the big bet, "8 / 15 – 30"; in stud the bets."""
    small_bet, big_bet = level.bets(shows_big_bet=shows_big_bet)
    if not level.big_blind:
        return (
            _("%(small)s / %(big)s") % _grouped(small=small_bet, big=big_bet) if small_bet else ""
        )
    words = _grouped(small=level.small_blind, big=level.big_blind, bet=big_bet)
    if big_bet:
        return _("%(small)s / %(big)s – %(bet)s") % words
    return _("%(small)s / %(big)s") % words


def posted_of(level: Level) -> list[str]:
    """Return the other forced bets: "BB-Ante 200", "Bring-in 10"."""
    ante = _("BB-Ante %(amount)s") if level.is_big_blind_ante else _("Ante %(amount)s")
    amounts = ((ante, level.ante), (_("Bring-in %(amount)s"), level.bring_in))
    return [text % _grouped(amount=amount) for text, amount in amounts if amount]


def game_of(level: Level) -> str:
    """Return a level's own game and limit: "Razz, Split Limit"; empty without."""
    return ", ".join(str(word) for word in (level.game, LIMITS.get(level.limit, "")) if word)


def more_of(level: Level) -> str:
    """Return a level's values apart from blinds, big bet, ante and minutes."""
    amounts = (
        (_("Small Bet %(amount)s"), level.small_bet),
        (_("Bring-in %(amount)s"), level.bring_in),
    )
    parts = [
        game_of(level),
        *(text % _grouped(amount=amount) for text, amount in amounts if amount),
    ]
    parts += [_("ohne %(value)ser") % {"value": value} for value in level.colour_up]
    return ", ".join(part for part in parts if part)


def level_in_words(level: Level, event: Event) -> str:
    """Return a level of play in one line: "40 / 80, Ante 5, Bring-in 10, Razz"."""
    amounts = amounts_in_words(level, shows_big_bet=shows_bets(event))
    return ", ".join(part for part in (amounts, game_of(level)) if part)


def amounts_in_words(level: Level, *, shows_big_bet: bool = False) -> str:
    """Return the forced bets and fixed bets of a level in one line."""
    parts = [stakes_of(level, shows_big_bet=shows_big_bet), *posted_of(level)]
    return ", ".join(part for part in parts if part)


def breaks_in_words(levels: Iterable[Level]) -> str:
    """Return the breaks of a schedule in a few words, or that there are none."""
    rows = list(levels)
    after = list(map(str, breaks_planned(rows)))
    spans = {level.duration for level in rows if level.is_planned_break}
    if not after:
        return _("keine Pause")
    *first, last = after
    one, several = (
        _("Pause nach Stufe %(last)s"),
        _("Pausen nach den Stufen %(first)s und %(last)s"),
    )
    text = (several if first else one) % {"first": ", ".join(first), "last": last}
    span = spans.pop() if len(spans) == 1 else None
    if span is None:
        return text
    minutes = round(span.total_seconds() / 60)
    length = ngettext("%(count)s Minute", "%(count)s Minuten", minutes) % {"count": minutes}
    return f"{text}, {length}"


def _grouped(**amounts: int) -> dict[str, str]:
    return {name: intcomma(amount) for name, amount in amounts.items()}
