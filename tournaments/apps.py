"""The tournaments application: everything of an evening but the clock itself."""

import importlib
import pkgutil

from django.apps import AppConfig

from krru.background.timewatch import inbox, watch


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load every service: their kinds, undos and what follows changes register themselves."""
        package = importlib.import_module("tournaments")
        for module in pkgutil.walk_packages(package.__path__, "tournaments."):
            if ".services." in module.name:
                importlib.import_module(module.name)
        from tournaments.tasks import bot_ask  # noqa: PLC0415 - needs the models
        from tournaments.timekeeping import time_watch  # noqa: PLC0415 - needs the models

        watch.look, inbox.look = time_watch, bot_ask
