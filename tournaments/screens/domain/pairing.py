"""The pairing code of a big screen, readable from afar.

No two characters of the alphabet look alike, and a look-alike is accepted as its original: O, Q and
D as 0, I and L as 1, Z as 2, S as 5, B as 8, U as V.
"""

from collections.abc import Callable

LENGTH = 6
ALPHABET = "0123456789ACEFGHJKMNPRTVWXY"
_MISREAD = str.maketrans("OQDILZSBU", "00011258V")


def code_made(choose: Callable[[str], str]) -> str:
    """Return a new code; `choose` picks one character of a text.

    >>> code_made(max)
    'YYYYYY'
    """
    return "".join(choose(ALPHABET) for _ in range(LENGTH))


def code_read(typed: str) -> str:
    """Return the code from typed text: ignore case, spaces and dashes, correct look-alikes.

    >>> code_read(" 7k4-oib "), code_read("7K4 018")
    ('7K4018', '7K4018')

    :raises ValueError: If what was typed cannot be a code.
    """
    kept = "".join(char for char in typed.upper() if char.isalnum()).translate(_MISREAD)
    if len(kept) != LENGTH or not set(kept) <= set(ALPHABET):
        raise ValueError(typed)
    return kept


def code_grouped(code: str) -> str:
    """Return a code for display: in two halves.

    >>> code_grouped("7K4018")
    '7K4 018'
    """
    half = LENGTH // 2
    return f"{code[:half]} {code[half:]}"
