"""Secrets that can be shown again are sealed: a backup does not show them."""

from django.db import migrations, models

from krru.sealing import seal
from tournaments.models.people import link_hash

BATCH = 500


def seal_all(apps, schema_editor):
    for name, old, new in (
        ("Event", "draw_secret", "draw_sealed"),
        ("Draw", "secret", "sealed"),
        ("SignInLink", "token", "token_sealed"),
    ):
        model = apps.get_model("tournaments", name)
        rows = list(model.objects.exclude(**{old: ""}))
        for row in rows:
            setattr(row, new, seal(getattr(row, old)))
        model.objects.bulk_update(rows, [new], batch_size=BATCH)
    model = apps.get_model("tournaments", "Registration")
    rows = list(model.objects.all())
    for row in rows:
        row.link_sealed, row.link_hash = seal(row.link_token), link_hash(row.link_token)
    model.objects.bulk_update(rows, ["link_sealed", "link_hash"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_door")]

    operations = [
        migrations.AddField("club", "sealed_mark", models.TextField(blank=True, default=""), False),
        migrations.AddField(
            "event", "draw_sealed", models.TextField(blank=True, default=""), False
        ),
        migrations.AddField("draw", "sealed", models.TextField(blank=True, default=""), False),
        migrations.AddField(
            "signinlink", "token_sealed", models.TextField(blank=True, default=""), False
        ),
        migrations.AddField("registration", "link_sealed", models.TextField(default=""), False),
        migrations.AddField(
            "registration", "link_hash", models.CharField(max_length=64, default=""), False
        ),
        migrations.AddField(
            "registration",
            "former_link_hash",
            models.CharField(blank=True, db_index=True, default="", max_length=64),
            False,
        ),
        migrations.RunPython(seal_all, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            "registration", "link_hash", models.CharField(max_length=64, unique=True)
        ),
        migrations.RemoveField("event", "draw_secret"),
        migrations.RemoveField("draw", "secret"),
        migrations.RemoveField("signinlink", "token"),
        migrations.RemoveField("registration", "link_token"),
        migrations.RemoveField("mail", "body"),
    ]
