"""Big screens: codes, what a director changes, each refusal, each undo, what a screen tells."""

from datetime import timedelta
from uuid import uuid4

import pytest

from clock import realtime
from tests import factories as f
from tests.calling import call_service
from tests.services.dealing import free, move
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import log_first_fault
from tournaments.dashboard.selectors.due import DueKind, due_items
from tournaments.models import Action, Screen
from tournaments.people.selectors.people import names_shown
from tournaments.public.services.publishing import versions_of
from tournaments.screens.selectors.screens import (
    Alive,
    hall_moves,
    hall_places,
    hall_seating,
    screen_config,
    screen_pictures,
)
from tournaments.screens.services import screens as services
from tournaments.screens.services.screens import (
    screen_change,
    screen_claim,
    screen_make,
    screen_report,
    screen_retire,
    screen_undo,
)
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.services.tables import seats_swap, tables_redraw

pytestmark = [pytest.mark.django_db, pytest.mark.planned]


@pytest.fixture
def heard(monkeypatch):
    """Which screens' streams are open; nothing listens in a test without a server."""
    names = set()
    monkeypatch.setattr(realtime.hub, "is_heard", lambda name: name in names)
    return names


def do(service, here, /, *, by=SYSTEM, at=f.ARRIVAL, key=None, **own):
    return call_service(service, club=here.club, by=by, at=at, key=key, **own)


def make(event, secret="s1", at=f.ARRIVAL, asked_from=""):
    return screen_make(club=event.club, secret=secret, at=at, asked_from=asked_from)


def claimed(event, name="Beamer vorn", secret="s1"):
    screen = make(event, secret)
    do(screen_claim, event, code=screen.code, name=name, event=event)
    screen.refresh_from_db()
    return screen


def refused(why, service, here, /, **own):
    before = list(Screen.objects.order_by("pk").values())
    with pytest.raises(Refused) as caught:
        do(service, here, **own)
    assert caught.value.code == why
    assert str(caught.value).endswith((".", "?"))
    assert list(Screen.objects.order_by("pk").values()) == before


def logged(event, kind):
    action = Action.objects.select_related("text").latest("pk")
    assert action.kind == kind
    assert action.event is None
    assert "?" not in describe(action)
    assert log_first_fault(event.club) is None
    return action


def test_a_code_typed_as_it_may_be_read_claims_the_screen_once(event):
    screen = make(event)
    Screen.objects.update(code="0K4518")
    said = {"code": " ok4-SIB ", "name": "  Beamer   vorn ", "event": event, "key": uuid4()}
    by = f.sign_in("Dora", Role.DIRECTOR, event).actor
    first = do(screen_claim, event, **said, by=by)
    assert do(screen_claim, event, **said, by=by) == first
    screen.refresh_from_db()
    assert (screen.name, screen.event, screen.is_claimed) == ("Beamer vorn", event, True)
    config = screen_config(screen)
    assert (config["voice"], config["quiet"], config["language"]) == (True, False, "de")
    assert describe(logged(event, "screen.claimed")) == "Leinwand dazugenommen: Beamer vorn"


def test_what_claims_or_changes_no_screen_is_refused(event):
    screen, second = claimed(event), make(event, "s2").code
    for code, name, why in (
        ("", "Beamer", "no_code"),
        ("12345", "Beamer", "no_code"),
        ("1234567", "Beamer", "no_code"),
        ("ÄÖÜ!?x", "Beamer", "no_code"),
        ("000000", "Beamer", "unknown_code"),
        (screen.code, "Zwei", "claimed"),
        (second, "beamer VORN", "taken"),
        (second, " ", "no_name"),
    ):
        refused(why, screen_claim, event, code=code, name=name, event=event)
    for name, value in (
        ("shows", "fireworks"), ("volume", "101"), ("volume", "-1"), ("volume", "laut"),
        ("signal", "siren"), ("language", "fr"), ("secret_hash", "x"), ("theme", "pink"),
    ):  # fmt: skip
        refused("unknown_setting", screen_change, event, screen=screen, wanted={name: value})
    refused("gone", screen_change, event, screen=screen, wanted={"event": 999_999})
    same = {"shows": "clock", "volume": "80", "name": "Beamer vorn"}
    refused("no_change", screen_change, event, screen=screen, wanted=same)


def test_a_screen_hears_of_every_change_by_its_own_topic(
    event, monkeypatch, django_capture_on_commit_callbacks
):
    told = []
    monkeypatch.setattr(
        services, "publish", lambda topic, payload, **own: told.append((topic, own["id"], payload))
    )
    with django_capture_on_commit_callbacks(execute=True):
        screen = claimed(event)
        do(screen_change, event, screen=screen, wanted={"shows": "seating", "volume": "40"})
        do(screen_retire, event, screen=screen)
    assert [(topic, version) for topic, version, _payload in told] == [
        (f"screen-{screen.pk}", version) for version in (1, 2, 3)
    ]
    shown = [payload["screen"] for *_rest, payload in told]
    assert [screen["is_claimed"] for screen in shown] == [True, True, False]
    assert [screen["event"] for screen in shown] == [event.pk, event.pk, None]
    assert (shown[1]["shows"], shown[1]["volume"]) == ("seating", 40)
    assert "Beamer" not in str(told)


def test_a_change_is_taken_back_unless_overtaken(event):
    screen = claimed(event)
    wanted = {"name": "Beamer hinten", "shows": "places", "voice": False}
    first = do(screen_change, event, screen=screen, wanted=wanted)
    logged(event, "screen.changed")
    do(screen_undo, event, action=first)
    assert describe(logged(event, "screen.undone")).startswith("Zurückgenommen: ")
    screen.refresh_from_db()
    assert (screen.name, screen.shows, screen.settings["voice"]) == ("Beamer vorn", "clock", True)
    refused("already_undone", screen_undo, event, action=first)
    second = do(screen_change, event, screen=screen, wanted={"shows": "places"})
    do(screen_change, event, screen=screen, wanted={"shows": "moves"})
    refused("overtaken", screen_undo, event, action=second)


def test_claiming_and_retiring_are_taken_back(event):
    screen = claimed(event)
    claim = logged(event, "screen.claimed")
    retirement = do(screen_retire, event, screen=screen)
    logged(event, "screen.retired")
    meanwhile = claimed(event, secret="s2")
    refused("taken", screen_undo, event, action=retirement)
    do(screen_change, event, screen=meanwhile, wanted={"name": "Anders"})
    made = Action.objects.filter(kind="event.created").latest("pk")
    refused("gone", screen_undo, event, action=made)
    refused("overtaken", screen_undo, event, action=claim)
    refused("not_claimed", screen_retire, event, screen=screen)
    do(screen_undo, event, action=retirement)
    screen.refresh_from_db()
    assert screen.is_claimed
    do(screen_undo, event, action=claim)
    screen.refresh_from_db()
    assert not screen.is_claimed
    do(screen_claim, event, code=screen.code, name="Wieder da", event=event)
    screen.refresh_from_db()
    assert screen.is_claimed


def test_codes_that_nobody_typed_make_room(event, monkeypatch):
    monkeypatch.setattr(services, "MOST_UNCLAIMED", 3)
    kept = claimed(event, secret="kept")
    old = make(event, "old", f.ARRIVAL - timedelta(days=8))
    made = [
        make(event, f"new-{hours}", f.ARRIVAL + timedelta(hours=2 * hours)) for hours in range(5)
    ]
    assert not Screen.objects.filter(pk=old.pk).exists()
    left = set(Screen.objects.values_list("pk", flat=True))
    assert kept.pk in left
    assert made[-1].pk in left
    assert len(left) <= 4
    assert len({screen.code for screen in made}) == 5


def test_a_code_that_may_still_be_read_is_not_pushed_out(event, monkeypatch):
    """A stranger asks for hundreds; the projector's code stays good."""
    monkeypatch.setattr(services, "MOST_UNCLAIMED", 3)
    old = make(event, "projector", f.ARRIVAL - timedelta(hours=3))
    screen_report(screen=old, at=f.ARRIVAL, told={})
    make(event, "one", f.ARRIVAL)
    make(event, "two", f.ARRIVAL)
    with f.refused("too_many_screens"):
        make(event, "three", f.ARRIVAL)
    do(screen_claim, event, code=old.code, name="Beamer", event=event)


def test_where_all_are_read_the_address_that_asked_most_loses_its_oldest(event, monkeypatch):
    monkeypatch.setattr(services, "MOST_UNCLAIMED", 3)
    hall = make(event, "hall", f.ARRIVAL, "the hall")
    first, second = (make(event, secret, f.ARRIVAL, "a stranger") for secret in ("one", "two"))
    new = make(event, "new", f.ARRIVAL, "another hall")
    assert {hall, second, new} == set(Screen.objects.all())
    with f.refused("too_many_screens"):
        make(event, "newer", f.ARRIVAL, "a third hall")
    do(screen_claim, event, code=hall.code, name="Beamer", event=event)
    hall.refresh_from_db()
    assert hall.asked_from == ""
    assert first not in Screen.objects.all()


def test_two_screens_never_show_the_same_code(event, monkeypatch):
    codes = iter(["AAAAAA", "AAAAAA", "CCCCCC"])
    monkeypatch.setattr(services, "code_made", lambda choose: next(codes))
    assert (make(event, "a").code, make(event, "b").code) == ("AAAAAA", "CCCCCC")


def test_what_a_screen_tells_is_kept_and_nonsense_is_not(event):
    screen = make(event)
    told = {"sound": "blocked", "delay": "43", "visible": "0", "face": "seating"}
    screen_report(screen=screen, at=f.START, told=told)
    screen.refresh_from_db()
    assert (screen.sound_state, screen.delay_ms, screen.face) == ("blocked", 50, "seating")
    assert (screen.is_visible, screen.seen_at) == (False, f.START)
    nonsense = {"sound": "<b>", "delay": "9" * 30, "face": "x" * 400}
    screen_report(screen=screen, at=f.START, told=nonsense)
    screen.refresh_from_db()
    assert (screen.sound_state, screen.delay_ms, screen.face) == ("", None, "")
    screen_report(screen=screen, at=f.START, told={"delay": "99999"})
    assert screen.delay_ms == 5000


def test_a_silent_screen_and_one_without_sound_are_due(event, heard, monkeypatch):
    screen = claimed(event)
    now = f.START

    def due():
        items = due_items(event, now, advice=floor_advice(event, f.after(10)))
        return [item.title for item in items if item.kind is DueKind.SCREEN]

    assert due() == ["Leinwand meldet sich nicht: Beamer vorn"]
    screen_report(screen=screen, at=now - timedelta(seconds=59), told={})
    assert due() == []  # it polls: the stream does not get through to it
    screen_report(screen=screen, at=now - timedelta(seconds=61), told={"sound": "blocked"})
    assert due() == ["Leinwand meldet sich nicht: Beamer vorn"]
    heard.add(f"screen-{screen.pk}")
    assert due() == ["Leinwand ohne Ton: Beamer vorn"]
    do(screen_change, event, screen=screen, wanted={"quiet": True})
    assert due() == []
    monkeypatch.setattr("tournaments.screens.selectors.screens.topics_heard", lambda names: None)
    assert screen_pictures(event.club, now)[0].alive is Alive.UNKNOWN, "the bus is away"


def test_without_a_bus_the_database_tells_what_a_screen_has_come_to(event):
    screen = claimed(event)
    do(screen_change, event, screen=screen, wanted={"shows": "places"})
    found = versions_of([f"screen-{screen.pk}", f"event-{event.pk}", "screen-999"])
    assert found == {f"screen-{screen.pk}": 2, f"event-{event.pk}": f.fresh(event).version}


# What a screen shows of a hall


def test_the_hall_reads_first_names_if_the_club_wants_else_those_of_the_results(
    django_assert_num_queries,
):
    event = f.make_event()
    people = (("Petra Probst", False), ("Anna Gruber", True), ("Petra Pichler", False))
    for name, is_listed in people:
        f.check_in(event, f.register(event, name, is_listed=is_listed))
    with django_assert_num_queries(2):
        rows = hall_seating(event)
    assert [name for name, _table, _seat in rows] == ["Anna G.", "Petra Pi.", "Petra Pr."]
    event.club.has_hall_names = False
    assert [row[0] for row in hall_seating(event)] == ["Anna Gruber", "PP 2", "PP 1"]


def in_hall(entry):
    return names_shown(entry.event, in_hall=True)[entry.registration_id]


def test_moves_tell_from_where_and_first_seats_are_none(django_assert_max_num_queries):
    event = f.make_running_event(20)
    entry = f.at_table(event, 1)[0]
    assert hall_moves(event) == []
    f.out(event, f.at_table(event, 2)[0])
    before = f.seat_of(entry)
    to = free(event, 2)
    move(event, entry, 10)
    with django_assert_max_num_queries(4):
        rows = hall_moves(event)
    when = int(f.after(10).timestamp() * 1000)
    assert rows == [[when, in_hall(entry), *before, 2, to]]
    f.undo(event)
    assert hall_moves(event) == []


def test_a_swap_and_a_redraw_are_among_the_latest_moves():
    event = f.make_running_event(20)
    one, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    first, second = in_hall(one), in_hall(other)
    was = f.seats(event)
    f.drive(seats_swap, event, 10, first=one, second=other, reason="saßen falsch")
    assert {tuple(row[1:]) for row in hall_moves(event)} == {
        (first, *was[one.pk], *was[other.pk]),
        (second, *was[other.pk], *was[one.pk]),
    }
    for number in (1, 2):
        f.out(event, *f.at_table(event, number)[:5])
    before = f.seats(event)
    f.drive(tables_redraw, event, 20)
    moved = {entry for entry, seat in f.seats(event).items() if before[entry] != seat}
    assert moved
    assert len(hall_moves(event)) >= len(moved)


def test_places_are_those_of_the_results():
    event = f.make_running_event(10)
    first, second, third = f.entries_of(event)[:3]
    f.out(event, first)
    f.out(event, second, third, at=f.after(9))
    rows = hall_places(event)
    names = [in_hall(entry) for entry in (second, third, first)]
    assert rows == [[8, names[0]], [8, names[1]], [10, names[2]]]
