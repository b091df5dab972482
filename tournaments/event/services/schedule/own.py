"""Use a planned schedule; the club's own: save from a tournament, rename, delete."""

from collections.abc import Sequence

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import Level, LevelKind
from clock.models import Clock, ScheduleTemplate
from clock.selectors import clock_plan
from clock.services import clock_from_levels, template_from_clock, template_save
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.domain.schedule_files import MOST_ROWS, NotASchedule, ScheduleFile, levels_of
from tournaments.event.domain.schedule_reading import Reading, schedule_from
from tournaments.event.selectors.plans import level_minutes_of
from tournaments.event.services.lifecycle import refuse_other_schedule, schedule_give
from tournaments.event.services.names import LONGEST_NAME, name_kept, refuse_shipped
from tournaments.event.services.schedule.edit import refuse_if_wrong
from tournaments.models import Action

USUAL_MINUTES = 20
SCHEDULE_SAVED = Kind(
    "schedule.saved", lazy("Blindplan als Vorlage behalten: %(schedule)s"), Group.EVENT
)


@service(SCHEDULE_SAVED, Permission.MANAGE, Topic.SETTINGS)
def event_schedule_save(change: Change, *, name: str) -> None:
    """Save the event's schedule under a name for new ones; the event's gets this name too."""
    event = change.event
    name = name_kept(name, ScheduleTemplate.objects.all())
    row = template_from_clock(
        event.clock,
        name=name,
        starting_stack=event.starting_stack,
        level_minutes=level_minutes_of(clock_plan(event.clock)) or USUAL_MINUTES,
    )
    change.record(template=row.pk, was_edited=event.clock.is_edited)
    change.tell(schedule=name, schedule_before=event.schedule_name)
    change.set(schedule_name=name)
    _mark(event.clock, is_edited=False)


@undoes(SCHEDULE_SAVED)
def _undo_saved(change: Change, action: Action) -> None:
    """Restore the schedule's name, unless renamed since."""
    event, texts = change.event, action.text.data
    ScheduleTemplate.objects.filter(pk=action.payload["template"], revision=None).delete()
    if event.schedule_name == texts["schedule"]:
        change.set(schedule_name=texts["schedule_before"])
        _mark(event.clock, is_edited=event.clock.is_edited or action.payload["was_edited"])


def _mark(clock: Clock, *, is_edited: bool) -> None:
    clock.is_edited = is_edited
    clock.save(update_fields=["is_edited"])


SCHEDULE_RENAMED = Kind("club.schedule_renamed", lazy("Blindplan umbenannt: %(name)s"), Group.CLUB)


@club_service(SCHEDULE_RENAMED, Permission.MANAGE)
def schedule_rename(change: Change, *, schedule: ScheduleTemplate, name: str) -> None:
    """Rename one of the club's own schedules; tournaments keep their name of it.

    :raises Refused: Where it ships with the program.
    """
    refuse_shipped(schedule.name, schedule.revision)
    name = name_kept(name, ScheduleTemplate.objects.exclude(pk=schedule.pk))
    change.record(template=schedule.pk)
    change.tell(name=name, before=schedule.name)
    ScheduleTemplate.objects.filter(pk=schedule.pk).update(name=name)


SCHEDULE_DELETED = Kind("club.schedule_deleted", lazy("Blindplan gelöscht: %(name)s"), Group.CLUB)


@club_service(SCHEDULE_DELETED, Permission.MANAGE)
def schedule_delete(change: Change, *, schedule: ScheduleTemplate) -> None:
    """Delete one of the club's own schedules. Tournaments have copies and do not change.

    :raises Refused: Where it ships with the program.
    """
    refuse_shipped(schedule.name, schedule.revision)
    if ScheduleTemplate.objects.count() < 2:
        raise Refused(_("Die letzte Vorlage bleibt."), code="last_preset")
    change.record(template=schedule.pk)
    change.tell(name=schedule.name)
    ScheduleTemplate.objects.filter(pk=schedule.pk).delete()


# --- Import a blind schedule from a file as one of the club's own


SCHEDULE_IMPORTED = Kind(
    "club.schedule_imported", lazy("Blindplan eingelesen: %(name)s"), Group.CLUB
)


@club_service(SCHEDULE_IMPORTED, Permission.MANAGE)
def schedule_import(change: Change, *, schedule: ScheduleFile) -> None:
    """Save the schedule of a file for new tournaments.

    :raises Refused: Where another is called so, or it is no schedule for a clock.
    """
    name = name_kept(schedule.name, ScheduleTemplate.objects.all())
    refuse_if_wrong(levels_of(schedule))
    row = template_save(
        name=name,
        starting_stack=schedule.starting_stack,
        level_minutes=schedule.level_minutes,
        levels=schedule.levels,
    )
    change.record(template=row.pk)
    change.tell(name=name)


def schedule_of_file(data: bytes, *, name: str, stack: int, usual: str) -> Reading:
    """Read a schedule in any known form; a name or a stack that is told counts.

    :raises Refused: Saying what is wrong with it.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    try:
        return schedule_from(text, name=name, stack=stack, usual=usual)
    except NotASchedule as problem:
        raise Refused(_sentence(problem), code=problem.code) from None


def read_in_words(read: Reading) -> str:
    """Return what was read, and the texts without a place in a schedule."""
    levels = sum(row["kind"] == LevelKind.PLAY for row in read.schedule.levels)
    sentence = _("%(name)s: Stufen: %(levels)d, Pausen: %(breaks)d, Startstapel %(stack)s.") % {
        "name": read.schedule.name,
        "levels": levels,
        "breaks": len(read.schedule.levels) - levels,
        "stack": number_format(read.schedule.starting_stack, force_grouping=True),
    }
    if not read.notes:
        return sentence
    noted = " · ".join(read.notes[:5])[:200]
    told = _("Im Turnier einzustellen: %(noted)s.") % {"noted": noted}
    return f"{sentence} {told}"


def _sentence(problem: NotASchedule) -> str:
    sentences = {
        "newer": _("Diese Datei kommt von einer anderen Fassung des Programms."),
        "bad_head": _("In der Datei stimmt der Name, der Startstapel oder die Stufenlänge nicht."),
        "no_rows": _("Ein Blindplan braucht mindestens eine Stufe."),
        "too_many_rows": _("Ein Blindplan hat höchstens %(most)d Zeilen.") % {"most": MOST_ROWS},
        "bad_row": _("In der Datei stimmt Zeile %(row)s nicht.") % {"row": problem.row},
    }
    unknown = _(
        "Darin ist kein Blindplan zu erkennen. Gelesen werden Tabellen mit Small Blind, Big Blind, "
        "Ante und Minuten, Zeilen wie „25/50 20 min“, die Dateien von hier und von The Tournament "
        "Director."
    )
    return sentences.get(problem.code, unknown)


SCHEDULE_PLANNED = Kind(
    "event.schedule_planned",
    lazy("Blindplan geplant: %(schedule)s"),
    Group.EVENT,
    sets_schedule=True,
)


@service(SCHEDULE_PLANNED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK)
def event_schedule_plan(
    change: Change, *, levels: Sequence[Level], name: str, starting_stack: int
) -> None:
    """Use these levels for the tournament, only before its start; the old clock is kept."""
    refuse_other_schedule(change.event, starting_stack)
    refuse_if_wrong(levels)
    if not 1 <= starting_stack <= MOST_CHIPS:
        raise Refused(_("Ein Startstapel hat mindestens einen Chip."), code="bad_stack")
    clock = clock_from_levels(schedule_name=name[:LONGEST_NAME], levels=levels)
    schedule_give(change, clock, name=clock.schedule_name, starting_stack=starting_stack)
