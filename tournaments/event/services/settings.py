"""Check the settings of an event. The lifecycle decides whether they may still change."""

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.selectors import clock_levels
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain import about, hall_plan, prices
from tournaments.event.domain.games import seat_limit
from tournaments.event.domain.hours import closing_typed
from tournaments.event.domain.latecomers import breaks_planned
from tournaments.event.selectors.event import hand_for_hand_was_begun, money_reached
from tournaments.event.selectors.hall import hall_of
from tournaments.event.selectors.schedule import obstacle_to_games
from tournaments.event.selectors.settings.declared import SETTINGS
from tournaments.event.selectors.settings.entries import OF_AN_ENTRY, PRICES
from tournaments.event.selectors.settings.setting import Setting
from tournaments.models import CashTable, Club, Event, PrizeFreeze

MOST_REDRAWS = 20
# The codes of settings out of bounds or none of the choices, where not named after the setting.
CODES = {
    "game": "unknown_game",
    "limit": "unknown_game",
    "starting_stack": "bad_stack",
    "reserved_places": "bad_reserved",
    "final_table_seats": "bad_final_table",
}
# Settings with a break as their end, and the codes of their refusals.
BREAKS = {
    "late_registration_break": "bad_late_break",
    "rebuy_break": "bad_rebuy_break",
    "addon_break": "bad_addon_break",
}
OF_THE_SCHEDULE = frozenset({*BREAKS, "seats_per_table"})


def refuse_what_cannot_be(event: Event) -> None:
    if not event.name:
        raise Refused(_("Das Turnier braucht einen Namen."), code="no_name")
    most = seat_limit(event.game)
    if not 2 <= event.seats_per_table <= most:
        reason = _("An einem Tisch sitzen 2 bis %(most)d Teilnehmer.") % {"most": most}
        raise Refused(reason, code="bad_seats")
    _check_values(event)
    _check_cash(event)
    if event.closing_time and closing_typed(event.closing_time) is None:
        text = _("Die Sperrstunde ist eine Uhrzeit wie 23:30.")
        raise Refused(text, code="bad_closing_time")
    refuse_bad_about(event)
    refuse_bad_terms(event)
    _check_places(event)
    _check_late_play(event, most)
    try:
        hall_plan.check_areas(event.areas)
    except hall_plan.HallError as problem:
        raise Refused(hall_words(problem), code="bad_areas") from problem
    try:
        refuse_tables_not_there(event)
    except hall_plan.HallError as problem:
        raise Refused(hall_words(problem), code="bad_hall_tables") from problem


def _check_values(event: Event) -> None:
    """Refuse what is none of a setting's choices, or out of its bounds; forms offer no such."""
    for setting in SETTINGS:
        value = getattr(event, setting.name, None)
        text = ""
        if setting.choices is not None and value not in setting.choices:
            text = _("Das steht hier nicht zur Wahl.")
        elif setting.most is not None and value is not None:
            if value < setting.least:
                text = _("Mindestens %(limit_value)s.") % {"limit_value": setting.least}
            elif value > setting.most:
                text = _("Höchstens %(limit_value)s.") % {"limit_value": setting.most}
        if text:
            code = CODES.get(setting.name, f"bad_{setting.name}")
            raise Refused(f"{setting.label or setting.field_label}: {text}", code=code)


def _check_cash(event: Event) -> None:
    opened = CashTable.objects.live().filter(event=event) if event.pk else CashTable.objects.none()
    if event.has_cash_game:
        opened = opened.exclude(event__cash_unit=event.cash_unit)
    if opened.exists():
        raise Refused(_("An Cash-Tischen wird schon gespielt."), code="has_cash_tables")


def hall_words(problem: hall_plan.HallError) -> str:
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
        "line": problem.line, "most": hall_plan.MOST_AREAS, "longest": hall_plan.LONGEST_WORDS,
        "wide": hall_plan.MOST_IN_A_ROW, "tables": hall_plan.MOST_TABLES,
    }  # fmt: skip


def refuse_tables_not_there(event: Event) -> None:
    """Refuse numbers that are none, or that the plan of the hall does not have."""
    numbers = hall_plan.numbers_typed(event.hall_tables)
    # A tournament being made has no club yet; its numbers are those of the one it copies.
    there = {spot.number for spot in hall_of(event.club)} if event.club_id else ()
    missing = [number for number in numbers if there and number not in there]
    if missing:
        raise hall_plan.HallError("not_there", hall_plan.numbers_text(missing))


def _check_places(event: Event) -> None:
    if not 0 <= event.reserved_places <= event.capacity:
        reason = _("Zurückgehalten werden höchstens so viele Plätze, wie es gibt.")
        raise Refused(reason, code="bad_reserved")
    if event.least_entries > event.capacity:
        raise Refused(_("So viele Plätze gibt es nicht."), code="bad_least_entries")
    if event.bounty_kind and not event.bounty_cents:
        reason = _("Zu Bountys gehört ein Teil des Startgelds: „Bounty 5“.")
        raise Refused(reason, code="bad_bounty")


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
        reason = _("Bezahlt werden höchstens so viele, wie mitspielen können.")
        raise Refused(reason, code="bad_paid_places")
    numbers = event.redraw_at
    if any(number < 2 for number in numbers) or len(numbers) > MOST_REDRAWS:
        reason = _("Neu ausgelost wird bei mindestens 2 im Spiel, höchstens %(most)d Mal.") % {
            "most": MOST_REDRAWS
        }
        raise Refused(reason, code="bad_redraw")
    if list(numbers) != sorted(set(numbers), reverse=True):
        reason = _("Die Zahlen für neue Auslosungen werden kleiner, jede nur einmal.")
        raise Refused(reason, code="bad_redraw")
    final = event.final_table_seats
    if final is not None and not 2 <= final <= most:
        reason = _("Am Finaltisch sitzen 2 bis %(most)d Teilnehmer.") % {"most": most}
        raise Refused(reason, code="bad_final_table")


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
        reason = _("„Im Geld“ ist angesagt. Erst die Ansage im Protokoll zurücknehmen.")
        return Refused(reason, code="fixed_in_the_money")
    return obstacle_to_other_prices(event)


def obstacle_to_other_prices(event: Event) -> Refused | None:
    """Return why prices that affect prizes are fixed, or None."""
    if event.prizes and PrizeFreeze.objects.live().filter(event=event).exists():
        reason = _("Die Preise sind festgeschrieben. Erst das im Protokoll zurücknehmen.")
        return Refused(reason, code="prizes_frozen")
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
        prices.check_parts(stated)
    except prices.PartsError as problem:
        raise Refused(parts_words(problem), code=f"bad_{parts}") from problem
    if name == "reentry_cents" and not cents:
        cents = event.fee_cents  # an empty price is that of the entry
    if prices.parts_cents(stated) > cents:
        text = _("Die Teile sind zusammen mehr, als es kostet.")
        raise Refused(text, code=f"bad_{parts}")


def _check_early(event: Event) -> None:
    early = event.early_fee_cents
    if not early:
        return
    if not 0 < early < event.fee_cents:
        text = _("Der Frühbucherpreis ist kleiner als das Startgeld.")
        raise Refused(text, code="bad_early_fee_cents")
    if prices.parts_cents(event.fee_parts) > early:
        text = _("Der Frühbucherpreis deckt nicht, was nicht in den Preistopf geht.")
        raise Refused(text, code="bad_early_fee_cents")
    if event.early_until is None and not event.early_entries:
        text = _("Bitte sagen, bis wann oder für wie viele der Frühbucherpreis gilt.")
        raise Refused(text, code="bad_early_until")


def _check_rates(event: Event) -> None:
    try:
        prices.check_rates(event.fee_rates)
    except prices.PartsError as problem:
        raise Refused(parts_words(problem, is_rate=True), code="bad_fee_rates") from problem
    for name, cents, parts in event.fee_rates:
        if cents > MOST_FEE_CENTS:
            raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_fee_rates")
        if cents and prices.parts_cents(event.fee_parts if parts is None else parts) > cents:
            text = _("„%(name)s“: Die Teile sind zusammen mehr, als es kostet.")
            raise Refused(text % {"name": name}, code="bad_fee_rates")


def parts_words(problem: prices.PartsError, *, is_rate: bool = False) -> str:
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
        "part": problem.part, "most": prices.MOST_PARTS, "longest": prices.LONGEST_NAME,
        "rates": prices.MOST_RATES,
    }  # fmt: skip
