"""Rows as people: which columns are read, as guessed or as said, and what they tell."""

import pytest

from tests.domain.files import people, rows_of
from tournaments.imports.domain.listing import Columns, Fault, Kind, Layout, listing_of, member_of
from tournaments.papers.domain.sheets import SheetError


def test_contact_member_and_remark_are_read_and_what_is_neither_yes_nor_no_is_said():
    text = (
        "Name;Handy;Mitglied;Bemerkung\nEva;'+43 660 1;ja;kommt später\nOtto;;nein;\n"
        "Ina;;;\nMax;;vielleicht;\n"
    )
    lines = people(text).lines
    assert [(line.phone, line.is_member, line.remark, line.fault) for line in lines] == [
        ("+43 660 1", True, "kommt später", None),
        ("", False, "", None),
        ("", None, "", None),
        ("", None, "", Fault.MEMBER),
    ]
    assert [member_of(word) for word in ("X", "0", "Gast")] == [True, False, False]


def test_the_columns_may_be_said_and_the_row_of_the_first_person():
    layout = Layout(columns=Columns(names=(0,), email=2), first_row=3)
    text = "Nick;Punkte;Post\nalt;1;\nEva;2;e@x.at\n"
    listing = people(text, layout)
    assert [(line.number, line.name, line.email) for line in listing.lines] == [
        (3, "Eva", "e@x.at")
    ]
    assert (listing.has_headings, listing.width) == (True, 3)
    below = Layout(columns=layout.columns, first_row=9)
    with pytest.raises(SheetError, match="only_headings"):
        people(text, below)


def test_nothing_is_guessed_when_only_the_beginning_is_asked_for():
    listing = listing_of(iter(rows_of("Name\nEva\n")), guesses=False)
    assert (listing.layout, list(listing.lines), listing.has_headings) == (None, [], False)


def test_what_a_column_is_read_as_is_what_it_was_said_to_be():
    columns = Columns(names=(1, 0), email=2, phone=3, member=4, remark=5)
    assert [columns.kind_of(index) for index in range(7)] == [
        Kind.LAST, Kind.FIRST, Kind.EMAIL, Kind.PHONE, Kind.MEMBER, Kind.REMARK, None,
    ]  # fmt: skip
    assert Columns(names=(1,)).kind_of(1) == Kind.NAME
    assert columns.read == frozenset(range(6))
