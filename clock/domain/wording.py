"""The announcements in the hall, word for word, in German and English. Plays no sound.

Not in the interface's catalogue: these sentences are for the ear, with numbers in words, and a
screen may speak another language than it shows.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import StrEnum

from clock.domain import numerals
from clock.domain.values import Level, LimitKind

MINUTE = timedelta(minutes=1)


class Language(StrEnum):
    GERMAN = "de"
    ENGLISH = "en"


class CueKind(StrEnum):
    """The occasions of announcements. static/clock/cues.js finds the instants."""

    SOON = "soon"
    START = "start"
    LEVEL = "level"
    LAST_MINUTE = "last_minute"
    BREAK = "break"
    BREAK_ENDS = "break_ends"


SENTENCES: Mapping[Language, Mapping[str, str]] = {
    Language.GERMAN: {
        "soon": "In fünf Minuten geht es los. Bitte die Plätze einnehmen.",
        "last_minute": "Noch eine Minute in dieser Stufe.",
        "break_ends": "Die Pause endet in einer Minute.",
        "break": "Jetzt ist Pause.",
        "break_minute": "Jetzt ist Pause: eine Minute.",
        "break_minutes": "Jetzt ist Pause: {minutes} Minuten.",
        "start": "Das Spiel beginnt.",
        "after_break": "Die Pause ist zu Ende.",
        "first_level": "Blindstufe {number}: {small}, {big}.",
        "first_level_ante": "Stufe {number}.",
        "level": "Neue Blindstufe {number}: {small}, {big}.",
        "level_ante": "Neue Stufe {number}.",
        "small_bet": "Kleiner Einsatz: {amount}.",
        "big_bet": "Großer Einsatz: {amount}.",
        "ante": "Ante: {amount}.",
        "big_blind_ante": "Big-Blind-Ante: {amount}.",
        "bring_in": "Bring-in: {amount}.",
        "game": "Gespielt wird {game}.",
        "limit": "Limit: {limit}.",
        "in_force": "Gültig ab der nächsten Hand.",
    },
    Language.ENGLISH: {
        "soon": "Play begins in five minutes. Please take your seats.",
        "last_minute": "One minute left in this level.",
        "break_ends": "The break ends in one minute.",
        "break": "It is break time.",
        "break_minute": "It is break time: one minute.",
        "break_minutes": "It is break time: {minutes} minutes.",
        "start": "Play begins.",
        "after_break": "The break is over.",
        "first_level": "Blind level {number}: {small}, {big}.",
        "first_level_ante": "Level {number}.",
        "level": "New blind level {number}: {small}, {big}.",
        "level_ante": "New level {number}.",
        "small_bet": "Small bet: {amount}.",
        "big_bet": "Big bet: {amount}.",
        "ante": "Ante: {amount}.",
        "big_blind_ante": "Big blind ante: {amount}.",
        "bring_in": "Bring-in: {amount}.",
        "game": "The game is {game}.",
        "limit": "Limit: {limit}.",
        "in_force": "In force from the next hand.",
    },
}


# The same in both languages.
LIMITS: Mapping[str, str] = {
    LimitKind.NO_LIMIT: "No Limit",
    LimitKind.POT_LIMIT: "Pot Limit",
    LimitKind.SPLIT_LIMIT: "Split Limit",
    LimitKind.SPREAD_LIMIT: "Spread Limit",
}


def number_words(number: int, language: Language) -> str:
    """Return a whole number in words; a very large one in digits.

    >>> number_words(1500, Language.GERMAN), number_words(1500, Language.ENGLISH)
    ('eintausendfünfhundert', 'one thousand five hundred')
    """
    if number > numerals.LARGEST:
        return str(number)
    return numerals.german(number) if language is Language.GERMAN else numerals.english(number)


def cue_texts(
    levels: Sequence[Level], language: Language, *, shows_big_bet: bool
) -> dict[str, str]:
    """Return all announcements of a schedule, by the name of their cue.

    The start of a row is named `level-<its id>`, other cues by their kind.

    >>> texts = cue_texts([Level(id=7, number=1, small_blind=1, big_blind=2)],
    ...                   Language.ENGLISH, shows_big_bet=False)
    >>> texts["level-7"]
    'Play begins. Blind level one: one, two.'
    """
    said = SENTENCES[language]
    kinds = [CueKind.SOON, CueKind.LAST_MINUTE]
    if any(level.is_break for level in levels):
        kinds.append(CueKind.BREAK_ENDS)
    texts = {kind.value: said[kind] for kind in kinds}
    for before, level in zip([None, *levels], levels, strict=False):
        texts[f"level-{level.id}"] = (
            break_text(level, language)
            if level.is_break
            else level_text(level, before, language, shows_big_bet=shows_big_bet)
        )
    return texts


def break_text(level: Level, language: Language) -> str:
    """Return the announcement of a break, with its minutes if it has any.

    >>> break_text(Level(id=1, duration=timedelta(minutes=15)), Language.GERMAN)
    'Jetzt ist Pause: fünfzehn Minuten.'
    """
    said = SENTENCES[language]
    if level.duration is None or level.duration < MINUTE:
        return said["break"]
    minutes = round(level.duration / MINUTE)
    if minutes == 1:
        return said["break_minute"]
    return said["break_minutes"].format(minutes=number_words(minutes, language))


def level_text(
    level: Level, before: Level | None, language: Language, *, shows_big_bet: bool
) -> str:
    """Return the announcement of a level of play after the row `before`.

    The first level begins play. Every other one is announced as new, valid from the next hand (KRRU
    3.0). Bets are included if the limit has them, ante and bring-in if there are any, game and
    limit if they change. The blinds come before a big-blind ante, in the order of posting (TDA 2024
    RP-11).

    >>> fifth = Level(id=1, number=5, small_blind=8, big_blind=15, big_bet=30)
    >>> level_text(fifth, None, Language.GERMAN, shows_big_bet=False)
    'Neue Blindstufe fünf: acht, fünfzehn. Gültig ab der nächsten Hand.'
    """
    said = SENTENCES[language]
    is_first = level.number == 1
    parts = [said["start"]] if is_first else []
    if before is not None and before.is_break:
        parts.append(said["after_break"])
    head = ("first_" if is_first else "") + ("level" if level.big_blind else "level_ante")
    told = {"number": level.number, "small": level.small_blind, "big": level.big_blind}
    words = {name: number_words(value or 0, language) for name, value in told.items()}
    parts.append(said[head].format(**words))
    parts += _beside_the_blinds(level, language, shows_big_bet=shows_big_bet)
    if level.game and (before is None or before.game != level.game):
        parts.append(said["game"].format(game=level.game))
    if level.limit and (before is None or before.limit != level.limit):
        parts.append(said["limit"].format(limit=LIMITS[level.limit]))
    if not is_first:
        parts.append(said["in_force"])
    return " ".join(parts)


def _beside_the_blinds(level: Level, language: Language, *, shows_big_bet: bool) -> list[str]:
    small_bet, big_bet = level.bets(shows_big_bet=shows_big_bet)
    amounts = {
        "small_bet": small_bet,
        "big_bet": big_bet,
        "big_blind_ante" if level.is_big_blind_ante else "ante": level.ante,
        "bring_in": level.bring_in,
    }
    return [
        SENTENCES[language][name].format(amount=number_words(amount, language))
        for name, amount in amounts.items()
        if amount
    ]
