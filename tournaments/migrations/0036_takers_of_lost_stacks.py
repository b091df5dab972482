"""Takers of lost stacks, and an envelope for each of an entry's stacks."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0035_lost_stacks"),
    ]

    operations = [
        migrations.AlterField(
            model_name="rebuychance",
            name="lost",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rebuy_chances",
                to="tournaments.loststack",
            ),
        ),
        *(
            migrations.RemoveField(model_name="rebuychance", name=name)
            for name in ("at", "group", "start_stack", "table", "seat")
        ),
        migrations.AlterField(
            model_name="knockout",
            name="elimination",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="knockouts",
                to="tournaments.elimination",
            ),
        ),
        migrations.AddField(
            model_name="knockout",
            name="lost",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="knockouts",
                to="tournaments.loststack",
            ),
        ),
        migrations.AddConstraint(
            model_name="knockout",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("lost", "by"),
                name="knockout_of_lost_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="knockout",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("elimination__isnull", True), ("lost__isnull", True), _connector="XOR"
                ),
                name="knockout_of_one_stack",
            ),
        ),
        migrations.RemoveConstraint(model_name="envelope", name="envelope_entry_once"),
        migrations.AddField(
            model_name="envelope",
            name="stack",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddConstraint(
            model_name="envelope",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("pot", "entry", "stack"),
                name="envelope_entry_once",
            ),
        ),
    ]
