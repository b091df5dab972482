"""The event's parts of the rule book: conduct, times, seats by drawn cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clock.domain import Level
from clock.selectors import clock_plan
from tournaments.event.selectors.labels import late_until
from tournaments.event.selectors.schedule import level_minutes
from tournaments.models import Event

if TYPE_CHECKING:
    from tournaments.rules.selectors.book_play import Words

CONDUCT: Words = {
    "in_turn": (
        _("Wenn du dran bist"),
        (
            _("Sag deutlich, was du tust, bevor du Chips bewegst: Was gesagt ist, gilt. Spiel "
              "erst, wenn du dran bist, und setz in einem Zug."),
            _("Legst du ohne ein Wort einen einzelnen Chip hin, der mehr wert ist, als verlangt "
              "ist, so ist das ein Call. Mehrere Chips sind auch einer, wenn du dafür alle "
              "brauchst."),
        ),
    ),
    "hand_care": (
        _("Karten und Chips"),
        (
            _("Karten bleiben auf dem Tisch und für alle sichtbar, große Chips vorne. Pass auf "
              "deine Karten auf: Eine Hand, die eingezogen wurde, ist tot."),
            _("Wirf Chips nicht in den Pot, sondern leg sie vor dich."),
        ),
    ),
    "one_player": (
        _("Eine Hand, ein Spieler"),
        (
            _("Jeder spielt allein. Solange gespielt wird, redet niemand über die Hand, zeigt "
              "Karten her oder gibt Rat, auch nicht, wer schon gepasst hat oder zuschaut."),
        ),
    ),
    "leaving": (
        _("Aufstehen"),
        (
            _("Gib Bescheid, wenn du länger weggehst. Solange du nicht am Platz bist, ist deine "
              "Hand tot; was du schon gesetzt hast, bleibt im Pot, und deine Blinds und Antes "
              "laufen weiter."),
        ),
    ),
    "penalties": (
        _("Wenn jemand stört"),
        (
            _("Wer stört oder sich nicht an die Regeln hält, wird verwarnt oder setzt einige Hände "
              "aus und zahlt dabei seine Blinds weiter. Disqualifizieren kann nur die "
              "Turnierleitung."),
        ),
    ),
    "asking": (
        _("Wenn etwas unklar ist"),
        (
            _("Sprich gleich die Turnierleitung oder einen Schiedsrichter an, solange die Hand "
              "noch läuft. Ihr Wort gilt, auch wo hier etwas anderes zu lesen ist."),
        ),
    ),
    "out": (
        _("Wenn du ausgeschieden bist"),
        (
            _("Mach deinen Platz frei. Zuschauen darfst du gern, mit etwas Abstand zum Tisch."),
        ),
    ),
}  # fmt: skip

SEAT_CARDS: Words = {
    "seat_cards": (
        _("Plätze mit Karten ziehen"),
        (
            _("Werden die Plätze an einem Tisch mit Karten gezogen, mischt man so viele, wie er "
              "Plätze hat: vom Ass an aufwärts, ohne Lücke. Das Ass ist die niedrigste."),
            _("Jeder zieht eine. Das Ass sitzt auf Platz 1, die Zwei daneben im Uhrzeigersinn, und "
              "so weiter."),
        ),
    ),
}  # fmt: skip


def times(event: Event) -> Iterator[str]:
    """Yield the start, the length of levels and breaks, and the end of late registration."""
    begins = localtime(event.starts_at)
    yield gettext("Beginn: %(day)s um %(at)s Uhr.") % {
        "day": date_format(begins, "j. F Y"),
        "at": date_format(begins, "H:i"),
    }
    levels = clock_plan(event.clock)
    count = sum(not level.is_break for level in levels)
    yield ngettext("Der Plan hat eine Stufe.", "Der Plan hat %(count)d Stufen.", count) % {
        "count": count
    }
    minutes = level_minutes(event)
    if minutes is not None:
        yield gettext("Jede Stufe dauert %(minutes)d Minuten.") % {"minutes": minutes}
    elif any(level.hands for level in levels):
        yield gettext("Manche Stufen dauern so viele Hände, wie der Plan sagt.")
    else:
        yield gettext("Die Stufen dauern verschieden lang, wie der Plan sagt.")
    yield breaks_in_words(levels)
    until = late_until(event)
    yield (
        gettext("Einsteigen kannst du %(until)s.") % {"until": until}
        if until
        else gettext("Nach dem Start steigt niemand mehr ein.")
    )


def breaks_in_words(levels: Sequence[Level]) -> str:
    """Return after which levels of a numbered schedule a break is planned."""
    after = [
        str(level.number) for level, then in pairwise(levels) if then.is_break and level.number
    ]
    if not after:
        return gettext("Pausen sind keine geplant.")
    if len(after) == 1:
        return gettext("Eine Pause ist nach Stufe %(level)s.") % {"level": after[0]}
    words = {"levels": ", ".join(after[:-1]), "last": after[-1]}
    return gettext("Pausen sind nach den Stufen %(levels)s und %(last)s.") % words
