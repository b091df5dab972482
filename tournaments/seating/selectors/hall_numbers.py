"""The number of the hall while it is being asked for, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clock.snapshot import is_snapshot
from krru.data import by_hand
from tournaments.event.domain.promise import in_fours
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.models import Draw, Entry, Event, FrozenDraw, HallNumber, Registration
from tournaments.people.domain.naming import shown_name
from tournaments.seating.domain.hall_numbers import Given, digest_of, sealed_list


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A number that is being asked for: how many phones gave one, and who has yet to open it."""

    frozen: FrozenDraw
    present: int
    given: int
    missing: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Return the beginning of the hash of what is frozen, as people read it."""
        return in_fours(self.frozen.digest)

    @property
    def is_complete(self) -> bool:
        return self.frozen.is_closed and not self.missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What a draw was bound to before its number came, to check it by."""

    digest: str
    text: str
    called: str
    given: tuple[Given, ...]
    list_digest: str

    def as_data(self) -> dict[str, Any]:
        """Return it as a browser reads it."""
        given = [[one, number, nonce] for one, number, nonce in self.given]
        return {"digest": self.digest, "text": self.text, "given": given, "list": self.list_digest}


# Asked by hand at every change.
_IS_OPEN = "id = %s AND drawn_by_id IS NULL AND voided_by_id IS NULL"


def frozen_open(event: Event) -> FrozenDraw | None:
    """Return the draw whose number is being asked for, or None."""
    if not event.frozen_id:
        return None
    if is_snapshot(event):
        return event.frozen if event.frozen is not None and event.frozen.is_open else None
    return next(iter(by_hand.select(FrozenDraw, _IS_OPEN, [event.frozen_id])), None)


def numbers_given(frozen: FrozenDraw) -> list[HallNumber]:
    """Return what the phones gave, by registration."""
    return list(HallNumber.objects.filter(frozen=frozen).order_by("registration_id"))


def list_of(given: Sequence[HallNumber]) -> str:
    """Return the text of all seals, whose hash is shown when the list is closed."""
    return sealed_list({one.registration_id: one.seal for one in given})


def may_give(registration: Registration) -> bool:
    """Tell whether somebody is in the tournament now, and so may give a number."""
    alive = event_alive_entry_ids(registration.event)
    return Entry.objects.filter(registration=registration, pk__in=alive).exists()


def number_asked(event: Event, *, with_names: bool = False) -> Asked | None:
    """Return what is being asked for; the names of those who are missing for staff alone."""
    frozen = frozen_open(event)
    if frozen is None:
        return None
    rows = HallNumber.objects.filter(frozen=frozen).values_list(
        "number", "registration__person__name", "registration__is_listed"
    )
    given = list(rows)
    missing = [
        shown_name(name, is_listed=is_listed, to_staff=with_names)
        for number, name, is_listed in given
        if not number
    ]
    return Asked(
        frozen=frozen,
        present=len(event_alive_entry_ids(event)),
        given=len(given),
        missing=tuple(sorted(missing)) if frozen.is_closed else (),
    )


def own_number(registration: Registration) -> dict[str, Any] | None:
    """Return what a player's page asks for or tells of the number for the hall; None for nothing.

    The phone itself looks whether its seal is on the list, and whether its number was used.
    """
    event = registration.event
    if not event.frozen_id or event.frozen is None:
        return None
    frozen, given = event.frozen, numbers_given(event.frozen)
    own = next((one for one in given if one.registration_id == registration.pk), None)
    if (own is None and not may_give(registration)) or not (frozen.is_open or frozen.is_closed):
        return None
    for_phone: dict[str, Any] = {
        "frozen": frozen.pk,
        "digest": frozen.digest,
        "registration": registration.pk,
        "state": "asked",
        "is_opened": bool(own and own.number),
    }
    if frozen.is_closed:
        for_phone["state"] = "closed"
        for_phone["list"] = digest_of(list_of(given))
        for_phone["seals"] = [[one.registration_id, one.seal] for one in given]
    if frozen.is_closed and frozen.drawn_by_id:
        rows = Draw.objects.filter(made_by=frozen.drawn_by_id)
        for_phone["state"] = "drawn"
        for_phone["given"] = [[one.registration_id, one.number, one.nonce] for one in given]
        for_phone["hall"] = rows.values_list("hall_number", flat=True).first()
    digest = in_fours(frozen.digest)
    return {"state": for_phone["state"], "own": own, "digest": digest, "for_phone": for_phone}


def bound_by_action(draws: Sequence[Draw]) -> dict[int, Bound]:
    """Return what draws were bound to, by the log entry that made each."""
    rows = list(FrozenDraw.objects.filter(drawn_by__in=[draw.made_by_id for draw in draws]))
    given: dict[int, list[HallNumber]] = {}
    numbers = HallNumber.objects.filter(frozen__in=[row for row in rows if row.is_closed])
    for one in numbers.order_by("registration_id"):
        given.setdefault(one.frozen_id, []).append(one)
    return {row.drawn_by_id or 0: _bound(row, given.get(row.pk, [])) for row in rows}


def _bound(row: FrozenDraw, given: Sequence[HallNumber]) -> Bound:
    return Bound(
        digest=row.digest,
        text=row.text,
        called=row.called,
        given=tuple((one.registration_id, one.number, one.nonce) for one in given),
        list_digest=digest_of(list_of(given)) if given else "",
    )


def frozen_in_vain(event: Event) -> list[FrozenDraw]:
    """Return what was frozen and never drawn, the latest first."""
    rows = FrozenDraw.objects.filter(event=event, voided_by__isnull=False)
    return list(rows.select_related("voided_by").order_by("-pk"))
