"""The result of an earlier evening: from a table, or from a file of The Tournament Director."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from tournaments.event.domain.prices import cents_of
from tournaments.event.domain.tdt import all_of_kind
from tournaments.imports.domain.columns import columns_of
from tournaments.imports.domain.listing import are_turned, turned_name
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
MONTHS = ("jan jän", "feb", "mär mar mrz", "apr", "mai may", "jun", "jul", "aug", "sep", "okt oct",
          "nov", "dez dec")  # fmt: skip
_NAMED_DAY = re.compile(r"(\d\d?)(?:\.|st|nd|rd|th)? ([^\W\d_]{3})[^\W\d_]*\.?,? (\d{4})")
_MONTH_FIRST = re.compile(r"([^\W\d_]{3})[^\W\d_]*\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4})")
_SLASHED = re.compile(r"(\d\d?)/(\d\d?)/(\d{4})")
_UNITS = re.compile(r"€|\$|£|\b(?:eur(?:o|os)?|chf|fr|usd|gbp)\b\.?", re.IGNORECASE)
# Points and blanks between thousands.
THOUSANDS = re.compile(r"(?<=\d)[.,'’ \u202f\xa0](?=\d{3}(?!\d))")
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
    if are_turned([player.name for players in by_day.values() for player in players]):
        by_day = {
            day: [replace(player, name=turned_name(player.name)) for player in players]
            for day, players in by_day.items()
        }
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
        price, prize = (_money(cells.get(kind, "")) for kind in ("spent", "prize"))
    except ValueError:
        raise ResultFault("amount", row) from None
    spent = price * (1 + rebuys + addons)
    return Player(
        name=cleaned, place=int(place[0]), email=email if "@" in email else "", spent=spent,
        rebuys=rebuys, addons=addons, prize=prize,
    )  # fmt: skip


def _money(text: str) -> int:
    """Return cents as others write amounts; a dash is nothing.

    >>> [_money(text) for text in ("1.200,00 €", "€1,200.00", "60 EUR", "100,-", "–", "")]
    [120000, 120000, 6000, 10000, 0, 0]

    :raises ValueError: For anything else.
    """
    bare = _UNITS.sub("", text).strip()
    return cents_of(THOUSANDS.sub("", bare)) if bare.strip("-–—") else 0


def day_of(text: str, row: int = 0) -> date:
    """Return a day as typed.

    >>> day_of("2026-09-03T00:00:00"), day_of("Do 3.9.26")
    (datetime.date(2026, 9, 3), datetime.date(2026, 9, 3))
    >>> [day_of(text).day for text in ("3. September 2026", "Sept. 13th, 2026", "9/13/2026")]
    [3, 13, 13]

    :raises ResultFault: "day"; of 9/3/2026, too, as either number may be the month.
    """
    text = _numbered(text)
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


def _numbered(text: str) -> str:
    if slashed := _SLASHED.search(text):
        one, other, year = slashed.groups()
        if max(int(one), int(other)) > 12:
            return f"{one}.{other}.{year}" if int(one) > 12 else f"{other}.{one}.{year}"
    if named := _NAMED_DAY.search(text):
        day, word, year = named.groups()
    elif named := _MONTH_FIRST.search(text):
        word, day, year = named.groups()
    else:
        return text
    month = next((at for at, of in enumerate(MONTHS, 1) if word.casefold() in of.split()), 0)
    return f"{day}.{month}.{year}" if month else text


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
    # Whoever is listed without a buy-in did not play.
    rows = [row for row in all_of_kind(data, "GamePlayer") if _bought(row)]
    keys = [str((row.get("Name") or {}).get("UUID") or row.get("UUID") or "") for row in rows]
    number = {key: at for at, key in enumerate(keys)}
    outs = [_lost(row, number) for row in rows]
    prizes = _prizes(data)
    order = sorted(range(len(rows)), key=lambda at: outs[at][0], reverse=True)
    place_of = {at: 1 + sum(outs[o][0] > outs[at][0] for o in order) for at in order}
    index = {at: new for new, at in enumerate(order)}
    won = _shared(prizes, [place_of[at] for at in order])
    players = []
    for at in order:
        row, place = rows[at], place_of[at]
        bought = _bought(row)
        addons = _items(row, "AddOns")
        players.append(
            Player(
                name=_name(row),
                place=place,
                spent=sum(_cents(one.get("Amount")) for one in [*bought, *addons]),
                rebuys=max(0, len(bought) - 1),
                addons=len(addons),
                prize=won[index[at]],
                lost=tuple(tuple(index[by] for by in takers) for takers in outs[at][1]),
            )
        )
    times = [tournament.get("StartTime"), tournament.get("Date")]
    began = next((at for at in times if isinstance(at, int | float) and at > 10**11), 0)
    day = datetime.fromtimestamp(began / 1000, UTC).date() if began else None
    return evening_of(day, players, str(tournament.get("Title") or ""))


def _items(row: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    return [one for one in row.get(name) or () if isinstance(one, dict)]


def _bought(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [*_items(row, "Buyins"), *_items(row, "Rebuys")]


def _shared(prizes: Mapping[int, int], places: Sequence[int]) -> list[int]:
    """Return the prize of each player, best place first; a shared place shares its prizes.

    >>> _shared({1: 6000, 2: 4001, 3: 1000}, [1, 1, 3, 4])
    [5001, 5000, 1000, 0]
    """
    found = []
    for at, place in enumerate(places):
        many, nth = places.count(place), at - places.index(place)
        whole = sum(prizes.get(place + behind, 0) for behind in range(many))
        found.append(whole // many + (nth < whole % many))
    return found


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
    bought = _bought(row)
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
    found: dict[int, int] = {}
    for prize in all_of_kind(data, "GamePrize"):
        amount = prize.get("CalculatedAmount")
        if not amount and prize.get("AmountType", 1) == 1:
            amount = prize.get("Amount")
        place = prize.get("Recipient")
        if amount and isinstance(place, int) and place > 0:
            found[place] = found.get(place, 0) + _cents(amount)
    return found


def _cents(amount: Any) -> int:
    try:
        return round(float(amount or 0) * 100)
    except (TypeError, ValueError, OverflowError):
        raise ResultFault("amount") from None
