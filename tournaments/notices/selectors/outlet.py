"""The channels of a club: which it has, and the codes that lead to them. Reads only."""

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext_lazy as _

from krru.background.mailing import sends_mail
from krru.data.sealing import unseal
from krru.web.webpush import public_text
from tournaments.models import Club, Event, Outlet, Registration, StaffDevice
from tournaments.notices.domain.notices import Channel, NoticeKind

KIND_LABELS = {
    NoticeKind.LINE: _("Platz von der Warteliste"),
    NoticeKind.SEAT: _("Tisch und Platz"),
    NoticeKind.MOVE: _("Umzug"),
    NoticeKind.REBUY: _("Platz wird für einen Re-buy gehalten"),
    NoticeKind.BAG: _("Sack versiegelt"),
    NoticeKind.DAY2: _("Platz am nächsten Tag"),
    NoticeKind.PRIZE: _("Preis liegt bereit"),
    NoticeKind.NEWS: _("Nachrichten der Turnierleitung"),
}
CHANNEL_LABELS = {
    Channel.PUSH: _("Auf diesem Handy"),
    Channel.TELEGRAM: _("Telegram"),
    Channel.MAIL: _("E-Mail"),
}
CODE_LENGTH = 32


def outlet_of(club: Club) -> Outlet:
    """Return the club's keys, unsaved if it has none."""
    return Outlet.objects.filter(club=club).first() or Outlet(club=club)


def push_key(outlet: Outlet) -> str:
    """Return the public key for browsers; empty without https, which they ask for."""
    own = unseal(outlet.push_sealed)
    is_secure = settings.PUBLIC is not None and settings.PUBLIC.is_https
    return public_text(own) if own and is_secure else ""


def channels_of(outlet: Outlet, registration: Registration | None) -> list[Channel]:
    """Return the channels by which this club can tell a player, or an arbiter's device."""
    has_address = registration is not None and registration.email and registration.is_mail_proven
    there = {
        Channel.PUSH: bool(push_key(outlet)),
        Channel.TELEGRAM: bool(outlet.bot),
        Channel.MAIL: bool(has_address) and sends_mail(),
    }
    return [channel for channel, is_there in there.items() if is_there]


def _proof(purpose: str, secret: str) -> str:
    return salted_hmac(f"krru.notices.{purpose}", secret, algorithm="sha256").hexdigest()[
        :CODE_LENGTH
    ]


def player_code(registration: Registration) -> str:
    """Return the code by which a chat with the bot becomes a player's; a new link ends it."""
    return f"p-{registration.pk}-{_proof('player', f'{registration.pk}:{registration.link_hash}')}"


def device_code(event: Event, device: StaffDevice) -> str:
    """Return the code by which a chat becomes an arbiter's at this event."""
    proof = _proof("device", f"{event.pk}:{device.pk}:{device.token_hash}")
    return f"d-{event.pk}-{device.pk}-{proof}"


def whose_code(code: str) -> Registration | tuple[Event, StaffDevice] | None:
    """Return who a code belongs to; None if it is not, or no longer, valid."""
    kind, *numbers, _last = [*code.split("-"), ""][:-1] if "-" in code else ["", ""]
    if not all(one.isdecimal() and len(one) < 19 for one in numbers):
        return None
    if kind == "p" and len(numbers) == 1:
        rows = Registration.objects.select_related("event__club", "person")
        row = rows.filter(pk=numbers[0], voided_by=None).first()
        return row if row and constant_time_compare(code, player_code(row)) else None
    if kind == "d" and len(numbers) == 2:
        event = Event.objects.filter(pk=numbers[0]).first()
        device = StaffDevice.objects.filter(pk=numbers[1]).first()
        if event and device and constant_time_compare(code, device_code(event, device)):
            return event, device
    return None
