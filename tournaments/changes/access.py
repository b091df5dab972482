"""Roles and permissions.

Only this module decides them. Services call `require` before a change, views call `allows` before
showing a control; the guide prints its tables from here.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from django.db.models import F, FilteredRelation, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.errors import Refused
from tournaments.models import Action, Event, Grant, StaffDevice

Sentence = Promise | str
# The cookie with a staff device's token.
COOKIE = "krru_device"


class Permission(StrEnum):
    REGISTER = "register"
    WITHDRAW = "withdraw"
    CORRECT = "correct"
    SEE_FLOOR = "see_floor"
    SEE_LOG = "see_log"
    CHECK_IN = "check_in"
    ASK_PURCHASE = "ask_purchase"
    TAKE_MONEY = "take_money"
    ELIMINATE = "eliminate"
    DISQUALIFY = "disqualify"
    OVERRULE = "overrule"
    RESEAT = "reseat"
    DRAW_DEALER = "draw_dealer"
    RUN_HANDS = "run_hands"
    CALL_CLOCK = "call_clock"
    PENALISE = "penalise"
    NOTE_ABSENCE = "note_absence"
    CONFIRM_SEAT = "confirm_seat"
    ANNOUNCE = "announce"
    COUNT_HEADS = "count_heads"
    LEAD_BUBBLE = "lead_bubble"
    DRIVE_CLOCK = "drive_clock"
    ANSWER_DEAL = "answer_deal"
    UNDO_OWN = "undo_own"
    UNDO_ANY = "undo_any"
    MANAGE = "manage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A staff role as people see it when handing out or opening its link.

    :param name: What it is called.
    :param task: What it does, a sentence.
    :param home: The name of the page where it begins.
    :param way: What a link to that page says.
    """

    name: Sentence
    task: Sentence
    home: str
    way: Sentence


_EVERYBODY = frozenset({Permission.REGISTER})
_STAFF = _EVERYBODY | {
    Permission.SEE_FLOOR,
    Permission.SEE_LOG,
    Permission.NOTE_ABSENCE,
    Permission.CONFIRM_SEAT,
    Permission.ASK_PURCHASE,
    Permission.UNDO_OWN,
}


class Role(StrEnum):
    """The role of an actor. Declared only here; staff roles in order of rank.

    `may` are its permissions. `work` describes a staff role to people. `place` is where one acts
    without a staff device, for the log.
    """

    may: frozenset[Permission]
    work: Work | None
    place: Sentence

    def __new__(
        cls,
        value: str,
        may: frozenset[Permission] = frozenset(),
        work: Work | None = None,
        place: Sentence = "",
    ) -> Self:
        role = str.__new__(cls, value)
        role._value_ = value
        role.may, role.work, role.place = may, work, place
        return role

    DIRECTOR = (
        "director",
        frozenset(Permission),
        Work(
            name=_("Turnierleitung"),
            task=_("Uhr, Tische, Geräte und alle Einstellungen."),
            home="director",
            way=_("Zur Leitung"),
        ),
    )
    DESK = (
        "desk",
        _STAFF
        | {
            Permission.WITHDRAW,
            Permission.CORRECT,
            Permission.CHECK_IN,
            Permission.TAKE_MONEY,
        },
        Work(
            name=_("Anmeldung"),
            task=_("Anmeldungen aufnehmen, einchecken und Plätze ausgeben."),
            home="desk",
            way=_("An die Anmeldung"),
        ),
    )
    ARBITER = (
        "arbiter",
        _STAFF
        | {
            Permission.ELIMINATE,
            Permission.DRAW_DEALER,
            Permission.RUN_HANDS,
            Permission.CALL_CLOCK,
            Permission.PENALISE,
            Permission.ANNOUNCE,
            Permission.COUNT_HEADS,
            Permission.TAKE_MONEY,
            Permission.ANSWER_DEAL,
        },
        Work(
            name=_("Schiedsrichter"),
            task=_("Tische sehen und eintragen, wer ausgeschieden ist."),
            home="floor",
            way=_("Zu den Tischen"),
        ),
    )
    PLAYER = (
        "player",
        _EVERYBODY
        | {
            Permission.WITHDRAW,
            Permission.CORRECT,
            Permission.CONFIRM_SEAT,
            Permission.ASK_PURCHASE,
            Permission.ANSWER_DEAL,
        },
        None,
        _("Turnierseite"),
    )
    VISITOR = "visitor", _EVERYBODY, None, _("Turnierseite")
    SYSTEM = "system", frozenset(Permission), None, _("KRRU")


WORK: dict[Role, Work] = {role: role.work for role in Role if role.work}
STAFF = frozenset(WORK) | {Role.SYSTEM}

REFUSALS: dict[Permission, Promise] = {
    Permission.DISQUALIFY: _("Disqualifizieren darf nur die Turnierleitung."),
    Permission.OVERRULE: _("Einen Platz setzt nur die Turnierleitung fest."),
    Permission.RESEAT: _("Umsetzen und Tische auflösen darf nur die Turnierleitung."),
    Permission.DRIVE_CLOCK: _("Die Uhr bedient nur die Turnierleitung."),
    Permission.CHECK_IN: _("Einchecken dürfen nur Anmeldung und Turnierleitung."),
    Permission.TAKE_MONEY: _(
        "Geld nimmt ein Schiedsrichter nur mit einer Kasse, die ihm die Leitung gibt."
    ),
    Permission.ELIMINATE: _("Ausscheiden tragen nur Schiedsrichter und Turnierleitung ein."),
    Permission.RUN_HANDS: _("Hände tippen nur Schiedsrichter und Turnierleitung."),
    Permission.CALL_CLOCK: _(
        "Einen Spieler auf die Uhr setzen nur Turnierleitung und Schiedsrichter."
    ),
    Permission.PENALISE: _("Verwarnungen und Strafen geben nur Turnierleitung und Schiedsrichter."),
    Permission.ANNOUNCE: _("Durchsagen machen nur Turnierleitung und Schiedsrichter."),
    Permission.COUNT_HEADS: _("Nachzählen dürfen nur Schiedsrichter und Turnierleitung."),
    Permission.ANSWER_DEAL: _("Das schreiben nur Schiedsrichter und Turnierleitung auf."),
    Permission.LEAD_BUBBLE: _("Hand für Hand und „im Geld“ sagt nur die Turnierleitung an."),
    Permission.UNDO_ANY: _(
        "Das hat jemand anderes eingetragen. Zurücknehmen kann es die Turnierleitung."
    ),
    Permission.MANAGE: _("Das darf nur die Turnierleitung."),
}
REFUSED_TO_STRANGERS = _("Dafür muss dieses Gerät angemeldet sein.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """An actor: a role, with the device or registration behind it."""

    role: Role
    device: StaffDevice | None = None
    registration_id: int | None = None

    @property
    def scope(self) -> str:
        """Return the scope of this actor's idempotency keys."""
        if self.device is not None:
            return f"device:{self.device.pk}"
        if self.registration_id is not None:
            return f"registration:{self.registration_id}"
        return str(self.role)


VISITOR = Actor(role=Role.VISITOR)
SYSTEM = Actor(role=Role.SYSTEM)


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def device_of(token: str) -> StaffDevice | None:
    """Return the staff device of a cookie's token with its grants, or None (one query)."""
    if not token:
        return None
    live = FilteredRelation("grants", condition=Q(grants__revoked_at=None))
    own = StaffDevice.objects.filter(token_hash=token_hash(token)).annotate(live=live)
    rows: list[Any] = list(own.annotate(role=F("live__role"), at_event=F("live__event")))
    if not rows:
        return None
    device: StaffDevice = rows[0]
    device.granted = [(row.role, row.at_event) for row in rows if row.role]
    return device


def device_signed_in(token: str) -> StaffDevice | None:
    """Return the device of a cookie's token if it has a role anywhere, else None.

    The server asks this before it knows the page.
    """
    device = device_of(token)
    return device if device is not None and device.granted else None


def roles_of(device: StaffDevice | None, event: Event | None) -> frozenset[Role]:
    """Return a device's roles at an event, including club-wide ones."""
    if device is None:
        return frozenset()
    granted: Iterable[tuple[str, int | None]] | None = device.granted
    if granted is None:
        live = Grant.objects.filter(device=device, revoked_at=None)
        granted = live.values_list("role", "event")
    here = (None, event.pk) if event else (None,)
    return frozenset(Role(role) for role, where in granted if where in here)


def actor_of(device: StaffDevice | None, event: Event | None) -> Actor:
    """Return the device in its highest role at the event, or a visitor."""
    roles = roles_of(device, event)
    for role in WORK:
        if role in roles:
            return Actor(role=role, device=device)
    return VISITOR


def leads_club(device: StaffDevice | None) -> bool:
    return allows(actor_of(device, None), Permission.MANAGE)


def roles_that_may(permission: Permission) -> frozenset[Role]:
    return frozenset(role for role in Role if permission in role.may)


def allows(actor: Actor, permission: Permission) -> bool:
    return permission in actor.role.may


def refusal_of(actor: Actor, permission: Permission) -> str | None:
    """Return the reason of a refusal as a sentence, or None if allowed."""
    if allows(actor, permission):
        return None
    if actor.role not in STAFF:
        return str(REFUSED_TO_STRANGERS)
    return str(REFUSALS.get(permission, REFUSED_TO_STRANGERS))


def require(actor: Actor, permission: Permission) -> None:
    """Refuse an actor without the permission.

    :raises Refused: With a sentence that says who may.
    """
    reason = refusal_of(actor, permission)
    if reason:
        raise Refused(reason, code="not_allowed")


def may_undo(actor: Actor, action: Action) -> bool:
    """Tell whether the actor may undo: directors everything, others their own on this device."""
    if allows(actor, Permission.UNDO_ANY):
        return True
    own = actor.device is not None and action.device_id == actor.device.pk
    return own and allows(actor, Permission.UNDO_OWN)
