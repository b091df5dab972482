"""Who listens in tests of notices, and a run of the worker."""

import json

from krru.web.webpush import subscription_from
from tests import factories as f
from tests.calling import call_service
from tournaments.notices.domain.notices import Channel, NoticeKind
from tournaments.notices.selectors.outlet import outlet_of, push_key
from tournaments.notices.services.choosing import notices_choose, push_key_ensure
from tournaments.notices.services.gathering import notices_gather
from tournaments.notices.services.sending import notices_send

BASE = "https://club.test"
ALL = [str(kind) for kind in NoticeKind]


def listen(registration, channel, address, minute=0, kinds=ALL):
    call_service(
        notices_choose,
        event=registration.event,
        by=f.petra_of(registration),
        at=f.after(minute),
        registration=registration,
        channel=channel,
        kinds=kinds,
        address=json.dumps(address) if isinstance(address, dict) else address,
    )


def by_push(registration, pushes, minute=0, **own):
    outlet = push_key_ensure(outlet_of(registration.event.club))
    found = subscription_from(pushes.subscribe(push_key(outlet)))
    told = {"endpoint": found.endpoint, "p256dh": found.p256dh, "auth": found.auth}
    listen(registration, Channel.PUSH, told, minute, **own)


def by_bot(registration, chat, minute=0, **own):
    listen(registration, Channel.TELEGRAM, {"chat": chat}, minute, **own)


def run(minute):
    """Run the task twice, as it comes again."""
    for second in (0.0, 0.05):
        notices_gather(f.after(minute + second))
        notices_send(now=f.after(minute + second), base=BASE)
