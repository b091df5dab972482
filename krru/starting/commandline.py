"""Django's command line, with clear errors if the program cannot start."""

import argparse
import atexit
import gc
import os
import shutil
import sys
import tempfile
from typing import NoReturn

import django
from django.core.management import execute_from_command_line

from krru.starting.troubles import sentence_of

# argparse's messages in German.
GERMAN = {
    "usage: ": "Aufruf: ",
    "%(prog)s: error: %(message)s\n": "%(prog)s: %(message)s\n",
    "unrecognized arguments: %s": "kenne ich nicht: %s",
    "argument %(argument_name)s: %(message)s": "%(argument_name)s: %(message)s",
    "the following arguments are required: %s": "es fehlt: %s",
    "expected one argument": "dahinter fehlt ein Wert",
    "invalid %(type)s value: %(value)r": "%(value)r passt nicht, erwartet wird %(type)s",
    "invalid choice: %(value)r (choose from %(choices)s)": "%(value)r gibt es nicht (%(choices)s)",
    "ambiguous option: %(option)s could match %(matches)s": "%(option)s kann %(matches)s sein",
    "positional arguments": "Angaben",
    "options": "Optionen",
    "show this help message and exit": "zeigt diese Hilfe",
}


def main(arguments: list[str]) -> None:
    """Run a management command. A known error ends it with a sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    if arguments[1:2] == ["demo"]:
        # A new data folder that goes with this process.
        os.environ["KRRU_DATA"] = tempfile.mkdtemp(prefix="krru-demo-")
        atexit.register(shutil.rmtree, os.environ["KRRU_DATA"], ignore_errors=True)
    setattr(argparse, "_", lambda text: GERMAN.get(text, text))  # noqa: B010 - it has no way for it
    try:
        # Objects made at the start stay: collecting garbage takes a tenth of the start.
        gc.disable()
        django.setup()
        gc.enable()
        execute_from_command_line(arguments)
    except Exception as error:
        said = sentence_of(error)
        if said is None:
            raise
        sys.exit(said)


def begin_anew(*words: str) -> NoReturn:
    """Run this command once more in place of this process, with these words, without its folder."""
    shutil.rmtree(os.environ["KRRU_DATA"], ignore_errors=True)
    further = [word for word in words if word not in sys.orig_argv]
    again = [sys.executable, *sys.orig_argv[1:], *further]
    os.execv(sys.executable, again)  # noqa: S606 - the same program, without a shell
