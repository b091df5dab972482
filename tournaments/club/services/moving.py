"""Renew secrets after the data moved to another machine.

A backup without a passphrase holds no secret of the installation, so sealed data cannot be opened
elsewhere. They are replaced, so that play can go on.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as lazy

from krru.data.sealing import seal, unseal
from tournaments.changes.access import SYSTEM, Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.commands import ClubCommand
from tournaments.changes.kinds import Group, Kind
from tournaments.event.domain.promise import commitment
from tournaments.models import (
    Club,
    Draw,
    Event,
    Grant,
    Registration,
    SignInLink,
    StaffDevice,
    link_columns,
)

MARK = "krru"
BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Signed-out devices, and tournaments with lost secrets of earlier draws."""

    devices: int
    promised: int


CLUB_MOVED = Kind(
    "club.moved",
    lazy("Auf einem anderen Gerät weitergeführt; alle Geräte sind abgemeldet"),
    Group.CLUB,
    irrevocable=lazy("Die Geräte melden sich mit neuen Zugängen wieder an."),
)


@club_service(CLUB_MOVED, Permission.MANAGE)
def club_moved(change: Change) -> None:
    """Sign out every device and renew secrets that cannot be opened here.

    A personal link already sent still opens its page; slips and mails get a new one. Earlier draws
    keep their sealed secret, lost if it cannot be opened, and every open tournament commits to a
    new secret.
    """
    club = change.club
    grants = Grant.objects.filter(device__club=club, revoked_at__isnull=True)
    devices = grants.values("device").distinct().count()
    grants.update(revoked_at=change.at)
    for device in StaffDevice.objects.filter(club=club).only("pk"):
        device.token_hash = secrets.token_hex(32)
        device.save(update_fields=["token_hash"])
    SignInLink.objects.filter(club=club, revoked_at=None).update(revoked_at=change.at)
    promised = [] if _opens_here(club) else _sealed_anew(change, club)
    change.set(sealed_mark=seal(MARK))
    change.record(devices=devices, promised=promised)


def _opens_here(club: Club) -> bool:
    return unseal(club.sealed_mark) == MARK


def _sealed_anew(change: Change, club: Club) -> list[list[int | str]]:
    """Renew links and secrets that cannot be opened; return the new commitments by event."""
    promised: list[list[int | str]] = []
    for event in Event.objects.filter(club=club).order_by("pk"):
        if event.draw_secret:
            continue
        Draw.objects.filter(event=event, sealed="").update(sealed=event.draw_sealed)
        event.draw_secret = secrets.token_hex(32)
        # A hall number must be newer than its secret.
        Event.objects.filter(pk=event.pk).update(draw_sealed=event.draw_sealed, hall_number="")
        promised.append([event.pk, commitment(event.draw_secret)])
    rows = [
        row for row in Registration.objects.filter(event__club=club) if not unseal(row.link_sealed)
    ]
    for row in rows:
        known = row.link_hash
        row.link_token = secrets.token_urlsafe(18)
        row.former_link_hash = known
    Registration.objects.bulk_update(rows, [*link_columns("")], batch_size=BATCH)
    return promised


def has_moved() -> bool:
    """Tell whether a club's sealed columns cannot be opened here."""
    return any(not _opens_here(club) for club in Club.objects.exclude(sealed_mark=""))


def settle_in(*, at: datetime, is_elsewhere: bool) -> Moved | None:
    """Renew secrets if the data were moved here; None if they were not.

    :param is_elsewhere: It is known that they come from another machine, though the secret did too.
    """
    found = None
    for club in Club.objects.order_by("pk"):
        if not club.sealed_mark:
            Club.objects.filter(pk=club.pk).update(sealed_mark=seal(MARK))
        elif is_elsewhere or not _opens_here(club):
            action = club_moved(ClubCommand(club=club, by=SYSTEM, at=at))
            found = Moved(
                devices=action.payload["devices"] + (found.devices if found else 0),
                promised=len(action.payload["promised"]) + (found.promised if found else 0),
            )
    return found
