"""The code that a big screen shows until somebody types it: made to be read from afar.

No character looks like another of the alphabet, and whatever is mistaken for one of them is taken
as it: O, Q and D as 0, I and L as 1, Z as 2, S as 5, B as 8, U as V.
"""

from collections.abc import Callable

LENGTH = 6
ALPHABET = "0123456789ACEFGHJKMNPRTVWXY"
_MISREAD = str.maketrans("OQDILZSBU", "00011258V")


def code_made(choose: Callable[[str], str]) -> str:
    """Return a new code; `choose` takes one character of a text.

    >>> code_made(max)
    'YYYYYY'
    """
    return "".join(choose(ALPHABET) for _ in range(LENGTH))


def code_read(typed: str) -> str:
    """Return the code somebody meant: case, spaces and dashes aside, misread characters mended.

    >>> code_read(" 7k4-oib "), code_read("7K4 018")
    ('7K4018', '7K4018')

    :raises ValueError: If what was typed cannot be a code.
    """
    kept = "".join(char for char in typed.upper() if char.isalnum()).translate(_MISREAD)
    if len(kept) != LENGTH or not set(kept) <= set(ALPHABET):
        raise ValueError(typed)
    return kept


def code_grouped(code: str) -> str:
    """Return a code as it is shown: in two halves.

    >>> code_grouped("7K4018")
    '7K4 018'
    """
    half = LENGTH // 2
    return f"{code[:half]} {code[half:]}"
