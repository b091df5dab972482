"""Settings of the tests: a data folder of their own, and PostgreSQL when the runner offers one."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

if "KRRU_DATA" not in os.environ:
    _folder = tempfile.mkdtemp(prefix="krru-tests-")
    os.environ["KRRU_DATA"] = _folder
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)
if os.environ.get("KRRU_TEST_DATABASE_URL"):
    os.environ["DATABASE_URL"] = os.environ["KRRU_TEST_DATABASE_URL"]

from krru.settings import *  # noqa: F403
from krru.settings import DATABASES, KRRU_DATA, STORAGES

SECRET_KEY = "only-for-tests-and-published-with-them-0123456789"
# Files are looked up when asked for: every test client would read all of them as it begins.
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, because threads and transactions behave differently in memory; not synchronised to
    # the disk, because nothing here outlives the run.
    DATABASES["default"]["TEST"] = {"NAME": Path(KRRU_DATA) / "tests.sqlite3"}
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    )


# Tasks run where they are called: a second thread would wait for the test's own transaction.
CELERY_TASK_ALWAYS_EAGER = True
