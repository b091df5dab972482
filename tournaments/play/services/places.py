"""Set a place by the director's decision instead of the computed one."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import Entry, PlaceRuling
from tournaments.play.domain.ranking import Ruling, ruling_for
from tournaments.play.selectors.ranking import PlacesBasis, places_basis, places_from

PLACE_OVERRULED = Kind(
    "place.overruled",
    lazy("Platz %(place)s festgelegt: %(name)s"),
    Group.OUTS,
    outcomes={"shared": lazy("Platz %(place)s, geteilt, festgelegt: %(name)s")},
    outlives_the_end=True,
)


@service(PLACE_OVERRULED, Permission.OVERRULE, Topic.TABLES, Topic.ENTRIES, after_the_end=True)
def place_overrule(
    change: Change, *, entry: Entry, place: int, is_shared: bool, reason: str
) -> None:
    """Set the place of an eliminated entry: alone, or shared with the entries on it.

    All other eliminated entries keep their order; the places stay without gaps.
    """
    if not reason.strip():
        raise Refused(_("Bitte den Grund angeben."), code="no_reason")
    basis, name = places_basis(change.event), entry.registration.person.name
    found = _places_of_the_out(basis)
    if entry.pk not in found:
        raise Refused(
            _("%(name)s ist nicht ausgeschieden. Nur wer draußen ist, hat einen Platz.")
            % {"name": name},
            code="not_out",
        )
    beside = ruling_for(found, entry.pk, place, shares=is_shared)
    if beside is None:
        raise _does_not_fit(found, place, is_shared=is_shared)
    other, way = beside
    ruling = Ruling(entry_id=entry.pk, other_id=other, way=way, sequence=change.action.sequence)
    if _places_of_the_out(replace(basis, rulings=(*basis.rulings, ruling))) == found:
        raise Refused(_("Das steht schon so da."), code="nothing")
    PlaceRuling.objects.create(
        event=change.event, entry=entry, beside_id=other, way=way, made_by=change.action
    )
    change.record(entry=entry.pk, beside=other, place=place)
    if is_shared:
        change.record(outcome="shared")
    change.tell(name=name, reason=reason.strip())


def _places_of_the_out(basis: PlacesBasis) -> dict[int, int]:
    places = places_from(basis)
    return {out.entry_id: places[out.entry_id] for out in basis.outs}


def _does_not_fit(found: dict[int, int], place: int, *, is_shared: bool) -> Refused:
    if is_shared:
        text = _("Auf Platz %(place)d steht sonst niemand, mit dem er geteilt wird.")
        return Refused(text % {"place": place}, code="nobody_there")
    text = _(
        "Auf Platz %(place)d kann niemand allein stehen: Er liegt nicht zwischen %(first)d und "
        "%(last)d, oder andere teilen sich den Platz davor."
    )
    first = min(found.values())
    last = first + len(found) - 1
    return Refused(text % {"place": place, "first": first, "last": last}, code="no_such_place")
