"""Staff devices: sign-in links, tokens for scripts, withdrawal of roles; in the club's log."""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from krru.backups import SHORTEST_PASSPHRASE, is_sealing, set_passphrase
from krru.data.folder import COMMAND
from krru.data.sealing import seal
from tournaments.changes.access import (
    SYSTEM,
    WORK,
    Permission,
    Role,
    device_signed_in,
    roles_that_may,
    token_hash,
)
from tournaments.changes.audit import Change, club_service
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import Currency, Event, Grant, SignInLink, StaffDevice

DIRECTOR_LINK_LASTS = timedelta(minutes=15)
STAFF_LINK_LASTS = timedelta(hours=16)
SHOWN_LINK_LASTS = timedelta(minutes=5)
NEW_LINK = f"{COMMAND} manage directorlink"


STAFF_LINK_MADE = Kind("staff.link_made", lazy("Zugang ausgegeben"), Group.CLUB)


@club_service(STAFF_LINK_MADE, Permission.MANAGE)
def link_make(
    change: Change,
    *,
    token: str,
    role: str,
    event: Event | None = None,
    one_time: bool = False,
    lasts: timedelta | None = None,
) -> None:
    """Make a sign-in link for a role. A one-time link is stored as a hash only.

    A link for many replaces the one before it. So does a link printed by the machine, so that links
    in journals do not pile up.
    """
    if role not in WORK:
        raise Refused(_("Diese Rolle gibt es nicht."), code="unknown_role")
    if not one_time or change.by.role == Role.SYSTEM:
        live = SignInLink.objects.filter(club=change.club, event=event, role=role, revoked_at=None)
        live.filter(is_one_time=one_time, used_at=None).update(revoked_at=change.at)
    usual = DIRECTOR_LINK_LASTS if one_time else STAFF_LINK_LASTS
    link = SignInLink.objects.create(
        club=change.club,
        event=event,
        role=role,
        token_sealed="" if one_time else seal(token),
        token_hash=token_hash(token),
        is_one_time=one_time,
        created_at=change.at,
        expires_at=change.at + (lasts or usual),
    )
    change.record(link=link.pk, role=role, event=event.pk if event else None)


STAFF_SIGNED_IN = Kind("staff.signed_in", lazy("Gerät angemeldet: %(name)s"), Group.CLUB)


@club_service(STAFF_SIGNED_IN, Permission.REGISTER)
def device_sign_in(
    change: Change,
    *,
    token: str,
    name: str,
    device_token: str,
    known_token: str = "",
) -> None:
    """Sign in the device behind a link, or add a role to a known device.

    Either gets a new secret, so that a planted or overheard one becomes useless.

    :param known_token: The secret that the device came with, if any.
    """
    link = SignInLink.objects.select_for_update().filter(token_hash=token_hash(token)).first()
    reason = obstacle_to_sign_in(link, change.at)
    if reason or link is None:
        raise Refused(reason, code="link_dead")
    device = device_signed_in(known_token)
    if device is None:
        device = _device(change, name, device_token, _("Bitte dem Gerät einen Namen geben."))
    else:
        _give_secret(device, device_token)
    roles = Grant.objects.filter(
        device=device, event=link.event, role=link.role, revoked_at__isnull=True
    )
    if not roles.exists():
        Grant.objects.create(device=device, event=link.event, role=link.role, granted_at=change.at)
    if link.is_one_time:
        SignInLink.objects.filter(pk=link.pk).update(used_at=change.at)
    change.record(device=device.pk, link=link.pk, role=link.role)
    change.tell(name=device.name)


STAFF_TOKEN_MADE = Kind("staff.token_made", lazy("Token ausgegeben: %(name)s"), Group.CLUB)


@club_service(STAFF_TOKEN_MADE, Permission.MANAGE)
def token_make(change: Change, *, token: str, name: str, role: str, event: Event | None) -> None:
    """Make a token for a script: a device with a role at one event, or at all. Stored as a hash."""
    if role not in WORK:
        raise Refused(_("Diese Rolle gibt es nicht."), code="unknown_role")
    device = _device(change, name, token, _("Bitte dem Skript einen Namen geben."))
    Grant.objects.create(device=device, event=event, role=role, granted_at=change.at)
    change.record(device=device.pk, role=role, **({"event": event.pk} if event else {}))
    change.tell(name=device.name)


def _device(change: Change, name: str, secret: str, nameless: str) -> StaffDevice:
    label = " ".join(name.split())[:80]
    if not label:
        raise Refused(nameless, code="no_name")
    return StaffDevice.objects.create(
        club=change.club, name=label, token_hash=token_hash(secret), created_at=change.at
    )


def obstacle_to_sign_in(link: SignInLink | None, now: datetime) -> str | None:
    """Return why a link cannot sign anyone in, or None."""
    if link is None:
        return _("Diesen Zugang gibt es nicht.")
    if link.used_at:
        return _("Dieser Zugang ist schon benutzt worden. Er gilt nur einmal.")
    if link.revoked_at:
        return _("Dieser Zugang wurde durch einen neuen ersetzt.")
    if link.event and link.event.is_over and link.role == Role.ARBITER:
        return _("Das Turnier ist zu Ende.")
    if link.expires_at <= now:
        ended = _("Dieser Zugang ist abgelaufen.")
        again = _("Am Rechner zeigt „%(command)s“ einen neuen.") % {"command": NEW_LINK}
        return ended if link.event_id else f"{ended} {again}"
    return None


STAFF_REVOKED = Kind("staff.revoked", lazy("Gerät abgemeldet: %(name)s"), Group.CLUB)


@club_service(STAFF_REVOKED, Permission.MANAGE)
def device_revoke(change: Change, *, device: StaffDevice) -> None:
    """Withdraw every role of a device. A device cannot sign itself out here."""
    if change.by.device is not None and change.by.device.pk == device.pk:
        raise Refused(_("Das ist dieses Gerät. Abmelden geht über „Abmelden“."), code="own_device")
    if not _take_roles(change, device):
        raise Refused(_("Dieses Gerät ist schon abgemeldet."), code="already_revoked")
    change.record(device=device.pk)
    change.tell(name=device.name)


STAFF_SIGNED_OUT = Kind("staff.signed_out", lazy("Gerät hat sich abgemeldet: %(name)s"), Group.CLUB)


@club_service(STAFF_SIGNED_OUT, Permission.REGISTER)
def device_sign_out(change: Change, *, is_sure: bool = False) -> None:
    """Give up every role of the acting device; the last directing one must confirm."""
    device = change.by.device
    if device is None:
        raise Refused(_("Dieses Gerät ist nicht angemeldet."), code="not_signed_in")
    if is_last_to_lead(device) and not is_sure:
        raise Refused(
            _("Danach leitet kein Gerät mehr. Wer das will, setzt den Haken."), code="last_director"
        )
    _take_roles(change, device)
    change.record(device=device.pk)
    change.tell(name=device.name)


def is_last_to_lead(device: StaffDevice) -> bool:
    """Tell whether this is the last directing device of the club or of one of its tournaments."""
    live = Grant.objects.filter(revoked_at=None, role__in=roles_that_may(Permission.MANAGE))
    others = live.exclude(device=device).filter(device__club=device.club_id)
    led = set(others.values_list("event", flat=True))  # None: all events
    own = live.filter(device=device).values_list("event", flat=True)
    return None not in led and any(event is None or event not in led for event in own)


def _take_roles(change: Change, device: StaffDevice) -> int:
    """Withdraw every role and return their number; the device's secret becomes invalid."""
    _give_secret(device, secrets.token_urlsafe(24))
    live = Grant.objects.filter(device=device, revoked_at__isnull=True)
    return live.update(revoked_at=change.at)


def _give_secret(device: StaffDevice, secret: str) -> None:
    StaffDevice.objects.filter(pk=device.pk).update(token_hash=token_hash(secret))


CLUB_UPDATED = Kind("club.updated", lazy("Vereinsdaten geändert"), Group.CLUB)


@club_service(CLUB_UPDATED, Permission.MANAGE)
def club_update(
    change: Change,
    *,
    name: str,
    backup_folder: str,
    draws_without_number: bool = False,
    currency: str | None = None,
) -> None:
    """Change the club's name, its backup folder, and what it plays for; None leaves a currency."""
    if not name.strip():
        raise Refused(_("Der Verein braucht einen Namen."), code="no_name")
    if currency is not None and currency not in Currency.values:
        raise Refused(_("Diese Währung gibt es nicht."), code="bad_currency")
    change.set(
        currency=change.club.currency if currency is None else currency,
        name=name.strip()[:120],
        backup_folder=backup_folder.strip()[:500],
        draws_without_number=draws_without_number,
    )
    change.tell(name=name.strip())


def may_seal() -> bool:
    """Tell whether the passphrase of backups is set here, not by the environment."""
    return settings.EMBEDDED and not settings.KRRU_BACKUP_PASSPHRASE


BACKUPS_SEALED = Kind("club.backups_sealed", lazy("Kennwort der Sicherungen gesetzt"), Group.CLUB)


@club_service(BACKUPS_SEALED, Permission.MANAGE)
def backups_seal(change: Change, *, passphrase: str) -> None:
    """Seal backups with a passphrase from now on; an empty one ends it. It is kept nowhere.

    It applies to this machine; several servers use their environment instead.
    """
    if not may_seal():
        raise Refused(_("Hier gilt das Kennwort aus KRRU_BACKUP_PASSPHRASE."), code="named")
    if passphrase and len(passphrase) < SHORTEST_PASSPHRASE:
        reason = _("Das Kennwort braucht mindestens %(n)s Zeichen.") % {"n": SHORTEST_PASSPHRASE}
        raise Refused(reason, code="too_short")
    if not passphrase and not is_sealing():
        raise Refused(_("Die Sicherungen haben kein Kennwort."), code="not_sealed")
    change.record(sealed=bool(passphrase))
    set_passphrase(passphrase)


def director_link_create(*, at: datetime) -> str:
    """Make a one-time director's link and return its token, for the person at the machine."""
    token = secrets.token_urlsafe(24)
    link_make(
        ClubCommand(club=club_get(), by=SYSTEM, at=at),
        token=token,
        role=Role.DIRECTOR,
        one_time=True,
    )
    return token
