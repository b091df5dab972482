"""Ways to press what gives places, moves the line, takes a fee; before play and while it runs."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

from tests import factories as f
from tests.services.anybody import Anybody
from tests.services.presses_money import PRESSES_MONEY
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.arrivals import (
    noshows_blind,
    noshows_release,
    registration_arrive,
    registration_expect,
    registration_unsay,
)
from tournaments.door.services.confirming import (
    link_renew,
    registration_confirm,
    registrations_lapse,
)
from tournaments.door.services.registration import registrations_import
from tournaments.door.services.waiting_list import (
    line_move,
    offer_accept,
    offer_decline,
    offers_expire,
    place_give,
)
from tournaments.event.services.lifecycle import event_update
from tournaments.models import (
    Action,
    Mail,
    PlaceOffer,
    Registration,
    Table,
    Waiting,
)
from tournaments.post.services.mail import mail_resend
from tournaments.post.services.messages import message_send


class Visitor(Anybody):
    """Presses at one event before its start; the clock starts some time, and play goes on."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.minute = -180
        at = f.after(self.minute)
        self.event = f.make_event(
            seats=5,
            capacity=6,
            at=at,
            preset=rng.choice(["krru-3", "tda-2024"]),
            late_registration_level=9,
            no_show_minutes=5,
            fee_cents=1000,
            reserved_places=rng.choice([0, 1]),
            offer_minutes=rng.choice([0, 5, 30]),
            members_first_until=rng.choice([None, at + timedelta(hours=1)]),
        )
        people = [{"name": f"Person {number}", "email": "p@example.org"} for number in range(8)]
        registrations_import(Command(event=self.event, by=SYSTEM, at=at), people=people)


def _first(who: Anybody, model: type[Waiting] | type[PlaceOffer]) -> Registration | None:
    """Return somebody who waits or is asked; mostly one who does so still."""
    row = who.pick(model, **({} if who.one_in(5) else {"voided_by": None}))
    if row is None:
        return None
    return (row.waiting if isinstance(row, PlaceOffer) else row).registration


def _guest(who: Anybody) -> Registration | None:
    return who.pick(Registration, **({} if who.one_in(5) else {"voided_by": None}))


def _expect(who: Anybody) -> Action | None:
    later = f.after(max(0, who.minute) + who.rng.randrange(40))
    return who.call(registration_expect, registration=_guest(who), expected_at=later)


def _unsay(who: Anybody) -> Action | None:
    """A guest is here, or was, and takes it back."""
    guest = _guest(who)
    if who.one_in(2):
        who.call(registration_arrive, registration=guest)
    return who.call(registration_unsay, registration=guest)


def _wait_and(who: Anybody, service: Callable[..., Action]) -> Action | None:
    """Let some time pass, so that something may be due."""
    who.minute += who.rng.choice([0, 10, 30])
    return who.call(service)


def _set_places(who: Anybody) -> Action | None:
    name, values = who.rng.choice([
        ("capacity", range(5, 9)), ("reserved_places", range(3)), ("offer_minutes", (0, 5, 30)),
        ("no_show_minutes", (0, 5)),
    ])  # fmt: skip
    return who.call(event_update, settings={name: who.rng.choice(values)})


# What is pressed in the hall, too, while play runs.
PRESSES_PLACES: dict[str, Callable[[Anybody], Action | None]] = {
    **PRESSES_MONEY,
    "mail.resent": lambda who: who.call(
        mail_resend, mail=who.pick(Mail, "registration__event", sent_at=None)
    ),
    "message.sent": lambda who: who.call(
        message_send,
        text="Bitte kommen",
        **who.rng.choice(
            [
                {"entry": who.entry()},
                {"table": who.pick(Table)},
            ]
        ),
    ),
    "noshows.released": lambda who: _wait_and(who, noshows_release),
    "place.given": lambda who: who.call(place_give, registration=_first(who, Waiting)),
    "registration.arrived": lambda who: who.call(registration_arrive, registration=_guest(who)),
    "registration.expected": _expect,
    "registration.unsaid": _unsay,
    "registration.confirmed": lambda who: who.call(
        registration_confirm,
        registration=_guest(who),
        has_mailbox=who.rng.choice([True, False]),
    ),
    "registration.link_renewed": lambda who: who.call(
        link_renew, registration=_guest(who), token=f"{who.rng.getrandbits(128):032x}"
    ),
}
# What is pressed at the door alone.
PRESSES_DOOR: dict[str, Callable[[Anybody], Action | None]] = {
    "event.updated": _set_places,
    "line.moved": lambda who: _wait_and(who, line_move),
    "noshows.blinded": lambda who: _wait_and(who, noshows_blind),
    "offer.accepted": lambda who: who.call(offer_accept, registration=_first(who, PlaceOffer)),
    "offer.declined": lambda who: who.call(offer_decline, registration=_first(who, PlaceOffer)),
    "offers.expired": lambda who: _wait_and(who, offers_expire),
    "registrations.lapsed": lambda who: _wait_and(who, registrations_lapse),
}
