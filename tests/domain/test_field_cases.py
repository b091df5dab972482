"""Flights, bags and day 2 against answers from outside the program, by the id of each case."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.contests.domain.bags import (
    BagState,
    Word,
    bag_amount,
    bag_list,
    bag_state,
    numbers_twice,
    reckoned,
)
from tournaments.contests.domain.carrying import (
    Forward,
    Reached,
    Sealed,
    carried_stacks,
    contest_pool,
    level_of_next_day,
)
from tournaments.contests.domain.stopping import (
    Progress,
    StopRule,
    Unstoppable,
    check_stop,
    mark,
    stop_rule_from,
    stopped_by,
    to_go,
)
from tournaments.play.domain.bubble import CommonRound, Room
from tournaments.play.domain.ranking import Out, places
from tournaments.prizes.domain.payouts import PrizeTable, prize_table, prizes_by_entry
from tournaments.prizes.domain.plans import PrizePlan, Rounding, Way, share_rounded
from tournaments.seating.domain.draws import shares
from tournaments.seating.domain.seating import tables_needed

CASES = Path(__file__).parents[1] / "cases" / "field"
NINE = datetime(2026, 11, 27, 21, tzinfo=UTC)


def case(name):
    row = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    assert row["id"] == name
    return row["given"], row["expect"]


def minutes(text):
    whole, seconds = text.split(":")
    return timedelta(minutes=int(whole), seconds=int(seconds))


def test_flight_best_stack():
    given, expect = case("flight-best-stack")
    bags = [
        Sealed(key=number, person=1, chips=chips, order=number)
        for number, chips in enumerate(given["bags"].values())
    ]
    [found] = carried_stacks(bags, Forward(given["rule"]))
    pool = contest_pool(0, people=1, bags=len(bags), bonus_each=given["bonus_each_further"])
    assert {
        "carries": found.chips,
        "from": list(given["bags"])[found.bag],
        "bonuses": len(found.further),
        "bonus_sum": pool.bonuses,
        "chips_removed": found.removed,
        "seats_on_day_2": 1,
    } == expect


def test_flight_capt_2025():
    given, expect = case("flight-capt-2025")
    for row, wanted in zip(given["rows"], expect["rows"], strict=True):
        people, bags = row["people_on_day_2"], row["people_on_day_2"] + row["double_qualifications"]
        each = given["bonus_each_further"]
        pool = contest_pool(
            row["entries"] * row["to_pool_each"], people=people, bags=bags, bonus_each=each
        )
        found = (pool.pool, bags, pool.bonuses, pool.for_places)
        assert found == tuple(wanted.values())


def test_flight_overshoot():
    given, expect = case("flight-overshoot")
    names = given["out_in_one_round_at_three_tables"]
    alive = range(given["left_before"] - len(names))
    rule = StopRule(players=given["advance"])
    now = Progress(entries=given["entries"], left=len(alive))
    assert (stopped_by(rule, now) is not None) is expect["flight_is_over"]
    assert (len(alive), to_go(rule, now)) == (expect["bags"], 0)
    outs = [
        Out(entry_id=1000 + number, at=NINE, sequence=number, round=1, table=number)
        for number in range(1, len(names) + 1)
    ]
    found = places(outs, list(alive))
    assert set(found.values()) == {expect["place_of_A_B_C"]}
    prizes = PrizeTable(prizes=(0,) * 53 + (given["prize_of_place_54"] * 100,))
    assert set(prizes_by_entry(prizes, found).values()) == {expect["each_gets"] * 100}


def test_flight_paid_in_flight():
    given, expect = case("flight-paid-in-flight")
    rounding, entries = Rounding(given["rounding"]), given["entries"]
    paid, advance = (
        share_rounded(entries, given[name] * 100, rounding)
        for name in ("paid_percent", "advance_percent")
    )
    assert [paid, advance] == [expect["paid_places"], expect["advance"]]
    assert advance == mark(StopRule(percent=given["advance_percent"] * 100), entries)
    plan = PrizePlan(way=Way.FLIGHT, each_cents=given["min_cash"] * 100)
    found = prize_table(plan, pool_cents=10**9, places=paid, entries=entries, advance=advance)
    priced = [place for place, cents in enumerate(found.prizes, 1) if cents]
    assert [priced[0], priced[-1]] == expect["paid_in_flight_places"]
    assert sum(found.prizes) == expect["paid_in_flight"] * 100


def test_flight_quota_nearest():
    given, expect = case("flight-quota-nearest")
    assert [
        mark(StopRule(percent=round(row["percent"] * 100)), row["entries"])
        for row in given["flights"]
    ] == expect["advance"]


def test_flight_quota_up():
    given, expect = case("flight-quota-up")
    rule = StopRule(percent=round(given["percent"] * 100), rounding=Rounding(given["rounding"]))
    assert [mark(rule, entries) for entries in given["entries"]] == expect["advance"]
    assert stop_rule_from(rule.as_data()) == rule


def test_flight_stop_either():
    given, expect = case("flight-stop-either")
    rule = StopRule(players=given["stop"]["at_players"], level=given["stop"]["after_levels"])
    rows = zip(given["runs"], expect["over"], expect["by"], expect["bags"], strict=True)
    for run, over, by, bags in rows:
        now = Progress(entries=200, left=run["left"], levels_done=run["levels_done"])
        found = stopped_by(rule, now)
        assert (found is not None, found, run["left"] if found else None) == (over, by, bags)


def test_bags_reconcile():
    given, expect = case("bags-reconcile")
    in_play, bags = given["entries"] * given["starting_stack"], given["bags"]
    found = reckoned(in_play, bags)
    for name in ("in_play", "bagged", "difference", "closes", "average", "lead"):
        assert getattr(found, name) == expect[name], name
    put_right = expect["then"]["correct"]
    bags[bags.index(put_right["bag"])] = put_right["to"]
    again = reckoned(in_play, bags)
    assert (again.difference, again.closes) == (0, expect["then"]["closes"])


def test_bags_two_signatures():
    given, expect = case("bags-two-signatures")
    words = {
        row["who"]: {Word(by): row[by] for by in ("player", "staff") if row[by] is not None}
        for row in given["bags"]
    }
    states = {who: bag_state(said) for who, said in words.items()}
    assert states == expect["state"]
    due = [who for who, state in states.items() if state is not BagState.SEALED]
    assert due == expect["due_names"]
    found = reckoned(0, [bag_amount(words["A"])], still_open=len(due))
    assert found.closes is expect["day_closes"]
    assert bag_state({**words["C"], Word.PAPER: 88000}) is BagState.SEALED


def test_day2_level():
    given, expect = case("day2-level")
    reached = [Reached(row["level"], minutes(row["left"])) for row in given["flights"]]
    found = level_of_next_day(reached)
    assert (found.level, found.left) == (expect["level"], minutes(expect["left_if_rest"]))


def test_day2_tables():
    given, expect = case("day2-tables")
    for (players, seats), sizes in zip(given["rows"], expect["tables"], strict=True):
        room = dict.fromkeys(range(tables_needed(players, seats)), seats)
        found = Counter(shares({}, room, players).values())
        assert found == {int(size): many for size, many in sizes.items()}


@pytest.mark.parametrize("shape", case("contest-size")[0]["shapes"], ids=["8", "25"])
def test_contest_size(shape):
    """No chip is lost and every person sits once, in a field as large as the largest."""
    rng = Random(7)
    bags = [
        Sealed(
            key=key,
            person=rng.randrange(shape["people"]),
            chips=rng.randrange(1000, 900_000, 1000),
            order=rng.randrange(shape["flights"]),
        )
        for key in range(shape["bags"])
    ]
    stacks = carried_stacks(bags, Forward.BEST)
    assert sorted(one.person for one in stacks) == sorted({bag.person for bag in bags})
    total = sum(bag.chips for bag in bags)
    assert sum(one.chips + one.removed for one in stacks) == total
    lines = bag_list({bag.key: bag.chips for bag in bags}, 2000)
    assert [line.chips for line in lines] == sorted((bag.chips for bag in bags), reverse=True)


def test_hand_for_hand_two_rooms():
    given, expect = case("hand-for-hand-two-rooms")
    outs = given["out_in_one_round"]

    def after(reported):
        rooms = {
            row["name"]: Room(
                left=row["left"],
                tables=row["tables"],
                reported=min(row["tables"], reported),
                outs=outs[row["name"]],
            )
            for row in given["events"]
        }
        return CommonRound(rooms=rooms)

    last = given["events"][0]["tables"] - 1
    almost, whole = after(last), after(last + 1)
    assert whole.reports_needed == expect["reports_needed"]
    assert almost.is_released is expect["released_while_111_reported"]
    assert whole.is_released
    assert (whole.left, whole.place) == (expect["left"], expect["place_of_all_five"])
    each = given["prize_of_place_1000"] // sum(outs.values())
    assert each == expect["each_gets"]


# --- Beyond the cases: what holds for every field


BAGS = st.lists(
    st.tuples(st.integers(1, 6), st.integers(1, 10**6), st.integers(1, 4)), min_size=1, max_size=20
)


@given(rows=BAGS, way=st.sampled_from(Forward))
def test_chips_carried_and_removed_are_those_bagged(rows, way):
    bags = [
        Sealed(key=key, person=person, chips=chips, order=order)
        for key, (person, chips, order) in enumerate(rows)
    ]
    own = {}
    for key, (person, chips, order) in enumerate(rows):
        own.setdefault(person, []).append((order, key, chips))
    wanted = {
        person: {
            Forward.BEST: max(chips for *_, chips in held),
            Forward.SUM: sum(chips for *_, chips in held),
            Forward.FIRST: min(held)[2],
        }[way]
        for person, held in own.items()
    }
    stacks = carried_stacks(bags, way)
    assert {one.person: one.chips for one in stacks} == wanted
    assert sum(one.chips + one.removed for one in stacks) == sum(row[1] for row in rows)
    assert sum(1 + len(one.further) for one in stacks) == len(rows)


@given(entries=st.integers(1, 10_112), percent=st.integers(1, 9999))
def test_a_share_lies_between_its_roundings(entries, percent):
    down, nearest, up = (
        share_rounded(entries, percent, way)
        for way in (Rounding.DOWN, Rounding.NEAREST, Rounding.UP)
    )
    assert 0 <= down <= nearest <= up <= down + 1
    assert abs(nearest - entries * percent / 10_000) <= 0.5 + 1e-9


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (StopRule(percent=-500), "percent"),
        (StopRule(percent=10_100), "percent"),
        (StopRule(players=-1), "players"),
        (StopRule(level=201), "level"),
    ],
)
def test_an_impossible_rule_is_named(rule, code):
    with pytest.raises(Unstoppable) as caught:
        check_stop(rule)
    assert caught.value.code == code


def test_a_flight_does_not_end_by_players_while_some_may_come_in():
    early = Progress(entries=20, left=3, is_entry_open=True)
    rule = StopRule(percent=1500, time="23:30")
    assert (stopped_by(rule, early), to_go(rule, early)) == (None, None)
    late = Progress(entries=20, left=12, is_past_time=True)
    assert stopped_by(rule, late) == "time"


def test_equal_bags_share_a_rank_and_a_seal_number_of_two_is_named():
    assert numbers_twice([3, 5, 3, 9, 5]) == [3, 5]
    bags = bag_list({1: 500, 2: 900, 3: 500, 4: 100})
    assert [line.rank for line in bags] == [1, 2, 2, 4]
