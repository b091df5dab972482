"""Staff devices: links, signing in and out, grants withdrawn; the club's own settings."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import (
    SYSTEM,
    Actor,
    Role,
    actor_of,
    device_of,
    roles_of,
    roles_that_may,
)
from tournaments.changes.audit import services
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.club.services.staff import (
    device_revoke,
    device_sign_in,
    director_link_create,
    link_make,
)
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action, Club, SignInLink, StaffDevice

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return f.house()


def sign_in(club, link, device_token="secret", at=f.ARRIVAL, **own):
    return call_service(
        device_sign_in,
        club=club,
        by=f.ZENO,
        at=at,
        token=link,
        device_token=device_token,
        **{"name": "Handy", **own},
    )


def make_link(club, token="link", role=Role.ARBITER, by=SYSTEM, at=f.ARRIVAL, **own):
    return call_service(link_make, club=club, by=by, at=at, token=token, role=role, **own)


def logged(club, kind):
    action = Action.objects.filter(event=None).latest("sequence")
    assert action.kind == kind
    assert log_first_fault(Club.objects.get(pk=club.pk)) is None
    return action


def test_the_directors_link_works_once_for_a_quarter_of_an_hour(club):
    first, token = director_link_create(at=f.ARRIVAL), director_link_create(at=f.ARRIVAL)
    with f.refused("link_dead"):
        sign_in(club, first)  # both may stand in a journal that others read
    with f.refused("link_dead"):
        sign_in(club, token, at=f.ARRIVAL + timedelta(minutes=15))
    sign_in(club, token, at=f.ARRIVAL + timedelta(minutes=14))
    device = device_of("secret")
    assert actor_of(device, None).role == Role.DIRECTOR
    logged(club, "staff.signed_in")
    for used in (token, "erfunden"):
        with f.refused("link_dead"):
            sign_in(club, used, "another")
    assert SignInLink.objects.latest("pk").token == ""


def test_the_arbiters_code_works_for_many_until_a_new_one_is_shown(club):
    event = f.make_running_event()
    make_link(club, "code", event=event)
    with f.refused("no_name"):
        sign_in(club, "code", name="  ")
    sign_in(club, "code", "one")
    sign_in(club, "code", "two")
    make_link(club, "neu", event=event)
    with f.refused("link_dead"):
        sign_in(club, "code", "three")
    assert StaffDevice.objects.count() == 2
    f.drive(event_end, event, 2)
    with f.refused("link_dead") as caught:
        sign_in(club, "neu", "three")
    assert str(caught.value) == "Das Turnier ist zu Ende."


def test_a_grant_is_for_one_event(club):
    event, other = f.make_event(), f.make_event(name="Anderes")
    arno = f.make_arno(event)
    assert roles_of(arno.device, event) == {Role.ARBITER}
    assert roles_of(arno.device, other) == frozenset()
    assert actor_of(arno.device, other).role == Role.VISITOR


def test_a_known_device_gets_a_further_role_and_acts_as_the_highest(club):
    event = f.make_event()
    arno = f.sign_in("Arnos Handy", Role.ARBITER, event)
    device = arno.actor.device
    make_link(club, "leitung", Role.DIRECTOR, event=event)
    sign_in(club, "leitung", "second", known_token=arno.token)
    assert StaffDevice.objects.count() == 1
    assert actor_of(device, event).role == Role.DIRECTOR
    assert device_of(arno.token) is None
    sign_in(club, "leitung", "third", known_token="second")
    assert device.grants.count() == 2
    assert device_of("third") == device


def test_links_are_for_roles_of_staff_and_made_by_directors(club):
    with f.refused("unknown_role"):
        make_link(club, role="player")
    arno = f.make_arno()
    for who in (f.ZENO, arno):
        with f.refused("not_allowed"):
            make_link(club, by=who)
    make_link(club, by=f.make_dora())


def test_a_device_is_revoked_by_the_director_but_not_by_itself(club):
    dora, arno = f.make_dora(), f.make_arno()
    with f.refused("not_allowed"):
        device_revoke(ClubCommand(club=club, by=arno, at=f.START), device=dora.device)
    device_revoke(ClubCommand(club=club, by=dora, at=f.START), device=arno.device)
    logged(club, "staff.revoked")
    assert actor_of(arno.device, None).role == Role.VISITOR
    with f.refused("already_revoked"):
        device_revoke(ClubCommand(club=club, by=dora, at=f.START), device=arno.device)
    with f.refused("own_device"):
        device_revoke(ClubCommand(club=club, by=dora, at=f.START), device=dora.device)


# --- Who may do what in play and seating: a table of roles, each refused the rest in a sentence


LEADS = {Role.DIRECTOR, Role.SYSTEM}
ARBITERS = LEADS | {Role.ARBITER}
DESK = LEADS | {Role.DESK}
STAFF = ARBITERS | DESK

MAY = {
    # KRRU 3: people are moved, disqualified and placed by the director alone.
    "seat.moved": LEADS,
    "seats.swapped": LEADS,
    "seat.balanced": LEADS,
    "seats.balanced": LEADS,
    "seat.locked": LEADS,
    "table.opened": LEADS,
    "table.broken": LEADS,
    "table.halted": LEADS,
    "tables.redrawn": LEADS,
    "final_table.drawn": LEADS,
    "seats.drawn": LEADS,
    "entry.disqualified": LEADS,
    "out.disqualified": LEADS,
    "place.overruled": LEADS,
    "hand_for_hand.begun": LEADS,
    "hand_for_hand.ended": LEADS,
    "round.released": LEADS,
    "money.reached": LEADS,
    "clock_call.started": ARBITERS,
    "dealer.drawn": ARBITERS,
    "dealers.drawn": ARBITERS,
    "seats.drawn_by_cards": ARBITERS,
    "table.reported": ARBITERS,
    "heads.checked": ARBITERS,
    "button.marked": ARBITERS,
    "knockout.set": ARBITERS,
    "elimination.corrected": ARBITERS,
    "penalty.given": ARBITERS,
    "keep_apart.wished": DESK,
    "entry.left": STAFF,
    "seating.arrived": STAFF | {Role.PLAYER},
}


@pytest.mark.parametrize("kind", MAY)
def test_who_may(kind):
    event, service = f.make_event(), services()[kind]
    assert roles_that_may(service.permission) == MAY[kind]
    for role in set(Role) - MAY[kind]:
        with f.refused("not_allowed", event):
            service(Command(event=event, by=Actor(role=role), at=f.START))
