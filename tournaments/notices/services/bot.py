"""The club's Telegram bot: asked by long polling, so that it works behind a router."""

import json
import logging
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from filelock import FileLock, Timeout

from krru.web.outgoing import Unreachable
from tournaments.changes.access import Actor, Permission, Role, actor_of, allows
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.models import Listener, Outlet, Registration
from tournaments.notices.domain.notices import Channel, NoticeKind
from tournaments.notices.domain.telegram import Said, said_in
from tournaments.notices.selectors.outlet import whose_code
from tournaments.notices.services.choosing import notices_choose
from tournaments.notices.services.sending import telegram

logger = logging.getLogger(__name__)

POLL_SECONDS = 25
MOST_UPDATES = 100


def bot_name(token: str) -> str:
    """Return the name of a bot.

    :raises Refused: Telegram knows no such bot, or does not answer.
    """
    try:
        reply = telegram(token, "getMe")
    except Unreachable as error:
        raise Refused(_("Telegram antwortet nicht. Gibt es hier Internet?"), code="away") from error
    if reply.code:
        raise Refused(_("Telegram kennt dieses Token nicht."), code="bad_token")
    return str(reply.result["username"])


def bot_listen(now: datetime, *, seconds: int = POLL_SECONDS) -> int:
    """Wait for messages to the bots and do what they ask; return the number of updates.

    One process of a machine does it: Telegram tells each update once.
    """
    lock = FileLock(settings.KRRU_DATA / "bot.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return 0
    try:
        rows = list(Outlet.objects.exclude(bot_sealed="").select_related("club"))
        return sum(_listen(row, now, seconds) for row in rows if row.bot)
    finally:
        lock.release()


def _listen(outlet: Outlet, now: datetime, seconds: int) -> int:
    try:
        reply = telegram(
            outlet.bot,
            "getUpdates",
            seconds=seconds + 10,
            offset=outlet.bot_offset,
            timeout=seconds,
            limit=MOST_UPDATES,
            allowed_updates=["message"],
        )
    except Unreachable as error:
        logger.info("Telegram: %s", error)
        return 0
    if reply.code:
        logger.warning("Telegram: %s %s", reply.code, reply.words)
        return 0
    for update in reply.result:
        said = said_in(update)
        _answer(outlet, said, now)
        # Below the offset Telegram forgets; a killed process asks for the same again.
        Outlet.objects.filter(pk=outlet.pk).update(bot_offset=said.update + 1)
    return len(reply.result)


def _answer(outlet: Outlet, said: Said, now: datetime) -> None:
    if not said.chat:
        return
    if said.is_stop:
        for row in Listener.objects.filter(event__club=outlet.club, channel=Channel.TELEGRAM):
            if row.address.get("chat") == said.chat:
                row.delete()
        _say(outlet, said, _("Hier kommt nichts mehr."))
        return
    owner = whose_code(said.code) if said.code else None
    if owner is None:
        _say(outlet, said, _("Bitte den Knopf auf der eigenen Seite benutzen."))
        return
    try:
        _begin(owner, said, now)
    except Refused as refusal:
        _say(outlet, said, str(refusal))
        return
    language = owner.language if isinstance(owner, Registration) else "de"
    with translation.override(language):
        _say(outlet, said, _("Verbunden. Was kommt, wählst du auf deiner Seite; /stop beendet es."))


def _begin(owner: Any, said: Said, now: datetime) -> None:
    """Let a chat hear all of a player, or an arbiter's moves."""
    address, kinds = json.dumps({"chat": said.chat}), [str(kind) for kind in NoticeKind]
    if isinstance(owner, Registration):
        actor = Actor(role=Role.PLAYER, registration_id=owner.pk)
        command = Command(event=owner.event, by=actor, at=now)
        notices_choose(
            command, channel=Channel.TELEGRAM, kinds=kinds, registration=owner, address=address
        )
        return
    event, device = owner
    actor = actor_of(device, event)
    if not allows(actor, Permission.CONFIRM_SEAT):
        raise Refused(_("Dieses Gerät ist hier nicht mehr angemeldet."), code="not_allowed")
    notices_choose(
        Command(event=event, by=actor, at=now),
        channel=Channel.TELEGRAM,
        kinds=[NoticeKind.MOVE],
        address=address,
    )


def _say(outlet: Outlet, said: Said, text: str) -> None:
    try:
        telegram(outlet.bot, "sendMessage", chat_id=said.chat, text=text)
    except Unreachable as error:
        logger.info("Telegram: %s", error)
