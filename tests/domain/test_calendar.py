"""Calendar files as RFC 5545 wants them: escaped, folded, in UTC."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.calendar import LONGEST_LINE, Appointment, calendar_text

START = datetime(2026, 11, 20, 18, tzinfo=UTC)


def file_of(**own):
    wanted = {
        "uid": "1@krru",
        "title": "Freitagsturnier",
        "begins_at": START,
        "lasts": timedelta(hours=4),
        "written_at": START,
    }
    return calendar_text(Appointment(**(wanted | own)))


def lines_of(text):
    """Return the lines unfolded (RFC 5545, 3.1)."""
    return text.replace("\r\n ", "").split("\r\n")


def unescaped(value):
    out, chars = "", iter(value)
    for char in chars:
        follows = next(chars) if char == "\\" else None
        out += char if follows is None else {"n": "\n"}.get(follows, follows)
    return out


def test_instants_are_in_utc():
    lines = lines_of(file_of(begins_at=datetime(2026, 7, 3, 19, tzinfo=ZoneInfo("Europe/Vienna"))))
    assert "DTSTART:20260703T170000Z" in lines
    assert "DTEND:20260703T210000Z" in lines


def test_what_has_meaning_in_a_file_is_escaped():
    lines = lines_of(file_of(title="A; B, C \\ D", text="eins\r\nzwei\x07\ndrei"))
    assert r"SUMMARY:A\; B\, C \\ D" in lines
    assert r"DESCRIPTION:eins\nzwei\ndrei" in lines


def test_a_title_cannot_add_a_line():
    lines = lines_of(file_of(title="Turnier\r\nATTENDEE:mailto:zeno@example.org"))
    assert not [line for line in lines if line.startswith("ATTENDEE")]


@given(st.text())
def test_rfc_5545_no_line_is_longer_than_75_octets_and_nothing_is_lost(text):
    kept = "".join(char for char in text if char == "\n" or (char >= " " and char != "\x7f"))
    kept = "\n".join(kept.splitlines())
    made = file_of(title=f"x{kept}")
    for line in made.split("\r\n"):
        assert len(line.encode()) <= LONGEST_LINE
    (title,) = [line for line in lines_of(made) if line.startswith("SUMMARY:")]
    assert unescaped(title.removeprefix("SUMMARY:")) == f"x{kept}"


def test_cancelled_and_later_editions_are_told():
    lines = lines_of(file_of(edition=7, is_cancelled=True))
    assert "STATUS:CANCELLED" in lines
    assert "SEQUENCE:7" in lines
    assert "STATUS:CONFIRMED" in lines_of(file_of())
    assert not [line for line in lines if line.startswith("DESCRIPTION")]


@pytest.mark.parametrize(
    "own",
    [
        {"begins_at": START.replace(tzinfo=None)},
        {"written_at": START.replace(tzinfo=None)},
        {"lasts": timedelta()},
    ],
)
def test_what_is_no_appointment(own):
    with pytest.raises(ValueError, match="time"):
        file_of(**own)
