"""Settings of bounties: their kind, their amount and their split."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.event.selectors.settings.setting import Section, Setting, Typed
from tournaments.models import Event

NO_BOUNTIES = ""
BOUNTY_KINDS = {
    NO_BOUNTIES: _("keine"),
    Event.BountyKind.FIXED.value: _("fest: Wer jemanden ausschaltet, bekommt dessen Kopfgeld"),
    Event.BountyKind.PROGRESSIVE.value: _("steigend: ein Teil bar, der Rest auf den eigenen Kopf"),
    Event.BountyKind.MYSTERY.value: _("Umschläge: Jedes Ausscheiden zieht einen"),
}
_PLAYED = _("Um diese Kopfgelder wird schon gespielt.")

BOUNTY_SETTINGS = (
    Setting(
        "bounty_kind",
        _("Kopfgelder"),
        fixed_after_start=_PLAYED,
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
        may_be_empty=True,
        section=Section.MONEY,
        typed=Typed(choices=BOUNTY_KINDS),
    ),
    Setting(
        "bounty_cut",
        _("Davon bar, in Prozent"),
        fixed_after_start=_PLAYED,
        is_suggested=True,
        is_asked_when_made=True,
        is_behind_more=True,
        section=Section.MONEY,
        is_beside=True,
        typed=Typed(
            most=100,
            help_text=_("Bei steigenden Kopfgeldern. Der Rest kommt auf den eigenen Kopf."),
        ),
    ),
)
