import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0024_leagues"),
    ]

    operations = [
        migrations.AlterField(
            model_name="event",
            name="kind",
            field=models.CharField(
                choices=[
                    ("tournament", "Tournament"),
                    ("cash_game", "Cash Game"),
                    ("both", "Both"),
                ],
                default="tournament",
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="posting",
            name="account",
            field=models.CharField(
                choices=[
                    ("cash", "cash"),
                    ("fees", "fees"),
                    ("pool", "pool"),
                    ("bounty", "bounty"),
                    ("house", "house"),
                    ("extra", "extra"),
                    ("credit", "credit"),
                    ("prizes", "prizes"),
                    ("bounties", "bounties"),
                    ("seats", "seats"),
                    ("float", "float"),
                    ("other", "other"),
                    ("difference", "difference"),
                    ("chips", "chips"),
                    ("rake", "rake"),
                    ("tips", "tips"),
                    ("carried", "carried"),
                    ("missing", "missing"),
                    ("owed", "owed"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="CashTable",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("game", models.CharField(max_length=20)),
                ("limit", models.CharField(max_length=20)),
                ("seats", models.PositiveSmallIntegerField()),
                ("small_blind_cents", models.PositiveIntegerField()),
                ("big_blind_cents", models.PositiveIntegerField()),
                (
                    "minimum_way",
                    models.CharField(
                        choices=[
                            ("fixed", "fixed"),
                            ("big_blinds", "big_blinds"),
                            ("largest_stack", "largest_stack"),
                        ],
                        max_length=20,
                    ),
                ),
                ("minimum", models.PositiveIntegerField()),
                (
                    "maximum_way",
                    models.CharField(
                        choices=[
                            ("fixed", "fixed"),
                            ("big_blinds", "big_blinds"),
                            ("largest_stack", "largest_stack"),
                        ],
                        max_length=20,
                    ),
                ),
                ("maximum", models.PositiveIntegerField(default=0)),
                (
                    "fee_way",
                    models.CharField(
                        choices=[
                            ("none", "none"),
                            ("time", "time"),
                            ("pot", "pot"),
                            ("hand", "hand"),
                        ],
                        max_length=10,
                    ),
                ),
                ("fee_cents", models.PositiveIntegerField(default=0)),
                ("fee_minutes", models.PositiveSmallIntegerField(default=30)),
                ("fee_percent", models.PositiveSmallIntegerField(default=0)),
                ("fee_most_cents", models.PositiveIntegerField(default=0)),
                ("return_minutes", models.PositiveSmallIntegerField(default=60)),
                ("offer_minutes", models.PositiveSmallIntegerField(default=5)),
                ("is_noted", models.BooleanField(default=False)),
                ("opened_at", models.DateTimeField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cash_tables",
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
            name="CashSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("since", models.DateTimeField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cash_seats",
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
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cash_seats",
                        to="tournaments.registration",
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
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sitting",
                        to="tournaments.cashtable",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CashHand",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("began_at", models.DateTimeField()),
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
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hands",
                        to="tournaments.cashtable",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CashCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("counted_cents", models.BigIntegerField()),
                ("counted_at", models.DateTimeField()),
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
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="counts",
                        to="tournaments.cashtable",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="CashClosing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="closings",
                        to="tournaments.cashtable",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="posting",
            name="cash_table",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="postings",
                to="tournaments.cashtable",
            ),
        ),
        migrations.CreateModel(
            name="CashWaiting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cash_waiting",
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
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cash_waiting",
                        to="tournaments.registration",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="waiting",
                        to="tournaments.cashtable",
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
            name="CashOffer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("until", models.DateTimeField()),
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
                (
                    "waiting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="offers",
                        to="tournaments.cashwaiting",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CashEnd",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ends_at", models.DateTimeField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cash_ends",
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=("event",),
                        name="cash_end_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CashHandEnd",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pot_cents", models.PositiveIntegerField(default=0)),
                ("ended_at", models.DateTimeField()),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ends",
                        to="tournaments.cashhand",
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=("hand",),
                        name="cash_hand_ended_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CashLastHands",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("hands", models.PositiveSmallIntegerField()),
                ("announced_at", models.DateTimeField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cash_last_hands",
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=("event",),
                        name="cash_last_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CashLeave",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("leaves_at", models.DateTimeField()),
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
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leaves",
                        to="tournaments.cashseat",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=("seat",),
                        name="cash_leave_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CashAway",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
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
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="aways",
                        to="tournaments.cashseat",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=("seat",),
                        name="cash_away_once",
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="cashtable",
            constraint=models.UniqueConstraint(
                fields=("event", "number"), name="cash_table_number"
            ),
        ),
        migrations.AddIndex(
            model_name="cashseat",
            index=models.Index(
                condition=models.Q(("voided_by__isnull", True)),
                fields=["event"],
                name="cash_seat_live",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashseat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("registration",),
                name="cash_seat_person_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashseat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("table", "seat"),
                name="cash_seat_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashhand",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("table", "number"),
                name="cash_hand_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashclosing",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("table",),
                name="cash_closed_once",
            ),
        ),
        migrations.AddIndex(
            model_name="cashwaiting",
            index=models.Index(
                condition=models.Q(("voided_by__isnull", True)),
                fields=["event"],
                name="cash_waiting_live",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashwaiting",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("registration", "table"),
                name="cash_waiting_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="cashoffer",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("waiting",),
                name="cash_offer_once",
            ),
        ),
    ]
