"""Programs that the tests need, fetched where that is possible without asking."""

import functools
import os
import shutil
import subprocess
from pathlib import Path


def may_install() -> bool:
    """Tell whether this is root on a Debian."""
    return os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def starts_services() -> bool:
    """Tell whether an installed service would be started at once."""
    return Path("/run/systemd/system").exists()


def install(package: str) -> bool:
    """Install a package without a question; tell whether it could be."""
    return _are_lists_new() and _apt("install", package)


@functools.cache
def _are_lists_new() -> bool:
    return _apt("update")


def _apt(*words: str) -> bool:
    done = subprocess.run(
        ["apt-get", words[0], "-y", "-qq", "--no-install-recommends", *words[1:]],
        check=False,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdout=subprocess.DEVNULL,
    )
    return done.returncode == 0
