"""Leagues: their terms, evenings and teams.

Standings are computed, never stored. Rows name the person as known then; merges are resolved when
reading.
"""

from django.db import models
from django.urls import reverse

from tournaments.models.club import Club
from tournaments.models.event import Event
from tournaments.models.log import Action, Fact, once_live
from tournaments.models.people import Person
from tournaments.seasons.domain.points import Terms, terms_from


class League(models.Model):
    """A season of the club.

    `terms` are its scoring terms, as written by `domain.terms`. With `by_rule` every evening with
    `rule_name` in its name belongs to it, from `rule_since` to `rule_until`; `LeagueEvening` makes
    exceptions.
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
        return terms_from(self.terms)


class LeagueEvening(Fact):
    """An evening is in or out of a league, whatever the league's rule says."""

    league = models.ForeignKey(League, models.PROTECT, related_name="evenings")
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    is_in = models.BooleanField()

    class Meta:
        constraints = [once_live("league_evening_once", "league", "event")]


class LeagueCorrection(Fact):
    """Extra or deducted points, in hundredths; the reason is with the action."""

    league = models.ForeignKey(League, models.PROTECT, related_name="corrections")
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")
    points = models.IntegerField()


class LeagueMember(Fact):
    """A person's team, known by its name."""

    mutable = ("team",)  # a free text, possibly a name

    league = models.ForeignKey(League, models.PROTECT, related_name="members")
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")
    team = models.CharField(max_length=80)

    class Meta:
        constraints = [once_live("league_member_once", "league", "person")]


class LeagueGuest(Fact):
    """A person left out of a league's standings: a guest, or staff."""

    league = models.ForeignKey(League, models.PROTECT, related_name="guests")
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")

    class Meta:
        constraints = [once_live("league_guest_once", "league", "person")]


class ProfileConsent(Fact):
    """A person's consent to a public page of all their evenings."""

    person = models.ForeignKey(Person, models.PROTECT, related_name="+")

    class Meta:
        constraints = [once_live("profile_once", "person")]
