"""From the tables of 0.1.0 to those of 0.2.0, with what was in them."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery

import tournaments.models.people
from krru.data.sealing import seal
from tournaments.models.people import link_hash

BATCH = 500


def mark_what_shipped(apps, schema_editor):
    presets = apps.get_model("tournaments", "RulePreset").objects
    presets.filter(key__in=("krru-3", "tda-2024")).update(revision=1)
    apps.get_model("tournaments", "ChipSet").objects.filter(name="Steffen").update(revision=1)


def fill_in(apps, schema_editor):
    """Give what is registered already the data of its person; its link opens no more than that."""
    registrations = apps.get_model("tournaments", "Registration").objects.all()
    people = apps.get_model("tournaments", "Person").objects.filter(pk=OuterRef("person"))
    known = {field: Subquery(people.values(field)) for field in ("name", "email", "phone")}
    registrations.update(**known)


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
    # A data folder of 0.2.0 has these: there this one counts as done.
    replaces = [
        ("tournaments", "0002_revisions"),
        ("tournaments", "0003_registration_owns_person"),
        ("tournaments", "0004_place_ruling"),
        ("tournaments", "0005_draw_secret"),
        ("tournaments", "0006_person_name_salt"),
        ("tournaments", "0007_numbers_of_the_hall"),
        ("tournaments", "0008_door"),
        ("tournaments", "0009_sealed"),
        ("tournaments", "0010_confirming"),
        ("tournaments", "0012_door"),
        ("tournaments", "0013_public"),
        ("tournaments", "0014_phones"),
        ("tournaments", "0015_money_base"),
        ("tournaments", "0016_entries"),
        ("tournaments", "0017_drawer"),
        ("tournaments", "0018_prizes"),
        ("tournaments", "0019_bounties_and_deals"),
        ("tournaments", "0020_rulings"),
        ("tournaments", "0023_forecast"),
        ("tournaments", "0024_leagues"),
        ("tournaments", "0025_cash_game"),
        ("tournaments", "0026_chip_race"),
    ]

    dependencies = [
        ("clock", "0003_stakes"),
        ("tournaments", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="chipset",
            name="revision",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="rulepreset",
            name="revision",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(
            code=mark_what_shipped,
            reverse_code=migrations.RunPython.noop,
        ),
        migrations.AddField(
            model_name="registration",
            name="name",
            field=models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="registration",
            name="email",
            field=models.EmailField(blank=True, default="", max_length=254),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="registration",
            name="phone",
            field=models.CharField(blank=True, default="", max_length=40),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="registration",
            name="says_member",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="registration",
            name="made_person",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="registration",
            name="owns_person",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(
            code=fill_in,
            reverse_code=migrations.RunPython.noop,
        ),
        migrations.CreateModel(
            name="PlaceRuling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "way",
                    models.CharField(
                        choices=[("above", "Above"), ("shares", "Shares"), ("below", "Below")],
                        max_length=20,
                    ),
                ),
                (
                    "beside",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="place_rulings",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="place_rulings",
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
                "indexes": [
                    models.Index(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=["event"],
                        name="place_ruling_live",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="draw",
            name="secret",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="person",
            name="name_salt",
            field=models.CharField(
                blank=True, default=tournaments.models.people.new_salt, max_length=32
            ),
        ),
        migrations.AlterField(
            model_name="draw",
            name="hall_number",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.CreateModel(
            name="FrozenDraw",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("table", models.PositiveIntegerField(default=0)),
                ("number", models.PositiveIntegerField()),
                ("text", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("salt", models.CharField(max_length=32)),
                ("called", models.CharField(blank=True, max_length=40)),
                (
                    "closed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
                (
                    "drawn_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="frozen_draws",
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
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.action",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="event",
            name="frozen",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tournaments.frozendraw",
            ),
        ),
        migrations.CreateModel(
            name="HallNumber",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seal", models.CharField(max_length=64)),
                ("number", models.CharField(blank=True, max_length=9)),
                ("nonce", models.CharField(blank=True, max_length=32)),
                (
                    "frozen",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="numbers",
                        to="tournaments.frozendraw",
                    ),
                ),
                (
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.registration",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("frozen", "registration"), name="hall_number_once"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="registration",
            name="origin",
            field=models.CharField(blank=True, max_length=32),
        ),
        migrations.AddField(
            model_name="club",
            name="sealed_mark",
            field=models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="event",
            name="draw_sealed",
            field=models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="draw",
            name="sealed",
            field=models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="signinlink",
            name="token_sealed",
            field=models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="registration",
            name="link_sealed",
            field=models.TextField(default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="registration",
            name="link_hash",
            field=models.CharField(default="", max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="registration",
            name="former_link_hash",
            field=models.CharField(blank=True, db_index=True, default="", max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(
            code=seal_all,
            reverse_code=migrations.RunPython.noop,
        ),
        migrations.AlterField(
            model_name="registration",
            name="link_hash",
            field=models.CharField(max_length=64, unique=True),
        ),
        migrations.RemoveField(
            model_name="event",
            name="draw_secret",
        ),
        migrations.RemoveField(
            model_name="draw",
            name="secret",
        ),
        migrations.RemoveField(
            model_name="signinlink",
            name="token",
        ),
        migrations.RemoveField(
            model_name="registration",
            name="link_token",
        ),
        migrations.RemoveField(
            model_name="mail",
            name="body",
        ),
        migrations.AddField(
            model_name="event",
            name="confirm_minutes",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="registration",
            name="confirmed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="registration",
            name="is_mail_proven",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="registration",
            name="replaced_link_hash",
            field=models.CharField(blank=True, db_index=True, max_length=64),
        ),
        migrations.AddField(
            model_name="club",
            name="address",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="club",
            name="contact",
            field=models.TextField(blank=True, max_length=500),
        ),
        migrations.AddField(
            model_name="club",
            name="description",
            field=models.TextField(blank=True, max_length=2000),
        ),
        migrations.AddField(
            model_name="club",
            name="house_text",
            field=models.TextField(blank=True, max_length=2000),
        ),
        migrations.AddField(
            model_name="club",
            name="imprint",
            field=models.TextField(blank=True, max_length=6000),
        ),
        migrations.AddField(
            model_name="club",
            name="venue",
            field=models.CharField(blank=True, max_length=120),
        ),
        migrations.AddField(
            model_name="event",
            name="address",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="event",
            name="contact",
            field=models.TextField(blank=True, max_length=500),
        ),
        migrations.AddField(
            model_name="event",
            name="description",
            field=models.TextField(blank=True, max_length=2000),
        ),
        migrations.AddField(
            model_name="event",
            name="house_text",
            field=models.TextField(blank=True, max_length=2000),
        ),
        migrations.AddField(
            model_name="event",
            name="venue",
            field=models.CharField(blank=True, max_length=120),
        ),
        migrations.CreateModel(
            name="Summons",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=20)),
                ("called_at", models.DateTimeField()),
                ("is_coming", models.BooleanField(default=False)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="summons",
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
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="summons",
                        to="tournaments.table",
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
                        fields=("table",),
                        name="summons_once",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="posting",
            name="part",
            field=models.CharField(blank=True, max_length=60),
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
                    ("float", "float"),
                    ("other", "other"),
                    ("difference", "difference"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="addon_break",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="addon_cents",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="addon_chips",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="addon_level",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="addon_many",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="event",
            name="addon_parts",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="event",
            name="early_entries",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="early_fee_cents",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="early_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="event",
            name="fee_parts",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="event",
            name="on_time_chips",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="rebuy_break",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="rebuy_cents",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="rebuy_chips",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="rebuy_double",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="event",
            name="rebuy_hold_minutes",
            field=models.PositiveSmallIntegerField(default=5),
        ),
        migrations.AddField(
            model_name="event",
            name="rebuy_level",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="rebuy_most",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="rebuy_parts",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="event",
            name="rebuy_threshold",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="reentry_cents",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="reentry_most",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="reentry_parts",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AlterField(
            model_name="chipmovement",
            name="reason",
            field=models.CharField(
                choices=[
                    ("starting_stack", "Starting Stack"),
                    ("on_time", "On Time"),
                    ("rebuy", "Rebuy"),
                    ("addon", "Addon"),
                    ("disqualification", "Disqualification"),
                ],
                max_length=30,
            ),
        ),
        migrations.CreateModel(
            name="Purchase",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[("rebuy", "Rebuy"), ("addon", "Addon"), ("reentry", "Reentry")],
                        max_length=10,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=1)),
                ("cents", models.PositiveIntegerField(default=0)),
                ("parts", models.JSONField(blank=True, default=list)),
                ("bought_at", models.DateTimeField()),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="purchases",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="purchases",
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
                        related_name="purchases",
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
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=["event", "registration"],
                        name="purchase_live",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PurchaseWish",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[("rebuy", "Rebuy"), ("addon", "Addon"), ("reentry", "Reentry")],
                        max_length=10,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=1)),
                ("stack", models.PositiveBigIntegerField(blank=True, null=True)),
                ("asked_at", models.DateTimeField()),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="purchase_wishes",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="purchase_wishes",
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
                "indexes": [
                    models.Index(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=["event"],
                        name="purchase_wish_live",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=("entry",),
                        name="purchase_wish_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RebuyChance",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("group", models.PositiveBigIntegerField(blank=True, null=True)),
                ("start_stack", models.PositiveBigIntegerField(blank=True, null=True)),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rebuy_chances",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rebuy_chances",
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
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.table",
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
                "indexes": [
                    models.Index(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=["event", "until"],
                        name="rebuy_chance_live",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=("entry",),
                        name="rebuy_chance_once",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="club",
            name="payment_means",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="event",
            name="payout_limit_cents",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="posting",
            name="means",
            field=models.CharField(
                blank=True,
                choices=[
                    ("cash", "cash"),
                    ("card", "card"),
                    ("transfer", "transfer"),
                    ("voucher", "voucher"),
                ],
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="Drawer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drawers",
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
        migrations.AddField(
            model_name="posting",
            name="drawer",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="postings",
                to="tournaments.drawer",
            ),
        ),
        migrations.CreateModel(
            name="DrawerClosing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("counted_cents", models.BigIntegerField()),
                (
                    "drawer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="closings",
                        to="tournaments.drawer",
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
            name="DrawerHolding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drawers_held",
                        to="tournaments.staffdevice",
                    ),
                ),
                (
                    "drawer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="holdings",
                        to="tournaments.drawer",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drawer_holdings",
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
            name="Receipt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("year", models.PositiveIntegerField()),
                ("number", models.PositiveIntegerField()),
                ("is_sample", models.BooleanField(default=False)),
                ("means", models.CharField(max_length=10)),
                ("cents", models.BigIntegerField()),
                ("is_payout", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField()),
                (
                    "action",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="receipts",
                        to="tournaments.action",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="receipts",
                        to="tournaments.club",
                    ),
                ),
                (
                    "counters",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="countered_by",
                        to="tournaments.receipt",
                    ),
                ),
                (
                    "drawer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="receipts",
                        to="tournaments.drawer",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="receipts",
                        to="tournaments.event",
                    ),
                ),
                (
                    "registration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="receipts",
                        to="tournaments.registration",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReceiptCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("year", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField(default=0)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="receipt_counts",
                        to="tournaments.club",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="receipt_counts",
                        to="tournaments.event",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="drawer",
            constraint=models.UniqueConstraint(
                fields=("event", "number"), name="drawer_event_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="drawerclosing",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("drawer",),
                name="drawer_closed_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="drawerholding",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("drawer",),
                name="drawer_one_holder",
            ),
        ),
        migrations.AddConstraint(
            model_name="drawerholding",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("event", "device"),
                name="device_one_drawer",
            ),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_sample", False)),
                fields=("club", "year", "number"),
                name="receipt_number_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_sample", True)),
                fields=("event", "year", "number"),
                name="receipt_sample_number_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="receiptcount",
            constraint=models.UniqueConstraint(
                condition=models.Q(("event__isnull", True)),
                fields=("club", "year"),
                name="receipt_count_club",
            ),
        ),
        migrations.AddConstraint(
            model_name="receiptcount",
            constraint=models.UniqueConstraint(
                condition=models.Q(("event__isnull", False)),
                fields=("event", "year"),
                name="receipt_count_event",
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="prizes",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.CreateModel(
            name="PrizeFreeze",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("entries", models.PositiveIntegerField()),
                ("places", models.PositiveIntegerField()),
                ("pool_cents", models.BigIntegerField()),
                ("prizes", models.JSONField(default=list)),
                ("refund_cents", models.BigIntegerField(default=0)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="prize_freezes",
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
                        name="prizes_frozen_once",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="event",
            name="bounty_cut",
            field=models.PositiveSmallIntegerField(default=50),
        ),
        migrations.AddField(
            model_name="event",
            name="bounty_kind",
            field=models.CharField(
                blank=True,
                choices=[
                    ("fixed", "Fixed"),
                    ("progressive", "Progressive"),
                    ("mystery", "Mystery"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="screen",
            name="shows",
            field=models.CharField(
                choices=[
                    ("clock", "Clock"),
                    ("seating", "Seating"),
                    ("moves", "Moves"),
                    ("places", "Places"),
                    ("hunters", "Hunters"),
                    ("rotating", "Rotating"),
                ],
                default="clock",
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="DealLeave",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deal_leaves",
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
            name="Deal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("way", models.CharField(max_length=10)),
                ("prizes", models.JSONField(default=list)),
                ("kept_cents", models.PositiveBigIntegerField(default=0)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deals",
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
                (
                    "leave",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deals",
                        to="tournaments.dealleave",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DealShare",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("stack", models.PositiveBigIntegerField()),
                ("amount_cents", models.PositiveBigIntegerField()),
                (
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shares",
                        to="tournaments.deal",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deal_shares",
                        to="tournaments.entry",
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
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="DealAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("says_yes", models.BooleanField()),
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
                    "share",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="tournaments.dealshare",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MysteryPot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amounts", models.JSONField(default=list)),
                ("began_at", models.DateTimeField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="mystery_pots",
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
            name="Envelope",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                (
                    "draw",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="envelopes",
                        to="tournaments.draw",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="envelopes",
                        to="tournaments.entry",
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
                    "pot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="envelopes",
                        to="tournaments.mysterypot",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="dealleave",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("event",),
                name="deal_leave_once",
            ),
        ),
        migrations.AddIndex(
            model_name="deal",
            index=models.Index(
                condition=models.Q(("voided_by__isnull", True)), fields=["event"], name="deal_live"
            ),
        ),
        migrations.AddConstraint(
            model_name="dealanswer",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("share",),
                name="deal_answer_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="mysterypot",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("event",),
                name="mystery_pot_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="envelope",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("pot", "number"),
                name="envelope_number_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="envelope",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_by__isnull", True)),
                fields=("pot", "entry"),
                name="envelope_entry_once",
            ),
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("topic", models.CharField(max_length=10)),
                ("question", models.JSONField(default=dict)),
                ("decided_at", models.DateTimeField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
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
                    "table",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="tournaments.table",
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
                "indexes": [
                    models.Index(
                        condition=models.Q(("voided_by__isnull", True)),
                        fields=["event", "decided_at"],
                        name="ruling_live",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="event",
            name="shows_end",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="League",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("terms", models.JSONField(default=dict)),
                ("is_public", models.BooleanField(default=True)),
                ("by_rule", models.BooleanField(default=True)),
                ("rule_name", models.CharField(blank=True, max_length=80)),
                ("rule_since", models.DateField(blank=True, null=True)),
                ("rule_until", models.DateField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leagues",
                        to="tournaments.club",
                    ),
                ),
                (
                    "removed_by",
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
            name="LeagueCorrection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("points", models.IntegerField()),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrections",
                        to="tournaments.league",
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
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.person",
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
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="LeagueEvening",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_in", models.BooleanField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.event",
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="evenings",
                        to="tournaments.league",
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
                        fields=("league", "event"),
                        name="league_evening_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LeagueMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("team", models.CharField(max_length=80)),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="members",
                        to="tournaments.league",
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
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.person",
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
                        fields=("league", "person"),
                        name="league_member_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ProfileConsent",
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
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.person",
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
                        fields=("person",),
                        name="profile_once",
                    )
                ],
            },
        ),
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
        migrations.AlterField(
            model_name="chipmovement",
            name="reason",
            field=models.CharField(
                choices=[
                    ("starting_stack", "Starting Stack"),
                    ("on_time", "On Time"),
                    ("rebuy", "Rebuy"),
                    ("addon", "Addon"),
                    ("disqualification", "Disqualification"),
                    ("chip_race", "Chip Race"),
                ],
                max_length=30,
            ),
        ),
        migrations.CreateModel(
            name="ChipRace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("values", models.JSONField(default=list)),
                ("new", models.PositiveIntegerField()),
                ("seats", models.JSONField(default=list)),
                (
                    "draw",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.draw",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chip_races",
                        to="tournaments.event",
                    ),
                ),
                (
                    "level",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="clock.level",
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
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chip_races",
                        to="tournaments.table",
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
                        fields=("table", "level"),
                        name="chip_race_once",
                    )
                ],
            },
        ),
    ]
