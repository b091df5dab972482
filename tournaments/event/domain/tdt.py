"""Files of The Tournament Director (.tdt): objects as in JavaScript, read into dictionaries."""

import json
import re
from typing import Any

KIND = "__kind__"
DEEPEST, MOST_PARTS = 40, 500_000
_TOKEN = re.compile(
    r"""\s*(?://[^\n]*\n\s*|/\*.*?\*/\s*)*
    (?P<token>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[A-Za-z_$][\w$.]*
    |[][{}():,])""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}


class NotATournament(ValueError):
    """The text is no such file."""


def looks_like_tdt(text: str) -> bool:
    """Tell whether a text is a file of The Tournament Director."""
    return re.search(r"new\s+(?:Tournament|Game[A-Z]\w*)\s*\(", text[:20_000]) is not None


def tdt_read(text: str) -> Any:
    """Return the content of a file: objects as dictionaries with their kind, maps as well.

    >>> read = tdt_read('{V: "3.7", T: new Tournament({Title: "A", M: Map.from([["k", 1]])})}')
    >>> read["T"]
    {'__kind__': 'Tournament', 'Title': 'A', 'M': {'k': 1}}

    :raises NotATournament: When it cannot be read.
    """
    reader = _Reader(text.removeprefix("\ufeff"))
    try:
        return reader.value(0)
    except (IndexError, TypeError, ValueError) as problem:
        raise NotATournament from problem


def all_of_kind(data: Any, kind: str) -> list[dict[str, Any]]:
    """Return all objects of a kind, in the order of the file.

    >>> [one["A"] for one in all_of_kind([{"B": {KIND: "G", "A": 1}}, {KIND: "G", "A": 2}], "G")]
    [1, 2]
    """
    found, waiting = [], [data]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if one.get(KIND) == kind:
                found.append(one)
            waiting += reversed(list(one.values()))
        elif isinstance(one, list):
            waiting += reversed(one)
    return found


class _Reader:
    """Read tokens from the left, with bounds of depth and number."""

    def __init__(self, text: str) -> None:
        self.tokens = [found["token"] for found in _TOKEN.finditer(text)]
        self.at = 0
        if len(self.tokens) > MOST_PARTS:
            raise NotATournament

    def take(self, wanted: str = "") -> str:
        token = self.tokens[self.at]
        if wanted and token != wanted:
            raise NotATournament
        self.at += 1
        return token

    def value(self, depth: int) -> Any:
        if depth > DEEPEST:
            raise NotATournament
        word = self.take()
        if word in ("{", "["):
            return self.fields(depth) if word == "{" else self.items("]", depth)
        if word in ("new", "Map.from"):
            return self.made(self.take() if word == "new" else "Map", depth)
        return _WORDS[word] if word in _WORDS else _plain(word)

    def made(self, kind: str, depth: int) -> Any:
        self.take("(")
        arguments = self.items(")", depth)
        if kind == "Map":
            return {str(key): value for key, value in (arguments[0] if arguments else ())}
        if arguments and isinstance(arguments[0], dict):
            return {KIND: kind} | arguments[0]
        return arguments[0] if arguments else {KIND: kind}

    def fields(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self.tokens[self.at] != "}":
            name = self.take()
            self.take(":")
            found[_text(name) if name[0] in "\"'" else name] = self.value(depth + 1)
            if self.tokens[self.at] == ",":
                self.take()
        self.take("}")
        return found

    def items(self, end: str, depth: int) -> list[Any]:
        found = []
        while self.tokens[self.at] != end:
            found.append(self.value(depth + 1))
            if self.tokens[self.at] == ",":
                self.take()
        self.take(end)
        return found


def _plain(word: str) -> str | int | float:
    """Return a text or a number.

    :raises ValueError: For any other word.
    """
    if word[0] in "\"'":
        return _text(word)
    number = float(word)
    return int(number) if number.is_integer() else number


def _text(token: str) -> str:
    if token[0] == "'":
        token = '"' + token[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token[1:-1]
