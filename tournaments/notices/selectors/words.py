"""What a notice says when it is sent; nothing if its fact no longer holds. Reads only."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

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
    Event,
    Listener,
    Message,
    Notice,
    PlaceOffer,
    RebuyChance,
    Seating,
    Waiting,
)
from tournaments.payouts.selectors.prizes import payout_of
from tournaments.post.selectors.announcements import said_by


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A notice as it is read: the evening, the text, and the page it leads to."""

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
        lines = [line for notice in notices if (line := _line(listener, notice, now))]
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


def _line(listener: Listener, notice: Notice, now: datetime) -> str:
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


def _news(_event: Event, message: int, _now: datetime) -> str:
    row = Message.objects.live().select_related("made_by__text").filter(pk=message).first()
    return said_by(row.made_by) if row else ""


_WORDS: Mapping[str, Callable[[Event, int, datetime], str]] = {
    "free": _free,
    "offer": _offer,
    "place": _place,
    "chance": _chance,
    "bag": _bag,
    "prize": _prize,
    "news": _news,
}
