import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.people.domain.naming import (
    are_similar,
    clean_name,
    initials,
    normal_name,
    sort_key,
)


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


@pytest.mark.parametrize("raw", ["", " ", "\n\t", "\u200b", "\u3164", "---", "?!", "\x00"])
def test_a_name_needs_a_letter_or_digit(raw):
    with pytest.raises(ValueError, match=r"^empty$"):
        clean_name(raw)


def test_a_name_has_at_most_200_characters():
    with pytest.raises(ValueError, match=r"^too_long$"):
        clean_name("x" * 201)


@given(st.text(max_size=30))
def test_cleaning_twice_is_cleaning_once(raw):
    try:
        name = clean_name(raw)
    except ValueError:
        return
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


@given(st.text(max_size=30))
def test_normal_names_stay_what_they_are(name):
    assert normal_name(normal_name(name)) == normal_name(name)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Österreicher", "osterreicher"),
        ("Straße", "strasse"),
        ("Łukasz Żak", "lukasz zak"),
        ("Çağrı Işık", "cagri isik"),
        ("İbrahim", "ibrahim"),
        ("O'Neill", "oneill"),
        ("Müller-Lang, Eva", "muller lang eva"),
        ("Søren Ærø", "soren aero"),
        ("_7_", "7"),
    ],
)
def test_din_5007_1_umlauts_sort_as_their_letters(name, key):
    assert sort_key(name) == key


def test_din_5007_1_a_list():
    names = ["Ärger", "Zeno", "Arno", "Müller", "Muller", "Mueller", "Petra", "Arnold", "Arno Z"]
    assert sorted(names, key=lambda name: (sort_key(name), name)) == [
        "Ärger", "Arno", "Arno Z", "Arnold", "Mueller", "Muller", "Müller", "Petra", "Zeno",
    ]  # fmt: skip


@given(st.text(max_size=30))
def test_a_sort_key_is_tidy_and_ignores_case(name):
    key = sort_key(name)
    assert key == " ".join(key.split())
    assert sort_key(key) == key


@pytest.mark.parametrize("letter", ["\ufdfa", "\ufb03", "ß", "\ufdfa "])
def test_the_keys_of_a_longest_name_are_bounded(letter):
    name = clean_name((letter * 200)[:200])
    for key in (sort_key(name), normal_name(name)):
        assert len(key) <= 400
        assert key == key.strip()


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Dora", "D"),
        ("Arno Huber", "AH"),
        ("Petra von der Au", "PA"),
        ("petra Huber", "PH"),
        ("Sabine (Bine) Öller", "SÖ"),
        ("ßeta", "S"),
        ("...", ""),
    ],
)
def test_initials(name, letters):
    assert initials(name) == letters


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Petra Probst", "petra  PROBST"),
        ("Petra Probst", "Probst, Petra"),
        ("Petra Probst", "Petra Propst"),  # another letter
        ("Petra Probst", "Petra Prrobst"),  # one more
        ("Petra Probst", "Pertra Probst"),
        ("Petra Probst", "Perta Probst"),  # turned round
        ("Jörg Müller", "Joerg Mueller"),
        ("Jörg Müller", "Jorg Muller"),
        ("Anna Maria Gruber", "Anna Gruber"),
        ("Eva", "eva"),
        ("O’Brien Kate", "Kate OBrien"),
    ],
)
def test_names_that_may_be_one_persons(one, other):
    assert are_similar(one, other)
    assert are_similar(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Petra Probst", "Peter Probst"),
        ("Eva Lang", "Eva Land"),  # too short for a letter to be a slip
        ("Eva", "Ewa"),
        ("Gast 00017", "Gast 00018"),
        ("Anna Gruber", "Gruber"),
        ("Petra Probst", "Otto Lang"),
        ("Petra Probst", "Petra Probstmann"),
    ],
)
def test_names_of_two_people(one, other):
    assert not are_similar(one, other)
    assert not are_similar(other, one)


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
