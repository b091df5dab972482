"""The tables as release 0.2.0 left them."""

from django.db import migrations, models


def model(name, *fields, **options):
    """Make a table with a number as its key."""
    number = models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )
    return migrations.CreateModel(name, [("id", number), *fields], options)


class Migration(migrations.Migration):
    initial = True
    # A data folder of 0.2.0 holds all of these, so there this one counts as done.
    replaces = [
        ("clock", "0002_edits"),
        ("clock", "0003_time"),
        ("clock", "0002_revisions"),
        ("clock", "0003_stakes"),
    ]
    dependencies = []

    operations = [
        model(
            "ScheduleTemplate",
            ("name", models.CharField(max_length=80, unique=True)),
            ("description", models.TextField(blank=True, default="")),
            ("starting_stack", models.PositiveIntegerField()),
            ("level_minutes", models.PositiveIntegerField(default=20)),
            ("revision", models.PositiveIntegerField(blank=True, null=True)),
            ordering=["name"],
        ),
        model(
            "TemplateLevel",
            ("position", models.PositiveIntegerField()),
            (
                "kind",
                models.CharField(
                    choices=[("play", "Play"), ("break", "Break")], default="play", max_length=8
                ),
            ),
            ("hands", models.PositiveIntegerField(blank=True, null=True)),
            ("small_blind", models.PositiveIntegerField(default=0)),
            ("big_blind", models.PositiveIntegerField(default=0)),
            ("small_bet", models.PositiveIntegerField(default=0)),
            ("big_bet", models.PositiveIntegerField(default=0)),
            ("ante", models.PositiveIntegerField(default=0)),
            (
                "ante_kind",
                models.CharField(
                    choices=[("each", "Each"), ("big_blind", "Big Blind")],
                    default="each",
                    max_length=16,
                ),
            ),
            ("bring_in", models.PositiveIntegerField(default=0)),
            ("game", models.CharField(blank=True, default="", max_length=40)),
            ("limit", models.CharField(blank=True, default="", max_length=16)),
            ("colour_up", models.JSONField(blank=True, default=list)),
            (
                "template",
                models.ForeignKey(
                    "clock.scheduletemplate", on_delete=models.CASCADE, related_name="levels"
                ),
            ),
            ("minutes", models.PositiveIntegerField(blank=True, null=True)),
            constraints=[
                models.UniqueConstraint(
                    fields=("template", "position"), name="template_level_position_once"
                )
            ],
            ordering=["template", "position"],
        ),
        model(
            "Clock",
            ("schedule_name", models.CharField(blank=True, default="", max_length=80)),
            ("is_edited", models.BooleanField(default=False)),
            ("starts_at", models.DateTimeField(blank=True, null=True)),
            ("counting_table", models.PositiveIntegerField(blank=True, null=True)),
        ),
        model(
            "TimeBase",
            ("boot_id", models.CharField(max_length=64, unique=True)),
            ("zero_at", models.DateTimeField()),
            ("highest_at", models.DateTimeField(blank=True, null=True)),
        ),
        model(
            "ClockAction",
            (
                "clock",
                models.ForeignKey("clock.clock", on_delete=models.CASCADE, related_name="actions"),
            ),
            ("sequence", models.PositiveIntegerField()),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("started", "Started"),
                        ("paused", "Paused"),
                        ("adjusted", "Adjusted"),
                        ("jumped", "Jumped"),
                        ("restored", "Restored"),
                        ("hand_counted", "Hand Counted"),
                        ("last_hands_set", "Last Hands Set"),
                        ("break_stop_set", "Break Stop Set"),
                        ("edited", "Edited"),
                        ("corrected", "Corrected"),
                    ],
                    max_length=16,
                ),
            ),
            ("at", models.DateTimeField()),
            ("recorded_at", models.DateTimeField()),
            ("shift_ms", models.BigIntegerField(blank=True, null=True)),
            ("elapsed_ms", models.BigIntegerField(blank=True, null=True)),
            ("is_running", models.BooleanField(blank=True, null=True)),
            ("hands", models.PositiveIntegerField(blank=True, null=True)),
            ("has_started", models.BooleanField(blank=True, null=True)),
            ("began_at", models.DateTimeField(blank=True, null=True)),
            ("last_hands", models.PositiveIntegerField(blank=True, null=True)),
            ("stops_after_break", models.BooleanField(blank=True, null=True)),
            (
                "undoes",
                models.OneToOneField(
                    "clock.clockaction",
                    on_delete=models.RESTRICT,
                    related_name="undone_by",
                    blank=True,
                    null=True,
                ),
            ),
            constraints=[
                models.UniqueConstraint(fields=("clock", "sequence"), name="action_sequence_once")
            ],
            ordering=["clock", "sequence"],
        ),
        model(
            "Level",
            ("position", models.PositiveIntegerField()),
            (
                "kind",
                models.CharField(
                    choices=[("play", "Play"), ("break", "Break")], default="play", max_length=8
                ),
            ),
            ("hands", models.PositiveIntegerField(blank=True, null=True)),
            ("small_blind", models.PositiveIntegerField(default=0)),
            ("big_blind", models.PositiveIntegerField(default=0)),
            ("small_bet", models.PositiveIntegerField(default=0)),
            ("big_bet", models.PositiveIntegerField(default=0)),
            ("ante", models.PositiveIntegerField(default=0)),
            (
                "ante_kind",
                models.CharField(
                    choices=[("each", "Each"), ("big_blind", "Big Blind")],
                    default="each",
                    max_length=16,
                ),
            ),
            ("bring_in", models.PositiveIntegerField(default=0)),
            ("game", models.CharField(blank=True, default="", max_length=40)),
            ("limit", models.CharField(blank=True, default="", max_length=16)),
            ("colour_up", models.JSONField(blank=True, default=list)),
            (
                "clock",
                models.ForeignKey("clock.clock", on_delete=models.CASCADE, related_name="levels"),
            ),
            ("duration_ms", models.PositiveBigIntegerField(blank=True, null=True)),
            ("added_at", models.DateTimeField(blank=True, null=True)),
            (
                "added_by",
                models.ForeignKey(
                    "clock.clockaction",
                    on_delete=models.RESTRICT,
                    related_name="+",
                    blank=True,
                    null=True,
                ),
            ),
            (
                "removed_by",
                models.ForeignKey(
                    "clock.clockaction",
                    on_delete=models.RESTRICT,
                    related_name="+",
                    blank=True,
                    null=True,
                ),
            ),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("removed_by__isnull", True)),
                    fields=("clock", "position"),
                    name="level_position_once",
                )
            ],
            ordering=["clock", "position"],
        ),
        migrations.AddField(
            "clockaction",
            "level",
            models.ForeignKey(
                "clock.level", on_delete=models.RESTRICT, related_name="+", blank=True, null=True
            ),
        ),
    ]
