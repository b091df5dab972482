"""Set a place by the director's decision instead of the computed one."""

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.selectors import clock_levels, clock_state
from tournaments.changes.access import Permission, allows
from tournaments.changes.audit import Change, follows_change, kind_is, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic, tells_consequence
from tournaments.event.domain.hours import AHEAD, last_level
from tournaments.event.selectors.event import money_reached, play_goes_on, players_left
from tournaments.models import ClosingCall, Entry, Event, HeadCheck, MoneyReached, PlaceRuling
from tournaments.play.domain.ranking import Ruling, ruling_for
from tournaments.play.selectors.bubble import money_holds
from tournaments.play.selectors.ranking import PlacesBasis, places_basis, places_from
from tournaments.post.selectors.announcements import Saying
from tournaments.post.services.messages import announce_itself
from tournaments.prizes.selectors.plans import paid_left, paid_places

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

    All other placed entries keep their order; the places stay without gaps. After the end the
    entries still in have places too: any result is corrected without playing on.
    """
    if not reason.strip():
        raise Refused(_("Bitte den Grund angeben."), code="no_reason")
    basis, name = places_basis(change.event), entry.registration.person.name
    found = _places_settled(change.event, basis)
    if entry.pk not in found:
        raise Refused(
            _("%(name)s ist nicht ausgeschieden. Nur wer draußen ist, hat einen Platz.")
            % {"name": name},
            code="not_out",
        )
    beside = ruling_for(found, entry.pk, place, shares=is_shared)
    if beside is None and is_shared:
        text = _("Auf Platz %(place)d steht sonst niemand, mit dem er geteilt wird.")
        raise Refused(text % {"place": place}, code="nobody_there")
    if beside is None:
        first = min(found.values())
        text = _(
            "Auf Platz %(place)d kann niemand allein stehen: Er liegt nicht zwischen %(first)d und "
            "%(last)d, oder andere teilen sich den Platz davor."
        ) % {"place": place, "first": first, "last": first + len(found) - 1}
        raise Refused(text, code="no_such_place")
    other, way = beside
    ruling = Ruling(entry_id=entry.pk, other_id=other, way=way, sequence=change.action.sequence)
    after = replace(basis, rulings=(*basis.rulings, ruling))
    if _places_settled(change.event, after) == found:
        raise Refused(_("Das steht schon so da."), code="nothing")
    PlaceRuling.objects.create(
        event=change.event, entry=entry, beside_id=other, way=way, made_by=change.action
    )
    change.record(entry=entry.pk, beside=other, place=place)
    if is_shared:
        change.record(outcome="shared")
    change.tell(name=name, reason=reason.strip())


def _places_settled(event: Event, basis: PlacesBasis) -> dict[int, int]:
    """Return the places the director may set: of all after the end, else of those out."""
    places = places_from(basis)
    return places if event.is_over else {out.entry_id: places[out.entry_id] for out in basis.outs}


# --- Keep "in the money" true when an entry comes in


tells_consequence(
    "in_then", lazy("„Im Geld“ gilt nicht mehr: %(in_then)s im Spiel, %(paid_then)s bezahlt")
)


NO_LONGER_IN_THE_MONEY = Saying("money_gone", "bubble", lambda left, paid: _(
    "„Im Geld“ gilt nicht mehr: Noch %(left)s im Spiel, %(paid)s Plätze sind bezahlt."
) % {"left": left, "paid": paid}, play_goes_on)  # fmt: skip


@follows_change(kind_is("brings_in"))
def money_stays_true(change: Change) -> None:
    """Refuse an entry after "in the money", or withdraw the announcement with it."""
    event = change.event
    if not event.has_started or not (event.prizes or event.paid_places):
        return
    row = money_reached(event)
    if row is None or not paid_places(event) or money_holds(event, row):
        return
    if not change.knowingly:
        text = _("„Im Geld“ ist angesagt. Ob jetzt noch jemand mitspielt, sagt die Turnierleitung.")
        if allows(change.by, Permission.MANAGE):
            text = _(
                "„Im Geld“ ist angesagt. Wer jetzt noch mitspielt, nimmt die Ansage zurück: "
                "Bitte bei der Person ankreuzen, dass das so sein soll."
            )
        raise Refused(text, code="in_the_money")
    left, paid = players_left(event), paid_left(event)
    MoneyReached.objects.filter(pk=row.pk).update(voided_by=change.action)
    HeadCheck.objects.live().filter(table__event=event).update(voided_by=change.action)
    change.record(in_then=left, paid_then=paid)
    change.announce(Topic.BUBBLE, Topic.MESSAGES)
    announce_itself(change, NO_LONGER_IN_THE_MONEY, left=left, paid=paid)


# --- Closing time: announce two levels ahead that counted stacks will decide the places


FEWEST = 2

CLOSING = Saying("closing", "closing", lambda number: _(
    "Sperrstunde: Gespielt wird bis zum Ende von Stufe %(number)s. "
    "Dann wird gezählt, und der größte Stapel ist Platz 1."
) % {"number": number}, play_goes_on)  # fmt: skip

CLOSING_ANNOUNCED = Kind(
    "closing.announced",
    lazy("Sperrstunde angesagt: nach Stufe %(number)s wird gezählt"),
    Group.EVENT,
    is_announced=True,
    sets_stage=True,
)


@service(CLOSING_ANNOUNCED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK, Topic.MESSAGES)
def closing_announce(change: Change) -> None:
    """Announce two more levels, after which the larger stack places higher.

    The text stays on the screens until it is undone or the event is over.
    """
    event = change.event
    if not event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    if event.is_clock_only:
        raise Refused(_("Ohne Namen gibt es keine Plätze zu vergeben."), code="clock_only")
    if ClosingCall.objects.live().filter(event=event).exists():
        raise Refused(_("Die Sperrstunde ist schon angesagt."), code="already_announced")
    if players_left(event) < FEWEST:
        raise Refused(_("Es ist nur noch einer im Spiel."), code="too_few")
    levels = clock_levels(event.clock)
    row = last_level(levels, clock_state(event.clock, change.at).index)
    if row is None:
        text = _("Der Blindplan hat keine %(levels)s Stufen mehr. Bitte erst welche anhängen.")
        raise Refused(text % {"levels": AHEAD}, code="no_levels")
    ClosingCall.objects.create(
        event=event, level_id=levels[row].id, announced_at=change.at, made_by=change.action
    )
    change.record(number=levels[row].number, stays=True)
    announce_itself(change, CLOSING, number=levels[row].number or 0)
