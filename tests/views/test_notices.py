"""Pages of notices: the choice of players and arbiters, the club's ways out, the home screen."""

import json

import pytest
from django.utils import timezone

from krru.web.hosts import public_site
from krru.web.webpush import new_key, public_text
from tests import factories as f
from tests.outside import TOKEN, BotApi, served
from tests.pressing import HTMX, shows
from tests.views.pages import soon
from tournaments.changes.access import Role
from tournaments.models import Delivery, Listener, Outlet, Webhook

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot(settings):
    with served(BotApi()) as api:
        settings.TELEGRAM_URL = api.url
        yield api


def subscription(endpoint="https://updates.push.services.mozilla.com/wpush/v2/x"):
    return json.dumps({
        "endpoint": endpoint,
        "keys": {"p256dh": public_text(new_key()), "auth": "A" * 22},
    })  # fmt: skip


def test_a_player_chooses_and_ends_what_is_told(client, settings):
    settings.PUBLIC = public_site("https://club.test")
    event = soon()
    petra = f.register(event, at=timezone.now())
    url = f"/p/{petra.link_token}/melden/"
    shows(client.get(url, headers=HTMX).content.decode(), "Umzug", but=("Sack versiegelt",))
    sent = {"channel": "push", "kinds": ["move", "news"], "address": subscription()}
    assert "Speichern" in client.post(url, sent, headers=HTMX).content.decode()
    assert Listener.objects.get().kinds == ["move", "news"]
    wrong = {**sent, "address": subscription("https://evil.example/")}
    answer = client.post(url, wrong, headers=HTMX)
    assert (answer.status_code, Listener.objects.count()) == (422, 1)
    assert "nicht verbinden" in answer.content.decode()
    client.post(url, {**sent, "off": "1"}, headers=HTMX)
    assert not Listener.objects.exists()


def test_without_a_way_out_the_page_says_so(client, settings):
    settings.PUBLIC = None
    petra = f.register(soon(), at=timezone.now())
    assert "keinen Weg dafür" in client.get(f"/p/{petra.link_token}/melden/").content.decode()


def test_an_arbiter_names_the_tables(client, settings):
    settings.PUBLIC = public_site("https://club.test")
    event = soon()
    f.sign_browser_in(client, Role.ARBITER, event)
    url = f"/t/{event.slug}/melden/"
    assert "Tische, die abgeben" in client.get(url).content.decode()
    sent = {"channel": "push", "kinds": ["move"], "address": subscription()}
    assert client.post(url, {**sent, "tables": "1, zwei"}, headers=HTMX).status_code == 422
    client.post(url, {**sent, "tables": "1, 3 2"}, headers=HTMX)
    assert Listener.objects.get().tables == [1, 2, 3]


def test_the_club_sets_its_bot_and_webhooks(client, bot, settings):
    event = soon()
    f.sign_browser_in(client, Role.DIRECTOR)
    here = "/verein/nach-aussen/"
    for token in ("unsinn", "9:B"):
        answer = client.post(f"{here}bot/", {"token": token})
        assert (answer.status_code, Outlet.objects.count()) == (422, 0)
        assert "kennt dieses Token nicht" in answer.content.decode()
    online, settings.TELEGRAM_URL = settings.TELEGRAM_URL, "http://127.0.0.1:9"
    away = client.post(f"{here}bot/", {"token": TOKEN})
    assert (away.status_code, Outlet.objects.count()) == (422, 0)
    assert "Telegram antwortet nicht" in away.content.decode()
    settings.TELEGRAM_URL = online
    client.post(f"{here}bot/", {"token": TOKEN})
    assert (Outlet.objects.get().bot, Outlet.objects.get().bot_name) == (TOKEN, "club_bot")
    shows(client.get(here).content.decode(), "@club_bot", but=(TOKEN,))
    petra = f.register(event, at=timezone.now())
    own = client.get(f"/p/{petra.link_token}/melden/").content.decode()
    assert f"https://t.me/club_bot?start=p-{petra.pk}-" in own
    client.post(f"{here}bot/", {"token": ""})
    assert Outlet.objects.get().bot == ""
    assert client.post(f"{here}webhook/", {"url": "http://x.test"}).status_code == 422
    client.post(f"{here}webhook/", {"url": "https://x.test/krru"})
    hook = Webhook.objects.get()
    now = timezone.now()
    row = Delivery.objects.create(
        webhook=hook, event=event, sequence=1, body={"kind": "seat.moved", "version": 7},
        made_at=now, due_at=now, sent_at=now,
    )  # fmt: skip
    shows(client.get(here).content.decode(), hook.secret, "Stand 7")
    client.post(f"{here}sendung/{row.pk}/nochmal/")
    assert Delivery.objects.get().sent_at is None
    client.post(f"{here}webhook/{hook.pk}/entfernen/")
    assert not Webhook.objects.exists()


def test_the_worker_is_sent_for_its_own_page_alone(client):
    assert 'data-worker="/handy/arbeiter.js"' in client.get("/handy/").content.decode()
    answer = client.get("/handy/arbeiter.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert "Service-Worker-Allowed" not in answer
    assert answer["Cache-Control"] == "no-cache"
