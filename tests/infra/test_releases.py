"""Data of an earlier program under the present one: moved on, shown, proven, restored.

`fixtures/releases/make.py` made each, under its program. The tables are compared with those that
a new installation, and the tests, make from the models; and every column of every row with before.
"""

import os
import re
import subprocess
import sys
import time
import urllib.request

import psycopg
import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from krru.data.folder import BASE_DIR, DATABASE_FILE
from krru.devtools.serving import ServerProcess
from tests.laptops import laptop_with_tables
from tests.releases import (
    MOVED_ON,
    asked,
    folder_of,
    gone_from,
    models_of_then,
    opened,
    opened_file,
    rows_expected,
    rows_of,
    tables_of,
)
from tournaments.models import EventHead

# Without a transaction of the test, which would stand still for too long.
pytestmark = pytest.mark.django_db(transaction=True)

HEAD = {field.attname for field in EventHead._meta.concrete_fields} - {"event_id"}
# What a migration changes on purpose: tables and columns gone, and tables whose rows differ.
GONE = {
    "tournaments_event.frozen_id",
    *(f"tournaments_event.{name}" for name in HEAD),
    "tournaments_frozendraw",
    "tournaments_hallnumber",
    "tournaments_registration.origin",
    *(
        f"tournaments_rebuychance.{name}"
        for name in ("at", "group", "start_stack", "table_id", "seat")
    ),
}
DIFFERS = {"tournaments_loststack", "tournaments_rebuychance"}


@pytest.fixture
def empty():
    """Return how to name an empty database to a program, and how to open it here."""
    url = os.environ["KRRU_TEST_DATABASE_URL"]
    name = f"release_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    yield f"{url.rsplit('/', 1)[0]}/{name}", name
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def is_as_before(before, database, renewed=frozenset()):
    gone, differs = gone_from(before), set(renewed)
    assert gone in (GONE, set())  # since 0.3.0 nothing has gone
    if gone:
        heads = {key: row | {"event_id": key} for key, row in before["tournaments_event"].items()}
        before, differs = before | {"tournaments_eventhead": heads}, differs | DIFFERS
    now, expected = rows_of(database), rows_expected(before)
    for table in now.keys() - differs:
        assert now[table] == expected[table], table


def tables_are_those_of_the_models(database):
    found, expected = tables_of(database), tables_of(connection)
    assert len(expected) > 50
    assert found.keys() == expected.keys()
    for table in expected:
        assert found[table] == expected[table], table


# An upgrade takes 13 s of processor: one release is put back here, another (below) goes on after it
# was killed; all go all ways by `--long`.
EARLIER, LATER = MOVED_ON
LATER_FOR_LONG = pytest.param(LATER, marks=pytest.mark.long)


def migrated(server):
    server.manage("migrate")


def killed_early_and_late(server):
    killed_while_moving_on(server, 0.1)
    killed_while_moving_on(server, 2.5)
    migrated(server)


def put_back(server):
    """Restore the backup that was made before an upgrade that was killed; return what it renews."""
    killed_while_moving_on(server, 1.0)
    (file,) = (server.folder / "backups").glob("*.zip")
    server.manage("restore", str(file))
    assert not migrations_due(server)
    return {"tournaments_club"}


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("release", "move_on"),
    [
        (EARLIER, put_back),
        pytest.param(EARLIER, killed_early_and_late, marks=pytest.mark.long),
        pytest.param(LATER, put_back, marks=pytest.mark.long),
        pytest.param(LATER, killed_early_and_late, marks=pytest.mark.long),
        pytest.param("0.3.0", migrated, marks=pytest.mark.long),  # nothing to move on yet
    ],
)
def test_a_data_folder_goes_on_under_the_present_program(release, move_on, tmp_path) -> None:
    """One test: which process runs another is a matter of luck, and moving on takes its time."""
    server = folder_of(release, tmp_path / "release")
    file = server.folder / DATABASE_FILE
    with opened_file("before", file) as database:
        before = rows_of(database, models_of_then(database))
    assert sum(map(len, before.values())) > 5000
    renewed = move_on(server) or ()
    with opened_file("after", file) as database:
        is_as_before(before, database, renewed)
        tables_are_those_of_the_models(database)
        a_new_laptop_has_the_same_tables_and_counts_as_migrated(database, tmp_path)
    with server:
        every_page_names_its_evening(server)
    assert "Alle Protokolle stimmen." in server.manage("verifylog", "--facts").stdout
    for table in ("clock_scheduletemplate", "tournaments_rulepreset", "tournaments_chipset"):
        assert not asked(server, f"SELECT * FROM {table} WHERE revision IS NULL")


def killed_while_moving_on(server, seconds):
    """Kill the upgrade some time after it said that it begins; one that is done is done."""
    command = [sys.executable, "-u", "manage.py", "migrate", "--verbosity", "0"]
    with subprocess.Popen(
        command, cwd=BASE_DIR, env=server.env, stdout=subprocess.PIPE, text=True
    ) as moving:
        for line in moving.stdout:
            if "werden umgestellt" in line:
                time.sleep(seconds)
                moving.kill()


@pytest.mark.postgres_only
@pytest.mark.parametrize("release", [EARLIER, LATER_FOR_LONG])
def test_rows_on_postgresql_go_on_as_well(release, tmp_path, empty) -> None:
    """The rows of a folder, in tables as PostgreSQL had them then."""
    url, name = empty
    file = folder_of(release, tmp_path / "release").folder / DATABASE_FILE
    with opened_file("before", file) as stored, opened("then", NAME=name) as database:
        applied = MigrationExecutor(stored).loader.applied_migrations
        executor = MigrationExecutor(database)
        every = executor.migration_plan(executor.loader.graph.leaf_nodes())
        then = [(one, back) for one, back in every if (one.app_label, one.name) in applied]
        executor.migrate(None, plan=then)
        put_in(models_of_then(database), stored, database)
        before = rows_of(database, models_of_then(database))
    ServerProcess(tmp_path / "server", {"DATABASE_URL": url}).manage("migrate")
    with opened("after", NAME=name) as database:
        is_as_before(before, database)
        tables_are_those_of_the_models(database)


@pytest.mark.sqlite_only
def test_a_killed_upgrade_goes_on_and_repairs_a_folder_that_lost_salts(tmp_path) -> None:
    """Of 0.1.0, and straight to a later program: shared salts, unproven addresses.

    Corrected since: persons 2 to 4, registrations 5 and 7, of which 5 has another address.
    """
    server = folder_of("0.1.0-5019049f", tmp_path / "data")
    killed_while_moving_on(server, 0.1)
    assert migrations_due(server), "it was said before it began"
    (killed,) = (server.folder / "backups").glob("*.zip")
    told = server.manage("migrate").stdout
    (file,) = set((server.folder / "backups").glob("*.zip")) - {killed}
    assert f"gesichert ist unter {file}." in told
    with server:
        assert "Die Tabellen werden" not in server.log
    assert server.manage("verifylog", "--facts", check=False).stderr == ""
    salts = dict(asked(server, SALTS))
    assert len(set(salts.values())) == len(salts)
    assert {person for person in salts if person <= 50} == {2, 3, 4, 5, 7}
    new = "SELECT id FROM tournaments_registration WHERE email = 'neu@example.org'"
    (stranger,) = asked(server, new)
    assert asked(server, NOT_PROVEN) == [(5,), (stranger[0] - 1,), stranger]


SALTS = "SELECT id, name_salt FROM tournaments_person WHERE name_salt <> '' ORDER BY id"


NOT_PROVEN = (
    "SELECT id FROM tournaments_registration WHERE email <> '' AND NOT is_mail_proven ORDER BY id"
)


def put_in(models, stored, database):
    """Copy all rows. References are checked in the end, so the order does not matter."""
    database.set_autocommit(False)
    for model in models.get_models(include_auto_created=True):
        rows = list(model._base_manager.using(stored.alias).all())
        model._base_manager.using(database.alias).bulk_create(rows, batch_size=500)
    database.commit()
    database.set_autocommit(True)


@pytest.mark.long  # nobody's way: new tables are made from the models, PostgreSQL begins so above
@pytest.mark.sqlite_only
def test_migrations_from_nothing_come_to_the_same_tables(tmp_path) -> None:
    with opened_file("nothing", tmp_path / "empty.sqlite3") as database:
        executor = MigrationExecutor(database)
        executor.migrate(executor.loader.graph.leaf_nodes())
        tables_are_those_of_the_models(database)


def every_page_names_its_evening(server):
    home = page(server, "/")
    columns = "slug, name, is_sample, kind <> 'tournament' OR is_clock_only"
    for slug, name, is_sample, has_no_places in asked(
        server, f"SELECT {columns} FROM tournaments_event"
    ):
        # A sample to come stands beside real evenings for the staff alone.
        assert is_sample or f"/t/{slug}/" in home
        assert name in page(server, f"/t/{slug}/")
        assert has_no_places or name in page(server, f"/t/{slug}/ergebnis/")


def a_new_laptop_has_the_same_tables_and_counts_as_migrated(migrated, tmp_path):
    file = laptop_with_tables(tmp_path / "data").folder / DATABASE_FILE
    with opened_file("new", file) as database:
        assert tables_of(database) == tables_of(migrated)
        done = [set(MigrationRecorder(one).applied_migrations()) for one in (database, migrated)]
        assert done[0] == done[1]


def migrations_due(server) -> list[str]:
    return re.findall(r"^ \[ \]", server.manage("showmigrations").stdout, re.MULTILINE)


def page(server, path: str) -> str:
    with urllib.request.urlopen(f"{server.url}{path}", timeout=30) as answer:
        return answer.read().decode()
