"""The club's own face of its walls: slides, and a grid of figures. Each change can be undone."""

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.club.services.club import picture_read
from tournaments.models import Action, OwnFace, Slide
from tournaments.screens.selectors.own_face import GRID, NAMES, own_face
from tournaments.screens.selectors.screens import screens_claimed
from tournaments.screens.services.screens import screen_tell

MOST_SLIDES = 12
SHORTEST_S, LONGEST_S = 5, 60
LONGEST_TEXT = 200
# Removed slides that an undo may bring back.
KEPT = 24
PARTS = ("slides", "figures", "in_breaks")

SLIDE_ADDED = Kind("ownface.slide_added", lazy("Eigene Seite der Leinwand: %(text)s"), Group.CLUB)


@club_service(SLIDE_ADDED, Permission.MANAGE)
def slide_add(change: Change, *, text: str, seconds: int, data: bytes = b"") -> None:
    """Add a slide at the end: a picture, a text, or both."""
    face, plain = own_face(change.club), " ".join(text.split())
    if not plain and not data:
        raise Refused(_("Eine Seite braucht ein Bild oder einen Text."), code="empty")
    if len(plain) > LONGEST_TEXT:
        raise Refused(
            _("Eine Seite hat höchstens %(most)d Zeichen.") % {"most": LONGEST_TEXT},
            code="too_long",
        )
    if not SHORTEST_S <= seconds <= LONGEST_S:
        raise Refused(
            _("Eine Seite steht %(least)d bis %(most)d Sekunden.")
            % {"least": SHORTEST_S, "most": LONGEST_S},
            code="seconds",
        )
    if len(face.slides) >= MOST_SLIDES:
        raise Refused(
            _("Es gibt schon %(most)d Seiten. Bitte erst eine entfernen.") % {"most": MOST_SLIDES},
            code="too_many",
        )
    own: dict[str, Any] = {"data": b""}
    if data:
        picture = picture_read(data, is_photo=True)
        own = {**asdict(picture), "digest": sha256(picture.data).hexdigest()}
    row = Slide.objects.create(club=change.club, text=plain, seconds=seconds, **own)
    change.tell(text=plain or _("Bild"))
    _set(change, face, slides=[*face.slides, row.pk])


SLIDE_REMOVED = Kind(
    "ownface.slide_removed", lazy("Eigene Seite der Leinwand entfernt: %(text)s"), Group.CLUB
)


@club_service(SLIDE_REMOVED, Permission.MANAGE)
def slide_remove(change: Change, *, slide: int) -> None:
    """Remove a slide. Its row stays for an undo."""
    face = own_face(change.club)
    row = _slide(face, slide)
    change.tell(text=row.text or _("Bild"))
    _set(change, face, slides=[one for one in face.slides if one != slide])


SLIDE_MOVED = Kind(
    "ownface.slide_moved", lazy("Eigene Seite der Leinwand früher gezeigt: %(text)s"), Group.CLUB
)


@club_service(SLIDE_MOVED, Permission.MANAGE)
def slide_move(change: Change, *, slide: int) -> None:
    """Show a slide one place earlier; the first becomes the last."""
    face = own_face(change.club)
    row, at = _slide(face, slide), face.slides.index(slide)
    others = [one for one in face.slides if one != slide]
    others.insert(at - 1 if at else len(others), slide)
    change.tell(text=row.text or _("Bild"))
    _set(change, face, slides=others)


FACE_ARRANGED = Kind("ownface.arranged", lazy("Zahlen der Leinwand gewählt"), Group.CLUB)


@club_service(FACE_ARRANGED, Permission.MANAGE)
def face_arrange(change: Change, *, figures: Sequence[str], in_breaks: bool) -> None:
    """Choose the figure of each field of the grid, and whether the face is shown in breaks."""
    chosen = [one for one in figures if one]
    if len(figures) != GRID or not {*chosen} <= {*NAMES}:
        raise Refused(_("Diese Zahl gibt es auf der Leinwand nicht."), code="unknown_figure")
    if len({*chosen}) < len(chosen):
        raise Refused(_("Jede Zahl steht nur einmal auf der Leinwand."), code="twice")
    _set(change, own_face(change.club), figures=list(figures), in_breaks=in_breaks)


FACE_UNDONE = Kind("ownface.undone", lazy("Zurückgenommen: %(action)s"), Group.CLUB)


@club_service(FACE_UNDONE, Permission.MANAGE)
def face_undo(change: Change, *, action: Action) -> None:
    """Undo a change of the face, unless the same part changed since."""
    if action.club_id != change.club.pk or not action.kind.startswith("ownface."):
        raise Refused(_("Diesen Eintrag gibt es hier nicht."), code="gone")
    if action.undone_by.exists():
        raise Refused(_("Das ist schon zurückgenommen."), code="already_undone")
    face, after = own_face(change.club), action.payload["after"]
    if any(getattr(face, part) != value for part, value in after.items()):
        raise Refused(
            _("Seither ist diese Seite anders eingestellt worden. Bitte neu einstellen."),
            code="overtaken",
        )
    change.action.undoes = action
    change.record(undoes=action.pk, kind=action.kind)
    if hasattr(action, "text"):  # figures have none
        change.tell(text=action.text.data.get("text", ""))
    _set(change, face, **action.payload["before"])


def _slide(face: OwnFace, slide: int) -> Slide:
    row = Slide.objects.filter(club=face.club_id, pk=slide).defer("data").first()
    if row is None or slide not in face.slides:
        raise Refused(_("Diese Seite gibt es nicht mehr."), code="gone")
    return row


def _set(change: Change, face: OwnFace, **wanted: Any) -> None:
    before = {part: getattr(face, part) for part in wanted}
    after = {part: value for part, value in wanted.items() if before[part] != value}
    if not after:
        raise Refused(_("So ist die Leinwand schon eingestellt."), code="no_change")
    for part, value in after.items():
        setattr(face, part, value)
    face.save()
    change.record(before={part: before[part] for part in after}, after=after)
    unused = Slide.objects.filter(club=change.club).exclude(pk__in=face.slides)
    unused.filter(pk__in=list(unused.order_by("-pk").values_list("pk", flat=True)[KEPT:])).delete()
    for screen in screens_claimed(change.club):
        screen.settings = {**screen.settings, "own": change.action.pk}
        screen_tell(screen)
