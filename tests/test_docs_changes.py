"""The differences that CONTRIBUTING leads a newcomer through fit the program as it stands."""

import re

import pytest

from krru.data.folder import BASE_DIR

PAGE = (BASE_DIR / "CONTRIBUTING.md").read_text("utf-8")
FILE = re.compile(r"^--- a/(\S+)\n\+\+\+ b/(\S+)\n", re.MULTILINE)
HUNK = re.compile(r"^@@ -(\d+),(\d+) \+\d+,(\d+) @@\n", re.MULTILINE)


def hunks():
    """Yield each file of each difference, with the lines of a hunk and what its head counts."""
    for block in re.findall(r"^```diff\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        for before, after, text in zip(*[iter(FILE.split(block)[1:])] * 3, strict=True):
            assert before == after
            for _first, *counted, body in zip(*[iter(HUNK.split(text)[1:])] * 4, strict=True):
                yield before, body.splitlines(), tuple(map(int, counted))


HUNKS = list(hunks())


def test_each_change_is_shown_as_a_difference():
    assert len({path for path, _lines, _counted in HUNKS}) == 10


@pytest.mark.parametrize(("path", "lines", "counted"), HUNKS, ids=[one[0] for one in HUNKS])
def test_it_applies(path, lines, counted):
    there = [line[1:] for line in lines if line[:1] in " -"]
    then = [line[1:] for line in lines if line[:1] in " +"]
    assert (len(there), len(then)) == counted
    # Where it says nothing of what stands around it, it could go anywhere.
    assert lines[0][:1] == lines[-1][:1] == " "
    text = f"\n{(BASE_DIR / path).read_text('utf-8')}"
    assert text.count("\n" + "\n".join(there) + "\n") == 1
