"""What a stranger, or a director on the web, reaches that is not theirs."""

import pytest
from django.urls import reverse

from tests import factories as f
from tournaments.changes.access import VISITOR, Role
from tournaments.models import Club, Mail, Screen
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


@pytest.fixture
def dora(client):
    f.sign_browser_in(client, Role.DIRECTOR)
    return client


def folder_error(dora, folder):
    told = {"name": "Unser Verein", "backup_folder": str(folder)}
    answer = dora.post(reverse("club-settings"), told)
    assert answer.status_code == 422
    assert Club.objects.get().backup_folder == ""
    return str(answer.context["form"].errors["backup_folder"])


def test_no_backup_goes_where_files_are_served(dora, settings, tmp_path):
    settings.KRRU_BACKUP_ROOTS = f"{settings.BASE_DIR}:{tmp_path}"
    (tmp_path / "link").symlink_to(settings.STATIC_ROOT)
    for served in (settings.STATIC_ROOT, settings.BASE_DIR / "templates", tmp_path / "link"):
        assert "nur auf einen Stick" in folder_error(dora, served)


def test_the_web_does_not_tell_which_folders_there_are(dora, tmp_path):
    """A file, a folder and nothing at all are answered alike outside the roots."""
    (tmp_path / "file").write_text("")
    there = {folder_error(dora, tmp_path / name) for name in ("", "file", "missing")}
    assert len(there) == 1
    assert "nur auf einen Stick" in there.pop()


def test_in_full_mode_the_environment_names_the_folders(dora, settings, tmp_path):
    settings.EMBEDDED = False
    assert "KRRU_BACKUP_ROOTS" in folder_error(dora, settings.KRRU_DATA)
    settings.KRRU_BACKUP_ROOTS = str(tmp_path)
    told = {"name": "Unser Verein", "backup_folder": str(tmp_path)}
    assert dora.post(reverse("club-settings"), told).status_code == 302


def test_a_folder_chosen_before_stays(dora, tmp_path):
    Club.objects.update(backup_folder="/home/club/backups")
    told = {"name": "Anderer Name", "backup_folder": "/home/club/backups"}
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
