"""Data of a state between two releases, which no migration leads on from: one sentence says so."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from krru.data.folder import Trouble
from krru.starting import prepare

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]
RELEASE = ("tournaments", "0002_release_0_2_0")


def replaced():
    loader = prepare.MigrationExecutor(connection).loader
    return loader.disk_migrations[RELEASE].replaces


@pytest.fixture
def recorder():
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    recorder.flush()
    recorder.record_applied("clock", "0001_initial")
    recorder.record_applied("tournaments", "0001_initial")
    return recorder


def test_a_state_between_two_releases_is_said(recorder):
    for app, name in replaced()[:7]:
        recorder.record_applied(app, name)
    with pytest.raises(Trouble, match="Stand zwischen zwei Versionen"):
        prepare.check_database()


def test_either_release_is_moved_on(recorder):
    prepare.check_database()
    due = [(row.app_label, row.name) for row, _back in prepare.migrations_due()]
    assert RELEASE in due
    for app, name in replaced():
        recorder.record_applied(app, name)
    prepare.check_database()
    due = [(row.app_label, row.name) for row, _back in prepare.migrations_due()]
    assert RELEASE not in due
    assert ("tournaments", "0027_cash_face") in due
