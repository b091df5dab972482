"""Evenings after which every table of facts holds a row: what a forger can write into."""

from random import Random

from tests import buying
from tests import factories as f
from tests.calling import call_service
from tests.evenings.cash_deeds import play_corrected_evening
from tests.evenings.hall import Hall, kinds_of
from tests.flights import add, make_contest, played
from tests.races import with_race
from tests.seasons import in_club, make_league
from tests.services.test_tickets import here, redeem, target, won
from tournaments.changes.access import SYSTEM, Actor, Role
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.contests.services.days import day_draw
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.counts import count_change
from tournaments.event.services.schedule.edit import clock_break_now
from tournaments.models import DealShare, Drawer, Elimination, Penalty
from tournaments.money.services.drawers import drawer_close, drawer_open
from tournaments.payouts.domain.deals import Way
from tournaments.payouts.services.bounties import mystery_begin, mystery_draw
from tournaments.payouts.services.deals import deal_allow, deal_answer, deal_offer
from tournaments.people.services.members import people_merge
from tournaments.play.services.conduct import penalty_give, penalty_serve
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.places import place_overrule
from tournaments.play.services.stacks import chip_race, stack_say
from tournaments.public.services.streaming import live_post
from tournaments.rebuys.services.purchases import purchase_ask, rebuy_buy
from tournaments.seasons.services.leagues import (
    league_correct,
    league_evening_set,
    league_guest_set,
    league_team_set,
    profile_open,
)
from tournaments.seating.services.chairs import table_halt

NEVER = ("event.ended", "event.cancelled")  # so that all may be done after it


def play_everything():
    """Do anything at evenings of all sorts, and what hardly comes about by that."""
    play_satellite()  # before the club has a drawer
    in_play, for_cash = kinds_of(is_cash=False), kinds_of(is_cash=True)
    do_all(Hall.playing(Random(7)), in_play, 200)
    do_all(Hall.playing(Random(1)), in_play, 200, seed=1000)
    do_all(Hall.at_the_door(Random(1)), in_play, 250, seed=2000)
    do_all(Hall.of_cash(Random(1)), for_cash, 150, seed=3000)
    do_all(Hall.of_cash(Random(2)), for_cash, 150, seed=4000)
    play_corrected_evening(1)
    play_the_seldom()
    play_flights()
    play_questions()
    keep_a_club(f.make_event())
    clock_only = f.make_event(is_clock_only=True)
    call_service(count_change, event=clock_only, by=SYSTEM, at=f.START, what="entries", step=1)


def do_all(hall, kinds, often, seed=0):
    """Do everything once, and then anything."""
    kinds = [kind for kind in kinds if kind not in NEVER]
    for number in range(often):
        hall.rng = Random(seed + number)
        kind = kinds[number] if number < len(kinds) else hall.rng.choice(kinds)
        try:
            hall.do(kind)
        except Refused:
            continue


def play_flights():
    """Carry the bags of a flight to the next day."""
    contest = make_contest()
    total = 4 * f.make_event().starting_stack
    played(contest, "1A", Anna=total - 300, Bert=300)
    day = f.make_event(name="Tag 2")
    add(contest, day, "Tag 2", order=2)
    f.drive(day_draw, day, 60)


def play_questions():
    """Close a drawer, and leave a late out to the director."""
    event = f.make_running_event(4)
    by, (_first, gone, late, _last) = f.make_dora(event), f.entries_of(event)
    f.drive(drawer_open, event, 1, by=by, float_cents=0, is_further=True)
    drawer = Drawer.objects.get(event=event)
    f.drive(drawer_close, event, 2, by=by, drawer=drawer, counted_cents=0)
    f.out(event, gone, at=f.after(6))
    claim = Command(event=event, by=SYSTEM, at=f.after(8), claimed=f.after(5))
    entries_eliminate(claim, entries=[late])


def play_satellite():
    """Win a seat as a ticket, and pay with it."""
    event = target()
    _satellite, (ticket, _other) = won(event)
    redeem(event, here(event, ticket), ticket)


def play_the_seldom():
    """Race for chips, halt a table, answer a deal, draw an envelope, wish, re-buy, miss a hand."""
    paused = f.make_running_event(4)
    f.drive(live_post, paused, 1, text="Vier Spieler")
    f.drive(clock_break_now, paused, 5, minutes=30)
    player = f.entries_of(paused)[0]
    f.drive(stack_say, paused, 6, by=f.petra_of(player.registration), entry=player, amount=150)
    chips = f.house().chip_sets.get(name="Steffen")
    raced = with_race(f.make_running_event(6, chip_set=chips), 1)
    f.drive(chip_race, raced, 21, table=f.table_of(raced, 1), held={})
    short = f.make_running_event(20)
    for entry in f.at_table(short, 2)[:3]:
        f.out(short, entry)
    f.drive(place_overrule, short, 9, entry=entry, place=19, is_shared=False, reason="Video")
    f.drive(table_halt, short, 10, table=f.table_of(short, 2))
    dealt = f.make_running_event(2, starting_stack=1000, fee_cents=1000)
    f.drive(deal_allow, dealt, 1)
    stacks = {entry.pk: 1000 for entry in f.entries_of(dealt)}
    f.drive(deal_offer, dealt, 2, way=Way.ICM, stacks=stacks, prizes=[1000, 500])
    share = DealShare.objects.filter(deal__event=dealt).first()
    f.drive(deal_answer, dealt, 3, share=share, says_yes=True)
    price = {"fee_cents": 1000, "fee_parts": [["bounty", 1000, ""]]}
    hunted = f.make_running_event(4, bounty_kind="mystery", **price)
    f.drive(mystery_begin, hunted, 5)
    gone, taker = f.entries_of(hunted)[:2]
    f.out(hunted, gone, at=f.after(6))
    outs = list(Elimination.objects.filter(entry=gone))
    f.drive(knockout_set, hunted, 6, eliminations=outs, takers=[taker])
    f.drive(mystery_draw, hunted, 7, entry=gone)
    bought = buying.evening()
    asks, loses = f.entries_of(bought)[:2]
    buying.do(purchase_ask, bought, 2, entry=asks, what="addon")
    buying.lose(bought, loses, 3)
    buying.do(rebuy_buy, bought, 4, entry=loses)
    given = f.drive(penalty_give, bought, 5, entry=loses, kind="hands", amount=2, reason="Handy")
    penalty = Penalty.objects.get(made_by=given)
    f.drive(penalty_serve, bought, 6, penalty=penalty, left=2)
    full = f.make_event(capacity=2, offer_minutes=30)
    first, _second, _waits = (f.register(full, f"Resi {name}") for name in ("Eins", "Zwei", "Drei"))
    call_service(registration_withdraw, event=full, by=SYSTEM, at=f.ARRIVAL, registration=first)


def keep_a_club(event):
    """Do what belongs to the club: a league, one person who was two, a profile."""
    one = f.register(event, "Resi Brandl")
    two = f.register(f.make_event(), "Therese Brandl")
    league = make_league()
    in_club(league_evening_set, league=league, event=event, is_in=False)
    in_club(league_correct, league=league, person=one.person, points=500, reason="Hilfe")
    in_club(league_team_set, league=league, person=one.person, team="Die Drei")
    in_club(league_guest_set, league=league, person=one.person, is_guest=True)
    himself = Actor(role=Role.PLAYER, registration_id=one.pk)
    call_service(profile_open, club=event.club, by=himself, at=f.START, person=one.person)
    in_club(people_merge, kept=one.person, gone=two.person)
