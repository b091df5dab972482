"""Contests of several flights and days: their events, bags, and the way of bags to the next day.

Who is through, with what, and for which prize is computed. Contests and stages are in the club's
log, bags in that of their event.
"""

from django.db import models

from tournaments.contests.domain.bags import Word
from tournaments.contests.domain.carrying import Terms, terms_from
from tournaments.contests.domain.stopping import StopRule, mark, stop_rule_from
from tournaments.models.club import Club
from tournaments.models.event import Event
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Entry


class Contest(models.Model):
    """A tournament of several events. `terms` are as written by `contests.domain.carrying`."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="contests")
    name = models.CharField(max_length=120)
    terms = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.name

    @property
    def reckoning(self) -> Terms:
        return terms_from(self.terms)


class Stage(Fact):
    """An event as a flight or a day of a contest. Stages of one `order` feed the next order.

    `stop` is its end, as written by `contests.domain.stopping`.
    """

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="stages")
    event = models.ForeignKey(Event, models.PROTECT, related_name="stages")
    label = models.CharField(max_length=20)
    order = models.PositiveSmallIntegerField()
    stop = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            once_live("stage_event_once", "event"),
            once_live("stage_label_once", "contest", "label"),
        ]

    @property
    def rule(self) -> StopRule:
        return stop_rule_from(self.stop)

    def advance(self, entries: int) -> int:
        return mark(self.rule, entries)


class BagWord(Fact):
    """A word about the chips of a bag: of the player, of staff, or of a signed slip."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="bag_words")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="bag_words")
    by = models.CharField(max_length=10, choices=[(word.value, word.value) for word in Word])
    amount = models.PositiveBigIntegerField()
    number = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [once_live("bag_word_once", "entry", "by")]
        indexes = [index_live("bag_word_live", "event")]


class Bag(Fact):
    """A sealed bag at the end of a day; `number` is that of its seal."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="bags")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="bags")
    amount = models.PositiveBigIntegerField()
    number = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [once_live("bag_once", "entry")]
        indexes = [index_live("bag_live", "event")]


class Carry(Fact):
    """The way of a bag into an entry of the next day; `is_removed`: its chips left play."""

    bag = models.ForeignKey(Bag, models.PROTECT, related_name="carries")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="carries")
    is_removed = models.BooleanField(default=False)

    class Meta:
        constraints = [once_live("carry_once", "bag")]
