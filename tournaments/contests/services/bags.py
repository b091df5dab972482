"""The end of a day: words about bags, and the day closed with all of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.selectors import clock_state
from tournaments.changes.access import Permission, Role, allows
from tournaments.changes.audit import Change, follows_change, kind_in, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic, describe
from tournaments.contests.domain.bags import BagState, Word, numbers_twice
from tournaments.contests.domain.stopping import HAND_ITEMS, hands_drawn
from tournaments.contests.selectors.bags import BagOfSeat, bags_of
from tournaments.contests.selectors.contests import ends_with_bags, stage_of
from tournaments.event.selectors.event import chips_in_play, entry_is_out, players_left
from tournaments.event.services.clock import clock_stop
from tournaments.event.services.clock_hands import last_hands_begin
from tournaments.event.services.event_undo import undo_end
from tournaments.event.services.lifecycle import EVENT_ENDED, refuse_if_not_in_play, write_counts
from tournaments.models import Action, Bag, BagWord, Carry, Entry, Event, Stage
from tournaments.seating.services.seats import draw_begin, record_draw

MOST_NAMED = 5
MOST_NUMBER = 999_999


def in_words(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return the chips of an entry as they are read."""
    return {name: intcomma(payload[name]) for name in ("amount", "chips") if name in payload}


BAG_SAID = Kind(
    "bag.said",
    lazy("Sack von %(name)s: %(amount)s gezählt"),
    Group.OUTS,
    words=in_words,
    outcomes={
        "player": lazy("Sack von %(name)s: %(amount)s, sagt der Spieler"),
        "paper": lazy("Sack von %(name)s: %(amount)s, auf Papier unterschrieben"),
    },
)


@service(BAG_SAID, Permission.ANSWER_DEAL, Topic.ENTRIES)
def bag_say(
    change: Change, *, entry: Entry, amount: int, number: int | None = None, is_paper: bool = False
) -> None:
    """Note what a bag holds: by the player, by staff, or from a signed slip.

    A slip replaces the word of the player's phone. Otherwise one phone could hold up the day.
    """
    event = change.event
    own_stage(event)
    rows = Entry.objects.live().filter(event=event, pk=entry.pk)
    row = rows.select_related("registration__person").first()
    if row is None or entry_is_out(row):
        raise Refused(_("Gezählt wird nur, wer noch im Spiel ist."), code="not_alive")
    by = _word_of(change, row, is_paper=is_paper)
    _refuse_amount(event, amount, number)
    live = BagWord.objects.live().filter(entry=row)
    if by is Word.PLAYER and live.filter(by=Word.PAPER).exists():
        raise Refused(_("Für deinen Sack gilt der unterschriebene Zettel."), code="signed")
    before = live.filter(by=by).first()
    if before is not None and before.amount == amount and number in (None, before.number):
        raise Refused(_("Das steht schon so da."), code="already_counted")
    replaced = (Word.PLAYER, Word.PAPER) if by is Word.PAPER else (by,)
    live.filter(by__in=replaced).update(voided_by=change.action)
    BagWord.objects.create(
        event=event,
        entry=row,
        by=by,
        amount=amount,
        number=number if number is not None else (before.number if before else None),
        made_by=change.action,
    )
    if by is not Word.STAFF:
        change.record(outcome=str(by))
    change.record(entry=row.pk, amount=amount)
    change.tell(name=row.registration.person.name)


def _word_of(change: Change, entry: Entry, *, is_paper: bool) -> Word:
    if change.by.role == Role.PLAYER:
        if change.by.registration_id != entry.registration_id:
            raise Refused(_("Das ist nicht dein Sack."), code="not_yours")
        return Word.PLAYER
    if not is_paper:
        return Word.STAFF
    if not allows(change.by, Permission.MANAGE):
        raise Refused(_("Eine Unterschrift auf Papier trägt die Turnierleitung ein."),
                      code="not_allowed")  # fmt: skip
    return Word.PAPER


def _refuse_amount(event: Event, amount: int, number: int | None) -> None:
    chips, _is_exact = chips_in_play(event)
    if not event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    if not 0 < amount <= chips:
        raise Refused(
            _("In einem Sack sind 1 bis %(chips)s Chips: So viele sind im Spiel.")
            % {"chips": intcomma(chips)},
            code="bad_amount",
        )
    if number is not None and not 0 < number <= MOST_NUMBER:
        raise Refused(_("Das ist keine Nummer eines Siegels."), code="bad_number")


LAST_HANDS_DRAWN = Kind(
    "day.hands_drawn", lazy("Noch %(hands)s Hände, ausgelost aus 3 bis 7"), Group.CLOCK
)


@service(LAST_HANDS_DRAWN, Permission.DRIVE_CLOCK, Topic.CLOCK)
def last_hands_draw(change: Change) -> None:
    """Draw the number of hands that end the day, and stop the clock for them."""
    event = change.event
    own_stage(event)
    if clock_state(event.clock, change.at).last_hands is not None:
        raise Refused(_("Die letzten Hände laufen schon."), code="last_hands")
    draw = draw_begin(event)
    hands = hands_drawn(**draw)
    record_draw(change, "hands", draw, items=HAND_ITEMS, outcome=[[0, hands, 0]])
    last_hands_begin(change, hands)
    change.record(draw=draw["draw_number"])


DAY_ENDED = Kind(
    "day.ended",
    lazy("Tag beendet: %(bags)s Säcke, %(chips)s Chips"),
    Group.EVENT,
    words=in_words,
    outlives_the_end=True,
    ends_by="ended_by",
)


@service(DAY_ENDED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK, Topic.TABLES, Topic.ENTRIES)
def day_end(change: Change, *, reason: str = "") -> None:
    """End the day with a sealed bag of everybody left; their sum is the chips in play.

    Another sum is taken knowingly, with a reason.
    """
    event = change.event
    if not ends_with_bags(own_stage(event)):
        raise Refused(
            _("Nach diesem Tag folgt keiner. Das Turnier selbst lässt sich beenden."),
            code="last_day",
        )
    if not event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    bags = bags_of(event)
    _refuse_open(bags)
    amounts = {bag.entry: bag.amount for bag in bags if bag.amount is not None}
    total = sum(amounts.values())
    chips, is_exact = chips_in_play(event)
    differs = total != chips and is_exact
    if differs and change.knowingly and not reason.strip():
        raise Refused(_("Bitte einen Grund angeben."), code="no_reason")
    if not change.knowingly:
        refuse_if_not_in_play(event, total)
    clock_stop(change)
    write_counts(change, amounts)
    Bag.objects.bulk_create(
        Bag(
            event=event,
            entry_id=bag.entry,
            amount=amounts[bag.entry],
            number=bag.number,
            made_by=change.action,
        )
        for bag in bags
    )
    change.set(ended_by=change.action)
    change.record(bags=len(bags), chips=total, difference=total - chips)
    change.tell(reason=reason)


def _refuse_open(bags: Sequence[BagOfSeat]) -> None:
    unsealed = [bag for bag in bags if not bag.is_sealed]
    if unsealed:
        named = ", ".join(where_in_words(bag) for bag in unsealed[:MOST_NAMED])
        more = len(unsealed) - MOST_NAMED
        text = (
            _("Noch offen: %(bags)s und %(more)s weitere.")
            if more > 0
            else _("Noch offen: %(bags)s.")
        )
        raise Refused(text % {"bags": named, "more": more}, code="bags_open")
    twice = numbers_twice(bag.number for bag in bags if bag.number is not None)
    if twice:
        named = ", ".join(where_in_words(bag) for bag in bags if bag.number in twice)
        raise Refused(
            _("Dieselbe Siegelnummer auf zwei Säcken: %(bags)s.") % {"bags": named},
            code="number_twice",
        )


def where_in_words(bag: BagOfSeat) -> str:
    """Return a bag's player, seat and state in words."""
    states = {
        BagState.MISSING: _("fehlt"),
        BagState.SAID: _("nur der Spieler"),
        BagState.COUNTED: _("ohne Unterschrift"),
        BagState.DISPUTED: _("verschieden"),
        BagState.SEALED: _("versiegelt"),
    }
    words = {"name": bag.name, "table": bag.table, "seat": bag.seat, "state": states[bag.state]}
    if bag.table is None:
        return _("%(name)s (%(state)s)") % words
    return _("%(name)s (Tisch %(table)s, Platz %(seat)s, %(state)s)") % words


def own_stage(event: Event) -> Stage:
    """Return the event as a flight or a day, or refuse."""
    stage = stage_of(event)
    if stage is None:
        raise Refused(_("Dieses Turnier hat keine Flights."), code="no_flight")
    return stage


@undoes(DAY_ENDED)
def _undo_day(change: Change, action: Action) -> None:
    bags = Bag.objects.live().filter(made_by=action)
    carry = Carry.objects.live().filter(bag__in=bags).select_related("made_by__event").first()
    if carry is not None and carry.made_by.event is not None:
        raise Refused(
            _("Erst zurücknehmen: %(action)s (%(event)s, Eintrag %(number)d).")
            % {
                "action": describe(carry.made_by),
                "event": carry.made_by.event.name,
                "number": carry.made_by.sequence,
            },
            code="needed",
        )
    bags.update(voided_by=change.action)
    undo_end(change, action)


@follows_change(kind_in(EVENT_ENDED))
def _a_day_ends_with_bags(change: Change) -> None:
    stage = stage_of(change.event)
    if stage is None or not ends_with_bags(stage) or players_left(change.event) < 2:
        return
    raise Refused(
        _("Das ist ein Flight: Er endet mit den Säcken, unter „Tag beenden“."), code="has_bags"
    )
