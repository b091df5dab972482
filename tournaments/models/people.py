"""People and what ties them to an event: registration, then one entry per stack."""

from __future__ import annotations

import hashlib

from django.db import models
from django.db.models import Q, QuerySet

from krru.data.sealing import seal, unseal
from tournaments.models.log import Fact


class Person(models.Model):
    """Somebody the club knows, with what the club knows of them.

    What a visitor typed stays on the registration: a typed name is not the person.
    """

    club = models.ForeignKey("tournaments.Club", models.PROTECT, related_name="people")
    name = models.CharField(max_length=200)
    sort_name = models.CharField(max_length=400, db_index=True)
    plain_name = models.CharField(max_length=400, db_index=True)
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)
    is_member = models.BooleanField(default=False)
    erased_at = models.DateTimeField(null=True, blank=True)
    # Of the hashes by which the log knows the name. Emptied with the name, they say nothing.
    name_salt = models.CharField(max_length=32, blank=True, default="")

    def __str__(self) -> str:
        return self.name


class Registration(Fact):
    """A person means to come. `link_token` opens the personal page; staff can renew it.

    The database knows it sealed, and by its hash.

    `name`, `email`, `phone` and `says_member` are what was said when registering; mails go to that
    address. `owns_person`: the link opens all that the club knows of the person. It is stored when
    it happens: the registration made the person's row, or staff made or confirmed the registration.
    """

    # What is corrected, merged, confirmed, sealed anew or erased.
    mutable = (
        *("person", "name", "email", "phone", "says_member", "owns_person", "is_listed", "remark"),
        *("link_sealed", "link_hash", "former_link_hash", "replaced_link_hash"),
        *("confirmed_at", "is_mail_proven"),
    )

    event = models.ForeignKey("tournaments.Event", models.PROTECT, related_name="registrations")
    person = models.ForeignKey(Person, models.PROTECT, related_name="registrations")
    name = models.CharField(max_length=200, blank=True)
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)
    says_member = models.BooleanField(default=False)
    made_person = models.BooleanField(default=False)
    owns_person = models.BooleanField(default=False)
    is_listed = models.BooleanField(default=True)
    # Agreed to the rules in force when registering, on the page; at the desk it is asked there.
    agrees_to_rules = models.BooleanField(default=False)
    # Takes one of the places the director holds back.
    is_reserved = models.BooleanField(default=False)
    remark = models.CharField(max_length=300, blank=True)
    language = models.CharField(max_length=8, default="de")
    link_sealed = models.TextField()
    link_hash = models.CharField(max_length=64, unique=True)
    # Of the link from before the data moved to another machine; people still have it.
    former_link_hash = models.CharField(max_length=64, blank=True, db_index=True)
    # Of the link that a new one took the place of: who still has it is told so.
    replaced_link_hash = models.CharField(max_length=64, blank=True, db_index=True)
    registered_at = models.DateTimeField()
    # When a player who registered by the page confirmed.
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # Staff typed the address, or its owner opened a link that was mailed to it.
    is_mail_proven = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "person"],
                condition=Q(voided_by__isnull=True),
                name="registration_person_once",
            )
        ]
        # SQLite counts by an index alone only where it holds every column that is asked for.
        indexes = [
            models.Index(
                fields=["event", "voided_by", "person"],
                condition=Q(voided_by__isnull=True),
                name="registration_live",
            )
        ]

    def __str__(self) -> str:
        return f"{self.person_id} @ {self.event_id}"

    @property
    def link_token(self) -> str:
        """Return the secret of the link; empty when another installation sealed it."""
        return unseal(self.link_sealed)

    @link_token.setter
    def link_token(self, token: str) -> None:
        for name, value in link_columns(token).items():
            setattr(self, name, value)


def link_hash(token: str) -> str:
    """Return what the database keeps of a personal link; it is random, so it needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def link_columns(token: str) -> dict[str, str]:
    """Return the columns by which a registration knows its personal link."""
    return {"link_sealed": seal(token), "link_hash": link_hash(token), "former_link_hash": ""}


def with_link(rows: QuerySet[Registration], token: str) -> QuerySet[Registration]:
    """Return the registration that a personal link opens, among these."""
    known = link_hash(token)
    return rows.filter(Q(link_hash=known) | Q(former_link_hash=known))


class Entry(Fact):
    """The life of one stack. A re-entry is a new entry of the same registration."""

    event = models.ForeignKey("tournaments.Event", models.PROTECT, related_name="entries")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    flight = models.PositiveSmallIntegerField(null=True, blank=True)
    entered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once")
        ]
        indexes = [
            models.Index(
                fields=["event", "voided_by"],
                condition=Q(voided_by__isnull=True),
                name="entry_live",
            )
        ]

    def __str__(self) -> str:
        return f"{self.number} @ {self.event_id}"
