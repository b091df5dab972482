"""A league's own points formula: a small grammar, parsed by hand, with bounds everywhere.

    either   both (("oder" | "or") both)*
    both     compared (("und" | "and") compared)*
    compared sum (("<" | "<=" | "=" | "<>" | ">=" | ">") sum)?
    sum      product (("+" | "-") product)*
    product  signed (("*" | "/") signed)*
    signed   ("+" | "-") signed | power
    power    atom ("^" "-"? atom)?
    atom     number | name | function "(" either (";" either)* ")" | "(" either ")"

Numbers may have a comma or a point; a comma before a blank separates arguments, as published in
English. Python's `eval` is not used and there are no loops. Length, depth, exponents, sizes and
expensive operations are bounded. Arithmetic uses decimals of 28 digits.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException, DivisionByZero
from functools import lru_cache

LONGEST = 400
MOST_PARTS = 160
DEEPEST = 20
LARGEST = Decimal(10**9)
LARGEST_EXPONENT = 1000
MOST_DEAR = 8  # powers and logarithms: the only slow parts

TOKEN = re.compile(
    r"\s*(?:(\d+(?:[.,]\d+)?)|(buy-in|re-buys|add-ons|[a-zü][a-zü0-9_]*)"
    r"|(<=|>=|<>|!=|==|[-+*/^();,<>=]))",
    re.IGNORECASE,
)
# Other signs for the same, as formulas are published.
SAME = str.maketrans("[]{}−–×·÷", "()()--**/") | {ord("≤"): "<=", ord("≥"): ">=", ord("≠"): "<>"}
# The names of values, German first, then as other programs have them.
WORDS = {
    "place": "platz place rank r",
    "players": "spieler players n",
    "entries": "einstiege entries buyins",
    "knockouts": "ko knockouts hits numberofhits",
    "bounty": "kopfgeld bounty",
    "buy_in": "startgeld buy-in buyin",
    "spent": "ausgaben ausgegeben spent expense",
    "rebuys": "rebuys re-buys",
    "addons": "addons add-ons",
    "prize": "preis prize prizewinnings",
    "pool": "topf pool pot",
    "average": "schnitt avgbc",
}
NAMES = {word: name for name, words in WORDS.items() for word in words.split()}
# The names of functions, with the least and largest number of arguments.
FUNCTIONS = {
    "root": ("wurzel sqrt", 1, 1),
    "log10": ("log log10", 1, 1),
    "ln": ("ln", 1, 1),
    "power": ("hoch pow", 2, 2),
    "nearest": ("runden round", 1, 1),
    "floor": ("abrunden floor", 1, 1),
    "ceiling": ("aufrunden ceil", 1, 1),
    "min": ("min", 2, 8),
    "max": ("max", 2, 8),
    "if": ("wenn if", 3, 3),
}
CALLED = {word: name for name, (words, *_bounds) in FUNCTIONS.items() for word in words.split()}
DEAR = frozenset({"^", "log", "log10", "ln", "hoch", "pow"})
# The names of which each player has an own value.
OWN = frozenset({"knockouts", "bounty", "spent", "rebuys", "addons", "prize"})
MONEY = OWN - {"knockouts", "bounty"} | {"buy_in", "pool", "average"}
# The signs between two values, the loosest first; of comparisons there is at most one.
COMPARED = ("<", "<=", "=", "==", "<>", "!=", ">=", ">")
LEVELS = (("oder", "or"), ("und", "and"), COMPARED, ("+", "-"), ("*", "/"))

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
    """A parsed formula with the names it uses; `value` can be called repeatedly."""

    text: str
    part: Part
    names: frozenset[str]

    def value(self, **values: int | Decimal) -> Decimal:
        """Return its value in points.

        :raises FormulaError: "zero", "negative" or "too_large".
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
    >>> formula_from("wenn(platz <= 3; 0,5; 0) + log(buy-in)").value(place=3, buy_in=100)
    Decimal('2.5')

    :raises FormulaError: When it cannot be read.
    """
    if not text.strip():
        raise FormulaError("empty")
    if len(text) > LONGEST:
        raise FormulaError("too_long")
    reader = _Reader(_tokens(text))
    part = reader.either(0)
    if reader.ahead:
        raise FormulaError("syntax", reader.ahead)
    return Formula(text, part, frozenset(reader.names))


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    stripped = text.translate(SAME).rstrip()
    while at < len(stripped):
        token = TOKEN.match(stripped, at)
        if token is None:
            raise FormulaError("syntax", stripped[at:].strip()[:1])
        found.append(token[0].strip().lower())
        at = token.end()
    if len(found) > MOST_PARTS or sum(token in DEAR for token in found) > MOST_DEAR:
        raise FormulaError("too_long")
    return found


class _Reader:
    """Read tokens from the left; each level of the grammar calls the next."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at = tokens, 0
        self.names: set[str] = set()

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

    def either(self, depth: int, level: int = 0) -> Part:
        """Read values of the next level, with the signs of this one between them."""
        if depth > DEEPEST:
            raise FormulaError("too_long")
        if level == len(LEVELS):
            return self.signed(depth)
        part = self.either(depth, level + 1)
        while self.ahead in LEVELS[level]:
            part = _two(self.take(), part, self.either(depth, level + 1))
            if LEVELS[level] is COMPARED:
                break
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
        return _two("^", part, (lambda values: -exponent(values)) if sign else exponent)

    def atom(self, depth: int) -> Part:
        word = self.take()
        if word == "(":
            part = self.either(depth + 1)
            self.expect(")")
            return part
        if word[:1].isdigit():
            number = Decimal(word.replace(",", "."))
            return lambda _values: number
        if word in CALLED:
            return self.function(word, depth)
        if word in NAMES:
            name = NAMES[word]
            self.names.add(name)
            return lambda values: values[name]
        raise FormulaError("unknown" if word[:1].isalpha() else "syntax", word)

    def function(self, word: str, depth: int) -> Part:
        self.expect("(")
        arguments = [self.either(depth + 1)]
        while self.ahead in (";", ","):
            self.take()
            arguments.append(self.either(depth + 1))
        self.expect(")")
        _words, least, most = FUNCTIONS[CALLED[word]]
        if not least <= len(arguments) <= most:
            raise FormulaError("arguments", word)
        return _call(CALLED[word], arguments)


def _two(sign: str, one: Part, other: Part) -> Part:
    reckon = _OPERATORS[sign]
    return lambda values: _bounded(Decimal(reckon(one(values), other(values))))


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


_OPERATORS: dict[str, Callable[[Decimal, Decimal], Decimal | bool]] = {
    **dict.fromkeys(("oder", "or"), lambda one, other: bool(one or other)),
    **dict.fromkeys(("und", "and"), lambda one, other: bool(one and other)),
    **dict.fromkeys(("=", "=="), operator.eq),
    **dict.fromkeys(("<>", "!="), operator.ne),
    "<": operator.lt,
    "<=": operator.le,
    ">=": operator.ge,
    ">": operator.gt,
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
    if name == "if":
        # The other branch is not computed: it may have no value there.
        return lambda values: arguments[1 if one(values) else 2](values)
    if name == "power":
        return _two("^", one, arguments[1])
    reckon = _FUNCTIONS[name]
    return lambda values: reckon(one(values))


def _root(value: Decimal) -> Decimal:
    if value < 0:
        raise FormulaError("negative", "wurzel")
    return _CONTEXT.sqrt(value)


def _logarithm(name: str) -> Callable[[Decimal], Decimal]:
    reckon = _CONTEXT.ln if name == "ln" else _CONTEXT.log10

    def logarithm(value: Decimal) -> Decimal:
        if value <= 0:
            raise FormulaError("negative", name)
        return reckon(value)

    return logarithm


def _rounded(how: str) -> Callable[[Decimal], Decimal]:
    return lambda value: _bounded(value).quantize(Decimal(1), rounding=how)


_FUNCTIONS: dict[str, Callable[[Decimal], Decimal]] = {
    "root": _root,
    "log10": _logarithm("log"),
    "ln": _logarithm("ln"),
    "nearest": _rounded("ROUND_HALF_UP"),
    "floor": _rounded("ROUND_FLOOR"),
    "ceiling": _rounded("ROUND_CEILING"),
}


def _bounded(value: Decimal) -> Decimal:
    try:
        if not value.is_finite() or abs(value) > LARGEST:
            raise FormulaError("too_large")
    except DecimalException:
        raise FormulaError("too_large")
    return value
