"""Import a blind schedule from a file as one of the club's own."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.models import ScheduleTemplate
from clock.services import template_save
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.event.domain.schedule_files import (
    MOST_ROWS,
    NotASchedule,
    ScheduleFile,
    levels_of,
    schedule_read,
)
from tournaments.event.services.names import name_kept
from tournaments.event.services.schedule.edit import refuse_if_wrong

SCHEDULE_IMPORTED = Kind(
    "club.schedule_imported", lazy("Blindplan eingelesen: %(name)s"), Group.CLUB
)


@club_service(SCHEDULE_IMPORTED, Permission.MANAGE)
def schedule_import(change: Change, *, schedule: ScheduleFile) -> None:
    """Save the schedule of a file for new tournaments.

    :raises Refused: Where another is called so, or it is no schedule for a clock.
    """
    name = name_kept(schedule.name, ScheduleTemplate.objects.values_list("name", flat=True))
    refuse_if_wrong(levels_of(schedule))
    row = template_save(
        name=name,
        starting_stack=schedule.starting_stack,
        level_minutes=schedule.level_minutes,
        levels=schedule.levels,
    )
    change.record(template=row.pk)
    change.tell(name=name)


def schedule_of_file(data: bytes) -> ScheduleFile:
    """Read a schedule file.

    :raises Refused: Saying what is wrong with it.
    """
    try:
        return schedule_read(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Refused(_("Das ist keine Datei eines Blindplans."), code="no_json") from None
    except NotASchedule as problem:
        raise Refused(_sentence(problem), code=problem.code) from None


def _sentence(problem: NotASchedule) -> str:
    sentences = {
        "newer": _("Diese Datei kommt von einer anderen Fassung des Programms."),
        "bad_head": _("In der Datei stimmt der Name, der Startstapel oder die Stufenlänge nicht."),
        "no_rows": _("Ein Blindplan braucht mindestens eine Stufe."),
        "too_many_rows": _("Ein Blindplan hat höchstens %(most)d Zeilen.") % {"most": MOST_ROWS},
        "bad_row": _("In der Datei stimmt Zeile %(row)s nicht.") % {"row": problem.row},
    }
    return sentences.get(problem.code, _("Das ist keine Datei eines Blindplans."))
