"""Posts for those at home, and stacks stated in a break."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from clock.domain import instant_ms
from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tests.domain.test_field_cases import case
from tests.rasters import raster
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM
from tournaments.event.services.clock import clock_adjust, clock_jump, clock_pause, clock_start
from tournaments.event.services.schedule.edit import clock_break_now, level_correct
from tournaments.models import LivePost, Registration, StackWord
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.people.domain.naming import initials
from tournaments.play.services.stacks import stack_say, stacks_count
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.public.selectors.told import (
    ToldStack,
    delayed,
    overlay_key,
    told_clock,
    told_left,
    told_outs,
    told_posts,
    told_prizes,
    told_seats,
    told_stacks,
)
from tournaments.public.services.streaming import live_post, overlays_renew
from tournaments.public.views.overlay import ELEMENTS
from tournaments.seating.services.tables import entry_move, table_open

pytestmark = pytest.mark.django_db


def post(event, minute, text="", **own):
    return call_service(live_post, event=event, by=SYSTEM, at=f.after(minute), text=text, **own)


def in_break(players=6):
    event = f.make_running_event(players)
    f.drive(clock_break_now, event, 5, minutes=30)
    return event, f.entries_of(event)


def say(entry, amount, minute=6):
    by = f.petra_of(entry.registration)
    own = {"event": entry.registration.event, "by": by, "at": f.after(minute)}
    return call_service(stack_say, **own, entry=entry, amount=amount)


def refused(why, do, *given, **own):
    with f.refused(why):
        do(*given, **own)


def test_a_post_is_told_after_the_delay_until_it_is_taken_back(client):
    event = f.make_running_event(9)
    photo = raster(Image.new("RGB", (2000, 1000), "#7a1f2b"), "JPEG")
    post(event, 5, "  Heute   elf Tische ", data=photo)
    assert told_posts(event, f.after(4), 5) == []
    [told] = told_posts(event, f.after(5), 5)
    assert told.text == "Heute elf Tische"
    picture = client.get(reverse("live-picture", args=[told.digest]))
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/jpeg")
    assert "default-src 'none'" in picture["Content-Security-Policy"]
    page = client.get(event.get_absolute_url()).content.decode()
    assert told.digest in page
    f.undo(event, at=f.after(6))
    assert told_posts(event, f.after(7), 5) == []
    assert client.get(reverse("live-picture", args=[told.digest])).status_code == 404


def test_a_bad_post_is_refused():
    planned, event = f.make_event(), f.make_running_event(4)
    refused("not_started", post, planned, 0, "Bald")
    refused("empty", post, event, 1, "  ")
    refused("too_long", post, event, 1, "x" * 201)
    refused("no_picture", post, event, 1, data=b"\x89PNG nichts")
    assert not LivePost.objects.exists()


def test_a_stack_stated_in_a_break_is_shown_as_stated(client):
    event, (anna, bert, *_others) = in_break()
    Registration.objects.filter(pk=anna.registration_id).update(is_listed=True)
    say(anna, 250)
    assert told_stacks(event, f.after(7)) == {anna.pk: ToldStack(250, is_said=True)}
    assert told_stacks(event, f.after(5.5)) == {}
    page = text_of(client.get(event.get_absolute_url()))
    assert "250" in page
    assert "selbst gesagt" in page
    refused("nothing", say, anna, 250, 7)
    say(anna, 300, 8)
    assert StackWord.objects.live().get().amount == 300
    f.undo(event, at=f.after(9))
    assert told_stacks(event, f.after(10)) == {anna.pk: ToldStack(250, is_said=True)}
    f.drive(stacks_count, event, 11, stacks={anna.pk: 200, bert.pk: 210})
    assert told_stacks(event, f.after(12))[anna.pk] == ToldStack(200, is_said=False)
    refused("counted", say, anna, 400, 13)


def test_a_stack_is_stated_by_its_own_player_in_a_break_within_the_chips_in_play():
    running = f.make_running_event(6)
    refused("no_break", say, f.entries_of(running)[0], 100)
    event, (anna, bert, *_others) = in_break()
    chips = 6 * event.starting_stack
    for amount in (0, -1):
        refused("bad_stack", say, anna, amount)
    refused("bad_stack", say, anna, chips + 1)
    own = {"event": event, "at": f.after(6), "entry": anna, "amount": 100}
    for by in (f.petra_of(bert.registration), SYSTEM):
        refused("not_yours", call_service, stack_say, by=by, **own)
    f.out(event, bert, at=f.after(6))
    refused("not_alive", say, bert, 100, 7)
    assert not StackWord.objects.exists()


def test_the_own_page_asks_in_a_break_only(client):
    now = timezone.now()
    event = f.make_seated_event(6, starts_at=now)
    anna = f.entries_of(event)[0]
    call_service(clock_start, event=event, by=SYSTEM, at=now)
    own = reverse("player", args=[anna.registration.link_token])
    assert "Dein Stapel" not in text_of(client.get(own))
    call_service(clock_break_now, event=event, by=SYSTEM, at=timezone.now(), minutes=30)
    assert "Dein Stapel" in text_of(client.get(own))
    says = reverse("player-stack", args=[anna.registration.link_token])
    assert client.post(says, {"amount": "150"}).status_code == 302
    assert "Du hast 150 Chips gesagt" in text_of(client.get(own))
    assert client.post(says, {"amount": "viel"}).status_code == 422


def overlay(client, event, element="left", **query):
    address = reverse("overlay", args=[event.slug, overlay_key(event), element])
    return client.get(address, query)


def test_the_addresses_of_overlays_are_secret_and_end_when_they_are_renewed(client):
    event = f.make_running_event(9)
    before = reverse("overlay", args=[event.slug, overlay_key(event), "left"])
    assert client.get(before).status_code == 200
    assert client.post(before).status_code == 405
    assert client.get(before.replace(overlay_key(event), "x" * 32)).status_code == 404
    assert client.get(reverse("overlays", args=[event.slug])).status_code == 403
    call_service(overlays_renew, event=event, by=SYSTEM, at=f.after(1))
    assert client.get(before).status_code == 404
    assert overlay(client, f.fresh(event)).status_code == 200


def test_an_overlay_takes_its_looks_from_the_address_and_nothing_else(client):
    event = f.make_seated_event(9, starts_at=timezone.now(), stream_delay=600)
    call_service(clock_start, event=event, by=SYSTEM, at=timezone.now())
    f.out(event, f.entries_of(event)[-1], at=timezone.now())
    for query, status in (
        ({}, 200),
        ({"theme": "light", "table": "2"}, 200),
        ({"theme": "<script>"}, 422),
        ({"table": "0"}, 422),
        ({"table": "Eins"}, 422),
        ({"table": "99999"}, 422),
        # An address shows no more than the stream does.
        ({"delay": "0"}, 200),
    ):
        answer = overlay(client, f.fresh(event), **query)
        assert answer.status_code == status, query
        assert "8 / 9" not in text_of(answer)


def test_no_overlay_and_no_page_names_who_did_not_agree(client):
    event = f.make_running_event(6)
    Registration.objects.filter(event=event).update(is_listed=False)
    names = [entry.registration.person.name for entry in f.entries_of(event)]
    f.out(event, f.entries_of(event)[-1], at=f.after(1))
    f.drive(stacks_count, event, 2, stacks={f.entries_of(event)[0].pk: 200})
    pages = [overlay(client, event, element) for element in ELEMENTS]
    pages += [client.get(event.get_absolute_url()), client.get(reverse("home"))]
    texts = [text_of(page) for page in pages]
    assert "200" in texts[list(ELEMENTS).index("bags")]
    assert not [name for name in names for text in texts if name in text]
    assert overlay(client, event, "nothing").status_code == 404


# --- What a stream shows: the evening as it was told some time ago


def level_shown(payload):
    """Return the level a page shows at the payload's instant."""
    return next(row for row in payload["levels"] if row["id"] == payload["anchor"]["level"])


def minute(time):
    """Return the minutes since eight of a time of day."""
    hours, minutes, seconds = map(int, time.split(":"))
    return (hours - 20) * 60 + minutes + seconds / 60


def test_overlay_delay():
    given, expect = case("overlay-delay")
    event = f.make_running_event(22)
    players = f.entries_of(event)
    for time, what in sorted(given["facts"]):
        at = f.after(minute(time))
        if what.startswith("level"):
            number, blinds = what.removeprefix("level ").split()
            small, big = map(int, blinds.split("/"))
            row = next(r for r in clock_levels(event.clock) if r.number == int(number))
            f.drive(clock_jump, event, minute(time), level=row.id)
            f.drive(
                level_correct, event, minute(time), raises_next=True,
                amounts={"small_blind": small, "big_blind": big},
            )  # fmt: skip
            continue
        while told_left(event, at)[0] > int(what.split()[0]):
            f.out(event, players.pop(), at=at)
    now = f.after(minute(given["now"]))
    told = now - timedelta(seconds=given["delay_seconds"])
    assert told_left(event, told) == (expect["left"], 22)
    assert told_left(event, now)[0] != expect["left"]
    level = level_shown(told_clock(f.fresh(event), told))
    shown = f"{level['number']}: {level['small_blind']}/{level['big_blind']}"
    assert shown == expect["level"]
    assert len(told_outs(event, told, 9)) == 3


def test_a_mistaken_out_never_shows_and_one_told_late_shows_late():
    event = f.make_running_event(10, stream_delay=120)
    *_, late, wrong, right = f.entries_of(event)
    f.out(event, right, at=f.after(5))
    mistake = f.out(event, wrong, at=f.after(6))
    f.undo(event, mistake, at=f.after(7))
    assert told_left(event, f.after(6.5))[0] == 9
    assert [out.place for out in told_outs(event, f.after(6.5), 5)] == [10]
    f.drive(clock_pause, event, 8)
    assert told_left(event, f.after(4))[0] == 10
    f.out(event, late, at=f.after(20))
    assert [told_left(event, f.after(minute))[0] for minute in (19, 21)] == [9, 8]
    late = delayed(event, f.after(8))
    assert late["waits"] == [60_000, 120_000]


def test_names_of_the_unlisted_are_initials_and_prizes_show_once_fixed():
    event = f.make_running_event(4, fee_cents=1000)
    plan = PrizePlan(way=Way.SHARES, shares=(7000, 3000), unit_cents=100)
    f.drive(prizes_plan, event, 1, plan=plan)
    for entry in f.entries_of(event):
        f.drive(fee_pay, event, 2, registration=entry.registration)
    f.drive(prizes_freeze, event, 9)
    last = f.entries_of(event)[-1]
    name = last.registration.person.name
    last.registration.is_listed = False
    last.registration.save()
    f.out(event, last, at=f.after(12))
    assert [out.name for out in told_outs(event, f.after(13), 5)] == [initials(name)]
    assert told_prizes(event, f.after(8)) == []
    assert len(told_prizes(event, f.after(10))) == 2


def test_a_move_shows_when_it_was_told_and_one_taken_back_never():
    event = f.make_running_event(6, seats=6)
    f.drive(table_open, event, 1, count=1)
    entry = f.entries_of(event)[0]
    table, seat = f.seat_of(entry)
    moved = lambda minute: [row.seat for row in told_seats(event, f.after(minute), 2)]
    f.drive(entry_move, event, 5, entry=entry, table=f.table_of(event, 2), seat=3, reason="Licht")
    assert (moved(4), moved(6)) == ([], [3])
    assert seat in [row.seat for row in told_seats(event, f.after(4), table)]
    assert seat not in [row.seat for row in told_seats(event, f.after(6), table)]
    f.undo(event, at=f.after(8))
    assert (moved(6), moved(9)) == ([], [])


def test_the_clock_is_as_it_was_across_a_pause_and_a_level():
    event = f.make_running_event(4)
    f.drive(clock_pause, event, 10)
    f.drive(clock_start, event, 14)
    f.drive(clock_adjust, event, 15, seconds=-60)
    told = {minute: told_clock(f.fresh(event), f.after(minute)) for minute in (9, 12, 14.5, 16)}
    assert [told[minute]["now"] for minute in told] == [instant_ms(f.after(m)) for m in told]
    running = {minute: payload["anchor"]["since"] is not None for minute, payload in told.items()}
    assert running == {9: True, 12: False, 14.5: True, 16: True}
    assert told[14.5]["anchor"]["elapsed"] != told[16]["anchor"]["elapsed"]
