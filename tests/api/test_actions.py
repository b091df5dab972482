"""What scripts do: one service call each, with a key, refused like everywhere."""

from typing import NamedTuple
from uuid import uuid4

import pytest

from tests import buying
from tests import factories as f
from tests.api.asking import BASE, Script, assert_no, script_of
from tests.buying import TERMS
from tournaments.changes.access import COOKIE, Role
from tournaments.event.services.clock import clock_next_level, clock_pause, clock_start
from tournaments.models import Action, Elimination, Registration
from tournaments.play.services.bubble import hand_for_hand_begin
from tournaments.seating.services.tables import table_open

pytestmark = pytest.mark.django_db


class Act(NamedTuple):
    """An action that works, as it is asked for, and who may do it."""

    path: str
    kind: str
    role: Role


WAITING = "/registrations/{waiting}"
ACTS = {
    "start": Act("/clock/start", "clock.started", Role.DIRECTOR),
    "next": Act("/clock/next", "clock.level_advanced", Role.DIRECTOR),
    "pause": Act("/clock/pause", "clock.paused", Role.DIRECTOR),
    "previous": Act("/clock/previous", "clock.level_reverted", Role.DIRECTOR),
    "adjust": Act("/clock/adjust", "clock.adjusted", Role.DIRECTOR),
    "hand": Act("/tables/1/hands", "hand.begun", Role.ARBITER),
    "eliminate": Act("/eliminations", "entry.eliminated", Role.ARBITER),
    "move": Act("/entries/{first}/move", "seat.moved", Role.DIRECTOR),
    "register": Act("/registrations", "registration.created", Role.DESK),
    "check in": Act(f"{WAITING}/check-in", "entry.checked_in", Role.DIRECTOR),
    "withdraw": Act(f"{WAITING}/withdraw", "registration.withdrawn", Role.DESK),
    "announce": Act("/announcements", "announcement.made", Role.ARBITER),
    "undo": Act("/log/{action}/undo", "action.undone", Role.DIRECTOR),
}
ENTRY = {"entry": "first"}
# What an action is refused by, until another one is done.
FIRST = {
    "hand": ("clock_stands", clock_start),
    "pause": ("not_running", clock_start),
    "previous": ("no_such_level", clock_next_level),
}
BODIES = {
    "adjust": {"seconds": 60},
    "eliminate": {"outs": [ENTRY]},
    "move": {"table": 3, "seat": 1, "reason": "Platz defekt"},
    "register": {"name": "Petra Probst", "email": "petra@example.org"},
    "announce": {"text": "Noch fünf Minuten.", "has_voice": False},
}


def bad(*bodies):
    return [(body, "bad_request") for body in bodies]


# The first of each have the right form, and are refused with codes of their own.
REFUSED = {
    "adjust": [
        ({"seconds": 0}, "bad_shift"),
        *bad({}, {"seconds": "60"}, {"seconds": 7201}, {"seconds": 60, "minutes": 1}, [60]),
    ],
    "eliminate": [
        ({"outs": [ENTRY, ENTRY]}, "nobody"),
        *bad({"outs": []}, {"outs": [{}]}, {"outs": [{"entry": "1"}]}, {"entry": 1}),
    ],
    "move": [
        ({"table": 2, "seat": 1}, "seat_unfit"),
        ({"table": 2, "seat": 6, "moved_from": {"table": 9, "seat": 9}}, "overtaken"),
        ({"table": 77, "seat": 2}, "table_gone"),
        *bad({"table": 3}, {"table": 3, "seat": 0}, {"table": 3, "seat": 1, "reason": "\0"}),
    ],
    "register": [
        ({"name": " "}, "bad_name"),
        *bad({}, {"name": 7}, {"name": "P" * 401}, {"name": "Petra", "is_vip": True}),
    ],
    "announce": [
        ({"text": "  "}, "empty"),
        *bad({}, {"text": "x", "language": "fr"}, {"text": None}),
    ],
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


def do(script: Script, event, name, names, *, body=..., **own):
    given = filled(BODIES.get(name) if body is ... else body, names)
    return script.post(f"/events/{event.slug}{ACTS[name].path.format(**names)}", given, **own)


@pytest.mark.parametrize("name", ACTS)
def test_it_works_and_the_same_again_does_nothing_more(name, event, names):
    act, key = ACTS[name], uuid4()
    script = script_of(act.role, event)
    if name in FIRST:
        code, needed = FIRST[name]
        assert_no(do(script, event, name, names), 422, code)
        f.drive(needed, event, 3)
    answer = do(script, event, name, names, key=key)
    assert answer.status_code == 200, answer.content
    action = f.assert_logged(event, act.kind)
    told = answer.json()
    assert (told["action"]["id"], told["action"]["kind"]) == (action.pk, act.kind)
    assert action.device.name == f"Skript {act.role}"
    before = f.fresh(event).version
    assert do(script, event, name, names, key=key).json() == told
    assert f.fresh(event).version == before


NOT_FOR = {"start": Role.ARBITER, "eliminate": Role.DESK, "undo": Role.ARBITER}


@pytest.mark.parametrize("name", NOT_FOR)
def test_who_may_not_or_shows_no_key_is_told_so_and_nothing_happens(
    name, event, names, stranger, client
):
    """Who may ask for which address stands in `tests/access_lines.py`."""
    act, other = ACTS[name], f.make_event(name="Anderswo")
    client.cookies[COOKIE] = f.sign_in("Doras Laptop", Role.DIRECTOR).token
    script, may_not = script_of(act.role, event), script_of(NOT_FOR[name], event)
    version = f.fresh(event).version
    reason = assert_no(do(may_not, event, name, names), 403, "not_allowed")
    assert "Turnierleitung" in reason or name != "undo"
    assert_no(do(script_of(Role.DIRECTOR, other), event, name, names), 403, "not_allowed")
    assert_no(do(stranger, event, name, names), 401, "not_signed_in")
    # Cookies count for nothing.
    assert_no(do(Script(client=client), event, name, names), 401, "not_signed_in")
    for key in (None, "keiner"):
        reason = assert_no(do(script, event, name, names, key=key), 422, "bad_request")
        assert "Idempotency-Key" in reason
    assert f.fresh(event).version == version


@pytest.mark.parametrize("name", ["eliminate", "move", "check in", "withdraw", "undo"])
def test_what_belongs_to_another_tournament_is_out_of_reach(name, names):
    other = f.make_running_event(4, name="Nebenan")
    script = script_of(ACTS[name].role, other)
    assert_no(do(script, other, name, names), 404, "not_found")


@pytest.mark.parametrize("name", REFUSED)
def test_a_body_is_refused_by_name(name, event, names):
    version, script = f.fresh(event).version, script_of(ACTS[name].role, event)
    for body, code in REFUSED[name]:
        assert_no(do(script, event, name, names, body=body), 422, code)
    assert f.fresh(event).version == version


def test_what_is_no_json_is_said_to_be_none_and_a_key_is_good_for_one_request(event, director):
    path = f"/events/{event.slug}/clock/adjust"
    headers = {**director.headers, "Idempotency-Key": str(uuid4())}
    for raw, code in ((b"{", "bad_body"), (b"\xff\xfe", "bad_body"), (b"", "bad_request")):
        own = {"content_type": "application/json", "headers": headers}
        assert_no(director.client.post(BASE + path, raw, **own), 422, code)
    answer = director.client.put(BASE + path, headers=headers)
    assert_no(answer, 405, "wrong_method")
    assert answer.headers["Allow"] == "POST"
    key = uuid4()
    assert director.post(path, {"seconds": 60}, key=key).status_code == 200
    assert_no(director.post(path, {"seconds": 61}, key=key), 422, "key_reused")
    assert_no(director.post(f"/events/{event.slug}/clock/start", key=key), 422, "key_reused")


def test_a_person_is_registered_and_checked_in(event, director):
    path = f"/events/{event.slug}/registrations"
    made = director.post(path, {"name": "Petra Probst"}).json()
    assert not made["is_waiting"]
    row = Registration.objects.get(pk=made["registration"])
    assert (row.person.name, row.is_listed) == ("Petra Probst", False)
    told = director.post(f"{path}/{row.pk}/check-in").json()
    (entry,) = told["entries"]
    assert (told["table"], told["seat"]) == f.seat_of(row.entries.get(pk=entry))
    assert_no(director.post(f"{path}/999999/check-in"), 404, "not_found")


def test_several_go_out_in_one_hand_by_their_stacks_and_one_takes_back_what_one_did(event, arbiter):
    first, second = f.at_table(event, 1)[:2]
    elsewhere = {"entry": f.at_table(event, 2)[0].pk}
    path = f"/events/{event.slug}"
    outs = [{"entry": first.pk}, elsewhere]
    assert_no(arbiter.post(f"{path}/eliminations", {"outs": outs}), 422, "several_tables")
    outs = [{"entry": first.pk, "start_stack": 900}, {"entry": second.pk, "start_stack": 400}]
    told = arbiter.post(f"{path}/eliminations", {"outs": outs}).json()
    assert told["entries"] == [first.pk, second.pk]
    lines = arbiter.get(f"{path}/results").json()["items"][-2:]
    assert [line["place"] for line in lines] == [11, 12]
    assert lines[0]["name"] == first.registration.person.name
    done = told["action"]["id"]
    assert arbiter.post(f"{path}/log/{done}/undo").status_code == 200
    assert_no(arbiter.post(f"{path}/log/{done}/undo"), 422, "already_undone")


def test_an_out_told_late_names_its_hand_of_hand_for_hand(event, arbiter):
    entry = f.entries_of(event)[0]
    path = f"/events/{event.slug}/eliminations"
    told = {"outs": [{"entry": entry.pk}], "hand": 1}
    assert_no(arbiter.post(path, told), 422, "no_such_hand")
    f.drive(hand_for_hand_begin, event, 10)
    assert arbiter.post(path, told | {"hand": 0}).status_code == 200
    assert Elimination.objects.live().get(entry=entry).round.number == 0


def test_chips_are_sold_paid_and_lost_to_a_taker():
    event = buying.evening()
    loser, taker, other = f.entries_of(event)[:3]
    clerk, arbiter = script_of(Role.DESK, event), script_of(Role.ARBITER, event)
    f.drive(clock_pause, event, 1)
    entries = f"/events/{event.slug}/entries"

    def asked(script, path, body=None, kind=""):
        answer = script.post(f"{entries}/{path}", body)
        assert (answer.status_code, answer.json()["action"]["kind"]) == (200, kind)
        return answer.json()

    lost = arbiter.post(f"/events/{event.slug}/eliminations", {"outs": [{"entry": loser.pk}]})
    assert lost.status_code == 200
    asked(arbiter, f"{loser.pk}/takers", {"by": [taker.pk]}, "knockout.set")
    sold = asked(clerk, f"{loser.pk}/re-buy", {"pays": False}, "rebuy.bought")
    assert sold["entries"] == [loser.pk]
    person = f"/events/{event.slug}/registrations/{loser.registration_id}"
    owed = clerk.get(person).json()["open_cents"]
    assert owed == TERMS["fee_cents"] + TERMS["rebuy_cents"]
    assert clerk.post(f"{person}/pay", {"amount_cents": 500}).status_code == 200
    assert clerk.get(person).json()["open_cents"] == owed - 500
    assert clerk.post(f"{person}/pay", {"means": "cash"}).status_code == 200
    assert_no(clerk.post(f"{person}/pay", {}), 422, "already_paid")
    asked(clerk, f"{taker.pk}/add-on", {}, "addon.bought")
    assert_no(clerk.post(f"{entries}/{other.pk}/re-entry", {}), 422, "is_in")
    arbiter.post(f"/events/{event.slug}/eliminations", {"outs": [{"entry": other.pk}]})
    asked(arbiter, f"{other.pk}/no-re-buy", None, "rebuy.declined")
    back = asked(clerk, f"{other.pk}/re-entry", {"pays": True}, "entry.reentered")
    assert back["entries"] != [other.pk]
    assert_no(arbiter.post(f"{entries}/{taker.pk}/takers", {"by": []}), 404, "not_found")
    assert_no(arbiter.post(f"{entries}/{taker.pk}/re-buy", {}), 422, "no_drawer_given")
    assert_no(clerk.post(f"{entries}/{taker.pk}/re-buy", {"stack": -1}), 422, "bad_request")


def test_an_announcement_and_the_sentences_of_answers_have_their_language(event, director):
    path = f"/events/{event.slug}"
    director.post(f"{path}/announcements", {"text": "Five minutes.", "language": "en"})
    action = Action.objects.get(kind="announcement.made")
    assert (action.payload["has_voice"], action.payload["language"]) == (True, "en")
    assert_no(director.post(f"{path}/announcements", {"text": "x" * 201}), 422, "too_long")
    german = director.post(f"{path}/clock/pause").json()["reason"]
    english = director.post(f"{path}/clock/pause", **{"Accept-Language": "en"}).json()["reason"]
    assert german == "Die Uhr steht schon."
    assert english != german
