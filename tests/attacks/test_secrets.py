"""A secret is worth nothing to whoever planted it, overheard it or found the backup stick."""

import hmac
from datetime import timedelta
from hashlib import sha256
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache import caches
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import COOKIE, SYSTEM, Role, actor_of, device_of
from tournaments.changes.commands import ClubCommand
from tournaments.changes.views.decorators import secret_for
from tournaments.club.services.staff import device_revoke, link_make
from tournaments.models import StaffDevice

pytestmark = pytest.mark.django_db


@pytest.fixture
def mallory(event):
    """An arbiter's phone whose cookie somebody else knows, too."""
    return f.sign_in("Mallory", Role.ARBITER, event)


def link_of(event, role=Role.DIRECTOR):
    made = {"club": f.house(), "by": SYSTEM, "at": timezone.now()}
    own = {"one_time": True, "lasts": timedelta(minutes=5)}
    call_service(link_make, **made, token=f"link-{role}", role=role, event=event, **own)
    return reverse("sign-in", args=[f"link-{role}"])


def test_a_revoked_cookie_is_dead_for_ever(client, event, mallory):
    """Planted in another browser, it becomes no director's."""
    dora = f.make_dora()
    command = ClubCommand(club=f.house(), by=dora, at=f.START)
    device_revoke(command, device=mallory.actor.device)
    assert device_of(mallory.token) is None
    client.cookies[COOKIE] = mallory.token
    link = link_of(event)
    assert "Mallory" not in client.get(link).content.decode()
    answer = client.post(link, {"name": "Vera"})
    assert answer.status_code == 302
    vera = device_of(answer.cookies[COOKIE].value)
    assert vera.name == "Vera"
    assert actor_of(mallory.actor.device, event).role == Role.VISITOR
    assert device_of(mallory.token) is None


def test_signing_in_makes_a_new_secret(client, event, mallory):
    """Whoever planted a live cookie does not become what the victim becomes."""
    client.cookies[COOKIE] = mallory.token
    answer = client.post(link_of(event), {"name": ""})
    assert answer.status_code == 302
    assert answer.cookies[COOKIE].value != mallory.token
    assert device_of(mallory.token) is None
    assert actor_of(device_of(answer.cookies[COOKIE].value), event).role == Role.DIRECTOR


def test_a_double_press_signs_in_once(client, event):
    """The second answer brings the same cookie as the first: either may be the one that is kept."""
    link, key = link_of(event), str(uuid4())
    told = {"name": "Vera", "idempotency_key": key}
    first = client.post(link, told).cookies[COOKIE].value
    client.cookies.clear()
    assert client.post(link, told).cookies[COOKIE].value == first
    again = client.post(link, told)
    assert (again.status_code, COOKIE in again.cookies) == (302, False)
    assert StaffDevice.objects.filter(name="Vera").count() == 1


def test_signing_out_ends_the_cookie(client, event):
    client.cookies[COOKIE] = token = f.sign_in("Arno", Role.ARBITER, event).token
    client.post(reverse("sign-out"))
    assert device_of(token) is None


def test_no_secret_can_be_made_again_from_what_a_backup_holds():
    """A backup holds the installation's secret and the keys of requests."""
    key = uuid4()
    made = secret_for("device", 7, key=key)
    assert made == secret_for("device", 7, key=key)
    caches["kept"].clear()
    assert made != secret_for("device", 7, key=key)
    derived = hmac.new(settings.SECRET_KEY.encode(), f"7:{key}".encode(), sha256).hexdigest()
    assert made not in derived
