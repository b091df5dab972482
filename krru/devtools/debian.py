"""Install programs for the tests without asking, where possible."""

import functools
import os
import shutil
import subprocess
from pathlib import Path


def may_install() -> bool:
    return os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def starts_services() -> bool:
    return Path("/run/systemd/system").exists()


def install(package: str) -> bool:
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
