"""Schedules as files, of mixed games, and until when they let somebody in."""

import json
from contextlib import suppress
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.domain import Level, LevelKind, LimitKind, numbered, validate_levels
from clock.domain.wording import LIMITS, Language, level_text, number_words
from tests.domain.cases import fixture
from tournaments.event.domain.dealing import Need, dealt_to, measure, pieces_needed
from tournaments.event.domain.games import (
    KNOWN_GAMES,
    MIXES,
    Family,
    Game,
    Mix,
    deals_stud,
    game_named,
    mixed_schedule,
)
from tournaments.event.domain.latecomers import breaks_planned, last_late_position
from tournaments.event.domain.planning.blind_steps import end_of
from tournaments.event.domain.planning.planner import TOLERANCE, Wish
from tournaments.event.domain.schedule_files import (
    NotASchedule,
    ScheduleFile,
    levels_of,
    schedule_as_text,
    schedule_read,
)
from tournaments.event.domain.schedule_reading import schedule_from
from tournaments.event.domain.tdt import NotATournament, tdt_read

GOOD = {
    "format": "krru-schedule",
    "version": 1,
    "name": "Kurz",
    "starting_stack": 100,
    "level_minutes": 20,
    "levels": [{"small_blind": 1, "big_blind": 2}, {"kind": "break", "minutes": 10}],
}


KNOWN = ("name", "starting_stack", "level_minutes", "levels")
ROWS = {row["name"]: row for row in fixture("schedules.json")["schedules"]}
SCHEDULES = {
    name: schedule_read(schedule_as_text(ScheduleFile(**{key: row[key] for key in KNOWN})))
    for name, row in ROWS.items()
}


def refused(data):
    """Return why a file is refused."""
    with pytest.raises(NotASchedule) as problem:
        schedule_read(json.dumps(data))
    return problem.value.code, problem.value.row


@pytest.mark.parametrize("name", SCHEDULES)
def test_the_schedules_of_the_source_go_there_and_back(name):
    row, read = ROWS[name], SCHEDULES[name]
    assert (read.name, read.starting_stack) == (row["name"], row["starting_stack"])
    assert len(read.levels) == len(row["levels"])
    assert validate_levels(levels_of(read)) == []
    assert schedule_read(schedule_as_text(read)) == read


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"format": "pokerstove"}, "other_format"),
        ({"version": 2}, "newer"),
        ({"name": ""}, "bad_head"),
        ({"name": "x" * 81}, "bad_head"),
        ({"starting_stack": "100"}, "bad_head"),
        ({"starting_stack": True}, "bad_head"),
        ({"level_minutes": 0}, "bad_head"),
        ({"levels": []}, "no_rows"),
        ({"levels": {}}, "no_rows"),
        ({"levels": [{}] * 101}, "too_many_rows"),
    ],
)
def test_what_is_wrong_with_the_whole_file(own, code):
    assert refused(GOOD | own) == (code, 0)


@pytest.mark.parametrize(
    "row",
    [
        *("Pause", {"kind": "nap"}, {"minutes": -5}, {"minutes": 1.5}, {"hands": 0}),
        *({"big_blind": -2}, {"big_blind": "2"}, {"small_blind": None}, {"ante_kind": "all"}),
        *({"limit": "none"}, {"game": 7}, {"game": "x" * 41}, {"colour_up": 5}),
        {"colour_up": ["1"]},
    ],
)
def test_what_is_wrong_with_a_row_names_it(row):
    assert refused(GOOD | {"levels": [GOOD["levels"][0], row]}) == ("bad_row", 2)


@pytest.mark.parametrize("text", ["{", "[" * 100_000])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(NotASchedule, match="no_json"):
        schedule_read(text)
    assert refused([GOOD])[0] == "other_format"


NAMES = st.sampled_from([*GOOD, "kind", "minutes", "ante"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
)


@given(JSON)
def test_whatever_json_says_it_is_read_or_refused(data):
    whole = GOOD | data if isinstance(data, dict) else data
    try:
        read = schedule_read(json.dumps(whole))
    except NotASchedule:
        return
    assert levels_of(read)


# --- Mixed games


LENGTH = timedelta(minutes=20)


@pytest.mark.parametrize("name", ["T100", "T200", "T300"])
@pytest.mark.parametrize("mix", Mix)
def test_s25_every_schedule_of_the_house_can_be_played_as_any_mix(name, mix):
    levels, turns = levels_of(SCHEDULES[name]), len(MIXES[mix])
    for hands in (None, 8):
        found = mixed_schedule(levels, mix, hands=hands)
        assert validate_levels(found) == []
        assert len(found) == len(levels) * (turns if hands else 1)
        assert {level.hands for level in found} == {hands}
        played = [(level.game, level.limit) for level in found]
        assert played == [MIXES[mix][row % turns] for row in range(len(found))]


@pytest.mark.parametrize("name", ["T100", "T200", "T300"])
@pytest.mark.parametrize("language", Language)
def test_s25_every_level_of_a_mixed_evening_is_said_with_its_game_and_amounts(name, language):
    levels = numbered(mixed_schedule(levels_of(SCHEDULES[name]), Mix.EIGHT_GAME))
    for before, level in zip([None, *levels], levels, strict=False):
        said = level_text(level, before, language, shows_big_bet=False)
        assert f" {level.game}." in said
        if before is not None and before.limit != level.limit:
            assert LIMITS[level.limit] in said
        is_stud = game_named(level.game).family is Family.STUD
        assert ("Bring-in" in said, "Ante: " in said) == (is_stud, is_stud)
        amounts = (level.small_bet, level.big_bet) if is_stud else (level.small_blind,)
        for amount in amounts:
            assert number_words(amount, language).lower() in said.lower()


def test_the_sentences_of_two_levels_word_for_word():
    levels = numbered(mixed_schedule(levels_of(SCHEDULES["T200"]), Mix.HORSE))
    assert level_text(levels[4], levels[3], Language.GERMAN, shows_big_bet=False) == (
        "Neue Stufe fünf. Kleiner Einsatz: fünfzehn. Großer Einsatz: dreißig. Ante: drei. "
        "Bring-in: acht. Gespielt wird Stud Hi-Lo. Gültig ab der nächsten Hand."
    )
    assert level_text(levels[5], levels[4], Language.ENGLISH, shows_big_bet=False) == (
        "New blind level six: twelve, twenty-five. Big bet: fifty. The game is Texas Hold’em. "
        "In force from the next hand."
    )


@given(st.integers(1, 500), st.sampled_from([1, 5, 25]))
def test_what_stud_posts_is_paid_in_whole_chips(bet, unit):
    level = Level(id=1, small_blind=bet * unit, big_blind=2 * bet * unit)
    horse = mixed_schedule([level] * 5, Mix.HORSE, unit=unit)
    for row in horse:
        assert all(amount % unit == 0 for amount in row.amounts)
        assert row.unit == level.unit
        assert (row.ante > 0) == (row.small_bet > 0) == deals_stud(row.game)
    assert mixed_schedule(horse, Mix.HORSE, unit=unit) == horse


def test_breaks_and_chips_that_leave_stay_where_they_are():
    pause = Level(id=3, kind=LevelKind.BREAK, duration=LENGTH, colour_up=(1,))
    first = Level(id=1, duration=LENGTH, small_blind=1, big_blind=2, colour_up=(5,))
    found = mixed_schedule([first, pause], Mix.HORSE, hands=4)
    assert [row.colour_up for row in found] == [(5,), (), (), (), (), (1,)]
    assert found[-1] == pause


def test_every_game_of_a_mix_is_known_but_the_dealers_choice():
    named = {name for games in MIXES.values() for name, _limit in games}
    assert {name for name in named if game_named(name) is None} == {"Dealer’s Choice"}
    for game in KNOWN_GAMES:
        assert game_named(game.name) == game
        assert deals_stud(game.name) == (game.family is Family.STUD)
    assert [game_named(game).key for game in Game] == ["holdem", "omaha", "stud"]
    assert {limit for games in MIXES.values() for _name, limit in games} <= set(LimitKind)


# --- Until when somebody may enter late


def schedule(breaks):
    """Return levels, a break where `breaks` says so."""
    levels, number = [], 0
    for at, is_break in enumerate(breaks):
        number += not is_break
        kind = LevelKind.BREAK if is_break else LevelKind.PLAY
        levels.append(Level(id=at, kind=kind, duration=LENGTH, number=None if is_break else number))
    return levels


plans = st.lists(st.booleans(), max_size=12).map(schedule)
numbers = st.integers(0, 14)


@given(plans, numbers)
def test_a_level_ends_with_that_level_and_not_with_the_break_after_it(levels, number):
    at = last_late_position(levels, level=number)
    if at is None:
        assert not number or not [level for level in levels if level.number]
    else:
        assert levels[at].number == min(number, max(level.number or 0 for level in levels))


@given(plans, numbers, numbers)
def test_a_break_comes_before_the_level(levels, number, level):
    at = last_late_position(levels, level=level, pause=number)
    if not number:
        assert at == last_late_position(levels, level=level)
    elif at is None:
        assert not breaks_planned(levels)
    else:
        assert levels[at].is_break
        assert len(breaks_planned(levels[: at + 1])) == min(number, len(breaks_planned(levels)))


# --- The schedules for chips that clubs have, by the planner's own measures


CHIPS = {
    300: {25: 100, 100: 100, 500: 50, 1000: 50},
    500: {25: 150, 100: 150, 500: 100, 1000: 75, 5000: 25},
    1000: {25: 250, 100: 300, 500: 200, 1000: 150, 5000: 100},
}
EVENINGS = {  # the pieces, the minutes of an evening of twenty, the big blinds at the start
    "T5.000": (300, 240, 100),
    "T5.000 Turbo": (300, 150, 100),
    "T10.000": (500, 240, 100),
    "T10.000 Turbo": (500, 150, 100),
    "T10.000 Deepstack": (500, 330, 200),
    "T15.000": (1000, 270, 150),
    "T20.000": (1000, 270, 100),
    "T20.000 Turbo": (1000, 180, 100),
    "T20.000 Deepstack": (1000, 390, 200),
    "T30.000 Deepstack": (1000, 420, 300),
}
TWENTY = 20


def test_ten_schedules_ship_beside_those_of_steffen():
    assert set(SCHEDULES) - {"T100", "T200", "T300"} == set(EVENINGS)


@pytest.mark.parametrize("name", EVENINGS)
def test_a_shipped_schedule_is_one_the_planner_would_make(name):
    pieces, minutes, depth = EVENINGS[name]
    chips, levels = CHIPS[pieces], levels_of(SCHEDULES[name])
    play = [level for level in levels if not level.is_break]
    stack, first = SCHEDULES[name].starting_stack, play[0]
    assert (sum(chips.values()), name.split()[0]) == (pieces, f"T{stack:,}".replace(",", "."))
    wish = Wish(players=TWENTY, stack=stack, minutes=minutes, depth=depth)
    assert wish.begins_as_wished(first.big_blind)
    for one, following in pairwise(play):
        assert one.big_blind < following.big_blind <= one.big_blind * wish.percent / 100
    end = end_of(levels, wish.chips)
    assert abs(end.expected - timedelta(minutes=minutes)) <= TOLERANCE
    assert end.late is not None
    need = Need(stack=stack, small_blind=first.small_blind, big_blind=first.big_blind)
    bets = [amount for level in play for amount in (level.small_blind, level.big_blind)]
    dealt = dealt_to(pieces_needed(chips, TWENTY, need, bets), TWENTY, need)
    assert dealt.sets == (1 if pieces > 300 else 2)
    assert not measure(dealt.pieces, need)[0]
    smallest, larger = sorted(dealt.pieces)[:2]
    assert validate_levels(levels, [value for value in chips if value >= smallest]) == []
    assert any(bet % larger for bet in bets)  # the smallest chip is needed


# --- Blind schedules as clubs and other clocks write them


CASES = Path(__file__).parents[1] / "cases" / "people"


def read(text):
    """Return each row: kind, minutes, blinds and ante."""
    found = schedule_from(text)
    assert not [one for one in validate_levels(levels_of(found.schedule)) if not one.is_warning]
    return [
        (row["kind"][0], row["minutes"], row["small_blind"], row["big_blind"], row["ante"])
        for row in found.schedule.levels
    ]


def case(name):
    return (CASES / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        (
            "07-blindplan.csv",
            [("p", 20, 25, 50, 0), ("p", 20, 50, 100, 0), ("b", 10, 0, 0, 0),
             ("p", 20, 100, 200, 25)],
        ),
        (
            "08-blindplan-zeilen.txt",
            [("p", 30, 3, 6, 0), ("b", 5, 0, 0, 0), ("p", 30, 5, 10, 0), ("b", 10, 0, 0, 0),
             ("p", 30, 10, 20, 0)],
        ),
        ("09-abend.tdt", [("p", 20, 25, 50, 0), ("b", 5, 0, 0, 0), ("p", 20, 50, 100, 0)]),
    ],
)  # fmt: skip
def test_a_file_of_a_table_of_lines_or_of_the_tournament_director_is_a_schedule(name, rows):
    assert read(case(name)) == rows


def test_lines_keep_what_the_breaks_say_and_files_their_name_and_stack():
    found = schedule_from(case("08-blindplan-zeilen.txt"))
    assert found.schedule.levels[1]["colour_up"] == [1]
    assert found.notes == ("10 Pause mit Add-on",)
    found = schedule_from(case("09-abend.tdt"))
    assert (found.schedule.name, found.schedule.starting_stack) == ("Abend 1", 10_000)
    found = schedule_from('{"name": "X", "startingStack": 700, "blinds": [[1, 2], [2, 4]]}')
    assert (found.schedule.name, found.schedule.starting_stack) == ("X", 700)
    found = schedule_from("25/50\n50/100", name="Meiner", stack=3000)
    assert (found.schedule.name, found.schedule.starting_stack) == ("Meiner", 3000)


PLAY = [("p", 20, 25, 50, 0), ("b", 10, 0, 0, 0), ("p", 20, 50, 100, 0)]
SAME = [
    "Level 1: 25/50, 20 min\nBreak 10 min\nLevel 2: 50/100, 20 min",
    "1\t25\t50\t0\t20:00\nPause\t\t\t\t10:00\n2\t50\t100\t0\t20:00",
    "Level;Blinds;Dauer\n1;25/50;20 min\nPause;;10 min\n2;50/100;20 min",
    "Stufe|SB|BB|Minuten\n1|25|50|20\n|||\n Pause||| 10\n2|50|100|20",
    "25 50 20\nPause 10\n50 100 20",
    "Runde 1 25 50 20\nDinner Break 10\nRunde 2 50 100 20",
    json.dumps({"levels": [
        {"smallBlind": 25, "bigBlind": 50, "duration": 1200}, {"isBreak": True, "duration": 600},
        {"smallBlind": 50, "bigBlind": 100, "duration": 1200},
    ]}),
    json.dumps([
        {"level": 1, "sb": 25, "bb": 50, "minutes": 20}, {"type": "break", "minutes": 10},
        {"level": 2, "sb": 50, "bb": 100, "minutes": 20},
    ]),
    json.dumps({"structure": {"rounds": [
        {"blinds": "25/50", "durationSeconds": 1200}, {"break": 10},
        {"blinds": "50/100", "durationSeconds": 1200},
    ]}}),
]  # fmt: skip


WITH_ANTE = [("p", 20, 100, 200, 200), ("b", 15, 0, 0, 0), ("p", 20, 200, 400, 400)]
ANTES = [
    json.dumps({"levels": [
        {"small": 100, "big": 200, "ante": "bb", "minutes": 20}, {"break": True, "minutes": 15},
        {"small": 200, "big": 400, "ante": "BB", "minutes": 20},
    ]}),
    json.dumps([
        {"sb": "100", "bb": "200", "bbAnte": True, "duration": "20 min"},
        {"type": "break", "duration": "15:00"},
        {"sb": "0.2k", "bb": "0.4k", "bbAnte": True, "duration": "20 min"},
    ]),
    "Level,Small Blind,Big Blind,Ante,Duration\n1,100,200,BB,20\nBreak,,,,15\n2,200,400,BBA,20",
    "Stufe;Blinds;Ante;Dauer\n1;100 / 200;bb;20 min\nPause;eine Viertelstunde;;\n2;200 / 400;bb;20",
    "SB;BB;Ante;Dauer;Anmerkung\n100;200;200;0:20;danach 15 Minuten Pause\n200;400;400;0:20;",
    "100/200 (200) 20 min, danach 15 min Pause\n200/400 (400) 20 min",
]  # fmt: skip


@pytest.mark.parametrize("text", ANTES)
def test_an_ante_by_a_word_and_a_break_in_words_are_read(text):
    assert read(text) == WITH_ANTE
    rows = schedule_from(text).schedule.levels
    assert {row["ante_kind"] for row in rows if row["ante"]} == {"big_blind"}


@pytest.mark.parametrize("text", SAME)
def test_the_same_schedule_is_read_from_each_form(text):
    assert read(text) == PLAY


def test_antes_as_large_as_the_big_blind_are_the_big_blinds():
    rows = schedule_from("100/200/200 20 min\n200/400/400 20 min").schedule.levels
    assert {row["ante_kind"] for row in rows} == {"big_blind"}
    rows = schedule_from("1k/2k ante 200 20 min\n2k/4k ante 400 20 min").schedule.levels
    assert [(row["big_blind"], row["ante_kind"]) for row in rows] == [
        (2000, "each"), (4000, "each"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "hallo\nwelt", "[]", "{}", "Pause 10 min", "{T: new Tournament("]
)
def test_what_is_no_schedule_is_refused(text):
    with pytest.raises(NotASchedule):
        schedule_from(text)


@given(st.text(max_size=80), st.text(alphabet='0123456789/ ;,\n.kPauseant:min{}[]"', max_size=80))
def test_any_text_is_a_schedule_or_refused(one, other):
    for text in (one, other, json.dumps([{"sb": one, "bb": other}])):
        with suppress(NotASchedule):
            schedule_from(text)


@given(st.text(alphabet="{}[]():,\"' newMap.from1a\\", max_size=60))
def test_any_text_is_a_file_of_the_director_or_refused(text):
    with suppress(NotATournament):
        tdt_read(text)
