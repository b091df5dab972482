"""Evenings as files of The Tournament Director: read as they were written."""

import json
import random
from collections import Counter, defaultdict
from datetime import date, timedelta

from tournaments.event.domain.tdt import tdt_read
from tournaments.imports.domain.results import evening_of_tdt
from tournaments.papers.domain.sheets import text_of

NAMES = [
    *("Änne Ast", "Bert Buch", "Carla O'Hara", "Dörte Groß", "Egon Ehrlich", "Fritz Feld"),
    *("Gerd Gans", "Hanna Hut", "Ida von Irgend", "Jörg Jahn", "Käthe Kern", "Lars Lange"),
]
MIDNIGHT = 1_767_225_600_000


def bought(price, minute, bust=None):
    """Write one buy-in; `bust` is its minute, with the keys of those who took it."""
    out = ""
    if bust:
        at, takers = bust
        out = (
            f", BustOut: new GameBustOut({{Time: {MIDNIGHT + at * 60_000}, Round: {at // 20 + 1}, "
            f"HitmanUUID: {json.dumps(takers)}}})"
        )
    when = MIDNIGHT + minute * 60_000
    return f"new GameBuyin({{Time: {when}, Amount: {price}, Chips: 10000{out}}})"


def player(key, name, buyins, rebuys):
    first, _space, last = name.partition(" ")
    named = f'UUID: "{key}", Nickname: "{name[:3]}", Firstname: "{first}", Lastname: "{last}"'
    return (
        f'["{key}", new GamePlayer({{Name: new PlayerName({{{named}}}), '
        f"Buyins: [{', '.join(buyins)}], Rebuys: [{', '.join(rebuys)}]}})]"
    )


def evening(rng, number):
    """Return the file of an evening, and by name: place, hits, spent."""
    here = rng.sample(NAMES, rng.randint(5, len(NAMES)))
    price, keys = rng.choice((10, 15, 20)), {name: f"k-{number}-{name[0]}" for name in here}
    hits, spent, rows = defaultdict(int), {}, []
    for place, name in enumerate(here, start=1):
        # The one ahead takes the last stack, the winner a first one that was bought anew.
        ahead, minute = here[max(0, place - 2)], 200 - 10 * place
        again = place > 2 and rng.random() < 0.4
        buyins, rebuys = [], []
        out = None if place == 1 else (minute, [keys[ahead]])
        if again:
            buyins = [bought(price, 0, (minute - 60, [keys[here[0]]]))]
            rebuys = [bought(price, minute - 59, out)]
            hits[here[0]] += 1
        else:
            buyins = [bought(price, 0, out)]
        if place > 1:
            hits[ahead] += 1
        spent[name] = price * (1 + again)
        rows.append(player(keys[name], name, buyins, rebuys))
    rng.shuffle(rows)
    prize = f"Recipient: 1, AmountType: 1, Amount: {sum(spent.values())}"
    text = (
        f'{{ V: "3.7.2", T: new Tournament({{Title: "Liga {number + 1}", StartTime: '
        f"{MIDNIGHT + number * 7 * 86_400_000},\r\n  Players: new GamePlayers({{Players: "
        f"Map.from([{', '.join(rows)}])}}),\r\n  Prizes: new GamePrizes({{Prizes: "
        f'[new GamePrize({{Description: "1.", {prize}}})]}})}})}}'
    )
    told = {name: (at, hits[name], spent[name]) for at, name in enumerate(here, start=1)}
    return text.encode(("cp1252", "utf-8")[number % 2]), told


def read(text):
    return evening_of_tdt(tdt_read(text))


def test_evenings_are_read_with_places_takers_and_spendings():
    rng = random.Random(20260103)
    for number in range(10):
        text, told = evening(rng, number)
        found = read(text_of(text))
        assert found.day == date(2026, 1, 1) + timedelta(weeks=number)
        hits = Counter(by for one in found.players for takers in one.lost for by in takers)
        assert told == {
            one.name: (one.place, hits[at], one.spent // 100)
            for at, one in enumerate(found.players)
        }


def test_who_parts_with_a_deal_shares_the_place_and_who_bought_nothing_did_not_play():
    rows = [
        player("a", "Änne Ast", [bought(20, 0, (90, ["b"]))], [bought(20, 91, (120, ["c"]))]),
        player("b", "Bert Buch", [bought(20, 0)], []),
        player("c", "Carla Cech", [bought(20, 0)], []),
        player("d", "Dörte Groß", [], []),
    ]
    made = [f"new GamePrize({{Recipient: {at}, Amount: {paid}, AmountType: 1}})"
            for at, paid in ((1, 60), (2, 39.99), ("null", 5))]  # fmt: skip
    text = (
        f"{{T: new Tournament({{Players: Map.from([{', '.join(rows)}]), "
        f"Prizes: new GamePrizes({{Prizes: [{', '.join(made)}]}})}})}}"
    )
    found = read(text).players
    assert [(one.name, one.place, one.prize, one.rebuys, one.lost) for one in found] == [
        ("Bert Buch", 1, 5000, 0, ()), ("Carla Cech", 1, 4999, 0, ()),
        ("Änne Ast", 3, 0, 1, ((0,), (1,))),
    ]  # fmt: skip
