"""Load the program once, for `tests.warm` to copy commands and servers from."""

import gc
import os
import sys

# What runs the tests has settings of its own, and names databases that no laptop has.
for name in ("DATABASE_URL", "REDIS_URL", "KRRU_TEST_DATABASE_URL"):
    os.environ.pop(name, None)
os.environ["DJANGO_SETTINGS_MODULE"] = "krru.settings"

import django  # noqa: E402

django.setup()

import krru.urls  # noqa: E402, F401 - loads every page

# Looking for garbage would write into every page of memory, and copy it.
gc.collect()
gc.freeze()


def forget_settings() -> None:
    """Have the settings read anew, and connections made by them."""
    from asgiref.local import Local
    from django.conf import settings
    from django.core.cache import caches
    from django.db import connections
    from django.utils.functional import empty

    del sys.modules["krru.settings"]
    settings._wrapped = empty
    for handler in (connections, caches):
        vars(handler).pop("settings", None)
        handler._settings = None
        handler._connections = Local(handler.thread_critical)
