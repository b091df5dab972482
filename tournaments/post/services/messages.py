"""Messages to a table or one player, on their own pages. For all players: an announcement."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import Entry, Message, Seating, Table
from tournaments.post.selectors.messages import topic_for
from tournaments.post.services.announcements import LONGEST, announcement_text

MESSAGE_SENT = Kind(
    "message.sent",
    lazy("Nachricht: %(text)s"),
    Group.MESSAGES,
    outcomes={
        "table": lazy("Nachricht an Tisch %(table)s: %(text)s"),
        "player": lazy("Nachricht an %(name)s: %(text)s"),
    },
    outlives_the_end=True,
)


@service(MESSAGE_SENT, Permission.ANNOUNCE, after_the_end=True)
def message_send(
    change: Change, *, text: str, table: Table | None = None, entry: Entry | None = None
) -> None:
    """Send a text of at most 200 characters to the players now at a table, or to one player.

    Only their pages fetch it. A player never depends on a message.
    """
    plain = announcement_text(text)
    if not plain:
        raise Refused(_("Die Nachricht ist leer."), code="empty")
    if len(plain) > LONGEST:
        raise Refused(
            _("Eine Nachricht hat höchstens %(most)d Zeichen.") % {"most": LONGEST}, code="too_long"
        )
    if table is not None:
        _to_table(change, table)
    elif entry is not None:
        _to_player(change, entry)
    else:
        raise Refused(_("An wen geht die Nachricht?"), code="nobody")
    Message.objects.create(
        event=change.event, table=table, entry=entry, sent_at=change.at, made_by=change.action
    )
    change.tell(text=plain)


def _to_table(change: Change, table: Table) -> None:
    row = Table.objects.live().filter(event=change.event, pk=table.pk).first()
    if row is None:
        raise Refused(_("Diesen Tisch gibt es nicht mehr."), code="gone")
    seated = Seating.objects.live().filter(table=row).values_list("entry_id", flat=True)
    entries = sorted(seated)
    if not entries:
        raise Refused(_("An diesem Tisch sitzt niemand."), code="nobody")
    change.record(outcome="table", table=row.number)
    change.announce(*(topic_for(entry) for entry in entries))


def _to_player(change: Change, entry: Entry) -> None:
    rows = Entry.objects.live().select_related("registration__person")
    row = rows.filter(event=change.event, pk=entry.pk).first()
    if row is None:
        raise Refused(_("Diesen Spieler gibt es hier nicht."), code="gone")
    change.record(outcome="player", entry=row.pk)
    change.tell(name=row.registration.person.name)
    change.announce(topic_for(row.pk))
