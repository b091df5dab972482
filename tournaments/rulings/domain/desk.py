"""Questions at the desk as plain data, and their answers: shared by page, scripts and log.

Questions and answers count players from 0, an `Unruled` counts them from 1.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Any

from clock.domain import LimitKind
from tournaments.event.domain.cards import Card, card_from_code
from tournaments.event.domain.games import Game
from tournaments.event.domain.rules import MinimumRaise, RaiseCap
from tournaments.rulings.domain import betting_round, pots, showdown
from tournaments.rulings.domain.betting_round import Deed, Round, Step
from tournaments.rulings.domain.hands import (
    Category,
    Hand,
    boards_leading,
    category_of,
    check_open,
    first_to_act,
    opener,
    ranks_of,
)
from tournaments.rulings.domain.pots import HALVED, Contest, Pots, Stake, Unruled
from tournaments.rulings.domain.raises import Put, Stakes, Verdict, verdict_of
from tournaments.rulings.domain.showdown import Held

Data = Mapping[str, Any]
MOST_PLAYERS = 10
MOST_STEPS = 200
MOST_CHIPS = 10**12


class Topic(StrEnum):
    """The topics of the desk."""

    BETS = "bets"
    POTS = "pots"
    SHOWDOWN = "showdown"
    STUD = "stud"
    OTHER = "other"  # no question: a ruling by a person


def answer(topic: Topic, question: Data) -> dict[str, Any]:
    """Return the answer of the rules.

    >>> stakes = [{"put": 70, "all_in": True}, {"put": 140}, {"put": 140}]
    >>> answer(Topic.POTS, {"players": stakes})["pots"][0]
    {'amount': 210, 'players': [0, 1, 2], 'shares': []}

    :raises Unruled: If the question has no answer.
    :raises ValueError: If it is malformed: a field is missing, or of another type.
    """
    try:
        return _ANSWERS[topic](question)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"Not a question about {topic}: {error!r}") from error


def _number(value: object) -> int:
    # Python counts a bool as an int; JSON may contain a fraction.
    if type(value) is not int or abs(value) > MOST_CHIPS:
        raise ValueError(f"Not a number of chips: {value!r}")
    return value


def _cards(codes: Sequence[str]) -> tuple[Card, ...]:
    return tuple(card_from_code(code) for code in codes)


def _players(question: Data) -> list[Any]:
    rows = question["players"]
    if len(rows) > MOST_PLAYERS:
        raise Unruled("many_players", most=MOST_PLAYERS)
    return list(rows)


def stakes_of(question: Data) -> Stakes:
    """Return the stakes in a question about bets."""
    low, high = question.get("spread") or (0, 0)
    return Stakes(
        game=Game(question["game"]),
        limit=LimitKind(question["limit"]),
        rule=MinimumRaise(question["rule"]),
        cap=RaiseCap(question["cap"]),
        small_blind=_number(question["small_blind"]),
        big_blind=_number(question["big_blind"]),
        big_bet=_number(question.get("big_bet", 0)),
        bring_in=_number(question.get("bring_in", 0)),
        spread=(_number(low), _number(high)),
        is_event_heads_up=bool(question.get("event_heads_up")),
        is_small_dead=bool(question.get("dead_small_blind")),
        straddle=_number(question.get("straddle", 0)),
    )


def _bets(question: Data) -> dict[str, Any]:
    stacks = [None if row is None else _number(row) for row in _players(question)]
    steps = [Step(Deed(deed), _number(to)) for deed, to in question["steps"]]
    if len(steps) > MOST_STEPS:
        raise ValueError("Too many steps.")
    found = betting_round.round_after(
        stakes_of(question),
        steps,
        number=_number(question["round"]),
        pot=_number(question["pot"]),
        stacks=stacks,
    )
    told: dict[str, Any] = {
        "level": found.level,
        "raises": found.raises,
        "pot": found.pot + sum(player.bet for player in found.players),
        "bets": [player.bet for player in found.players],
        "bars": [_bar(found, place) for place in range(len(stacks))],
        "turn": found.turn,
    }
    if found.turn is None:
        return {**told, "last_raiser": found.last_raiser}
    told |= asdict(found.options()) | {"full": found.least_over(found.level)}
    put = question.get("put")
    return told | ({"verdict": _verdict(found, put)} if put else {})


def _bar(found: Round, place: int) -> str | None:
    """Return why a player may not raise in turn, or None."""
    player = found.players[place]
    if player.has_folded:
        return "folded"
    bar = found.bar_for(place)
    return "all_in" if player.is_all_in else bar and bar.value


def _verdict(found: Round, put: Data) -> dict[str, Any]:
    assert found.turn is not None
    player, chips = found.players[found.turn], tuple(map(_number, put.get("chips", ())))
    to = player.bet + sum(chips) if put["to"] is None else _number(put["to"])
    least, most = found.least_over(found.level), found.most_for(player)
    level = found.asked_of(found.turn)
    if any(chip < 1 for chip in chips) or sum(chips) > to:
        raise Unruled("chips_differ", to=to)
    verdict = verdict_of(
        Put(to=to, is_declared=bool(put.get("declared")), chips=chips),
        level=level,
        least=least,
        most=MOST_CHIPS if most is None else most,
        total=player.total,
        rule=found.stakes.rule,
        own=player.bet,
    )
    told: dict[str, Any] = {"to": to, "level": level, "least": least, "most": most}
    if verdict is Verdict.UNDER_CALL:
        # TDA 2024 51: chips short of a call count as one facing the opening bet, also the posted
        # big blind, or between two players. Otherwise the director decides.
        has_rule = found.stakes.rule is MinimumRaise.LARGEST_RAISE
        is_full = (found.wagers <= 1 or found.live == 2) if has_rule else None
        return {**told, "verdict": verdict.value, "is_full_call": is_full}
    if verdict is not Verdict.CALL and found.bar_for(found.turn):
        return {**told, "verdict": "barred"}
    if verdict is Verdict.SHORT_ALL_IN:
        able, barred = found.raisers_after(Step(Deed.BET, to))
        told |= {"may_raise": able, "may_not_raise": barred}
    return {**told, "verdict": verdict.value}


def _stake(row: Data) -> Stake:
    stack = row.get("stack")
    return Stake(
        put=_number(row["put"]),
        stack=None if stack is None else _number(stack),
        is_all_in=bool(row.get("all_in")),
        has_folded=bool(row.get("folded")),
    )


def _pots(question: Data) -> dict[str, Any]:
    rows = _players(question)
    stakes = [_stake(row) for row in rows]
    found = pots.pots_of(stakes, _number(question.get("dead", 0)))
    winners = question.get("winners") or []
    won = [winners[at] if at < len(winners) else [] for at in range(len(found.pots))]
    unit = _number(question.get("unit", 1))
    shares = [
        pots.shares_of(pot, list(by), unit) if by else ()
        for pot, by in zip(found.pots, won, strict=True)
    ]
    return {**_outcome(found, len(rows), shares), "opened": pots.are_opened(stakes)}


def _outcome(
    found: Pots,
    players: int,
    shares: Sequence[Sequence[pots.Share]],
    lows: Sequence[Sequence[pots.Share]] | None = None,
) -> dict[str, Any]:
    """Return pots and winnings; without winners only the pots and the returned excess."""
    gets = [0] * players
    for share in (share for row in [*shares, *(lows or ())] for share in row):
        gets[share.player] += share.amount
    listed = [
        {"amount": pot.amount, "players": list(pot.players), "shares": _listed(row)}
        for pot, row in zip(found.pots, shares, strict=True)
    ]
    for pot, row in zip(listed, lows or (), strict=False):
        pot["low_shares"] = _listed(row)
    return {"pots": listed, "back": found.back, "to": found.to, "gets": gets}


def _listed(shares: Sequence[pots.Share]) -> list[list[int]]:
    return [[share.player, share.amount, share.odd] for share in shares]


def _showdown(question: Data) -> dict[str, Any]:
    contest, rows = Contest(question["game"]), _players(question)
    held = [Held(_cards(row["cards"]), bool(row.get("dead") or row.get("folded"))) for row in rows]
    board, aside = _cards(question["board"]), _cards(question.get("aside", ()))
    hands, lows = showdown.hands_of(contest, board, held, aside)
    found = _pots_shown(question, rows) or Pots((pots.Pot(0, tuple(hands)),))
    won = [showdown.winners_of(pot, hands, contest) for pot in found.pots]
    won_low = [
        showdown.winners_of(pot, lows, contest) if lows.keys() & set(pot.players) else ()
        for pot in found.pots
    ]
    out = [place for place, one in enumerate(held) if one.is_dead]
    first = showdown.first_shown(contest, held)
    last = question.get("last_raiser")
    order = showdown.show_order(len(rows), last_raiser=last, folded=out, first=first)
    all_in = (
        rows[place].get("all_in") or rows[place].get("put", -1) == rows[place].get("stack")
        for place in order
    )
    free = () if any(all_in) else showdown.need_not_show(order, found.pots, hands, lows)
    unit = _number(question.get("unit", 1))
    sides = zip(found.pots, won, won_low, strict=True)
    halves = [pots.halves_of(pot, high, low, unit) for pot, high, low in sides]
    is_halved = contest in HALVED
    low_shares = [low for _high, low in halves] if is_halved else None
    told = _outcome(found, len(rows), [high for high, _low in halves], low_shares) | {
        "hands": [_hand(hands.get(place)) for place in range(len(rows))],
        "winners": [list(one) for one in won],
        "order": order,
        "free": list(free),
    }
    if is_halved:
        told["lows"] = [_hand(lows.get(place)) for place in range(len(rows))]
        told["low_winners"] = [list(one) for one in won_low]
    return told


def _pots_shown(question: Data, rows: Sequence[Data]) -> Pots | None:
    """Return the pots of a showdown; None without the chips put in."""
    if not all("put" in row for row in rows):
        return None
    # An all-in hand may be dead but is not folded.
    dead = [bool(row.get("dead") and not row.get("folded")) for row in rows]
    stakes = [
        Stake(put=_number(row["put"]), has_folded=True) if is_dead else _stake(row)
        for row, is_dead in zip(rows, dead, strict=True)
    ]
    return pots.pots_of(stakes, _number(question.get("dead", 0)))


def _hand(hand: Hand | None) -> dict[str, Any] | None:
    if hand is None:
        return None
    category = category_of(hand.value)
    is_mere_low = hand.value < 0 and category is Category.HIGH_CARD
    return {
        "category": "low" if is_mere_low else category.name.lower(),
        "ranks": list(ranks_of(hand.value)),
        "cards": [card.code for card in hand.cards],
    }


def _stud(question: Data) -> dict[str, Any]:
    boards = [_cards(codes) for codes in _players(question)]
    is_razz = question.get("game") == Contest.RAZZ
    check_open(boards)
    if len(boards[0]) > 1:
        first = first_to_act(boards, is_razz=is_razz)
        tied = boards_leading(boards, is_razz=is_razz)
        decides = max(boards[first[0]]).code
        return {"first": list(first), "is_forced": False, "tied": list(tied), "card": decides}
    limit = LimitKind(question["limit"])
    opens = opener([cards[0] for cards in boards], limit, is_razz=is_razz)
    return {"first": [opens], "is_forced": True}


_ANSWERS: dict[Topic, Callable[[Data], dict[str, Any]]] = {
    Topic.BETS: _bets,
    Topic.POTS: _pots,
    Topic.SHOWDOWN: _showdown,
    Topic.STUD: _stud,
    Topic.OTHER: lambda _question: {},
}
