from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("clock", "0004_unplanned_breaks"),
    ]

    operations = [
        migrations.DeleteModel(name="TimeBase"),
    ]
