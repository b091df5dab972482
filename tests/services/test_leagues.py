"""Leagues: what belongs to them, who stands where, what is said of people; nothing is stored."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps

from tests import buying
from tests import factories as f
from tests.calling import call_service
from tests.seasons import PLAYERS, end, evening, in_club, make_league, person, points, standing
from tournaments.changes.access import SYSTEM, Actor, Role
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import log_first_fault
from tournaments.models import (
    Action,
    ActionText,
    Club,
    Elimination,
    Entry,
    Event,
    League,
    LeagueCorrection,
    PersonMerge,
    ProfileConsent,
    Purchase,
    Registration,
)
from tournaments.people.services.members import people_merge, people_unmerge
from tournaments.play.selectors.ranking import standings as places_of_event
from tournaments.play.services.elimination_details import knockout_set
from tournaments.privacy.selectors.exporting import person_export
from tournaments.privacy.services.privacy import person_erase
from tournaments.rebuys.services.purchases import entry_reenter
from tournaments.seasons.domain.points import Counts, Terms, Way
from tournaments.seasons.selectors.review import _KEPT, evenings_of
from tournaments.seasons.selectors.statistics import profile_of
from tournaments.seasons.services.leagues import (
    Takes,
    league_correct,
    league_correction_withdraw,
    league_evening_set,
    league_guest_set,
    league_remove,
    league_restore,
    league_save,
    league_team_set,
    profile_close,
    profile_open,
)

pytestmark = pytest.mark.django_db
A, B, C, D = PLAYERS


def logged(kind):
    """Expect the club's last entry to be of this kind, told in words, in a whole chain."""
    action = Action.objects.filter(event=None).select_related("text").latest("sequence")
    assert action.kind == kind
    assert "?" not in describe(action)
    assert log_first_fault(Club.objects.get()) is None
    return action


def refused(code, call, *args, **own):
    before = Action.objects.count()
    with pytest.raises(Refused) as caught:
        call(*args, **own)
    assert caught.value.code == code
    assert Action.objects.count() == before


def test_a_league_counts_the_evenings_that_are_over():
    evening()
    league = make_league()
    assert logged("league.saved").payload["outcome"] == "made"
    assert points(league) == {A: 400, B: 300, C: 200, D: 100}
    evening((D, C, B, A), number=1)
    assert points(league) == dict.fromkeys((A, D, B, C), 500)
    f.make_running_event(3, name="Freitag 3")
    assert points(league) == dict.fromkeys((A, D, B, C), 500)


def test_what_is_read_for_a_league_is_what_the_evening_says_itself_once(django_assert_num_queries):
    first, second = evening(), evening((C, A, B, D), number=1)
    _KEPT.clear()
    for event, read in zip((first, second), evenings_of([first, second]), strict=True):
        own = {line.person: line.place for line in places_of_event(event)}
        assert {start.person: start.place for start in read.starts} == own
    with django_assert_num_queries(1):
        evenings_of([first])


def test_of_more_evenings_than_are_kept_only_the_oldest_are_read_anew(monkeypatch):
    monkeypatch.setattr("tournaments.seasons.selectors.review.MOST_KEPT", 2)
    _KEPT.clear()
    first, second, third = (evening(number=number) for number in range(3))
    for event in (first, second, third):
        evenings_of([event])
    assert [key[0] for key in _KEPT] == [second.pk, third.pk]
    assert len(evenings_of([first, second, third])) == 3
    assert len(_KEPT) == 2


def test_the_tournament_of_an_evening_with_cash_tables_counts():
    one = evening(kind=Event.Kind.BOTH)
    evening(number=1)
    only_cash = f.make_event(name="Cash", kind=Event.Kind.CASH_GAME)
    league = make_league()
    assert points(league) == {A: 800, B: 600, C: 400, D: 200}
    assert [place.event.pk for place in profile_of(person(A)).places][-1] == one.pk
    assert profile_of(person(A)).run == 2
    in_club(league_evening_set, league=league, event=one, is_in=False)
    assert points(league)[A] == 400
    refused("no_places", in_club, league_evening_set, league=league, event=only_cash, is_in=True)


def test_an_end_that_is_taken_back_takes_the_evening_out_until_it_ends_again():
    event, league = evening(), make_league()
    f.undo(event, Action.objects.get(pk=event.ended_by_id), at=f.after(400))
    assert points(league) == {}
    last = Action.objects.filter(event=event, kind="entry.eliminated").latest("sequence")
    f.undo(event, last, at=f.after(401))
    entries = {entry.registration.person.name: entry for entry in f.entries_of(event)}
    f.out(f.fresh(event), entries[A], at=f.after(402))
    end(event, f.after(403))
    assert points(league) == {B: 400, A: 300, C: 200, D: 100}


def test_who_was_found_to_be_another_has_the_points_of_both_until_that_is_taken_back():
    evening()
    evening((B, "Anna Ost", C), number=1)
    league = make_league()
    assert points(league)["Anna Ost"] == 200
    in_club(league_correct, league=league, person=person("Anna Ost"), points=50, reason="Hilfe")
    merged = in_club(people_merge, kept=person(A), gone=person("Anna Ost"))
    assert points(league)[A] == 650
    assert "Anna Ost" not in points(league)
    in_club(people_unmerge, merge=PersonMerge.objects.get(made_by=merged))
    assert (points(league)[A], points(league)["Anna Ost"]) == (400, 250)


def test_the_rule_takes_evenings_by_name_and_day_and_single_ones_are_said():
    one, other = evening(), evening(number=1, name="Sonntag")
    late = evening(number=3)
    until = (f.START + timedelta(days=8)).date()
    league = make_league(takes=Takes(name="freitag", until=until))
    assert [event.pk for event in standing(league).events] == [one.pk]
    in_club(league_evening_set, league=league, event=other, is_in=True)
    in_club(league_evening_set, league=league, event=one, is_in=False)
    assert logged("league.evening_set").payload["outcome"] == "out"
    assert [event.pk for event in standing(league).events] == [other.pk]
    refused("nothing_changed", in_club, league_evening_set, league=league, event=one, is_in=False)
    in_club(league_evening_set, league=league, event=one, is_in=None)
    assert [event.pk for event in standing(league).events] == [one.pk, other.pk]
    sample = f.make_event(name="Nur Uhr", is_clock_only=True)
    refused("no_places", in_club, league_evening_set, league=league, event=sample, is_in=True)
    assert late.pk not in {event.pk for event in standing(league).events}


def test_what_cannot_be_is_refused_and_changes_nothing():
    make_league()
    for own, code in (
        ({"name": "x" * 81}, "long_name"),
        ({"name": "LIGA 2026"}, "name_taken"),
        ({"terms": Terms(way=Way.TABLE, table=(1,) * 201)}, "long_table"),
        ({"terms": Terms(attendance=-1)}, "bad_points"),
        ({"terms": Terms(best=1000)}, "bad_best"),
        ({"terms": Terms(way=Way.FORMULA, formula="__import__('os')")}, "bad_formula"),
        ({"terms": Terms(run=3)}, "half_a_run"),
        ({"terms": Terms(run_bonus=100)}, "half_a_run"),
    ):
        told = {"name": "Zweite", "terms": Terms(), "takes": Takes(), **own}
        refused(code, in_club, league_save, **told)
    assert League.objects.count() == 1


def test_a_formula_knows_heads_and_one_without_a_value_says_so_and_breaks_nothing():
    evening(bounty_kind="fixed", fee_cents=500, fee_parts=[["bounty", 500, ""]])
    league = make_league(terms=Terms(way=Way.FORMULA, formula="kopfgeld / 2"))
    # The winner keeps the own head of five beside the one that was taken.
    assert points(league) == {A: 500, B: 250, C: 250, D: 0}
    terms = Terms(way=Way.FORMULA, formula="10 / (spieler - 4)")
    found = standing(make_league("Zweite", terms))
    assert found.rows == []
    assert found.fault.startswith("Ohne Punkte: Die Formel teilt durch null. Zuerst bei: Freitag 1")


def test_corrections_count_have_a_reason_and_are_taken_back():
    evening()
    league = make_league(terms=Terms(best=1))
    told = {"league": league, "person": person(C), "reason": "Hat aufgebaut"}
    in_club(league_correct, **told, points=150)
    entry = logged("league.corrected")
    assert entry.text.data["reason"] == "Hat aufgebaut"
    assert list(points(league).items())[1] == (C, 350)
    refused("bad_points", in_club, league_correct, **told, points=0)
    refused("no_reason", in_club, league_correct, **{**told, "reason": " "}, points=5)
    row = LeagueCorrection.objects.live().get()
    in_club(league_correction_withdraw, correction=row)
    logged("league.correction_withdrawn")
    assert points(league)[C] == 200
    refused("already_undone", in_club, league_correction_withdraw, correction=row)


def test_teams_sum_their_best_members():
    evening()
    league = make_league(terms=Terms(team_best=1))
    for name, team in ((A, "Pik"), (C, "pik"), (B, "Herz")):
        in_club(league_team_set, league=league, person=person(name), team=team)
    found = standing(league)
    assert [(found.team_names[row.team], row.points) for row in found.teams] == [
        ("Pik", 400), ("Herz", 300),
    ]  # fmt: skip
    told = {"league": league, "person": person(A)}
    refused("nothing_changed", in_club, league_team_set, **told, team="PIK")
    in_club(league_team_set, **told, team="")
    assert logged("league.team_set").payload["outcome"] == "none"
    assert [row.points for row in standing(league).teams] == [300, 200]


def test_a_league_is_put_away_and_brought_back():
    league = make_league()
    in_club(league_remove, league=league)
    refused("gone", in_club, league_remove, league=league)
    again = make_league()
    refused("name_taken", in_club, league_restore, league=league)
    assert again.slug == "liga-2026-2"
    in_club(league_remove, league=again)
    in_club(league_restore, league=league)
    logged("league.restored")
    refused("not_removed", in_club, league_restore, league=league)


def test_an_erased_person_keeps_the_points_and_nothing_else():
    event = evening()
    league = make_league()
    who = person(B)
    in_club(league_correct, league=league, person=who, points=5, reason="Bert Buch war krank")
    in_club(league_team_set, league=league, person=who, team="Pik")
    own = Registration.objects.get(event=event, person=who)
    by = Actor(role=Role.PLAYER, registration_id=own.pk)
    call_service(profile_open, club=f.house(), by=by, at=f.after(601), person=who)
    in_club(person_erase, person=who)
    assert list(points(league).values()) == [400, 305, 200, 100]
    assert "gelöscht" in points(league)
    assert "Bert" not in str(list(ActionText.objects.values_list("data", flat=True)))
    assert not ProfileConsent.objects.live().exists()
    refused(
        "gone", in_club, league_correct, league=league, person=who, points=5, reason="noch einmal"
    )


def test_what_is_said_of_somebody_in_leagues_is_handed_out():
    event = evening()
    league = make_league()
    in_club(league_correct, league=league, person=person(B), points=-150, reason="Zu spät")
    in_club(league_team_set, league=league, person=person(B), team="Pik")
    told = person_export(Registration.objects.get(event=event, person=person(B)))["leagues"]
    assert told == {
        "corrections": [{"league": "Liga 2026", "points": "-1.50", "reason": "Zu spät"}],
        "teams": [{"league": "Liga 2026", "team": "Pik"}],
        "left_out_of": [],
        "profile_is_public": False,
    }
    other = person_export(Registration.objects.get(event=event, person=person(A)))["leagues"]
    assert other == {
        "corrections": [], "teams": [], "left_out_of": [], "profile_is_public": False,
    }  # fmt: skip


def test_a_profile_is_opened_by_its_own_link_alone():
    event = evening()
    own, other = (Registration.objects.get(event=event, person=person(name)) for name in (A, B))
    said = {"club": f.house(), "at": f.after(601), "person": own.person}
    as_own, as_other = (Actor(role=Role.PLAYER, registration_id=row.pk) for row in (own, other))
    refused("not_yours", call_service, profile_open, **said, by=SYSTEM)
    refused("not_yours", call_service, profile_open, **said, by=as_other)
    refused("nothing_changed", call_service, profile_close, **said, by=as_own)
    call_service(profile_open, **said, by=as_own)
    logged("profile.opened")
    refused("nothing_changed", call_service, profile_open, **said, by=as_own)
    refused("not_yours", call_service, profile_close, **said, by=as_other)
    call_service(profile_close, **said, by=as_own)
    logged("profile.closed")
    Registration.objects.filter(pk=own.pk).update(owns_person=False)
    refused("not_sure", call_service, profile_open, **said, by=as_own)


def test_of_two_entries_the_first_counts_unless_the_league_says_otherwise():
    event = buying.evening(4, rebuy_level=0)
    first, *others = f.entries_of(event)
    buying.lose(event, first)
    buying.do(entry_reenter, event, 3, entry=first)
    for minute, entry in enumerate(others, start=4):
        buying.lose(event, entry, minute)
    end(event, f.after(30))
    name = first.registration.person.name
    assert points(make_league("Erste"))[name] == 100
    assert points(make_league("Beste", Terms(counts=Counts.BEST)))[name] == 400


def test_a_formula_knows_what_each_spent_and_won():
    event = evening((A, B, C), fee_cents=1000)
    entries = {entry.registration.person.name: entry for entry in f.entries_of(event)}
    for what, cents, name in (("rebuy", 500, B), ("rebuy", 500, B), ("addon", 400, C)):
        entry = entries[name]
        Purchase.objects.create(
            event=event, registration=entry.registration, entry=entry, what=what, cents=cents,
            made_by_id=event.ended_by_id, bought_at=event.starts_at,
        )  # fmt: skip
    text = "ausgaben + 100 * rebuys + 1000 * add-ons + startgeld / 10 + schnitt / 100"
    league = make_league(terms=Terms(way=Way.FORMULA, formula=text))
    assert points(league) == {C: 101515, B: 22115, A: 1115}


def test_logarithms_of_saved_formulas_stay_natural():
    league = make_league(terms=Terms(way=Way.FORMULA, formula="log(spieler) + Log(2) + log10(1)"))
    import_module("tournaments.migrations.0033_rows_of_0_3_0").say_ln(apps, None)
    league.refresh_from_db()
    assert league.terms["formula"] == "ln(spieler) + ln(2) + log10(1)"


def test_who_is_left_out_has_no_rank_and_the_others_do_not_move_up():
    evening()
    league = make_league(terms=Terms(leader=100))
    told = {"league": league, "person": person(A)}
    in_club(league_correct, league=league, person=person(A), points=300, reason="Hilfe")
    in_club(league_guest_set, **told, is_guest=True)
    logged("league.guest_set")
    assert points(league) == {B: 300, C: 200, D: 100}
    assert [row.rank for row in standing(league).rows] == [1, 2, 3]
    refused("nothing_changed", in_club, league_guest_set, **told, is_guest=True)
    in_club(league_guest_set, **told, is_guest=False)
    assert logged("league.guest_set").payload["outcome"] == "back"
    assert points(league)[A] == 700


def test_a_leaders_stack_brings_points_to_who_takes_it_shared_if_shared():
    evening()
    league = make_league(terms=Terms(leader=250))
    assert points(league) == {A: 400, B: 300, C: 200, D: 100}
    second = evening((D, B, A, C), number=1)
    # A leads after the first evening; B took A's stack.
    assert points(league) == {B: 850, A: 600, D: 500, C: 300}
    both = [Entry.objects.get(event=second, registration__person__name=name) for name in (D, B)]
    out = Elimination.objects.live().get(entry__event=second, entry__registration__person__name=A)
    told = {"eliminations": [out], "takers": both}
    call_service(knockout_set, event=second, by=SYSTEM, at=f.after(11000), **told)
    assert points(league) == {B: 725, D: 625, A: 600, C: 300}


def test_evenings_in_a_row_bring_points_each_time_anew():
    for number in range(4):
        evening((A, B) if number == 2 else (A, B, C), number=number)
    league = make_league(terms=Terms(run=2, run_bonus=50, best=1))
    # A and B came four times in a row; C twice, then not, then once.
    assert points(league) == {A: 400, B: 300, C: 150}
