"""Which settings an event can have at all, whoever sets them. Whether they may still change is
told by the lifecycle."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.domain.betting import Game, LimitKind, seat_limit
from tournaments.domain.errors import Refused
from tournaments.models import Event

CAPACITY_LIMIT = 50_000
MOST_REDRAWS = 20


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
    _check_late_play(event, most)


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
