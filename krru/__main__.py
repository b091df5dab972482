"""The command `krru` of an installed package, also as `python -m krru`."""

import sys

from krru import __version__
from krru.starting.commandline import main


def command() -> None:
    """Serve, or run the named command."""
    words = sys.argv[1:]
    if words[:1] in (["version"], ["--version"]):
        sys.stdout.write(f"KRRU {__version__}\n")
        if words[1:] != ["--check"]:
            return
        words = ["newest"]
    if not words or (words[0].startswith("-") and words[0] not in {"-h", "--help"}):
        words = ["serve", *words]
    main(["krru", *(words[1:] if words[0] == "manage" else words)])


if __name__ == "__main__":
    command()
