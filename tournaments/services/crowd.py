"""The rush when registration opens: many visitors registered in one transaction.

What is odd about somebody is not settled here: whoever cannot simply be registered is refused
without a word, and comes again by himself, by `registration_create`, which tells him why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from krru.turns import writing
from tournaments.access import VISITOR
from tournaments.audit import KINDS, Change
from tournaments.domain.errors import Refused
from tournaments.models import Action, Event, Registration
from tournaments.repeats import Request
from tournaments.selectors.doubles import names_alike
from tournaments.services.people import Newcomer, Planned, planned
from tournaments.services.registration import (
    TOPICS,
    admit,
    refuse_if_closed,
    registration_create,
)
from tournaments.together import Joint, carry_out_together

ALONE = Refused("", code="alone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A visitor's form: for which event, what `registration_create` takes, and when it came.

    `is_asked` tells that he has said he is not who is registered under a similar name.
    """

    slug: str
    wanted: dict[str, Any]
    at: datetime
    key: UUID | None
    is_asked: bool


def register_together(arrivals: Sequence[Arrival]) -> list[Registration | Exception]:
    """Register visitors in the order in which they came.

    Return for each the registration, or a `Refused` when he has to come by himself.
    """
    with writing:
        return _by_event(arrivals)


def _by_event(arrivals: Sequence[Arrival]) -> list[Registration | Exception]:
    slugs = {arrival.slug for arrival in arrivals}
    events = dict(Event.objects.filter(slug__in=slugs).values_list("slug", "pk"))
    found: dict[int, Registration | Exception] = {}
    for slug, event in events.items():
        numbers = [number for number, one in enumerate(arrivals) if one.slug == slug]
        made = _register(event, [arrivals[number] for number in numbers])
        found |= zip(numbers, made, strict=True)
    return [found.get(number, ALONE) for number in range(len(arrivals))]


def _register(event: int, arrivals: Sequence[Arrival]) -> list[Registration | Exception]:
    asked = {id(one.wanted) for one in arrivals if one.is_asked}
    made: dict[int, Registration] = {}
    joint = Joint(plan=partial(_plan, asked), write=partial(_write, made))
    done = carry_out_together(event, [_request(event, one) for one in arrivals], joint)
    again = [one.payload["registration"] for one in done
             if isinstance(one, Action) and one.pk not in made]  # fmt: skip
    before = Registration.objects.in_bulk(again) if again else {}
    return [
        one if isinstance(one, Refused) else made.get(one.pk) or before[one.payload["registration"]]
        for one in done
    ]


def _request(event: int, arrival: Arrival) -> Request:
    kind = registration_create.kind
    return Request(kind, KINDS[kind], VISITOR, arrival.at, arrival.key, arrival.at,
                   arrival.wanted, TOPICS, f"event:{event}")  # fmt: skip


def _plan(asked: set[int], event: Event, requests: Sequence[Request]) -> list[Planned | Refused]:
    try:
        refuse_if_closed(event, VISITOR, max(request.at for request in requests))
    except Refused as refusal:
        return [refusal] * len(requests)
    unasked = [request.own["name"] for request in requests if id(request.own) not in asked]
    alike = names_alike(event, unasked)
    own = [dict(request.own) for request in requests]
    namesakes = [one.pop("is_namesake") for one in own]
    plans = planned(event, [Newcomer(**one) for one in own], namesakes, by_staff=False)
    return [
        ALONE if id(request.own) not in asked and request.own["name"] in alike else plan
        for request, plan in zip(requests, plans, strict=True)
    ]


def _write(
    made: dict[int, Registration], changes: Sequence[Change], plans: Sequence[Planned]
) -> None:
    rows = admit(changes, plans)
    made |= {change.action.pk: row for change, row in zip(changes, rows, strict=True)}
