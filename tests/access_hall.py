"""A hall for every address: an evening under way, with something for each to be about."""

from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.utils import timezone

from clock.domain.wording import Language
from clock.models import ScheduleTemplate
from clock.speech import speech_url
from tests import factories as f
from tests.addresses import address_of
from tests.calling import call_service
from tests.rasters import DOT
from tests.services.cashgames import a_cash_table
from tournaments.cashgame.services.hands import cash_link_make
from tournaments.changes.access import COOKIE, SYSTEM, Actor, Role
from tournaments.changes.commands import Command
from tournaments.club.selectors.theme import club_style, style_digest
from tournaments.club.services.club import club_about_set, club_colour_set, club_logo_set
from tournaments.club.services.staff import device_revoke, link_make
from tournaments.contests.domain.carrying import Terms as ContestTerms
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.services.contests import contest_save, stage_save
from tournaments.models import (
    ChipSet,
    ClockCall,
    Club,
    ClubLogo,
    Contest,
    Delivery,
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
    Webhook,
)
from tournaments.money.services.drawers import drawer_open
from tournaments.money.services.fees import fee_pay
from tournaments.notices.services.hooks import webhook_add
from tournaments.payouts.services.prizes import prizes_plan
from tournaments.people.services.members import people_merge
from tournaments.play.services.calls import clock_call_start
from tournaments.play.services.conduct import penalty_give
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.public.selectors.told import overlay_key
from tournaments.public.services.streaming import live_post
from tournaments.screens.services.own_face import slide_add
from tournaments.screens.services.screens import screen_claim, screen_make
from tournaments.seasons.domain.points import Terms
from tournaments.seasons.services.leagues import Takes, league_correct, league_save, league_team_set
from tournaments.seating.services.chairs import keep_apart_wish
from tournaments.seating.services.tables import dealer_draw_make


@dataclass(frozen=True)
class Hall:
    """An evening under way, with something for every address to be about."""

    values: dict[str, Any]
    cookies: dict[str, str]

    def url(self, name: str) -> str:
        return address_of(name, self.values)

    def become(self, client: Client, who: str) -> None:
        client.cookies.clear()
        if who in self.cookies:
            client.cookies[COOKIE] = self.cookies[who]

    def token_of(self, who: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.cookies[who]}"} if who in self.cookies else {}


def make_hall(*, fee_cents: int = 1000) -> Hall:
    """Make the evening; where it costs nothing there is no drawer and no receipt."""
    event, elsewhere = (
        f.make_running_event(12, seats=6, fee_cents=fee_cents),
        f.make_event(name="Anderswo"),
    )
    Club.objects.update(hall="Saal\n1 2 3")
    out, disqualified, entry = f.entries_of(event)[:3]
    said = {"by": SYSTEM, "at": f.after(1)}
    call_service(dealer_draw_make, event=event, **said, table=f.table_of(event, 1))
    action = call_service(entries_eliminate, event=event, **said, entries=[out])
    tap = LateTap.objects.create(event=event, entry=out, at=f.after(0.5), made_by=action)
    call_service(entry_disqualify, event=event, **said, entry=disqualified, reason="Karten gezeigt")
    call_service(
        penalty_give, event=event, **said, entry=entry, kind="hands", amount=2, reason="Handy"
    )
    called = clock_call_start(Command(event=event, by=SYSTEM, at=f.after(1)), entry=entry)
    waiting = f.register(event, "Petra Probst", at=f.after(2), email="petra@example.org")
    made = {"club": event.club, "by": SYSTEM, "at": timezone.now()}
    link = call_service(
        link_make, **made, token="einmal", role=Role.ARBITER, event=event, one_time=True
    )
    signed_in = {
        "director": f.sign_in("Doras Laptop", Role.DIRECTOR),
        "director of the event": f.sign_in("Doras Handy", Role.DIRECTOR, event),
        "desk": f.sign_in("Eingang", Role.DESK, event),
        "arbiter": f.sign_in("Arnos Handy", Role.ARBITER, event),
        "director elsewhere": f.sign_in("Fremder Laptop", Role.DIRECTOR, elsewhere),
        "revoked": f.sign_in("Zenos Handy", Role.DIRECTOR, event),
    }
    call_service(device_revoke, **made, device=signed_in["revoked"].actor.device)
    till = _till(event, signed_in["desk"].actor, waiting) if fee_cents else {}
    screen = screen_make(club=event.club, secret="beamer", at=made["at"])
    claimed = call_service(screen_claim, **made, code=screen.code, name="Beamer", event=event)
    shown = call_service(slide_add, **made, text="Danke", seconds=10, data=DOT)
    call_service(live_post, event=event, **said, text="Vier Tische", data=DOT)
    call_service(club_colour_set, **made, colour="#7a1f2b")
    call_service(club_about_set, **made, imprint="Verein, ZVR 123")
    call_service(club_logo_set, **made, data=b'<svg xmlns="http://www.w3.org/2000/svg"/>')
    chips = ChipSet.objects.create(club=event.club, name="Koffer", pieces=[])
    first, second = (entry.registration for entry in f.entries_of(event)[3:5])
    wish = call_service(keep_apart_wish, event=event, **said, first=first, second=second)
    ways = [f.register(elsewhere, name).person for name in ("Otto Kurz", "Otto K.")]
    merged = call_service(people_merge, **made, kept=first.person, gone=ways[0])
    seasons = _seasons(event.club, made, ways[1])
    another = f.sign_in("Noch ein Handy", Role.ARBITER, event)
    return Hall(
        values={
            "language": "de",
            "signed": speech_url("eins", Language.GERMAN).rsplit("/", 1)[-1].removesuffix(".wav"),
            "signal": "gong",
            "element": "clock",
            "docs_file": "swagger-ui.css",
            "path": "nirgends",
            "slug": event.slug,
            "number": 1,
            "rule_state": 1,
            "entry": entry.pk,
            "disqualified": disqualified.pk,
            "two": [row.pk for row in f.entries_of(event)[3:5]],
            "seating": Seating.objects.live().get(entry=entry).pk,
            "penalty": Penalty.objects.get(entry=entry).pk,
            "call": ClockCall.objects.get(made_by=called).pk,
            "registration": waiting.pk,
            "drawer": till.get("drawer", 0),
            "receipt": till.get("receipt", 0),
            "cash_table": till.get("cash_table", 0),
            "cash_seat": 1,
            "ticket": till.get("ticket", 0),
            "share": till.get("share", "nichts"),
            "mail": Mail.objects.get(registration=waiting).pk,
            "action": action.pk,
            "tap": tap.pk,
            "person": ways[1].pk,
            "merge": PersonMerge.objects.get(made_by=merged).pk,
            "device": another.actor.device.pk,
            "screen": screen.pk,
            "place": "1-1",
            "wish": wish.payload["wish"],
            "screen_action": claimed.pk,
            "slide": Slide.objects.get().pk,
            "slide_digest": Slide.objects.get().digest,
            "face_action": shown.pk,
            "player_token": waiting.link_token,
            "link_token": "einmal",
            "link": link.payload["link"],
            "what": "rebuy",
            "preset": "krru-3",
            "chips": chips.pk,
            **seasons,
            **_flights(event, made),
            **_hook(event, made),
            "plan": ScheduleTemplate.objects.get(name="T100").pk,
            "style_digest": style_digest(club_style(Club.objects.get())),
            "logo_digest": ClubLogo.objects.get().digest,
            "overlay_key": overlay_key(event),
            "post_digest": LivePicture.objects.get().digest,
        },
        cookies={who: found.token for who, found in signed_in.items()}
        | {"forged cookie": "erfunden"},
    )


def _hook(event: Event, made: dict[str, Any]) -> dict[str, Any]:
    """Make a webhook with a delivery."""
    call_service(webhook_add, **made, url="https://hook.example.org/")
    hook = Webhook.objects.get()
    sent = {"made_at": made["at"], "due_at": made["at"], "sequence": 1, "body": {}}
    delivery = Delivery.objects.create(webhook=hook, event=event, **sent)
    return {"webhook": hook.pk, "delivery": delivery.pk}


def _flights(event: Event, made: dict[str, Any]) -> dict[str, Any]:
    """Make the event the only flight of a contest."""
    saved = call_service(contest_save, **made, name="Main Event", terms=ContestTerms())
    contest = Contest.objects.get(pk=saved.payload["contest"])
    own = {"contest": contest, "event": event, "label": "1A", "order": 1, "stop": StopRule()}
    call_service(stage_save, **made, **own)
    return {"contest": contest.pk, "stage": Stage.objects.get().pk}


def _seasons(club: Club, made: dict[str, Any], person: Person) -> dict[str, Any]:
    """Make a league in which somebody has points, whose profile everybody may see."""
    saved = call_service(league_save, **made, name="Liga", terms=Terms(), takes=Takes())
    league = League.objects.get(pk=saved.payload["league"])
    told = {"league": league, "person": person, "points": 500, "reason": "Hat aufgebaut"}
    given = call_service(league_correct, **made, **told)
    call_service(league_team_set, **made, league=league, person=person, team="Pik")
    ProfileConsent.objects.create(person=person, made_by=given)
    return {
        "league": league.pk,
        "league_slug": league.slug,
        "ranked": person.pk,
        "team": "Pik",
        "profiled": person.pk,
        "correction": given.payload["correction"],
    }


def _till(event: Event, desk: Actor, guest: Registration) -> dict[str, Any]:
    """Plan prizes, open a drawer, take the fee of somebody, seat another at a cash table."""
    said = {"event": event, "by": desk, "at": f.after(2)}
    plan = PrizePlan(way=Way.SHARES, shares=(6000, 4000))
    call_service(prizes_plan, **said | {"by": SYSTEM}, plan=plan)
    opened = call_service(drawer_open, **said, float_cents=0)
    call_service(fee_pay, **said, registration=guest)
    receipt = Receipt.objects.get(registration=guest)
    table = a_cash_table(event, f.register(event, "Gast am Cash-Tisch", at=f.after(2)))
    call_service(cash_link_make, event=event, by=SYSTEM, at=timezone.now())
    return {
        "drawer": opened.payload["drawer"],
        "receipt": receipt.pk,
        "cash_table": table.number,
        "share": event.cash_links.get().token,
        "ticket": Ticket.objects.create(
            event=event,
            registration=f.entries_of(event)[6].registration,
            worth_cents=2500,
            made_by=receipt.action,
        ).pk,
    }
