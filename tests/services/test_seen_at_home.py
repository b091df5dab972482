"""Posts for those at home, and stacks stated in a break."""

import io

import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from tests import factories as f
from tests.calling import call_service
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.domain.errors import Refused
from tournaments.event.services.clock import clock_start
from tournaments.event.services.schedule.edit import clock_break_now
from tournaments.models import LivePost, Registration, StackWord
from tournaments.play.services.stacks import stack_say, stacks_count
from tournaments.public.selectors.told import (
    ToldStack,
    overlay_key,
    told_posts,
    told_stacks,
)
from tournaments.public.services.streaming import live_post, overlays_renew
from tournaments.public.views.overlay import ELEMENTS

pytestmark = pytest.mark.django_db


def photo():
    out = io.BytesIO()
    Image.new("RGB", (2000, 1000), "#7a1f2b").save(out, "JPEG")
    return out.getvalue()


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
    with pytest.raises(Refused) as caught:
        do(*given, **own)
    assert caught.value.code == why
    assert str(caught.value).endswith(".")


def test_a_post_is_told_after_the_delay_until_it_is_taken_back(client):
    event = f.make_running_event(9)
    post(event, 5, "  Heute   elf Tische ", data=photo())
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


def test_only_who_may_announce_posts(client):
    event = f.make_running_event(4)
    for role, status in ((Role.ARBITER, 302), (Role.DESK, 403)):
        client.cookies["krru_device"] = f.sign_in(f"{role}", role, event).token
        assert (
            client.post(reverse("live-post", args=[event.slug]), {"text": "Hallo"}).status_code
            == status
        )
    assert LivePost.objects.count() == 1


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


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({}, 200),
        ({"theme": "light", "table": "2"}, 200),
        ({"theme": "<script>"}, 422),
        ({"table": "0"}, 422),
        ({"table": "Eins"}, 422),
        ({"table": "99999"}, 422),
        # An address shows no more than the stream does.
        ({"delay": "0"}, 200),
    ],
)
def test_an_overlay_takes_its_looks_from_the_address_and_nothing_else(client, query, status):
    event = f.make_seated_event(9, starts_at=timezone.now(), stream_delay=600)
    call_service(clock_start, event=event, by=SYSTEM, at=timezone.now())
    f.out(event, f.entries_of(event)[-1], at=timezone.now())
    answer = overlay(client, f.fresh(event), **query)
    assert answer.status_code == status
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
