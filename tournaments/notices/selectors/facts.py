"""What an event's log tells that someone may want to hear, and how it is said. Reads only."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from tournaments.changes.access import roles_of
from tournaments.door.selectors.places import waiting_of
from tournaments.event.selectors.event import entry_is_out
from tournaments.event.selectors.labels import money
from tournaments.models import (
    Action,
    Arrival,
    Bag,
    Carry,
    Elimination,
    Event,
    Listener,
    Message,
    Notice,
    PlaceOffer,
    PrizeFreeze,
    RebuyChance,
    Seating,
    Waiting,
)
from tournaments.models.log import FACTS
from tournaments.notices.domain.notices import Ear, Fact, NoticeKind
from tournaments.payouts.selectors.prizes import payout_of, payouts
from tournaments.post.selectors.announcements import said_by
from tournaments.prizes.selectors.plans import prizes_frozen


def ears_of(event: Event) -> list[Ear]:
    return [
        Ear(
            id=row.pk,
            kinds=frozenset(row.kinds),
            registration=row.registration_id,
            tables=frozenset(row.tables),
        )
        for row in Listener.objects.filter(event=event).order_by("pk")
    ]


def told_of(event: Event, facts: Iterable[Fact]) -> set[tuple[int, str]]:
    """Return which listeners were told what these facts take back; also of one on its way."""
    keys = {key for fact in facts for key in fact.takes_back}
    if not keys:
        return set()
    rows = Notice.objects.filter(listener__event=event, tries__gt=0)
    # A fact's name ends with the entry of the log that told it: "seat-12-345".
    pairs = {(ear, fact.rpartition("-")[0]) for ear, fact in rows.values_list("listener", "fact")}
    return {(ear, subject) for ear, subject in pairs if subject in keys}


def _told(name: str, pk: int, action: Action, kind: NoticeKind, who: int, **more: Any) -> Fact:
    """Return a fact told by an entry of the log; a later entry tells it anew."""
    key = f"{name}-{pk}-{action.sequence}"
    return Fact(key=key, kind=kind, registration=who, at=action.recorded_at, **more)


def facts_of(event: Event, actions: Sequence[Action], ears: Sequence[Ear]) -> list[Fact]:
    people = {ear.registration for ear in ears if ear.registration is not None}
    found = [*_seats(event, actions), *_line(actions), *_later(actions), *_news(actions, people)]
    if event.prizes and any(NoticeKind.PRIZE in ear.kinds for ear in ears):
        found += _prizes(event, actions, people)
    return found


def _seats(event: Event, actions: Sequence[Action]) -> Iterator[Fact]:
    """Yield the seats given and taken back."""
    by_id = {action.pk: action for action in actions}
    left = Seating.objects.filter(voided_by__in=by_id, event=event)
    before = {
        (row.entry_id, row.voided_by_id or 0): row for row in left.select_related("table", "entry")
    }
    again = set()
    for row, action, is_revived in _given(event, by_id):
        former = before.get((row.entry_id, action.pk))
        kind = NoticeKind.MOVE if former or is_revived else NoticeKind.SEAT
        if kind is NoticeKind.SEAT and Carry.objects.live().filter(entry=row.entry_id).exists():
            kind = NoticeKind.DAY2
        again.add((row.entry_id, action.pk))
        leaves = former.table.number if former else None
        back = (f"seat-{former.pk}",) if former and is_revived else ()
        who = row.entry.registration_id
        yield _told("seat", row.pk, action, kind, who, leaves=leaves, takes_back=back)
    for (entry, by), former in before.items():
        undo = by_id[by]
        if undo.undoes_id is not None and (entry, by) not in again:
            who, back = former.entry.registration_id, (f"seat-{former.pk}",)
            yield _told("free", former.pk, undo, NoticeKind.SEAT, who, takes_back=back)


def _given(event: Event, by_id: dict[int, Action]) -> Iterator[tuple[Seating, Action, bool]]:
    """Yield the live seats made or revived by these entries, each with its entry."""
    revived = {
        key: action
        for action in by_id.values()
        for name, by, keys in action.payload.get(FACTS, {}).get("voided", ())
        if name == Seating.__name__ and by is None
        for key in keys
    }
    rows = Seating.objects.filter(Q(made_by__in=by_id) | Q(pk__in=revived), event=event)
    for row in rows.live().select_related("entry"):
        yield row, revived.get(row.pk) or by_id[row.made_by_id], row.pk in revived


def _line(actions: Sequence[Action]) -> Iterator[Fact]:
    offers = PlaceOffer.objects.live().filter(made_by__in=actions)
    for offer in offers.select_related("waiting", "made_by"):
        who, until = offer.waiting.registration_id, offer.expires_at
        yield _told("offer", offer.pk, offer.made_by, NoticeKind.LINE, who, until=until)
    others = [one for one in actions if one.role != "player" and one.undoes_id is None]
    moved = Waiting.objects.filter(voided_by__in=others, registration__voided_by=None)
    for row in moved.select_related("voided_by"):
        assert row.voided_by is not None
        yield _told("place", row.pk, row.voided_by, NoticeKind.LINE, row.registration_id)


def _later(actions: Sequence[Action]) -> Iterator[Fact]:
    chances = RebuyChance.objects.live().filter(made_by__in=actions)
    for chance in chances.select_related("entry", "made_by"):
        who, until = chance.entry.registration_id, chance.until
        yield _told("chance", chance.pk, chance.made_by, NoticeKind.REBUY, who, until=until)
    for bag in Bag.objects.live().filter(made_by__in=actions).select_related("entry", "made_by"):
        yield _told("bag", bag.pk, bag.made_by, NoticeKind.BAG, bag.entry.registration_id)


def _news(actions: Sequence[Action], people: set[int]) -> Iterator[Fact]:
    rows = Message.objects.live().filter(made_by__in=actions, made_by__text__data__has_key="text")
    for row in rows.select_related("made_by", "entry"):
        reached = people
        if row.entry is not None:
            reached = {row.entry.registration_id}
        elif row.table_id is not None:
            there = Seating.objects.live().filter(table=row.table_id)
            reached = set(there.values_list("entry__registration", flat=True))
        for registration in sorted(reached & people):
            yield _told("news", row.pk, row.made_by, NoticeKind.NEWS, registration)


def _prizes(event: Event, actions: Sequence[Action], people: set[int]) -> Iterator[Fact]:
    """Yield prizes that wait at the desk, once a freeze."""
    freeze = prizes_frozen(event)
    is_due = (
        Elimination.objects.filter(made_by__in=actions).exists()
        or PrizeFreeze.objects.filter(made_by__in=actions).exists()
    )
    if freeze is None or not is_due:
        return
    for row in payouts(event):
        if row.registration in people and row.open > 0 and not row.is_provisional:
            yield Fact(
                key=f"prize-{row.registration}-{freeze.pk}",
                kind=NoticeKind.PRIZE,
                registration=row.registration,
                at=actions[-1].recorded_at,
            )


# --- What a notice says when it is sent; nothing if its fact no longer holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    title: str
    text: str
    url: str
    language: str


def words_of(
    listener: Listener, notices: list[Notice], *, now: datetime, base: str
) -> Words | None:
    """Return what a bundle of notices says; None if nothing of it holds."""
    event, registration = listener.event, listener.registration
    if registration is not None and registration.voided_by_id is not None:
        return None
    if registration is None and not roles_of(listener.device, event):
        return None  # signed off meanwhile
    with translation.override(listener.language):
        lines = [line for notice in notices if (line := _said(listener, notice, now))]
        if not lines:
            return None
        page = reverse("floor", args=[event.slug])
        if registration is not None:
            page = reverse("player", args=[registration.link_token])
        return Words(
            title=event.name,
            text="\n".join(dict.fromkeys(lines)),
            url=base + page,
            language=listener.language,
        )


def _said(listener: Listener, notice: Notice, now: datetime) -> str:
    name, subject, sequence = notice.fact.split("-")
    if name == "seat":
        return _seat(listener, int(subject), int(sequence))
    return _WORDS[name](listener.event, int(subject), now)


def _clock(at: datetime) -> str:
    return date_format(timezone.localtime(at), "H:i")


def _seat(listener: Listener, seating: int, sequence: int) -> str:
    rows = Seating.objects.live().select_related("table", "entry__registration__person")
    row = rows.filter(pk=seating).first()
    if row is None or listener.event.is_over:
        return ""
    if Arrival.objects.live().filter(seating=row).exists():
        return ""
    action = Action.objects.get(event=listener.event, sequence=sequence)
    seat: dict[str, object] = {"table": row.table.number, "seat": row.seat}
    left = Seating.objects.filter(entry=row.entry, voided_by=action).select_related("table").first()
    if listener.registration_id is None:
        seat["from"] = left.table.number if left else ""
        seat["name"] = row.entry.registration.person.name
        return _("Tisch %(from)s: %(name)s geht an Tisch %(table)s, Platz %(seat)s.") % seat
    if action.undoes_id is not None:
        return _("Zurückgenommen: Du bleibst an Tisch %(table)s, Platz %(seat)s.") % seat
    if left is not None:
        return _("Du ziehst um: Tisch %(table)s, Platz %(seat)s.") % seat
    return _("Dein Platz: Tisch %(table)s, Platz %(seat)s.") % seat


def _free(_event: Event, seating: int, _now: datetime) -> str:
    """Say that a seat was taken back, unless there is another or the player is out."""
    row = Seating.objects.select_related("entry").get(pk=seating)
    has_seat = Seating.objects.live().filter(entry__registration=row.entry.registration_id)
    if has_seat.exists() or entry_is_out(row.entry):
        return ""
    return _("Zurückgenommen: Dein Platz gilt nicht mehr. Du bekommst einen neuen.")


def _offer(_event: Event, offer: int, now: datetime) -> str:
    row = PlaceOffer.objects.live().filter(pk=offer, expires_at__gt=now).first()
    if row is None:
        return ""
    return _("Ein Platz ist frei für dich. Bitte bis %(at)s annehmen.") % {
        "at": _clock(row.expires_at)
    }


def _place(event: Event, waiting: int, _now: datetime) -> str:
    row = Waiting.objects.select_related("registration").get(pk=waiting)
    if row.voided_by_id is None or waiting_of(row.registration) is not None or event.is_over:
        return ""
    return _("Du hast einen Platz.")


def _chance(_event: Event, chance: int, now: datetime) -> str:
    row = RebuyChance.objects.live().filter(pk=chance, until__gt=now).first()
    if row is None:
        return ""
    return _("Dein Platz wird bis %(at)s gehalten: Re-buy bitte an der Anmeldung.") % {
        "at": _clock(row.until)
    }


def _bag(_event: Event, bag: int, _now: datetime) -> str:
    row = Bag.objects.live().filter(pk=bag).first()
    if row is None:
        return ""
    return _("Dein Sack ist versiegelt: %(chips)s Chips.") % {
        "chips": number_format(row.amount, force_grouping=True)
    }


def _prize(event: Event, registration: int, _now: datetime) -> str:
    row = payout_of(event, registration)
    if row is None or row.open <= 0 or row.is_provisional:
        return ""
    return _("Dein Preis liegt bereit: %(prize)s. Bitte an der Kasse abholen.") % {
        "prize": money(row.open)
    }


def _message(_event: Event, message: int, _now: datetime) -> str:
    row = Message.objects.live().select_related("made_by__text").filter(pk=message).first()
    return said_by(row.made_by) if row else ""


_WORDS: Mapping[str, Callable[[Event, int, datetime], str]] = {
    "free": _free,
    "offer": _offer,
    "place": _place,
    "chance": _chance,
    "bag": _bag,
    "prize": _prize,
    "news": _message,
}
