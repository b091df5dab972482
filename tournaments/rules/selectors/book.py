"""The rule book of a tournament for players to read and search: chapters of short parts.

The house rules are separate: they are chosen, versioned and shown on the same page. `ANCHORS` gives
the place on that page of each rule behind an answer of the desk.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clock.domain import Level
from clock.selectors import clock_levels, clock_plan
from tournaments.changes.access import Sentence
from tournaments.event.domain.cards import Suit, seat_cards
from tournaments.event.domain.games import (
    DEALERS_CHOICE,
    FEWEST_SEATS,
    KNOWN_GAMES,
    MOST_SEATS,
    game_named,
)
from tournaments.event.selectors.labels import late_until
from tournaments.event.selectors.schedule import level_minutes
from tournaments.models import Event

# By anchor: the heading, and the paragraphs below it.
Words = Mapping[str, tuple[Sentence, ...]]
# Always explained; other games only if the schedule contains them.
ALWAYS = ("holdem", "omaha", "stud")
# By the codes of `words.RULES`.
ANCHORS: Mapping[str, str] = {
    **dict.fromkeys(("double_bet", "by_double", "previous_raise", "largest_raise"), "raising"),
    **{name: name for name in ("no_limit", "pot_limit", "split_limit", "spread_limit")},
    **{name: name for name in ("holdem", "omaha", "stud", "opener", "first", "show", "pots")},
    "opened": "pots",
    "odd": "odd",
    "odd_stud": "odd",
    "odd_hilo": "odd",
    "opener_razz": "opener",
    "first_razz": "first",
    "show_stud": "show",
    "silent": "in_turn",
    "straddle": "in_turn",
    "under_call": "in_turn",
}


def anchors_of(event: Event) -> dict[str, str]:
    """Return the anchors of the rules on an event's page.

    A game that is neither always explained nor played here has no chapter; its anchor is the part
    on who shows.
    """
    games, _limits = _played(event)
    known = {game.key for game in KNOWN_GAMES} - ANCHORS.keys()
    return {**ANCHORS, **{key: key if key in games else "show" for key in known}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The text of one heading; `key` is its anchor.

    :param is_played: Whether it is a game or limit of this tournament.
    :param cards: Drawn cards below it, as (rank, name of the suit's drawing).
    """

    key: str
    title: Sentence
    texts: tuple[Sentence, ...]
    is_played: bool = False
    cards: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A group of parts."""

    key: str
    title: Promise
    parts: tuple[Part, ...]


def chapters_before(event: Event) -> list[Chapter]:
    """Return the chapters before the hands and the house rules: games, betting."""
    games, limits = _played(event)
    shown = {key: words for key, words in GAMES.items() if key in ALWAYS or key in games}
    play = {**GOAL, **shown, **SHOWDOWN}
    return [
        Chapter(key="book-play", title=_("So wird gespielt"), parts=_parts(play, games)),
        Chapter(key="book-bets", title=_("Einsätze"), parts=_parts(BETTING, limits)),
    ]


def chapters_after(event: Event) -> list[Chapter]:
    """Return the chapters after them: conduct, times, seats by drawn cards."""
    today = Part(key="times", title=_("Heute"), texts=tuple(times(event)))
    seats = min(max(event.seats_per_table, FEWEST_SEATS), MOST_SEATS)
    drawn = [
        replace(part, cards=tuple((rank.label, Suit.SPADES.sign) for rank in seat_cards(seats)))
        for part in _parts(SEAT_CARDS)
    ]
    return [
        Chapter(key="book-conduct", title=_("Miteinander"), parts=_parts(CONDUCT)),
        Chapter(key="book-times", title=_("Zeiten"), parts=(today,)),
        Chapter(key="book-seats", title=_("Platzkarten"), parts=tuple(drawn)),
    ]


def _parts(words: Words, played: frozenset[str] = frozenset()) -> tuple[Part, ...]:
    return tuple(
        Part(key=key, title=title, texts=tuple(texts), is_played=key in played)
        for key, (title, *texts) in words.items()
    )


def _played(event: Event) -> tuple[frozenset[str], frozenset[str]]:
    levels = [level for level in clock_levels(event.clock) if not level.is_break]
    limits = frozenset(level.limit or event.limit for level in levels)
    return frozenset(_keys({level.game or event.game for level in levels})), limits


def _keys(names: set[str]) -> Iterator[str]:
    for name in names:
        game = game_named(name)
        if game is not None:
            yield game.key
        elif name == DEALERS_CHOICE:
            yield "dealers_choice"


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


# --- The rule book's texts on the games and on betting, in our words


GOAL: Words = {
    "goal": (
        _("Worum es geht"),
        _("In jeder Hand wird um die Chips in der Mitte gespielt, den Pot. Du gewinnst ihn mit "
          "der besten Hand, oder weil alle anderen passen."),
        _("Wer keine Chips mehr hat, ist aus. Wer zuletzt noch welche hat, gewinnt das Turnier."),
    ),
}  # fmt: skip

GAMES: Words = {
    "holdem": (
        _("Texas Hold’em"),
        _("Du bekommst zwei Karten, die nur du siehst. In die Mitte kommen offen drei Karten "
          "(Flop), dann eine (Turn), dann noch eine (River)."),
        _("Gesetzt wird viermal: vor dem Flop und nach jedem Mal, dass Karten in die Mitte "
          "kommen. Es zählen die besten fünf aus deinen zwei und den fünf der Mitte, gleich "
          "wie viele davon deine sind."),
    ),
    "omaha": (
        _("Omaha"),
        _("Wie Texas Hold’em, aber du bekommst vier Karten. Es zählen genau zwei von deinen "
          "und genau drei aus der Mitte, nie mehr und nie weniger."),
    ),
    "omaha_hilo": (
        "Omaha Hi-Lo",
        _("Wie Omaha, aber die höchste und die niedrigste Hand teilen den Pot. Für die niedrige "
          "zählen fünf verschiedene Werte, keiner über acht; das Ass ist dabei niedrig, Straßen "
          "und Flushes stören nicht. Du darfst für sie zwei andere eigene Karten nehmen."),
        _("Hat niemand eine niedrige Hand, bekommt die höchste alles."),
    ),
    "omaha5": (
        _("Omaha mit fünf Karten"),
        _("Wie Omaha, aber du bekommst fünf Karten. Auch davon zählen genau zwei, und genau "
          "drei aus der Mitte."),
    ),
    "omaha5_hilo": (
        _("Omaha Hi-Lo mit fünf Karten"),
        _("Wie Omaha Hi-Lo, aber du bekommst fünf Karten. Für die hohe und für die niedrige "
          "Hand zählen je genau zwei davon."),
    ),
    "stud": (
        _("Seven Card Stud"),
        _("Es gibt keine Karten in der Mitte und keine Blinds. Jeder setzt eine Ante und bekommt "
          "zwei Karten verdeckt und eine offen, dann drei offen, die letzte verdeckt; nach jeder "
          "wird gesetzt, also fünfmal. Es zählen die besten fünf aus deinen sieben."),
    ),
    "stud_hilo": (
        "Stud Hi-Lo",
        _("Wie Seven Card Stud, aber die höchste und die niedrigste Hand teilen den Pot. Für "
          "die niedrige zählen fünf verschiedene Werte, keiner über acht."),
    ),
    "razz": (
        "Razz",
        _("Ausgeteilt wie Seven Card Stud, aber die niedrigste Hand gewinnt. Das Ass ist "
          "niedrig, Straßen und Flushes zählen nicht: 5-4-3-2-A ist die beste."),
        _("Hier eröffnet die höchste offene Karte, und danach beginnt, wer offen das "
          "niedrigste Blatt zeigt."),
    ),
    "triple_draw": (
        "2-7 Triple Draw",
        _("Du bekommst fünf Karten verdeckt und darfst dreimal beliebig viele tauschen. "
          "Gesetzt wird vor dem ersten und nach jedem Tausch."),
        _("Die niedrigste Hand gewinnt. Das Ass ist hoch, Straßen und Flushes zählen gegen "
          "dich: 7-5-4-3-2 in verschiedenen Farben ist die beste."),
    ),
    "dealers_choice": (
        "Dealer’s Choice",
        _("Wer den Button hat, sagt das Spiel der Hand an, eines von denen, die das Haus "
          "erlaubt. Es gilt, bis der Button einmal herum ist oder wie das Haus es ansagt."),
    ),
}  # fmt: skip

SHOWDOWN: Words = {
    "opener": (
        _("Stud: wer eröffnet"),
        _("Die erste Setzrunde eröffnet, wer die niedrigste offene Karte hat, mit dem "
          "Bring-in; in Pot Limit und No Limit die höchste. Zeigen zwei denselben Wert, gilt "
          "die Farbe: Pik vor Herz, Karo und Kreuz."),
        _("In Razz eröffnet in jedem Limit die höchste offene Karte; das Ass ist niedrig."),
    ),
    "first": (
        _("Stud: wer danach beginnt"),
        _("In jeder weiteren Setzrunde beginnt, wer offen das höchste Blatt zeigt. Zeigen "
          "mehrere dasselbe, entscheidet die höchste Karte nach Farbe; in Razz der Platz, "
          "zuerst links vom Geber."),
    ),
    "show": (
        _("Wer zuerst zeigt"),
        _("Am Ende zeigt zuerst, wer in der letzten Setzrunde zuletzt gesetzt oder erhöht hat. "
          "Hat niemand gesetzt, der Erste links vom Button; in Stud, wer offen das höchste "
          "Blatt hat, in Razz das niedrigste. Dann im Uhrzeigersinn."),
        _("Wer schon geschlagen ist, darf seine Karten verdeckt weglegen. Wer den Pot will, "
          "zeigt alle. Ist jemand all-in, zeigen alle Spieler, die noch dabei sind."),
    ),
    "tied": (
        _("Gleiche Hände"),
        _("Haben zwei dieselbe Hand bis zur fünften Karte, teilen sie. Pik, Herz, Karo und "
          "Kreuz sind dabei gleich viel wert."),
    ),
}  # fmt: skip

BETTING: Words = {
    "round": (
        _("Eine Setzrunde"),
        _("Gespielt wird im Uhrzeigersinn. Bist du dran, kannst du passen, mitgehen oder "
          "erhöhen; hat noch niemand gesetzt, schieben oder setzen. Sie ist zu Ende, wenn "
          "alle, die noch dabei sind, gleich viel gesetzt haben oder all-in sind."),
        _("In der ersten Setzrunde beginnt, wer links vom Big Blind sitzt; der Big Blind darf "
          "noch erhöhen, auch wenn alle nur mitgegangen sind. Danach beginnt der Erste links "
          "vom Button. In Stud sagen die offenen Karten, wer beginnt."),
        _("Niemand erhöht sich selbst: Wer gesetzt hat, darf erst wieder erhöhen, wenn nach "
          "ihm jemand voll erhöht hat."),
    ),
    "raising": (
        _("Um wie viel erhöht wird"),
        _("Gesetzt wird mindestens der Big Blind. Wie viel eine Erhöhung mindestens ist, sagt "
          "das Haus."),
        _("Wer dafür zu wenig Chips hat, darf trotzdem all-in gehen. Warst du schon dran, "
          "darfst du erst wieder erhöhen, wenn zum Mitgehen mindestens eine volle Erhöhung "
          "fehlt, in Split Limit eine halbe."),
    ),
    "no_limit": (
        _("No Limit"),
        _("Du darfst jederzeit alles setzen, was vor dir liegt."),
    ),
    "pot_limit": (
        _("Pot Limit"),
        _("Du darfst höchstens um den Pot erhöhen. Dein eigener Call zählt mit: Liegen 30 im "
          "Pot und kostet Mitgehen 10, darfst du auf 10 + 40, also 50, gehen."),
        _("Vor dem Flop zählen beide Blinds voll, auch wenn einer fehlt oder zu klein ist."),
    ),
    "split_limit": (
        _("Split Limit"),
        _("Alle Einsätze sind fest: in den ersten Setzrunden der kleine, dann der große. Jede "
          "Erhöhung ist genau so hoch, und in einer Setzrunde wird höchstens dreimal erhöht."),
    ),
    "spread_limit": (
        _("Spread Limit"),
        _("Jeder Einsatz und jede Erhöhung liegt zwischen zwei Grenzen, die das Haus ansagt."),
    ),
    "pots": (
        _("All-in und Side Pots"),
        _("Wer all-in ist, bleibt in der Hand und gewinnt von jedem höchstens so viel, wie er "
          "selbst gesetzt hat. Was darüber hinausgeht, kommt in einen Side Pot für die anderen."),
        _("Ein Beispiel: Du bist mit 70 all-in, zwei andere setzen je 140. Im Hauptpot liegen "
          "dreimal 70, also 210; im Side Pot zweimal 70, also 140, und den gewinnt einer der "
          "beiden anderen."),
        _("Hat jemand mehr gesetzt, als ein anderer halten konnte, bekommt er den Rest zurück. "
          "Kann niemand mehr setzen, werden die Hände geöffnet, bevor weitere Karten kommen."),
    ),
    "odd": (
        _("Ein Chip zu viel"),
        _("Lässt sich ein geteilter Pot nicht gleich teilen, gehen die überzähligen Chips "
          "einzeln an die Gewinner, zuerst links vom Button; in Stud zuerst an die höchste "
          "Karte nach Farbe."),
        _("Teilen eine hohe und eine niedrige Hand, bekommt die hohe den überzähligen Chip."),
    ),
}  # fmt: skip


CONDUCT: Words = {
    "in_turn": (
        _("Wenn du dran bist"),
        _("Sag deutlich, was du tust, bevor du Chips bewegst: Was gesagt ist, gilt. Spiel "
          "erst, wenn du dran bist, und setz in einem Zug."),
        _("Legst du ohne ein Wort einen einzelnen Chip hin, der mehr wert ist, als verlangt ist, "
          "so ist das ein Call. Mehrere Chips sind auch einer, wenn du dafür alle brauchst."),
    ),
    "hand_care": (
        _("Karten und Chips"),
        _("Karten bleiben auf dem Tisch und für alle sichtbar, große Chips vorne. Pass auf "
          "deine Karten auf: Eine Hand, die eingezogen wurde, ist tot."),
        _("Wirf Chips nicht in den Pot, sondern leg sie vor dich."),
    ),
    "one_player": (
        _("Eine Hand, ein Spieler"),
        _("Jeder spielt allein. Solange gespielt wird, redet niemand über die Hand, zeigt "
          "Karten her oder gibt Rat, auch nicht, wer schon gepasst hat oder zuschaut."),
    ),
    "leaving": (
        _("Aufstehen"),
        _("Gib Bescheid, wenn du länger weggehst. Solange du nicht am Platz bist, ist deine "
          "Hand tot; was du schon gesetzt hast, bleibt im Pot, und deine Blinds und Antes "
          "laufen weiter."),
    ),
    "penalties": (
        _("Wenn jemand stört"),
        _("Wer stört oder sich nicht an die Regeln hält, wird verwarnt oder setzt einige Hände aus "
          "und zahlt dabei seine Blinds weiter. Disqualifizieren kann nur die Turnierleitung."),
    ),
    "asking": (
        _("Wenn etwas unklar ist"),
        _("Sprich gleich die Turnierleitung oder einen Schiedsrichter an, solange die Hand "
          "noch läuft. Ihr Wort gilt, auch wo hier etwas anderes zu lesen ist."),
    ),
    "out": (
        _("Wenn du ausgeschieden bist"),
        _("Mach deinen Platz frei. Zuschauen darfst du gern, mit etwas Abstand zum Tisch."),
    ),
}  # fmt: skip

SEAT_CARDS: Words = {
    "seat_cards": (
        _("Plätze mit Karten ziehen"),
        _("Werden die Plätze an einem Tisch mit Karten gezogen, mischt man so viele, wie er "
          "Plätze hat: vom Ass an aufwärts, ohne Lücke. Das Ass ist die niedrigste."),
        _("Jeder zieht eine. Das Ass sitzt auf Platz 1, die Zwei daneben im Uhrzeigersinn, und "
          "so weiter."),
    ),
}  # fmt: skip
