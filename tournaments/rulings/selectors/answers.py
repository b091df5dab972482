"""The sentences of an answer: the same on the page, for scripts and in the log."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import LimitKind
from tournaments.event.domain.cards import card_from_code
from tournaments.rulings.domain.desk import Topic
from tournaments.rulings.domain.pots import HALVED, STUDS, Contest
from tournaments.rulings.selectors.labels import BARS, HANDS, VERDICTS, filled

Data = Mapping[str, Any]
# Bounds of a bet or raise: without upper bound, a single amount, a range.
BOUNDS = {
    "from": lazy("Setzen oder erhöhen: auf mindestens %(least)s."),
    "exact": lazy("Setzen oder erhöhen: auf genau %(least)s."),
    "between": lazy("Setzen oder erhöhen: auf %(least)s bis %(most)s."),
}
WINS = {
    "wins": lazy("Es gewinnt %(players)s: %(hand)s."),
    "split": lazy("Geteilt wird zwischen %(players)s: %(hand)s."),
    "wins_pot": lazy("%(pot)s: Es gewinnt %(players)s: %(hand)s."),
    "split_pot": lazy("%(pot)s: Geteilt wird zwischen %(players)s: %(hand)s."),
}
# Grounds of a verdict that chips without a word leave open.
_OPEN = frozenset({"full", "must_complete", "incomplete", "short_all_in", "too_much"})


def lines_of(topic: Topic, question: Data, answer: Data) -> list[str]:
    """Return an answer as sentences, the main one first."""
    match topic:
        case Topic.BETS:
            return list(_bets(question, answer))
        case Topic.POTS:
            return [*_pots(answer), *_paid(answer)]
        case Topic.SHOWDOWN:
            return list(_showdown(question, answer))
        case Topic.STUD:
            return [_first(answer)]
        case _:
            return []


def player_name(place: int) -> str:
    """Return a player's name by place in the question, from 0."""
    return _("Spieler %(player)s") % {"player": place + 1}


def names(places: Sequence[int]) -> str:
    return ", ".join(map(player_name, places))


def _bets(question: Data, answer: Data) -> Iterator[str]:
    verdict = answer.get("verdict")
    if verdict:
        yield from _verdict(question["put"], verdict)
    if answer["turn"] is None:
        yield _("Die Setzrunde ist zu Ende.")
        return
    player = player_name(answer["turn"])
    if answer["may_check"]:
        yield _("%(player)s ist dran und kann schieben.") % {"player": player}
    else:
        cost = {"player": player, "call": intcomma(answer["call"])}
        yield _("%(player)s ist dran: Mitgehen kostet %(call)s.") % cost
    if answer["bar"]:
        yield f"{player} {BARS[answer['bar']]}."
    else:
        least, most = answer["least"], answer["most"]
        kind = "from" if most is None else "exact" if least == most else "between"
        yield filled(BOUNDS[kind], {"least": least, "most": most})
    if question["limit"] == LimitKind.SPLIT_LIMIT:
        yield _("Erhöhungen bisher: %(raises)s von 3.") % {"raises": answer["raises"]}


def _verdict(put: Data, verdict: Data) -> Iterator[str]:
    code = verdict["verdict"]
    if code == "under_call" and verdict["is_full_call"] is not None:
        code = "under_call_full" if verdict["is_full_call"] else "under_call_open"
    yield filled(VERDICTS[code], verdict)
    for name in ("may_raise", "may_not_raise"):
        if verdict.get(name):
            yield filled(VERDICTS[name], {"players": names(verdict[name])})
    is_silent = not put.get("declared") and not put.get("chips")
    if is_silent and code in _OPEN and verdict["level"] and verdict["to"] > verdict["level"]:
        yield str(VERDICTS["unsaid"])


def pot_name(at: int) -> str:
    """Return a pot's name, the main pot first."""
    return _("Side Pot %(number)s") % {"number": at} if at else _("Hauptpot")


def _pots(answer: Data) -> Iterator[str]:
    if not answer["pots"]:
        yield _("Bitte eintippen, was jeder in dieser Hand eingesetzt hat.")
    for at, pot in enumerate(answer["pots"]):
        about = {"pot": pot_name(at), "amount": intcomma(pot["amount"])}
        about["players"] = names(pot["players"])
        yield _("%(pot)s: %(amount)s. Gewinnen können %(players)s.") % about


def _paid(answer: Data) -> Iterator[str]:
    """Yield the returned excess and each player's winnings."""
    if answer.get("opened"):
        yield _("Niemand kann mehr setzen: Jetzt werden alle Hände geöffnet.")
    if answer["back"]:
        about = {"back": intcomma(answer["back"]), "player": player_name(answer["to"])}
        yield _("%(back)s gehen zurück an %(player)s: Das hat niemand gehalten.") % about
    for place, amount in enumerate(answer["gets"]):
        if amount:
            about = {"player": player_name(place), "amount": intcomma(amount)}
            yield _("%(player)s bekommt %(amount)s.") % about
    shares = [share for pot in answer["pots"] for share in pot["shares"]]
    odd = list(dict.fromkeys(player for player, _amount, extra in shares if extra))
    if odd:
        yield _("Überzählige Chips gehen an %(players)s.") % {"players": names(odd)}


def _showdown(question: Data, answer: Data) -> Iterator[str]:
    is_only = len(answer["winners"]) == 1
    for at, won in enumerate(answer["winners"]):
        amount = answer["pots"][at]["amount"]
        pot = f"{pot_name(at)} ({intcomma(amount)})" if amount else pot_name(at)
        pot = "" if is_only else pot
        if "low_winners" not in answer:
            yield _won(won, answer["hands"], pot)
            continue
        low = answer["low_winners"][at]
        yield _won(won, answer["hands"], _half(pot, _("Hoch")))
        if low:
            yield _won(low, answer["lows"], _half(pot, _("Niedrig")))
        elif pot:
            yield _("%(pot)s: Niemand hat eine niedrige Hand bis acht.") % {"pot": pot}
        else:
            yield _("Niemand hat eine niedrige Hand bis acht: Die hohe gewinnt alles.")
    if any(pot["amount"] for pot in answer["pots"]):
        yield from _paid(answer)
    order = {"players": names(answer["order"])}
    yield _("Gezeigt wird in dieser Reihenfolge: %(players)s.") % order
    if answer["free"]:
        yield _("Muss nicht zeigen: %(players)s.") % {"players": names(answer["free"])}
    elif any(row.get("all_in") for row in question["players"]):
        yield _("Jemand ist all-in: Alle zeigen.")
    if question.get("aside"):
        cards = {"cards": symbols(question["aside"])}
        yield _("Offen gelegt, aus dem Spiel: %(cards)s. Das zählt bei niemandem.") % cards


def _half(pot: str, half: str) -> str:
    return f"{pot}, {half}" if pot else half


def _won(won: Sequence[int], hands: Sequence[Any], pot: str) -> str:
    code = ("split" if len(won) > 1 else "wins") + ("_pot" if pot else "")
    hand = hands[won[0]]
    told = f"{HANDS[hand['category']]} ({symbols(hand['cards'])})"
    return str(WINS[code]) % {"players": names(won), "hand": told, "pot": pot}


def symbols(codes: Sequence[str]) -> str:
    """Return cards as symbols."""
    return " ".join(card_from_code(code).symbol for code in codes)


def _first(answer: Data) -> str:
    first = answer["first"]
    tied = answer.get("tied", first)
    about = {"player": player_name(first[0]), "players": names(tied)}
    if len(first) > 1:
        told = _("%(players)s zeigen gleich viel. Zuerst dran ist %(player)s, links vom Geber.")
        return told % about
    if len(tied) > 1:
        told = _(
            "%(players)s zeigen gleich viel. Zuerst dran ist %(player)s, mit der höchsten Karte "
            "nach Farbe: %(card)s."
        )
        return told % (about | {"card": symbols([answer["card"]])})
    if answer["is_forced"]:
        return _("%(player)s muss eröffnen.") % about
    return _("%(player)s ist zuerst dran.") % about


def rules_of(topic: Topic, question: Data, answer: Data | None) -> list[str]:
    """Return the codes of `words.RULES` behind an answer."""
    match topic:
        case Topic.BETS:
            return _rules_of_bets(question, answer or {})
        case Topic.POTS:
            return ["pots", "opened", "odd"]
        case Topic.SHOWDOWN:
            contest = Contest(question["game"])
            by_suit = "odd_stud" if contest in STUDS else "odd"
            shown = "show_stud" if contest in STUDS else "show"
            return [contest.value, shown, "pots", by_suit, *["odd_hilo"] * (contest in HALVED)]
        case _:
            is_first = question["open"] > 1
            is_razz = question["game"] == Contest.RAZZ
            return [("first" if is_first else "opener") + ("_razz" if is_razz else "")]


def _rules_of_bets(question: Data, answer: Data) -> list[str]:
    limit, verdict = question["limit"], answer.get("verdict") or {}
    is_free = limit in {LimitKind.NO_LIMIT, LimitKind.POT_LIMIT}
    found = [question["rule"], limit] if is_free else [limit]
    if question.get("straddle") and question["round"] == 1:
        found.append("straddle")
    if verdict and not question["put"].get("declared"):
        found.append("silent")
    if verdict.get("is_full_call") is not None:
        found.append("under_call")
    return found
