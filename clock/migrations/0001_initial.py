import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    # A data folder of 0.1.0 has these: there this one counts as done.
    replaces = [("clock", "0002_edits"), ("clock", "0003_time")]

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Clock",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("schedule_name", models.CharField(blank=True, default="", max_length=80)),
                ("starts_at", models.DateTimeField(blank=True, null=True)),
                ("counting_table", models.PositiveIntegerField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="ScheduleTemplate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80, unique=True)),
                ("description", models.TextField(blank=True, default="")),
                ("starting_stack", models.PositiveIntegerField()),
                ("level_minutes", models.PositiveIntegerField(default=20)),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="TimeBase",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("boot_id", models.CharField(max_length=64, unique=True)),
                ("zero_at", models.DateTimeField()),
                ("highest_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="ClockAction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
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
                    "clock",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="actions",
                        to="clock.clock",
                    ),
                ),
                (
                    "undoes",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="undone_by",
                        to="clock.clockaction",
                    ),
                ),
            ],
            options={
                "ordering": ["clock", "sequence"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("clock", "sequence"), name="action_sequence_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Level",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
                ("big_bet", models.PositiveIntegerField(default=0)),
                ("ante", models.PositiveIntegerField(default=0)),
                ("bring_in", models.PositiveIntegerField(default=0)),
                ("game", models.CharField(blank=True, default="", max_length=40)),
                ("colour_up", models.JSONField(blank=True, default=list)),
                ("duration_ms", models.PositiveBigIntegerField(blank=True, null=True)),
                ("added_at", models.DateTimeField(blank=True, null=True)),
                (
                    "added_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="clock.clockaction",
                    ),
                ),
                (
                    "clock",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="levels",
                        to="clock.clock",
                    ),
                ),
                (
                    "removed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="clock.clockaction",
                    ),
                ),
            ],
            options={
                "ordering": ["clock", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("removed_by__isnull", True)),
                        fields=("clock", "position"),
                        name="level_position_once",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="clockaction",
            name="level",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="+",
                to="clock.level",
            ),
        ),
        migrations.CreateModel(
            name="TemplateLevel",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
                ("big_bet", models.PositiveIntegerField(default=0)),
                ("ante", models.PositiveIntegerField(default=0)),
                ("bring_in", models.PositiveIntegerField(default=0)),
                ("game", models.CharField(blank=True, default="", max_length=40)),
                ("colour_up", models.JSONField(blank=True, default=list)),
                ("minutes", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "template",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="levels",
                        to="clock.scheduletemplate",
                    ),
                ),
            ],
            options={
                "ordering": ["template", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("template", "position"), name="template_level_position_once"
                    )
                ],
            },
        ),
    ]
