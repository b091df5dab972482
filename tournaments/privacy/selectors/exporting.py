"""All data of one person, to show and hand out, in as many statements for any past."""

from dataclasses import replace
from typing import Any

from django.db.models import Prefetch, QuerySet

from tournaments.changes.kinds import describe
from tournaments.models import (
    Action,
    DealAnswer,
    DealShare,
    Elimination,
    Entry,
    LeagueCorrection,
    LeagueGuest,
    LeagueMember,
    Mail,
    Posting,
    ProfileConsent,
    Purchase,
    Receipt,
    Registration,
    Seating,
    StackCount,
)
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.receipts import name_of
from tournaments.people.selectors.people import contact_of, is_sure
from tournaments.privacy.selectors.privacy import Traces, is_of_one, traces_of, with_own

PAGE_EVENINGS = 10
"""A page tells of so many evenings, the file of all."""


def person_export(registration: Registration, *, newest: int | None = None) -> dict[str, Any]:
    """Return the data of a personal link's holder, ready for JSON.

    A link without ownership of the person gets only its registration's data.

    :param newest: Tell of so many registrations only; `earlier` counts the others.
    """
    person, sure = registration.person, is_sure(registration)
    told: dict[str, Any] = {"complete": sure} | contact_of(registration, with_person=sure)
    if sure:
        told["is_member"] = person.is_member
        traces = traces_of(person)
    else:
        traces = _traces_of_one(registration)
    told["leagues"] = _leagues(traces)
    if newest is not None:
        told["earlier"] = max(len(traces.registrations) - newest, 0)
        kept = frozenset(sorted(traces.registrations)[-newest:])
        events = Registration.objects.filter(pk__in=kept).values_list("event_id", flat=True)
        traces = replace(traces, registrations=kept, events=frozenset(events))
    told["registrations"] = [_registration(row) for row in _registrations(traces)]
    mails = Mail.objects.filter(registration__in=traces.registrations).order_by("pk")
    told["mails"] = [
        {"address": row.address, "kind": row.kind, "made_at": row.made_at, "sent_at": row.sent_at}
        for row in mails
    ]
    # From the logs of these evenings the entries about the person alone.
    told["log"] = [
        {"at": row.at, "what": describe(row), "reason": row.text.data.get("reason", "")}
        for row, is_own in with_own(Action.objects.filter(event__in=traces.events), traces)
        if is_own and is_of_one((row.undoes or row).payload)
    ]
    return told


def _leagues(traces: Traces) -> dict[str, Any]:
    given = LeagueCorrection.objects.live().filter(person__in=traces.people).order_by("pk")
    teams = LeagueMember.objects.live().filter(person__in=traces.people).order_by("pk")
    guests = LeagueGuest.objects.live().filter(person__in=traces.people).order_by("pk")
    return {
        "corrections": [
            {
                "league": row.league.name,
                "points": f"{row.points / 100:.2f}",
                "reason": row.made_by.text.data.get("reason", ""),
            }
            for row in given.select_related("league", "made_by__text")
        ],
        "teams": [
            {"league": row.league.name, "team": row.team} for row in teams.select_related("league")
        ],
        "left_out_of": [row.league.name for row in guests.select_related("league")],
        "profile_is_public": ProfileConsent.objects.live()
        .filter(person__in=traces.people)
        .exists(),
    }


def _traces_of_one(registration: Registration) -> Traces:
    entries = Entry.objects.filter(registration=registration).values_list("pk", flat=True)
    return Traces(
        club=registration.event.club_id,
        people=frozenset(),
        registrations=frozenset({registration.pk}),
        entries=frozenset(entries),
        events=frozenset({registration.event_id}),
    )


def _registrations(traces: Traces) -> QuerySet[Registration]:
    """Return the registrations with all that is told of each, loaded for all at once."""
    answers = Prefetch("answers", DealAnswer.objects.live())
    seatings = Seating.objects.select_related("table", "made_by").order_by("pk")
    entries = Entry.objects.live().order_by("number")
    cash = Posting.objects.live().filter(account=Account.CASH)
    rows = Registration.objects.filter(pk__in=traces.registrations).order_by("pk")
    return rows.select_related("event__head").prefetch_related(
        Prefetch("postings", cash),
        Prefetch("purchases", Purchase.objects.live().order_by("pk")),
        Prefetch("receipts", Receipt.objects.order_by("pk")),
        "listeners",
        Prefetch(
            "entries",
            entries.prefetch_related(
                Prefetch("seatings", seatings),
                Prefetch("eliminations", Elimination.objects.live()),
                Prefetch("stack_counts", StackCount.objects.live().order_by("pk")),
                Prefetch(
                    "deal_shares",
                    DealShare.objects.live().order_by("pk").prefetch_related(answers),
                ),
            ),
        ),
    )


def _registration(row: Registration) -> dict[str, Any]:
    receipts = [
        {"number": name_of(receipt), "at": receipt.made_at, "cents": receipt.cents}
        for receipt in row.receipts.all()
    ]
    return {
        "event": row.event.name,
        "registered_at": row.registered_at,
        "withdrawn": row.voided_by_id is not None,
        "listed": row.is_listed,
        "agreed_to_rules": row.agrees_to_rules,
        "name": row.name,
        "email": row.email,
        "phone": row.phone,
        "says_member": row.says_member,
        "remark": row.remark,
        "language": row.language,
        **({"price": row.rate} if row.rate else {}),
        "paid_cents": sum(posting.amount_cents for posting in row.postings.all()),
        "bought": [
            {"what": sold.what, "number": sold.number, "cents": sold.cents, "at": sold.bought_at}
            for sold in row.purchases.all()
        ],
        **({"receipts": receipts} if receipts else {}),
        "notices": [{"channel": one.channel, "kinds": one.kinds} for one in row.listeners.all()],
        "entries": [_entry(entry) for entry in row.entries.all()],
    }


def _entry(entry: Entry) -> dict[str, Any]:
    outs, counts = entry.eliminations.all(), entry.stack_counts.all()
    return {
        "number": entry.number,
        "entered_at": entry.entered_at,
        "out_at": outs[0].at if outs else None,
        "stacks_counted": [{"chips": row.amount, "at": row.counted_at} for row in counts],
        "deals": [_deal(share) for share in entry.deal_shares.all()],
        "seats": [
            {"table": row.table.number, "seat": row.seat, "from": row.made_by.at}
            for row in entry.seatings.all()
        ],
    }


def _deal(share: DealShare) -> dict[str, Any]:
    answers = share.answers.all()
    says_yes = answers[0].says_yes if answers else None
    return {"stack": share.stack, "amount_cents": share.amount_cents, "says_yes": says_yes}
