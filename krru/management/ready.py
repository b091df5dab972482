"""Prepare the tables for commands, also in a data folder that was never served."""

from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError, SystemCheckError

from krru.data.folder import Trouble
from krru.starting.prepare import prepare_database


class ReadyCommand(BaseCommand):
    """A command that migrates the tables first, as serving does."""

    _called_from_command_line: bool  # Django's own

    def execute(self, *args: Any, **options: Any) -> str | None:
        # On stderr, apart from a script's output.
        prepare_database(partial(self.stderr.write, style_func=str))
        try:
            return super().execute(*args, **options)
        except CommandError as error:
            is_ours = not isinstance(error, SystemCheckError) and not options.get("traceback")
            if is_ours and self._called_from_command_line:
                # Django would print the class's name before the sentence.
                raise Trouble(str(error)) from None
            raise
