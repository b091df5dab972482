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


def test_the_list_names_every_tournament_the_latest_first(event, stranger):
    later = f.make_event(name="Danach", starts_at=f.after(600))
    told = stranger.get("/events").json()
    assert [row["slug"] for row in told["items"]] == [later.slug, event.slug]
    assert (told["total"], told["limit"], told["offset"]) == (2, 50, 0)
    row = told["items"][1]
    assert (row["status"], row["entries"], row["players_left"]) == ("running", 12, 12)
    assert row["starts_at"] == "2026-11-20T18:00:00Z"


def test_lists_are_told_in_parts(event, stranger):
    f.make_event(name="Danach", starts_at=f.after(600))
    told = stranger.get("/events", limit=1, offset=1).json()
    assert [row["slug"] for row in told["items"]] == [event.slug]
    assert told["total"] == 2
    for wrong in ({"limit": 0}, {"limit": 201}, {"offset": -1}, {"offset": "x"}):
        reason = assert_no(stranger.get("/events", **wrong), 422, "bad_request")
        assert next(iter(wrong)) in reason


def test_a_list_of_tournaments_costs_the_same_for_many(stranger, django_assert_max_num_queries):
    for number in range(6):
        f.make_event(name=f"Abend {number}")
    with django_assert_max_num_queries(2):
        assert stranger.get("/events").json()["total"] == 6


def test_a_tournament_is_told_as_on_its_page(event, stranger):
    f.register(event, "Zoe Zart", is_listed=False, at=f.after(1))
    told = stranger.get(path_of(event)).json()
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


def test_the_clock_is_told_in_seconds_and_instants(event, stranger):
    told = stranger.get(path_of(event, "/clock")).json()
    assert told["has_started"]
    assert not told["is_running"]
    assert (told["level"]["number"], told["elapsed_seconds"]) == (1, 60)
    assert told["level"]["kind"] == "play"
    assert told["level_began_at"] == "2026-11-20T18:00:00Z"
    assert datetime.fromisoformat(told["now"]).utcoffset().total_seconds() == 0
    assert isinstance(told["level"]["big_blind"], int)


def test_a_screen_gets_the_same_from_here(event, stranger, client):
    here = stranger.get(path_of(event, "/screen")).json()
    there = client.get(f"/t/{event.slug}/screen/state.json").json()
    assert here.keys() == there.keys()
    assert here["clock"]["levels"] == there["clock"]["levels"]
    assert here["clock"]["anchor"] == there["clock"]["anchor"]


def test_the_schedule_has_every_level_with_its_time(stranger):
    event = f.make_event()
    levels = stranger.get(path_of(event, "/schedule")).json()["levels"]
    assert len(levels) > 5
    assert {row["kind"] for row in levels} == {"play"}
    assert levels[0]["begins_at"].endswith("Z")
    assert levels[0]["duration_seconds"] % 60 == 0


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


def test_answers_are_not_kept_by_caches(event, stranger):
    assert "no-store" in stranger.get(path_of(event)).headers["Cache-Control"]


def test_evenings_without_names_have_no_people_here_either(stranger, director):
    event = f.make_event(name="Nur die Uhr", is_clock_only=True)
    boss = script_of(Role.DIRECTOR)
    assert stranger.get(path_of(event)).json()["is_clock_only"]
    for further in ("/results", "/tables", "/registrations"):
        assert_no(boss.get(path_of(event, further)), 404, "not_found")


def test_every_address_of_people_says_why_it_is_not_there_where_only_the_clock_runs():
    event = f.make_event(name="Nur die Uhr", is_clock_only=True)
    boss = script_of(Role.DIRECTOR)
    names = [name for name in OF_PEOPLE if name.startswith("api-")]
    assert "api-registration" in names
    for name in names:
        wanted = ADDRESSES[name].pattern.converters
        url = reverse(name, kwargs={arg: event.slug if arg == "slug" else 1 for arg in wanted})
        path = url.removeprefix(BASE)
        for ask, nobody in ((boss.get, Script().get), (boss.post, Script().post)):
            answer = ask(path)
            if answer.status_code == 405:
                continue
            assert "läuft nur die Uhr" in assert_no(answer, 404, "not_found"), name
            # Without a token it says no more than it does of any other tournament.
            if name != "api-results":
                assert_no(nobody(path), 401, "not_signed_in")


# --- With a token


def test_a_token_says_what_it_is_good_for(event, arbiter, stranger):
    told = arbiter.get("/token").json()
    assert told == {
        "name": "Skript arbiter",
        "roles": [{"role": "arbiter", "event": event.slug}],
    }
    assert_no(stranger.get("/token"), 401, "not_signed_in")


def test_a_bad_token_is_refused_even_where_none_is_needed(event):
    answer = Script("erfunden").get(path_of(event))
    assert_no(answer, 401, "not_signed_in")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    client = Script().client
    for header in ("Basic abc", "Bearer", "erfunden", ""):
        answer = client.get(f"/api/v1{path_of(event)}/log", headers={"Authorization": header})
        assert_no(answer, 401, "not_signed_in")


def test_registrations_are_listed_for_the_desk(event, desk, arbiter):
    f.register(event, "Petra Probst", email="petra@example.org", at=f.after(1))
    told = desk.get(path_of(event, "/registrations"), search="probst").json()
    assert told["total"] == 1
    (row,) = told["items"]
    assert (row["name"], row["email"], row["state"]) == (
        "Petra Probst",
        "petra@example.org",
        "registered",
    )
    one = desk.get(path_of(event, f"/registrations/{row['id']}")).json()
    assert one == row
    everybody = desk.get(path_of(event, "/registrations")).json()
    assert everybody["total"] == 13
    assert sum(line["state"] == "in" for line in everybody["items"]) == 12
    missing = desk.get(path_of(event, "/registrations"), only_missing=True).json()
    assert missing["total"] == 1
    assert_no(arbiter.get(path_of(event, "/registrations")), 403, "not_allowed")


def test_who_waits_and_who_is_out_is_said(desk):
    event = f.make_running_event(2, capacity=2)
    boss = script_of(Role.DIRECTOR)
    f.register(event, "Petra Probst", at=f.after(1))
    states = [row["state"] for row in boss.get(path_of(event, "/registrations")).json()["items"]]
    assert states == ["waiting", "in", "in"]
    f.out(event, f.entries_of(event)[0])
    rows = boss.get(path_of(event, "/registrations"), search="spieler 001").json()["items"]
    assert rows[0]["state"] == "out"


def test_lists_for_staff_cost_the_same_in_every_field(
    event, desk, arbiter, django_assert_max_num_queries
):
    with django_assert_max_num_queries(12):
        desk.get(path_of(event, "/registrations"))
    with django_assert_max_num_queries(15):
        arbiter.get(path_of(event, "/tables"))
    with django_assert_max_num_queries(12):
        arbiter.get(path_of(event, "/log"))


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
    done = arbiter.post(
        path_of(event, "/eliminations"), {"outs": [{"entry": f.entries_of(event)[0].pk}]}
    ).json()
    told = arbiter.get(path_of(event, "/log"), limit=2).json()
    assert told["total"] == f.fresh(event).log_sequence
    latest, before = told["items"]
    assert latest["id"] == done["action"]["id"]
    assert (latest["device"], latest["role"], latest["may_undo"]) == (
        "Skript arbiter",
        "arbiter",
        True,
    )
    assert not before["may_undo"]
    assert director.get(path_of(event, "/log")).json()["items"][1]["may_undo"]


def test_a_token_is_good_for_its_tournament_alone(event, director, desk):
    other = f.make_event(name="Anderswo")
    for script in (director, desk):
        assert_no(script.get(path_of(other, "/log")), 403, "not_allowed")
        assert script.get(path_of(other)).status_code == 200
    petra = f.register(other, "Petra Probst")
    assert_no(desk.get(path_of(event, f"/registrations/{petra.pk}")), 404, "not_found")


def test_a_cancelled_tournament_is_still_told(stranger):
    event = f.make_event()
    event_cancel(Command(event=event, by=f.make_dora(), at=f.ARRIVAL))
    assert stranger.get(path_of(event)).json()["status"] == "cancelled"
    assert stranger.get(path_of(event, "/schedule")).json()["levels"][0]["begins_at"] is None


def test_a_withdrawn_registration_is_no_longer_listed(event, desk):
    petra = f.register(event, "Petra Probst", at=f.after(1))
    desk.post(path_of(event, f"/registrations/{petra.pk}/withdraw"))
    assert not Registration.objects.live().filter(pk=petra.pk).exists()
    assert_no(desk.get(path_of(event, f"/registrations/{petra.pk}")), 404, "not_found")
