"""The names of a club's own schedules and rule presets."""

from collections.abc import Iterable
from itertools import chain, count
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.changes.domain.errors import Refused

LONGEST_NAME = 80


def name_kept(name: str, others: QuerySet[Any]) -> str:
    """Return the name for storage, without extra blanks.

    :raises Refused: When there is none, it is too long, or one of the others is called so.
    """
    name = " ".join(name.split())
    if not name:
        raise Refused(_("Die Vorlage braucht einen Namen."), code="no_name")
    if len(name) > LONGEST_NAME:
        raise Refused(_("Höchstens %(most)d Zeichen.") % {"most": LONGEST_NAME}, code="long_name")
    taken = others.values_list("name", flat=True)
    if name.casefold() in {known.casefold() for known in taken}:
        reason = _("Eine Vorlage mit diesem Namen gibt es schon: %(name)s.") % {"name": name}
        raise Refused(reason, code="name_taken")
    return name


def first_free(wanted: str, taken: Iterable[str]) -> str:
    """Return this name, or the first of "name-2", "name-3" and so on that is not taken.

    >>> first_free("pokal", []), first_free("pokal", ["pokal", "pokal-2"])
    ('pokal', 'pokal-3')
    """
    known = set(taken)
    names = chain([wanted], (f"{wanted}-{number}" for number in count(2)))
    return next(name for name in names if name not in known)


def refuse_shipped(name: str, revision: int | None) -> None:
    """Refuse to change what ships with the program; the club's own has no revision."""
    if revision is not None:
        reason = _("%(name)s kommt mit dem Programm und bleibt.") % {"name": name}
        raise Refused(reason, code="preset_ships")
