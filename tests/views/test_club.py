"""The club's page: its name, the backup's folder and state, a backup at once."""

import os
from pathlib import Path

import pytest
from django.urls import reverse

from krru import backups
from krru.data.folder import SECRET_FILE
from tests import factories as f
from tournaments.changes.access import Role
from tournaments.models import Action, Club

pytestmark = pytest.mark.django_db
HERE = "/verein/"


@pytest.fixture(autouse=True)
def data(settings, tmp_path):
    """A data folder of the test's own, as the program finds it."""
    settings.KRRU_DATA = tmp_path / "data"
    settings.KRRU_DATA.mkdir()
    (settings.KRRU_DATA / SECRET_FILE).write_text("secret")
    return settings.KRRU_DATA


@pytest.fixture
def stick(tmp_path, settings):
    settings.KRRU_BACKUP_ROOTS = str(tmp_path)
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def save(client, **own):
    return client.post(HERE, {"name": "Unser Verein", "backup_folder": "", **own})


def test_the_page_shows_what_there_is_to_choose_and_that_nothing_is_backed_up(dora):
    page = dora.get(reverse("club-settings")).content.decode()
    for word in ("T100", "T300", "KRRU 3.0", "TDA 2024", "150 × 1"):
        assert word in page
    assert "Noch kein Ordner gewählt" in page
    assert "noch nie" in page


def test_name_and_folder_are_saved(dora, stick):
    answer = save(dora, name="Kasinorunde", backup_folder=f"{stick}/")
    assert (answer.status_code, answer.url) == (302, HERE)
    club = Club.objects.get()
    assert (club.name, club.backup_folder) == ("Kasinorunde", str(stick))
    assert [status.folder for status in backups.backup_status()] == [stick]
    assert list(stick.iterdir()) == []
    page = dora.get(HERE).content.decode()
    assert "Jede Minute" in page
    assert "Noch kein Ordner" not in page


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("sicherung", "ganzen Pfad"),
        ("{stick}/fehlt", "gibt es nicht"),
        ("{stick}/datei", "eine Datei"),
        ("{stick}/" + "x" * 300, "gibt es nicht|nicht schreiben"),
        ("/" + "x" * 600, "500"),
    ],
)
def test_a_folder_that_takes_no_backup_says_why_beside_the_field(dora, stick, typed, said):
    (stick / "datei").write_text("")
    answer = save(dora, name="Neuer Name", backup_folder=typed.format(stick=stick))
    assert answer.status_code == 422
    error = str(answer.context["form"].errors["backup_folder"])
    assert any(part in error for part in said.split("|"))
    assert 'value="Neuer Name"' in answer.content.decode()
    assert Club.objects.get().backup_folder == ""
    assert not Action.objects.filter(kind="club.updated").exists()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or not Path("/proc/self").is_dir(),
    reason="root writes everywhere but into /proc",
)
def test_a_folder_that_cannot_be_written_is_refused(dora, settings):
    settings.KRRU_BACKUP_ROOTS = "/proc"
    answer = save(dora, backup_folder="/proc/self")
    assert answer.status_code == 422
    assert "nicht schreiben" in str(answer.context["form"].errors["backup_folder"])


def test_a_club_has_a_name(dora):
    answer = save(dora, name="  ")
    assert answer.status_code == 422
    assert "braucht einen Namen" in str(answer.context["form"].errors["name"])


def test_a_backup_at_once_goes_into_the_data_folder_when_none_is_chosen(dora, data):
    answer = dora.post(reverse("backup-now"), follow=True)
    (file,) = (data / "backups").glob("*.zip")
    page = answer.content.decode()
    assert str(file) in page
    assert "badge-good" in page
    assert "zuletzt" in page


def test_a_backup_at_once_goes_to_the_chosen_folder_and_is_remembered(dora, stick):
    save(dora, backup_folder=str(stick))
    assert dora.post(reverse("backup-now")).url == HERE
    (file,) = stick.glob("*.zip")
    (status,) = backups.backup_status()
    assert (status.last_file, status.error) == (file.name, "")


def test_a_stick_that_was_pulled_out_is_said_beside_the_button(dora, stick):
    save(dora, backup_folder=str(stick))
    stick.rmdir()
    answer = dora.post(reverse("backup-now"))
    assert answer.status_code == 422
    assert "ist nicht da" in answer.content.decode()
    assert not stick.exists()


@pytest.mark.parametrize("role", [Role.DESK, Role.ARBITER, None])
def test_only_the_clubs_director_sees_and_changes_it(client, role):
    event = f.make_event()
    if role:
        f.sign_browser_in(client, role)
    assert client.get(HERE).status_code == 403
    assert save(client, name="Anders").status_code == 403
    assert client.post(reverse("backup-now")).status_code == 403
    client.cookies["krru_device"] = f.sign_in("Laptop", Role.DIRECTOR, event).token
    assert save(client, name="Anders").status_code == 403
    assert Club.objects.get().name != "Anders"


def test_a_backup_is_not_made_by_looking(dora):
    assert dora.get(reverse("backup-now")).status_code == 405
