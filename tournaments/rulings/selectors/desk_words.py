"""The words of the desk's controls, and the sentences of its answers. Pages take them as data."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from clock.domain import LimitKind
from tournaments.event.domain.betting import Game
from tournaments.rules.selectors.rules import rule_of
from tournaments.rulings.domain.contests import Contest
from tournaments.rulings.selectors import words

UI = {
    "desk": _("Worum geht es?"),
    "answer": _("Antwort"),
    "game": _("Spiel"),
    "showdown_game": _("Welches Spiel?"),
    "opens_game": _("Stud oder Razz?"),
    "limit": _("Limit"),
    "kind": _("Gespielt wird"),
    "minimum_raise": _("Mindesterhöhung"),
    "round": _("Setzrunde"),
    "small_blind": _("Small Blind"),
    "big_blind": _("Big Blind"),
    "small_bet": _("Kleiner Einsatz"),
    "big_bet": _("Großer Einsatz"),
    "bring_in": _("Zwangseinsatz"),
    "spread_low": _("Kleinster Einsatz"),
    "spread_high": _("Größter Einsatz"),
    "pot_before": _("Schon im Pot"),
    "players": _("Spieler in der Hand"),
    "players_in": _("Spieler, die noch dabei sind"),
    "fewer": _("Einer weniger"),
    "more": _("Einer mehr"),
    "order": _("In der Reihenfolge, in der sie dran sind; in der ersten Setzrunde zuletzt Small "
               "Blind und Big Blind."),
    "order_stud": _("In der Reihenfolge, in der sie dran sind; in der ersten Setzrunde zuerst, wer "
                    "eröffnen muss."),
    "order_pots": _("Spieler 1 sitzt links vom Button, die anderen im Uhrzeigersinn."),
    "stacks": _("Stapel zu Beginn der Setzrunde"),
    "player": _("Spieler %(player)s"),
    "fold": _("Passt"),
    "check": _("Schiebt"),
    "call": _("Geht mit"),
    "bets_to": _("Setzt auf"),
    "bet": _("Setzen"),
    "step_back": _("Einen Schritt zurück"),
    "judge": _("Was gilt, was hineingelegt wurde?"),
    "put_to": _("Liegt jetzt vor ihm"),
    "declared": _("„Raise“ war angesagt"),
    "turn_check": _("%(player)s ist dran und kann schieben."),
    "turn_call": _("%(player)s ist dran: Mitgehen kostet %(call)s."),
    "raise_from": _("Setzen oder erhöhen: auf mindestens %(least)s."),
    "raise_exact": _("Setzen oder erhöhen: auf genau %(least)s."),
    "raise_between": _("Setzen oder erhöhen: auf %(least)s bis %(most)s."),
    "raises": _("Erhöhungen bisher: %(raises)s von 3."),
    "round_over": _("Die Setzrunde ist zu Ende."),
    "all_in": _("All-in"),
    "folded": _("Gepasst"),
    "out": _("gepasst oder tot"),
    "dead": _("Antes und liegen gebliebene Blinds"),
    "unit": _("Kleinster Chip"),
    "main_pot": _("Hauptpot"),
    "side_pot": _("Side Pot %(number)s"),
    "pot_line": _("%(pot)s: %(amount)s. Gewinnen können %(players)s."),
    "back": _("%(back)s gehen zurück an %(player)s: Das hat niemand gehalten."),
    "gets": _("%(player)s bekommt %(amount)s."),
    "odd": _("Überzählige Chips gehen an %(players)s."),
    "who_wins": _("Wer gewinnt ihn?"),
    "board": _("Mitte"),
    "deck": _("Karten"),
    "take_back": _("%(card)s wegnehmen"),
    "dead_hands": _("Tote Hände, Karten aus dem Spiel"),
    "aside": _("Aus dem Spiel"),
    "aside_said": _("Offen gelegt, aus dem Spiel: %(cards)s. Das zählt bei niemandem."),
    "wins_nothing": _("hat gepasst, oder die Hand ist tot: Sie gewinnt nichts."),
    "opened": _("Niemand kann mehr setzen: Jetzt werden alle Hände geöffnet."),
    "last_raiser": _("Wer hat in der letzten Setzrunde zuletzt erhöht?"),
    "nobody": _("niemand"),
    "with_stakes": _("Die Pots sind die unter „Pots“ eingegebenen."),
    "without_stakes": _("Ohne Einsätze gilt ein Pot für alle. Einsätze stehen unter „Pots“."),
    "wins": _("Es gewinnt %(players)s: %(hand)s."),
    "split": _("Geteilt wird zwischen %(players)s: %(hand)s."),
    "wins_pot": _("%(pot)s: Es gewinnt %(players)s: %(hand)s."),
    "split_pot": _("%(pot)s: Geteilt wird zwischen %(players)s: %(hand)s."),
    "high": _("Hoch"),
    "low": _("Niedrig"),
    "half": _("%(pot)s, %(half)s"),
    "no_low": _("Niemand hat eine niedrige Hand bis acht: Die hohe gewinnt alles."),
    "no_low_pot": _("%(pot)s: Niemand hat eine niedrige Hand bis acht."),
    "show_order": _("Gezeigt wird in dieser Reihenfolge: %(players)s. Wer all-in ist und nicht "
                    "mehr setzen kann, öffnet sofort."),
    "need_not_show": _("Muss nicht zeigen: %(players)s."),
    "open_cards": _("Offene Karten"),
    "opens": _("%(player)s muss eröffnen."),
    "first": _("%(player)s ist zuerst dran."),
    "first_tied": _("%(players)s zeigen gleich viel. Zuerst dran ist %(player)s, links vom Geber."),
    "show_table": _("Dem Tisch zeigen"),
    "clear": _("Neue Frage"),
}  # fmt: skip

TOPICS = {
    "bets": _("Einsatz"),
    "pots": _("Pots"),
    "showdown": _("Showdown"),
    "stud": _("Stud"),
    "other": _("Sonstiges"),
}
GAMES = {Game.HOLDEM: _("Texas"), Game.OMAHA: _("Omaha"), Game.STUD: _("Stud")}
CONTESTS = {
    Contest.HOLDEM: _("Texas"),
    Contest.OMAHA: _("Omaha"),
    Contest.OMAHA_HILO: "Omaha Hi-Lo",
    Contest.STUD: _("Stud"),
    Contest.STUD_HILO: "Stud Hi-Lo",
    Contest.RAZZ: "Razz",
    Contest.TRIPLE_DRAW: "2-7 Triple Draw",
}
OPENS = {name: CONTESTS[name] for name in (Contest.STUD, Contest.RAZZ)}
LIMITS = {
    LimitKind.NO_LIMIT: _("No Limit"),
    LimitKind.POT_LIMIT: _("Pot-Limit"),
    LimitKind.SPLIT_LIMIT: _("Split-Limit"),
    LimitKind.SPREAD_LIMIT: _("Spread-Limit"),
}


def desk_words() -> dict[str, Any]:
    """Return all words of the desk in the reader's language."""
    minimum = rule_of("minimum_raise")
    assert minimum is not None
    choices = {key: choice.label for key, choice in (minimum.choices or {}).items()}
    reckoned = {topic: text for topic, text in TOPICS.items() if topic != "other"}
    return {
        "ui": _read(UI),
        "topics": _read(reckoned),
        "games": _read(GAMES),
        "contests": _read(CONTESTS),
        "opens": _read(OPENS),
        "limits": _read(LIMITS),
        "minimum_raises": _read(choices),
        "nos": _read(words.NOS),
        "hands": _read(words.HANDS),
        "hands_otherwise": _otherwise(words.HANDS),
        "verdicts": _read(words.VERDICTS),
        "bars": _read(words.BARS),
        "rules": _read(words.RULES),
    }


def _read(sentences: Any) -> dict[str, str]:
    return {str(key): _text(sentence) for key, sentence in sentences.items()}


def _otherwise(sentences: Any) -> dict[str, str]:
    """Return them in the other language: at a table both are said."""
    with override("en" if get_language() == "de" else "de"):
        return _read(sentences)


def _text(sentence: Promise | str) -> str:
    return str(sentence)
