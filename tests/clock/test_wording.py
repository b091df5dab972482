"""What is said, word for word: all levels of the house's schedules, and everything beside them."""

import json
from datetime import timedelta

import pytest
from django.conf import settings

from clock.domain import Level, LevelKind, numbered
from clock.domain.wording import CueKind, Language, break_text, cue_texts
from tests.clock.vectors import CASES

TABLE = json.loads((CASES / "wording.json").read_text("utf-8"))["schedules"]
SCHEDULES = json.loads((settings.FIXTURES / "schedules.json").read_text("utf-8"))["schedules"]
GERMAN, ENGLISH = Language.GERMAN, Language.ENGLISH


def levels_of(name):
    rows = next(row["levels"] for row in SCHEDULES if row["name"] == name)
    return numbered([Level(id=number, **row) for number, row in enumerate(rows, 1)])


@pytest.mark.parametrize("name", sorted(TABLE))
@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("in_limit", [False, True])
def test_every_level_is_said_as_the_table_has_it(name, language, in_limit):
    texts = cue_texts(levels_of(name), language, shows_big_bet=in_limit)
    said = [texts[f"level-{number}"] for number in range(1, 16)]
    assert CueKind.BREAK_ENDS not in texts, "there is no break"
    assert said == [row[f"{language.value}_limit" if in_limit else language.value]
                    for row in TABLE[name]]  # fmt: skip


def test_breaks_and_what_follows_them():
    pause = Level(id=9, kind=LevelKind.BREAK, duration=timedelta(minutes=15))
    levels = [*levels_of("T200")[:1], pause, *levels_of("T200")[1:2]]
    german = cue_texts(levels, GERMAN, shows_big_bet=False)
    assert german["level-9"] == "Jetzt ist Pause: fünfzehn Minuten."
    assert german["level-2"].startswith("Die Pause ist zu Ende. Neue Blindstufe zwei: eins, zwei.")
    assert german[CueKind.BREAK_ENDS] == "Die Pause endet in einer Minute."
    assert german[CueKind.SOON] == "In fünf Minuten geht es los. Bitte die Plätze einnehmen."
    english = cue_texts(levels, ENGLISH, shows_big_bet=False)
    assert english["level-9"] == "It is break time: fifteen minutes."
    assert english["level-2"].startswith("The break is over. New blind level two")
    assert set(english) == set(german)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, "Jetzt ist Pause."), (30, "Jetzt ist Pause."), (60, "Jetzt ist Pause: eine Minute."),
     (1260, "Jetzt ist Pause: einundzwanzig Minuten.")],
)  # fmt: skip
def test_the_length_of_a_break(seconds, said):
    duration = None if seconds is None else timedelta(seconds=seconds)
    assert break_text(Level(id=1, kind=LevelKind.BREAK, duration=duration), GERMAN) == said
