"""The tables as release 0.2.0 left them."""

from django.db import migrations, models

# A data folder of 0.2.0 holds all of these, so there this one counts as done.
OF_0_1_0 = (
    "0002_screen",
    "0003_hands",
    "0004_floor",
    "0005_places",
    "0006_late_break",
    "0007_hall",
)
OF_0_2_0 = (
    "0002_revisions",
    "0003_registration_owns_person",
    "0004_place_ruling",
    "0005_draw_secret",
    "0006_person_name_salt",
    "0007_numbers_of_the_hall",
    "0008_door",
    "0009_sealed",
    "0010_confirming",
    "0012_door",
    "0013_public",
    "0014_phones",
    "0015_money_base",
    "0016_entries",
    "0017_drawer",
    "0018_prizes",
    "0019_bounties_and_deals",
    "0020_rulings",
    "0023_forecast",
    "0024_leagues",
    "0025_cash_game",
    "0026_chip_race",
)


def model(name, *fields, **options):
    """Make a table with a number as its key."""
    number = models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )
    return migrations.CreateModel(name, [("id", number), *fields], options)


def fact(name, *fields, **options):
    """Make a table of facts, which know the actions that made and voided them."""
    action = "tournaments.action"
    known = [("made_by", to(action)), ("voided_by", to(action, blank=True, null=True))]
    return model(name, *known, *fields, **options)


def to(target, *, related_name="+", **options):
    """Point to a row that stays as long as something points to it."""
    return models.ForeignKey(target, models.PROTECT, related_name=related_name, **options)


class Migration(migrations.Migration):
    initial = True
    replaces = [("tournaments", name) for name in (*OF_0_1_0, *OF_0_2_0)]
    dependencies = [("clock", "0001_initial")]

    operations = [
        model(
            "Club",
            ("version", models.PositiveBigIntegerField(default=0)),
            ("log_sequence", models.PositiveBigIntegerField(default=0)),
            ("log_hash", models.CharField(blank=True, default="", max_length=64)),
            ("log_recorded_at", models.DateTimeField(blank=True, null=True)),
            ("name", models.CharField(max_length=120)),
            ("backup_folder", models.CharField(blank=True, max_length=500)),
            ("erase_contacts_days", models.PositiveIntegerField(default=0)),
            ("colour", models.CharField(blank=True, max_length=7)),
            ("venue", models.CharField(blank=True, max_length=120)),
            ("address", models.CharField(blank=True, max_length=200)),
            ("description", models.TextField(blank=True, max_length=2000)),
            ("contact", models.TextField(blank=True, max_length=500)),
            ("house_text", models.TextField(blank=True, max_length=2000)),
            ("imprint", models.TextField(blank=True, max_length=6000)),
            ("payment_means", models.JSONField(blank=True, default=dict)),
            ("sealed_mark", models.TextField(blank=True)),
        ),
        model(
            "Person",
            ("club", to("tournaments.club", related_name="people")),
            ("name", models.CharField(max_length=200)),
            ("sort_name", models.CharField(db_index=True, max_length=400)),
            ("plain_name", models.CharField(db_index=True, max_length=400)),
            ("email", models.EmailField(blank=True, max_length=254)),
            ("phone", models.CharField(blank=True, max_length=40)),
            ("is_member", models.BooleanField(default=False)),
            ("erased_at", models.DateTimeField(blank=True, null=True)),
            ("name_salt", models.CharField(blank=True, default="", max_length=32)),
        ),
        model(
            "ClubLogo",
            (
                "club",
                models.OneToOneField(
                    "tournaments.club", on_delete=models.CASCADE, related_name="logo"
                ),
            ),
            ("media_type", models.CharField(max_length=40)),
            ("data", models.BinaryField()),
            ("digest", models.CharField(max_length=64)),
        ),
        model(
            "StaffDevice",
            ("club", to("tournaments.club", related_name="devices")),
            ("name", models.CharField(max_length=80)),
            ("token_hash", models.CharField(max_length=64, unique=True)),
            ("created_at", models.DateTimeField()),
        ),
        model(
            "ChipSet",
            (
                "club",
                models.ForeignKey(
                    "tournaments.club", on_delete=models.CASCADE, related_name="chip_sets"
                ),
            ),
            ("name", models.CharField(max_length=80)),
            ("pieces", models.JSONField(default=list)),
            ("distributions", models.JSONField(default=list)),
            ("revision", models.PositiveIntegerField(blank=True, null=True)),
            constraints=[models.UniqueConstraint(fields=("club", "name"), name="chip_set_name")],
        ),
        model(
            "RulePreset",
            ("key", models.SlugField(unique=True)),
            ("name", models.CharField(max_length=80)),
            ("rules", models.JSONField(default=dict)),
            ("revision", models.PositiveIntegerField(blank=True, null=True)),
        ),
        model(
            "Action",
            ("club", to("tournaments.club", related_name="actions")),
            ("sequence", models.PositiveBigIntegerField()),
            ("kind", models.CharField(max_length=60)),
            ("at", models.DateTimeField()),
            ("recorded_at", models.DateTimeField()),
            (
                "device",
                to("tournaments.staffdevice", related_name="actions", blank=True, null=True),
            ),
            ("role", models.CharField(max_length=20)),
            ("payload", models.JSONField(default=dict)),
            ("undoes", to("tournaments.action", related_name="undone_by", blank=True, null=True)),
            ("previous_hash", models.CharField(blank=True, max_length=64)),
            ("hash", models.CharField(blank=True, max_length=64)),
        ),
        model(
            "ActionText",
            (
                "action",
                models.OneToOneField(
                    "tournaments.action", on_delete=models.CASCADE, related_name="text"
                ),
            ),
            ("data", models.JSONField(default=dict)),
        ),
        model(
            "IdempotencyRecord",
            ("scope", models.CharField(max_length=60)),
            ("key", models.UUIDField()),
            ("request_hash", models.CharField(max_length=64)),
            ("action", to("tournaments.action")),
            constraints=[
                models.UniqueConstraint(fields=("scope", "key"), name="idempotency_scope_key")
            ],
        ),
        model(
            "League",
            ("club", to("tournaments.club", related_name="leagues")),
            ("name", models.CharField(max_length=80)),
            ("slug", models.SlugField(max_length=80, unique=True)),
            ("terms", models.JSONField(default=dict)),
            ("is_public", models.BooleanField(default=True)),
            ("by_rule", models.BooleanField(default=True)),
            ("rule_name", models.CharField(blank=True, max_length=80)),
            ("rule_since", models.DateField(blank=True, null=True)),
            ("rule_until", models.DateField(blank=True, null=True)),
            ("removed_by", to("tournaments.action", blank=True, null=True)),
        ),
        fact(
            "LeagueCorrection",
            ("league", to("tournaments.league", related_name="corrections")),
            ("person", to("tournaments.person")),
            ("points", models.IntegerField()),
        ),
        fact(
            "LeagueMember",
            ("league", to("tournaments.league", related_name="members")),
            ("person", to("tournaments.person")),
            ("team", models.CharField(max_length=80)),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("league", "person"),
                    name="league_member_once",
                )
            ],
        ),
        fact(
            "ProfileConsent",
            ("person", to("tournaments.person")),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("person",),
                    name="profile_once",
                )
            ],
        ),
        fact(
            "PersonMerge",
            ("kept", to("tournaments.person")),
            ("gone", to("tournaments.person")),
        ),
        model(
            "Event",
            ("version", models.PositiveBigIntegerField(default=0)),
            ("log_sequence", models.PositiveBigIntegerField(default=0)),
            ("log_hash", models.CharField(blank=True, default="", max_length=64)),
            ("log_recorded_at", models.DateTimeField(blank=True, null=True)),
            ("fee_parts", models.JSONField(blank=True, default=list)),
            ("early_fee_cents", models.PositiveIntegerField(default=0)),
            ("early_until", models.DateTimeField(blank=True, null=True)),
            ("early_entries", models.PositiveIntegerField(default=0)),
            ("on_time_chips", models.PositiveIntegerField(default=0)),
            ("rebuy_level", models.PositiveSmallIntegerField(default=0)),
            ("rebuy_break", models.PositiveSmallIntegerField(default=0)),
            ("rebuy_cents", models.PositiveIntegerField(default=0)),
            ("rebuy_parts", models.JSONField(blank=True, default=list)),
            ("rebuy_chips", models.PositiveIntegerField(default=0)),
            ("rebuy_threshold", models.PositiveIntegerField(default=0)),
            ("rebuy_most", models.PositiveSmallIntegerField(default=0)),
            ("rebuy_double", models.BooleanField(default=False)),
            ("rebuy_hold_minutes", models.PositiveSmallIntegerField(default=5)),
            ("addon_level", models.PositiveSmallIntegerField(default=0)),
            ("addon_break", models.PositiveSmallIntegerField(default=0)),
            ("addon_cents", models.PositiveIntegerField(default=0)),
            ("addon_parts", models.JSONField(blank=True, default=list)),
            ("addon_chips", models.PositiveIntegerField(default=0)),
            ("addon_many", models.BooleanField(default=False)),
            ("reentry_most", models.PositiveSmallIntegerField(default=0)),
            ("reentry_cents", models.PositiveIntegerField(default=0)),
            ("reentry_parts", models.JSONField(blank=True, default=list)),
            ("club", to("tournaments.club", related_name="events")),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("tournament", "Tournament"),
                        ("cash_game", "Cash Game"),
                        ("both", "Both"),
                    ],
                    default="tournament",
                    max_length=20,
                ),
            ),
            ("name", models.CharField(max_length=120)),
            ("slug", models.SlugField(max_length=80, unique=True)),
            ("starts_at", models.DateTimeField()),
            ("schedule_name", models.CharField(max_length=80)),
            (
                "clock",
                models.OneToOneField("clock.clock", on_delete=models.PROTECT, related_name="event"),
            ),
            ("game", models.CharField(max_length=20)),
            ("limit", models.CharField(max_length=20)),
            ("seats_per_table", models.PositiveSmallIntegerField()),
            ("capacity", models.PositiveIntegerField()),
            ("starting_stack", models.PositiveIntegerField()),
            (
                "chip_set",
                models.ForeignKey(
                    "tournaments.chipset",
                    on_delete=models.SET_NULL,
                    related_name="+",
                    blank=True,
                    null=True,
                ),
            ),
            ("rules", models.JSONField(default=dict)),
            (
                "draw_mode",
                models.CharField(
                    choices=[("rolling", "Rolling"), ("field", "Field")],
                    default="rolling",
                    max_length=10,
                ),
            ),
            ("late_registration_level", models.PositiveSmallIntegerField(default=0)),
            ("late_registration_break", models.PositiveSmallIntegerField(default=0)),
            ("is_registration_open", models.BooleanField(default=True)),
            ("reserved_places", models.PositiveIntegerField(default=0)),
            ("members_first_until", models.DateTimeField(blank=True, null=True)),
            ("offer_minutes", models.PositiveIntegerField(default=720)),
            ("confirm_minutes", models.PositiveIntegerField(default=0)),
            ("no_show_minutes", models.PositiveIntegerField(default=0)),
            ("fee_cents", models.PositiveIntegerField(default=0)),
            ("payout_limit_cents", models.PositiveIntegerField(default=0)),
            (
                "bounty_kind",
                models.CharField(
                    blank=True,
                    choices=[
                        ("fixed", "Fixed"),
                        ("progressive", "Progressive"),
                        ("mystery", "Mystery"),
                    ],
                    max_length=20,
                ),
            ),
            ("bounty_cut", models.PositiveSmallIntegerField(default=50)),
            ("is_gate_open", models.BooleanField(default=False)),
            ("paid_places", models.PositiveIntegerField(default=0)),
            ("prizes", models.JSONField(blank=True, default=dict)),
            ("redraw_at", models.JSONField(blank=True, default=list)),
            ("final_table_seats", models.PositiveSmallIntegerField(blank=True, null=True)),
            ("areas", models.JSONField(blank=True, default=list)),
            ("venue", models.CharField(blank=True, max_length=120)),
            ("address", models.CharField(blank=True, max_length=200)),
            ("description", models.TextField(blank=True, max_length=2000)),
            ("contact", models.TextField(blank=True, max_length=500)),
            ("house_text", models.TextField(blank=True, max_length=2000)),
            ("draw_sealed", models.TextField(blank=True)),
            ("hall_number", models.CharField(blank=True, max_length=40)),
            ("shows_end", models.BooleanField(default=False)),
            ("is_sample", models.BooleanField(default=False)),
            ("is_clock_only", models.BooleanField(default=False)),
            ("arbiters_may_call_clock", models.BooleanField(blank=True, null=True)),
            ("started_by", to("tournaments.action", blank=True, null=True)),
            ("ended_by", to("tournaments.action", blank=True, null=True)),
            ("cancelled_by", to("tournaments.action", blank=True, null=True)),
        ),
        fact(
            "Draw",
            ("event", to("tournaments.event", related_name="draws")),
            ("number", models.PositiveIntegerField()),
            ("kind", models.CharField(max_length=20)),
            ("hall_number", models.CharField(blank=True, max_length=64)),
            ("sealed", models.TextField(blank=True)),
            ("items", models.JSONField(default=list)),
            ("outcome", models.JSONField(default=list)),
            constraints=[
                models.UniqueConstraint(fields=("event", "number"), name="draw_number_once")
            ],
        ),
        fact(
            "Registration",
            ("event", to("tournaments.event", related_name="registrations")),
            ("person", to("tournaments.person", related_name="registrations")),
            ("name", models.CharField(blank=True, max_length=200)),
            ("email", models.EmailField(blank=True, max_length=254)),
            ("phone", models.CharField(blank=True, max_length=40)),
            ("says_member", models.BooleanField(default=False)),
            ("made_person", models.BooleanField(default=False)),
            ("owns_person", models.BooleanField(default=False)),
            ("is_listed", models.BooleanField(default=True)),
            ("agrees_to_rules", models.BooleanField(default=False)),
            ("is_reserved", models.BooleanField(default=False)),
            ("remark", models.CharField(blank=True, max_length=300)),
            ("language", models.CharField(default="de", max_length=8)),
            ("link_sealed", models.TextField()),
            ("link_hash", models.CharField(max_length=64, unique=True)),
            ("former_link_hash", models.CharField(blank=True, db_index=True, max_length=64)),
            ("replaced_link_hash", models.CharField(blank=True, db_index=True, max_length=64)),
            ("origin", models.CharField(blank=True, max_length=32)),
            ("registered_at", models.DateTimeField()),
            ("confirmed_at", models.DateTimeField(blank=True, null=True)),
            ("is_mail_proven", models.BooleanField(default=False)),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("event", "person"),
                    name="registration_person_once",
                )
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event"],
                    name="registration_live",
                )
            ],
        ),
        fact(
            "Entry",
            ("event", to("tournaments.event", related_name="entries")),
            ("registration", to("tournaments.registration", related_name="entries")),
            ("number", models.PositiveIntegerField()),
            ("flight", models.PositiveSmallIntegerField(blank=True, null=True)),
            ("entered_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(fields=("event", "number"), name="entry_number_once")
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event"],
                    name="entry_live",
                )
            ],
        ),
        fact(
            "Table",
            ("event", to("tournaments.event", related_name="tables")),
            ("number", models.PositiveIntegerField()),
            ("seats", models.PositiveSmallIntegerField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("event", "number"),
                    name="table_number_once",
                )
            ],
        ),
        fact(
            "Seating",
            ("event", to("tournaments.event", related_name="seatings")),
            ("entry", to("tournaments.entry", related_name="seatings")),
            ("table", to("tournaments.table", related_name="seatings")),
            ("seat", models.PositiveSmallIntegerField()),
            ("day", models.PositiveSmallIntegerField(default=1)),
            ("seated_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("entry",),
                    name="seating_entry_once",
                ),
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("table", "seat"),
                    name="seating_seat_once",
                ),
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event", "table"],
                    name="seating_live",
                )
            ],
        ),
        fact(
            "SeatLock",
            ("table", to("tournaments.table", related_name="locks")),
            ("seat", models.PositiveSmallIntegerField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("table", "seat"),
                    name="seat_lock_once",
                )
            ],
        ),
        fact(
            "KeepApart",
            ("event", to("tournaments.event", related_name="keep_aparts")),
            ("first", to("tournaments.registration")),
            ("second", to("tournaments.registration")),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("first", "second"),
                    name="keep_apart_once",
                )
            ],
        ),
        fact(
            "TableHalt",
            ("table", to("tournaments.table", related_name="halts")),
            ("is_waived", models.BooleanField(default=False)),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("table",),
                    name="table_halt_once",
                )
            ],
        ),
        fact(
            "HandForHand",
            ("event", to("tournaments.event", related_name="hand_for_hands")),
            ("began_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("event",),
                    name="hand_for_hand_once",
                )
            ],
        ),
        fact(
            "HandRound",
            ("hand_for_hand", to("tournaments.handforhand", related_name="rounds")),
            ("number", models.PositiveIntegerField()),
            ("began_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("hand_for_hand", "number"),
                    name="hand_round_once",
                )
            ],
        ),
        fact(
            "Elimination",
            ("event", to("tournaments.event", related_name="eliminations")),
            ("entry", to("tournaments.entry", related_name="eliminations")),
            (
                "way",
                models.CharField(
                    choices=[("bust", "Bust"), ("disqualified", "Disqualified")], max_length=20
                ),
            ),
            ("at", models.DateTimeField()),
            ("sequence", models.PositiveBigIntegerField()),
            ("group", models.PositiveBigIntegerField(blank=True, null=True)),
            (
                "round",
                to("tournaments.handround", related_name="eliminations", blank=True, null=True),
            ),
            ("start_stack", models.PositiveBigIntegerField(blank=True, null=True)),
            ("table", to("tournaments.table", blank=True, null=True)),
            ("seat", models.PositiveSmallIntegerField(blank=True, null=True)),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("entry",),
                    name="elimination_once",
                )
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event", "at"],
                    name="elimination_live",
                )
            ],
        ),
        fact(
            "Knockout",
            ("elimination", to("tournaments.elimination", related_name="knockouts")),
            ("by", to("tournaments.entry", related_name="knockouts")),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("elimination", "by"),
                    name="knockout_once",
                )
            ],
        ),
        fact(
            "PlaceRuling",
            ("event", to("tournaments.event", related_name="place_rulings")),
            ("entry", to("tournaments.entry", related_name="place_rulings")),
            ("beside", to("tournaments.entry")),
            (
                "way",
                models.CharField(
                    choices=[("above", "Above"), ("shares", "Shares"), ("below", "Below")],
                    max_length=20,
                ),
            ),
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event"],
                    name="place_ruling_live",
                )
            ],
        ),
        fact(
            "DealerDraw",
            ("table", to("tournaments.table", related_name="dealer_draws")),
            ("draw", to("tournaments.draw")),
            ("cards", models.JSONField(default=list)),
        ),
        fact(
            "HandReport",
            ("round", to("tournaments.handround", related_name="reports")),
            ("table", to("tournaments.table")),
            ("reported_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("round", "table"),
                    name="hand_report_once",
                )
            ],
        ),
        fact(
            "HeadCheck",
            ("table", to("tournaments.table", related_name="head_checks")),
            ("players", models.PositiveSmallIntegerField()),
            ("checked_at", models.DateTimeField()),
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["table"],
                    name="head_check_live",
                )
            ],
        ),
        fact(
            "MoneyReached",
            ("event", to("tournaments.event", related_name="money_reached")),
            ("left", models.PositiveIntegerField()),
            ("announced_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("event",),
                    name="money_reached_once",
                )
            ],
        ),
        fact(
            "CashTable",
            ("event", to("tournaments.event", related_name="cash_tables")),
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
                    choices=[("none", "none"), ("time", "time"), ("pot", "pot"), ("hand", "hand")],
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
            constraints=[
                models.UniqueConstraint(fields=("event", "number"), name="cash_table_number")
            ],
        ),
        fact(
            "CashCount",
            ("table", to("tournaments.cashtable", related_name="counts")),
            ("counted_cents", models.BigIntegerField()),
            ("counted_at", models.DateTimeField()),
        ),
        fact(
            "CashClosing",
            ("table", to("tournaments.cashtable", related_name="closings")),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("table",),
                    name="cash_closed_once",
                )
            ],
        ),
        fact(
            "CashEnd",
            ("event", to("tournaments.event", related_name="cash_ends")),
            ("ends_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("event",),
                    name="cash_end_once",
                )
            ],
        ),
        fact(
            "CashLastHands",
            ("event", to("tournaments.event", related_name="cash_last_hands")),
            ("hands", models.PositiveSmallIntegerField()),
            ("announced_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("event",),
                    name="cash_last_once",
                )
            ],
        ),
        fact(
            "CashHand",
            ("table", to("tournaments.cashtable", related_name="hands")),
            ("number", models.PositiveIntegerField()),
            ("began_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("table", "number"),
                    name="cash_hand_once",
                )
            ],
        ),
        fact(
            "CashHandEnd",
            ("hand", to("tournaments.cashhand", related_name="ends")),
            ("pot_cents", models.PositiveIntegerField(default=0)),
            ("ended_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("hand",),
                    name="cash_hand_ended_once",
                )
            ],
        ),
        fact(
            "CashSeat",
            ("event", to("tournaments.event", related_name="cash_seats")),
            ("registration", to("tournaments.registration", related_name="cash_seats")),
            ("table", to("tournaments.cashtable", related_name="sitting")),
            ("seat", models.PositiveSmallIntegerField()),
            ("since", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("registration",),
                    name="cash_seat_person_once",
                ),
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("table", "seat"),
                    name="cash_seat_once",
                ),
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event"],
                    name="cash_seat_live",
                )
            ],
        ),
        fact(
            "CashLeave",
            ("seat", to("tournaments.cashseat", related_name="leaves")),
            ("leaves_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("seat",),
                    name="cash_leave_once",
                )
            ],
        ),
        fact(
            "CashAway",
            ("seat", to("tournaments.cashseat", related_name="aways")),
            ("since", models.DateTimeField()),
            ("until", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("seat",),
                    name="cash_away_once",
                )
            ],
        ),
        fact(
            "CashWaiting",
            ("event", to("tournaments.event", related_name="cash_waiting")),
            ("registration", to("tournaments.registration", related_name="cash_waiting")),
            ("table", to("tournaments.cashtable", related_name="waiting")),
            ("asked_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("registration", "table"),
                    name="cash_waiting_once",
                )
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event"],
                    name="cash_waiting_live",
                )
            ],
        ),
        fact(
            "CashOffer",
            ("waiting", to("tournaments.cashwaiting", related_name="offers")),
            ("until", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("waiting",),
                    name="cash_offer_once",
                )
            ],
        ),
        model(
            "Grant",
            ("device", to("tournaments.staffdevice", related_name="grants")),
            (
                "event",
                models.ForeignKey(
                    "tournaments.event",
                    on_delete=models.CASCADE,
                    related_name="grants",
                    blank=True,
                    null=True,
                ),
            ),
            ("role", models.CharField(max_length=20)),
            ("granted_at", models.DateTimeField()),
            ("revoked_at", models.DateTimeField(blank=True, null=True)),
        ),
        model(
            "SignInLink",
            ("club", to("tournaments.club", related_name="sign_in_links")),
            (
                "event",
                models.ForeignKey(
                    "tournaments.event",
                    on_delete=models.CASCADE,
                    related_name="sign_in_links",
                    blank=True,
                    null=True,
                ),
            ),
            ("role", models.CharField(max_length=20)),
            ("token_hash", models.CharField(max_length=64, unique=True)),
            ("token_sealed", models.TextField(blank=True)),
            ("is_one_time", models.BooleanField(default=False)),
            ("created_at", models.DateTimeField()),
            ("expires_at", models.DateTimeField()),
            ("used_at", models.DateTimeField(blank=True, null=True)),
            ("revoked_at", models.DateTimeField(blank=True, null=True)),
        ),
        fact(
            "Penalty",
            ("event", to("tournaments.event", related_name="penalties")),
            ("entry", to("tournaments.entry", related_name="penalties")),
            (
                "kind",
                models.CharField(
                    choices=[("warning", "Warning"), ("hands", "Hands"), ("rounds", "Rounds")],
                    max_length=10,
                ),
            ),
            ("rounds", models.PositiveSmallIntegerField(default=0)),
            ("hands", models.PositiveSmallIntegerField(default=0)),
            ("given_at", models.DateTimeField()),
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event", "entry"],
                    name="penalty_live",
                )
            ],
        ),
        fact(
            "PenaltyServed",
            ("penalty", to("tournaments.penalty", related_name="served")),
            ("hands", models.PositiveSmallIntegerField()),
        ),
        fact(
            "Absence",
            ("event", to("tournaments.event", related_name="absences")),
            ("entry", to("tournaments.entry", related_name="absences")),
            ("left_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("entry",),
                    name="absence_once",
                )
            ],
        ),
        fact(
            "Arrival",
            ("seating", to("tournaments.seating", related_name="arrivals")),
            ("arrived_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("seating",),
                    name="arrival_once",
                )
            ],
        ),
        fact(
            "Summons",
            ("event", to("tournaments.event", related_name="summons")),
            ("table", to("tournaments.table", related_name="summons")),
            ("reason", models.CharField(max_length=20)),
            ("called_at", models.DateTimeField()),
            ("is_coming", models.BooleanField(default=False)),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("table",),
                    name="summons_once",
                )
            ],
        ),
        fact(
            "HeadCount",
            ("event", to("tournaments.event", related_name="head_counts")),
            ("entries", models.SmallIntegerField(default=0)),
            ("left", models.SmallIntegerField(default=0)),
            ("rebuys", models.SmallIntegerField(default=0)),
            ("chips", models.BigIntegerField(default=0)),
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event"],
                    name="head_count_live",
                )
            ],
        ),
        fact(
            "Hand",
            ("table", to("tournaments.table", related_name="hands")),
            ("number", models.PositiveIntegerField()),
            ("began_at", models.DateTimeField()),
            ("button", models.PositiveSmallIntegerField(blank=True, null=True)),
            ("small_blind", models.PositiveSmallIntegerField(blank=True, null=True)),
            ("big_blind", models.PositiveSmallIntegerField(blank=True, null=True)),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("table", "number"),
                    name="hand_number_once",
                )
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["table", "began_at"],
                    name="hand_live",
                )
            ],
        ),
        fact(
            "ButtonMark",
            ("table", to("tournaments.table", related_name="button_marks")),
            ("seat", models.PositiveSmallIntegerField(blank=True, null=True)),
            ("after_hand", models.PositiveIntegerField(default=0)),
            ("marked_at", models.DateTimeField()),
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["table"],
                    name="button_mark_live",
                )
            ],
        ),
        fact(
            "ClockCall",
            ("event", to("tournaments.event", related_name="clock_calls")),
            ("table", to("tournaments.table")),
            ("entry", to("tournaments.entry", related_name="clock_calls")),
            ("began_at", models.DateTimeField()),
            ("has_watch", models.BooleanField(default=False)),
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event", "table"],
                    name="clock_call_live",
                )
            ],
        ),
        fact(
            "ClockCallEnd",
            ("call", to("tournaments.clockcall", related_name="ends")),
            (
                "outcome",
                models.CharField(
                    choices=[("acted", "Acted"), ("dead", "Dead"), ("check", "Check")],
                    max_length=10,
                ),
            ),
            ("ended_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("call",),
                    name="clock_call_ends_once",
                )
            ],
        ),
        fact(
            "LeagueEvening",
            ("league", to("tournaments.league", related_name="evenings")),
            ("event", to("tournaments.event")),
            ("is_in", models.BooleanField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("league", "event"),
                    name="league_evening_once",
                )
            ],
        ),
        fact(
            "MysteryPot",
            ("event", to("tournaments.event", related_name="mystery_pots")),
            ("amounts", models.JSONField(default=list)),
            ("began_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("event",),
                    name="mystery_pot_once",
                )
            ],
        ),
        fact(
            "Envelope",
            ("pot", to("tournaments.mysterypot", related_name="envelopes")),
            ("entry", to("tournaments.entry", related_name="envelopes")),
            ("draw", to("tournaments.draw", related_name="envelopes")),
            ("number", models.PositiveIntegerField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("pot", "number"),
                    name="envelope_number_once",
                ),
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("pot", "entry"),
                    name="envelope_entry_once",
                ),
            ],
        ),
        fact(
            "DealLeave",
            ("event", to("tournaments.event", related_name="deal_leaves")),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("event",),
                    name="deal_leave_once",
                )
            ],
        ),
        fact(
            "Deal",
            ("event", to("tournaments.event", related_name="deals")),
            ("leave", to("tournaments.dealleave", related_name="deals")),
            ("way", models.CharField(max_length=10)),
            ("prizes", models.JSONField(default=list)),
            ("kept_cents", models.PositiveBigIntegerField(default=0)),
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event"],
                    name="deal_live",
                )
            ],
        ),
        fact(
            "DealShare",
            ("deal", to("tournaments.deal", related_name="shares")),
            ("entry", to("tournaments.entry", related_name="deal_shares")),
            ("stack", models.PositiveBigIntegerField()),
            ("amount_cents", models.PositiveBigIntegerField()),
        ),
        fact(
            "DealAnswer",
            ("share", to("tournaments.dealshare", related_name="answers")),
            ("says_yes", models.BooleanField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("share",),
                    name="deal_answer_once",
                )
            ],
        ),
        fact(
            "Drawer",
            ("event", to("tournaments.event", related_name="drawers")),
            ("number", models.PositiveIntegerField()),
            constraints=[
                models.UniqueConstraint(fields=("event", "number"), name="drawer_event_number")
            ],
        ),
        fact(
            "DrawerHolding",
            ("event", to("tournaments.event", related_name="drawer_holdings")),
            ("drawer", to("tournaments.drawer", related_name="holdings")),
            ("device", to("tournaments.staffdevice", related_name="drawers_held")),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("drawer",),
                    name="drawer_one_holder",
                ),
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("event", "device"),
                    name="device_one_drawer",
                ),
            ],
        ),
        fact(
            "DrawerClosing",
            ("drawer", to("tournaments.drawer", related_name="closings")),
            ("counted_cents", models.BigIntegerField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("drawer",),
                    name="drawer_closed_once",
                )
            ],
        ),
        fact(
            "Posting",
            ("event", to("tournaments.event", related_name="postings")),
            (
                "registration",
                to("tournaments.registration", related_name="postings", blank=True, null=True),
            ),
            (
                "account",
                models.CharField(
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
            ("part", models.CharField(blank=True, max_length=60)),
            ("amount_cents", models.BigIntegerField()),
            ("drawer", to("tournaments.drawer", related_name="postings", blank=True, null=True)),
            (
                "means",
                models.CharField(
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
            (
                "cash_table",
                to("tournaments.cashtable", related_name="postings", blank=True, null=True),
            ),
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event", "account"],
                    name="posting_live",
                )
            ],
        ),
        model(
            "Receipt",
            ("club", to("tournaments.club", related_name="receipts")),
            ("event", to("tournaments.event", related_name="receipts")),
            ("year", models.PositiveIntegerField()),
            ("number", models.PositiveIntegerField()),
            ("is_sample", models.BooleanField(default=False)),
            ("action", to("tournaments.action", related_name="receipts")),
            (
                "counters",
                to("tournaments.receipt", related_name="countered_by", blank=True, null=True),
            ),
            ("registration", to("tournaments.registration", related_name="receipts")),
            ("drawer", to("tournaments.drawer", related_name="receipts", blank=True, null=True)),
            ("means", models.CharField(max_length=10)),
            ("cents", models.BigIntegerField()),
            ("is_payout", models.BooleanField(default=False)),
            ("made_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("is_sample", False)),
                    fields=("club", "year", "number"),
                    name="receipt_number_once",
                ),
                models.UniqueConstraint(
                    condition=models.Q(("is_sample", True)),
                    fields=("event", "year", "number"),
                    name="receipt_sample_number_once",
                ),
            ],
        ),
        model(
            "ReceiptCount",
            (
                "club",
                models.ForeignKey(
                    "tournaments.club", on_delete=models.CASCADE, related_name="receipt_counts"
                ),
            ),
            (
                "event",
                models.ForeignKey(
                    "tournaments.event",
                    on_delete=models.CASCADE,
                    related_name="receipt_counts",
                    blank=True,
                    null=True,
                ),
            ),
            ("year", models.PositiveIntegerField()),
            ("last", models.PositiveIntegerField(default=0)),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("event__isnull", True)),
                    fields=("club", "year"),
                    name="receipt_count_club",
                ),
                models.UniqueConstraint(
                    condition=models.Q(("event__isnull", False)),
                    fields=("event", "year"),
                    name="receipt_count_event",
                ),
            ],
        ),
        fact(
            "ChipMovement",
            ("event", to("tournaments.event", related_name="chip_movements")),
            ("entry", to("tournaments.entry", related_name="chip_movements")),
            (
                "reason",
                models.CharField(
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
            ("amount", models.BigIntegerField(blank=True, null=True)),
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event", "amount"],
                    name="chip_movement_live",
                )
            ],
        ),
        fact(
            "StackCount",
            ("entry", to("tournaments.entry", related_name="stack_counts")),
            ("amount", models.PositiveBigIntegerField()),
            ("counted_at", models.DateTimeField()),
        ),
        fact(
            "PrizeFreeze",
            ("event", to("tournaments.event", related_name="prize_freezes")),
            ("entries", models.PositiveIntegerField()),
            ("places", models.PositiveIntegerField()),
            ("pool_cents", models.BigIntegerField()),
            ("prizes", models.JSONField(default=list)),
            ("refund_cents", models.BigIntegerField(default=0)),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("event",),
                    name="prizes_frozen_once",
                )
            ],
        ),
        fact(
            "Purchase",
            ("event", to("tournaments.event", related_name="purchases")),
            ("registration", to("tournaments.registration", related_name="purchases")),
            ("entry", to("tournaments.entry", related_name="purchases")),
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
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event", "registration"],
                    name="purchase_live",
                )
            ],
        ),
        fact(
            "PurchaseWish",
            ("event", to("tournaments.event", related_name="purchase_wishes")),
            ("entry", to("tournaments.entry", related_name="purchase_wishes")),
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
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("entry",),
                    name="purchase_wish_once",
                )
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event"],
                    name="purchase_wish_live",
                )
            ],
        ),
        fact(
            "RebuyChance",
            ("event", to("tournaments.event", related_name="rebuy_chances")),
            ("entry", to("tournaments.entry", related_name="rebuy_chances")),
            ("at", models.DateTimeField()),
            ("until", models.DateTimeField()),
            ("group", models.PositiveBigIntegerField(blank=True, null=True)),
            ("start_stack", models.PositiveBigIntegerField(blank=True, null=True)),
            ("table", to("tournaments.table", blank=True, null=True)),
            ("seat", models.PositiveSmallIntegerField(blank=True, null=True)),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("entry",),
                    name="rebuy_chance_once",
                )
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event", "until"],
                    name="rebuy_chance_live",
                )
            ],
        ),
        model(
            "FrozenDraw",
            ("event", to("tournaments.event", related_name="frozen_draws")),
            ("kind", models.CharField(max_length=20)),
            ("table", models.PositiveIntegerField(default=0)),
            ("number", models.PositiveIntegerField()),
            ("text", models.TextField()),
            ("digest", models.CharField(max_length=64)),
            ("salt", models.CharField(max_length=32)),
            ("called", models.CharField(blank=True, max_length=40)),
            ("made_by", to("tournaments.action")),
            ("closed_by", to("tournaments.action", null=True)),
            ("drawn_by", to("tournaments.action", null=True)),
            ("voided_by", to("tournaments.action", null=True)),
        ),
        model(
            "HallNumber",
            ("frozen", to("tournaments.frozendraw", related_name="numbers")),
            ("registration", to("tournaments.registration")),
            ("seal", models.CharField(max_length=64)),
            ("number", models.CharField(blank=True, max_length=9)),
            ("nonce", models.CharField(blank=True, max_length=32)),
            constraints=[
                models.UniqueConstraint(fields=("frozen", "registration"), name="hall_number_once")
            ],
        ),
        fact(
            "Waiting",
            ("event", to("tournaments.event", related_name="waitings")),
            ("registration", to("tournaments.registration", related_name="waitings")),
            ("since", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("registration",),
                    name="waiting_once",
                )
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event"],
                    name="waiting_live",
                )
            ],
        ),
        fact(
            "PlaceOffer",
            ("event", to("tournaments.event", related_name="offers")),
            ("waiting", to("tournaments.waiting", related_name="offers")),
            ("offered_at", models.DateTimeField()),
            ("expires_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("waiting",),
                    name="offer_once",
                )
            ],
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event", "expires_at"],
                    name="offer_live",
                )
            ],
        ),
        fact(
            "Expected",
            ("registration", to("tournaments.registration", related_name="expectations")),
            ("expected_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("registration",),
                    name="expected_once",
                )
            ],
        ),
        fact(
            "OnSite",
            ("registration", to("tournaments.registration", related_name="arrived")),
            ("came_at", models.DateTimeField()),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("registration",),
                    name="on_site_once",
                )
            ],
        ),
        fact(
            "Message",
            ("event", to("tournaments.event", related_name="messages")),
            ("table", to("tournaments.table", blank=True, null=True)),
            ("entry", to("tournaments.entry", related_name="messages", blank=True, null=True)),
            ("sent_at", models.DateTimeField()),
        ),
        model(
            "Mail",
            (
                "club",
                models.ForeignKey(
                    "tournaments.club", on_delete=models.CASCADE, related_name="mails"
                ),
            ),
            (
                "registration",
                models.ForeignKey(
                    "tournaments.registration",
                    on_delete=models.SET_NULL,
                    related_name="mails",
                    blank=True,
                    null=True,
                ),
            ),
            ("kind", models.CharField(max_length=30)),
            ("address", models.EmailField(max_length=254)),
            ("subject", models.CharField(max_length=200)),
            ("made_at", models.DateTimeField()),
            ("due_at", models.DateTimeField()),
            ("sent_at", models.DateTimeField(blank=True, null=True)),
            ("tries", models.PositiveSmallIntegerField(default=0)),
            ("error", models.CharField(blank=True, max_length=300)),
            indexes=[
                models.Index(
                    condition=models.Q(("sent_at__isnull", True)),
                    fields=["due_at"],
                    name="mail_due",
                )
            ],
        ),
        fact(
            "ChipRace",
            ("event", to("tournaments.event", related_name="chip_races")),
            ("table", to("tournaments.table", related_name="chip_races")),
            ("level", to("clock.level")),
            ("draw", to("tournaments.draw", blank=True, null=True)),
            ("values", models.JSONField(default=list)),
            ("new", models.PositiveIntegerField()),
            ("seats", models.JSONField(default=list)),
            constraints=[
                models.UniqueConstraint(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=("table", "level"),
                    name="chip_race_once",
                )
            ],
        ),
        fact(
            "Ruling",
            ("event", to("tournaments.event", related_name="rulings")),
            ("table", to("tournaments.table", related_name="rulings", blank=True, null=True)),
            ("topic", models.CharField(max_length=10)),
            ("question", models.JSONField(default=dict)),
            ("decided_at", models.DateTimeField()),
            indexes=[
                models.Index(
                    condition=models.Q(("voided_by__isnull", True)),
                    fields=["event", "decided_at"],
                    name="ruling_live",
                )
            ],
        ),
        model(
            "Screen",
            ("club", to("tournaments.club", related_name="screens")),
            ("code", models.CharField(max_length=6)),
            ("secret_hash", models.CharField(max_length=64, unique=True)),
            ("name", models.CharField(blank=True, max_length=80)),
            (
                "event",
                models.ForeignKey(
                    "tournaments.event",
                    on_delete=models.SET_NULL,
                    related_name="screens",
                    blank=True,
                    null=True,
                ),
            ),
            (
                "shows",
                models.CharField(
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
            ("settings", models.JSONField(default=dict)),
            ("version", models.PositiveBigIntegerField(default=0)),
            ("made_at", models.DateTimeField()),
            ("claimed_by", to("tournaments.action", blank=True, null=True)),
            ("retired_by", to("tournaments.action", blank=True, null=True)),
            ("seen_at", models.DateTimeField(blank=True, null=True)),
            ("delay_ms", models.PositiveIntegerField(blank=True, null=True)),
            (
                "sound_state",
                models.CharField(
                    blank=True,
                    choices=[
                        ("", "Unknown"),
                        ("ready", "Ready"),
                        ("blocked", "Blocked"),
                        ("missing", "Missing"),
                        ("off", "Off"),
                    ],
                    max_length=10,
                ),
            ),
            ("is_visible", models.BooleanField(default=True)),
            ("face", models.CharField(blank=True, max_length=20)),
            constraints=[models.UniqueConstraint(fields=("club", "code"), name="screen_code_once")],
        ),
        migrations.AddField(
            "action",
            "event",
            to("tournaments.event", related_name="actions", blank=True, null=True),
        ),
        migrations.AddField("event", "frozen", to("tournaments.frozendraw", blank=True, null=True)),
        migrations.AddConstraint(
            "action",
            models.UniqueConstraint(
                condition=models.Q(("event__isnull", False)),
                fields=("event", "sequence"),
                name="action_event_sequence",
            ),
        ),
        migrations.AddConstraint(
            "action",
            models.UniqueConstraint(
                condition=models.Q(("event__isnull", True)),
                fields=("club", "sequence"),
                name="action_club_sequence",
            ),
        ),
    ]
