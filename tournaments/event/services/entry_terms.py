"""Check prices and terms of purchases."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.domain.prices import (
    LONGEST_NAME,
    MOST_PARTS,
    PartsError,
    check_parts,
    parts_cents,
)
from tournaments.event.selectors.settings.entries import MOST_HOLD_MINUTES, MOST_TIMES, PRICES
from tournaments.models import Event

MOST_FEE_CENTS = 100_000_000


def refuse_bad_terms(event: Event) -> None:
    """Refuse invalid prices and terms.

    :raises Refused: Saying which.
    """
    for name, parts in PRICES:
        _check_price(event, name, parts)
    if not 0 <= event.payout_limit_cents <= MOST_FEE_CENTS:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_payout_limit")
    _check_early(event)
    for name in ("on_time_chips", "rebuy_chips", "rebuy_threshold", "addon_chips"):
        if not 0 <= getattr(event, name) <= MOST_CHIPS:
            raise Refused(_("So viele Chips gibt es nicht."), code=f"bad_{name}")
    for name in ("rebuy_most", "reentry_most"):
        if not 0 <= getattr(event, name) <= MOST_TIMES:
            raise Refused(
                _("Je Person höchstens %(most)d Mal.") % {"most": MOST_TIMES}, code=f"bad_{name}"
            )
    if not 0 <= event.rebuy_hold_minutes <= MOST_HOLD_MINUTES:
        raise Refused(
            _("Ein Platz wird höchstens %(most)d Minuten gehalten.") % {"most": MOST_HOLD_MINUTES},
            code="bad_rebuy_hold_minutes",
        )


def _check_price(event: Event, name: str, parts: str) -> None:
    cents, stated = getattr(event, name), getattr(event, parts)
    if not 0 <= cents <= MOST_FEE_CENTS:
        code = "bad_fee" if name == "fee_cents" else f"bad_{name}"
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code=code)
    try:
        check_parts(stated)
    except PartsError as problem:
        raise Refused(parts_words(problem), code=f"bad_{parts}") from problem
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


def parts_words(problem: PartsError) -> str:
    """Return the problem of a price's parts as a sentence."""
    words = {
        "unreadable": _("„%(part)s“ ist nicht zu lesen. Bitte so: Haus 2, Bounty 5, Personal 1."),
        "too_many": _("Höchstens %(most)d Teile."),
        "long_name": _("Bei „%(part)s“ bitte höchstens %(longest)d Zeichen."),
        "twice": _("„%(part)s“ steht zweimal da."),
    }[problem.code]
    return words % {"part": problem.part, "most": MOST_PARTS, "longest": LONGEST_NAME}
