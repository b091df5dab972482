"""The owner of the laptop writes into the database: what then shows it."""

import contextlib
import io
import json
import sqlite3

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from tests import factories as f
from tests.attacks.forging import rewrite
from tests.calling import call_service
from tests.laptops import laptop_with_tables
from tests.releases import asked
from tests.services.erasing import erase
from tournaments.changes.access import SYSTEM
from tournaments.changes.domain.logchain import head_of
from tournaments.door.services.registration import registration_correct
from tournaments.event.services.lifecycle import event_cancel
from tournaments.log.selectors.log_heads import MOST_ASKED, facts_checked
from tournaments.models import Action, Elimination, Person, PersonMerge, Registration, Seating
from tournaments.people.services.members import (
    members_import,
    people_merge,
    people_unmerge,
    person_correct,
)
from tournaments.practice.simulation import Plan, simulate
from tournaments.undo.services.undo import rolled_back

pytestmark = pytest.mark.django_db


def verify(*arguments):
    """Return what `verifylog` says, and what it complains of."""
    said, faults = io.StringIO(), io.StringIO()
    try:
        call_command("verifylog", *arguments, stdout=said, stderr=faults)
    except CommandError as error:
        return said.getvalue(), f"{faults.getvalue()}{error}"
    return said.getvalue(), faults.getvalue()


def faults_of():
    """Return what a look at the facts complains of."""
    return verify("--facts")[1]


def test_tables_that_were_changed_behind_the_log_are_named():
    event = simulate(Plan(entries=12, seats=4, seed=1), club=f.house()).event
    out = Elimination.objects.live().filter(event=event).select_related("made_by").last()
    seat = Seating.objects.live().filter(event=event).select_related("made_by").first()
    assert faults_of() == ""

    with rolled_back():
        Seating.objects.filter(pk=seat.pk).update(seat=seat.seat % 4 + 1)
        faults = faults_of()
        assert f"{event}: Eintrag {seat.made_by.sequence}: Seating: In der Tabelle" in faults
        assert faults.endswith("1 Unterschiede.")
    with rolled_back():
        Elimination.objects.filter(pk=out.pk).update(voided_by=out.made_by)
        wanted = f"Eintrag {out.made_by.sequence}: Elimination {out.pk}: Ob das gilt"
        assert wanted in faults_of()
        assert verify()[1] == ""  # the chain alone sees none of it


def test_entries_of_an_older_version_are_counted_and_the_others_compared():
    event = f.make_running_event(3)
    Action.objects.filter(event=event, sequence__lt=3).update(payload={"facts": {"seats": []}})
    said, faults = verify("--facts")
    assert "2 Einträge von früher ohne Prüfsumme der Tatsachen." in said
    assert "Seating" not in faults
    row = Seating.objects.live().filter(event=event).last()
    Seating.objects.filter(pk=row.pk).update(seat=row.seat + 1)
    assert "Seating: In der Tabelle" in faults_of()


def test_facts_that_are_taken_back_and_put_in_force_again_hold_as_the_log_says():
    event = f.make_running_event(3)
    out = f.out(event, f.entries_of(event)[0])
    for taken_back in (lambda: out, lambda: f.last_action(event), lambda: out):
        f.undo(event, taken_back())
        assert facts_checked().differences == []
    Elimination.objects.update(voided_by=None)
    assert {one.table for one in facts_checked().differences} == {"Elimination"}


@pytest.fixture
def named():
    """Max is a member and was called otherwise, Petra too, and Vera was found to be Max."""
    event = f.make_event()
    petra, vera = (f.register(event, name) for name in ("Petra Probst", "Vera Vogl"))
    club = {"club": event.club, "by": SYSTEM, "at": f.ARRIVAL}
    call_service(members_import, **club, people=[{"name": "Max Mustermann"}])
    f.drive(registration_correct, event, -60, registration=petra, name="Petra Gans")
    max_ = Person.objects.get(name="Max Mustermann")
    wanted = {"name": "Max Muster", "email": "", "phone": "", "is_member": True}
    call_service(person_correct, **club, person=max_, **wanted)
    call_service(people_merge, **club, kept=max_, gone=vera.person)
    return event, petra, vera, max_


def test_names_are_in_the_chain_for_as_long_as_the_person_is(named):
    event, petra, vera, max_ = named
    said, faults = verify("--facts")
    assert ("3 Namen verglichen" in said, faults) == (True, "")

    for model, row in ((Person, petra.person_id), (Person, max_.pk), (Registration, vera.pk)):
        with rolled_back():
            model.objects.filter(pk=row).update(name="Zeno Zufall")
            faults = faults_of()
            assert f"{row} (Zeno Zufall) heißt anders" in faults
            assert faults.endswith("1 Unterschiede.")
    for forged, sentence in (
        ({"name_salt": ""}, "Das Salz fehlt"),
        ({"name_salt": "", "erased_at": f.ARRIVAL}, "gilt als gelöscht"),
    ):
        with rolled_back():
            Person.objects.filter(pk=max_.pk).update(**forged)
            assert sentence in faults_of()
    with rolled_back():
        new = {"name": "Neu", "sort_name": "neu", "plain_name": "neu", "name_salt": "00ff"}
        Person.objects.create(club=event.club, **new)
        assert "(Neu) steht in keinem Protokoll" in faults_of()

    own = {"club": event.club, "by": SYSTEM, "at": f.ARRIVAL}
    call_service(people_unmerge, **own, merge=PersonMerge.objects.get())
    assert faults_of() == ""
    f.drive(event_cancel, event, -60)
    erase(event, person=Person.objects.get(pk=petra.person_id))
    said, faults = verify("--facts")
    assert ("2 Namen verglichen, 1 gelöscht" in said, faults) == (True, "")
    assert Person.objects.get(pk=petra.person_id).name_salt == ""


def test_anybody_may_ask_which_head_an_entry_had(client, django_assert_max_num_queries):
    event = f.make_running_event(3)
    url = reverse("log-heads", args=[event.slug])
    heads = dict(Action.objects.filter(event=event).values_list("sequence", "hash"))
    with django_assert_max_num_queries(2):
        answer = client.get(url, {"n": [2, 4, 99]})
    assert answer.json() == {"heads": {"2": head_of(heads[2]), "4": head_of(heads[4]), "99": None}}
    assert "no-store" in answer.headers["Cache-Control"]
    for numbers in (["x"], ["-1"], ["²"], ["9" * 30], list(range(1, MOST_ASKED + 2))):
        assert client.get(url, {"n": numbers}).status_code == 400
    assert client.get(reverse("log-heads", args=["gibt-es-nicht"]), {"n": 1}).status_code == 404


EVENING = """
import io, json
from django.core.management import call_command
said = io.StringIO()
call_command("simulatetournament", "--entries=5", "--seats=5", stdout=io.StringIO())
call_command("backup", "--to", {stick!r}, stdout=io.StringIO())
call_command("verifylog", "--facts", "--backups", {stick!r}, stdout=said)
print(json.dumps(said.getvalue().strip().splitlines()[-1]))
"""


def test_a_log_that_was_written_anew_is_found_by_phones_and_by_backups(tmp_path):
    laptop = laptop_with_tables(tmp_path / "data")
    stick = tmp_path / "stick"
    stick.mkdir()
    assert laptop.shell(EVENING.format(stick=str(stick))) == "Alle Protokolle stimmen."
    ((event, slug, length),) = asked(
        laptop,
        "SELECT id, slug, log_sequence FROM tournaments_event"
        " JOIN tournaments_eventhead ON event_id = id",
    )
    heads = asked(laptop, f"SELECT sequence, hash FROM tournaments_action WHERE event_id = {event}")
    kept = [[number, head_of(digest)] for number, digest in heads if number in (5, 10, length)]
    log = {"log": event, "name": slug, "former": [], "kept": sorted(kept)}
    told = {"taken_at": "2026-11-20T21:00:00Z", "host": "krru.test", "logs": [log]}
    file = tmp_path / "phone.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    with contextlib.closing(sqlite3.connect(laptop.folder / "krru.sqlite3")) as database, database:
        rewrite(database, event, 8, lambda payload: payload.update(entry=99))
    found = laptop.manage("verifylog", "--kept", str(file), "--backups", str(stick), check=False)
    assert found.returncode == 1
    assert "2 Unterschiede." in found.stderr
    assert "stimmt nicht" not in found.stderr  # the chain is whole
    assert f"{slug}: Umgeschrieben: der erste veränderte Eintrag" in found.stderr
    assert "liegt bei 6 bis 10." in found.stderr
    assert f"{slug}: Eintrag 8 ist umgeschrieben." in found.stderr


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"logs": [{"kept": 1}]}', '{"logs": [7]}', None])
def test_what_no_phone_wrote_is_refused_in_a_sentence(tmp_path, text):
    path = tmp_path / "phone.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=r"nicht, was ein Gerät kennt|nicht lesen"):
        call_command("verifylog", "--kept", str(path))
    with pytest.raises(CommandError, match="gibt es nicht"):
        call_command("verifylog", "--backups", str(tmp_path / "kein Ordner"))
