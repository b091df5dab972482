"""An event's facts for a question: game, limit, amounts in force, number of players."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from clock.domain import Level, LimitKind
from tournaments.event.domain.games import game_named
from tournaments.event.selectors.event import players_left
from tournaments.models import CashTable, Event, Seating, Table
from tournaments.play.selectors.level_in_force import event_in_force, table_in_force
from tournaments.rulings.domain.desk import MOST_PLAYERS
from tournaments.rulings.selectors.labels import LIMITS

FEW = 3  # usual number at a showdown


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """The facts to supply where a question leaves them out.

    :param facts: By the name in the address.
    :param told: The game in words.
    :param is_unknown: Whether the desk does not know the game.
    """

    facts: dict[str, str]
    players: int
    told: str
    is_unknown: bool = False


def evening_of(event: Event, table: Table | None, now: datetime) -> Evening:
    """Return the game and amounts at a table, or without one those the clock announces."""
    cash = _cash_table(event) if event.is_cash_only else None
    level = None if event.is_cash_only else _level(event, table, now)
    name = (cash.game if cash else level and level.game) or event.game
    limit = (cash.limit if cash else level and level.limit) or event.limit
    limit = limit or LimitKind.NO_LIMIT.value
    game, rules = game_named(name), event.rule_set
    players = _players(event, table)
    facts = {
        "game": game.bets_as.value if game else event.game,
        "contest": game.key if game else "",
        "limit": limit,
        "rule": rules.minimum_raise.value,
        "cap": rules.raise_cap.value,
        "heads_up": str(int(event.has_started and players_left(event) == 2)),
        "players": str(players),
        **{name: str(amount) for name, amount in _amounts(level, cash).items()},
        "dead": str(_antes(level, players)),
    }
    words = [game.name if game else name, str(LIMITS[LimitKind(limit)]), *_in_words(level, facts)]
    if cash is not None and event.is_cash_for_money:
        words.append(_("in Cent"))
    told = ", ".join(filter(None, words))
    return Evening(facts=facts, players=players, told=told, is_unknown=game is None)


def _level(event: Event, table: Table | None, now: datetime) -> Level:
    found = table_in_force(event, table, now) if table else event_in_force(event, now)
    return found.level


def _cash_table(event: Event) -> CashTable | None:
    tables = CashTable.objects.live().filter(event=event)
    return tables.order_by("number").first()


def _players(event: Event, table: Table | None) -> int:
    if table is not None:
        there = Seating.objects.live().filter(table=table).count()
    else:
        there = min(players_left(event), event.seats_per_table)
    return min(max(there, 2), MOST_PLAYERS)


def _amounts(level: Level | None, cash: CashTable | None) -> dict[str, int]:
    if cash is not None:
        return {"small_blind": cash.small_blind_cents, "big_blind": cash.big_blind_cents}
    if level is None:
        return {}
    return {
        "small_blind": level.small_blind,
        "big_blind": level.big_blind or level.small_bet,
        "big_bet": level.big_bet,
        "bring_in": level.bring_in,
    }


def _antes(level: Level | None, players: int) -> int:
    if level is None:
        return 0
    return level.ante if level.is_big_blind_ante else level.ante * players


def _in_words(level: Level | None, facts: dict[str, str]) -> list[str]:
    told = [name for name in ("small_blind", "big_blind") if int(facts.get(name, 0))]
    words = ["/".join(intcomma(int(facts[name])) for name in told)]
    if level is not None and level.ante:
        words.append(_("Ante %(ante)s") % {"ante": intcomma(level.ante)})
    return words
