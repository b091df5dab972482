"""Places and the waiting list; announced and present players; messages and mail."""

from django.db import models
from django.db.models import Q

from tournaments.models.event import Event
from tournaments.models.floor import Table
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Entry, Person, Registration


class Waiting(Fact):
    """A registration without a place. Without a live row it has a place."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="waitings")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="waitings")
    since = models.DateTimeField()

    class Meta:
        constraints = [once_live("waiting_once", "registration")]
        indexes = [index_live("waiting_live", "event")]


class PlaceOffer(Fact):
    """A freed place held for a waiting player, until taken or past `expires_at`."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="offers")
    waiting = models.ForeignKey(Waiting, models.PROTECT, related_name="offers")
    offered_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("offer_once", "waiting")]
        indexes = [index_live("offer_live", "event", "expires_at")]


class Expected(Fact):
    """A player's announced arrival after the start."""

    registration = models.ForeignKey(Registration, models.PROTECT, related_name="expectations")
    expected_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("expected_once", "registration")]


class OnSite(Fact):
    """A player has come and waits for check-in, or for a free seat."""

    registration = models.ForeignKey(Registration, models.PROTECT, related_name="arrived")
    came_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("on_site_once", "registration")]


class PersonMerge(Fact):
    """Two rows of the same person: everything of `gone` now belongs to `kept`."""

    kept = models.ForeignKey(Person, models.PROTECT, related_name="+")
    gone = models.ForeignKey(Person, models.PROTECT, related_name="+")


class Message(Fact):
    """The director's message to a table or one player; its text is with the action."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="messages")
    table = models.ForeignKey(Table, models.PROTECT, null=True, blank=True, related_name="+")
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="messages")
    sent_at = models.DateTimeField()


class LivePost(Fact):
    """What staff tell those who follow from elsewhere; its text is with the action."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="live_posts")
    posted_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.event_id} {self.posted_at}"


class LivePicture(models.Model):
    """The picture of a post, apart from it so that a list does not load it."""

    post = models.OneToOneField(LivePost, models.CASCADE, related_name="picture")
    media_type = models.CharField(max_length=40)
    data = models.BinaryField()
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.digest[:8]


class Mail(models.Model):
    """A mail for the worker to send. No fact: it is overwritten and erased."""

    club = models.ForeignKey("tournaments.Club", models.CASCADE, related_name="mails")
    registration = models.ForeignKey(
        Registration, models.SET_NULL, null=True, blank=True, related_name="mails"
    )
    kind = models.CharField(max_length=30)
    address = models.EmailField()
    subject = models.CharField(max_length=200)
    made_at = models.DateTimeField()
    due_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=Q(sent_at__isnull=True), name="mail_due")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
