"""A league's own points formula: a small grammar, parsed by hand, with bounds everywhere.

    sum      product (("+" | "-") product)*
    product  signed (("*" | "/") signed)*
    signed   ("+" | "-") signed | power
    power    atom ("^" "-"? atom)?
    atom     number | name | function "(" sum (";" sum)* ")" | "(" sum ")"

Numbers may have a comma or a point. Python's `eval` is not used and there are no loops. Length,
depth, exponents, sizes and expensive operations are bounded. Arithmetic uses decimals of 28 digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException, DivisionByZero
from functools import lru_cache

LONGEST = 200
MOST_PARTS = 80
DEEPEST = 20
LARGEST = Decimal(10**9)
LARGEST_EXPONENT = 10
MOST_DEAR = 8  # powers and logarithms: the only slow parts

TOKEN = re.compile(r"\s*(?:(\d+(?:[.,]\d+)?)|([a-z]+)|([-+*/^();]))", re.IGNORECASE)
# The names, in either language.
NAMES = {
    "platz": "place",
    "place": "place",
    "spieler": "players",
    "players": "players",
    "einstiege": "entries",
    "entries": "entries",
    "ko": "knockouts",
    "kopfgeld": "bounty",
    "bounty": "bounty",
}
# The least and largest number of arguments of each function.
FUNCTIONS = {
    "wurzel": (1, 1),
    "sqrt": (1, 1),
    "log": (1, 1),
    "runden": (1, 1),
    "round": (1, 1),
    "min": (2, 8),
    "max": (2, 8),
}

Values = Mapping[str, Decimal]
Part = Callable[[Values], Decimal]
_CONTEXT = Context(prec=28, traps=[DivisionByZero])


class FormulaError(ValueError):
    """A formula that cannot be read or has no value: `code` says why, `what` names the part.

    Codes: "empty", "too_long", "syntax", "unknown", "arguments", "zero", "negative", "too_large".
    """

    def __init__(self, code: str, what: str = "") -> None:
        super().__init__(code, what)
        self.code, self.what = code, what


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula; `value` can be called repeatedly."""

    text: str
    part: Part

    def value(self, **values: int | Decimal) -> Decimal:
        """Return its value in points.

        :raises FormulaError: "zero", "negative" (a root or logarithm without value), or
        "too_large".
        """
        return _bounded(self.part({name: Decimal(value) for name, value in values.items()}))


@lru_cache(maxsize=64)
def formula_from(text: str) -> Formula:
    """Parse a formula.

    >>> formula = formula_from("10 * wurzel(spieler) / wurzel(platz)")
    >>> formula.value(players=36, place=4, entries=40, knockouts=0)
    Decimal('30')
    >>> formula_from("2^3^2").value()
    Traceback (most recent call last):
        ...
    tournaments.seasons.domain.formula.FormulaError: ('syntax', '^')
    >>> formula_from("max(0; spieler - platz) + 2,5").value(players=9, place=2)
    Decimal('9.5')

    :raises FormulaError: When it cannot be read.
    """
    if not text.strip():
        raise FormulaError("empty")
    if len(text) > LONGEST:
        raise FormulaError("too_long")
    reader = _Reader(_tokens(text))
    part = reader.sum(0)
    if reader.ahead:
        raise FormulaError("syntax", reader.ahead)
    return Formula(text, part)


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    stripped = text.rstrip()
    while at < len(stripped):
        token = TOKEN.match(stripped, at)
        if token is None:
            raise FormulaError("syntax", stripped[at:].strip()[:1])
        found.append(token[0].strip().lower())
        at = token.end()
    if len(found) > MOST_PARTS or found.count("^") + found.count("log") > MOST_DEAR:
        raise FormulaError("too_long")
    return found


class _Reader:
    """Read tokens from the left; each level of the grammar calls the next."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at = tokens, 0

    @property
    def ahead(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.ahead
        self.at += 1
        return token

    def expect(self, wanted: str) -> None:
        if self.ahead != wanted:
            raise FormulaError("syntax", self.ahead or wanted)
        self.at += 1

    def sum(self, depth: int) -> Part:
        if depth > DEEPEST:
            raise FormulaError("too_long")
        part = self.product(depth)
        while self.ahead in ("+", "-"):
            part = _two(self.take(), part, self.product(depth))
        return part

    def product(self, depth: int) -> Part:
        part = self.signed(depth)
        while self.ahead in ("*", "/"):
            part = _two(self.take(), part, self.signed(depth))
        return part

    def signed(self, depth: int) -> Part:
        sign = 1
        while self.ahead in ("+", "-"):
            sign = -sign if self.take() == "-" else sign
        part = self.power(depth)
        return part if sign > 0 else lambda values: -part(values)

    def power(self, depth: int) -> Part:
        part = self.atom(depth)
        if self.ahead != "^":
            return part
        self.take()
        sign = self.take() if self.ahead == "-" else ""
        exponent = self.atom(depth)
        if not sign:
            return _two("^", part, exponent)
        return _two("^", part, lambda values: -exponent(values))

    def atom(self, depth: int) -> Part:
        word = self.take()
        if word == "(":
            part = self.sum(depth + 1)
            self.expect(")")
            return part
        if word[:1].isdigit():
            number = Decimal(word.replace(",", "."))
            return lambda _values: number
        if word in FUNCTIONS:
            return self.function(word, depth)
        if word in NAMES:
            name = NAMES[word]
            return lambda values: values[name]
        raise FormulaError("unknown" if word[:1].isalpha() else "syntax", word)

    def function(self, name: str, depth: int) -> Part:
        self.expect("(")
        arguments = [self.sum(depth + 1)]
        while self.ahead == ";":
            self.take()
            arguments.append(self.sum(depth + 1))
        self.expect(")")
        least, most = FUNCTIONS[name]
        if not least <= len(arguments) <= most:
            raise FormulaError("arguments", name)
        return _call(name, arguments)


def _two(sign: str, one: Part, other: Part) -> Part:
    reckon = _OPERATORS[sign]
    return lambda values: _bounded(reckon(one(values), other(values)))


def _divided(one: Decimal, other: Decimal) -> Decimal:
    if not other:
        raise FormulaError("zero")
    return _CONTEXT.divide(one, other)


def _raised(one: Decimal, other: Decimal) -> Decimal:
    if abs(other) > LARGEST_EXPONENT:
        raise FormulaError("too_large")
    if not one and other <= 0:
        raise FormulaError("zero")
    if one < 0 and other != other.to_integral_value():
        raise FormulaError("negative", "^")
    return _CONTEXT.power(one, other)


_OPERATORS: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": _CONTEXT.add,
    "-": _CONTEXT.subtract,
    "*": _CONTEXT.multiply,
    "/": _divided,
    "^": _raised,
}


def _call(name: str, arguments: list[Part]) -> Part:
    one = arguments[0]
    if name in ("min", "max"):
        choose = min if name == "min" else max
        return lambda values: choose(part(values) for part in arguments)
    if name in ("runden", "round"):
        return lambda values: _half_up(one(values))
    if name == "log":
        return lambda values: _logarithm(one(values))
    return lambda values: _root(one(values))


def _root(value: Decimal) -> Decimal:
    if value < 0:
        raise FormulaError("negative", "wurzel")
    return _CONTEXT.sqrt(value)


def _logarithm(value: Decimal) -> Decimal:
    if value <= 0:
        raise FormulaError("negative", "log")
    return _CONTEXT.ln(value)


def _half_up(value: Decimal) -> Decimal:
    return _bounded(value).quantize(Decimal(1), rounding="ROUND_HALF_UP")


def _bounded(value: Decimal) -> Decimal:
    try:
        if not value.is_finite() or abs(value) > LARGEST:
            raise FormulaError("too_large")
    except DecimalException:
        raise FormulaError("too_large")
    return value
