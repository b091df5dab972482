"""Bets and raises: the rule books' cases, and random betting rounds against pokerkit's state."""

import random
from collections import Counter
from dataclasses import replace

import pokerkit
import pytest
from pokerkit import Automation

from clock.domain import LimitKind
from tournaments.event.domain.games import Game
from tournaments.event.domain.rules import MinimumRaise, RaiseCap
from tournaments.rulings.domain.betting_round import Bar, Deed, Round, Step, round_after
from tournaments.rulings.domain.pots import Unruled
from tournaments.rulings.domain.raises import LAST_ROUND, Put, Stakes, Verdict, verdict_of

HOME, TDA = MinimumRaise.PREVIOUS_RAISE, MinimumRaise.LARGEST_RAISE
KRRU, KRRU_BY = MinimumRaise.DOUBLE_BET, MinimumRaise.BY_DOUBLE
CHECK, CALL, FOLD = Step(Deed.CHECK), Step(Deed.CALL), Step(Deed.FOLD)
FREE = [None] * 3
TENS = {"small_blind": 5, "big_blind": 10}
SPLIT = Stakes(limit=LimitKind.SPLIT_LIMIT, small_blind=5, big_blind=10, big_bet=20)


def to(amount):
    return Step(Deed.BET, amount)


def after(*steps, stakes=None, stacks=FREE, **own):
    return round_after(stakes or Stakes(**TENS), steps, stacks=stacks, **own)


def options(*steps, **own):
    return after(*steps, **own).options()


def wrong(code, *steps, **own):
    with pytest.raises(Unruled) as refused:
        after(*steps, **own)
    assert refused.value.code == code
    return refused.value.about


@pytest.mark.parametrize(("rule", "least"), [(HOME, 38), (KRRU, 48), (KRRU_BY, 72), (TDA, 38)])
def test_s22_a_bet_of_10_raised_to_24_is_raised_next_to_at_least(rule, least):
    raised = after(to(24), stakes=Stakes(rule=HOME, **TENS))
    raised.stakes = Stakes(rule=rule, **TENS)
    assert raised.options().least == least


def test_home_the_first_raise_of_a_bet_is_to_twice_the_bet():
    assert options(to(10), number=2, stakes=Stakes(rule=HOME, **TENS)).least == 20


def test_krru_3_0_a_bet_is_at_least_the_big_blind():
    assert options(number=2).least == 10
    assert wrong("too_little", to(9), number=2) == {"player": 1, "to": 9, "least": 10}


def test_tda_2024_43_a_raise_is_by_the_largest_of_the_round():
    stakes = Stakes(rule=TDA, small_blind=50, big_blind=100)
    assert options(to(600), stakes=stakes).least == 1100
    assert options(to(600), to(1600), stakes=stakes).least == 2600
    short = options(to(600), to(900), stakes=stakes, stacks=[None, 900, None])
    assert short.least == 1400


@pytest.mark.parametrize(
    ("put", "verdict"),
    [
        (Put(to=1400), Verdict.CALL), (Put(to=1400, is_declared=True), Verdict.MUST_COMPLETE),
        (Put(to=1500), Verdict.MUST_COMPLETE), (Put(to=2000), Verdict.FULL),
        (Put(to=1000), Verdict.CALL), (Put(to=900), Verdict.UNDER_CALL),
    ],
)  # fmt: skip
def test_tda_2024_43_half_a_raise_must_be_made_up(put, verdict):
    said = verdict_of(put, level=1000, least=2000, most=9000, total=None, rule=TDA)
    assert said is verdict


def test_krru_3_0_and_home_do_not_say_what_becomes_of_half_a_raise():
    for rule in (HOME, KRRU, KRRU_BY):
        said = verdict_of(Put(to=1500), level=1000, least=2000, most=9000, total=None, rule=rule)
        assert said is Verdict.INCOMPLETE


def test_chips_that_are_all_in_make_a_short_raise_and_too_many_are_no_bet():
    facing = {"level": 1000, "least": 2000, "most": 2500, "rule": TDA}
    assert verdict_of(Put(to=1200), total=1200, **facing) is Verdict.SHORT_ALL_IN
    assert verdict_of(Put(to=800), total=800, **facing) is Verdict.CALL
    assert verdict_of(Put(to=2600), total=None, **facing) is Verdict.TOO_MUCH
    with pytest.raises(Unruled):
        verdict_of(Put(to=1300), total=1200, **facing)


def test_tda_2024_47_a_short_all_in_does_not_open_the_raise_again():
    stakes = Stakes(rule=TDA, small_blind=50, big_blind=100)
    found = after(to(400), to(500), CALL, stakes=stakes, stacks=[None, 500, None])
    assert found.options().player == 0
    assert found.options().bar is Bar.NOT_REOPENED
    wrong("barred_not_reopened", to(400), to(500), CALL, to(900),
          stakes=stakes, stacks=[None, 500, None])  # fmt: skip


def test_tda_2024_47_short_all_ins_add_up_to_a_full_raise():
    stakes = Stakes(rule=TDA, small_blind=50, big_blind=100)
    steps = [to(400), to(500), to(650), CALL, FOLD]
    found = options(*steps, stakes=stakes, stacks=[None, 500, 650, None, None])
    assert (found.player, found.bar, found.least) == (0, Bar.NOT_REOPENED, None)
    steps = [to(400), to(550), to(750), CALL, FOLD]
    found = options(*steps, stakes=stakes, stacks=[None, 550, 750, None, None])
    assert (found.player, found.bar, found.least) == (0, None, 1050)


def test_tda_2024_47_a_third_short_all_in_leaves_open_what_two_have_opened():
    stakes = Stakes(rule=TDA, small_blind=50, big_blind=100)
    steps = [to(400), to(550), to(750), to(850), CALL, FOLD]
    found = options(*steps, stakes=stakes, stacks=[None, 550, 750, 850, None, None])
    assert (found.player, found.call, found.bar, found.least) == (0, 450, None, 1150)


def test_wiesbaden_the_big_blind_may_raise_when_all_have_called():
    found = options(CALL, CALL)
    assert (found.player, found.may_check, found.least) == (2, True, 20)
    assert after(CALL, CALL, CHECK).turn is None


def test_steffen_nobody_checks_in_the_first_round_before_the_big_blind():
    assert wrong("no_check", CHECK) == {"player": 1, "call": 10}


def test_steffen_nobody_raises_himself():
    found = after(to(20), CALL, CALL)
    assert found.turn is None


def test_s21_steffen_three_raises_and_no_more():
    found = options(to(20), to(30), to(40), stakes=SPLIT)
    assert (found.player, found.bar) == (0, Bar.CAPPED)
    bets = [to(20), to(40), to(60), to(80)]
    assert options(*bets, stakes=SPLIT, number=3).bar is Bar.CAPPED
    assert options(*bets[:3], stakes=SPLIT, number=3).least == 80
    assert wrong("barred_capped", *bets, to(100), stakes=SPLIT, number=3) == {"player": 2}


def test_steffen_between_two_in_the_last_round_there_is_no_cap():
    bets = [to(20), to(40), to(60), to(80), to(100), to(120)]
    assert options(*bets, stakes=SPLIT, number=4, stacks=[None] * 2).least == 140
    assert wrong("barred_capped", *bets, stakes=SPLIT, number=3, stacks=[None] * 2)
    passed = [to(20), FOLD, to(40), to(60), to(80)]
    assert options(*passed, stakes=SPLIT, number=4).least == 100


def test_tda_2024_48_the_cap_stays_until_two_are_left_in_the_tournament():
    stakes = replace(SPLIT, cap=RaiseCap.EVENT)
    bets = [to(20), to(40), to(60), to(80)]
    assert options(*bets, stakes=stakes, number=4, stacks=[None] * 2).bar is Bar.CAPPED
    two = replace(stakes, is_event_heads_up=True)
    assert options(*bets, stakes=two, number=2 + 1, stacks=[None] * 2).least == 100


def test_steffen_small_bets_in_two_rounds_and_big_ones_in_two():
    least = [options(stakes=SPLIT, number=number).least for number in (2, 3, 4)]
    assert least == [10, 20, 20]
    assert (
        options(stakes=replace(SPLIT, small_blind=4, big_blind=8, big_bet=15), number=3).least == 15
    )
    assert options(stakes=SPLIT).least == options(stakes=SPLIT).most == 20


def test_tda_2024_47_in_split_limit_half_a_bet_counts_as_one_and_less_does_not():
    found = options(to(15), stakes=SPLIT, number=3, stacks=[15, None, None])
    assert found.least == 35
    found = options(to(8), stakes=SPLIT, number=3, stacks=[8, None, None])
    assert found.least == 20


def test_s21_stud_pot_limit_counts_the_own_call():
    stakes = Stakes(limit=LimitKind.POT_LIMIT, rule=TDA, **TENS)
    assert options(stakes=stakes).most == 35
    found = options(to(30), stakes=stakes, pot=60, number=2)
    assert found.most == 30 + (60 + 30 + 30)
    assert wrong("too_much", to(36), stakes=stakes) == {"player": 1, "to": 36, "most": 35}


def test_stud_spread_limit_bets_and_raises_between_two_bounds():
    stakes = Stakes(limit=LimitKind.SPREAD_LIMIT, spread=(10, 50), **TENS)
    opening = options(number=2, stakes=stakes)
    assert (opening.least, opening.most) == (10, 50)
    raised = options(to(20), number=2, stakes=stakes)
    assert (raised.least, raised.most) == (40, 70)


def test_s25_stud_the_forced_bet_is_completed_to_the_small_bet():
    stakes = Stakes(
        game=Game.STUD, limit=LimitKind.SPLIT_LIMIT, big_blind=10, big_bet=20, bring_in=3
    )
    found = options(stakes=stakes)
    assert (found.player, found.call, found.least) == (1, 3, 10)
    three = options(to(10), to(20), to(30), to(40), stakes=stakes)
    assert three.bar is Bar.CAPPED
    assert after(CALL, CALL, stakes=stakes).turn is None


def test_stud_bets_are_big_from_the_third_round_of_five():
    stakes = Stakes(game=Game.STUD, limit=LimitKind.SPLIT_LIMIT, big_blind=10, big_bet=20)
    assert [options(number=number, stakes=stakes).least for number in range(2, 6)] == [
        10,
        20,
        20,
        20,
    ]


def test_tda_2024_54_a_dead_small_blind_counts_in_the_pot_as_a_posted_one():
    stakes = Stakes(limit=LimitKind.POT_LIMIT, rule=TDA, is_small_dead=True, **TENS)
    found = after(stakes=stakes)
    assert [player.bet for player in found.players] == [0, 0, 10]
    assert found.options().most == 35


def test_tda_2024_47_short_all_ins_say_who_may_raise_again():
    stakes = Stakes(rule=TDA, small_blind=50, big_blind=100)
    found = after(to(100), to(125), CALL, number=2, stakes=stakes, stacks=[None, 125, None, 200, 9])
    assert found.raisers_after(to(200)) == ([0], [2])
    half = Stakes(limit=LimitKind.SPLIT_LIMIT, small_blind=10, big_blind=20, big_bet=40)
    found = after(to(20), CALL, number=2, stakes=half, stacks=[None, None, 30])
    assert found.raisers_after(to(30)) == ([0, 1], [])


def test_all_in_for_less_than_the_call_and_against_players_who_are_all_in():
    found = options(to(50), stacks=[None, 30, None])
    assert (found.call, found.bar) == (25, Bar.NO_CHIPS)
    found = options(to(50), to(80), stacks=[50, 80, None])
    assert (found.call, found.bar) == (70, Bar.NOBODY_LEFT)


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ("no_blinds", {"stakes": Stakes()}),
        ("small_above_big", {"stakes": Stakes(small_blind=20, big_blind=10)}),
        ("no_big_bet", {"stakes": Stakes(limit=LimitKind.SPLIT_LIMIT, big_blind=10)}),
        ("no_spread", {"stakes": Stakes(limit=LimitKind.SPREAD_LIMIT, big_blind=10)}),
        ("bring_in_above_bet", {"stakes": Stakes(game=Game.STUD, big_blind=10, bring_in=20)}),
        ("no_round", {"number": 5}),
        ("few_players", {"stacks": [None]}),
        ("negative", {"pot": -1}),
        ("negative", {"stacks": [0, None]}),
    ],
)
def test_stakes_by_which_nothing_can_be_said_are_refused(code, own):
    wrong(code, **own)


def test_deeds_out_of_order_are_refused():
    assert wrong("above_stack", to(50), stacks=[40, None]) == {"player": 1, "put": 50, "stack": 40}
    assert wrong("no_call", CALL, CALL, CALL) == {"player": 3}
    wrong("round_over", CALL, CALL, CHECK, CHECK)


AUTOMATIONS = tuple(one for one in Automation if one is not Automation.RUNOUT_COUNT_SELECTION)
VARIANTS = {
    (Game.HOLDEM, LimitKind.NO_LIMIT): (pokerkit.NoLimitTexasHoldem, True),
    (Game.OMAHA, LimitKind.POT_LIMIT): (pokerkit.PotLimitOmahaHoldem, True),
    (Game.HOLDEM, LimitKind.SPLIT_LIMIT): (pokerkit.FixedLimitTexasHoldem, False),
    (Game.STUD, LimitKind.SPLIT_LIMIT): (pokerkit.FixedLimitSevenCardStud, False),
}


def state_of(game, limit, stacks):
    """Return pokerkit's state of a new hand, with three raises in each round of split limit."""
    variant, is_open = VARIANTS[game, limit]
    if game is Game.STUD:
        return variant.create_state(AUTOMATIONS, True, 0, 3, 10, 20, stacks, len(stacks))
    bets = (10,) if is_open else (10, 20)
    state = variant.create_state(AUTOMATIONS, True, 0, (5, 10), *bets, stacks, len(stacks))
    if not is_open:
        first, *later = state.streets
        state.streets = (replace(first, max_completion_betting_or_raising_count=3), *later)
    return state


def ours_of(state, game, limit):
    """Return our round as the state begins it, and whose seat each player of ours is."""
    number = state.street_index + 1
    there = [
        place
        for place in state.player_indices
        if state.statuses[place] and (state.stacks[place] or state.bets[place])
    ]
    first = there.index(state.actor_index)
    order = there[first:] + there[:first]
    stakes = Stakes(
        game=game, limit=limit, rule=TDA, small_blind=5, big_blind=10, big_bet=20, bring_in=3
    )
    stacks = [state.stacks[place] + state.bets[place] for place in order]
    pot = state.total_pot_amount - sum(state.bets)
    if state.can_post_bring_in():
        state.post_bring_in()
    return Round(stakes, number, pot, stacks), order


def same(found, order, state):
    """Hold what may be done against pokerkit's state."""
    options = found.options()
    assert order[options.player] == state.actor_index
    assert options.call == state.checking_or_calling_amount
    least = state.min_completion_betting_or_raising_to_amount
    assert options.least == least
    assert options.most == state.max_completion_betting_or_raising_to_amount


def step_of(rng, options):
    """Return a step that may be taken, and how it is told to pokerkit."""
    wishes = ["call"] * 3 + (["fold"] if options.call else []) + ["bet"] * 3
    wish = rng.choice(wishes)
    if wish == "bet" and options.least is not None:
        bounds = [options.least, options.most, rng.randint(options.least, options.most)]
        amount = rng.choice(bounds)
        return to(amount), lambda state: state.complete_bet_or_raise_to(amount)
    if wish == "fold":
        return FOLD, lambda state: state.fold()
    return (CHECK if options.may_check else CALL), lambda state: state.check_or_call()


def is_beyond(found, step):
    """Tell whether the step is a short all-in that pokerkit takes otherwise than TDA 2024 47.

    It takes the first wager of a round for a full one however short it is, and in split limit any.
    """
    if step.deed is not Deed.BET or step.to >= found.least_over(found.level):
        return False
    is_first = found.raises == 0 and (found.number == 1 or found.level == 0)
    return found.stakes.limit is LimitKind.SPLIT_LIMIT or is_first


def is_forgotten(state):
    """Tell whether pokerkit bars a player who faces a full raise of short all-ins (TDA 2024 47).

    It counts them anew once they come to a full raise, and then knows the later ones alone.
    """
    raised = state.completion_betting_or_raising_amount
    return (
        state.actor_index in state.acted_player_indices
        and state.checking_or_calling_amount >= raised
        and 0 < sum(state.consecutive_short_all_in_amounts) < raised
    )


def play(rng, game, limit, seen):
    """Play a hand street by street, and hold each decision against pokerkit's."""
    stacks = tuple(rng.randint(10, rng.choice([40, 300, 3000])) for _ in range(rng.randint(2, 7)))
    state = state_of(game, limit, stacks)
    street = None
    while state.actor_index is not None:
        if street != state.street_index:
            found, order = ours_of(state, game, limit)
            street = state.street_index
            seen["rounds"] += 1
        live = sum(not player.has_folded for player in found.players)
        is_last = found.number == LAST_ROUND[game]
        if limit is LimitKind.SPLIT_LIMIT and found.raises >= 3 and is_last and live == 2:
            return  # STEFFEN lifts the cap here, pokerkit does not
        if found.turn is None:
            # Nobody else can put chips in; pokerkit still lets him check.
            assert state.checking_or_calling_amount == 0
            assert state.min_completion_betting_or_raising_to_amount is None
            state.check_or_call()
            continue
        if is_forgotten(state):
            seen["forgotten"] += 1
            return
        same(found, order, state)
        seen["decisions"] += 1
        seen[found.options().bar] += 1
        step, tell = step_of(rng, found.options())
        if is_beyond(found, step):
            seen["beyond"] += 1
            return
        found.take(step)
        tell(state)


def compare(rounds, seed):
    rng, seen = random.Random(seed), Counter()
    # pokerkit shuffles by this one; in stud the cards say who begins.
    random.seed(seed)
    while seen["rounds"] < rounds:
        for game, limit in VARIANTS:
            play(rng, game, limit, seen)
    return seen


def test_betting_rounds_allow_what_pokerkit_allows():
    seen = compare(150, seed=43)
    assert min(seen[Bar.CAPPED], seen[Bar.NO_CHIPS], seen[None]) > 0


@pytest.mark.long
def test_ten_thousand_betting_rounds_allow_what_pokerkit_allows():
    seen = compare(10_000, seed=2026)
    assert min(seen[bar] for bar in (Bar.CAPPED, Bar.NOT_REOPENED, Bar.NO_CHIPS)) > 50
    assert seen["beyond"] < seen["rounds"] / 5
    assert seen["forgotten"] < seen["rounds"] / 100
