"""Which settings an event can have at all, whoever sets them. Whether they may still change is
told by the lifecycle."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.selectors import clock_levels
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.betting import Game, LimitKind, seat_limit
from tournaments.event.domain.hall import LONGEST_WORDS, MOST_AREAS, HallError, check_areas
from tournaments.event.domain.latecomers import breaks_in
from tournaments.event.selectors.event_settings import (
    CAPACITY_LIMIT,
    MOST_NO_SHOW_MINUTES,
    MOST_OFFER_MINUTES,
)
from tournaments.event.services.about import refuse_bad_about
from tournaments.models import Event

MOST_REDRAWS = 20
MOST_FEE_CENTS = 100_000_000


def refuse_what_cannot_be(event: Event) -> None:
    """Refuse an event whose settings, one by one, no tournament can have.

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
    refuse_bad_about(event)
    _check_places(event)
    _check_late_play(event, most)
    try:
        check_areas(event.areas)
    except HallError as problem:
        raise Refused(hall_words(problem), code="bad_areas") from problem


def hall_words(problem: HallError) -> str:
    """Return what is wrong with the areas of the hall, as a sentence."""
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
    if not 0 <= event.fee_cents <= MOST_FEE_CENTS:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_fee")


def refuse_missing_break(event: Event) -> None:
    """Refuse late registration until a break that the schedule does not have.

    Asked when it is set, and not each time: a schedule may lose a break later.

    :raises Refused: Saying how many there are.
    """
    if not event.late_registration_break:
        return
    breaks = breaks_in(clock_levels(event.clock))
    if event.late_registration_break > breaks:
        text = ngettext(
            "Der Blindplan hat nur eine Pause.", "Der Blindplan hat nur %(breaks)d Pausen.", breaks
        )
        raise Refused(
            text % {"breaks": breaks} if breaks else _("Der Blindplan hat keine Pause."),
            code="bad_late_break",
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
