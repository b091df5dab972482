"""Rows of schedules and clocks: facts only. The display of a clock is never stored."""

from django.db import models

from clock import domain


class LevelFields(models.Model):
    """Common columns of a template's and a clock's levels."""

    class Kind(models.TextChoices):
        PLAY = domain.LevelKind.PLAY.value
        BREAK = domain.LevelKind.BREAK.value

    class AnteKind(models.TextChoices):
        EACH = domain.AnteKind.EACH.value
        BIG_BLIND = domain.AnteKind.BIG_BLIND.value

    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.PLAY)
    hands = models.PositiveIntegerField(null=True, blank=True)
    small_blind = models.PositiveIntegerField(default=0)
    big_blind = models.PositiveIntegerField(default=0)
    small_bet = models.PositiveIntegerField(default=0)
    big_bet = models.PositiveIntegerField(default=0)
    ante = models.PositiveIntegerField(default=0)
    ante_kind = models.CharField(max_length=16, choices=AnteKind, default=AnteKind.EACH)
    bring_in = models.PositiveIntegerField(default=0)
    game = models.CharField(max_length=40, blank=True, default="")
    limit = models.CharField(max_length=16, blank=True, default="")
    colour_up = models.JSONField(default=list, blank=True)

    class Meta:
        abstract = True


class ScheduleTemplate(models.Model):
    """A blind schedule to choose from. Copied into a clock, which never reads it again.

    `revision` is that of the file it ships in; a club's own has none.
    """

    name = models.CharField(max_length=80, unique=True)
    description = models.TextField(blank=True, default="")
    starting_stack = models.PositiveIntegerField()
    level_minutes = models.PositiveIntegerField(default=20)
    revision = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class TemplateLevel(LevelFields):
    """A row of a template. Without minutes and hands it has the template's length."""

    template = models.ForeignKey(ScheduleTemplate, models.CASCADE, related_name="levels")
    minutes = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["template", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["template", "position"], name="template_level_position_once"
            )
        ]


class Clock(models.Model):
    """One clock. `schedule_name` is the origin of its levels, `is_edited` whether they changed.

    `starts_at` is the planned automatic start; `counting_table` the number of the table that counts
    its hands.
    """

    schedule_name = models.CharField(max_length=80, blank=True, default="")
    is_edited = models.BooleanField(default=False)
    starts_at = models.DateTimeField(null=True, blank=True)
    counting_table = models.PositiveIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.pk} {self.schedule_name}"


class Level(LevelFields):
    """The clock's own copy of a level. Rows never change: an edit of the schedule adds new ones.

    The row belongs to the schedule from the edit `added_by` until the edit `removed_by`.
    `is_unplanned` marks a break added during play, `rest_of` the level it cut.
    """

    clock = models.ForeignKey(Clock, models.CASCADE, related_name="levels")
    duration_ms = models.PositiveBigIntegerField(null=True, blank=True)
    added_at = models.DateTimeField(null=True, blank=True)
    is_unplanned = models.BooleanField(default=False)
    rest_of = models.ForeignKey("self", models.RESTRICT, null=True, blank=True, related_name="+")
    added_by = models.ForeignKey(
        "ClockAction", models.RESTRICT, null=True, blank=True, related_name="+"
    )
    removed_by = models.ForeignKey(
        "ClockAction", models.RESTRICT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["clock", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["clock", "position"],
                condition=models.Q(removed_by__isnull=True),
                name="level_position_once",
            )
        ]


class ClockAction(models.Model):
    """One action on a clock. Append-only; `at` orders the display, `sequence` breaks ties.

    `undoes` names the action undone by this one.
    """

    class Kind(models.TextChoices):
        STARTED = domain.ActionKind.STARTED.value
        PAUSED = domain.ActionKind.PAUSED.value
        ADJUSTED = domain.ActionKind.ADJUSTED.value
        JUMPED = domain.ActionKind.JUMPED.value
        RESTORED = domain.ActionKind.RESTORED.value
        HAND_COUNTED = domain.ActionKind.HAND_COUNTED.value
        LAST_HANDS_SET = domain.ActionKind.LAST_HANDS_SET.value
        BREAK_STOP_SET = domain.ActionKind.BREAK_STOP_SET.value
        EDITED = domain.ActionKind.EDITED.value
        CORRECTED = domain.ActionKind.CORRECTED.value

    clock = models.ForeignKey(Clock, models.CASCADE, related_name="actions")
    sequence = models.PositiveIntegerField()
    kind = models.CharField(max_length=16, choices=Kind)
    at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    shift_ms = models.BigIntegerField(null=True, blank=True)
    level = models.ForeignKey(Level, models.RESTRICT, null=True, blank=True, related_name="+")
    elapsed_ms = models.BigIntegerField(null=True, blank=True)
    is_running = models.BooleanField(null=True, blank=True)
    hands = models.PositiveIntegerField(null=True, blank=True)
    has_started = models.BooleanField(null=True, blank=True)
    began_at = models.DateTimeField(null=True, blank=True)
    last_hands = models.PositiveIntegerField(null=True, blank=True)
    stops_after_break = models.BooleanField(null=True, blank=True)
    undoes = models.OneToOneField(
        "self", models.RESTRICT, null=True, blank=True, related_name="undone_by"
    )

    class Meta:
        ordering = ["clock", "sequence"]
        constraints = [
            models.UniqueConstraint(fields=["clock", "sequence"], name="action_sequence_once")
        ]
