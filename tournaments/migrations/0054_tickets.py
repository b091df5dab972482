"""Tickets of satellites, seats won by a target stack, the lobby, the pool of a contest."""

import django.db.models.deletion
from django.db import migrations, models

PROTECT = django.db.models.deletion.PROTECT
LIVE = models.Q(("voided_by__isnull", True))


def _key():
    field = models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )
    return ("id", field)


def _keys(**named):
    facts = {
        "made_by": ("action", {"related_name": "+"}),
        "voided_by": ("action", {"related_name": "+", "null": True, "blank": True}),
    }
    return [
        (name, models.ForeignKey(on_delete=PROTECT, to=f"tournaments.{to}", **own))
        for name, (to, own) in (named | facts).items()
    ]


def _chosen(values, **own):
    return models.CharField(choices=[(value, value) for value in values], **own)


def _titled(values, **own):
    choices = [(value, value.replace("_", " ").title()) for value in values]
    return models.CharField(choices=choices, **own)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0053_notices"),
    ]

    operations = [
        migrations.CreateModel(
            name="Ticket",
            fields=[
                _key(),
                ("worth_cents", models.PositiveBigIntegerField()),
                ("until", models.DateField(blank=True, null=True)),
                ("keeps_rest", models.BooleanField(default=False)),
                *_keys(
                    event=("event", {"related_name": "tickets"}),
                    registration=("registration", {"related_name": "tickets"}),
                    serves=(
                        "event",
                        {"related_name": "tickets_for", "null": True, "blank": True},
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(condition=LIVE, fields=["event"], name="ticket_live")],
            },
        ),
        migrations.CreateModel(
            name="TicketUse",
            fields=[
                _key(),
                ("cents", models.PositiveBigIntegerField()),
                *_keys(
                    event=("event", {"related_name": "ticket_uses"}),
                    ticket=("ticket", {"related_name": "uses"}),
                    registration=("registration", {"related_name": "ticket_uses"}),
                ),
            ],
            options={
                "indexes": [models.Index(condition=LIVE, fields=["event"], name="ticket_use_live")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=LIVE, fields=("ticket",), name="ticket_used_once"
                    )
                ],
            },
        ),
        migrations.AlterField(
            model_name="posting",
            name="account",
            field=_chosen(
                [
                    "cash",
                    "fees",
                    "pool",
                    "bounty",
                    "house",
                    "extra",
                    "credit",
                    "prizes",
                    "bounties",
                    "seats",
                    "forward",
                    "bonus",
                    "float",
                    "other",
                    "difference",
                    "chips",
                    "rake",
                    "tips",
                    "carried",
                    "missing",
                    "owed",
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="posting",
            name="means",
            field=_chosen(
                ["cash", "card", "transfer", "voucher", "ticket"], blank=True, max_length=10
            ),
        ),
        migrations.AlterField(
            model_name="screen",
            name="shows",
            field=_titled(
                [
                    "clock",
                    "seating",
                    "moves",
                    "places",
                    "hunters",
                    "prizes",
                    "cash",
                    "rotating",
                    "lobby",
                ],
                default="clock",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="elimination",
            name="way",
            field=_titled(["bust", "disqualified", "surrendered", "seat"], max_length=20),
        ),
        migrations.AlterField(
            model_name="chipmovement",
            name="reason",
            field=_titled(
                [
                    "starting_stack",
                    "carried",
                    "on_time",
                    "rebuy",
                    "addon",
                    "disqualification",
                    "surrender",
                    "seat_won",
                    "blinded",
                    "chip_race",
                ],
                max_length=30,
            ),
        ),
    ]
