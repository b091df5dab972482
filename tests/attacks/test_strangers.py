"""What a stranger, or a director on the web, reaches that is not theirs.

And a secret is worth nothing to whoever planted it, overheard it or found the backup stick.
"""

import hmac
from datetime import timedelta
from hashlib import sha256
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache import caches
from django.urls import reverse
from django.utils import timezone

from krru.data.folder import BASE_DIR
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import COOKIE, SYSTEM, VISITOR, Role, actor_of, device_of
from tournaments.changes.commands import ClubCommand
from tournaments.changes.views.decorators import secret_for
from tournaments.club.services.staff import device_revoke, link_make
from tournaments.models import Club, Mail, Screen, StaffDevice
from tournaments.post.domain.mail import name_in_mail
from tournaments.post.services.mail import MOST_A_DAY
from tournaments.screens.views.big_screen import CODES

pytestmark = pytest.mark.django_db


def test_one_phone_gets_no_hundreds_of_screen_codes(client, event):
    asked = [
        client.post(reverse("screen-any"), REMOTE_ADDR="192.168.0.9").status_code
        for _time in range(CODES.most + 3)
        if client.cookies.clear() is None
    ]
    assert asked == [302] * CODES.most + [422] * 3
    assert Screen.objects.count() == CODES.most
    client.cookies.clear()
    assert client.post(reverse("screen-any"), REMOTE_ADDR="192.168.0.10").status_code == 302


def folder_error(dora, folder):
    told = {"name": "Unser Verein", "backup_folder": str(folder)}
    answer = dora.post(reverse("club-settings"), told)
    assert answer.status_code == 422
    assert Club.objects.get().backup_folder == ""
    return str(answer.context["form"].errors["backup_folder"])


def test_no_backup_goes_where_files_are_served_and_no_answer_tells_which_folders_there_are(
    dora, settings, tmp_path
):
    """A file, a folder and nothing at all are answered alike outside the roots."""
    (tmp_path / "file").write_text("")
    there = {folder_error(dora, tmp_path / name) for name in ("", "file", "missing")}
    assert len(there) == 1
    assert "nur auf einen Stick" in there.pop()
    settings.KRRU_BACKUP_ROOTS = f"{BASE_DIR}:{tmp_path}"
    (tmp_path / "link").symlink_to(settings.STATIC_ROOT)
    for served in (settings.STATIC_ROOT, BASE_DIR / "templates", tmp_path / "link"):
        assert "nur auf einen Stick" in folder_error(dora, served)


def test_in_full_mode_the_environment_names_the_folders_and_one_chosen_before_stays(
    dora, settings, tmp_path
):
    settings.EMBEDDED = False
    assert "KRRU_BACKUP_ROOTS" in folder_error(dora, settings.KRRU_DATA)
    settings.KRRU_BACKUP_ROOTS = str(tmp_path)
    for folder, name in ((str(tmp_path), "Unser Verein"), ("/home/club/backups", "Anderer Name")):
        if folder != str(tmp_path):
            Club.objects.update(backup_folder=folder)
        told = {"name": name, "backup_folder": folder}
        assert dora.post(reverse("club-settings"), told).status_code == 302
    assert Club.objects.get().name == "Anderer Name"


@pytest.mark.parametrize(
    ("name", "greeted"),
    [
        ("Anna Ast", "Anna Ast"),
        ("Maria del Carmen O’Neill-Huber jun.", "Maria del Carmen O’Neill-Huber jun."),
        ("Glückwunsch, 500 Euro! Jetzt abholen: http://evil.example/krru", ""),
        ("www evil example", ""),
        ("evil.example", ""),
        ("Du hast gewonnen ruf jetzt gleich an", ""),
    ],
)
def test_a_mail_carries_no_message_of_a_stranger(name, greeted):
    assert name_in_mail(name) == greeted


def test_an_address_gets_so_many_mails_a_day(event):
    for number in range(MOST_A_DAY + 3):
        told = {"by": VISITOR, "email": "opfer@example.org"}
        f.register(event, f"Gast {chr(65 + number)}", at=f.ARRIVAL, **told)
    assert Mail.objects.filter(address="opfer@example.org").count() == MOST_A_DAY
    f.register(event, "Zora Zander", at=f.ARRIVAL, email="zora@example.org", by=VISITOR)
    assert Mail.objects.filter(address="zora@example.org").count() == 1


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
    command = ClubCommand(club=f.house(), by=f.make_dora(), at=f.START)
    device_revoke(command, device=mallory.actor.device)
    client.cookies[COOKIE] = mallory.token
    link = link_of(event)
    assert "Mallory" not in client.get(link).content.decode()
    answer = client.post(link, {"name": "Vera"})
    assert answer.status_code == 302
    assert device_of(answer.cookies[COOKIE].value).name == "Vera"
    assert actor_of(mallory.actor.device, event).role == Role.VISITOR
    assert device_of(mallory.token) is None


def test_signing_in_makes_a_new_secret_and_signing_out_ends_it(client, event, mallory):
    """Whoever planted a live cookie does not become what the victim becomes."""
    client.cookies[COOKIE] = mallory.token
    answer = client.post(link_of(event), {"name": ""})
    assert answer.status_code == 302
    own = answer.cookies[COOKIE].value
    assert own != mallory.token
    assert device_of(mallory.token) is None
    assert actor_of(device_of(own), event).role == Role.DIRECTOR
    f.make_dora()  # who leads alone is asked twice
    client.post(reverse("sign-out"))
    assert device_of(own) is None


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


def test_no_secret_can_be_made_again_from_what_a_backup_holds():
    """A backup holds the installation's secret and the keys of requests."""
    key = uuid4()
    made = secret_for("device", 7, key=key)
    assert made == secret_for("device", 7, key=key)
    caches["kept"].clear()
    assert made != secret_for("device", 7, key=key)
    derived = hmac.new(settings.SECRET_KEY.encode(), f"7:{key}".encode(), sha256).hexdigest()
    assert made not in derived
