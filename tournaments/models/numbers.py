"""What is going to be drawn, fixed before the hall number is known, and who gave which number."""

from __future__ import annotations

from django.db import models

from tournaments.models.event import Event
from tournaments.models.log import Action
from tournaments.models.people import Registration


class FrozenDraw(models.Model):
    """A draw that is fixed until its number comes: drawn then, or void for good.

    It is no fact that an undo brings back: what came of it stays to be seen. `text` is what was
    hashed, `table` the one that is broken, `salt` hides the wishes to be kept apart.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="frozen_draws")
    kind = models.CharField(max_length=20)
    table = models.PositiveIntegerField(default=0)
    number = models.PositiveIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64)
    salt = models.CharField(max_length=32)
    called = models.CharField(max_length=40, blank=True)
    made_by = models.ForeignKey(Action, models.PROTECT, related_name="+")
    closed_by = models.ForeignKey(Action, models.PROTECT, null=True, related_name="+")
    drawn_by = models.ForeignKey(Action, models.PROTECT, null=True, related_name="+")
    voided_by = models.ForeignKey(Action, models.PROTECT, null=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"

    @property
    def is_open(self) -> bool:
        return self.drawn_by_id is None and self.voided_by_id is None

    @property
    def is_closed(self) -> bool:
        """Tell whether the list of those who gave a number is fixed."""
        return self.closed_by_id is not None


class HallNumber(models.Model):
    """The number of one player for one draw: sealed first, opened once the list is closed."""

    frozen = models.ForeignKey(FrozenDraw, models.PROTECT, related_name="numbers")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="+")
    seal = models.CharField(max_length=64)
    number = models.CharField(max_length=9, blank=True)
    nonce = models.CharField(max_length=32, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["frozen", "registration"], name="hall_number_once")
        ]

    def __str__(self) -> str:
        return f"{self.registration_id} @ {self.frozen_id}"
