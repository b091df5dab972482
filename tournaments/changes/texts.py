"""The texts of log entries: what each holds of people, who may read it, how it is erased.

Texts stand outside the chain, so that they can be erased. `Change.tell` takes none that is not
declared here or by `declare_texts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from tournaments.changes.access import Actor, Permission, allows


class Holds(Enum):
    """What a text holds of people."""

    NAMES = "names"
    """Names in a list: one of somebody erased is replaced."""
    WORDS = "words"
    """Words that somebody typed: a full name in them is replaced."""
    FORMER = "former"
    """What somebody was called before: gone with the person."""
    CONTACT = "contact"
    """How to reach somebody, or a remark: gone with the person, and for the desk alone."""
    DISCREET = "discreet"
    """Who is to be kept from whom, by number: for the desk alone."""
    NOTHING = "nothing"


FOR_THE_DESK = frozenset({Holds.FORMER, Holds.CONTACT, Holds.DISCREET})

_TEXTS: dict[str, Holds] = {
    "name": Holds.NAMES,
    "first": Holds.NAMES,
    "second": Holds.NAMES,
    "takers": Holds.NAMES,
    "held": Holds.NAMES,
    "text": Holds.WORDS,
    "asked": Holds.WORDS,
    "decided": Holds.WORDS,
    "reason": Holds.WORDS,
    "own_text_before": Holds.WORDS,
    "own_text_after": Holds.WORDS,
    "name_before": Holds.FORMER,
    "name_said_before": Holds.FORMER,
    "email_before": Holds.CONTACT,
    "email_said_before": Holds.CONTACT,
    "phone_before": Holds.CONTACT,
    "phone_said_before": Holds.CONTACT,
    "remark_before": Holds.CONTACT,
    "wishes": Holds.DISCREET,
    "before": Holds.NOTHING,
    "chips": Holds.NOTHING,
    "count": Holds.NOTHING,
    "digest": Holds.NOTHING,
    "key_before": Holds.NOTHING,
    "level": Holds.NOTHING,
    "preset": Holds.NOTHING,
    "rules_key_after": Holds.NOTHING,
    "rules_name_after": Holds.NOTHING,
    "rules_version_after": Holds.NOTHING,
    "schedule": Holds.NOTHING,
    "schedule_before": Holds.NOTHING,
    "starts_at_after": Holds.NOTHING,
    "starts_at_before": Holds.NOTHING,
    "step": Holds.NOTHING,
    "version_before": Holds.NOTHING,
}


def declare_texts(holds: Holds, names: Iterable[str]) -> None:
    """Declare further texts; what is declared stays as it is."""
    for name in names:
        _TEXTS.setdefault(name, holds)


def holds(name: str) -> Holds:
    """Return what a text holds.

    :raises KeyError: It is not declared, so nobody would know how to erase it.
    """
    return _TEXTS[name]


def texts_for(actor: Actor, texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts of a log entry that somebody may read."""
    if allows(actor, Permission.CHECK_IN):
        return dict(texts)
    return {
        name: text
        for name, text in texts.items()
        if _TEXTS.get(name, Holds.CONTACT) not in FOR_THE_DESK
    }
