"""Data of the desk's page: question, answer, its grounds, and the possible presses."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.datastructures import MultiValueDict
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, override
from django.utils.translation import gettext as _

from clock.domain import Level, LimitKind
from tournaments.changes.domain.numbers import whole
from tournaments.event.domain.cards import card_from_code, deck
from tournaments.event.domain.games import MOST_STUD_SEATS, Game, deals_stud, game_named
from tournaments.event.selectors.event import players_left
from tournaments.models import CashSeat, CashTable, Event, Seating, Table
from tournaments.play.selectors.level_in_force import event_in_force, table_in_force
from tournaments.rules.selectors.book import anchors_of
from tournaments.rules.selectors.rules import rule_of
from tournaments.rulings.domain import desk
from tournaments.rulings.domain.desk import MOST_CHIPS, MOST_PLAYERS, Topic
from tournaments.rulings.domain.hands import MOST_OPEN
from tournaments.rulings.domain.pots import STUDS, Contest, Unruled
from tournaments.rulings.selectors import addresses, answers, labels
from tournaments.rulings.selectors.addresses import Facts
from tournaments.rulings.selectors.labels import LIMITS

# --- An event's facts for a question: game, limit, amounts in force, number of players


# The number of players in a question: few see a showdown.
USUAL = {Topic.POTS: 3, Topic.SHOWDOWN: 3, Topic.STUD: MOST_STUD_SEATS}


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


def evening_of(
    event: Event, table: Table | None, now: datetime, cash: CashTable | None = None
) -> Evening:
    """Return the game and amounts at a table, or without one those the clock announces.

    :param cash: The cash table asked from; on a cash evening otherwise the first one.
    """
    level = None
    if event.is_cash_only and cash is None:
        cash = CashTable.objects.live().filter(event=event).order_by("number").first()
    elif cash is None:
        level = (table_in_force(event, table, now) if table else event_in_force(event, now)).level
    name = (cash.game if cash else level and level.game) or event.game
    limit = (cash.limit if cash else level and level.limit) or event.limit
    limit = limit or LimitKind.NO_LIMIT.value
    game, rules = game_named(name), event.rule_set
    players = _players(event, table, cash)
    dead = cash.ante_cents * players if cash else 0
    if level is not None:
        dead = level.ante if level.is_big_blind_ante else level.ante * players
    facts = {
        "game": game.bets_as.value if game else event.game,
        "contest": game.key if game else "",
        "limit": limit,
        "rule": rules.minimum_raise.value,
        "cap": rules.raise_cap.value,
        "heads_up": str(int(event.has_started and players_left(event) == 2)),
        "players": str(players),
        **{name: str(amount) for name, amount in _amounts(level, cash).items()},
        "dead": str(dead),
    }
    words = [game.name if game else name, str(LIMITS[LimitKind(limit)]), *_in_words(level, facts)]
    if cash is not None and cash.straddle_cents:
        words.append(_("Straddle %(cents)s") % {"cents": intcomma(cash.straddle_cents)})
    if cash is not None and event.is_cash_for_money:
        words.append(_("in Cent"))
    told = ", ".join(filter(None, words))
    return Evening(facts=facts, players=players, told=told, is_unknown=game is None)


def _players(event: Event, table: Table | None, cash: CashTable | None) -> int:
    if cash is not None:
        there = CashSeat.objects.live().filter(table=cash).count() or cash.seats
    elif table is not None:
        there = Seating.objects.live().filter(table=table).count()
    else:
        there = min(players_left(event), event.seats_per_table)
    return min(max(there, 2), MOST_PLAYERS)


def _amounts(level: Level | None, cash: CashTable | None) -> dict[str, int]:
    if cash is not None:
        small, big = cash.small_blind_cents, cash.big_blind_cents
        is_stud = deals_stud(cash.game)
        return {
            "small_blind": 0 if is_stud else small,
            "big_blind": big,
            "big_bet": cash.big_bet_cents or 2 * big,
            "bring_in": small if is_stud else 0,
        }
    if level is None:
        return {}
    return {
        "small_blind": level.small_blind,
        "big_blind": level.big_blind or level.small_bet,
        "big_bet": level.big_bet,
        "bring_in": level.bring_in,
    }


def _in_words(level: Level | None, facts: dict[str, str]) -> list[str]:
    told = [name for name in ("small_blind", "big_blind") if int(facts.get(name, 0))]
    words = ["/".join(intcomma(int(facts[name])) for name in told)]
    if level is not None and level.ante:
        words.append(_("Ante %(ante)s") % {"ante": intcomma(level.ante)})
    return words


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question and its answer.

    :param answer: None without one; `no` says why.
    :param address: The facts in the form of an address.
    :param no: The error as a sentence; beside an answer, that of a refused deed.
    """

    topic: Topic
    facts: Facts
    question: dict[str, Any]
    answer: dict[str, Any] | None
    lines: list[str]
    address: str
    no: str = ""


def asked(evening: Evening, typed: MultiValueDict[str, str]) -> Asked:
    """Return the answer to a question; the event supplies missing facts."""
    facts = Facts()
    name = ["", *typed.getlist("topic")][-1]
    topic = Topic(name) if name in labels.TOPICS else Topic.BETS
    facts.update(evening.facts)
    facts["players"] = str(min(evening.players, USUAL.get(topic, MOST_PLAYERS)))
    if topic is Topic.STUD and facts.text("contest") != Contest.RAZZ:
        facts["contest"] = Contest.STUD.value
    if topic is Topic.SHOWDOWN and not facts.text("contest"):
        facts["contest"] = evening.facts["game"]
    for name, values in typed.lists():
        facts.setlist(name, values)
    # With scripts the browser collects presses and sends the last one twice.
    return _after(topic, facts, typed.getlist("pressed") or typed.getlist("press"))


def _after(topic: Topic, facts: Facts, presses: list[str]) -> Asked:
    """Return the answer after presses; an impossible deed is left out."""
    found = None
    for what in presses:
        before = facts.copy()
        try:
            addresses.press(topic, facts, what)
        except ValueError:
            continue
        found = _answered(topic, facts)
        if found.no and topic is Topic.BETS and facts.text("steps") != before.text("steps"):
            sound = _answered(topic, before)
            if not sound.no:
                facts, found = before, replace(sound, no=found.no)
    return found or _answered(topic, facts)


def _answered(topic: Topic, facts: Facts) -> Asked:
    question: dict[str, Any] = {}
    address = addresses.address_of(topic, facts)
    answer, lines, no = None, [], ""
    try:
        question = addresses.question_of(topic, facts)
        answer = desk.answer(topic, question)
        lines = answers.lines_of(topic, question, answer)
    except (Unruled, ValueError) as error:
        answer, told = None, error if isinstance(error, Unruled) else Unruled("no_question")
        no = labels.sentence_of(told)
    return Asked(
        topic=topic, facts=facts, question=question, answer=answer, lines=lines, address=address,
        no=no,
    )  # fmt: skip


def page_of(event: Event, found: Asked, book_url: str) -> dict[str, Any]:
    """Return a question's data for the page; `book_url` is the page of rules."""
    topic, facts = found.topic, found.facts
    is_stud_bets = topic is Topic.BETS and facts.text("game") == Game.STUD
    most = MOST_STUD_SEATS if is_stud_bets or topic is Topic.STUD else MOST_PLAYERS
    count = min(whole(facts.text("players"), most=MOST_CHIPS) or 0, MOST_PLAYERS)
    return {
        "asked": found,
        "facts": facts,
        "topic": topic.value,
        "tabs": [(one, label, _tab(one, topic, facts)) for one, label in labels.TOPICS.items()],
        "count": count,
        "fewer": count - 1 if count > 2 else 0,
        "more": count + 1 if count < most else 0,
        "rules": rules_told(event, found, book_url),
        "players": [_player(found, place) for place in range(count)],
        "opens": [(number, number) for number in range(1, MOST_OPEN + 1)],
        "raisers": [
            (0, gettext("niemand")),
            *[(at + 1, answers.player_name(at)) for at in range(count)],
        ],
        **(_choices(facts) if topic in {Topic.BETS, Topic.STUD} else {}),
        **(_won(found) if topic is Topic.POTS and found.answer else {}),
        **(_cards(topic, facts) if topic in addresses.CARDS else {}),
    }


def _tab(one: Topic, topic: Topic, facts: Facts) -> str:
    """Return the address of another topic with the facts both share."""
    if {one, topic} == {Topic.POTS, Topic.SHOWDOWN}:
        return addresses.address_of(one, facts)
    return f"topic={one.value}"


def rules_told(event: Event, found: Asked, book_url: str) -> list[tuple[Promise, str]]:
    """Return the rules behind an answer, each with its place in the rule book."""
    if not found.question:
        return []
    try:
        codes = answers.rules_of(found.topic, found.question, found.answer)
    except ValueError:
        return []
    anchors = anchors_of(event)
    return [
        (labels.RULES[code], f"{book_url}#{anchors[code]}" if book_url else "")
        for code in codes
        if code in labels.RULES
    ]


def _player(found: Asked, place: int) -> dict[str, Any]:
    """Return a player of the question, with the typed and derived facts."""
    facts, answer = found.facts, found.answer or {}
    number = str(place + 1)
    told: dict[str, Any] = {"number": number, "place": str(place)}
    told["name"] = answers.player_name(place)
    for name in ("stack", "put"):
        typed = facts.getlist(name)
        told[name] = typed[place] if place < len(typed) else ""
    for name in ("all_in", "folded", "out"):
        told[name] = number in facts.getlist(name)
    if "bets" in answer:
        told["bet"], told["is_turn"] = answer["bets"][place], answer["turn"] == place
        told["bar"] = labels.BARS[answer["bars"][place] or "none"]
    told["hands"] = [
        _hand(hands[place], won=any(place in won for won in answer[winners]))
        for hands, winners in (
            (answer.get("hands"), "winners"),
            (answer.get("lows"), "low_winners"),
        )
        if hands and hands[place]
    ]
    return told


def _hand(hand: dict[str, Any], *, won: bool) -> dict[str, Any]:
    category = hand["category"]
    # In the other language, too: at tables both are used.
    with override("en" if get_language() == "de" else "de"):
        otherwise = str(labels.HANDS[category])
    return {
        "name": labels.HANDS[category],
        "otherwise": otherwise,
        "cards": [drawn(code) for code in hand["cards"]],
        "wins": won,
    }


def drawn(code: str) -> dict[str, str]:
    """Return a card for drawing on the page."""
    card = card_from_code(code)
    return {"code": code, "symbol": card.symbol, "rank": card.rank.label, "suit": card.suit.sign}


def _choices(facts: Facts) -> dict[str, Any]:
    minimum = rule_of("minimum_raise")
    assert minimum is not None
    is_free = facts.text("limit") in {LimitKind.NO_LIMIT, LimitKind.POT_LIMIT}
    return {
        "games": labels.GAMES.items(),
        "limits": labels.LIMITS.items(),
        "minimums": [(key, one.label) for key, one in (minimum.choices or {}).items()],
        "has_minimum": is_free,
        "rounds": list(enumerate(labels.ROUNDS.get(facts.text("game"), ()), 1)),
        "shown_stakes": "/".join(filter(None, map(facts.text, ("small_blind", "big_blind")))),
    }


def _won(found: Asked) -> dict[str, Any]:
    """Return each pot with its possible winners to tick."""
    assert found.answer is not None
    ticked = found.facts.getlist("won")
    return {
        "pots": [
            (answers.pot_name(at), pot["amount"], [
                (value := f"{at}.{place + 1}", answers.player_name(place), value in ticked)
                for place in pot["players"]
            ])
            for at, pot in enumerate(found.answer["pots"])
        ]
    }  # fmt: skip


def _cards(topic: Topic, facts: Facts) -> dict[str, Any]:
    """Return the slots for cards, and the deck while a slot is free."""
    try:
        slots, slot = addresses.slots_of(topic, facts), addresses.open_slot(topic, facts)
        shown = {name: [drawn(code) for code in lying] for name, (lying, _room) in slots.items()}
    except ValueError:
        return {"slots": {}, "contests": labels.CONTESTS.items()}
    lying = {card["code"] for cards in shown.values() for card in cards}
    suits: dict[str, list[tuple[dict[str, str], bool]]] = {}
    for one in sorted(deck(), key=lambda card: (card.suit, card.rank), reverse=True):
        suits.setdefault(one.suit.sign, []).append((drawn(one.code), one.code in lying))
    contests = list(labels.CONTESTS.items())
    if topic is Topic.STUD:
        contests = [pair for pair in contests if pair[0] in {Contest.STUD, Contest.RAZZ}]
    return {
        "contests": contests,
        "is_stud": facts.text("contest") in STUDS,
        "slots": shown,
        "slot": slot,
        "deck": suits.items(),
    }
