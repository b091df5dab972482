"""Messages to a table or one player, on their own pages. For all players: an announcement."""

import unicodedata
from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain.wording import Language
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import Entry, Message, Seating, Table
from tournaments.post.selectors.announcements import Saying, topic_for

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
    """Send a text of at most 200 characters to the players now at a table, or to one player."""
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


# --- Announcements ("Durchsagen"): a text on every screen for a while, optionally spoken


LONGEST = 200


ANNOUNCEMENT_MADE = Kind(
    "announcement.made",
    lazy("Durchsage: %(text)s"),
    Group.MESSAGES,
    is_announced=True,
    outlives_the_end=True,
)


@service(ANNOUNCEMENT_MADE, Permission.ANNOUNCE, Topic.MESSAGES, after_the_end=True)
def announcement_made(
    change: Change,
    *,
    text: str,
    has_voice: bool = True,
    language: Language = Language.GERMAN,
    stays: bool = False,
) -> None:
    """Announce a text of at most 200 characters, spoken in `language`.

    :param stays: Whether screens show it until it is taken back, not for some seconds alone.
    """
    plain = announcement_text(text)
    if not plain:
        raise Refused(_("Die Durchsage ist leer."), code="empty")
    if len(plain) > LONGEST:
        raise Refused(
            _("Eine Durchsage hat höchstens %(most)d Zeichen.") % {"most": LONGEST}, code="too_long"
        )
    Message.objects.create(event=change.event, sent_at=change.at, made_by=change.action)
    change.record(has_voice=has_voice, language=language.value)
    change.tell(text=plain)
    if stays:
        change.record(stays=True)


def announce_itself(
    change: Change, saying: Saying, *, texts: Mapping[str, str] | None = None, **data: int
) -> None:
    """Add an announcement of the program to any change; each reader gets its own words.

    :param texts: Texts `in_each_language`, kept outside of the chain.
    """
    Message.objects.create(event=change.event, sent_at=change.at, made_by=change.action)
    change.record(has_voice=True, says=[saying.name, data])
    change.tell(**(texts or {}))


def announcement_text(typed: str) -> str:
    """Return the typed text in one line, without unprintable characters.

    >>> announcement_text(" Essen \\n ist\\0 fertig ")
    'Essen ist fertig'
    """
    blank = "".join(" " if unicodedata.category(char)[0] == "C" else char for char in typed)
    return " ".join(blank.split())
