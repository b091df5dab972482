"""What a ticket is worth beyond the price: lost, on a new ticket, or for the pool."""

from django.db import migrations, models

LOST, TICKET, POOL = "lost", "ticket", "pool"


def keep(apps, schema):
    tickets = apps.get_model("tournaments", "Ticket").objects.using(schema.connection.alias)
    tickets.filter(keeps_rest=True).update(rest=TICKET)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0055_stream_delay"),
    ]

    operations = [
        migrations.AddField(
            "ticket",
            "rest",
            models.CharField(
                max_length=10, choices=[(way, way) for way in (LOST, TICKET, POOL)], default=LOST
            ),
        ),
        migrations.AddField("ticketuse", "pool_cents", models.PositiveBigIntegerField(default=0)),
        migrations.RunPython(keep, migrations.RunPython.noop),
        migrations.RemoveField("ticket", "keeps_rest"),
    ]
