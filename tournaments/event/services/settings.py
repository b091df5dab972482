"""Check the settings of an event. The lifecycle decides whether they may still change."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.selectors import clock_levels
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.betting import Game, LimitKind, seat_limit
from tournaments.event.domain.closing import closing_typed
from tournaments.event.domain.hall import LONGEST_WORDS, MOST_AREAS, HallError, check_areas
from tournaments.event.domain.latecomers import breaks_planned
from tournaments.event.selectors.event import hand_for_hand_was_begun, money_reached
from tournaments.event.selectors.schedule_problems import obstacle_to_stud
from tournaments.event.selectors.settings.door import (
    CAPACITY_LIMIT,
    MOST_NO_SHOW_MINUTES,
    MOST_OFFER_MINUTES,
)
from tournaments.event.selectors.settings.entries import OF_AN_ENTRY
from tournaments.event.selectors.settings.setting import Setting
from tournaments.event.services.about import refuse_bad_about
from tournaments.event.services.entry_terms import refuse_bad_terms
from tournaments.models import CashTable, Event, PrizeFreeze

MOST_REDRAWS = 20
# Settings with a break as their end, and the codes of their refusals.
BREAKS = {
    "late_registration_break": "bad_late_break",
    "rebuy_break": "bad_rebuy_break",
    "addon_break": "bad_addon_break",
}
OF_THE_SCHEDULE = frozenset({*BREAKS, "seats_per_table"})


def refuse_what_cannot_be(event: Event) -> None:
    """Refuse an event with an invalid setting.

    :raises Refused: Saying which.
    """
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
    _check_cash_unit(event)
    _check_closing(event)
    refuse_bad_about(event)
    refuse_bad_terms(event)
    _check_places(event)
    _check_late_play(event, most)
    try:
        check_areas(event.areas)
    except HallError as problem:
        raise Refused(hall_words(problem), code="bad_areas") from problem


def _check_kind(event: Event) -> None:
    if event.kind not in set(Event.Kind):
        raise Refused(_("Das wird hier nicht gespielt."), code="bad_kind")
    if (
        event.pk
        and not event.has_cash_game
        and CashTable.objects.live().filter(event=event).exists()
    ):
        raise Refused(_("An Cash-Tischen wird schon gespielt."), code="has_cash_tables")


def _check_cash_unit(event: Event) -> None:
    if event.cash_unit not in set(Event.CashUnit):
        raise Refused(_("Darum wird hier nicht gespielt."), code="bad_cash_unit")
    opened = CashTable.objects.live().filter(event=event) if event.pk else CashTable.objects.none()
    if opened.exclude(event__cash_unit=event.cash_unit).exists():
        raise Refused(_("An Cash-Tischen wird schon gespielt."), code="has_cash_tables")


def _check_closing(event: Event) -> None:
    if event.closing_time and closing_typed(event.closing_time) is None:
        text = _("Die Sperrstunde ist eine Uhrzeit wie 23:30.")
        raise Refused(text, code="bad_closing_time")


def hall_words(problem: HallError) -> str:
    """Return the problem of the hall's areas as a sentence."""
    words = {
        "unreadable": _("„%(line)s“ ist nicht zu lesen. Bitte so: 1-6: Großer Saal."),
        "too_many": _("Höchstens %(most)d Bereiche."),
        "backwards": _("„%(line)s“: Solche Tischnummern gibt es nicht."),
        "no_words": _("Bei „%(line)s“ fehlt, wo diese Tische stehen."),
        "long_words": _("Bei „%(line)s“ bitte höchstens %(longest)d Zeichen."),
        "overlap": _("„%(line)s“: Einer dieser Tische steht schon in einem anderen Bereich."),
    }[problem.code]
    return words % {"line": problem.line, "most": MOST_AREAS, "longest": LONGEST_WORDS}


def _check_places(event: Event) -> None:
    if not 0 <= event.reserved_places <= event.capacity:
        raise Refused(
            _("Zurückgehalten werden höchstens so viele Plätze, wie es gibt."), code="bad_reserved"
        )
    if not 0 <= event.offer_minutes <= MOST_OFFER_MINUTES:
        raise Refused(_("Die Frist beträgt höchstens 30 Tage."), code="bad_offer_minutes")
    if not 0 <= event.confirm_minutes <= MOST_OFFER_MINUTES:
        raise Refused(_("Die Frist beträgt höchstens 30 Tage."), code="bad_confirm_minutes")
    if not 0 <= event.no_show_minutes <= MOST_NO_SHOW_MINUTES:
        raise Refused(
            _("Auf wen nicht kommt, wird höchstens einen Tag gewartet."), code="bad_no_show_minutes"
        )
    _check_bounties(event)


def _check_bounties(event: Event) -> None:
    if event.bounty_kind not in {"", *Event.BountyKind.values}:
        raise Refused(_("Diese Kopfgelder gibt es nicht."), code="bad_bounty_kind")
    if not 0 <= event.bounty_cut <= 100:
        raise Refused(_("Bar gehen 0 bis 100 Prozent."), code="bad_bounty_cut")
    if event.bounty_kind and not event.bounty_cents:
        raise Refused(
            _("Zu Kopfgeldern gehört ein Teil des Startgelds: „Bounty 5“."), code="bad_bounty"
        )


def refuse_against_schedule(event: Event, names: Collection[str] = OF_THE_SCHEDULE) -> None:
    """Refuse settings of these names that the schedule does not allow.

    Checked only when they are set: an event may be older than this check.

    :raises Refused: Saying which.
    """
    for name in BREAKS.keys() & set(names):
        refuse_missing_break(event, name)
    if "seats_per_table" in names:
        obstacle = obstacle_to_stud(clock_levels(event.clock), event.seats_per_table)
        if obstacle is not None:
            raise obstacle


def refuse_missing_break(event: Event, name: str) -> None:
    """Refuse a setting that ends at a break missing from the schedule.

    Checked only when it is set: a schedule may lose a break later.

    :raises Refused: Saying how many there are.
    """
    if not getattr(event, name):
        return
    breaks = len(breaks_planned(clock_levels(event.clock)))
    if getattr(event, name) > breaks:
        text = ngettext(
            "Der Blindplan hat nur eine Pause.", "Der Blindplan hat nur %(breaks)d Pausen.", breaks
        )
        raise Refused(
            text % {"breaks": breaks} if breaks else _("Der Blindplan hat keine Pause."),
            code=BREAKS[name],
        )


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
