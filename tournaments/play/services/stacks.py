"""Counted stacks, from a break or for a deal. They affect no place before the end."""

from collections.abc import Collection, Mapping

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.event.domain.chips import (
    CARDS_OF_A_DECK,
    MOST_CHIPS,
    Race,
    race_cards,
    race_changes,
    race_of,
    race_won,
    total,
)
from tournaments.event.selectors.chips import stacks_counted_now
from tournaments.event.selectors.event import chips_in_play, entry_names, event_alive_entry_ids
from tournaments.event.services.lifecycle import refuse_if_not_in_play, write_counts
from tournaments.models import (
    ChipMovement,
    ChipRace,
    Draw,
    Elimination,
    Entry,
    StackWord,
    Table,
)
from tournaments.play.selectors.stacks import RaceDue, own_word_of, race_due, says_stacks
from tournaments.play.services.eliminations import (
    put_out,
    refuse_if_nobody_is_left,
    stack_take_from_play,
)
from tournaments.prizes.selectors.plans import seats_left
from tournaments.seating.domain.draws import dealer_draw
from tournaments.seating.selectors.tables import tables_seated
from tournaments.seating.services.seats import draw_begin, live_table, record_draw

STACKS_COUNTED = Kind(
    "stacks.counted",
    lazy("Stapel gezählt: %(name)s"),
    Group.OUTS,
    outcomes={"table": lazy("Stapel an Tisch %(table)s gezählt")},
)


@service(STACKS_COUNTED, Permission.COUNT_HEADS, Topic.ENTRIES)
def stacks_count(change: Change, *, stacks: Mapping[int, int], table: Table | None = None) -> None:
    """Record counted stacks of entries in play, by entry.

    With all entries counted, the sum must equal the chips in play. A count of one table is refused
    only above all chips in play, as the wrong table is not known yet.
    """
    if not change.event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    if not stacks:
        raise Refused(_("Bitte die Chips von mindestens einem angeben."), code="nobody")
    refuse_stacks(change, stacks)
    known = stacks_counted_now(change.event, change.at)
    fresh = {entry: chips for entry, chips in stacks.items() if known.get(entry) != chips}
    if not fresh:
        raise Refused(_("Das steht schon so da."), code="nothing")
    if table is not None:
        _refuse_at_table(change, table, stacks)
    elif not change.knowingly:
        counted = {**known, **fresh}
        if len(counted) == len(event_alive_entry_ids(change.event)):
            refuse_if_not_in_play(change.event, sum(counted.values()))
    write_counts(change, fresh)
    change.record(
        entries=sorted(fresh), stacks=[[entry, chips] for entry, chips in sorted(fresh.items())]
    )
    names = entry_names(set(fresh))
    change.tell(name=", ".join(names[entry] for entry in fresh))


STACK_SAID = Kind(
    "stack.said",
    lazy("Stapel von %(name)s: %(amount)s, selbst gesagt"),
    Group.OUTS,
)


@service(STACK_SAID, Permission.ANSWER_DEAL, Topic.ENTRIES)
def stack_say(change: Change, *, entry: Entry, amount: int) -> None:
    """Note in a break how many chips a player has, as the own page says. Staff count instead."""
    event = change.event
    row = Entry.objects.live().select_related("registration__person").filter(pk=entry.pk).first()
    if row is None or row.registration_id != change.by.registration_id:
        raise Refused(_("Das ist nicht dein Stapel."), code="not_yours")
    if not says_stacks(event, change.at):
        raise Refused(_("Chips schreibst du in einer Pause auf."), code="no_break")
    refuse_stacks(change, {row.pk: amount})
    if amount > chips_in_play(event)[0]:
        raise Refused(_("So viele Chips sind nicht im Spiel."), code="bad_stack")
    if row.pk in stacks_counted_now(event, change.at):
        raise Refused(_("Deinen Stapel hat das Personal schon gezählt."), code="counted")
    live = StackWord.objects.live().filter(entry=row)
    if own_word_of(event, row.pk, change.at) == amount:
        raise Refused(_("Das steht schon so da."), code="nothing")
    live.update(voided_by=change.action)
    StackWord.objects.create(
        event=event, entry=row, amount=amount, said_at=change.at, made_by=change.action
    )
    change.record(entry=row.pk, amount=amount)
    change.tell(name=row.registration.person.name)


def refuse_stacks(change: Change, stacks: Mapping[int, int]) -> None:
    """Refuse stacks of eliminated entries and stacks without chips."""
    if set(stacks) - set(event_alive_entry_ids(change.event)):
        raise Refused(_("Gezählt wird nur, wer noch im Spiel ist."), code="not_alive")
    if any(not 0 < chips <= MOST_CHIPS for chips in stacks.values()):
        raise Refused(_("Ein Stapel hat mindestens einen Chip."), code="bad_stack")


def _refuse_at_table(change: Change, table: Table, stacks: Mapping[int, int]) -> None:
    row = live_table(change.event, table.pk)
    players = tables_seated(change.event, [row.number])[row.number].players
    if not set(stacks) <= set(players.values()):
        raise Refused(_("Jemand sitzt nicht mehr an diesem Tisch. Bitte neu laden."), code="moved")
    if sum(stacks.values()) > chips_in_play(change.event)[0]:
        refuse_if_not_in_play(change.event, sum(stacks.values()))
    change.record(outcome="table", table=row.number)


# --- The chip race at a table: remove small chips, deal for the larger ones (TDA 2024 24)


CHIPS_RACED = Kind(
    "chips.raced",
    lazy("Chips eingetauscht an Tisch %(table)s: %(change)s Chips im Spiel"),
    Group.TABLES,
    words=lambda payload: {"change": f"{payload.get('in_play', 0):+d}"},
)


@service(CHIPS_RACED, Permission.COUNT_HEADS, Topic.TABLES, Topic.ENTRIES)
def chip_race(
    change: Change,
    *,
    table: Table,
    held: Mapping[int, Mapping[int, int]],
    broke: Collection[int] = (),
) -> None:
    """Exchange the chips that leave play at a table; a draw decides the odd chips.

    :param held: Number of leaving chips by entry and value. Missing entries have none.
    :param broke: Entries without other chips: they cannot be raced out.
    """
    if (due := race_due(change.event, change.at)) is None:
        raise Refused(_("Jetzt gehen keine Chips aus dem Spiel."), code="no_race")
    row = live_table(change.event, table.pk)
    if ChipRace.objects.live().filter(table=row, level_id=due.level).exists():
        raise Refused(_("An diesem Tisch ist schon eingetauscht."), code="already_raced")
    players = tables_seated(change.event, [row.number])[row.number].players
    worths = _worths(players, held, due)
    race = race_of(worths, due.values, due.new)
    won, draw = _won(change, race, players, worths, broke)
    change.record(table=row.number, values=list(due.values), new=due.new)
    ChipRace.objects.create(
        event=change.event,
        table=row,
        level_id=due.level,
        draw=draw,
        values=list(due.values),
        new=due.new,
        seats=[
            {"seat": seat, "entry": players[seat], "worth": worth, "won": won.get(seat, 0)}
            for seat, worth in worths.items()
        ],
        made_by=change.action,
    )
    booked = {players[seat]: less for seat, less in race_changes(race, won).items() if less}
    for entry, amount in booked.items():
        ChipMovement.objects.create(
            event=change.event,
            entry_id=entry,
            reason=ChipMovement.Reason.CHIP_RACE,
            amount=amount,
            made_by=change.action,
        )
    change.record(in_play=sum(booked.values()))


def _worths(
    players: Mapping[int, int], held: Mapping[int, Mapping[int, int]], due: RaceDue
) -> dict[int, int]:
    if not set(held) <= set(players.values()):
        raise Refused(_("Jemand sitzt nicht mehr an diesem Tisch. Bitte neu laden."), code="moved")
    for pieces in held.values():
        if not set(pieces) <= set(due.values):
            raise Refused(_("Diese Chips gehen jetzt nicht aus dem Spiel."), code="other_chips")
        if any(not 0 <= count <= MOST_CHIPS for count in pieces.values()):
            raise Refused(_("Weniger als null geht nicht."), code="bad_count")
    worths = {seat: total(held.get(entry, {})) for seat, entry in sorted(players.items())}
    return {seat: worth for seat, worth in worths.items() if worth}


def _won(
    change: Change,
    race: Race,
    players: Mapping[int, int],
    worths: Mapping[int, int],
    broke: Collection[int],
) -> tuple[dict[int, int], Draw | None]:
    """Deal a card for each odd chip; return the larger chips won by seat, and the draw."""
    cards = race_cards(race)
    if not cards:
        return {}, None
    if len(cards) > CARDS_OF_A_DECK:
        raise Refused(
            _(
                "Das sind %(count)s einzelne Chips, ein Kartenspiel hat 52 Karten. Bitte zuerst "
                "untereinander zu ganzen Chips zusammenlegen."
            )
            % {"count": len(cards)},
            code="too_many_cards",
        )
    begun = draw_begin(change.event)
    dealt = dealer_draw(list(cards), **begun)
    ranked = sorted(dealt.items(), key=lambda item: item[1], reverse=True)
    outcome = [
        {"seat": number, "entry": players[cards[number][0]], "card": card.code}
        for number, card in ranked
    ]
    draw = record_draw(change, "race", begun, items=list(cards), outcome=outcome)
    seats = list(dict.fromkeys(cards[number][0] for number, _card in ranked))
    alone = [seat for seat in race.odd if players[seat] in broke and worths[seat] < race.new]
    change.record(draw=draw.number)
    return race_won(race, seats, broke=alone), draw


# --- A satellite by target stack: enough chips, counted by staff, win a seat at once


SEAT_WON = Kind(
    "seat.won",
    lazy("Zielstapel erreicht, Platz gewonnen: %(name)s"),
    Group.OUTS,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
)


@service(SEAT_WON, Permission.ELIMINATE, Topic.TABLES, Topic.ENTRIES)
def seat_win(change: Change, *, entry: Entry, stack: int) -> None:
    """Give a seat for a counted stack of the target or more; all of it leaves play."""
    target = change.event.prize_plan.target_stack
    if not target:
        raise Refused(_("Dieser Satellit hat keinen Zielstapel."), code="no_target")
    if not seats_left(change.event):
        raise Refused(_("Alle Plätze sind vergeben."), code="no_seats")
    if stack < target:
        raise Refused(
            _("Für den Platz braucht es %(target)s Chips.") % {"target": intcomma(target)},
            code="below_target",
        )
    put_out(change, [entry], Elimination.Way.SEAT, at=[change.at])
    stack_take_from_play(change, entry, stack, ChipMovement.Reason.SEAT_WON)
    change.record(entries=[entry.pk], stack=stack)
    refuse_if_nobody_is_left(change)
