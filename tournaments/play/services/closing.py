"""Closing time: announce two levels ahead that counted stacks will decide the places."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain.wording import Language
from clock.selectors import clock_levels, clock_state
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.closing import AHEAD, last_level
from tournaments.event.selectors.event import players_left
from tournaments.models import ClosingCall
from tournaments.post.services.announcements import announce

FEWEST = 2

CLOSING_ANNOUNCED = Kind(
    "closing.announced",
    lazy("Sperrstunde angesagt: nach Stufe %(number)s wird gezählt"),
    Group.EVENT,
    is_announced=True,
    sets_stage=True,
)


@service(CLOSING_ANNOUNCED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK, Topic.MESSAGES)
def closing_announce(change: Change, *, language: Language = Language.GERMAN) -> None:
    """Announce two more levels, after which the larger stack places higher.

    The text stays on the screens until it is undone or the event is over.
    """
    event = change.event
    if not event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    if event.is_clock_only:
        raise Refused(_("Ohne Namen gibt es keine Plätze zu vergeben."), code="clock_only")
    if ClosingCall.objects.live().filter(event=event).exists():
        raise Refused(_("Die Sperrstunde ist schon angesagt."), code="already_announced")
    if players_left(event) < FEWEST:
        raise Refused(_("Es ist nur noch einer im Spiel."), code="too_few")
    levels = clock_levels(event.clock)
    row = last_level(levels, clock_state(event.clock, change.at).index)
    if row is None:
        text = _("Der Blindplan hat keine %(levels)s Stufen mehr. Bitte erst welche anhängen.")
        raise Refused(text % {"levels": AHEAD}, code="no_levels")
    ClosingCall.objects.create(
        event=event, level_id=levels[row].id, announced_at=change.at, made_by=change.action
    )
    change.record(number=levels[row].number, stays=True)
    text = _(
        "Sperrstunde: Gespielt wird bis zum Ende von Stufe %(number)s. "
        "Dann wird gezählt, und der größte Stapel ist Platz 1."
    )
    announce(change, text % {"number": levels[row].number}, language=language)
