"""Sentences on impossible prize plans and payouts."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.event.selectors.labels import money
from tournaments.prizes.domain.payouts import Unpayable
from tournaments.prizes.domain.plans import LONGEST_NAME, MOST_TYPED


def why_unplannable(code: str) -> str:
    """Return the error of a plan as a sentence."""
    words = {
        "absurd": _("Einer dieser Beträge kann nicht stimmen."),
        "unit": _("Gerundet wird auf mindestens einen Cent."),
        "places_percent": _("Bezahlt werden höchstens 100 % der Einstiege."),
        "held_back": _("Einbehalten werden höchstens 100 %."),
        "minimum": _("Dieser Mindestpreis kann nicht stimmen."),
        "too_many": _("Höchstens %(most)d Preise, jeder für sich eingegeben.")
        % {"most": MOST_TYPED},
        "long": _("Ein Sachpreis hat höchstens %(most)d Zeichen.") % {"most": LONGEST_NAME},
        "no_shares": _("Es fehlen die Anteile."),
        "no_amounts": _("Es fehlen die Beträge."),
        "no_seat": _("Es fehlt, was ein Platz wert ist."),
        "nothing": _("Jeder Preis ist mehr als nichts."),
        "rising": _("Ein Preis ist höher als der davor. Bitte vom ersten Platz abwärts."),
        "over_all": _("Die Anteile sind zusammen mehr als 100 %."),
        "under_all": _("Die Anteile sind zusammen weniger als 100 %."),
    }
    return words[code]


def why_unpayable(no: Unpayable) -> str:
    """Return why this pool cannot pay the prizes, as a sentence."""
    words = {
        "empty": _("Für Preise ist noch nichts eingezahlt."),
        "places": _("Wie viele Plätze bezahlt werden, ist noch nicht gesagt."),
        "minimum": _(
            "Für so viele Plätze zu mindestens %(cents)s reicht der Topf nicht: weniger Plätze "
            "bezahlen, oder weniger je Platz."
        ),
        "refund": _("Der Topf reicht nicht, um den Einstieg zurückzugeben (%(cents)s)."),
        "over_pool": _(
            "Die Preise sind %(cents)s mehr, als im Topf ist: als Zuschuss eintragen, oder die "
            "Beträge ändern."
        ),
        "under_pool": _(
            "Vom Topf sind %(cents)s nicht verteilt: als einbehalten eintragen, oder die Beträge "
            "ändern."
        ),
        "seats": _("Im Topf sind mehr Plätze, als Teilnehmer da sind: %(cents)s bleiben übrig."),
    }
    return words[no.code] % {"cents": money(no.cents)}
