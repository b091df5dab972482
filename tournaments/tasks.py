"""Work that is due at an instant: woken by the schedule, stamped with the instant it was due.

Mail too: rows of an outbox. And what is kept for a time only is erased when it is over.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial

from celery import shared_task

from clock.servertime import server_time
from krru.background.mailing import base_url, sends_mail
from tournaments.cashgame.selectors.books import events_with_cash_end_near
from tournaments.cashgame.selectors.line import events_with_cash_offers_due, offers_lapsed
from tournaments.cashgame.services.hands import cash_end_call
from tournaments.cashgame.services.line import cash_offers_lapse
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command, keys_forget
from tournaments.changes.domain.errors import Refused
from tournaments.door.selectors.places import (
    deadline_of,
    events_with_places_due,
    noshow_instants,
    noshows,
    offers_expired,
    unconfirmed,
)
from tournaments.door.services.arrivals import noshows_settle
from tournaments.door.services.confirming import registrations_lapse
from tournaments.door.services.waiting_list import line_move, offers_expire
from tournaments.event.selectors.clock import (
    CALL_BEFORE,
    events_to_call,
    events_to_start,
    was_planned,
)
from tournaments.event.services.clock import clock_start, start_called
from tournaments.imports.uploads import uploads_clear
from tournaments.models import Action, Club, Event
from tournaments.notices.services.bot import bot_listen
from tournaments.notices.services.gathering import notices_gather
from tournaments.notices.services.hooks import deliveries_forget, hooks_gather, hooks_send
from tournaments.notices.services.sending import BATCH, notices_forget, notices_send
from tournaments.play.services.rebuy_chances import rebuys_lapse, wishes_lapse
from tournaments.post.services.mail import mails_forget, mails_send
from tournaments.practice.selectors.rehearsal import plays_due
from tournaments.practice.services.self_play import evening_play_on
from tournaments.privacy.services.privacy import contacts_erase
from tournaments.rebuys.selectors.offers import (
    chances_lapsed,
    events_with_chances_due,
    wishes_lapsed,
)

logger = logging.getLogger(__name__)


@shared_task
def clocks_start() -> None:
    """Start the clocks that were to start by themselves: at the instant planned, however late."""
    now = server_time.now()
    for event in events_to_start(now):
        try:
            clock_start(Command(event=event, by=SYSTEM, at=event.starts_at, recorded_at=now))
        except Refused as refusal:
            logger.info("Die Uhr von %s startet nicht von selbst: %s", event.slug, refusal)


@shared_task
def places_due() -> None:
    """Pass on places whose time is up: offers not taken, people who never came."""
    now = server_time.now()
    for event in events_with_places_due(now):
        if event.members_first_until is not None and event.members_first_until <= now:
            _due(line_move, event, event.members_first_until, now)
        for deadline in sorted({deadline_of(offer) for offer in offers_expired(event, now)}):
            _due(offers_expire, event, deadline, now)
        if unconfirmed(event, now):
            _due(registrations_lapse, event, now, now)
        for instant in noshow_instants(event, now):
            if noshows(event, instant, by_itself=True):
                _due(noshows_settle, event, instant, now)


@shared_task
def rebuys_due() -> None:
    """Put out players whose held seat expired, and end lapsed requests. A second run finds none."""
    now = server_time.now()
    for event in events_with_chances_due(now):
        for chance in chances_lapsed(event, now)[:1]:
            _due(rebuys_lapse, event, chance.until, now)
        if chances_lapsed(event, now):
            _due(rebuys_lapse, event, now, now)
        if wishes_lapsed(event, now):
            _due(wishes_lapse, event, now, now)


@shared_task
def cash_offers_due() -> None:
    """Offer seats of cash tables to the next where an offer lapsed; say that the end is near."""
    now = server_time.now()
    for event in events_with_cash_end_near(now):
        _due(cash_end_call, event, now, now)
    for event in events_with_cash_offers_due(now):
        _due(cash_offers_lapse, event, offers_lapsed(event, now)[-1].until, now)


@shared_task
def mails_due() -> None:
    """Send the mails that are due. Two workers at once never take the same one.

    Without a mail server they wait: one that is set later sends those that are not too old.
    """
    if sends_mail():
        mails_send(now=server_time.now(), base=base_url())


@shared_task
def notices_due() -> None:
    """Write the notices of what was logged since, and send what is due."""
    now = server_time.now()
    notices_gather(now)
    while notices_send(now=now, base=base_url()) >= BATCH:
        now = server_time.now()


@shared_task
def hooks_due() -> None:
    """Tell the club's webhooks what was logged since."""
    now = server_time.now()
    hooks_gather(now)
    hooks_send(now=now)


def bot_ask() -> None:
    """Wait for messages to the club's bot. Asked again and again by a thread."""
    bot_listen(server_time.now())


@shared_task
def privacy_due() -> None:
    """Erase addresses, mails and files whose time is up. A second run finds nothing to do."""
    now = server_time.now()
    notices_forget(now=now)
    deliveries_forget(now=now)
    uploads_clear(now)
    mails_forget(now=now)
    keys_forget(now)
    for club in Club.objects.filter(erase_contacts_days__gt=0):
        with suppress(Refused):
            contacts_erase(ClubCommand(club=club, by=SYSTEM, at=now))


def _due(act: Callable[[Command], Action], event: Event, at: datetime, now: datetime) -> None:
    with suppress(Refused):  # somebody else was quicker
        act(Command(event=event, by=SYSTEM, at=at, recorded_at=now))


@shared_task
def starts_call() -> None:
    """Write down the five-minute calls that are due: the screens have made them by themselves."""
    now = server_time.now()
    for event in events_to_call(now):
        due_at = event.starts_at - CALL_BEFORE
        if was_planned(event, due_at):
            _due(partial(start_called, starts_at=event.starts_at), event, due_at, now)


@shared_task
def rehearsals_play() -> None:
    """Play the rehearsals that play themselves a second further."""
    for play in plays_due():
        try:
            evening_play_on(play.event, at=server_time.now(), speed=play.speed)
        except (Refused, Event.DoesNotExist) as refusal:
            # Somebody was quicker: the next second finds the evening as it is then.
            logger.info("%s spielt gerade nicht weiter: %s", play.event.slug, refusal)
