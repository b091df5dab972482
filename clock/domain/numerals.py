"""Whole numbers in German and English words.

Not a library: the usual one needs a package without a wheel, and the first start offline installs
wheels only.
"""

LARGEST = 999_999_999

_GERMAN = (
    "null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
    "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn",
    "neunzehn",
)  # fmt: skip
_GERMAN_TENS = (
    "-", "-", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig",
    "neunzig",
)  # fmt: skip
_ENGLISH = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_ENGLISH_TENS = (
    "-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip


def german(number: int) -> str:
    """Return a whole number in German words.

    >>> german(1), german(21), german(101), german(1500), german(2_000_000)
    ('eins', 'einundzwanzig', 'einhunderteins', 'eintausendfünfhundert', 'zwei Millionen')

    :raises ValueError: Below zero, or above `LARGEST`.
    """
    millions, rest = _split(number)
    if not millions:
        return _german_below_million(rest)
    said = "eine Million" if millions == 1 else f"{_german_below_thousand(millions)} Millionen"
    return f"{said} {_german_below_million(rest)}" if rest else said


def english(number: int) -> str:
    """Return a whole number in English words, without commas.

    >>> english(21), english(101), english(1500)
    ('twenty-one', 'one hundred and one', 'one thousand five hundred')

    :raises ValueError: Below zero, or above `LARGEST`.
    """
    millions, rest = _split(number)
    thousands, ones = divmod(rest, 1000)
    parts = [f"{_english_below_thousand(millions)} million"] if millions else []
    parts += [f"{_english_below_thousand(thousands)} thousand"] if thousands else []
    if ones or not parts:
        link = "and " if parts and ones < 100 else ""
        parts.append(link + _english_below_thousand(ones))
    return " ".join(parts)


def _split(number: int) -> tuple[int, int]:
    if not 0 <= number <= LARGEST:
        raise ValueError(f"{number} is not between 0 and {LARGEST}.")
    return divmod(number, 1_000_000)


def _german_below_million(number: int) -> str:
    thousands, ones = divmod(number, 1000)
    if not thousands:
        return _german_below_thousand(ones)
    said = _german_below_thousand(thousands)
    # "eins" alone, "ein" before a noun: eintausend, einhunderteintausend.
    said = (said.removesuffix("s") if thousands % 100 == 1 else said) + "tausend"
    return said + (_german_below_thousand(ones) if ones else "")


def _german_below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _german_below_hundred(rest)
    said = ("ein" if hundreds == 1 else _GERMAN[hundreds]) + "hundert"
    return said + (_german_below_hundred(rest) if rest else "")


def _german_below_hundred(number: int) -> str:
    if number < 20:
        return _GERMAN[number]
    tens, ones = divmod(number, 10)
    if not ones:
        return _GERMAN_TENS[tens]
    return f"{'ein' if ones == 1 else _GERMAN[ones]}und{_GERMAN_TENS[tens]}"


def _english_below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _english_below_hundred(rest)
    said = f"{_ENGLISH[hundreds]} hundred"
    return f"{said} and {_english_below_hundred(rest)}" if rest else said


def _english_below_hundred(number: int) -> str:
    if number < 20:
        return _ENGLISH[number]
    tens, ones = divmod(number, 10)
    return f"{_ENGLISH_TENS[tens]}-{_ENGLISH[ones]}" if ones else _ENGLISH_TENS[tens]
