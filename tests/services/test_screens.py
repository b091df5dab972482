"""Big screens: codes, what a director changes, each refusal, each undo, what a screen tells."""

from datetime import timedelta
from uuid import uuid4

import pytest

from clock import realtime
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.domain.errors import Refused
from tournaments.changes.selectors.log import describe, log_first_fault
from tournaments.dashboard.selectors.due import DueKind, due_items
from tournaments.models import Action, Screen
from tournaments.public.services.publishing import versions_of
from tournaments.screens.selectors.screens import Alive, screen_config, screen_pictures
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

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_event()


@pytest.fixture
def heard(monkeypatch):
    """Which screens' streams are open; nothing listens in a test without a server."""
    names = set()
    monkeypatch.setattr(realtime.hub, "is_heard", lambda name: name in names)
    return names


def do(service, here, /, *, by=SYSTEM, at=f.ARRIVAL, key=None, **own):
    return call_service(service, club=here.club, by=by, at=at, key=key, **own)


def make(event, secret="s1", at=f.ARRIVAL):
    return screen_make(club=event.club, secret=secret, at=at)


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


def test_a_code_typed_as_it_may_be_read_claims_the_screen(event):
    screen = make(event)
    Screen.objects.update(code="0K4518")
    do(screen_claim, event, code=" ok4-SIB ", name="  Beamer   vorn ", event=event)
    screen.refresh_from_db()
    assert (screen.name, screen.event, screen.is_claimed) == ("Beamer vorn", event, True)
    assert describe(logged(event, "screen.claimed")) == "Leinwand dazugenommen: Beamer vorn"


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


@pytest.mark.parametrize("typed", ["", "12345", "1234567", "ÄÖÜ!?x"])
def test_what_cannot_be_a_code_is_refused(event, typed):
    refused("no_code", screen_claim, event, code=typed, name="Beamer", event=event)


def test_a_code_that_no_screen_shows_is_refused(event):
    refused("unknown_code", screen_claim, event, code="000000", name="Beamer", event=event)


def test_a_screen_is_claimed_once_and_needs_a_name_of_its_own(event):
    first = claimed(event)
    second = make(event, "s2")
    refused("claimed", screen_claim, event, code=first.code, name="Zwei", event=event)
    refused("taken", screen_claim, event, code=second.code, name="beamer VORN", event=event)
    refused("no_name", screen_claim, event, code=second.code, name=" ", event=event)


def test_the_same_request_twice_claims_once(event):
    screen = make(event)
    key, by = uuid4(), f.make_dora()
    said = {"code": screen.code, "name": "Beamer", "event": event, "key": key, "by": by}
    assert do(screen_claim, event, **said) == do(screen_claim, event, **said)


@pytest.mark.parametrize("make_actor", [f.make_arno, f.make_desk, lambda: f.ZENO])
def test_only_directors_direct_screens(event, make_actor):
    screen = claimed(event)
    by = make_actor()
    refused("not_allowed", screen_change, event, screen=screen, wanted={"shows": "places"}, by=by)
    refused("not_allowed", screen_retire, event, screen=screen, by=by)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("shows", "fireworks"), ("volume", "101"), ("volume", "-1"), ("volume", "laut"),
        ("signal", "siren"), ("language", "fr"), ("secret_hash", "x"), ("theme", "pink"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_refused(event, name, value):
    screen = claimed(event)
    refused("unknown_setting", screen_change, event, screen=screen, wanted={name: value})


def test_a_change_that_changes_nothing_is_refused(event):
    screen = claimed(event)
    wanted = {"shows": "clock", "volume": "80", "name": "Beamer vorn"}
    refused("no_change", screen_change, event, screen=screen, wanted=wanted)


def test_a_screen_is_pointed_at_events_of_its_club_alone(event):
    screen = claimed(event)
    other = f.make_event(name="Samstagsturnier")
    do(screen_change, event, screen=screen, wanted={"event": other.pk})
    screen.refresh_from_db()
    assert screen.event == other
    refused("gone", screen_change, event, screen=screen, wanted={"event": 999_999})


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


def test_a_name_taken_meanwhile_stands_in_the_way_of_an_undo(event):
    retirement = do(screen_retire, event, screen=claimed(event))
    claimed(event, secret="s2")
    refused("taken", screen_undo, event, action=retirement)


def test_nothing_else_is_taken_back_here(event):
    other = Action.objects.filter(kind="event.created").latest("pk")
    refused("gone", screen_undo, event, action=other)


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


def test_a_silent_screen_and_one_without_sound_are_due(event, heard):
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


def test_nobody_can_tell_when_the_bus_is_away(event, monkeypatch):
    claimed(event)
    monkeypatch.setattr("tournaments.screens.selectors.screens.topics_heard", lambda names: None)
    assert screen_pictures(event.club, f.START)[0].alive is Alive.UNKNOWN


def test_settings_have_their_usual_values(event):
    config = screen_config(claimed(event))
    assert (config["voice"], config["quiet"], config["language"]) == (True, False, "de")


def test_a_director_of_the_event_may(event):
    dora = f.sign_in("Dora", Role.DIRECTOR, event).actor
    screen = make(event)
    do(screen_claim, event, code=screen.code, name="Beamer", event=event, by=dora)
    assert logged(event, "screen.claimed").role == "director"


def test_without_a_bus_the_database_tells_what_a_screen_has_come_to(event):
    screen = claimed(event)
    do(screen_change, event, screen=screen, wanted={"shows": "places"})
    found = versions_of([f"screen-{screen.pk}", f"event-{event.pk}", "screen-999"])
    assert found == {f"screen-{screen.pk}": 2, f"event-{event.pk}": f.fresh(event).version}
