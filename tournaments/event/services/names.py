"""The names of a club's own schedules and rule presets."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournaments.changes.domain.errors import Refused

LONGEST_NAME = 80


def name_kept(name: str, taken: Iterable[str]) -> str:
    """Return the name for storage, without extra blanks.

    :raises Refused: When there is none, it is too long, or something else is called so.
    """
    name = " ".join(name.split())
    if not name:
        raise Refused(_("Die Vorlage braucht einen Namen."), code="no_name")
    if len(name) > LONGEST_NAME:
        raise Refused(_("Höchstens %(most)d Zeichen.") % {"most": LONGEST_NAME}, code="long_name")
    if name.casefold() in {known.casefold() for known in taken}:
        raise Refused(
            _("Eine Vorlage mit diesem Namen gibt es schon: %(name)s.") % {"name": name},
            code="name_taken",
        )
    return name


def refuse_shipped(name: str, revision: int | None) -> None:
    """Refuse to change data shipped with the program.

    :raises Refused: When it has a revision: what is the club's own has none.
    """
    if revision is not None:
        raise Refused(
            _("%(name)s kommt mit dem Programm und bleibt.") % {"name": name}, code="preset_ships"
        )
