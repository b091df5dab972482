"""What becomes of secrets when the data go on at another machine.

A backup without a passphrase holds no secret of the installation, so what that one sealed does not
open elsewhere. Nothing waits for it: it is made anew.
"""

from __future__ import annotations

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
    """What a move has ended: roles of devices; tournaments whose earlier draws keep no secret."""

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
    """Sign every device off; what does not open here any more is made anew.

    A personal link that people have still opens their page; a new one stands on slips and in mails.
    Draws made before keep what they were made with; where it does not open, it is lost, and every
    tournament that goes on promises a new secret.
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
    """Make links and secrets anew that do not open; return the new promises by event."""
    promised: list[list[int | str]] = []
    for event in Event.objects.filter(club=club).order_by("pk"):
        if event.draw_secret:
            continue
        Draw.objects.filter(event=event, sealed="").update(sealed=event.draw_sealed)
        event.draw_secret = secrets.token_hex(32)
        # A hall number must not meet a secret that was chosen after it.
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
    """Tell whether there is a club whose sealed columns do not open here."""
    return any(not _opens_here(club) for club in Club.objects.exclude(sealed_mark=""))


def settle_in(*, at: datetime, is_elsewhere: bool) -> Moved | None:
    """Look whether the data were moved here, and do what is then due; None if they were not.

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
