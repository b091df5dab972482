"""Big screens: request a code, claim, direct and retire a screen, and its reports.

Code requests and reports are not logged, as the club does neither. All else is an action of the
club. A screen receives its changes by its own topic and never polls.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.realtime import publish
from clock.signals import SIGNALS
from tournaments.changes.access import Permission, token_hash
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import Action, Club, Event, Screen
from tournaments.screens.domain.pairing import code_made, code_read
from tournaments.screens.selectors.faces import event_of_evening
from tournaments.screens.selectors.screens import (
    DEFAULTS,
    LANGUAGES,
    THEMES,
    screen_config,
    screens_claimed,
)

UNCLAIMED_LASTS = timedelta(days=7)
MOST_UNCLAIMED = 300
# A code requested, or a screen heard, within this time may still be on display.
SHOWN_LASTS = timedelta(hours=1)
DELAY_CLASSES_MS = (20, 50, 100, 250, 500, 1000, 5000)
LOUDEST = 100
TRIES = 5


def screen_make(*, club: Club, secret: str, at: datetime, asked_from: str = "") -> Screen:
    """Return a new screen with its code. Old unused codes are deleted.

    Where each may stand on a screen, the network that asked for most loses its oldest.

    :raises Refused: When as many networks have asked for one each.
    """
    nobodys = Screen.objects.filter(club=club, claimed_by=None)
    nobodys.filter(made_at__lt=at - UNCLAIMED_LASTS).delete()
    if nobodys.count() >= MOST_UNCLAIMED:
        left = Q(seen_at=None, made_at__lt=at - SHOWN_LASTS) | Q(seen_at__lt=at - SHOWN_LASTS)
        if not nobodys.filter(left).delete()[0] and not _forget_of_greediest(nobodys):
            raise Refused(
                _("Gerade fragen sehr viele Leinwände nach einem Code. Bitte in einer Stunde noch "
                  "einmal versuchen."),
                code="too_many_screens",
            )  # fmt: skip
    for _try in range(TRIES):
        try:
            with transaction.atomic():
                return Screen.objects.create(
                    club=club,
                    code=code_made(secrets.choice),
                    secret_hash=token_hash(secret),
                    made_at=at,
                    asked_from=asked_from,
                )
        except IntegrityError:
            continue
    raise RuntimeError("No free code for a screen.")


def _forget_of_greediest(nobodys: QuerySet[Screen]) -> bool:
    """Delete the oldest screen of the network with most of them; none where all have one."""
    named = nobodys.exclude(asked_from="").values("asked_from").annotate(screens=Count("pk"))
    most = named.filter(screens__gt=1).order_by("-screens").first()
    if most is None:
        return False
    nobodys.filter(asked_from=most["asked_from"]).earliest("made_at", "pk").delete()
    return True


def screen_report(*, screen: Screen, at: datetime, told: Mapping[str, str]) -> None:
    """Save a screen's report; invalid values count as unknown."""
    sound, delay = told.get("sound", ""), told.get("delay", "")
    screen.seen_at = at
    screen.sound_state = sound if sound in Screen.Sound.values else Screen.Sound.UNKNOWN
    screen.delay_ms = None
    if delay.isdecimal() and len(delay) < 9:
        bounds = (bound for bound in DELAY_CLASSES_MS if int(delay) <= bound)
        screen.delay_ms = next(bounds, DELAY_CLASSES_MS[-1])
    screen.is_visible = told.get("visible") != "0"
    face = told.get("face", "")
    screen.face = face if face.isascii() and face.isalpha() and len(face) <= 20 else ""
    screen.save(update_fields=["seen_at", "sound_state", "delay_ms", "is_visible", "face"])


SCREEN_CLAIMED = Kind("screen.claimed", lazy("Leinwand dazugenommen: %(name)s"), Group.CLUB)


@club_service(SCREEN_CLAIMED, Permission.MANAGE)
def screen_claim(change: Change, *, code: str, name: str, event: Event) -> None:
    """Claim the screen with a code for the club, name it and point it at an event."""
    try:
        meant = code_read(code)
    except ValueError:
        raise Refused(
            _("Der Code hat sechs Zeichen und steht groß auf der Leinwand."), code="no_code"
        ) from None
    screen = Screen.objects.filter(club=change.club, code=meant).first()
    if screen is None:
        raise Refused(
            _("Diesen Code zeigt keine Leinwand. Dort die Seite neu laden und noch einmal lesen."),
            code="unknown_code",
        )
    if screen.is_claimed:
        raise Refused(
            _("Diese Leinwand gibt es schon: %(name)s.") % {"name": screen.name}, code="claimed"
        )
    screen.name = _free_name(change.club, name, screen)
    screen.event = event
    screen.shows, screen.settings = Screen.Shows.CLOCK, {}
    screen.claimed_by, screen.retired_by, screen.asked_from = change.action, None, ""
    change.record(screen=screen.pk, event=event.pk)
    _save(change, screen)


SCREEN_CHANGED = Kind("screen.changed", lazy("Leinwand eingestellt: %(name)s"), Group.CLUB)


@club_service(SCREEN_CHANGED, Permission.MANAGE)
def screen_change(change: Change, *, screen: Screen, wanted: dict[str, Any]) -> None:
    """Change a screen's name, event, content or settings."""
    row = _claimed(change, screen)
    before, after = {}, {}
    for field, value in wanted.items():
        new = _checked(change, row, field, value)
        former = _held(row, field)
        if new != former:
            before[field], after[field] = former, new
            _put(row, field, new)
    if not after:
        raise Refused(_("So ist die Leinwand schon eingestellt."), code="no_change")
    change.tell(name_before=before.pop("name", ""))
    after.pop("name", None)
    change.record(screen=row.pk, before=before, after=after)
    _save(change, row)


SCREEN_RETIRED = Kind("screen.retired", lazy("Leinwand abgegeben: %(name)s"), Group.CLUB)


@club_service(SCREEN_RETIRED, Permission.MANAGE)
def screen_retire(change: Change, *, screen: Screen) -> None:
    """Retire a screen: it shows its code again."""
    row = _claimed(change, screen)
    row.retired_by = change.action
    change.record(screen=row.pk)
    _save(change, row)


SCREEN_UNDONE = Kind("screen.undone", lazy("Zurückgenommen: %(action)s"), Group.CLUB)


@club_service(SCREEN_UNDONE, Permission.MANAGE)
def screen_undo(change: Change, *, action: Action) -> None:
    """Undo an action on a screen, unless the same value changed since."""
    undoable = (SCREEN_CLAIMED.name, SCREEN_CHANGED.name, SCREEN_RETIRED.name)
    if action.kind not in undoable or action.club_id != change.club.pk:
        raise Refused(_("Diesen Eintrag gibt es hier nicht."), code="gone")
    if action.undone_by.exists():
        raise Refused(_("Das ist schon zurückgenommen."), code="already_undone")
    row = Screen.objects.filter(pk=action.payload["screen"]).first()
    if row is None:
        raise Refused(_("Diese Leinwand gibt es nicht mehr."), code="gone")
    change.action.undoes = action
    change.record(screen=row.pk, undoes=action.pk, kind=action.kind)
    if action.kind == SCREEN_CHANGED.name:
        _undo_change(change, row, action)
    elif action.kind == SCREEN_RETIRED.name:
        if row.retired_by_id != action.pk:
            raise _overtaken()
        _free_name(change.club, row.name, row)
        row.retired_by = None
    else:
        if row.claimed_by_id != action.pk or row.retired_by_id is not None:
            raise _overtaken()
        row.retired_by = change.action
    _save(change, row)


def _undo_change(change: Change, row: Screen, action: Action) -> None:
    _claimed(change, row)
    before, after = dict(action.payload["before"]), dict(action.payload["after"])
    texts = action.text.data
    if "name_before" in texts:
        before["name"], after["name"] = texts["name_before"], texts["name"]
    for field, value in after.items():
        if _held(row, field) != value:
            raise _overtaken()
        _put(row, field, _checked(change, row, field, before[field]))


def _overtaken() -> Refused:
    return Refused(
        _("Seither ist diese Leinwand anders eingestellt worden. Bitte neu einstellen."),
        code="overtaken",
    )


def _claimed(change: Change, screen: Screen) -> Screen:
    row = Screen.objects.filter(club=change.club, pk=screen.pk).first()
    if row is None or not row.is_claimed:
        raise Refused(_("Diese Leinwand gehört nicht mehr dazu."), code="not_claimed")
    return row


def _held(row: Screen, field: str) -> Any:
    """Return a screen's value as compared and logged."""
    if field in DEFAULTS:
        return row.settings.get(field, DEFAULTS[field])
    return row.event_id if field == "event" else getattr(row, field)


def _put(row: Screen, field: str, value: Any) -> None:
    if field in DEFAULTS:
        row.settings = {**row.settings, field: value}
    else:
        setattr(row, "event_id" if field == "event" else field, value)


def _checked(change: Change, row: Screen, field: str, value: Any) -> Any:
    if field == "name":
        return _free_name(change.club, str(value), row)
    if field == "event":
        found = Event.objects.filter(club=change.club, pk=value).values_list("pk", flat=True)
        if value is None or found:
            return value
        raise Refused(_("Dieses Turnier gibt es nicht."), code="gone")
    if field in {"voice", "quiet"}:
        return bool(value)
    if field == "volume" and str(value).isdecimal() and int(value) <= LOUDEST:
        return int(value)
    if value in _CHOICES.get(field, ()):
        return value
    raise Refused(_("Das lässt sich an einer Leinwand nicht einstellen."), code="unknown_setting")


_CHOICES: dict[str, Any] = {
    "shows": Screen.Shows.values,
    "signal": SIGNALS,
    "language": LANGUAGES,
    "theme": THEMES,
}


def _free_name(club: Club, typed: str, own: Screen) -> str:
    name = " ".join(typed.split())[:80]
    if not name:
        raise Refused(_("Bitte der Leinwand einen Namen geben."), code="no_name")
    if screens_claimed(club).filter(name__iexact=name).exclude(pk=own.pk).exists():
        raise Refused(_("So heißt schon eine Leinwand: %(name)s.") % {"name": name}, code="taken")
    return name


def _save(change: Change, row: Screen) -> None:
    change.tell(name=row.name)
    screen_tell(row)


def screen_tell(row: Screen) -> None:
    """Save a screen with its next version and publish it."""
    row.version += 1
    row.save()
    payload = {"version": row.version, "changed": ["screen"], "screen": screen_config(row)}
    topic, version = row.stream_topic, row.version
    transaction.on_commit(lambda: publish(topic, payload, id=version))


# --- Redirect the big screens of a deleted event to this evening's event


def screens_turn_away(change: Change, gone: Event) -> None:
    """Point the screens of an event about to be deleted at this evening's event, or at none.

    Public screens are told too: they fetch the event and find it gone.
    """
    topic, version = gone.stream_topic, gone.version + 1
    transaction.on_commit(
        lambda: publish(topic, {"version": version, "changed": ["settings"]}, id=version)
    )
    instead = event_of_evening(change.club, change.at, but=gone)
    for row in Screen.objects.filter(event=gone):
        row.event = instead
        screen_tell(row)
