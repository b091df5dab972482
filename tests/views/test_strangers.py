"""The tournament page that is written once for all strangers who open it in the same moment."""

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from clock.domain import instant_ms
from clock.servertime import server_time
from krru.web.pages import WAITING
from tests import factories as f
from tournaments.changes.access import Role
from tournaments.changes.commands import ClubCommand
from tournaments.club.services.club import club_colour_set
from tournaments.models import Registration
from tournaments.public.views import public_cache

pytestmark = [pytest.mark.django_db, pytest.mark.planned]
TOKENS = re.compile(r'csrf-token" content="(\w+)"|csrfmiddlewaretoken" value="(\w+)"')
KEY = re.compile(r'name="idempotency_key" value="([\w-]+)"')


@pytest.fixture
def now(monkeypatch):
    """Let the server's time stand still."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: f.ARRIVAL)


def opened(event, client=None, **headers):
    answer = (client or Client(enforce_csrf_checks=True)).get(
        reverse("tournament", args=[event.slug]), headers=headers
    )
    assert answer.status_code == 200
    return answer.content.decode()


def without_tokens(html):
    return KEY.sub("", TOKENS.sub("", html))


def test_two_strangers_see_the_same_with_tokens_of_their_own_that_work(event, now):
    people = {name: Client(enforce_csrf_checks=True) for name in ("Petra Probst", "Ada Auer")}
    pages = {name: opened(event, person) for name, person in people.items()}
    one, other = pages.values()
    assert without_tokens(one) == without_tokens(other)
    keys = [*KEY.findall(one), *KEY.findall(other)]
    assert len(keys) == len(set(keys)) > 2
    for name, person in people.items():
        (token,) = {left or right for left, right in TOKENS.findall(pages[name])}
        sent = {"name": name, "agrees_to_rules": "on", "csrfmiddlewaretoken": token,
                "idempotency_key": KEY.search(pages[name])[1]}  # fmt: skip
        assert person.post(reverse("register", args=[event.slug]), sent).status_code == 302
    assert Registration.objects.count() == 2


def test_the_second_costs_one_look_and_what_was_changed_is_seen_at_once(
    event, now, django_assert_num_queries
):
    assert "Petra Probst" not in opened(event)
    with django_assert_num_queries(1):
        opened(event)
    f.register(event, "Petra Probst")
    assert "Petra Probst" in opened(event)
    f.undo(event)
    assert "Petra Probst" not in opened(event)
    before = opened(event)
    club_colour_set(ClubCommand(club=event.club, by=f.make_dora(), at=f.ARRIVAL), colour="#aa0000")
    assert without_tokens(before) != without_tokens(opened(event))


def test_each_language_address_of_the_server_and_known_device_has_its_own(event, now, settings):
    settings.ALLOWED_HOSTS = ["testserver", "turnier.example.org"]
    german, english = opened(event), opened(event, **{"Accept-Language": "en"})
    assert 'lang="de"' in german
    assert 'lang="en"' in english
    assert "testserver" not in opened(event, Host="turnier.example.org")
    client = Client()
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Zur Leitung" in opened(event, client)
    assert "Zur Leitung" not in german + opened(event)


@pytest.mark.parametrize("page", ["tournament", "results", "draws"])
def test_once_play_has_begun_too(page, now, django_assert_max_num_queries):
    event = f.make_running_event(4)
    url = reverse(page, args=[event.slug])
    first, second = Client(), Client()
    before = first.get(url)
    with django_assert_max_num_queries(3):
        after = second.get(url)
    assert without_tokens(before.content.decode()) == without_tokens(after.content.decode())
    f.sign_browser_in(second, Role.DIRECTOR, event)
    # What staff are shown beside it is kept for nobody else.
    of_staff = reverse("director", args=[event.slug]).encode()
    assert of_staff in second.get(url).content
    assert of_staff not in first.get(url).content


def test_a_kept_page_tells_the_time_of_whoever_opens_it(event, monkeypatch):
    monkeypatch.setattr(public_cache, "KEPT_S", 3600)
    url = reverse("draws", args=[event.slug])
    times = []
    for at in (f.ARRIVAL, f.ARRIVAL + timedelta(seconds=1)):
        monkeypatch.setattr(server_time, "now", lambda at=at: at)
        found = re.search(r'"now": (\d+)', Client().get(url).content.decode())
        times.append(int(found[1]))
    assert times == [instant_ms(f.ARRIVAL), instant_ms(f.ARRIVAL) + 1000]


def test_a_page_of_draws_is_kept_by_its_number(event):
    url = reverse("draws", args=[event.slug])
    pages = [Client().get(url, {"seite": asked}).content.decode() for asked in ("1", "x", "99")]
    assert len({without_tokens(re.sub(r'"now": \d+', "", page)) for page in pages}) == 1


class Writer:
    """Asks for the page of an event as it is now, and counts how often it was written."""

    def __init__(self, event):
        self.event, self.found, self.written = event, 0, 0
        self.is_crowded = False
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def ask(self, _number=0):
        waiting = {WAITING: public_cache.CROWD} if self.is_crowded else {}
        request, template = RequestFactory().get("/", **waiting), "parts/refusal.html"
        return public_cache.cached_page(request, self.event.slug, template, self.find, self.context)

    def find(self):
        self.found += 1
        return self.event

    def context(self, _event):
        self.written += 1
        assert self.may_go_on.wait(10)
        return {"reason": f"Version {self.event.version}"}


@pytest.fixture
def writer(event, monkeypatch):
    monkeypatch.setattr(public_cache, "_rush", public_cache.Rush())
    return Writer(event)


def rush(writer):
    """Let so many ask at once that it is a rush; return what each got."""
    writer.may_go_on.clear()
    writer.is_crowded = True
    with ThreadPoolExecutor(public_cache.CROWD) as pool:
        pages = pool.map(writer.ask, range(public_cache.CROWD))
        while not public_cache._rush.is_on:
            time.sleep(0.001)
        writer.may_go_on.set()
    writer.is_crowded = False
    return list(pages)


def test_in_a_rush_one_writes_it_and_for_a_second_it_is_good_whatever_changed(writer):
    pages = rush(writer)
    assert (len(set(pages)), writer.written) == (1, 1)
    writer.event.version += 1
    found = writer.found
    assert writer.ask() == pages[0]
    assert writer.found == found
    time.sleep(public_cache.RUSH_KEPT_S)
    assert writer.ask() != pages[0]
    assert writer.written == 2


def test_after_the_rush_what_was_changed_is_seen_at_once_again(writer, monkeypatch):
    monkeypatch.setattr(public_cache, "RUSH_S", 0.2)
    before = rush(writer)[0]
    time.sleep(0.2)
    writer.event.version += 1
    assert writer.ask() != before


def test_when_the_clock_was_set_back_it_is_written_anew(writer, monkeypatch):
    writer.ask()
    earlier = time.time() - 3600
    monkeypatch.setattr(time, "time", lambda: earlier)
    writer.ask()
    assert writer.written == 2
