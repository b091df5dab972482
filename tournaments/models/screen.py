"""Paired big screens: their content, sound and last report.

A row is made when a browser asks for a code, and has no owner until a director claims it; a retired
screen shows its code again. The cookie holds the screen's secret, the row its hash. A screen's
report is no fact: it is overwritten and not logged.
"""

from django.db import models

from tournaments.models.log import Action


class Screen(models.Model):
    """A projector or television. `version` grows with every change for it."""

    TOPIC = "screen-"

    class Shows(models.TextChoices):
        CLOCK = "clock"
        SEATING = "seating"
        MOVES = "moves"
        PLACES = "places"
        HUNTERS = "hunters"
        PRIZES = "prizes"
        CASH = "cash"
        BAGS = "bags"
        FLIGHTS = "flights"
        OWN = "own"
        ROTATING = "rotating"
        LOBBY = "lobby"

    class Sound(models.TextChoices):
        UNKNOWN = ""
        READY = "ready"
        BLOCKED = "blocked"
        MISSING = "missing"
        OFF = "off"

    club = models.ForeignKey("tournaments.Club", models.PROTECT, related_name="screens")
    code = models.CharField(max_length=6)
    secret_hash = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=80, blank=True)
    event = models.ForeignKey(
        "tournaments.Event", models.SET_NULL, null=True, blank=True, related_name="screens"
    )
    shows = models.CharField(max_length=10, choices=Shows.choices, default=Shows.CLOCK)
    settings = models.JSONField(default=dict)
    version = models.PositiveBigIntegerField(default=0)
    made_at = models.DateTimeField()
    # A hash of the network that asked for the code, until the screen is claimed.
    asked_from = models.CharField(max_length=16, blank=True)
    claimed_by = models.ForeignKey(Action, models.PROTECT, null=True, blank=True, related_name="+")
    retired_by = models.ForeignKey(Action, models.PROTECT, null=True, blank=True, related_name="+")
    seen_at = models.DateTimeField(null=True, blank=True)
    delay_ms = models.PositiveIntegerField(null=True, blank=True)
    sound_state = models.CharField(max_length=10, choices=Sound.choices, blank=True)
    is_visible = models.BooleanField(default=True)
    face = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "code"], name="screen_code_once")]

    def __str__(self) -> str:
        return self.name or self.code

    @property
    def stream_topic(self) -> str:
        return f"{self.TOPIC}{self.pk}"

    @property
    def is_claimed(self) -> bool:
        return self.claimed_by_id is not None and self.retired_by_id is None


class OwnFace(models.Model):
    """A club's own face of its walls: the slides in their order, and the figures of the grid.

    Both are lists, and a change replaces them whole, so that it can be undone.
    """

    club = models.OneToOneField("tournaments.Club", models.CASCADE, related_name="own_face")
    slides = models.JSONField(default=list)
    figures = models.JSONField(default=list)
    in_breaks = models.BooleanField(default=False)


class Slide(models.Model):
    """A picture or a text of the own face; never changed. Those of `OwnFace.slides` are shown."""

    club = models.ForeignKey("tournaments.Club", models.CASCADE, related_name="slides")
    text = models.CharField(max_length=200, blank=True)
    seconds = models.PositiveSmallIntegerField()
    media_type = models.CharField(max_length=40, blank=True)
    data = models.BinaryField()
    digest = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return self.text or self.digest[:8]
