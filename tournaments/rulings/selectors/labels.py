"""The desk's texts: names, hands, verdicts, rules, errors."""

from collections.abc import Mapping

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clock.domain import LimitKind
from tournaments.changes.access import Sentence
from tournaments.event.domain.cards import card_from_code
from tournaments.event.domain.games import Game
from tournaments.rulings.domain.desk import Topic
from tournaments.rulings.domain.pots import Contest, Unruled

Sentences = Mapping[str, Promise]

TOPICS = {
    Topic.BETS: _("Einsatz"),
    Topic.POTS: _("Pots"),
    Topic.SHOWDOWN: _("Showdown"),
    Topic.STUD: _("Stud"),
}
GAMES = {Game.HOLDEM: _("Texas"), Game.OMAHA: _("Omaha"), Game.STUD: _("Stud")}
CONTESTS = {
    Contest.HOLDEM: _("Texas"),
    Contest.OMAHA: _("Omaha"),
    Contest.OMAHA_HILO: "Omaha Hi-Lo",
    Contest.OMAHA5: _("Omaha mit fünf Karten"),
    Contest.OMAHA5_HILO: _("Omaha Hi-Lo mit fünf Karten"),
    Contest.STUD: _("Stud"),
    Contest.STUD_HILO: "Stud Hi-Lo",
    Contest.RAZZ: "Razz",
    Contest.TRIPLE_DRAW: "2-7 Triple Draw",
}
LIMITS = {
    LimitKind.NO_LIMIT: _("No Limit"),
    LimitKind.POT_LIMIT: _("Pot-Limit"),
    LimitKind.SPLIT_LIMIT: _("Split-Limit"),
    LimitKind.SPREAD_LIMIT: _("Spread-Limit"),
}
ROUNDS: Mapping[str, tuple[str | Promise, ...]] = {
    Game.HOLDEM: (_("Vor dem Flop"), _("Flop"), _("Turn"), _("River")),
    Game.OMAHA: (_("Vor dem Flop"), _("Flop"), _("Turn"), _("River")),
    Game.STUD: tuple(f"{card}." for card in range(3, 8)),  # named after the card dealt before
}

# Their numbers are those of `Unruled.about`.
NOS: Sentences = {
    "twice": _("%(card)s ist zweimal dabei. Jede Karte gibt es nur einmal."),
    "few_players": _("Dazu braucht es mindestens zwei Spieler."),
    "many_players": _("Gerechnet wird für höchstens %(most)s Spieler."),
    "many_cards": _("Spieler %(player)s hat %(there)s Karten, mehr als die %(most)s des Spiels."),
    "few_cards": _("Spieler %(player)s hat %(there)s von %(most)s Karten. Es fehlen welche."),
    "many_board": _("In der Mitte liegen %(there)s Karten, mehr als %(most)s."),
    "few_board": _("In der Mitte liegen %(there)s von %(most)s Karten. Es fehlen welche."),
    "many_open": _("Offen liegen höchstens %(most)s Karten."),
    "few_open": _("Spieler %(player)s zeigt %(there)s von %(most)s offenen Karten."),
    "raiser_folded": _("Spieler %(player)s hat gepasst und kann nicht zuletzt erhöht haben."),
    "nobody_wins": _("Den Pot von %(amount)s kann niemand gewinnen: Alle Hände sind tot."),
    "negative": _("Chips sind nie weniger als null, und ein Stapel hat mindestens einen."),
    "above_stack": _("Spieler %(player)s hat nur %(stack)s und kann nicht %(put)s setzen."),
    "above_own": _("Das geht nicht: %(to)s sind mehr, als der Spieler hat (%(most)s)."),
    "folded_all_in": _("Spieler %(player)s ist all-in. Wer all-in ist, kann nicht mehr passen."),
    "all_folded": _("Es können nicht alle gepasst haben: Einer gewinnt den Pot."),
    "chips_differ": _("Einzelne Chips sind mindestens 1 wert und zusammen höchstens, was daliegt "
                      "(%(to)s)."),
    "no_number": _("„%(typed)s“ ist keine Zahl von Chips. Es geht von 0 bis %(most)s."),
    "no_question": _("Das ist keine Frage, die gerechnet werden kann."),
    "owes": _("Spieler %(player)s hat %(owes)s zu wenig gesetzt: Hat er gepasst, oder ist er "
              "all-in?"),
    "no_unit": _("Der kleinste Chip ist mindestens 1 wert."),
    "no_winner": _("Für diesen Pot ist noch niemand als Gewinner angetippt."),
    "cannot_win": _("Spieler %(player)s kann diesen Pot nicht gewinnen: Er hat gepasst oder war "
                    "schon all-in."),
    "odd_for_nobody": _("Ein Pot von %(amount)s geht in Chips zu %(unit)s nicht auf. Den Rest darf "
                        "niemand bekommen. Bitte nachzählen."),
    "no_blinds": _("Ohne Blinds lässt sich nichts sagen. Bitte eintippen, was gespielt wird."),
    "small_above_big": _("Der Small Blind ist höchstens so groß wie der Big Blind."),
    "no_straddle": _("Zu zweit, und im Stud, gibt es keinen Straddle."),
    "small_straddle": _("Ein Straddle ist mindestens das Doppelte des Big Blinds (%(least)s)."),
    "no_big_bet": _("Im Split-Limit braucht es den großen Einsatz, mindestens so groß wie der "
                    "kleine."),
    "no_spread": _("Im Spread-Limit braucht es den kleinsten und den größten Einsatz."),
    "bring_in_above_bet": _("Der Zwangseinsatz ist höchstens so groß wie der kleine Einsatz."),
    "no_round": _("In diesem Spiel gibt es %(most)s Setzrunden."),
    "round_over": _("Die Setzrunde ist schon zu Ende."),
    "no_check": _("Spieler %(player)s kann nicht schieben: Es kostet %(call)s, dabei zu bleiben."),
    "no_call": _("Für Spieler %(player)s gibt es nichts mitzugehen."),
    "too_little": _("Spieler %(player)s muss auf mindestens %(least)s setzen, nicht auf %(to)s."),
    "too_much": _("Spieler %(player)s darf auf höchstens %(most)s setzen, nicht auf %(to)s."),
    "barred_capped": _("Spieler %(player)s darf nicht erhöhen: Es wurde schon dreimal erhöht."),
    "barred_not_reopened": _("Spieler %(player)s darf nicht erhöhen: Seit er dran war, hat niemand "
                             "voll erhöht."),
    "barred_no_chips": _("Spieler %(player)s kann nicht erhöhen: Mitgehen kostet alles."),
    "barred_nobody_left": _("Spieler %(player)s kann nicht erhöhen: Alle anderen sind all-in."),
}  # fmt: skip

HANDS: Sentences = {
    "royal_flush": _("Royal Flush"),
    "straight_flush": _("Straight Flush"),
    "four": _("Vierling"),
    "full_house": _("Full House"),
    "flush": _("Flush"),
    "straight": _("Straße"),
    "three": _("Drilling"),
    "two_pair": _("Zwei Paare"),
    "pair": _("Ein Paar"),
    "high_card": _("Höchste Karte"),
    "low": _("Niedrige Hand"),
}

VERDICTS: Sentences = {
    "under_call": _("%(to)s sind weniger als ein Call. Verlangt sind %(level)s; was gilt, "
                    "entscheidet die Leitung."),
    "under_call_full": _("%(to)s sind weniger als ein Call und gelten als voller Call: Es kostet "
                         "%(level)s."),
    "under_call_open": _("%(to)s sind weniger als ein Call. Die Leitung entscheidet: voller Call "
                         "auf %(level)s, oder die %(to)s bleiben liegen und die Hand ist "
                         "gepasst."),
    "call": _("Das ist ein Call."),
    "must_complete": _("Das ist eine Erhöhung und wird auf %(least)s ergänzt."),
    "incomplete": _("Keine volle Erhöhung: mindestens %(least)s. Ob ergänzt wird, sagt dieses "
                    "Regelwerk nicht; die Leitung entscheidet."),
    "short_all_in": _("All-in, aber keine volle Erhöhung (die wäre %(least)s)."),
    "may_raise": _("Von denen, die schon dran waren, dürfen wieder erhöhen: %(players)s."),
    "may_not_raise": _("Nur mitgehen oder passen dürfen: %(players)s."),
    "unsaid": _("War nichts angesagt, zählen die Chips: Ein einzelner ist ein Call, mehrere sind "
                "einer, wenn es dafür alle braucht."),
    "full": _("Eine volle Erhöhung auf %(to)s."),
    "too_much": _("Zu viel: höchstens %(most)s."),
    "barred": _("Keine Erhöhung möglich: Es bleibt beim Call."),
}  # fmt: skip

BARS: Sentences = {
    "capped": _("darf nicht erhöhen: schon dreimal erhöht"),
    "not_reopened": _("darf nur mitgehen: niemand hat seither voll erhöht"),
    "no_chips": _("kann nicht erhöhen: Mitgehen kostet alles"),
    "nobody_left": _("kann nicht erhöhen: alle anderen sind all-in"),
    "all_in": _("ist all-in"),
    "folded": _("hat gepasst"),
    "none": _("darf erhöhen"),
}

# The rules behind an answer; each links to a part of the rules page.
RULES: Sentences = {
    "double_bet": _("Mindestens auf das Doppelte des Einsatzes (KRRU 3.0)."),
    "by_double": _("Mindestens um das Doppelte des Einsatzes (KRRU 3.0, zweite Lesart)."),
    "previous_raise": _("Mindestens um so viel wie zuletzt erhöht wurde (Heimregeln)."),
    "largest_raise": _("Mindestens um die größte Erhöhung der Setzrunde (TDA 2024 43)."),
    "pot_limit": _("Höchstens der Pot, den eigenen Call mitgezählt (Pot-Limit)."),
    "no_limit": _("Höchstens alles, was man hat (No Limit)."),
    "spread_limit": _("Jeder Einsatz und jede Erhöhung zwischen zwei Grenzen (Spread-Limit)."),
    "split_limit": _("Feste Einsätze, höchstens drei Erhöhungen je Setzrunde (Split-Limit)."),
    "silent": _("Chips ohne Ansage sind ein Call, wenn es nur einer ist oder alle dafür gebraucht "
                "werden (TDA 2024 44, 45)."),
    "under_call": _("Zu wenig für einen Call ist ein voller Call gegen den ersten Einsatz und "
                    "zwischen zweien, sonst entscheidet die Leitung (TDA 2024 51)."),
    "straddle": _("Ein Straddle zählt wie ein größerer Big Blind: Zuerst ist dran, wer links davon "
                  "sitzt, zuletzt, wer ihn gesetzt hat; erhöht wird mindestens auf das "
                  "Doppelte (RRoP)."),
    "pots": _("Wer all-in ist, gewinnt von jedem höchstens so viel, wie er selbst gesetzt hat."),
    "opened": _("Kann nach einem All-in niemand mehr setzen, werden die Hände geöffnet, bevor "
                "weitere Karten kommen."),
    "odd": _("Überzählige Chips gehen einzeln an die Gewinner, zuerst links vom "
             "Button (TDA 2024 20)."),
    "odd_stud": _("Überzählige Chips gehen einzeln an die Gewinner, zuerst an die höchste Karte "
                  "nach Farbe (TDA 2024 20)."),
    "holdem": _("Die besten fünf aus sieben Karten zählen."),
    "omaha": _("Genau zwei eigene und drei Karten aus der Mitte zählen."),
    "stud": _("Die besten fünf aus sieben Karten zählen."),
    "omaha_hilo": _("Je zwei eigene und drei Karten aus der Mitte; die niedrige Hand hat fünf "
                    "verschiedene Werte bis acht und gewinnt die Hälfte."),
    "omaha5": _("Genau zwei der fünf eigenen und drei Karten aus der Mitte zählen."),
    "omaha5_hilo": _("Je zwei der fünf eigenen und drei Karten aus der Mitte; die niedrige Hand "
                     "hat fünf verschiedene Werte bis acht und gewinnt die Hälfte."),
    "stud_hilo": _("Die besten fünf aus sieben Karten; die niedrige Hand hat fünf verschiedene "
                   "Werte bis acht und gewinnt die Hälfte."),
    "razz": _("Die niedrigsten fünf aus sieben Karten gewinnen. Das Ass ist niedrig, Straßen und "
              "Flushes zählen nicht."),
    "triple_draw": _("Die niedrigste Hand gewinnt. Das Ass ist hoch, Straßen und Flushes zählen "
                     "gegen ihren Besitzer."),
    "odd_hilo": _("Der überzählige Chip zwischen hoher und niedriger Hälfte geht an die hohe "
                  "(TDA 2024 20)."),
    "opener_razz": _("In Razz eröffnet die höchste offene Karte, das Ass ist niedrig. Bei gleichem "
                     "Wert: ♠ ♥ ♦ ♣."),
    "first_razz": _("In Razz beginnt, wer offen das niedrigste Blatt zeigt, unter Gleichen der "
                    "Erste links vom Geber (so ist es üblich; die Farbe entscheidet hier nicht)."),
    "show": _("Zuerst zeigt, wer in der letzten Setzrunde zuletzt erhöht hat, sonst der Erste "
              "links vom Button. Nach einem All-in zeigen alle (TDA 2024 16, 17)."),
    "show_stud": _("Zuerst zeigt, wer in der letzten Setzrunde zuletzt erhöht hat, sonst das beste "
                   "offene Blatt. Nach einem All-in zeigen alle (TDA 2024 16, 17)."),
    "opener": _("Es eröffnet die niedrigste offene Karte, im Pot- und No Limit die höchste. Bei "
                "gleichem Wert: ♠ ♥ ♦ ♣."),
    "first": _("Es beginnt, wer offen das höchste Blatt zeigt, unter Gleichen die höchste Karte "
               "nach Farbe (TDA 2024 RP-10)."),
}  # fmt: skip


def sentence_of(no: Unruled) -> str:
    """Return the error of a question as a sentence in the reader's language."""
    return filled(NOS[no.code], no.about)


def filled(sentence: Sentence, about: Mapping[str, object]) -> str:
    """Return a sentence with its numbers, and its card as a symbol."""
    shown = {
        name: intcomma(value) if isinstance(value, int) else value for name, value in about.items()
    }
    if "card" in shown:
        shown["card"] = card_from_code(str(shown["card"])).symbol
    return str(sentence) % shown
