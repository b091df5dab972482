"""People and their link to an event: a registration, then one entry per stack."""

import hashlib

from django.db import models
from django.db.models import Q, QuerySet

from krru.data.sealing import seal, unseal
from tournaments.models.log import Fact, index_live, once_live


class Person(models.Model):
    """A person known to the club, with the club's data.

    A visitor's typed data stay on the registration: a typed name is not yet the person.
    """

    club = models.ForeignKey("tournaments.Club", models.PROTECT, related_name="people")
    name = models.CharField(max_length=200)
    sort_name = models.CharField(max_length=400, db_index=True)
    plain_name = models.CharField(max_length=400, db_index=True)
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)
    is_member = models.BooleanField(default=False)
    erased_at = models.DateTimeField(null=True, blank=True)
    # The salt of the name's hashes in the log. Erased with the name, the hashes say nothing.
    name_salt = models.CharField(max_length=32, blank=True, default="")

    def __str__(self) -> str:
        return self.name


class Registration(Fact):
    """A person's registration. `link_token` opens the personal page; staff can renew it.

    The database stores it sealed and as a hash.

    `name`, `email`, `phone` and `says_member` are as given when registering; mails go to that
    address. `owns_person`: the link opens all of the person's data. It is set when the registration
    creates the person's row, or when staff make or confirm the registration.
    """

    # Columns that are corrected, merged, confirmed, sealed again or erased.
    mutable = (
        *("person", "name", "email", "phone", "says_member", "owns_person", "is_listed", "remark"),
        *("link_sealed", "link_hash", "former_link_hash", "replaced_link_hash"),
        *("confirmed_at", "is_mail_proven", "is_cash_guest", "rate"),
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
    # Agreed to the rules when registering on the page; at the desk staff ask.
    agrees_to_rules = models.BooleanField(default=False)
    # Takes a place reserved by the director.
    is_reserved = models.BooleanField(default=False)
    # Plays only at cash tables: owes no fee and takes no place of the tournament.
    is_cash_guest = models.BooleanField(default=False)
    # The name of a price by person; empty, or none of the event: the full price.
    rate = models.CharField(max_length=30, blank=True, default="")
    remark = models.CharField(max_length=300, blank=True)
    language = models.CharField(max_length=8, default="de")
    link_sealed = models.TextField()
    link_hash = models.CharField(max_length=64, unique=True)
    # The link from before the data moved to another machine; people still have it.
    former_link_hash = models.CharField(max_length=64, blank=True, db_index=True)
    # The replaced link: its holder is told of the new one.
    replaced_link_hash = models.CharField(max_length=64, blank=True, db_index=True)
    registered_at = models.DateTimeField()
    # When a player registered by the page confirmed.
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # Staff typed the address, or its owner opened a mailed link.
    is_mail_proven = models.BooleanField(default=False)

    class Meta:
        constraints = [once_live("registration_person_once", "event", "person")]
        # SQLite counts from an index alone only if it has all columns of the query.
        indexes = [index_live("registration_live", "event", "voided_by", "is_cash_guest", "person")]

    @property
    def link_token(self) -> str:
        """Return the token of the link; empty if another installation sealed it."""
        return unseal(self.link_sealed)

    @link_token.setter
    def link_token(self, token: str) -> None:
        for name, value in link_columns(token).items():
            setattr(self, name, value)


def link_hash(token: str) -> str:
    """Return the stored hash of a personal link; the link is random and needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def link_columns(token: str) -> dict[str, str]:
    return {"link_sealed": seal(token), "link_hash": link_hash(token), "former_link_hash": ""}


def with_link(rows: QuerySet[Registration], token: str) -> QuerySet[Registration]:
    known = link_hash(token)
    return rows.filter(Q(link_hash=known) | Q(former_link_hash=known))


class Entry(Fact):
    """One stack from buy-in to bust. A re-entry is a new entry of the same registration."""

    event = models.ForeignKey("tournaments.Event", models.PROTECT, related_name="entries")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    flight = models.PositiveSmallIntegerField(null=True, blank=True)
    entered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once")
        ]
        indexes = [index_live("entry_live", "event", "voided_by")]
