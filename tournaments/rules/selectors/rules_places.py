"""House rules on places and prizes."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.rules import BustTies, DisqualifiedPrize, SameHand
from tournaments.rules.selectors.rule import Binds, Choice, Heading, Number, Rule

GOING_OUT = (
    Rule(
        name="same_hand",
        label=_("In derselben Hand, am selben Tisch"),
        sentence=_("Wer besser ist, wenn zwei zugleich ausscheiden."),
        source=_("allgemein üblich"),
        heading=Heading.HAND,
        binds=Binds.FIRST_OUT,
        choices={
            SameHand.BY_STACK: Choice(
                _("wer mehr Chips hatte"),
                _("Scheiden zwei an einem Tisch in derselben Hand aus, ist besser, wer zu ihrem "
                  "Beginn mehr Chips hatte; wer gleich viele hatte, teilt sich den Platz."),
            ),
            SameHand.SHARED: Choice(
                _("sie teilen sich den Platz"),
                _("Wer an einem Tisch in derselben Hand ausscheidet, teilt sich den Platz."),
            ),
        },
    ),
    Rule(
        name="bust_ties",
        label=_("Hand für Hand, an verschiedenen Tischen"),
        sentence=_("Wer besser ist, wenn in derselben Hand an zwei Tischen jemand ausscheidet."),
        source=_("TDA 2024 RP-8 und allgemein üblich"),
        heading=Heading.HAND_FOR_HAND,
        is_after=True,
        binds=Binds.HAND_FOR_HAND,
        choices={
            BustTies.SHARED: Choice(
                _("sie teilen sich den Platz"),
                _("Wer dabei in derselben Hand an verschiedenen Tischen ausscheidet, teilt sich "
                  "den Platz und die Preise."),
            ),
            BustTies.BY_STACK: Choice(
                _("wer mehr Chips hatte"),
                _("Scheiden dabei in derselben Hand an verschiedenen Tischen mehrere aus, ist "
                  "besser, wer zu ihrem Beginn mehr Chips hatte."),
            ),
        },
    ),
    Rule(
        name="hand_for_hand_minutes",
        label=_("Minuten je Hand für Hand"),
        sentence=_("So viel nimmt jede Hand der Stufe, während die Uhr steht."),
        source=_("TDA 2024 RP-8, die Zahl ist unsere"),
        heading=Heading.HAND_FOR_HAND,
        is_after=True,
        binds=Binds.HAND_FOR_HAND,
        number=Number(
            least=0,
            most=10,
            published=_("Die Uhr steht, und jede Hand nimmt der Stufe %(number)d Minuten."),
            special={
                0: _("Die Uhr steht, solange so gespielt wird."),
                1: _("Die Uhr steht, und jede Hand nimmt der Stufe eine Minute."),
            },
        ),
    ),
    Rule(
        name="deals_allowed",
        label=_("Absprachen über Preise"),
        sentence=_("Ob Spieler sich über die Aufteilung der Preise einigen dürfen."),
        source=_("KRRU 3.0: nur mit ausdrücklicher Erlaubnis"),
        heading=Heading.DEALS,
        binds=Binds.NEVER,
        is_obeyed=False,
        choices={
            False: Choice(
                _("nur mit Erlaubnis der Turnierleitung"),
                _("Absprachen über Preise gibt es nur, wenn die Turnierleitung sie erlaubt."),
            ),
            True: Choice(_("erlaubt"), _("Absprachen über Preise sind erlaubt.")),
        },
    ),
    Rule(
        name="disqualified_prize",
        label=_("Preis nach einer Disqualifikation"),
        sentence=_("Ob jemand den Preis seines Platzes behält."),
        source=_("unsere; TDA 2024 71 sagt nichts vom Preis"),
        heading=Heading.DISQUALIFIED,
        choices={
            DisqualifiedPrize.NONE: Choice(
                _("keiner"),
                _("Wer disqualifiziert wird, ist endgültig aus und bekommt keinen Preis."),
            ),
            DisqualifiedPrize.PLACE: Choice(
                _("der des Platzes"),
                _("Wer disqualifiziert wird, ist endgültig aus; der Preis seines Platzes bleibt "
                  "ihm."),
            ),
        },
    ),
)  # fmt: skip
