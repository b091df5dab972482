"""What release 0.3.0 keeps elsewhere: heads of events, and stacks lost before a seat was held."""

from django.db import migrations

from tournaments.migrations._making import to

GONE = {
    "event": (
        "version",
        "log_sequence",
        "log_hash",
        "log_recorded_at",
        "started_by",
        "ended_by",
        "cancelled_by",
    ),
    "rebuychance": ("at", "group", "start_stack", "table", "seat"),
}


class Migration(migrations.Migration):
    replaces = [
        ("tournaments", "0036_takers_of_lost_stacks"),
        ("tournaments", "0039_event_heads"),
    ]
    dependencies = [("tournaments", "0033_rows_of_0_3_0")]

    operations = [
        migrations.AlterField(
            "rebuychance", "lost", to("tournaments.loststack", related_name="rebuy_chances")
        ),
        *(migrations.RemoveField(table, name) for table, names in GONE.items() for name in names),
        migrations.AlterModelOptions("event", {"base_manager_name": "objects"}),
    ]
