"""A club with something to show on every page: who came, what happened, what went wrong.

Four tournaments: one that begins soon, one that is played, one at the bubble, one that is over. By
the machine's own clock, because pages read it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clock.domain.wording import Language
from clock.speech import speech_url
from tests import factories as f
from tests.browser.evening_words import ABOUT, FACES, NAMES, PIECES
from tests.calling import call_service
from tests.post_office import post_office
from tests.rasters import DOT
from tests.services.cashgames import a_cash_table
from tests.services.mailing import BASE, use
from tournaments.cashgame.services.hands import cash_link_make
from tournaments.changes.access import SYSTEM, VISITOR, Role
from tournaments.changes.commands import Command
from tournaments.club.selectors.theme import club_style, style_digest
from tournaments.club.services.club import club_about_set, club_colour_set, club_logo_set
from tournaments.club.services.staff import device_sign_in, link_make, token_make
from tournaments.contests.domain.carrying import Terms as ContestTerms
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.services.contests import contest_save, stage_save
from tournaments.door.services.arrivals import registration_arrive, registration_expect
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.chip_sets import chip_set_save
from tournaments.event.services.clock import clock_adjust, clock_start
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import (
    ClockCall,
    Club,
    ClubLogo,
    Contest,
    Drawer,
    Entry,
    Event,
    LateTap,
    League,
    LivePicture,
    Mail,
    Penalty,
    Person,
    PersonMerge,
    ProfileConsent,
    Receipt,
    Registration,
    Seating,
    Slide,
    Stage,
    Ticket,
)
from tournaments.money.services.drawers import drawer_move, drawer_open
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.services.prizes import prizes_plan
from tournaments.people.services.members import people_merge
from tournaments.play.services.bubble import hand_for_hand_begin, table_report
from tournaments.play.services.calls import clock_call_start
from tournaments.play.services.conduct import entry_leave, penalty_give
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify
from tournaments.play.services.hands import hand_begin
from tournaments.post.services.mail import mails_send
from tournaments.post.services.messages import announcement_made, message_send
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.public.selectors.told import overlay_key
from tournaments.public.services.streaming import live_post
from tournaments.screens.services.own_face import slide_add
from tournaments.screens.services.screens import screen_claim, screen_make
from tournaments.seasons.domain.points import Terms
from tournaments.seasons.services.leagues import Takes, league_correct, league_save, league_team_set
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.chairs import keep_apart_wish, seat_lock
from tournaments.seating.services.tables import dealer_draw_make, entry_move
from tournaments.undo.services.undo import action_undo

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Evening:
    """Whose cookie is whose, and what an address names at each place."""

    cookies: dict[str, str]
    places: dict[str, dict[str, Any]]


class Tournament:
    """One of them, and what is done at it: `minute` counts from its start."""

    def __init__(self, name: str, begins: datetime, made: datetime, **settings: Any) -> None:
        self.begins = begins
        self.event = f.make_event(name=name, starts_at=begins, at=made, **settings)

    def do(self, service, minute: float, **own):
        said = {"event": self.event, "by": SYSTEM, "at": self.begins + minute * MINUTE}
        return call_service(service, **said | own)

    def register(self, name: str, minute: float, **own) -> Registration:
        return f.register(self.event, name, at=self.begins + minute * MINUTE, **own)

    def arrive(self, names, minute: float) -> list[Entry]:
        at = self.begins + minute * MINUTE
        rows = [self.register(name, minute) for name in names]
        return [f.check_in(self.event, row, at=at) for row in rows]


def make(now: datetime, settings: Any) -> Evening:
    """Make all of it; `settings` are pytest's, for the mail server that refuses an address."""
    house = f.house()
    house.hall = f"Saal\n{' '.join(map(str, range(1, 41)))}"
    house.save(update_fields=["hall"])
    made = now - timedelta(days=3)
    coming = Tournament("Winterpokal", now + 100 * MINUTE, made, capacity=7)
    tonight = Tournament("Vereinsturnier", now - 84 * MINUTE, made, seats=6, fee_cents=1000)
    bubble = Tournament("Kleines Turnier", now - 60 * MINUTE, made, seats=3, paid_places=7)
    over = Tournament("Sommerturnier", now - timedelta(days=2), made - timedelta(days=2), seats=6)
    values = {"slug": coming.event.slug, "signal": "gong", "docs_file": "swagger-ui.css"}
    values |= {"language": "de", "path": "nirgends", "element": "ticker"}
    values["signed"] = speech_url("eins", Language.GERMAN).rsplit("/", 1)[-1].removesuffix(".wav")
    values |= _club(house, coming, bubble, over, now)
    values |= _coming(coming)
    with post_office() as office:
        use(settings, office.port)
        office.replies["ruth@example.org"] = "550 unknown"
        mails_send(now=now, base=BASE)
    played = values | _tonight(tonight) | _flight(tonight)
    played |= _post(tonight.event, now)
    values |= {name: played[name] for name in ("contest", "stage", "tap", "post_digest")}
    places = {
        "coming": values,
        "tonight": played,
        "bubble": played | _bubble(bubble),
        "over": played | _over(over),
    }
    for at, place in zip((coming, tonight, bubble, over), places.values(), strict=True):
        place["overlay_key"] = overlay_key(f.fresh(at.event))
    return Evening(_devices(coming.event, now), places)


def _post(event: Event, now: datetime) -> dict[str, Any]:
    text = "Vier Tische spielen noch um den Einzug ins Finale"
    call_service(live_post, event=f.fresh(event), by=SYSTEM, at=now, text=text, data=DOT)
    return {"post_digest": LivePicture.objects.get().digest}


def _devices(event: Event, now: datetime) -> dict[str, str]:
    """Sign everybody's device in, for the whole club."""
    roles = {"desk": Role.DESK, "arbiter": Role.ARBITER, "director": Role.DIRECTOR}
    cookies = {}
    for who, role in roles.items():
        link, cookies[who] = f"link-{who}", f"device-{who}"
        made = {"club": event.club, "at": now}
        call_service(link_make, **made, by=SYSTEM, token=link, role=role)
        call_service(
            device_sign_in, **made, by=VISITOR, token=link, name=who, device_token=cookies[who]
        )
    return cookies


def _club(
    club: Club, coming: Tournament, bubble: Tournament, over: Tournament, now: datetime
) -> dict[str, Any]:
    """Make what belongs to nobody's evening: devices, a screen, a token, people twice."""
    made = {"club": club, "by": SYSTEM, "at": now}
    event = coming.event
    link = call_service(
        link_make, **made, token="einmal", role=Role.ARBITER, event=event, one_time=True
    )
    device = f.sign_in("Noch ein Handy", Role.ARBITER, event, at=now).actor.device
    call_service(
        token_make, **made, token="skript", name="Anzeige im Foyer", role=Role.DESK, event=event
    )
    screen = screen_make(club=club, secret="beamer", at=now)
    call_service(screen_claim, **made, code=screen.code, name="Beamer", event=event)
    kept, gone = over.register("Otto Kurz", -60).person, bubble.register("Otto K.", -60).person
    bubble.register("Otto Kurtz", -59)
    call_service(
        slide_add,
        **made,
        text="Danke an die Brauerei am Hauptplatz",
        seconds=10,
        data=DOT,
    )
    call_service(club_colour_set, **made, colour="#7a1f2b")
    call_service(club_about_set, **made, **ABOUT)
    call_service(
        club_logo_set,
        **made,
        data=b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    )
    merged = call_service(people_merge, **made, kept=kept, gone=gone)
    own = call_service(chip_set_save, **made, name="Der große Koffer vom Sommerfest", pieces=PIECES)
    return {
        "style_digest": style_digest(club_style(f.fresh(event).club)),
        "logo_digest": ClubLogo.objects.get().digest,
        "link_token": "einmal",
        "link": link.payload["link"],
        "device": device.pk,
        "screen": screen.pk,
        "slide": Slide.objects.get().pk,
        "slide_digest": Slide.objects.get().digest,
        "chips": own.payload["chip_set"],
        "plan": f.ScheduleTemplate.objects.get(name="T100").pk,
        "person": kept.pk,
        "merge": PersonMerge.objects.get(made_by=merged).pk,
        **_seasons(made, kept),
    }


def _seasons(made: dict[str, Any], person: Person) -> dict[str, Any]:
    """Make a league of every evening, in which somebody has points and a public profile."""
    name = "Vereinsmeisterschaft der Pokerfreunde Fürstenfeldbruck"
    saved = call_service(league_save, **made, name=name, terms=Terms(best=4), takes=Takes())
    league = League.objects.get(pk=saved.payload["league"])
    told = {"league": league, "person": person, "points": -150, "reason": "Kam oft zu spät"}
    given = call_service(league_correct, **made, **told)
    call_service(league_team_set, **made, league=league, person=person, team="Die Unbezwingbaren")
    ProfileConsent.objects.create(person=person, made_by=given)
    return {
        "league": league.pk,
        "team": "Die Unbezwingbaren",
        "league_slug": league.slug,
        "ranked": person.pk,
        "profiled": person.pk,
        "correction": given.payload["correction"],
    }


def _coming(at: Tournament) -> dict[str, Any]:
    """Fill the list: places, a line, an offer, who is early or late, a mail that failed."""
    at.do(event_update, -600, settings={"fee_cents": 1000, "reserved_places": 1})
    rows = [at.register(name, -500 + i, is_member=i < 3) for i, name in enumerate(NAMES[:9])]
    told = {"email": "ruth@example.org", "phone": "0660 1234567", "remark": "Kommt mit dem Rad"}
    rows.append(at.register(NAMES[17], -480, **told))
    at.do(registration_withdraw, -400, registration=rows[3])
    at.do(prizes_plan, -450, plan=PrizePlan(way=Way.SHARES, shares=(6000, 4000)))
    till = _till(at, rows[0], -59)
    at.do(registration_arrive, -101, registration=rows[1])
    expected = at.begins + 30 * MINUTE
    at.do(registration_expect, -200, registration=rows[2], expected_at=expected)
    entry = f.check_in(at.event, rows[4], at=at.begins - 101 * MINUTE)
    wish = at.do(keep_apart_wish, -150, first=rows[0], second=rows[1])
    at.do(announcement_made, -101, text="Die Türe ist im Hof.")
    faces = dict(zip(FACES, (rows[0], rows[2], rows[-1], rows[6], rows[3]), strict=True))
    tokens = {face: row.link_token for face, row in faces.items()}
    tokens["seated"] = rows[4].link_token
    return {
        "faces": tokens,
        **till,
        "player_token": rows[0].link_token,
        "registration": rows[0].pk,
        "mail": Mail.objects.get().pk,
        "wish": wish.payload["wish"],
        "entry": entry.pk,
        "number": 1,
        "rule_state": 1,
        "action": wish.pk,
    }


def _tonight(at: Tournament) -> dict[str, Any]:
    """Play: outs, one taken back, a move on foot, penalties, a call, somebody away."""
    event = at.event
    at.arrive(NAMES[:16], -30)
    at.do(dealer_draw_make, -2, table=f.table_of(event, 1))
    at.do(clock_start, 0)
    for table in (1, 2):
        at.do(hand_begin, 1 + table, table=f.table_of(event, table))
    sitting = f.at_table(event, 1)
    called, out, gone, penalised = sitting[:4]
    at.do(entries_eliminate, 20, entries=[out])
    at.do(entry_disqualify, 25, entry=gone, reason="Karten gezeigt")
    at.do(penalty_give, 30, entry=penalised, kind="hands", amount=2, reason="Handy")
    at.do(penalty_give, 31, entry=penalised, kind="warning", reason="Spricht über die Hand")
    at.do(entry_leave, 32, entry=f.at_table(event, 2)[0])
    wrong = at.do(entries_eliminate, 40, entries=[called])
    at.do(action_undo, 41, action=wrong)
    at.do(clock_adjust, 50, seconds=-60)
    at.do(announcement_made, 60, text="Um acht gibt es Suppe.")
    # Where two went there is room for one who walks there, and for a chair that is broken.
    first = f.table_of(event, 1)
    free, *_others, locked = free_seats(event, [first.number])[first.number]
    walker = f.at_table(event, 2)[1]
    to = {"table": f.table_of(event, 1), "seat": free}
    moved = at.do(entry_move, 83, entry=walker, reason="Sieht schlecht", **to)
    at.do(seat_lock, 70, table=f.table_of(event, 1), seat=locked, reason="Sessel kaputt")
    call = at.do(clock_call_start, 84, entry=called)
    at.do(message_send, 84, text="Bitte am Tisch melden.", entry=walker)
    rows = {"playing": f.at_table(event, 3)[0], "moved": walker, "out": out}
    return {
        "slug": event.slug,
        "number": first.number,
        "faces": {face: entry.registration.link_token for face, entry in rows.items()},
        **_till(at, walker.registration, 84),
        "player_token": walker.registration.link_token,
        "registration": walker.registration_id,
        "entry": penalised.pk,
        "disqualified": gone.pk,
        "two": [entry.pk for entry in f.at_table(event, 2)[1:3]],
        "place": f"{first.number}-{locked}",
        "seating": Seating.objects.live().get(entry=walker).pk,
        "penalty": Penalty.objects.filter(entry=penalised).first().pk,
        "call": ClockCall.objects.get(made_by=call).pk,
        "action": moved.pk,
    }


def _till(at: Tournament, guest: Registration, minute: float) -> dict[str, Any]:
    """Open a drawer, take the fee of somebody, then take some out."""
    actor = f.sign_in("Kassenlade am Eingang", Role.DESK, at.event).actor
    own = {"float_cents": 5000, "device": actor.device, "is_further": True}
    opened = at.do(drawer_open, minute, **own)
    at.do(fee_pay, minute, by=actor, registration=guest)
    drawer = Drawer.objects.get(pk=opened.payload["drawer"])
    at.do(drawer_move, minute, drawer=drawer, amount_cents=-1250, reason="Pizza für die Helfer")
    table = a_cash_table(at.event, guest, minute=minute)
    at.do(cash_link_make, minute)
    receipt = Receipt.objects.get(registration=guest)
    worth = {"worth_cents": 2500, "made_by": receipt.action}
    ticket = Ticket.objects.create(event=at.event, registration=guest, **worth)
    return {
        "ticket": ticket.pk,
        "drawer": drawer.pk,
        "receipt": receipt.pk,
        "cash_table": table.number,
        "cash_seat": 1,
        "share": at.event.cash_links.get().token,
    }


def _flight(at: Tournament) -> dict[str, Any]:
    """Make it the only flight of a contest, with a late tap to decide about."""
    made = {"club": at.event.club, "by": SYSTEM, "at": at.begins}
    saved = call_service(contest_save, **made, name="Main Event", terms=ContestTerms())
    contest = Contest.objects.get(pk=saved.payload["contest"])
    own = {"contest": contest, "event": at.event, "label": "1A", "order": 1}
    call_service(stage_save, **made, **own, stop=StopRule(level=9))
    last = f.at_table(at.event, 3)[-1]
    claimed, came = (at.begins + minute * MINUTE for minute in (19, 84))
    claim = Command(event=at.event, by=SYSTEM, at=came, claimed=claimed)
    entries_eliminate(claim, entries=[last])
    return {
        "contest": contest.pk,
        "stage": Stage.objects.get().pk,
        "tap": LateTap.objects.get().pk,
    }


def _bubble(at: Tournament) -> dict[str, Any]:
    """Play hand-for-hand; two tables have reported."""
    at.arrive(NAMES[:9], -30)
    at.do(clock_start, 0)
    at.do(hand_for_hand_begin, 10)
    for table in (1, 2):
        at.do(table_report, 11, table=f.table_of(at.event, table), number=0)
    entry = f.at_table(at.event, 1)[0]
    return _about(at, entry)


def _over(at: Tournament) -> dict[str, Any]:
    """Play to the end."""
    entries = at.arrive(NAMES[:5], -30)
    at.do(clock_start, 0)
    for minute, entry in enumerate(entries[1:]):
        at.do(entries_eliminate, 10 + minute, entries=[entry])
    at.do(event_end, 90)
    faces = {"winner": entries[0], "out": entries[1]}
    tokens = {face: entry.registration.link_token for face, entry in faces.items()}
    return {**_about(at, entries[0]), "faces": tokens}


def _about(at: Tournament, entry: Entry) -> dict[str, Any]:
    return {
        "slug": at.event.slug,
        "number": at.event.tables.order_by("number").first().number,
        "entry": entry.pk,
        "registration": entry.registration_id,
        "player_token": entry.registration.link_token,
    }
