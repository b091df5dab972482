"""Listeners with their notices, webhooks with their deliveries."""

from django.db import migrations, models

PLAYERS = models.Q(("registration__isnull", False))
DEVICES = models.Q(("device__isnull", False))
WAITS = models.Q(("sent_at__isnull", True))


def key():
    own = {"auto_created": True, "primary_key": True, "serialize": False, "verbose_name": "ID"}
    return ("id", models.BigAutoField(**own))


def to(name, model, *, related="+", kind=models.ForeignKey, **own):
    own |= {"on_delete": models.CASCADE, "related_name": related}
    return (name, kind(to=f"tournaments.{model}", **own))


def sent():
    return (
        ("made_at", models.DateTimeField()),
        ("due_at", models.DateTimeField()),
        ("sent_at", models.DateTimeField(blank=True, null=True)),
        ("tries", models.PositiveSmallIntegerField(default=0)),
        ("error", models.CharField(blank=True, max_length=300)),
    )


def once(name, *fields, **own):
    return models.UniqueConstraint(fields=fields, name=name, **own)


def due(name):
    return models.Index(fields=["due_at"], condition=WAITS, name=name)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0052_league_guests"),
    ]

    operations = [
        migrations.CreateModel(
            name="Listener",
            fields=[
                key(),
                to("event", "event", related="listeners"),
                to("registration", "registration", related="listeners", blank=True, null=True),
                to("device", "staffdevice", related="listeners", blank=True, null=True),
                ("channel", models.CharField(max_length=10)),
                ("address_sealed", models.TextField(blank=True)),
                ("kinds", models.JSONField(default=list)),
                ("tables", models.JSONField(default=list)),
                ("language", models.CharField(default="de", max_length=8)),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    once("listener_player_once", "registration", "channel", condition=PLAYERS),
                    once("listener_device_once", "event", "device", "channel", condition=DEVICES),
                ]
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                key(),
                *sent(),
                to("listener", "listener", related="notices"),
                ("kind", models.CharField(max_length=10)),
                ("fact", models.CharField(max_length=60)),
                ("lapses_at", models.DateTimeField()),
            ],
            options={
                "constraints": [once("notice_fact_once", "listener", "fact")],
                "indexes": [due("notice_due")],
            },
        ),
        migrations.CreateModel(
            name="Outlet",
            fields=[
                key(),
                to("club", "club", related="outlet", kind=models.OneToOneField),
                ("bot_sealed", models.TextField(blank=True)),
                ("bot_name", models.CharField(blank=True, max_length=64)),
                ("bot_offset", models.BigIntegerField(default=0)),
                ("push_sealed", models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name="Reading",
            fields=[
                key(),
                ("purpose", models.CharField(max_length=30)),
                to("event", "event"),
                ("sequence", models.PositiveBigIntegerField()),
            ],
            options={"constraints": [once("reading_once", "purpose", "event")]},
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                key(),
                to("club", "club", related="webhooks"),
                ("url", models.CharField(max_length=500)),
                ("secret_sealed", models.TextField()),
                ("made_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                key(),
                *sent(),
                to("webhook", "webhook", related="deliveries"),
                to("event", "event"),
                ("sequence", models.PositiveBigIntegerField()),
                ("body", models.JSONField()),
            ],
            options={
                "constraints": [once("delivery_once", "webhook", "event", "sequence")],
                "indexes": [due("delivery_due")],
            },
        ),
    ]
