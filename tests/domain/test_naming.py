"""Names: as typed, sorted and compared, scanned, invented, and taken out of texts."""

import string
import unicodedata
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krru.web.connections import is_counted, subscriber
from tournaments.door.domain.places import Capacity, Waiter, waiting_list_next
from tournaments.door.domain.scans import scanned_token
from tournaments.people.domain.naming import (
    are_similar,
    clean_name,
    initials,
    list_without,
    normal_name,
    sort_key,
    text_without,
)
from tournaments.post.domain.mail import one_line, wait_after
from tournaments.practice.domain.rehearsal import SHARES, SceneKind, invented_names, scene


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("Dora", "Dora"),
        ("  Arno \t Huber\r\n", "Arno Huber"),
        ("Petra\u00a0von\u2003der Au", "Petra von der Au"),
        ("Zoe\u0308 Zeno", "Zoë Zeno"),
        ("\u202eoneZ\u202c", "oneZ"),  # bidirectional override
        ("An\u200bna\ufeff", "Anna"),  # zero width
        ("An\x00na\x1b[31m", "Anna[31m"),
        ("Ze\ud800no", "Zeno"),  # half a surrogate pair could not be stored
        ("\u3164Anna\u2800", "Anna"),  # blank letters
        ("O’Brien-Łuczak jr.", "O’Brien-Łuczak jr."),
        ("李小龍", "李小龍"),
        ("7", "7"),
        ("x" * 200, "x" * 200),
    ],
)
def test_a_name_is_kept_without_what_cannot_be_seen(raw, cleaned):
    assert clean_name(raw) == cleaned


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        *((raw, "empty") for raw in ("", " ", "\n\t", "\u200b", "\u3164", "---", "?!", "\x00")),
        ("x" * 201, "too_long"),
    ],
)
def test_a_name_needs_a_letter_or_digit_and_has_at_most_200_characters(raw, code):
    with pytest.raises(ValueError, match=f"^{code}$"):
        clean_name(raw)


@given(st.text(max_size=30))
def test_what_was_made_tidy_once_stays_as_it_is(raw):
    key = sort_key(raw)
    assert key == " ".join(key.split())
    assert sort_key(key) == key
    assert normal_name(normal_name(raw)) == normal_name(raw)
    with suppress(ValueError):
        name = clean_name(raw)
        assert clean_name(name) == name
        assert unicodedata.is_normalized("NFC", name)
        assert name == " ".join(name.split())
        assert name.isprintable()
        name.encode("utf-8")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Petra Huber", "  petra   HUBER ", True),
        ("Jörg", "Jo\u0308rg", True),
        ("Strauß", "STRAUSS", True),
        ("Jörg", "Jorg", False),
        ("Petra Huber", "Huber Petra", False),
    ],
)
def test_the_same_person_typed_in_two_ways(one, other, same):
    assert (normal_name(one) == normal_name(other)) is same


KEYS = {
    "Österreicher": "osterreicher",
    "Straße": "strasse",
    "Łukasz Żak": "lukasz zak",
    "Çağrı Işık": "cagri isik",
    "İbrahim": "ibrahim",
    "O'Neill": "oneill",
    "Müller-Lang, Eva": "muller lang eva",
    "Søren Ærø": "soren aero",
    "_7_": "7",
}


def test_din_5007_1_umlauts_sort_as_their_letters():
    assert {name: sort_key(name) for name in KEYS} == KEYS
    names = ["Ärger", "Zeno", "Arno", "Müller", "Muller", "Mueller", "Petra", "Arnold", "Arno Z"]
    told = "Ärger, Arno, Arno Z, Arnold, Mueller, Muller, Müller, Petra, Zeno"
    assert ", ".join(sorted(names, key=lambda name: (sort_key(name), name))) == told


@pytest.mark.parametrize("letter", ["\ufdfa", "\ufb03", "ß", "\ufdfa "])
def test_the_keys_of_a_longest_name_are_bounded(letter):
    name = clean_name((letter * 200)[:200])
    for key in (sort_key(name), normal_name(name)):
        assert len(key) <= 400
        assert key == key.strip()


def test_initials():
    names = ("Dora", "Arno Huber", "Petra von der Au", "Sabine (Bine) Öller", "ßeta", "...")
    assert [initials(name) for name in names] == ["D", "AH", "PA", "SÖ", "S", ""]


@pytest.mark.parametrize(
    ("one", "other", "similar"),
    [
        ("Petra Probst", "petra  PROBST", True),
        ("Petra Probst", "Probst, Petra", True),
        ("Jörg Müller", "Joerg Mueller", True),
        ("Jörg Müller", "Jorg Muller", True),
        ("Anna Maria Gruber", "Anna Gruber", True),
        ("Eva", "eva", True),
        ("O’Brien Kate", "Kate OBrien", True),
        ("Petra Probst", "Peter Probst", False),
        ("Eva Lang", "Eva Land", False),  # too short for a letter to be a slip
        ("Eva", "Ewa", False),
        ("Gast 00017", "Gast 00018", False),
        ("Anna Gruber", "Gruber", False),
        ("Petra Probst", "Otto Lang", False),
        ("Petra Probst", "Petra Probstmann", False),
    ],
)
def test_names_that_may_be_one_persons(one, other, similar):
    assert are_similar(one, other) is similar
    assert are_similar(other, one) is similar


@given(st.text(max_size=30), st.text(max_size=30))
def test_being_similar_goes_both_ways(one, other):
    assert are_similar(one, one)
    assert are_similar(one, other) == are_similar(other, one)


@given(
    st.text("abcdfghijk", min_size=9, max_size=14),
    st.integers(0, 13),
    st.sampled_from(["other", "more", "less", "turned"]),
)
def test_wherever_one_letter_is_off_the_names_are_similar(letters, place, how):
    at = place % len(letters)
    before, after = letters[:at], letters[at + 1 :]
    wrong = {
        "other": f"{before}x{after}",
        "more": f"{before}x{letters[at:]}",
        "less": before + after,
        "turned": before + after[:1] + letters[at] + after[1:],
    }[how]
    assert are_similar(letters, wrong)
    assert are_similar(wrong, letters)


@given(st.text("abcde", min_size=8, max_size=12), st.text("fghij", min_size=8, max_size=12))
def test_names_without_a_letter_in_common_are_not_similar(one, other):
    assert not are_similar(one, other)


# --- What stays in texts of somebody who is erased, and on a line of mail


@given(st.text())
def test_a_line_is_one_line_and_stays_it(text):
    line = one_line(text)
    assert line.splitlines() in ([], [line])
    assert one_line(line) == line


def test_what_was_not_tried_has_nothing_to_wait_for():
    with pytest.raises(ValueError, match="0"):
        wait_after(0)


@given(st.text(alphabet="AB ", min_size=1), st.lists(st.text(alphabet="AB ", min_size=1)))
def test_only_whole_names_leave_a_list(name, others):
    left = list_without(", ".join([name, *others]), [name], "x").split(", ")
    assert left == ["x" if other == name else other for other in [name, *others]]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Petra Probst bitte kommen", "P bitte kommen"),
        ("PETRA PROBST, petra probst", "P, P"),
        ("Petra Probstein kommt", "Petra Probstein kommt"),
        ("Petra kommt", "Petra kommt"),
    ],
)
def test_full_names_leave_a_text(text, left):
    assert text_without(text, ["Petra", "Petra Probst", ""], "P") == left


def test_the_longer_of_two_names_goes_first():
    assert text_without("Eva Maria Lang", ["Eva Maria", "Eva Maria Lang"], "E") == "E"
    assert list_without("Eva.+", ["Eva.+"], r"\1") == r"\1"


# --- Invented names and scenes


SITTING = st.dictionaries(st.integers(1, 10), st.integers(1, 99), max_size=10)


@given(SITTING, st.integers(1, 1200), st.integers(1, 500))
def test_a_scene_is_about_somebody_who_sits_there(players, table, hand):
    found = scene("ab12", table=table, hand=hand, players=players)
    if found.kind is SceneKind.QUIET:
        assert (found.seat, found.by) == (None, None)
    else:
        assert found.seat in players
    if found.kind is SceneKind.OUT:
        assert found.by in players
        assert found.by != found.seat
    else:
        assert found.by is None
    assert found == scene("ab12", table=table, hand=hand, players=dict(players))


def test_scenes_come_about_as_often_as_said():
    players = {seat: seat for seat in range(1, 10)}
    kinds = Counter(scene("ab", table=1, hand=hand, players=players).kind for hand in range(4000))
    for kind, share in SHARES.items():
        assert kinds[kind] == pytest.approx(40 * share, rel=0.25)


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_invented_names_differ_or_are_too_many(firsts, lasts, data):
    given_names, surnames = [*"abcdef"[:firsts]], [*"uvwxyz"[:lasts]]
    count = data.draw(st.integers(0, firsts * lasts))
    names = invented_names(given_names, surnames, count=count)
    assert len(set(names)) == len(names) == count
    with pytest.raises(ValueError, match="not so many"):
        invented_names(given_names, surnames, count=firsts * lasts + 1)


# --- The door: places and the line, links typed by a scanner, and counted forms


small = st.integers(0, 60)


@given(small, small, small, small, small)
def test_what_is_free_and_taken_never_exceeds_the_capacity(
    capacity, reserved, placed, kept, offered
):
    room = Capacity(
        capacity=capacity, reserved=reserved, placed=placed, placed_reserved=kept, offered=offered
    )
    assert room.free >= 0
    assert room.free_reserved >= 0
    if room.free:
        assert room.taken + room.free <= capacity
    if room.free_reserved:
        assert room.taken + room.free_reserved <= capacity


@pytest.mark.parametrize("name", ["capacity", "reserved", "placed", "placed_reserved", "offered"])
def test_a_number_below_zero_is_no_room(name):
    with pytest.raises(ValueError, match="below zero"):
        Capacity(**{"capacity": 9, name: -1})


@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), max_size=20),
    st.integers(-2, 25),
    st.booleans(),
)
def test_the_line_is_kept(flags, free, only):
    line = [
        Waiter(registration=number, is_member=member, is_asked=asked)
        for number, (member, asked) in enumerate(flags)
    ]
    found = waiting_list_next(line, free=free, members_only=only)
    assert list(found) == sorted(found)
    assert len(found) <= max(0, free)
    eligible = [w.registration for w in line if not w.is_asked and (w.is_member or not only)]
    assert list(found) == eligible[: len(found)]
    assert len(found) == min(len(eligible), max(0, free))


# --- What a scanner typed: links, whatever keyboard it takes itself for; names are none


TOKENS = st.text(string.ascii_letters + string.digits + "-_", min_size=8, max_size=64)
GERMAN_KEYS = str.maketrans("/:-_yzYZ", "-Öß?zyZY")


@given(TOKENS, st.sampled_from(["http://krru.test:8000/p/", "https://a/p/", "/p/", "p/"]))
def test_a_link_gives_its_secret_from_an_american_scanner_on_a_german_keyboard_too(token, before):
    assert scanned_token(f" {before}{token}/ ") == token
    assert scanned_token(before + token) == token
    link = f"http://192.168.1.5:8000/p/{token}/"
    assert scanned_token(link.translate(GERMAN_KEYS)) == token


@pytest.mark.parametrize(
    "typed",
    [
        *("", "Petra", "p/kurz/", "http://krru.test/t/abend/", "/p/" + "x" * 65),
        *("Anna-p-Berger", "/p/zu viele Worte/", "/p/<script>alert(1)</script>/"),
    ],
)
def test_what_is_no_link_is_a_search(typed):
    assert scanned_token(typed) is None


# --- The internet is counted by connection, the hall by phone, none of our own


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "", "unix:", "300.1.1.1"]
)
def test_this_machine_and_what_is_no_address_are_not_counted(address):
    assert not is_counted(address)


PHONES = "10.0.0.8 192.168.1.2 172.16.0.1 169.254.3.4 100.64.0.9 fe80::1 fd00::7 84.112.3.4"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        *((phone, phone) for phone in PHONES.split()),
        ("::ffff:192.168.1.2", "192.168.1.2"),
        ("::ffff:84.112.3.4", "84.112.3.4"),
        ("2a02:8388:1:2::5", "2a02:8388:1:2::/64"),
        ("2a02:8388:1:2:ffff::1", "2a02:8388:1:2::/64"),
        ("2a02:8388:1:3::5", "2a02:8388:1:3::/64"),
    ],
)
def test_a_phone_is_counted_for_itself_and_the_internet_by_connection(address, counted):
    assert subscriber(address) == counted
