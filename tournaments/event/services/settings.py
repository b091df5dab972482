"""Check the settings of an event. The lifecycle decides whether they may still change."""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from clock.selectors import clock_levels
from tournaments.changes.access import Sentence
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain import about
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.domain.games import Game, LimitKind, seat_limit
from tournaments.event.domain.hall import LONGEST_WORDS, MOST_AREAS, HallError, check_areas
from tournaments.event.domain.hall_plan import (
    MOST_IN_A_ROW,
    MOST_TABLES,
    numbers_text,
    numbers_typed,
)
from tournaments.event.domain.hours import closing_typed
from tournaments.event.domain.latecomers import breaks_planned
from tournaments.event.domain.prices import (
    LONGEST_NAME,
    MOST_PARTS,
    MOST_RATES,
    PartsError,
    check_parts,
    check_rates,
    parts_cents,
)
from tournaments.event.selectors.event import hand_for_hand_was_begun, money_reached
from tournaments.event.selectors.hall import hall_of
from tournaments.event.selectors.schedule import obstacle_to_games
from tournaments.event.selectors.settings.door import (
    CAPACITY_LIMIT,
    LONGEST_DELAY_S,
    MOST_LEAST_HOURS,
    MOST_NO_SHOW_MINUTES,
    MOST_OFFER_MINUTES,
)
from tournaments.event.selectors.settings.entries import (
    MOST_HOLD_MINUTES,
    MOST_TIMES,
    OF_AN_ENTRY,
    PRICES,
)
from tournaments.event.selectors.settings.setting import Setting
from tournaments.models import CashTable, Club, Event, PrizeFreeze

MOST_REDRAWS = 20
_SPAN = lazy("Die Frist beträgt höchstens 30 Tage.")
_CHIPS = lazy("So viele Chips gibt es nicht.")
_TIMES = lazy("Je Person höchstens %(most)d Mal.")
# The most that a number may be, and the sentence where it is more.
BOUNDS: Mapping[str, tuple[int, Sentence]] = {
    "offer_minutes": (MOST_OFFER_MINUTES, _SPAN),
    "confirm_minutes": (MOST_OFFER_MINUTES, _SPAN),
    "least_hours": (MOST_LEAST_HOURS, lazy("Das sind mehr als zehn Tage.")),
    "no_show_minutes": (
        MOST_NO_SHOW_MINUTES, lazy("Auf wen nicht kommt, wird höchstens einen Tag gewartet."),
    ),
    "stream_delay": (
        LONGEST_DELAY_S, lazy("Ein Stream ist höchstens %(most)d Sekunden verzögert."),
    ),
    "bounty_cut": (100, lazy("Bar gehen 0 bis 100 Prozent.")),
    **dict.fromkeys(
        ("on_time_chips", "rebuy_chips", "rebuy_threshold", "addon_chips"), (MOST_CHIPS, _CHIPS)
    ),
    **dict.fromkeys(("rebuy_most", "reentry_most"), (MOST_TIMES, _TIMES)),
    "rebuy_hold_minutes": (
        MOST_HOLD_MINUTES, lazy("Ein Platz wird höchstens %(most)d Minuten gehalten."),
    ),
}  # fmt: skip
# Settings with a break as their end, and the codes of their refusals.
BREAKS = {
    "late_registration_break": "bad_late_break",
    "rebuy_break": "bad_rebuy_break",
    "addon_break": "bad_addon_break",
}
OF_THE_SCHEDULE = frozenset({*BREAKS, "seats_per_table"})


def refuse_what_cannot_be(event: Event) -> None:
    """Refuse an event with an invalid setting."""
    if not event.name:
        raise Refused(_("Das Turnier braucht einen Namen."), code="no_name")
    if event.game not in set(Game) or event.limit not in set(LimitKind):
        raise Refused(_("Dieses Spiel oder Limit gibt es nicht."), code="unknown_game")
    most = seat_limit(Game(event.game))
    if not 2 <= event.seats_per_table <= most:
        raise Refused(
            _("An einem Tisch sitzen 2 bis %(most)d Teilnehmer.") % {"most": most}, code="bad_seats"
        )
    if not 2 <= event.capacity <= CAPACITY_LIMIT:
        raise Refused(
            _("Plätze: mindestens 2, höchstens %(most)d.") % {"most": CAPACITY_LIMIT},
            code="bad_capacity",
        )
    if event.starting_stack < 1:
        raise Refused(_("Ein Startstapel braucht mindestens einen Chip."), code="bad_stack")
    _check_kind(event)
    if event.closing_time and closing_typed(event.closing_time) is None:
        text = _("Die Sperrstunde ist eine Uhrzeit wie 23:30.")
        raise Refused(text, code="bad_closing_time")
    refuse_bad_about(event)
    refuse_bad_terms(event)
    _check_places(event)
    _check_late_play(event, most)
    try:
        check_areas(event.areas)
    except HallError as problem:
        raise Refused(hall_words(problem), code="bad_areas") from problem
    try:
        refuse_tables_not_there(event)
    except HallError as problem:
        raise Refused(hall_words(problem), code="bad_hall_tables") from problem


def _check_kind(event: Event) -> None:
    if event.kind not in set(Event.Kind):
        raise Refused(_("Das wird hier nicht gespielt."), code="bad_kind")
    if event.cash_unit not in set(Event.CashUnit):
        raise Refused(_("Darum wird hier nicht gespielt."), code="bad_cash_unit")
    opened = CashTable.objects.live().filter(event=event) if event.pk else CashTable.objects.none()
    if event.has_cash_game:
        opened = opened.exclude(event__cash_unit=event.cash_unit)
    if opened.exists():
        raise Refused(_("An Cash-Tischen wird schon gespielt."), code="has_cash_tables")


def hall_words(problem: HallError) -> str:
    """Return the problem of the hall's areas as a sentence."""
    words = {
        "unreadable": _("„%(line)s“ ist nicht zu lesen. Bitte so: 1-6: Großer Saal."),
        "too_many": _("Höchstens %(most)d Bereiche."),
        "backwards": _("„%(line)s“: Solche Tischnummern gibt es nicht."),
        "no_words": _("Bei „%(line)s“ fehlt, wo diese Tische stehen."),
        "long_words": _("Bei „%(line)s“ bitte höchstens %(longest)d Zeichen."),
        "overlap": _("„%(line)s“: Einer dieser Tische steht schon in einem anderen Bereich."),
        "numbers": _("„%(line)s“ ist keine Tischnummer. Bitte so: 1–12."),
        "not_there": _("Tisch %(line)s steht nicht im Saalplan."),
        "twice": _("Tisch %(line)s steht zweimal da."),
        "area_twice": _("Den Bereich „%(line)s“ gibt es zweimal."),
        "wide": _("„%(line)s“: Nebeneinander stehen höchstens %(wide)d Tische."),
        "many_tables": _("Ein Saal hat höchstens %(tables)d Tische."),
        "too_long": _("Das ist zu lang."),
    }[problem.code]
    return words % {
        "line": problem.line, "most": MOST_AREAS, "longest": LONGEST_WORDS,
        "wide": MOST_IN_A_ROW, "tables": MOST_TABLES,
    }  # fmt: skip


def refuse_tables_not_there(event: Event) -> None:
    """Refuse numbers that are none, or that the plan of the hall does not have."""
    numbers = numbers_typed(event.hall_tables)
    # A tournament being made has no club yet; its numbers are those of the one it copies.
    there = {spot.number for spot in hall_of(event.club)} if event.club_id else ()
    missing = [number for number in numbers if there and number not in there]
    if missing:
        raise HallError("not_there", numbers_text(missing))


def _check_places(event: Event) -> None:
    if not 0 <= event.reserved_places <= event.capacity:
        raise Refused(
            _("Zurückgehalten werden höchstens so viele Plätze, wie es gibt."), code="bad_reserved"
        )
    if event.least_entries > event.capacity:
        raise Refused(_("So viele Plätze gibt es nicht."), code="bad_least_entries")
    for name, (most, sentence) in BOUNDS.items():
        if not 0 <= getattr(event, name) <= most:
            raise Refused(sentence % {"most": most}, code=f"bad_{name}")
    _check_bounties(event)


def _check_bounties(event: Event) -> None:
    if event.bounty_kind not in {"", *Event.BountyKind.values}:
        raise Refused(_("Diese Bountys gibt es nicht."), code="bad_bounty_kind")
    if event.bounty_kind and not event.bounty_cents:
        raise Refused(
            _("Zu Bountys gehört ein Teil des Startgelds: „Bounty 5“."), code="bad_bounty"
        )


def refuse_against_schedule(event: Event, names: Collection[str] = OF_THE_SCHEDULE) -> None:
    """Refuse settings of these names that the schedule does not allow.

    Checked only when they are set: an event may be older than this check, and a schedule may lose a
    break later.
    """
    breaks = len(breaks_planned(clock_levels(event.clock)))
    for name in BREAKS.keys() & set(names):
        if getattr(event, name) > breaks:
            text = ngettext(
                "Der Blindplan hat nur eine Pause.",
                "Der Blindplan hat nur %(breaks)d Pausen.",
                breaks,
            )
            none = _("Der Blindplan hat keine Pause.")
            raise Refused(text % {"breaks": breaks} if breaks else none, code=BREAKS[name])
    if "seats_per_table" in names:
        obstacle = obstacle_to_games(clock_levels(event.clock), event.seats_per_table)
        if obstacle is not None:
            raise obstacle


def _check_late_play(event: Event, most: int) -> None:
    if not 0 <= event.paid_places <= event.capacity:
        raise Refused(
            _("Bezahlt werden höchstens so viele, wie mitspielen können."), code="bad_paid_places"
        )
    numbers = event.redraw_at
    if any(number < 2 for number in numbers) or len(numbers) > MOST_REDRAWS:
        raise Refused(
            _("Neu ausgelost wird bei mindestens 2 im Spiel, höchstens %(most)d Mal.")
            % {"most": MOST_REDRAWS},
            code="bad_redraw",
        )
    if list(numbers) != sorted(set(numbers), reverse=True):
        raise Refused(
            _("Die Zahlen für neue Auslosungen werden kleiner, jede nur einmal."), code="bad_redraw"
        )
    final = event.final_table_seats
    if final is not None and not 2 <= final <= most:
        raise Refused(
            _("Am Finaltisch sitzen 2 bis %(most)d Teilnehmer.") % {"most": most},
            code="bad_final_table",
        )


def obstacle_of_prizes(event: Event, setting: Setting) -> Refused | None:
    """Return why a setting that affects prizes is fixed, or None."""
    if setting.name in OF_AN_ENTRY:
        return obstacle_to_other_prices(event)
    if not setting.fixed_at_the_bubble:
        return None
    if event.prize_plan.counts_itself:
        return Refused(_("Das folgt aus dem, was bei den Preisen steht."), code="fixed_by_prizes")
    return obstacle_to_more_paid(event)


def obstacle_to_more_paid(event: Event) -> Refused | None:
    """Return why the number of paid places is fixed, or None."""
    if hand_for_hand_was_begun(event):
        return Refused(
            _("Seit Hand für Hand angesagt ist, steht fest, wie viele bezahlt werden: "
              "Danach richten sich alle."), code="fixed_at_the_bubble",
        )  # fmt: skip
    if money_reached(event) is not None:
        return Refused(
            _("„Im Geld“ ist angesagt. Erst die Ansage im Protokoll zurücknehmen."),
            code="fixed_in_the_money",
        )
    return obstacle_to_other_prices(event)


def obstacle_to_other_prices(event: Event) -> Refused | None:
    """Return why prices that affect prizes are fixed, or None."""
    if event.prizes and PrizeFreeze.objects.live().filter(event=event).exists():
        return Refused(
            _("Die Preise sind festgeschrieben. Erst das im Protokoll zurücknehmen."),
            code="prizes_frozen",
        )
    return None


# --- Check the public texts of a club or a tournament


LONGEST = {
    "venue": about.LONGEST_VENUE,
    "address": about.LONGEST_ADDRESS,
    "description": about.LONGEST_TEXT,
    "contact": about.LONGEST_CONTACT,
    "house_text": about.LONGEST_TEXT,
    "imprint": about.LONGEST_IMPRINT,
}


def cleaned(name: str, value: Any) -> Any:
    """Return a setting's value for storage: public texts without invisible characters."""
    if name not in LONGEST:
        return value
    return (about.plain_line if name in ("venue", "address") else about.plain_text)(value)


def refuse_bad_about(row: Club | Event) -> None:
    """Refuse invalid public texts."""
    for name, longest in LONGEST.items():
        if len(getattr(row, name, "")) > longest:
            raise Refused(_("Höchstens %(most)d Zeichen.") % {"most": longest}, code=f"bad_{name}")
    try:
        found = about.contacts_in(row.contact)
    except about.ContactError as problem:
        reason = _("„%(line)s“ ist weder Mailadresse noch Telefonnummer noch Webadresse.")
        raise Refused(reason % {"line": problem.line}, code="bad_contact") from problem
    if len(found) > about.MOST_CONTACTS:
        raise Refused(
            _("Höchstens %(most)d Zeilen.") % {"most": about.MOST_CONTACTS}, code="bad_contact"
        )


# --- Check prices and terms of purchases


MOST_FEE_CENTS = 100_000_000


def refuse_bad_terms(event: Event) -> None:
    """Refuse invalid prices and terms."""
    for name, parts in PRICES:
        _check_price(event, name, parts)
    if not 0 <= event.payout_limit_cents <= MOST_FEE_CENTS:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_payout_limit")
    _check_rates(event)
    _check_early(event)


def _check_price(event: Event, name: str, parts: str) -> None:
    cents, stated = getattr(event, name), getattr(event, parts)
    if not 0 <= cents <= MOST_FEE_CENTS:
        code = "bad_fee" if name == "fee_cents" else f"bad_{name}"
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code=code)
    try:
        check_parts(stated)
    except PartsError as problem:
        raise Refused(parts_words(problem), code=f"bad_{parts}") from problem
    if name == "reentry_cents" and not cents:
        cents = event.fee_cents  # an empty price is that of the entry
    if parts_cents(stated) > cents:
        text = _("Die Teile sind zusammen mehr, als es kostet.")
        raise Refused(text, code=f"bad_{parts}")


def _check_early(event: Event) -> None:
    early = event.early_fee_cents
    if not early:
        return
    if not 0 < early < event.fee_cents:
        text = _("Der Frühbucherpreis ist kleiner als das Startgeld.")
        raise Refused(text, code="bad_early_fee_cents")
    if parts_cents(event.fee_parts) > early:
        text = _("Der Frühbucherpreis deckt nicht, was nicht in den Preistopf geht.")
        raise Refused(text, code="bad_early_fee_cents")
    if event.early_until is None and not event.early_entries:
        text = _("Bitte sagen, bis wann oder für wie viele der Frühbucherpreis gilt.")
        raise Refused(text, code="bad_early_until")


def _check_rates(event: Event) -> None:
    try:
        check_rates(event.fee_rates)
    except PartsError as problem:
        raise Refused(parts_words(problem, is_rate=True), code="bad_fee_rates") from problem
    for name, cents, parts in event.fee_rates:
        if cents > MOST_FEE_CENTS:
            raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_fee_rates")
        if cents and parts_cents(event.fee_parts if parts is None else parts) > cents:
            text = _("„%(name)s“: Die Teile sind zusammen mehr, als es kostet.")
            raise Refused(text % {"name": name}, code="bad_fee_rates")


def parts_words(problem: PartsError, *, is_rate: bool = False) -> str:
    """Return the problem of prices or of their parts as a sentence."""
    words = {
        "unreadable": _("„%(part)s“ ist nicht zu lesen. Bitte so: Mitglied 15.")
        if is_rate
        else _("„%(part)s“ ist nicht zu lesen. Bitte so: Haus 2, Bounty 5, Personal 1."),
        "many_rates": _("Höchstens %(rates)d Preise."),
        "too_many": _("Höchstens %(most)d Teile."),
        "long_name": _("Bei „%(part)s“ bitte höchstens %(longest)d Zeichen."),
        "twice": _("„%(part)s“ steht zweimal da."),
    }[problem.code]
    return words % {
        "part": problem.part, "most": MOST_PARTS, "longest": LONGEST_NAME, "rates": MOST_RATES,
    }  # fmt: skip
