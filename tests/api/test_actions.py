"""What scripts do: one service call each, with a key, refused like everywhere."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from tests import factories as f
from tests.api.asking import Script, assert_no, script_of
from tournaments.changes.access import COOKIE, Role
from tournaments.event.services.clock import clock_start
from tournaments.models import Action, Elimination, Registration
from tournaments.play.services.bubble import hand_for_hand_begin
from tournaments.seating.services.tables import table_open

pytestmark = pytest.mark.django_db


@dataclass
class Act:
    """An action that works, as it is asked for; `body` of None is none."""

    path: str
    kind: str
    role: Role
    not_for: Role
    body: Any = None
    # A body of the right form that is refused, and the code of that.
    refused: tuple[Any, str] | None = None
    # Bodies of the wrong form.
    bad: tuple[Any, ...] = ()


ACTS = {
    "start": Act("/clock/start", "clock.started", Role.DIRECTOR, Role.ARBITER),
    "next": Act("/clock/next", "clock.level_advanced", Role.DIRECTOR, Role.DESK),
    "adjust": Act(
        "/clock/adjust",
        "clock.adjusted",
        Role.DIRECTOR,
        Role.ARBITER,
        {"seconds": 60},
        ({"seconds": 0}, "bad_shift"),
        ({}, {"seconds": "60"}, {"seconds": 7201}, {"seconds": 60, "minutes": 1}, [60]),
    ),
    "hand": Act("/tables/1/hands", "hand.begun", Role.ARBITER, Role.DESK),
    "eliminate": Act(
        "/eliminations",
        "entry.eliminated",
        Role.ARBITER,
        Role.DESK,
        {"outs": [{"entry": "first"}]},
        ({"outs": [{"entry": "first"}, {"entry": "first"}]}, "nobody"),
        ({"outs": []}, {"outs": [{}]}, {"outs": [{"entry": "1"}]}, {"entry": 1}),
    ),
    "move": Act(
        "/entries/{first}/move",
        "seat.moved",
        Role.DIRECTOR,
        Role.ARBITER,
        {"table": 3, "seat": 1, "reason": "Platz defekt"},
        ({"table": 2, "seat": 1}, "seat_unfit"),
        ({"table": 3}, {"table": 3, "seat": 0}, {"table": 3, "seat": 1, "reason": "\0"}),
    ),
    "register": Act(
        "/registrations",
        "registration.created",
        Role.DESK,
        Role.ARBITER,
        {"name": "Petra Probst", "email": "petra@example.org"},
        ({"name": " "}, "bad_name"),
        ({}, {"name": 7}, {"name": "P" * 401}, {"name": "Petra", "is_vip": True}),
    ),
    "check in": Act(
        "/registrations/{waiting}/check-in", "entry.checked_in", Role.DIRECTOR, Role.ARBITER
    ),
    "withdraw": Act(
        "/registrations/{waiting}/withdraw", "registration.withdrawn", Role.DESK, Role.ARBITER
    ),
    "announce": Act(
        "/announcements",
        "announcement.made",
        Role.ARBITER,
        Role.DESK,
        {"text": "Noch fünf Minuten.", "has_voice": False},
        ({"text": "  "}, "empty"),
        ({}, {"text": "x", "language": "fr"}, {"text": None}),
    ),
    "undo": Act("/log/{action}/undo", "action.undone", Role.DIRECTOR, Role.ARBITER),
}


@pytest.fixture
def names(event):
    """The ids that stand in the paths and bodies above."""
    f.drive(table_open, event, 2, count=1)
    return {
        "first": f.entries_of(event)[0].pk,
        "waiting": f.register(event, "Zoe Zart", at=f.after(2)).pk,
        "action": f.out(event, f.entries_of(event)[-1]).pk,
    }


def filled(value, names):
    """Return a body with ids in the place of their names."""
    if isinstance(value, dict):
        return {key: filled(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [filled(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def do(script: Script, event, act: Act, names, *, body=..., **own):
    given = filled(act.body if body is ... else body, names)
    return script.post(f"/events/{event.slug}{act.path.format(**names)}", given, **own)


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_it_works_and_the_same_again_does_nothing_more(act, event, names):
    script, key = script_of(act.role, event), uuid4()
    if act.kind == "hand.begun":
        assert_no(do(script, event, act, names), 422, "clock_stands")
        f.drive(clock_start, event, 3)
    answer = do(script, event, act, names, key=key)
    assert answer.status_code == 200, answer.content
    action = f.assert_logged(event, act.kind)
    told = answer.json()
    assert told["action"]["id"] == action.pk
    assert told["action"]["kind"] == act.kind
    assert action.device.name == f"Skript {act.role}"
    before = f.fresh(event).version
    assert do(script, event, act, names, key=key).json() == told
    assert f.fresh(event).version == before


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_who_may_not_is_told_so_and_nothing_happens(act, event, names, stranger):
    other = f.make_event(name="Anderswo")
    version = f.fresh(event).version
    may_not = script_of(act.not_for, event)
    if act.kind == "action.undone":
        reason = assert_no(do(may_not, event, act, names), 403, "not_allowed")
        assert "Turnierleitung" in reason
    else:
        assert_no(do(may_not, event, act, names), 403, "not_allowed")
    assert_no(do(script_of(Role.DIRECTOR, other), event, act, names), 403, "not_allowed")
    assert_no(do(stranger, event, act, names), 401, "not_signed_in")
    assert f.fresh(event).version == version


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_cookies_count_for_nothing(act, event, names, client):
    client.cookies[COOKIE] = f.sign_in("Doras Laptop", Role.DIRECTOR).token
    version = f.fresh(event).version
    assert_no(do(Script(client=client), event, act, names), 401, "not_signed_in")
    assert f.fresh(event).version == version


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_what_belongs_to_another_tournament_is_out_of_reach(act, names):
    other = f.make_running_event(4, name="Nebenan")
    script = script_of(act.role, other)
    if any(name in f"{act.path}{act.body}" for name in names):
        answer = do(script, other, act, names)
        assert_no(answer, 404, "not_found")


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_a_key_is_asked_for(act, event, names):
    script = script_of(act.role, event)
    for key in (None, "keiner"):
        reason = assert_no(do(script, event, act, names, key=key), 422, "bad_request")
        assert "Idempotency-Key" in reason


@pytest.mark.parametrize(
    ("act", "body"), [(act, body) for act in ACTS.values() for body in act.bad]
)
def test_a_bad_body_is_refused_by_name(act, body, event, names):
    version = f.fresh(event).version
    script = script_of(act.role, event)
    assert_no(do(script, event, act, {**names, "first": 1}, body=body), 422, "bad_request")
    assert f.fresh(event).version == version


@pytest.mark.parametrize("act", [act for act in ACTS.values() if act.refused])
def test_a_refusal_says_why(act, event, names):
    body, code = act.refused
    version = f.fresh(event).version
    assert_no(do(script_of(act.role, event), event, act, names, body=body), 422, code)
    assert f.fresh(event).version == version


def test_what_is_no_json_is_said_to_be_none(event, director):
    path = f"/api/v1/events/{event.slug}/clock/adjust"
    headers = {**director.headers, "Idempotency-Key": str(uuid4())}
    for raw in (b"{", b"\xff\xfe", b""):
        answer = director.client.post(path, raw, content_type="application/json", headers=headers)
        assert_no(answer, 422, "bad_request" if not raw else "bad_body")
    answer = director.client.put(path, headers=headers)
    assert_no(answer, 405, "wrong_method")
    assert answer.headers["Allow"] == "POST"


def test_a_key_is_good_for_one_request(event, director):
    key, path = uuid4(), f"/events/{event.slug}/clock/adjust"
    assert director.post(path, {"seconds": 60}, key=key).status_code == 200
    assert_no(director.post(path, {"seconds": 61}, key=key), 422, "key_reused")
    assert_no(director.post(f"/events/{event.slug}/clock/start", key=key), 422, "key_reused")


def test_the_clock_is_driven(director):
    event = f.make_seated_event(4)
    script = script_of(Role.DIRECTOR)
    clock = f"/events/{event.slug}/clock"
    assert script.post(f"{clock}/start").status_code == 200
    assert_no(script.post(f"{clock}/start"), 422, "already_running")
    assert script.get(clock).json()["is_running"]
    assert script.post(f"{clock}/next").status_code == 200
    assert script.get(clock).json()["level"]["number"] == 2
    assert script.post(f"{clock}/previous").status_code == 200
    assert_no(script.post(f"{clock}/previous"), 422, "no_such_level")
    assert script.post(f"{clock}/pause").status_code == 200
    assert not script.get(clock).json()["is_running"]


def test_a_person_is_registered_and_checked_in(event, director):
    path = f"/events/{event.slug}/registrations"
    made = director.post(path, {"name": "Petra Probst"}).json()
    assert not made["is_waiting"]
    row = Registration.objects.get(pk=made["registration"])
    assert (row.person.name, row.is_listed) == ("Petra Probst", False)
    told = director.post(f"{path}/{row.pk}/check-in").json()
    (entry,) = told["entries"]
    assert (told["table"], told["seat"]) == f.seat_of(row.entries.get(pk=entry))
    assert_no(director.post(f"{path}/{row.pk}/check-in"), 422, "cannot_check_in")
    assert_no(director.post(f"{path}/{row.pk}/withdraw"), 422, "checked_in")
    assert_no(director.post(f"{path}/999999/check-in"), 404, "not_found")


def test_who_comes_too_late_waits(director):
    event = f.make_event(capacity=2)
    f.register(event, "Petra Probst")
    f.register(event, "Mira Maier")
    script = script_of(Role.DESK, event)
    told = script.post(f"/events/{event.slug}/registrations", {"name": "Zoe Zart"}).json()
    assert told["is_waiting"]


def test_several_go_out_in_one_hand_by_their_stacks(event, arbiter):
    first, second = f.at_table(event, 1)[:2]
    elsewhere = {"entry": f.at_table(event, 2)[0].pk}
    path = f"/events/{event.slug}/eliminations"
    assert_no(arbiter.post(path, {"outs": [{"entry": first.pk}, elsewhere]}), 422, "several_tables")
    outs = [{"entry": first.pk, "start_stack": 900}, {"entry": second.pk, "start_stack": 400}]
    told = arbiter.post(f"/events/{event.slug}/eliminations", {"outs": outs}).json()
    assert told["entries"] == [first.pk, second.pk]
    lines = arbiter.get(f"/events/{event.slug}/results").json()["items"][-2:]
    assert [line["place"] for line in lines] == [11, 12]
    assert lines[0]["name"] == first.registration.person.name


def test_an_out_told_late_names_its_hand_of_hand_for_hand(event, arbiter):
    entry = f.entries_of(event)[0]
    path = f"/events/{event.slug}/eliminations"
    told = {"outs": [{"entry": entry.pk}], "hand": 1}
    assert_no(arbiter.post(path, told), 422, "no_such_hand")
    f.drive(hand_for_hand_begin, event, 10)
    assert arbiter.post(path, told | {"hand": 0}).status_code == 200
    assert Elimination.objects.live().get(entry=entry).round.number == 0


def test_a_move_that_the_room_has_overtaken_is_refused(event, names, director):
    path = f"/events/{event.slug}/entries/{names['first']}/move"
    seen = {"table": 9, "seat": 9}
    target = {"table": 3, "seat": 2, "moved_from": seen}
    assert_no(director.post(path, target), 422, "overtaken")
    assert_no(director.post(path, {"table": 77, "seat": 2}), 422, "table_gone")


def test_a_hand_begins_once(event, arbiter):
    path = f"/events/{event.slug}/tables/1/hands"
    f.drive(clock_start, event, 3)
    told = arbiter.post(path).json()
    assert (told["table"], told["hand"]) == (1, 1)
    assert_no(arbiter.post(path), 422, "too_soon")
    assert_no(arbiter.post(f"/events/{event.slug}/tables/9/hands"), 404, "not_found")


def test_one_takes_back_what_one_did_oneself(event, arbiter):
    path = f"/events/{event.slug}"
    out = {"outs": [{"entry": f.entries_of(event)[0].pk}]}
    done = arbiter.post(f"{path}/eliminations", out).json()["action"]["id"]
    assert arbiter.post(f"{path}/log/{done}/undo").status_code == 200
    assert_no(arbiter.post(f"{path}/log/{done}/undo"), 422, "already_undone")


def test_an_announcement_is_spoken_in_its_language(event, arbiter):
    path = f"/events/{event.slug}/announcements"
    arbiter.post(path, {"text": "Five minutes.", "language": "en"})
    action = Action.objects.get(kind="announcement.made")
    assert (action.payload["has_voice"], action.payload["language"]) == (True, "en")
    assert_no(arbiter.post(path, {"text": "x" * 201}), 422, "too_long")


def test_sentences_are_in_the_language_that_is_asked_for(event, director):
    path = f"/events/{event.slug}/clock/pause"
    german = director.post(path).json()["reason"]
    english = director.post(path, **{"Accept-Language": "en"}).json()["reason"]
    assert german == "Die Uhr steht schon."
    assert english != german
