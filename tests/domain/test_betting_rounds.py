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


TEN = Stakes(**TENS)
HUNDREDS = Stakes(rule=TDA, small_blind=50, big_blind=100)
POT = Stakes(limit=LimitKind.POT_LIMIT, rule=TDA, **TENS)
SPREAD = Stakes(limit=LimitKind.SPREAD_LIMIT, spread=(10, 50), **TENS)
STUD = Stakes(game=Game.STUD, limit=LimitKind.SPLIT_LIMIT, big_blind=10, big_bet=20, bring_in=3)
ODD_BIG_BET = replace(SPLIT, small_blind=4, big_blind=8, big_bet=15)
CAP_OF_EVENT = replace(SPLIT, cap=RaiseCap.EVENT)
LAST_TWO = replace(CAP_OF_EVENT, is_event_heads_up=True)
NOT_REOPENED = {"player": 0, "bar": Bar.NOT_REOPENED, "least": None}
REOPENED = {"player": 0, "call": 350, "bar": None, "least": 1050}
REOPENED_AGAIN = {"player": 0, "call": 450, "bar": None, "least": 1150}
CAPPED = {"bar": Bar.CAPPED}


def steps_of(told):
    """Read what was done: amounts bet or raised to, c for a call, x for a check, f for a fold."""
    words = {"c": CALL, "x": CHECK, "f": FOLD}
    return [words[word] if word in words else to(int(word)) for word in told.split()]


def stacks_of(told):
    """Read how deep players are; a dash is deep enough."""
    return [None if word == "-" else int(word) for word in told.split()]


@pytest.mark.parametrize(
    ("stakes", "number", "stacks", "steps", "told"),
    [
        # HOME: the first raise of a bet is to twice the bet. KRRU 3.0: a bet is the big blind.
        (Stakes(rule=HOME, **TENS), 2, "- - -", "10", {"least": 20}),
        (TEN, 2, "- - -", "", {"least": 10}),
        # TDA 2024 43: a raise is by the largest of the round, and a short all-in is none.
        (HUNDREDS, 1, "- - -", "600", {"least": 1100}),
        (HUNDREDS, 1, "- - -", "600 1600", {"least": 2600}),
        (HUNDREDS, 1, "- 900 -", "600 900", {"least": 1400}),
        # TDA 2024 47: a short all-in does not open the raise again; several may add up to it.
        (HUNDREDS, 1, "- 500 -", "400 500 c", NOT_REOPENED),
        (HUNDREDS, 1, "- 500 650 - -", "400 500 650 c f", NOT_REOPENED),
        (HUNDREDS, 1, "- 550 750 - -", "400 550 750 c f", REOPENED),
        (HUNDREDS, 1, "- 550 750 850 - -", "400 550 750 850 c f", REOPENED_AGAIN),
        # WIESBADEN: the big blind may raise when all have called.
        (TEN, 1, "- - -", "c c", {"player": 2, "may_check": True, "least": 20}),
        # S21, STEFFEN: three raises and no more, but for the last round between two.
        (SPLIT, 1, "- - -", "20 30 40", CAPPED | {"player": 0}),
        (SPLIT, 3, "- - -", "20 40 60 80", CAPPED),
        (SPLIT, 3, "- - -", "20 40 60", {"least": 80}),
        (SPLIT, 4, "- -", "20 40 60 80 100 120", {"least": 140}),
        (SPLIT, 4, "- - -", "20 f 40 60 80", {"least": 100}),
        # TDA 2024 48: the cap stays until two are left in the tournament.
        (CAP_OF_EVENT, 4, "- -", "20 40 60 80", CAPPED),
        (LAST_TWO, 3, "- -", "20 40 60 80", {"least": 100}),
        # STEFFEN: small bets in two rounds and big ones in two.
        (SPLIT, 1, "- - -", "", {"least": 20, "most": 20}),
        (SPLIT, 2, "- - -", "", {"least": 10}),
        (SPLIT, 3, "- - -", "", {"least": 20}),
        (SPLIT, 4, "- - -", "", {"least": 20}),
        (ODD_BIG_BET, 3, "- - -", "", {"least": 15}),
        # TDA 2024 47: in split limit half a bet counts as one, and less does not.
        (SPLIT, 3, "15 - -", "15", {"least": 35}),
        (SPLIT, 3, "8 - -", "8", {"least": 20}),
        # STUD: pot limit, and spread limit between two bounds.
        (POT, 1, "- - -", "", {"most": 35}),
        (SPREAD, 2, "- - -", "", {"least": 10, "most": 50}),
        (SPREAD, 2, "- - -", "20", {"least": 40, "most": 70}),
        # S25, STUD: the forced bet is completed to the small bet; big bets from the third of five.
        (STUD, 1, "- - -", "", {"player": 1, "call": 3, "least": 10}),
        (STUD, 1, "- - -", "10 20 30 40", CAPPED),
        (STUD, 2, "- - -", "", {"least": 10}),
        (STUD, 3, "- - -", "", {"least": 20}),
        (STUD, 5, "- - -", "", {"least": 20}),
        # All-in for less than the call, and against players who are all-in.
        (TEN, 1, "- 30 -", "50", {"call": 25, "bar": Bar.NO_CHIPS}),
        (TEN, 1, "50 80 -", "50 80", {"call": 70, "bar": Bar.NOBODY_LEFT}),
    ],
)
def test_what_may_be_done_next(stakes, number, stacks, steps, told):
    found = options(*steps_of(steps), stakes=stakes, number=number, stacks=stacks_of(stacks))
    assert {name: getattr(found, name) for name in told} == told


def test_s21_stud_pot_limit_counts_the_own_call():
    assert options(to(30), stakes=POT, pot=60, number=2).most == 30 + (60 + 30 + 30)


@pytest.mark.parametrize(
    ("stakes", "steps"),
    [
        (TEN, "c c x"),
        (TEN, "20 c c"),  # STEFFEN: nobody raises himself
        (STUD, "c c"),
    ],
)
def test_a_round_is_over_when_all_have_answered(stakes, steps):
    assert after(*steps_of(steps), stakes=stakes).turn is None


@pytest.mark.parametrize(("rule", "least"), [(HOME, 38), (KRRU, 48), (KRRU_BY, 72), (TDA, 38)])
def test_s22_a_bet_of_10_raised_to_24_is_raised_next_to_at_least(rule, least):
    raised = after(to(24), stakes=Stakes(rule=HOME, **TENS))
    raised.stakes = Stakes(rule=rule, **TENS)
    assert raised.options().least == least


@pytest.mark.parametrize(
    ("rule", "put", "verdict"),
    [
        (TDA, Put(to=1400), Verdict.CALL),
        (TDA, Put(to=1400, is_declared=True), Verdict.MUST_COMPLETE),
        (TDA, Put(to=1500), Verdict.MUST_COMPLETE),
        (TDA, Put(to=2000), Verdict.FULL),
        (TDA, Put(to=1000), Verdict.CALL),
        (TDA, Put(to=900), Verdict.UNDER_CALL),
        (TDA, Put(to=9100), Verdict.TOO_MUCH),
        (HOME, Put(to=1500), Verdict.INCOMPLETE),
        (KRRU, Put(to=1500), Verdict.INCOMPLETE),
        (KRRU_BY, Put(to=1500), Verdict.INCOMPLETE),
    ],
)
def test_tda_2024_43_half_a_raise_must_be_made_up_and_krru_and_home_do_not_say(rule, put, verdict):
    said = verdict_of(put, level=1000, least=2000, most=9000, total=None, rule=rule)
    assert said is verdict


def test_chips_that_are_all_in_make_a_short_raise_or_a_call():
    facing = {"level": 1000, "least": 2000, "most": 2500, "rule": TDA}
    assert verdict_of(Put(to=1200), total=1200, **facing) is Verdict.SHORT_ALL_IN
    assert verdict_of(Put(to=800), total=800, **facing) is Verdict.CALL
    with pytest.raises(Unruled):
        verdict_of(Put(to=1300), total=1200, **facing)


def test_tda_2024_54_a_dead_small_blind_counts_in_the_pot_as_a_posted_one():
    found = after(stakes=replace(POT, is_small_dead=True))
    assert [player.bet for player in found.players] == [0, 0, 10]
    assert found.options().most == 35


STRADDLED = {"stakes": Stakes(**TENS, straddle=20, rule=TDA), "stacks": [None] * 4}


def test_rrop_a_straddle_acts_last_and_is_raised_by_its_double():
    found = after(**STRADDLED)
    assert [player.bet for player in found.players] == [20, 0, 5, 10]
    assert (found.turn, found.options().call, found.options().least) == (1, 20, 40)
    found = after(CALL, FOLD, CALL, **STRADDLED)
    assert (found.turn, found.options().may_check, found.options().least) == (0, True, 40)
    assert after(CALL, FOLD, CALL, CHECK, **STRADDLED).turn is None
    assert after(number=2, **STRADDLED).options().least == 10


@pytest.mark.parametrize("stacks", [[None] * 4, [15, None, None, 4]])
def test_pot_limit_counts_a_full_straddle_and_full_blinds(stacks):
    pot = Stakes(**TENS, game=Game.OMAHA, limit=LimitKind.POT_LIMIT, straddle=20, rule=TDA)
    assert after(stakes=pot, stacks=stacks).options().most == 75
    split = Stakes(**TENS, limit=LimitKind.SPLIT_LIMIT, big_bet=20, straddle=20)
    assert after(stakes=split, stacks=stacks).options().most == 30


def test_tda_2024_47_short_all_ins_say_who_may_raise_again():
    stacks = [None, 125, None, 200, 9]
    found = after(to(100), to(125), CALL, number=2, stakes=HUNDREDS, stacks=stacks)
    assert found.raisers_after(to(200)) == ([0], [2])
    half = Stakes(limit=LimitKind.SPLIT_LIMIT, small_blind=10, big_blind=20, big_bet=40)
    found = after(to(20), CALL, number=2, stakes=half, stacks=[None, None, 30])
    assert found.raisers_after(to(30)) == ([0, 1], [])


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ("no_blinds", {"stakes": Stakes()}),
        ("small_above_big", {"stakes": Stakes(small_blind=20, big_blind=10)}),
        ("no_big_bet", {"stakes": Stakes(limit=LimitKind.SPLIT_LIMIT, big_blind=10)}),
        ("no_spread", {"stakes": Stakes(limit=LimitKind.SPREAD_LIMIT, big_blind=10)}),
        ("bring_in_above_bet", {"stakes": Stakes(game=Game.STUD, big_blind=10, bring_in=20)}),
        ("small_straddle", {"stakes": Stakes(**TENS, straddle=15)}),
        ("no_straddle", {"stakes": Stakes(**TENS, straddle=20), "stacks": [None] * 2}),
        ("no_straddle", {"stakes": Stakes(game=Game.STUD, big_blind=10, straddle=20)}),
        ("no_round", {"number": 5}),
        ("few_players", {"stacks": [None]}),
        ("negative", {"pot": -1}),
        ("negative", {"stacks": [0, None]}),
    ],
)
def test_stakes_by_which_nothing_can_be_said_are_refused(code, own):
    wrong(code, **own)


@pytest.mark.parametrize(
    ("stakes", "number", "stacks", "steps", "code", "about"),
    [
        (TEN, 2, "- - -", "9", "too_little", {"player": 1, "to": 9, "least": 10}),
        (POT, 1, "- - -", "36", "too_much", {"player": 1, "to": 36, "most": 35}),
        (TEN, 1, "40 -", "50", "above_stack", {"player": 1, "put": 50, "stack": 40}),
        (TEN, 1, "- - -", "x", "no_check", {"player": 1, "call": 10}),  # STEFFEN
        (TEN, 1, "- - -", "c c c", "no_call", {"player": 3}),
        (SPLIT, 3, "- - -", "20 40 60 80 100", "barred_capped", {"player": 2}),
        (SPLIT, 3, "- -", "20 40 60 80 100 120", "barred_capped", {"player": 1}),
        (HUNDREDS, 1, "- 500 -", "400 500 c 900", "barred_not_reopened", {"player": 1}),
        (TEN, 1, "- - -", "c c x x", "round_over", {}),
    ],
)
def test_deeds_that_may_not_be_done_are_refused(*, stakes, number, stacks, steps, code, about):
    own = {"stakes": stakes, "number": number, "stacks": stacks_of(stacks)}
    assert wrong(code, *steps_of(steps), **own) == about


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


LONG = [pytest.mark.long, pytest.mark.timeout(1200)]


@pytest.mark.parametrize("rounds", [150, pytest.param(10_000, marks=LONG)])
def test_betting_rounds_allow_what_pokerkit_allows(rounds):
    seen = compare(rounds, seed=43)
    assert min(seen[Bar.CAPPED], seen[Bar.NO_CHIPS], seen[None]) > 0
    if rounds == 10_000:
        assert min(seen[bar] for bar in (Bar.CAPPED, Bar.NOT_REOPENED, Bar.NO_CHIPS)) > 50
        assert seen["beyond"] < seen["rounds"] / 5
        assert seen["forgotten"] < seen["rounds"] / 100
