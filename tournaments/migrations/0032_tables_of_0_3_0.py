"""New tables and columns of release 0.3.0; `0033` fills them, `0034` drops what they replace."""

from django.db import migrations, models

from tournaments.migrations._making import (
    columns,
    fact,
    index_live,
    model,
    once_live,
    same,
    titled,
    to,
)

# A data folder of 0.3.0 holds all of these.
OF_0_3_0 = (
    "0032_numbers_of_phones_gone",
    "0037_origins_gone",
    "0038_self_play",
    "0040_cash_terms",
    "0041_screens_asked_from",
    "0042_contests",
    "0043_hall_names",
    "0045_cash_guests",
    "0046_receipts_of_transfers",
    "0047_cash_settling",
    "0048_stacks_out_of_play",
    "0049_late_taps",
    "0050_draws_without_number",
    "0051_hall_of_the_club",
    "0052_league_guests",
    "0053_notices",
    "0054_tickets",
    "0055_stream_delay",
    "0057_currency",
    "0058_own_face",
    "0059_live_posts_and_stated_stacks",
    "0060_overlay_addresses",
    "0061_least_entries",
    "0062_flight_faces",
    "0063_prices_by_person",
    "0064_added_chairs",
)


class Migration(migrations.Migration):
    replaces = [("tournaments", name) for name in OF_0_3_0]
    dependencies = [("tournaments", "0031_live_indexes")]

    operations = [
        # The table at once: SQLite cannot take a column out of what is unique.
        migrations.DeleteModel("HallNumber"),
        migrations.RemoveField("event", "frozen"),
        migrations.DeleteModel("FrozenDraw"),
        migrations.RemoveField("registration", "origin"),
        migrations.RemoveConstraint("envelope", "envelope_entry_once"),
        migrations.RemoveIndex("registration", "registration_live"),
        fact(
            "Bag",
            ("event", to("tournaments.event", related_name="bags")),
            ("entry", to("tournaments.entry", related_name="bags")),
            ("amount", models.PositiveBigIntegerField()),
            ("number", models.PositiveIntegerField(blank=True, null=True)),
            indexes=[index_live("bag_live", "event")],
            constraints=[once_live("bag_once", "entry")],
        ),
        fact(
            "BagWord",
            ("event", to("tournaments.event", related_name="bag_words")),
            ("entry", to("tournaments.entry", related_name="bag_words")),
            ("by", models.CharField(choices=same("player", "staff", "paper"), max_length=10)),
            ("amount", models.PositiveBigIntegerField()),
            ("number", models.PositiveIntegerField(blank=True, null=True)),
            indexes=[index_live("bag_word_live", "event")],
            constraints=[once_live("bag_word_once", "entry", "by")],
        ),
        fact(
            "Carry",
            ("bag", to("tournaments.bag", related_name="carries")),
            ("entry", to("tournaments.entry", related_name="carries")),
            ("is_removed", models.BooleanField(default=False)),
            constraints=[once_live("carry_once", "bag")],
        ),
        fact(
            "CashDebtPaid",
            ("event", to("tournaments.event", related_name="cash_debts_paid")),
            ("payer", to("tournaments.registration", related_name="cash_gave", null=True)),
            ("payee", to("tournaments.registration", related_name="cash_got", null=True)),
            ("cents", models.PositiveIntegerField()),
            indexes=[index_live("cash_debt_live", "event")],
        ),
        fact(
            "CashLink",
            ("event", to("tournaments.event", related_name="cash_links")),
            ("token", models.CharField(max_length=64, unique=True)),
            ("until", models.DateTimeField()),
            constraints=[once_live("cash_link_once", "event")],
        ),
        model(
            "Contest",
            ("club", to("tournaments.club", related_name="contests")),
            ("name", models.CharField(max_length=120)),
            ("terms", models.JSONField(default=dict)),
        ),
        migrations.CreateModel(
            "EventHead",
            [
                ("version", models.PositiveBigIntegerField(default=0)),
                ("log_sequence", models.PositiveBigIntegerField(default=0)),
                ("log_hash", models.CharField(max_length=64, blank=True, default="")),
                ("log_recorded_at", models.DateTimeField(blank=True, null=True)),
                (
                    "event",
                    models.OneToOneField(
                        primary_key=True,
                        editable=False,
                        serialize=False,
                        related_name="head",
                        on_delete=models.CASCADE,
                        to="tournaments.event",
                    ),
                ),
                ("started_by", to("tournaments.action", blank=True, null=True)),
                ("ended_by", to("tournaments.action", blank=True, null=True)),
                ("cancelled_by", to("tournaments.action", blank=True, null=True)),
            ],
            {"abstract": False},
        ),
        fact(
            "LateTap",
            ("event", to("tournaments.event", related_name="late_taps")),
            ("entry", to("tournaments.entry", related_name="late_taps")),
            ("wish", to("tournaments.purchasewish", related_name="late_taps", null=True)),
            ("at", models.DateTimeField()),
            indexes=[index_live("late_tap_live", "event")],
        ),
        fact(
            "LeagueGuest",
            ("league", to("tournaments.league", related_name="guests")),
            ("person", to("tournaments.person")),
            constraints=[once_live("league_guest_once", "league", "person")],
        ),
        model(
            "Listener",
            (
                "event",
                models.ForeignKey(
                    related_name="listeners", on_delete=models.CASCADE, to="tournaments.event"
                ),
            ),
            (
                "registration",
                models.ForeignKey(
                    blank=True,
                    null=True,
                    related_name="listeners",
                    on_delete=models.CASCADE,
                    to="tournaments.registration",
                ),
            ),
            (
                "device",
                models.ForeignKey(
                    blank=True,
                    null=True,
                    related_name="listeners",
                    on_delete=models.CASCADE,
                    to="tournaments.staffdevice",
                ),
            ),
            ("channel", models.CharField(max_length=10)),
            ("address_sealed", models.TextField(blank=True)),
            ("kinds", models.JSONField(default=list)),
            ("tables", models.JSONField(default=list)),
            ("language", models.CharField(max_length=8, default="de")),
            ("made_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("registration__isnull", False)),
                    fields=("registration", "channel"),
                    name="listener_player_once",
                ),
                models.UniqueConstraint(
                    condition=models.Q(("device__isnull", False)),
                    fields=("event", "device", "channel"),
                    name="listener_device_once",
                ),
            ],
        ),
        fact(
            "LivePost",
            ("event", to("tournaments.event", related_name="live_posts")),
            ("posted_at", models.DateTimeField()),
        ),
        model(
            "LivePicture",
            (
                "post",
                models.OneToOneField(
                    related_name="picture", on_delete=models.CASCADE, to="tournaments.livepost"
                ),
            ),
            ("media_type", models.CharField(max_length=40)),
            ("data", models.BinaryField()),
            ("digest", models.CharField(max_length=64)),
        ),
        fact(
            "LostStack",
            ("event", to("tournaments.event", related_name="lost_stacks")),
            ("entry", to("tournaments.entry", related_name="lost_stacks")),
            ("at", models.DateTimeField()),
            ("group", models.PositiveBigIntegerField(blank=True, null=True)),
            ("start_stack", models.PositiveBigIntegerField(blank=True, null=True)),
            ("table", to("tournaments.table", blank=True, null=True)),
            indexes=[index_live("lost_stack_live", "event", "at")],
        ),
        model(
            "Notice",
            ("made_at", models.DateTimeField()),
            ("due_at", models.DateTimeField()),
            ("sent_at", models.DateTimeField(blank=True, null=True)),
            ("tries", models.PositiveSmallIntegerField(default=0)),
            ("error", models.CharField(max_length=300, blank=True)),
            (
                "listener",
                models.ForeignKey(
                    related_name="notices", on_delete=models.CASCADE, to="tournaments.listener"
                ),
            ),
            ("kind", models.CharField(max_length=10)),
            ("fact", models.CharField(max_length=60)),
            ("lapses_at", models.DateTimeField()),
            indexes=[
                models.Index(
                    condition=models.Q(("sent_at__isnull", True)),
                    fields=["due_at"],
                    name="notice_due",
                )
            ],
            constraints=[
                models.UniqueConstraint(fields=("listener", "fact"), name="notice_fact_once")
            ],
        ),
        model(
            "Outlet",
            (
                "club",
                models.OneToOneField(
                    related_name="outlet", on_delete=models.CASCADE, to="tournaments.club"
                ),
            ),
            ("bot_sealed", models.TextField(blank=True)),
            ("bot_name", models.CharField(max_length=64, blank=True)),
            ("bot_offset", models.BigIntegerField(default=0)),
            ("push_sealed", models.TextField(blank=True)),
        ),
        model(
            "OwnFace",
            (
                "club",
                models.OneToOneField(
                    related_name="own_face", on_delete=models.CASCADE, to="tournaments.club"
                ),
            ),
            ("slides", models.JSONField(default=list)),
            ("figures", models.JSONField(default=list)),
            ("in_breaks", models.BooleanField(default=False)),
        ),
        model(
            "Reading",
            ("purpose", models.CharField(max_length=30)),
            (
                "event",
                models.ForeignKey(
                    related_name="+", on_delete=models.CASCADE, to="tournaments.event"
                ),
            ),
            ("sequence", models.PositiveBigIntegerField()),
            constraints=[models.UniqueConstraint(fields=("purpose", "event"), name="reading_once")],
        ),
        model(
            "SelfPlay",
            (
                "event",
                models.OneToOneField(
                    related_name="self_play", on_delete=models.CASCADE, to="tournaments.event"
                ),
            ),
            ("is_playing", models.BooleanField(default=False)),
            ("speed", models.PositiveSmallIntegerField()),
        ),
        model(
            "Slide",
            (
                "club",
                models.ForeignKey(
                    related_name="slides", on_delete=models.CASCADE, to="tournaments.club"
                ),
            ),
            ("text", models.CharField(max_length=200, blank=True)),
            ("seconds", models.PositiveSmallIntegerField()),
            ("media_type", models.CharField(max_length=40, blank=True)),
            ("data", models.BinaryField()),
            ("digest", models.CharField(max_length=64, blank=True)),
        ),
        fact(
            "StackWord",
            ("event", to("tournaments.event")),
            ("entry", to("tournaments.entry", related_name="stack_words")),
            ("amount", models.PositiveBigIntegerField()),
            ("said_at", models.DateTimeField()),
            constraints=[once_live("stack_word_once", "entry")],
        ),
        fact(
            "Stage",
            ("contest", to("tournaments.contest", related_name="stages")),
            ("event", to("tournaments.event", related_name="stages")),
            ("label", models.CharField(max_length=20)),
            ("order", models.PositiveSmallIntegerField()),
            ("stop", models.JSONField(blank=True, default=dict)),
            constraints=[
                once_live("stage_event_once", "event"),
                once_live("stage_label_once", "contest", "label"),
            ],
        ),
        fact(
            "Ticket",
            ("event", to("tournaments.event", related_name="tickets")),
            ("registration", to("tournaments.registration", related_name="tickets")),
            ("worth_cents", models.PositiveBigIntegerField()),
            ("serves", to("tournaments.event", related_name="tickets_for", blank=True, null=True)),
            ("until", models.DateField(blank=True, null=True)),
            (
                "rest",
                models.CharField(
                    choices=same("lost", "ticket", "pool"),
                    max_length=10,
                    default="lost",
                ),
            ),
            indexes=[index_live("ticket_live", "event")],
        ),
        fact(
            "TicketUse",
            ("event", to("tournaments.event", related_name="ticket_uses")),
            ("ticket", to("tournaments.ticket", related_name="uses")),
            ("registration", to("tournaments.registration", related_name="ticket_uses")),
            ("cents", models.PositiveBigIntegerField()),
            ("pool_cents", models.PositiveBigIntegerField(default=0)),
            indexes=[index_live("ticket_use_live", "event")],
            constraints=[once_live("ticket_used_once", "ticket")],
        ),
        model(
            "Webhook",
            (
                "club",
                models.ForeignKey(
                    related_name="webhooks", on_delete=models.CASCADE, to="tournaments.club"
                ),
            ),
            ("url", models.CharField(max_length=500)),
            ("secret_sealed", models.TextField()),
            ("made_at", models.DateTimeField()),
        ),
        model(
            "Delivery",
            ("made_at", models.DateTimeField()),
            ("due_at", models.DateTimeField()),
            ("sent_at", models.DateTimeField(blank=True, null=True)),
            ("tries", models.PositiveSmallIntegerField(default=0)),
            ("error", models.CharField(max_length=300, blank=True)),
            (
                "webhook",
                models.ForeignKey(
                    related_name="deliveries", on_delete=models.CASCADE, to="tournaments.webhook"
                ),
            ),
            (
                "event",
                models.ForeignKey(
                    related_name="+", on_delete=models.CASCADE, to="tournaments.event"
                ),
            ),
            ("sequence", models.PositiveBigIntegerField()),
            ("body", models.JSONField()),
            indexes=[
                models.Index(
                    condition=models.Q(("sent_at__isnull", True)),
                    fields=["due_at"],
                    name="delivery_due",
                )
            ],
            constraints=[
                models.UniqueConstraint(
                    fields=("webhook", "event", "sequence"), name="delivery_once"
                )
            ],
        ),
        *columns(
            "cashtable",
            ante_cents=models.PositiveIntegerField(default=0),
            big_bet_cents=models.PositiveIntegerField(default=0),
            changed=models.JSONField(blank=True, default=dict),
            chip_cents=models.PositiveIntegerField(default=0),
            mix=models.CharField(max_length=20, blank=True, default=""),
            name=models.CharField(max_length=40, blank=True, default=""),
            straddle_cents=models.PositiveIntegerField(default=0),
        ),
        *columns(
            "club",
            currency=models.CharField(
                choices=titled("EUR", "CHF", ""), max_length=3, blank=True, default="EUR"
            ),
            draws_without_number=models.BooleanField(default=False),
            hall=models.TextField(max_length=20000, blank=True),
            has_hall_names=models.BooleanField(default=True),
        ),
        *columns(
            "drawer", club=to("tournaments.club", related_name="drawers", blank=True, null=True)
        ),
        *columns("envelope", stack=models.PositiveSmallIntegerField(default=1)),
        *columns(
            "event",
            earlier=models.JSONField(blank=True, default=dict),
            fee_rates=models.JSONField(blank=True, default=list),
            hall_tables=models.CharField(max_length=200, blank=True),
            least_entries=models.PositiveIntegerField(default=0),
            least_hours=models.PositiveSmallIntegerField(default=2),
            overlay_round=models.PositiveIntegerField(default=0),
            stream_delay=models.PositiveIntegerField(default=0),
        ),
        *columns(
            "registration",
            is_cash_guest=models.BooleanField(default=False),
            rate=models.CharField(max_length=30, blank=True, default=""),
        ),
        *columns("screen", asked_from=models.CharField(max_length=16, blank=True)),
        *columns("table", added=models.PositiveSmallIntegerField(default=0)),
        *columns(
            "knockout",
            lost=to("tournaments.loststack", related_name="knockouts", blank=True, null=True),
        ),
        migrations.AddField(
            "rebuychance",
            "lost",
            to("tournaments.loststack", related_name="rebuy_chances", null=True),
        ),
        migrations.AlterField(
            "cashtable",
            "fee_way",
            models.CharField(choices=same("none", "time", "pot", "drop", "hand"), max_length=10),
        ),
        migrations.AlterField(
            "chipmovement",
            "entry",
            to("tournaments.entry", related_name="chip_movements", blank=True, null=True),
        ),
        migrations.AlterField(
            "chipmovement",
            "reason",
            models.CharField(
                choices=titled(
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
                ),
                max_length=30,
            ),
        ),
        migrations.AlterField(
            "elimination",
            "way",
            models.CharField(
                choices=titled("bust", "disqualified", "surrendered", "seat"), max_length=20
            ),
        ),
        migrations.AlterField(
            "knockout",
            "elimination",
            to("tournaments.elimination", related_name="knockouts", blank=True, null=True),
        ),
        migrations.AlterField(
            "posting",
            "account",
            models.CharField(
                choices=same(
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
                ),
                max_length=20,
            ),
        ),
        migrations.AlterField(
            "posting",
            "means",
            models.CharField(
                choices=same("cash", "card", "transfer", "voucher", "ticket"),
                max_length=10,
                blank=True,
            ),
        ),
        migrations.AlterField(
            "receipt",
            "registration",
            to("tournaments.registration", related_name="receipts", blank=True, null=True),
        ),
        migrations.AlterField(
            "screen",
            "shows",
            models.CharField(
                choices=titled(
                    "clock",
                    "seating",
                    "moves",
                    "places",
                    "hunters",
                    "prizes",
                    "cash",
                    "bags",
                    "flights",
                    "own",
                    "rotating",
                    "lobby",
                ),
                max_length=10,
                default="clock",
            ),
        ),
        migrations.AddIndex(
            "registration",
            index_live("registration_live", "event", "voided_by", "is_cash_guest", "person"),
        ),
        migrations.AddConstraint(
            "envelope", once_live("envelope_entry_once", "pot", "entry", "stack")
        ),
        migrations.AddConstraint("knockout", once_live("knockout_of_lost_once", "lost", "by")),
        migrations.AddConstraint(
            "knockout",
            models.CheckConstraint(
                condition=models.Q(
                    ("elimination__isnull", True), ("lost__isnull", True), _connector="XOR"
                ),
                name="knockout_of_one_stack",
            ),
        ),
    ]
