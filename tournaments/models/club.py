"""The club's lasting data: devices and their roles, chip sets, presets; automatic play."""

from typing import Any, ClassVar, Self

from django.db import models

from krru.data.sealing import unseal
from tournaments.event.domain.about import (
    LONGEST_ADDRESS,
    LONGEST_CONTACT,
    LONGEST_IMPRINT,
    LONGEST_TEXT,
    LONGEST_VENUE,
    About,
)
from tournaments.event.domain.hall_plan import LONGEST_PLAN
from tournaments.models.event import Event, own_about
from tournaments.models.log import Logged


class Currency(models.TextChoices):
    EUR = "EUR"
    CHF = "CHF"
    NONE = ""


class Club(Logged):
    """The owner of people, devices and templates; usually a single row."""

    # The currency of the club loaded last by this process: amounts are shown far from any row.
    loaded_currency: ClassVar[str | None] = None

    name = models.CharField(max_length=120)
    backup_folder = models.CharField(max_length=500, blank=True)
    # Days after an event until addresses are erased; 0: they are kept.
    erase_contacts_days = models.PositiveIntegerField(default=0)
    # Whether the hall's walls show first names and initials, whoever is listed on the internet.
    has_hall_names = models.BooleanField(default=True)
    # Whether no hall number is asked for at draws.
    draws_without_number = models.BooleanField(default=False)
    # The club's colour as #rrggbb, empty for the program's colour.
    colour = models.CharField(max_length=7, blank=True)
    # Public; a tournament may override it for its evening.
    venue = models.CharField(max_length=LONGEST_VENUE, blank=True)
    address = models.CharField(max_length=LONGEST_ADDRESS, blank=True)
    description = models.TextField(max_length=LONGEST_TEXT, blank=True)
    contact = models.TextField(max_length=LONGEST_CONTACT, blank=True)
    house_text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    imprint = models.TextField(max_length=LONGEST_IMPRINT, blank=True)
    # The plan of the hall as typed, see `event.domain.hall_plan`; empty: none.
    hall = models.TextField(max_length=LONGEST_PLAN, blank=True)
    # Means of payment beside cash, by `Means`, with the club's names for them.
    payment_means = models.JSONField(default=dict, blank=True)
    # The currency of all amounts; empty for a club without money.
    currency = models.CharField(
        max_length=3, choices=Currency.choices, default=Currency.EUR, blank=True
    )
    # Can be unsealed only if the other sealed columns can, see `club.services.moving`.
    sealed_mark = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.name

    @classmethod
    def from_db(cls, *row: Any, **own: Any) -> Self:
        """Load a row, and keep its currency."""
        club = super().from_db(*row, **own)
        Club.loaded_currency = club.__dict__.get("currency", Club.loaded_currency)
        return club

    @property
    def about(self) -> About:
        return own_about(self)


class ClubLogo(models.Model):
    """The club's logo, apart from the club so that locking the club does not load it."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="logo")
    media_type = models.CharField(max_length=40)
    data = models.BinaryField()
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.digest[:8]


class StaffDevice(models.Model):
    """A signed-in laptop or phone. The cookie holds a secret, this row its hash."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="devices")
    name = models.CharField(max_length=80)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    # Its live grants as roles and events, where they were read with it.
    granted: list[tuple[str, int | None]] | None = None

    def __str__(self) -> str:
        return self.name


class Grant(models.Model):
    """A role of a device, for one event or, without event, for the whole club."""

    device = models.ForeignKey(StaffDevice, models.PROTECT, related_name="grants")
    event = models.ForeignKey(
        "tournaments.Event", models.CASCADE, null=True, blank=True, related_name="grants"
    )
    role = models.CharField(max_length=20)
    granted_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)


class SignInLink(models.Model):
    """A link or QR code that makes a device a staff device.

    A director's link and the codes on the page of devices work once and store only the hash of
    their token. A link for many works until it expires or is replaced; its token is sealed, so that
    it can be shown again.
    """

    club = models.ForeignKey(Club, models.PROTECT, related_name="sign_in_links")
    event = models.ForeignKey(
        "tournaments.Event", models.CASCADE, null=True, blank=True, related_name="sign_in_links"
    )
    role = models.CharField(max_length=20)
    token_hash = models.CharField(max_length=64, unique=True)
    token_sealed = models.TextField(blank=True)
    is_one_time = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.role} {self.created_at:%Y-%m-%d}"

    @property
    def token(self) -> str:
        return unseal(self.token_sealed)


class ChipSet(models.Model):
    """A club's chips, and the stacks by number of players.

    `pieces` lists value, count and colour; `distributions` the brackets, as in `domain.chips`;
    `revision` is that of its file; a club's own set has none.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="chip_sets")
    name = models.CharField(max_length=80)
    pieces = models.JSONField(default=list)
    distributions = models.JSONField(default=list)
    revision = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="chip_set_name")]

    def __str__(self) -> str:
        return self.name


class RulePreset(models.Model):
    """A named rule set (KRRU 3.0, TDA 2024), copied into each new tournament.

    `revision` is that of its file; a club's own has none.
    """

    key = models.SlugField(unique=True)
    name = models.CharField(max_length=80)
    rules = models.JSONField(default=dict)
    revision = models.PositiveIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class SelfPlay(models.Model):
    """A rehearsal's automatic play: whether it runs, and its speed relative to a hall."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="self_play")
    is_playing = models.BooleanField(default=False)
    speed = models.PositiveSmallIntegerField()
