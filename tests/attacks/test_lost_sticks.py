"""Whoever finds a backup has names, unless it is sealed; never a key to a door."""

import zipfile

import pytest
from django.apps import apps
from django.urls import reverse
from django.utils import timezone

from krru import backups
from krru.backups.archive import Broken
from krru.backups.sealed import unpack
from krru.data.sealing import seal
from tests import factories as f
from tests.calling import call_service
from tests.infra.laptops import add_club, back_up, names
from tests.laptops import laptop_with_tables
from tests.warm import Laptop
from tournaments.changes.access import SYSTEM, Role, actor_of, device_of
from tournaments.changes.selectors.log import log_first_fault
from tournaments.club.services.moving import has_moved, settle_in
from tournaments.club.services.staff import link_make
from tournaments.event.domain.promise import commitment
from tournaments.models import Action, Club, Draw, Registration, SignInLink, with_link
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.services.seats import draw_hall_number_set

PASSPHRASE = "vier Wörter, lang genug"


def everything_kept() -> str:
    """Return all that the database holds, as whoever has a copy of it reads it."""
    return repr([list(model.objects.values_list()) for model in apps.get_models()])


@pytest.fixture
def evening(db):
    """A running tournament with a link for arbiters."""
    event = f.make_running_event(6, seats=4)
    settle_in(at=f.START, is_elsewhere=False)
    made = {"club": f.house(), "by": SYSTEM, "at": timezone.now(), "role": Role.ARBITER}
    call_service(link_make, **made, token="shown-to-many-arbiters", event=event, one_time=False)
    return event


def test_the_database_holds_no_link_and_no_secret_in_clear(evening):
    kept = everything_kept()
    secrets = [evening.draw_secret, SignInLink.objects.get(role=Role.ARBITER).token]
    secrets += [row.link_token for row in Registration.objects.all()]
    assert len(secrets) == 8
    assert all(len(secret) >= 22 and secret not in kept for secret in secrets)


@pytest.fixture
def moved(evening, settings):
    """The same data on another machine; with what was there before the move."""
    mallory = f.sign_in("Mallory", Role.ARBITER, evening)
    links = {row.pk: row.link_token for row in Registration.objects.all()}
    promised = commitment(evening.draw_secret)
    f.drive(draw_hall_number_set, evening, 4, number="4711")
    settings.SECRET_KEY = "that of another machine"
    assert has_moved()
    found = settle_in(at=f.after(5), is_elsewhere=False)
    assert settle_in(at=f.after(6), is_elsewhere=False) is None
    return found, mallory, links, promised


def test_elsewhere_devices_are_signed_off_and_players_keep_their_links(client, evening, moved):
    found, mallory, links, _ = moved
    assert found.devices == 1
    assert device_of(mallory.token) is None
    assert actor_of(mallory.actor.device, evening).role == Role.VISITOR
    assert not SignInLink.objects.filter(revoked_at=None).exists()
    for row in Registration.objects.all():
        assert row.link_token != links[row.pk]
        for token in (row.link_token, links[row.pk]):
            assert with_link(Registration.objects.all(), token).get() == row
    assert client.get(reverse("player", args=[links[row.pk]])).status_code == 200
    # A renewed link ends the one from before the move.
    row.link_token = "n" * 24
    row.save()
    assert not with_link(Registration.objects.all(), links[row.pk]).exists()


def test_elsewhere_a_new_secret_is_promised_and_earlier_draws_say_that_theirs_is_lost(
    client, evening, moved
):
    found, _, _, promised = moved
    event = f.fresh(evening)
    assert found.promised == 1
    entry = Action.objects.get(kind="club.moved")
    assert entry.payload["promised"] == [[event.pk, commitment(event.draw_secret)]]
    assert commitment(event.draw_secret) != promised
    # The number would meet a secret that was chosen after it.
    assert event.hall_number == ""
    assert log_first_fault(event.club) is None
    pictures = draw_pictures(event, list(draws_of(event)), to_staff=True)
    assert pictures
    assert all(one.is_lost and one.agrees is None and not one.secret for one in pictures)
    page = client.get(reverse("draws", args=[event.slug])).content.decode()
    assert "nicht mehr nachrechenbar" in page
    assert "nachgerechnet, stimmt" not in page


def test_a_backup_that_brought_its_secret_signs_off_devices_and_loses_nothing(evening):
    f.sign_in("Mallory", Role.ARBITER, evening)
    secret = evening.draw_secret
    found = settle_in(at=f.after(5), is_elsewhere=True)
    assert (found.devices, found.promised) == (1, 0)
    assert f.fresh(evening).draw_secret == secret
    assert not Draw.objects.exclude(sealed="").exists()


@pytest.fixture(scope="module")
def laptop(tmp_path_factory):
    """A laptop with a club whose name would be read in a file that is not sealed."""
    laptop = laptop_with_tables(tmp_path_factory.mktemp("laptop") / "data")
    add_club(laptop, "Haberlhofer")
    return laptop


@pytest.fixture(scope="module")
def sealed(laptop):
    return back_up(Laptop(laptop.folder, {"KRRU_BACKUP_PASSPHRASE": PASSPHRASE}))


def test_a_backup_without_a_passphrase_holds_no_key(laptop):
    laptop.folder.joinpath("backup.key").unlink(missing_ok=True)
    with zipfile.ZipFile(back_up(laptop)) as archive:
        assert sorted(archive.namelist()) == ["krru.sqlite3", "manifest.json"]
        key = laptop.folder.joinpath("secret.key").read_bytes()
        assert all(key not in archive.read(name) for name in archive.namelist())


def test_a_sealed_backup_comes_up_elsewhere_with_its_passphrase_alone(laptop, sealed, tmp_path):
    assert sealed.name.endswith(".zip.sealed")
    data = sealed.read_bytes()
    assert b"Haberlhofer" not in data
    assert b"PK\x03\x04" not in data
    for given, said in (("", "mit einem Kennwort versiegelt"), ("falsch", "Kennwort ist ein")):
        stranger = Laptop(tmp_path / f"x{given}", {"KRRU_BACKUP_PASSPHRASE": given})
        done = stranger.manage("restore", str(sealed), check=False)
        assert done.returncode == 1
        assert said in done.stderr
        assert not list(stranger.folder.glob("restore-*"))
    second = Laptop(tmp_path / "second", {"KRRU_BACKUP_PASSPHRASE": PASSPHRASE})
    second.manage("restore", str(sealed))
    assert names(second) == ["Haberlhofer"]
    assert (second.folder / "secret.key").read_text() == (laptop.folder / "secret.key").read_text()


HARMS = {
    "flipped": lambda whole: whole[:-900] + bytes([whole[-900] ^ 1]) + whole[-899:],
    "cut": lambda whole: whole[:-1],
    "header": lambda whole: whole.replace(b'"cost": 65536', b'"cost": 99999999', 1),
    "cheap": lambda whole: whole.replace(b'"cost": 65536', b'"cost": 3', 1),
    "dear": lambda whole: whole.replace(b'"cost": 65536', b'"cost": 1048576', 1),
    "deep": lambda whole: whole.replace(b'{"salt"', b"[" * 900, 1),
    "short": lambda whole: whole[:30],
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_sealed_backup_that_was_changed_is_refused(sealed, tmp_path, harm):
    file = tmp_path / f"krru-{harm}.zip.sealed"
    file.write_bytes(HARMS[harm](sealed.read_bytes()))
    assert file.read_bytes() != sealed.read_bytes()
    with pytest.raises(Broken, match=file.name) as refusal:
        unpack(file, tmp_path, PASSPHRASE)
    assert harm in {"flipped", "cut"} or "keine ganze Sicherung" in str(refusal.value)


def test_a_mark_of_before_is_set_without_a_word(db):
    club = f.house()
    Club.objects.filter(pk=club.pk).update(sealed_mark="")
    assert settle_in(at=f.START, is_elsewhere=False) is None
    assert not has_moved()
    Club.objects.filter(pk=club.pk).update(sealed_mark=seal("something else"))
    assert settle_in(at=f.START, is_elsewhere=False).devices == 0


def test_the_page_sets_and_ends_a_passphrase_that_is_long(client, evening, settings, tmp_path):
    settings.KRRU_DATA = tmp_path
    f.sign_browser_in(client, Role.DIRECTOR)
    where, end = reverse("backup-passphrase"), reverse("backup-passphrase-end")
    for typed in (("kurz", "kurz"), (PASSPHRASE, "etwas anderes"), ("", "")):
        answer = client.post(where, {"passphrase": typed[0], "again": typed[1]})
        assert answer.status_code == 422
        assert not backups.is_sealing()
    assert client.post(where, {"passphrase": PASSPHRASE, "again": PASSPHRASE}).status_code == 302
    assert backups.is_sealing()
    assert PASSPHRASE not in everything_kept() + (tmp_path / "backup.key").read_text()
    assert "mit Kennwort" in client.get(reverse("club-settings")).content.decode()
    assert [client.post(end).status_code for _time in range(2)] == [302, 422]
    assert not backups.is_sealing()
    # What the environment names is not ended here.
    settings.KRRU_BACKUP_PASSPHRASE = "von der Umgebung genannt"
    assert client.post(end).status_code == 422
