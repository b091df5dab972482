"""Read tables, sections and blocks of code out of Markdown."""

import itertools
import re

FENCE = "```"
RULE = re.compile(r"\|[ |:-]+\|")


def code_blocks(text: str, language: str | None = None) -> list[str]:
    """Return the fenced blocks, all or those of one language, without their fences."""
    found = re.findall(rf"^{FENCE}(\w*)\n(.*?)^{FENCE}$", text, re.MULTILINE | re.DOTALL)
    return [block.rstrip("\n") for name, block in found if language in (None, name)]


def headings(text: str) -> dict[str, str]:
    """Return the text below each heading, up to the next of any level."""
    parts = re.split(r"^#{1,3} (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str) -> list[list[str]]:
    """Return the cells of every row of every table, heads and rules left out."""
    lines = [*text.splitlines(), ""]
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line, following in itertools.pairwise(lines)
        if line.startswith("|") and not RULE.fullmatch(line) and not RULE.fullmatch(following)
    ]


def table_after(text: str, heading: str) -> list[list[str]]:
    """Return the rows of the tables between a heading and the next of its level."""
    level = heading.split(" ", maxsplit=1)[0]
    after = text.split(f"\n{heading}\n", 1)[1]
    return rows(re.split(rf"^{level} ", after, maxsplit=1, flags=re.MULTILINE)[0])
