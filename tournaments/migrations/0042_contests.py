"""Contests of several flights and days; chips carried from a bag as a reason of their own."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0041_screens_asked_from"),
    ]

    operations = [
        migrations.AlterField(
            model_name="chipmovement",
            name="reason",
            field=models.CharField(
                choices=[
                    ("starting_stack", "Starting Stack"),
                    ("carried", "Carried"),
                    ("on_time", "On Time"),
                    ("rebuy", "Rebuy"),
                    ("addon", "Addon"),
                    ("disqualification", "Disqualification"),
                    ("chip_race", "Chip Race"),
                ],
                max_length=30,
            ),
        ),
        migrations.CreateModel(
            name="Bag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amount", models.PositiveBigIntegerField()),
                ("number", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bags",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bags",
                        to="tournaments.event",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
                (
                    "voided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BagWord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "by",
                    models.CharField(
                        choices=[("player", "player"), ("staff", "staff"), ("paper", "paper")],
                        max_length=10,
                    ),
                ),
                ("amount", models.PositiveBigIntegerField()),
                ("number", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bag_words",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bag_words",
                        to="tournaments.event",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
                (
                    "voided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Carry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_removed", models.BooleanField(default=False)),
                (
                    "bag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="carries",
                        to="tournaments.bag",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="carries",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
                (
                    "voided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Contest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("terms", models.JSONField(default=dict)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="contests",
                        to="tournaments.club",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("label", models.CharField(max_length=20)),
                ("order", models.PositiveSmallIntegerField()),
                ("stop", models.JSONField(blank=True, default=dict)),
                (
                    "contest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="stages",
                        to="tournaments.contest",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="stages",
                        to="tournaments.event",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
                (
                    "voided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="bag",
            index=models.Index(
                condition=models.Q(("voided_by__isnull", True)), fields=["event"], name="bag_live"
            ),
        ),
        migrations.AddConstraint(
            model_name="bag",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)), fields=("entry",), name="bag_once"
            ),
        ),
        migrations.AddIndex(
            model_name="bagword",
            index=models.Index(
                condition=models.Q(("voided_by__isnull", True)),
                fields=["event"],
                name="bag_word_live",
            ),
        ),
        migrations.AddConstraint(
            model_name="bagword",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("entry", "by"),
                name="bag_word_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="carry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)), fields=("bag",), name="carry_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("event",),
                name="stage_event_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("contest", "label"),
                name="stage_label_once",
            ),
        ),
    ]
