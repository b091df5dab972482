"""What scripts read: the public part without a token, the rest with one."""

from datetime import datetime

import pytest
from django.urls import reverse

from tests import factories as f
from tests.addresses import OF_PEOPLE
from tests.api.asking import BASE, Script, assert_no, script_of
from tests.test_access import ADDRESSES
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.models import Registration

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def path_of(event, further=""):
    return f"/events/{event.slug}{further}"


# --- Open to all


def test_the_list_names_every_tournament_the_latest_first_and_in_parts(event, stranger):
    later = f.make_event(name="Danach", starts_at=f.after(600))
    told = stranger.get("/events").json()
    assert [row["slug"] for row in told["items"]] == [later.slug, event.slug]
    assert (told["total"], told["limit"], told["offset"]) == (2, 50, 0)
    row = told["items"][1]
    assert (row["status"], row["entries"], row["players_left"]) == ("running", 12, 12)
    assert row["starts_at"] == "2026-11-20T18:00:00Z"
    part = stranger.get("/events", limit=1, offset=1).json()
    assert (part["items"], part["total"]) == ([row], 2)
    for wrong in ({"limit": 0}, {"limit": 201}, {"offset": -1}, {"offset": "x"}):
        reason = assert_no(stranger.get("/events", **wrong), 422, "bad_request")
        assert next(iter(wrong)) in reason


def test_a_list_of_tournaments_costs_the_same_for_many(stranger, django_assert_max_num_queries):
    for number in range(6):
        f.make_event(name=f"Abend {number}")
    with django_assert_max_num_queries(2):
        assert stranger.get("/events").json()["total"] == 6


def test_a_tournament_is_told_as_on_its_page_and_kept_by_no_cache(event, stranger):
    f.register(event, "Zoe Zart", is_listed=False, at=f.after(1))
    answer = stranger.get(path_of(event))
    assert "no-store" in answer.headers["Cache-Control"]
    told = answer.json()
    assert told["chips_in_play"] == 12 * told["starting_stack"]
    assert told["average_stack"] == told["starting_stack"]
    assert "Spieler 001" in told["listed_names"]
    assert told["unlisted"] == 1
    assert "Zoe" not in str(told)
    assert told["page_url"] == event.get_absolute_url()
    assert told["version"] == f.fresh(event).version


def test_an_unknown_tournament_or_address_is_404_in_json(stranger):
    for path in ("/events/nirgends", "/events/a b", "/events/nirgends/clock", "/nirgends", "/"):
        assert_no(stranger.get(path), 404, "not_found")


def test_the_clock_is_told_in_seconds_and_instants_and_as_to_a_screen(event, stranger, client):
    told = stranger.get(path_of(event, "/clock")).json()
    assert told["has_started"]
    assert not told["is_running"]
    assert (told["level"]["number"], told["elapsed_seconds"]) == (1, 60)
    assert told["level"]["kind"] == "play"
    assert told["level_began_at"] == "2026-11-20T18:00:00Z"
    assert datetime.fromisoformat(told["now"]).utcoffset().total_seconds() == 0
    assert isinstance(told["level"]["big_blind"], int)
    here = stranger.get(path_of(event, "/screen")).json()
    there = client.get(f"/t/{event.slug}/screen/state.json").json()
    assert here.keys() == there.keys()
    assert here["clock"]["levels"] == there["clock"]["levels"]
    assert here["clock"]["anchor"] == there["clock"]["anchor"]


def test_the_schedule_has_every_level_with_its_time_and_none_once_it_is_cancelled(stranger):
    event = f.make_event()
    levels = stranger.get(path_of(event, "/schedule")).json()["levels"]
    assert len(levels) > 5
    assert {row["kind"] for row in levels} == {"play"}
    assert levels[0]["begins_at"].endswith("Z")
    assert levels[0]["duration_seconds"] % 60 == 0
    event_cancel(Command(event=event, by=f.make_dora(), at=f.ARRIVAL))
    assert stranger.get(path_of(event)).json()["status"] == "cancelled"
    assert stranger.get(path_of(event, "/schedule")).json()["levels"][0]["begins_at"] is None


def test_results_keep_initials_and_disqualifications_from_strangers(event, stranger, arbiter):
    zoe = f.check_in(event, f.register(event, "Zoe Zart", is_listed=False, at=f.after(1)))
    f.out(event, zoe)
    told = stranger.get(path_of(event, "/results"), limit=200).json()
    line = told["items"][-1]
    assert (line["place"], line["name"], line["is_disqualified"]) == (13, "ZZ", None)
    assert not told["is_final"]
    assert told["total"] == 13
    line = arbiter.get(path_of(event, "/results"), limit=1, offset=12).json()["items"][0]
    assert (line["name"], line["is_disqualified"]) == ("Zoe Zart", False)


def test_every_address_of_people_says_why_it_is_not_there_where_only_the_clock_runs(stranger):
    event = f.make_event(name="Nur die Uhr", is_clock_only=True)
    assert stranger.get(path_of(event)).json()["is_clock_only"]
    boss = script_of(Role.DIRECTOR)
    names = [name for name in OF_PEOPLE if name.startswith("api-")]
    assert {"api-registration", "api-results", "api-tables"} <= set(names)
    for name in names:
        wanted = ADDRESSES[name].pattern.converters
        url = reverse(name, kwargs={arg: event.slug if arg == "slug" else 1 for arg in wanted})
        path = url.removeprefix(BASE)
        for ask, nobody in ((boss.get, stranger.get), (boss.post, stranger.post)):
            answer = ask(path)
            if answer.status_code == 405:
                continue
            assert "läuft nur die Uhr" in assert_no(answer, 404, "not_found"), name
            # Without a token it says no more than it does of any other tournament.
            if name != "api-results":
                assert_no(nobody(path), 401, "not_signed_in")


# --- With a token


def test_a_token_says_what_it_is_good_for_and_a_bad_one_is_refused_even_where_none_is_needed(
    event, arbiter, stranger
):
    told = {"name": "Skript arbiter", "roles": [{"role": "arbiter", "event": event.slug}]}
    assert arbiter.get("/token").json() == told
    assert_no(stranger.get("/token"), 401, "not_signed_in")
    answer = Script("erfunden").get(path_of(event))
    assert_no(answer, 401, "not_signed_in")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    for header in ("Basic abc", "Bearer", "erfunden", ""):
        path = f"{BASE}{path_of(event)}/log"
        answer = stranger.client.get(path, headers={"Authorization": header})
        assert_no(answer, 401, "not_signed_in")


def test_registrations_are_listed_for_the_desk_until_they_are_withdrawn(event, desk, arbiter):
    f.register(event, "Petra Probst", email="petra@example.org", at=f.after(1))
    path = path_of(event, "/registrations")
    told = desk.get(path, search="probst").json()
    assert told["total"] == 1
    (row,) = told["items"]
    assert (row["name"], row["email"]) == ("Petra Probst", "petra@example.org")
    assert row["state"] == "registered"
    assert desk.get(f"{path}/{row['id']}").json() == row
    everybody = desk.get(path).json()
    assert everybody["total"] == 13
    assert sum(line["state"] == "in" for line in everybody["items"]) == 12
    assert desk.get(path, only_missing=True).json()["total"] == 1
    assert_no(arbiter.get(path), 403, "not_allowed")
    desk.post(f"{path}/{row['id']}/withdraw")
    assert not Registration.objects.live().filter(pk=row["id"]).exists()
    assert_no(desk.get(f"{path}/{row['id']}"), 404, "not_found")


def test_who_waits_and_who_is_out_is_said():
    event = f.make_running_event(2, capacity=2)
    boss, path = script_of(Role.DIRECTOR), path_of(event, "/registrations")
    assert boss.post(path, {"name": "Petra Probst"}).json()["is_waiting"]
    f.out(event, f.entries_of(event)[0])
    states = {row["name"]: row["state"] for row in boss.get(path).json()["items"]}
    assert states == {"Petra Probst": "waiting", "Spieler 001": "out", "Spieler 002": "in"}


@pytest.mark.parametrize(("further", "most"), [("registrations", 15), ("tables", 15), ("log", 12)])
def test_lists_for_staff_cost_the_same_in_every_field(
    event, director, django_assert_max_num_queries, further, most
):
    with django_assert_max_num_queries(most):
        assert director.get(path_of(event, f"/{further}")).status_code == 200


def test_tables_tell_who_sits_where(event, arbiter, stranger):
    told = arbiter.get(path_of(event, "/tables")).json()
    assert [table["number"] for table in told["items"]] == [1, 2]
    assert sum(table["players"] for table in told["items"]) == 12
    first = arbiter.get(path_of(event, "/tables/1")).json()
    assert first == told["items"][0]
    assert {seat["entry"] for seat in first["seats"]} == {e.pk for e in f.at_table(event, 1)}
    assert first["way"] == ""
    areas = [[2, 2, "Galerie"]]
    event_update(Command(event=event, by=SYSTEM, at=f.after(1)), settings={"areas": areas})
    told = arbiter.get(path_of(event, "/tables")).json()["items"]
    assert [table["way"] for table in told] == ["", "Galerie"]
    assert_no(arbiter.get(path_of(event, "/tables/99")), 404, "not_found")
    assert_no(stranger.get(path_of(event, "/tables")), 401, "not_signed_in")


def test_the_log_says_what_may_be_taken_back(event, arbiter, director):
    outs = {"outs": [{"entry": f.entries_of(event)[0].pk}]}
    done = arbiter.post(path_of(event, "/eliminations"), outs).json()
    told = arbiter.get(path_of(event, "/log"), limit=2).json()
    assert told["total"] == f.fresh(event).log_sequence
    latest, before = told["items"]
    assert latest["id"] == done["action"]["id"]
    assert (latest["device"], latest["role"]) == ("Skript arbiter", "arbiter")
    assert latest["may_undo"]
    assert not before["may_undo"]
    assert director.get(path_of(event, "/log")).json()["items"][1]["may_undo"]
