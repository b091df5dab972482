"""The number that comes from the hall: bound to what is drawn, before anybody knows it.

Specification. Before the number is asked for, what is going to be drawn is *frozen*: its text is
hashed and shown. Then each phone seals a number of its player's: it shows the SHA-256 of
number|nonce, where the nonce is 32 hexadecimal digits that the phone drew at random. When the list
of seals is closed, it is hashed and shown, too. Only then do the phones open their numbers. All of
them together are the hall number: the SHA-256 of them, in hexadecimal.

Who gave a number had to be on the list before seeing anybody else's. So it is enough that
one of the phones is honest: nobody knows its number before no other can be changed.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from tournaments.seating.domain.draws import SEPARATOR

MOST_DIGITS = 9
_NUMBER = re.compile(r"[0-9]{1,9}")
_NONCE = re.compile(r"[0-9a-f]{32}")
_SEAL = re.compile(r"[0-9a-f]{64}")

Given = tuple[int, str, str]  # registration, number, nonce


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal.

    >>> digest_of("6b727275")[:16]
    'c837135d3c73c0c9'
    """
    return hashlib.sha256(text.encode()).hexdigest()


def frozen_text(
    *, commitment: str, number: int, kind: str, lots: Iterable[str], wishes: str = ""
) -> str:
    """Return the text that fixes a draw before its hall number is known.

    `lots` are the items of the draw as `domain.draws` names them; `sits:2:5` says that five sit
    already at table 2. `wishes` is the hash of the wishes to be kept apart, empty without any.

    >>> frozen_text(commitment="ab", number=3, kind="final", lots=["entry:7", "seat:1:4"])
    'ab|3|final|entry:7,seat:1:4|'
    """
    return SEPARATOR.join((commitment, str(number), kind, ",".join(lots), wishes))


def sits_item(table: int, players: int) -> str:
    """Return how it is said that so many sit at a table already.

    >>> sits_item(2, 5)
    'sits:2:5'
    """
    return f"sits:{table}:{players}"


def is_number(text: str) -> bool:
    """Tell whether somebody gave one to nine digits.

    >>> is_number("0815"), is_number(""), is_number("12a"), is_number("²"), is_number("1" * 10)
    (True, False, False, False, False)
    """
    return _NUMBER.fullmatch(text) is not None


def is_seal(text: str) -> bool:
    """Tell whether a text has the form of a seal: 64 hexadecimal digits in lower case.

    >>> is_seal("a" * 64), is_seal("A" * 64), is_seal("a" * 63)
    (True, False, False)
    """
    return _SEAL.fullmatch(text) is not None


def seal_of(number: str, nonce: str) -> str:
    """Return what a phone shows of a number before the list is closed.

    >>> seal_of("4711", "00112233445566778899aabbccddeeff")[:16]
    'd23358388818fe20'

    :raises ValueError: If it is no number, or no nonce.
    """
    if not is_number(number) or not _NONCE.fullmatch(nonce):
        raise ValueError("No number, or no nonce.")
    return digest_of(f"{number}{SEPARATOR}{nonce}")


def opens(seal: str, number: str, nonce: str) -> bool:
    """Tell whether this is the number that was sealed.

    >>> opens(seal_of("7", "0" * 32), "7", "0" * 32), opens("x", "7", "0" * 32), opens("x", "", "")
    (True, False, False)
    """
    try:
        return seal_of(number, nonce) == seal
    except ValueError:
        return False


def sealed_list(seals: Mapping[int, str]) -> str:
    """Return the text of all seals by registration, lowest first; its hash is shown at the close.

    >>> sealed_list({17: "cd", 12: "ab"})
    '12:ab|17:cd'
    """
    return SEPARATOR.join(f"{one}:{seals[one]}" for one in sorted(seals))


def combined_number(given: Sequence[Given]) -> str:
    """Return the hall number of all that was given, in whatever order it came.

    >>> one, other = (12, "4711", "a" * 32), (17, "8", "b" * 32)
    >>> combined_number([one, other]) == combined_number([other, one])
    True
    >>> combined_number([one, other])[:16]
    'fe2c98e8bae9f85c'

    :raises ValueError: If nobody gave one, or one registration comes twice.
    """
    if not given or len({one for one, _number, _nonce in given}) < len(given):
        raise ValueError("Nobody gave a number, or somebody gave two.")
    return digest_of(SEPARATOR.join(":".join((str(row[0]), *row[1:])) for row in sorted(given)))
