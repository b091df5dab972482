"""The rules of an event in plain words, for players to read and agree to."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.games import Game
from tournaments.event.domain.rules import NoShow, RuleSet, rule_set_from
from tournaments.event.selectors.event import final_seats
from tournaments.event.selectors.labels import late_until
from tournaments.models import Event, RulePreset
from tournaments.rules.domain.editions import edition_of
from tournaments.rules.selectors.rule import Heading, Rule, RuleGroup
from tournaments.rules.selectors.rules import rules_for

# To be read before agreeing.
IN_SHORT = frozenset(
    {
        Heading.LEVEL, Heading.BUTTON, Heading.RAISE, Heading.CLOCK, Heading.PHONE,
        Heading.LANGUAGE, Heading.ABSENT, Heading.HAND, Heading.DEALS, Heading.DISQUALIFIED,
    }
)  # fmt: skip
OF_TOMORROW = _(
    "Diese Regeln sind neuer als das Programm. Was es nicht kennt, gilt hier nicht: %(names)s."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """The texts of one heading; `preset` has the preset's text for each rule that differs."""

    heading: Heading
    sentences: list[str]
    preset: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesShown:
    """The rule set: name, edition, its date if known, and the texts."""

    name: str
    version: str
    dated: date | None
    parts: list[Published]
    own_text: str
    of_tomorrow: str

    @property
    def in_short(self) -> list[str]:
        """Return a summary to read before agreeing, a paragraph for each heading."""
        found = [part.text for part in self.parts if part.heading in IN_SHORT]
        return [*found, self.of_tomorrow] if self.of_tomorrow else found

    @property
    def groups(self) -> list[tuple[RuleGroup, list[Published]]]:
        """Return all texts, in groups."""
        return [
            (group, list(parts))
            for group, parts in groupby(self.parts, key=lambda part: part.heading.group)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A rule that differs from its preset, both in words; `published` is for players."""

    rule: Rule
    here: str
    preset: str
    published: str


def rules_shown(
    event: Event, differing: Sequence[Difference] = (), *, paid: int
) -> RulesShown | None:
    """Return the rules of an event; None if it was made without any.

    :param paid: The number of paid places, 0 if unknown.
    """
    if not event.rules:
        return None
    named = [(one, str(SENTENCES[name]) % figures) for one, name, figures in _named(event, paid)]
    return rules_shown_then(event, event.rule_set, differing, named)


def rules_shown_then(
    event: Event,
    rules: RuleSet,
    differing: Sequence[Difference],
    named: Sequence[tuple[Heading, str]] = (),
) -> RulesShown:
    """Return the texts of these rules, in force or not; `named` follow from the settings."""
    found: dict[Heading, list[str]] = defaultdict(list)
    texts = [(rule, rule.published(getattr(rules, rule.name))) for rule in rules_for(event)]
    for heading, sentence in (
        *((rule.heading, sentence) for rule, sentence in texts if not rule.is_after),
        *named,
        *((rule.heading, sentence) for rule, sentence in texts if rule.is_after),
    ):
        found[heading].append(sentence)
    others: dict[Heading, list[str]] = defaultdict(list)
    for one in differing:
        others[one.rule.heading].append(one.published)
    version, dated = edition_of(rules.version)
    unknown = ", ".join(sorted(rules.unknown))
    return RulesShown(
        name=rules.name,
        version=version,
        dated=dated,
        parts=[
            Published(heading=one, sentences=found[one], preset=tuple(others[one]))
            for one in Heading
            if one in found
        ],
        own_text=rules.own_text,
        of_tomorrow=OF_TOMORROW % {"names": unknown} if unknown else "",
    )


def preset_of(event: Event) -> RulePreset | None:
    """Return the preset the event's rules began with, None once deleted."""
    return RulePreset.objects.filter(key=event.rules.get("key", "")).first()


def differences(event: Event, preset: RulePreset | None) -> list[Difference]:
    """Return the differences from the preset."""
    if preset is None:
        return []
    return differences_between(event, event.rule_set, rule_set_from(preset.rules))


def differences_between(event: Event, here: RuleSet, there: RuleSet) -> list[Difference]:
    """Return the differences of two rule sets that matter for this event."""
    return [
        Difference(
            rule=rule,
            here=rule.words(getattr(here, rule.name)),
            preset=rule.words(getattr(there, rule.name)),
            published=rule.published(getattr(there, rule.name)),
        )
        for rule in rules_for(event)
        if getattr(here, rule.name) != getattr(there, rule.name)
    ]


# --- Procedures that are fixed, or follow from other settings of the event


# By heading, after its rules; some rules have sentences of their own.
SENTENCES: Mapping[str, Any] = {
    "level": _("Eine neue Stufe gilt ab der nächsten Hand, nie mitten in einer."),
    "heads_up": _("Zu zweit hat den Button, wer den Small Blind setzt."),
    "drawn_at_once": _("Dein Tisch wird ausgelost, sobald du eincheckst."),
    "drawn_together": _("Alle Tische werden auf einmal ausgelost, bevor das Spiel beginnt."),
    "draws_checked": _("Jede Auslosung kannst du auf der Seite des Turniers nachrechnen."),
    "absent_free": _("Wer %(number)d Minuten nach dem Start nicht da ist, verliert seinen "
                     "Startplatz."),
    "absent_blinded": _("Wer %(number)d Minuten nach dem Start nicht da ist, dessen Stapel kommt "
                        "an den Tisch und zahlt Blinds und Antes, bis er kommt."),
    "absent_no_time": _("Eine Frist dafür ist nicht gesetzt: Blinds zahlt nur, wer eingecheckt "
                        "ist."),
    "away": _("Wer eingecheckt hat und nicht am Platz ist, zahlt seine Blinds und Antes weiter."),
    "late": _("Einsteigen kannst du %(until)s; dein Platz wird zu den anderen dazugelost."),
    "not_late": _("Nach dem Start steigt niemand mehr ein."),
    "gives": _("Es gibt der vollste Tisch ab, und zwar an den kleinsten mit einem freien Platz; "
               "sind mehrere gleich voll, der mit der niedrigsten Nummer."),
    "moves": _("Es zieht um, wer als Nächstes den Big Blind setzt, auf den freien Platz, der ihn "
               "am frühesten setzt; nie auf den des Small Blind."),
    "moves_drawn": _("Weiß niemand, wo der Button liegt, wird gelost, wer umzieht."),
    "moves_stud": _("Es zieht um, wer auf der Nummer des Platzes sitzt, der gefüllt wird, oder der "
                    "Nächste im Uhrzeigersinn; gefüllt wird der Platz, der zuletzt frei wurde."),
    "breaks": _("Aufgelöst wird er, sobald alle an den anderen Tischen Platz haben, auch wer noch "
                "erwartet wird."),
    "breaks_drawn": _("Ausgelost werden die Reihenfolge der Spieler und die der freien Plätze; wer "
                      "zwischen Small Blind und Button landet, wartet, bis der Button vorbei ist."),
    "redraw": _("Alle Plätze werden neu ausgelost, wenn nur noch so viele im Spiel sind: "
                "%(numbers)s."),
    "final_size": _("Am Finaltisch sitzen höchstens %(number)d Spieler."),
    "hand_for_hand": _("Vor dem Geld kann Hand für Hand gespielt werden: Kein Tisch beginnt eine "
                       "neue Hand, bevor alle mit der letzten fertig sind. Es beginnt mit der "
                       "Ansage und gilt schon für die Hand, die gerade läuft."),
    "paid": _("Bezahlte Plätze: %(number)d."),
    "not_paid": _("Wie viele Plätze bezahlt werden, sagt die Turnierleitung an."),
    "disqualified": _("Seine Chips kommen aus dem Spiel."),
}  # fmt: skip


def _named(event: Event, paid: int) -> Iterator[tuple[Heading, str, dict[str, Any]]]:
    """Yield the event's sentences by name, with heading and figures, in reading order."""
    is_stud = event.game == Game.STUD
    yield Heading.LEVEL, "level", {}
    if not is_stud:
        yield Heading.BUTTON, "heads_up", {}
    is_field = event.draw_mode == Event.DrawMode.FIELD
    yield Heading.SEAT, "drawn_together" if is_field else "drawn_at_once", {}
    yield Heading.SEAT, "draws_checked", {}
    yield from _absent(event)
    until = late_until(event)
    yield Heading.LATE, "late" if until else "not_late", {"until": until}
    yield Heading.BALANCE, "gives", {}
    yield Heading.BALANCE, "moves_stud" if is_stud else "moves", {}
    if not is_stud:
        yield Heading.BALANCE, "moves_drawn", {}
    yield Heading.BREAK, "breaks", {}
    yield Heading.BREAK, "breaks_drawn", {}
    if event.redraw_at:
        yield Heading.REDRAW, "redraw", {"numbers": ", ".join(map(str, event.redraw_at))}
    if event.rule_set.redraws_final_table:
        yield Heading.FINAL, "final_size", {"number": final_seats(event)}
    yield Heading.HAND_FOR_HAND, "hand_for_hand", {}
    yield Heading.MONEY, "paid" if paid else "not_paid", {"number": paid}
    yield Heading.DISQUALIFIED, "disqualified", {}


def _absent(event: Event) -> Iterator[tuple[Heading, str, dict[str, Any]]]:
    """Yield the treatment of no-shows; empty without a deadline."""
    minutes = {"number": event.no_show_minutes}
    is_blinded = event.rule_set.no_show == NoShow.BLINDED
    if event.no_show_minutes:
        yield Heading.ABSENT, "absent_blinded" if is_blinded else "absent_free", minutes
    elif is_blinded:
        yield Heading.ABSENT, "absent_no_time", {}
    yield Heading.ABSENT, "away", {}
