"""Find a Chromium for the browser tests, or fetch it where that is possible without asking."""

import os
import shutil
import subprocess

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW_TO = (
    "Chromium fehlt: auf Debian und Ubuntu `apt install chromium`, sonst KRRU_CHROMIUM auf das "
    "Programm zeigen lassen."
)
# As a screen is started in the hall: without it nothing sounds before a tap.
SOUND_FLAG = "--autoplay-policy=no-user-gesture-required"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
    # The hall is plain http on a name that is not localhost; browsers allow less there.
    "--host-resolver-rules=MAP krru.test 127.0.0.1",
    SOUND_FLAG,
]  # fmt: skip


def find() -> str | None:
    """Return the path of a Chromium, or None."""
    named = os.environ.get("KRRU_CHROMIUM")
    candidates = [named] if named else NAMES
    return next(filter(None, map(shutil.which, candidates)), None)


def ensure() -> str | None:
    """Return the path of a Chromium, installing it when root on Debian; None when there is none."""
    found = find()
    if found or os.name != "posix" or os.geteuid() != 0 or not shutil.which("apt-get"):
        return found
    print("Chromium wird installiert …", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
    ):
        if subprocess.run(
            command, check=False, env=environment, stdout=subprocess.DEVNULL
        ).returncode:
            return None
    return find()
