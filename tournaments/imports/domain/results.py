"""The result of an earlier evening: from a table, or from a file of The Tournament Director."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from tournaments.event.domain.prices import cents_of
from tournaments.event.domain.tdt import all_of_kind
from tournaments.imports.domain.columns import columns_of
from tournaments.papers.domain.sheets import Row
from tournaments.people.domain.naming import clean_name

MOST_PLAYERS = 2_000
HEADINGS = {
    "day": {"datum", "tag", "date", "day", "abend"},
    "place": {"platz", "rang", "place", "rank", "pos", "pos.", "position", "#", "finish"},
    "spent": {"einsatz", "startgeld", "buy-in", "buyin", "buy in", "einzahlung"},
    "rebuys": {"re-buys", "rebuys", "re-buy", "rebuy"},
    "addons": {"add-ons", "addons", "add-on", "addon"},
    "prize": {"preis", "preisgeld", "gewinn", "prize", "winnings", "payout", "auszahlung"},
}
_DAY = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)|(\d\d?)\.\s?(\d\d?)\.\s?(\d{4}|\d\d)")


class ResultFault(ValueError):
    """No result: `code` says why (headings, day, place, name, amount, twice, few), `row` where.

    Of a grid also: no_year, which, points, formula.
    """

    def __init__(self, code: str, row: int = 0) -> None:
        super().__init__(code, row)
        self.code, self.row = code, row


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player of an earlier evening, amounts in cents.

    :param lost: The takers of each lost stack, by their index among the players; the last one is
        the out, unless the player won.
    """

    name: str
    place: int
    email: str = ""
    spent: int = 0
    rebuys: int = 0
    addons: int = 0
    prize: int = 0
    lost: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierEvening:
    """An evening that was played elsewhere, best place first; `buy_in` is the most common one."""

    day: date | None
    players: tuple[Player, ...]
    name: str = ""
    buy_in: int = 0


def evenings_of_table(rows: Iterable[Row]) -> list[EarlierEvening]:
    """Return the evenings of a table: a row for each player, several days make several evenings.

    What was spent on re-buys and add-ons is reckoned by the price of an entry.

    >>> rows = [Row(number=1, cells=("Platz", "Name", "Preis")),
    ...         Row(number=2, cells=("2", "Eva", "")), Row(number=3, cells=("1", "Max", "40 €"))]
    >>> [(one.name, one.prize) for one in evenings_of_table(rows)[0].players]
    [('Max', 4000), ('Eva', 0)]

    :raises ResultFault: With the row.
    """
    waiting = iter(rows)
    for row in waiting:
        named, columns = _headings(row.cells), columns_of(row.cells)
        if "place" in named and columns is not None:
            break
    else:
        raise ResultFault("headings")
    by_day: dict[date | None, list[Player]] = {}
    for row in waiting:
        cells = {kind: row.cells[at] if at < len(row.cells) else "" for kind, at in named.items()}
        if not cells["place"]:
            continue
        name = " ".join(row.cells[at] for at in columns.names if at < len(row.cells))
        email = row.cells[columns.email] if columns.email is not None else ""
        player = _player(row.number, name, email, cells)
        day = day_of(cells["day"], row.number) if cells.get("day") else None
        by_day.setdefault(day, []).append(player)
    if not by_day:
        raise ResultFault("few")
    return [evening_of(day, players) for day, players in by_day.items()]


def _headings(cells: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for at, cell in enumerate(cells):
        plain = cell.casefold().strip(" :")
        for kind, words in HEADINGS.items():
            if plain in words:
                found.setdefault(kind, at)
    return found


def _player(row: int, name: str, email: str, cells: Mapping[str, str]) -> Player:
    place = re.match(r"\d+", cells["place"])
    if place is None:
        raise ResultFault("place", row)
    try:
        cleaned = clean_name(name)
    except ValueError:
        raise ResultFault("name", row) from None
    try:
        rebuys, addons = (int(cells.get(kind) or 0) for kind in ("rebuys", "addons"))
        price, prize = (cents_of(cells.get(kind) or "0") for kind in ("spent", "prize"))
    except ValueError:
        raise ResultFault("amount", row) from None
    spent = price * (1 + rebuys + addons)
    return Player(
        name=cleaned, place=int(place[0]), email=email if "@" in email else "", spent=spent,
        rebuys=rebuys, addons=addons, prize=prize,
    )  # fmt: skip


def day_of(text: str, row: int = 0) -> date:
    """Return a day as typed.

    >>> day_of("2026-09-03T00:00:00"), day_of("Do 3.9.26")
    (datetime.date(2026, 9, 3), datetime.date(2026, 9, 3))

    :raises ResultFault: "day".
    """
    found = _DAY.search(text)
    if found is None:
        raise ResultFault("day", row)
    year, month, day = (int(part) for part in found.groups() if part is not None)
    if found[4] is not None:
        year, day = day, year
    try:
        return date(year + 2000 if year < 100 else year, month, day)
    except ValueError:
        raise ResultFault("day", row) from None


def evening_of(
    day: date | None, players: Iterable[Player], name: str = "", buy_in: int = 0
) -> EarlierEvening:
    """Return an evening with its players in order.

    :raises ResultFault: "few" or "twice".
    """
    found = sorted(players, key=lambda player: player.place)
    if not 2 <= len(found) <= MOST_PLAYERS:
        raise ResultFault("few")
    if len({(player.name.casefold(), player.email) for player in found}) < len(found):
        raise ResultFault("twice")
    prices = [one.spent // (1 + one.rebuys + one.addons) for one in found]
    usual = buy_in or max(prices, key=prices.count)
    return EarlierEvening(day=day, players=tuple(found), name=name, buy_in=usual)


# --- The Tournament Director


def evening_of_tdt(data: Any) -> EarlierEvening:
    """Return the evening of a .tdt file that was read: people, money, outs with their takers.

    :raises ResultFault: "few" or "twice".
    """
    tournament = next(iter(all_of_kind(data, "Tournament")), {})
    rows = all_of_kind(data, "GamePlayer")
    keys = [str((row.get("Name") or {}).get("UUID") or row.get("UUID") or "") for row in rows]
    number = {key: at for at, key in enumerate(keys)}
    outs = [_lost(row, number) for row in rows]
    prizes = _prizes(data)
    order = sorted(range(len(rows)), key=lambda at: outs[at][0], reverse=True)
    place_of = {at: 1 + sum(outs[o][0] > outs[at][0] for o in order) for at in order}
    index = {at: new for new, at in enumerate(order)}
    players = []
    for at in order:
        row, place = rows[at], place_of[at]
        bought = [*_items(row, "Buyins"), *_items(row, "Rebuys")]
        addons = _items(row, "AddOns")
        players.append(
            Player(
                name=_name(row),
                place=place,
                spent=sum(_cents(one.get("Amount")) for one in [*bought, *addons]),
                rebuys=max(0, len(bought) - 1),
                addons=len(addons),
                prize=prizes.get(place, 0),
                lost=tuple(tuple(index[by] for by in takers) for takers in outs[at][1]),
            )
        )
    began = next((tournament[k] for k in ("StartTime", "Date") if _is_time(tournament.get(k))), 0)
    day = datetime.fromtimestamp(began / 1000, UTC).date() if began else None
    return evening_of(day, players, str(tournament.get("Title") or ""))


def _items(row: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    return [one for one in row.get(name) or () if isinstance(one, dict)]


def _name(row: Mapping[str, Any]) -> str:
    named = row.get("Name") or {}
    full = " ".join(str(named.get(part) or "") for part in ("Firstname", "Lastname")).strip()
    try:
        return clean_name(full or str(named.get("Nickname") or ""))
    except ValueError:
        raise ResultFault("name") from None


Lost = tuple[tuple[float, float], list[tuple[int, ...]]]


def _lost(row: Mapping[str, Any], number: Mapping[str, int]) -> Lost:
    """Return when somebody was out, never for who was not, and the takers of each stack."""
    bought = [*_items(row, "Buyins"), *_items(row, "Rebuys")]
    busts = [one["BustOut"] for one in bought if isinstance(one.get("BustOut"), dict)]
    busts.sort(key=lambda bust: float(bust.get("Time") or 0))
    takers = [
        tuple(number[str(key)] for key in bust.get("HitmanUUID") or () if str(key) in number)
        for bust in busts
    ]
    if len(busts) < max(1, len(bought)):
        return (float("inf"), float("inf")), takers
    last = busts[-1]
    return (float(last.get("Time") or 0), float(last.get("Round") or 0)), takers


def _prizes(data: Any) -> dict[int, int]:
    """Return the prizes in money by place."""
    found: dict[int, int] = {}
    for prize in all_of_kind(data, "GamePrize"):
        amount = prize.get("CalculatedAmount")
        if not amount and prize.get("AmountType", 1) == 1:
            amount = prize.get("Amount")
        if amount and prize.get("Recipient"):
            place = int(prize["Recipient"])
            found[place] = found.get(place, 0) + _cents(amount)
    return found


def _cents(amount: Any) -> int:
    return round(float(amount or 0) * 100)


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float) and value > 10**11
