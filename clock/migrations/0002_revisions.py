from django.db import migrations, models

SHIPPED = ("T100", "T200", "T300")


def mark_what_shipped(apps, schema_editor):
    rows = apps.get_model("clock", "ScheduleTemplate").objects.filter(name__in=SHIPPED)
    rows.update(revision=1)


class Migration(migrations.Migration):
    dependencies = [("clock", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="scheduletemplate",
            name="revision",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(mark_what_shipped, migrations.RunPython.noop, elidable=True),
    ]
