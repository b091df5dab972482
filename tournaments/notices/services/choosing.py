"""Choose what is told by which channel: a player on the own page, an arbiter for tables."""

import json
from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from krru.data.sealing import seal, unseal
from krru.web.webpush import new_key
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.door.services.registration import live_registration
from tournaments.models import Listener, Outlet, Reading, Registration, StaffDevice
from tournaments.notices.domain.notices import NOT_BY_MAIL, Channel, NoticeKind
from tournaments.notices.domain.telegram import TOKEN

PURPOSE = "notices"
MOST_TABLES = 60

NOTICES_CHOSEN = Kind(
    "notices.chosen",
    lazy("Nachrichten gewählt: %(name)s"),
    Group.PEOPLE,
    is_quiet=True,
    is_of_person=True,
    irrevocable=lazy("Was gemeldet wird, wählt man dort, wo es gemeldet wird."),
)


@service(NOTICES_CHOSEN, Permission.CONFIRM_SEAT, after_the_end=True)
def notices_choose(
    change: Change,
    *,
    channel: str,
    kinds: Collection[str],
    registration: Registration | None = None,
    address: str = "",
    tables: Collection[int] = (),
) -> None:
    """Tell a player, or the device itself, of these kinds by a channel; of none to end it.

    :param address: The channel's own address as JSON; empty to keep the one known.
    """
    if channel not in set(Channel) or not set(kinds) <= set(NoticeKind):
        raise Refused(_("Diese Auswahl gibt es nicht."), code="unknown")
    if not all(number > 0 for number in tables) or len(tables) > MOST_TABLES:
        raise Refused(_("Diese Tische gibt es nicht."), code="bad_tables")
    owner = _owner(change, registration)
    row = Listener.objects.filter(event=change.event, channel=channel, **owner).first()
    change.record(channel=channel, kinds=sorted(kinds))
    if not kinds:
        if row is not None:
            row.delete()
        return
    if row is None:
        if not address and channel != Channel.MAIL:
            raise Refused(_("Dieses Gerät ist noch nicht verbunden."), code="no_address")
        row = Listener(event=change.event, channel=channel, made_at=change.at, **owner)
    if address:
        row.address = json.loads(address)
    row.kinds, row.tables = sorted(kinds), sorted(tables)
    if channel == Channel.MAIL:
        row.kinds = sorted(set(kinds) - NOT_BY_MAIL)
    row.language = registration.language if registration is not None else "de"
    row.save()
    # What was told before is not told again.
    Reading.objects.get_or_create(
        purpose=PURPOSE, event=change.event, defaults={"sequence": change.action.sequence}
    )


def _owner(
    change: Change, registration: Registration | None
) -> dict[str, Registration | StaffDevice]:
    if registration is None:
        device = change.by.device
        if device is None:
            raise Refused(_("Das ist nicht dein Gerät."), code="not_yours")
        change.record(listener=device.pk)
        change.tell(name=device.name)
        return {"device": device}
    return {"registration": live_registration(change, registration)}


OUTLET_SET = Kind(
    "outlet.set",
    lazy("Bot für Nachrichten eingetragen"),
    Group.CLUB,
    outcomes={"none": lazy("Bot für Nachrichten entfernt")},
    irrevocable=lazy("Ein anderer Bot lässt sich jederzeit eintragen."),
)


@club_service(OUTLET_SET, Permission.MANAGE)
def outlet_set(change: Change, *, token: str, name: str = "") -> None:
    """Set the club's Telegram bot, or remove it; chats of another bot end."""
    if token and not TOKEN.fullmatch(token):
        raise Refused(
            _("Das ist kein Token eines Bots, wie BotFather es schreibt."),
            code="bad_token",
        )
    row, _made = Outlet.objects.get_or_create(club=change.club)
    if token != row.bot:
        rows = Listener.objects.filter(event__club=change.club, channel=Channel.TELEGRAM)
        rows.delete()
        row.bot_offset = 0
    row.bot_sealed, row.bot_name = seal(token), name if token else ""
    row.save(update_fields=["bot_sealed", "bot_name", "bot_offset"])
    change.record(outcome="set" if token else "none")


def push_key_ensure(outlet: Outlet) -> Outlet:
    """Make the club's key for web push if it has none that opens here.

    Browsers subscribed to another key are told nothing any more.
    """
    if unseal(outlet.push_sealed):
        return outlet
    if outlet._state.adding:
        outlet, _made = Outlet.objects.get_or_create(club=outlet.club)
    mine = Outlet.objects.filter(pk=outlet.pk, push_sealed=outlet.push_sealed)
    if mine.update(push_sealed=seal(new_key())):
        rows = Listener.objects.filter(event__club=outlet.club_id, channel=Channel.PUSH)
        rows.delete()
    outlet.refresh_from_db()
    return outlet
