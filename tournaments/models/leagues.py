"""Leagues: how they reckon, which evenings belong to them, who plays in which team.

Standings are computed and stored nowhere. What is said of a person is said of the row it was said
of; whom that row was found to be is asked when it is read.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse

from tournaments.models.club import Club
from tournaments.models.event import Event
from tournaments.models.log import Action, Fact
from tournaments.models.people import Person
from tournaments.seasons.domain.points import Terms
from tournaments.seasons.domain.terms import terms_from


class League(models.Model):
    """A season of the club.

    `terms` holds how it reckons, as `domain.terms` writes it. With `by_rule` every evening belongs
    to it whose name holds `rule_name`, from `rule_since` to `rule_until`; `LeagueEvening` says
    otherwise of single ones.
    """

    club = models.ForeignKey(Club, models.PROTECT, related_name="leagues")
    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=80, unique=True)
    terms = models.JSONField(default=dict)
    is_public = models.BooleanField(default=True)
    by_rule = models.BooleanField(default=True)
    rule_name = models.CharField(max_length=80, blank=True)
    rule_since = models.DateField(null=True, blank=True)
    rule_until = models.DateField(null=True, blank=True)
    removed_by = models.ForeignKey(Action, models.PROTECT, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league", args=[self.slug])

    @property
    def reckoning(self) -> Terms:
        """Return how it reckons, as a value."""
        return terms_from(self.terms)


class LeagueEvening(Fact):
    """An evening belongs to a league, or does not, whatever the league's rule says."""

    league = models.ForeignKey(League, models.PROTECT, related_name="evenings")
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    is_in = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["league", "event"],
                condition=Q(voided_by__isnull=True),
                name="league_evening_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.event_id} @ {self.league_id}"


class LeagueCorrection(Fact):
    """Points given or taken besides, in hundredths; the reason stands with the action."""

    league = models.ForeignKey(League, models.PROTECT, related_name="corrections")
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")
    points = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.person_id} {self.points}"


class LeagueMember(Fact):
    """A person plays for a team, which is known by its name."""

    mutable = ("team",)  # a free text, which may be a name

    league = models.ForeignKey(League, models.PROTECT, related_name="members")
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")
    team = models.CharField(max_length=80)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["league", "person"],
                condition=Q(voided_by__isnull=True),
                name="league_member_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.person_id} {self.team}"


class ProfileConsent(Fact):
    """A person lets everybody see a page of all evenings played."""

    person = models.ForeignKey(Person, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person"], condition=Q(voided_by__isnull=True), name="profile_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.person_id}"
