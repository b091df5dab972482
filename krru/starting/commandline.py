"""The command line: Django's, with sentences where the program cannot start."""

import gc
import os
import sys

import django
from django.core.management import execute_from_command_line

from krru.starting.troubles import sentence_of


def main(arguments: list[str]) -> None:
    """Run a management command; what is known to go wrong ends it with a sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    try:
        # Nothing that is made here goes away again: looking for it takes a tenth of the start.
        gc.disable()
        django.setup()
        gc.enable()
        execute_from_command_line(arguments)
    except Exception as error:
        said = sentence_of(error)
        if said is None:
            raise
        sys.exit(said)
