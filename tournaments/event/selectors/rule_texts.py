"""The rules in force in plain words, for whoever is about to agree to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.betting import LimitKind
from tournaments.event.domain.rule_texts import edition_of, rule_points
from tournaments.models import Event

SENTENCES: dict[str, Any] = {
    "no_show_no_seat": _("Deinen Platz bekommst du vor Ort: Wer nicht eincheckt, hat keinen."),
    "no_show_blinded": _("Wer einen Platz hat und nicht da ist, zahlt trotzdem seine Blinds."),
    "level_next_hand": _("Eine neue Stufe gilt ab der nächsten Hand, nie mitten in einer."),
    "button_moving": _("Der Button geht nach jeder Hand zum nächsten Spieler, der da ist."),
    "button_dead": _(
        "Der Button geht nach jeder Hand einen Platz weiter, auch auf einen leeren; so zahlt jeder "
        "jeden Blind."
    ),
    "raise_double_bet": _("Erhöht wird mindestens auf das Doppelte des Einsatzes."),
    "raise_by_double": _("Erhöht wird mindestens um das Doppelte des Einsatzes."),
    "raise_previous_raise": _("Erhöht wird mindestens um so viel wie zuletzt."),
    "raise_largest_raise": _(
        "Erhöht wird mindestens um die größte Erhöhung, die es in der Setzrunde gab."
    ),
    "clock_krru": _(
        "Für eine Aktion hast du %(first)d Sekunden. Dann darf jemand „Clock“ rufen: Es wird von "
        "%(second)d heruntergezählt, und bei null ist deine Hand tot."
    ),
    "clock_tda": _(
        "Ruft jemand „Clock“, hast du noch %(first)d Sekunden, dann wird von %(second)d "
        "heruntergezählt. Bei null ist deine Hand tot; ohne Einsatz vor dir gilt es als Check."
    ),
    "phones_away": _("Am Tisch bleibt das Handy in der Tasche."),
    "phones_allowed": _("Das Handy darf an den Tisch."),
    "german": _("Am Tisch wird Deutsch gesprochen."),
    "same_hand_by_stack": _(
        "Scheiden zwei in derselben Hand aus, ist besser, wer mehr Chips hatte."
    ),
    "same_hand_shared": _("Wer in derselben Hand ausscheidet, teilt sich den Platz."),
    "no_deals": _("Absprachen über Preise gibt es nur, wenn die Turnierleitung sie erlaubt."),
    "deals": _("Absprachen über Preise sind erlaubt."),
    "disqualified": _("Wer disqualifiziert wird, ist endgültig aus und bekommt keinen Preis."),
    "disqualified_with_prize": _(
        "Wer disqualifiziert wird, ist endgültig aus; der Preis seines Platzes bleibt ihm."
    ),
}

OF_TOMORROW = _(
    "Diese Regeln sind neuer als das Programm. Was es nicht kennt, gilt hier nicht: %(names)s."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesShown:
    """The rule set's name, its edition, from when that is if it says so, and what it says."""

    name: str
    version: str
    dated: date | None
    sentences: list[str]


def rules_shown(event: Event) -> RulesShown | None:
    """Return the rules of an event; None for one that was made without any."""
    if not event.rules:
        return None
    rules = event.rule_set
    points = rule_points(rules, limit=LimitKind(event.limit))
    version, dated = edition_of(rules.version)
    sentences = [
        str(SENTENCES[point.name]) % {"first": point.first, "second": point.second}
        for point in points
    ]
    if rules.unknown:
        sentences.append(OF_TOMORROW % {"names": ", ".join(sorted(rules.unknown))})
    return RulesShown(name=rules.name, version=version, dated=dated, sentences=sentences)
