"""An evening of mixed games on the wall and the phones: what is on, its limit, its amounts."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from clock.selectors import clock_levels
from tests import factories as f
from tests.waits import until
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.domain.games import Mix
from tournaments.event.services.clock import clock_jump, clock_start
from tournaments.event.services.schedule.edit import schedule_edit, schedule_mixed
from tournaments.models import Registration

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GAME = "'[data-part=game]'"


def now(event):
    return Command(event=f.fresh(event), by=SYSTEM, at=timezone.now())


def beside(phone):
    return phone.locator("[data-clock-show=beside]").first


def test_s25_the_wall_and_the_phones_follow_the_game_of_each_level(guests):
    event = f.make_seated_event(6, seats_per_table=8, starts_at=timezone.now())
    clock_start(now(event))
    event = f.fresh(event)
    levels = clock_levels(event.clock)
    mixed = schedule_mixed(event, Mix.HORSE, None, timezone.now())
    schedule_edit(now(event), levels=mixed, based_on=[level.id for level in levels])
    wall = guests.open(reverse("screen", args=[event.slug]))
    wall.wait_for_selector("body[data-face=playing]")
    player = Registration.objects.filter(event=event).earliest("pk")
    phone = guests.open(reverse("player", args=[player.link_token]), size="phone")
    token = f.sign_in("Arnos Handy", Role.ARBITER, event).token
    arbiter = guests.open(reverse("floor-table", args=[event.slug, 1]), size="phone", cookie=token)
    for level in clock_levels(f.fresh(event).clock)[1:6]:
        clock_jump(now(event), level=level.id)
        until(
            wall, f"document.querySelector('[data-part=game]').textContent.includes('{level.game}')"
        )
        amounts = (
            (level.small_bet, level.big_bet)
            if level.small_bet
            else (level.small_blind, level.big_blind)
        )
        expect(wall.locator("[data-part=blinds]").first).to_have_text(
            re.compile(r"\s*/\s*".join(map(str, amounts)))
        )
        shown = wall.inner_text("body")
        assert "Split Limit" in shown
        assert (f"Bring-in {level.bring_in}" in shown) == (level.bring_in > 0)
        for page in (phone, arbiter):
            expect(beside(page)).to_contain_text(level.game)
            expect(beside(page)).to_contain_text("Split Limit")
