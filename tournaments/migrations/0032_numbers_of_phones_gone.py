from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0031_live_indexes"),
    ]

    operations = [
        # The table at once: SQLite cannot take a column out of what is unique.
        migrations.DeleteModel(
            name="HallNumber",
        ),
        migrations.RemoveField(
            model_name="event",
            name="frozen",
        ),
        migrations.DeleteModel(
            name="FrozenDraw",
        ),
    ]
