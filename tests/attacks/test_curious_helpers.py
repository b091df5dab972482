"""What a helper with a phone, or anybody on the public pages, may not read of people."""

import json
from itertools import permutations

import pytest
from django.urls import reverse

from tests import factories as f
from tests.laptops import laptop_with_tables
from tests.services.erasing import erase, everything
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.domain.logchain import facts_hash
from tournaments.changes.kinds import holds, texts_for
from tournaments.door.services.registration import registration_correct
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action, KeepApart
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.services.chairs import keep_apart_drop, keep_apart_wish
from tournaments.seating.services.tables import tables_redraw

pytestmark = pytest.mark.django_db
CONTACT = {"email": "eva.opfer@privat.example", "phone": "+43 664 9876543", "remark": "Rollstuhl"}
SECRETS = ("privat.example", "9876543", "Rollstuhl")


def log_file(client, event):
    answer = client.get(reverse("log-json", args=[event.slug]))
    return json.loads(b"".join(answer.streaming_content))


def test_an_arbiters_log_holds_no_contact_data(client, event):
    eva = f.register(event, "Eva Opfer", **CONTACT)
    at = Command(event=event, by=SYSTEM, at=f.ARRIVAL)
    registration_correct(at, registration=eva, name="Eva Neu", email="eva.neu@privat.example")
    f.sign_browser_in(client, Role.ARBITER, event)
    text = json.dumps(log_file(client, event))
    assert "Eva Neu" in text
    assert not [secret for secret in SECRETS if secret in text]
    f.sign_browser_in(client, Role.DESK, event)
    text = json.dumps(log_file(client, event))
    assert [secret for secret in SECRETS if secret in text] == list(SECRETS)


def test_every_text_is_declared_and_what_is_for_the_desk_is_kept_from_others():
    eva = {"name": "Eva", "email_before": "x@y.z", "name_before": "Ewa", "wishes": "[]"}
    assert texts_for(f.make_arno(), eva) == {"name": "Eva"}
    assert texts_for(f.make_desk(), eva) == eva
    with pytest.raises(KeyError):
        holds("colour_of_hair")


@pytest.fixture
def apart():
    """A running evening in which Eva and Konstanze are to be kept apart, drawn anew since."""
    event = f.make_running_event(6, seats=4)
    eva, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    at = Command(event=event, by=SYSTEM, at=f.after(1))
    keep_apart_wish(at, first=eva.registration, second=other.registration)
    tables_redraw(Command(event=event, by=SYSTEM, at=f.after(2)))
    return f.fresh(event), eva, other


def names_of(*entries):
    return [entry.registration.person.name for entry in entries]


def test_who_is_to_be_kept_apart_is_for_the_desk(client, apart):
    event, eva, other = apart
    names = names_of(eva, other)
    where = reverse("director-log-all", args=[event.slug])
    f.sign_browser_in(client, Role.ARBITER, event)
    hidden = "Nicht an einen Tisch: … und …"
    assert hidden in client.get(where).content.decode()
    assert hidden not in client.get(where, {"name": names[0]}).content.decode()
    entries = log_file(client, event)["entries"]
    assert not [row for row in entries if row["texts"].get("wishes")]
    (wish,) = [row["payload"] for row in entries if "wish" in row["payload"]]
    assert {eva.pk, eva.registration_id}.isdisjoint(
        value for key, value in wish.items() if key not in ("wish", "table", "device", "facts")
    )
    # A hash over two small numbers would tell them by trying.
    row = KeepApart.objects.get(pk=wish["wish"])
    known = facts_hash([(row.pk, {"event_id": event.pk})])
    assert wish["facts"] == {"made": {"KeepApart": known}}
    f.sign_browser_in(client, Role.DESK, event)
    page = client.get(where).content.decode()
    told = [f"Nicht an einen Tisch: {one} und {two}" for one, two in permutations(names)]
    assert any(sentence in page for sentence in told)


def test_the_draws_page_tells_a_hash_and_the_desk_the_pair(client, apart):
    event, eva, other = apart
    event_end(Command(event=event, by=SYSTEM, at=f.after(60)))
    where = reverse("draws", args=[event.slug])
    page = client.get(where).content.decode()
    redrawn = Action.objects.get(event=event, kind="tables.redrawn")
    assert redrawn.payload["wishes"] in page
    assert "Getrennt zu halten waren" not in page
    assert "nachgerechnet, stimmt" in page
    f.sign_browser_in(client, Role.DESK, event)
    page = client.get(where).content.decode()
    for word in ("Getrennt zu halten waren", f"entry:{eva.pk}", f"entry:{other.pk}"):
        assert word in page
    pictures = draw_pictures(f.fresh(event), list(draws_of(event)), to_staff=True)
    assert all(draw.agrees for draw in pictures)


def test_the_stream_names_no_person_when_a_wish_is_made_and_erasing_leaves_no_name(apart):
    event, eva, other = apart
    for kind in ("keep_apart.wished", "tables.redrawn"):
        assert "registrations" not in Action.objects.get(event=event, kind=kind).payload
    name = names_of(eva)[0]
    at = Command(event=event, by=SYSTEM, at=f.after(5))
    entries_eliminate(at, entries=[other])
    knockout_set(at, eliminations=list(other.eliminations.all()), takers=[eva])
    at = Command(event=f.fresh(event), by=SYSTEM, at=f.after(6))
    dropped = keep_apart_drop(at, wish=event.keep_aparts.get())
    undone = f.undo(event, dropped, at=f.after(7))
    assert not [action for action in (dropped, undone) if "whose" in action.news]
    event_end(Command(event=f.fresh(event), by=SYSTEM, at=f.after(60)))
    assert name.casefold() in everything()
    erase(event, person=eva.registration.person)
    assert name.casefold() not in everything()


ERASE = """
from django.conf import settings
from django.utils.timezone import now
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.models import Club, Person
from tournaments.people.services.people import person_write
from tournaments.privacy.services.privacy import person_erase
club = Club.objects.create(name="Verein")
for number in range(30):
    person_write(Person(club=club), name=f"Wilhelmine Zwetschke {number}", email="w@z.at", phone="")
for row in Person.objects.all():
    person_erase(ClubCommand(club=club, by=SYSTEM, at=now()), person=row)
files = [file.read_bytes() for file in settings.KRRU_DATA.glob("krru.sqlite3*")]
print("left", sum(data.count(b"Zwetschke") + data.count(b"zwetschke") for data in files))
"""


@pytest.mark.sqlite_only
def test_erased_names_are_gone_from_the_files(tmp_path):
    """While the program goes on, too: its journal kept them."""
    laptop = laptop_with_tables(tmp_path / "laptop")
    told = laptop.manage("shell", "--no-imports", "-c", ERASE).stdout
    assert told.strip().endswith("left 0")
