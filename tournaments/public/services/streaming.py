"""For those who follow from elsewhere: the secret addresses of overlays, and posts."""

from dataclasses import asdict
from hashlib import sha256

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.club.services.club import picture_read
from tournaments.models import LivePicture, LivePost

OVERLAYS_RENEWED = Kind(
    "overlays.renewed", lazy("Neue Adressen für den Stream"), Group.EVENT, outlives_the_end=True
)


@service(OVERLAYS_RENEWED, Permission.MANAGE, after_the_end=True)
def overlays_renew(change: Change) -> None:
    """Give the overlays new addresses: the former ones end."""
    change.set(overlay_round=change.event.overlay_round + 1)
    change.record(round=change.event.overlay_round)


# --- Posts for those who follow from elsewhere: a text, a picture, or both


LONGEST = 200
MOST_POSTS = 100

LIVE_POSTED = Kind("live.posted", lazy("Auf der Live-Seite: %(text)s"), Group.EVENT)


@service(LIVE_POSTED, Permission.ANNOUNCE, Topic.SETTINGS)
def live_post(change: Change, *, text: str, data: bytes = b"") -> None:
    """Post a text, a picture, or both on the live page of a running evening."""
    plain = " ".join(text.split())
    if not change.event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    if not plain and not data:
        raise Refused(_("Ein Beitrag braucht ein Bild oder einen Text."), code="empty")
    if len(plain) > LONGEST:
        raise Refused(
            _("Ein Beitrag hat höchstens %(most)d Zeichen.") % {"most": LONGEST}, code="too_long"
        )
    if LivePost.objects.filter(event=change.event).count() >= MOST_POSTS:
        raise Refused(
            _("Ein Abend hat höchstens %(most)d Beiträge.") % {"most": MOST_POSTS}, code="too_many"
        )
    picture = picture_read(data, is_photo=True) if data else None
    post = LivePost.objects.create(event=change.event, posted_at=change.at, made_by=change.action)
    if picture:
        digest = sha256(picture.data).hexdigest()
        LivePicture.objects.create(post=post, digest=digest, **asdict(picture))
    change.record(bytes=len(picture.data) if picture else 0)
    change.tell(text=plain or _("Bild"))
