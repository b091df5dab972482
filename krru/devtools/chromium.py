"""Programs for the tests: find a Chromium; on Debian install what is missing, without asking."""

import functools
import os
import shutil
import subprocess
from pathlib import Path

from krru.devtools.serving import HALL_NAME

# The full package opens a window for every phone of a test.
PACKAGES = ("chromium-headless-shell", "chromium")
NAMES = (*PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW_TO = (
    "Chromium fehlt: auf Debian und Ubuntu `apt install chromium`, sonst KRRU_CHROMIUM auf das "
    "Programm zeigen lassen."
)
# As started in the hall: without it no sound plays before a tap.
SOUND_FLAG = "--autoplay-policy=no-user-gesture-required"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
    # The hall uses plain http on a name other than localhost; browsers allow less there.
    f"--host-resolver-rules=MAP {HALL_NAME} 127.0.0.1",
    SOUND_FLAG,
]  # fmt: skip


def find() -> str | None:
    named = os.environ.get("KRRU_CHROMIUM")
    candidates = [named] if named else NAMES
    return next(filter(None, map(shutil.which, candidates)), None)


def ensure() -> str | None:
    """Return the path of a Chromium, installed if root on Debian; None without one."""
    is_given = "KRRU_CHROMIUM" in os.environ or shutil.which(PACKAGES[0])
    if is_given or not may_install():
        return find()
    print("Chromium wird installiert …", flush=True)
    if not install(PACKAGES[0]) and not find():
        install(PACKAGES[1])
    return find()


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
