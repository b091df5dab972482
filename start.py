#!/usr/bin/env python3
"""The one command: makes the environment `.venv`, then serves, tests, measures or manages.

Standard library only. What is longer than a few lines lives in `krru`.
"""

import sys

if sys.version_info < (3, 11):
    sys.exit(
        "KRRU braucht Python 3.11 oder neuer, hier läuft Python %d.%d. "
        "Neuere Versionen gibt es auf python.org und bei den Paketen des Systems."
        % sys.version_info[:2]
    )

import hashlib
import importlib.util
import itertools
import os
import platform
import re
import shutil
import subprocess
import venv
from pathlib import Path
from typing import NoReturn

BASE = Path(__file__).resolve().parent
VENV = BASE / ".venv"
# A new environment is made beside the one in use and takes its place when it is whole.
NEW_VENV, OLD_VENV = BASE / ".venv.new", BASE / ".venv.old"
# Packages that a release brings along.
WHEELS = BASE / "wheels"
REQUIREMENTS = BASE / "requirements"
WINDOWS = sys.platform == "win32"
IN_VENV = "Scripts/python.exe" if WINDOWS else "bin/python"
PYTHON = VENV / IN_VENV
# Without them the program starts all the same: no spoken announcements, no PostgreSQL, and static
# files are sent as gzip.
OPTIONAL = {"py-nanotts", "psycopg", "psycopg-binary", "brotli"}

HELP = """\
    python3 start.py [serve] [--port 8000] [--host 0.0.0.0]
    python3 start.py demo              ein erfundener Abend, der sich selbst spielt
    python3 start.py backup            jetzt sichern, auch während der Server läuft
    python3 start.py restore DATEI     eine Sicherung oder ihren Ordner zurückholen
    python3 start.py manage BEFEHL …   ein anderer Befehl, siehe docs/reference/commands.md
    python3 start.py wheels ORDNER     holen, was ein Rechner ohne Internet braucht;
                                       dort KRRU_WHEELS=ORDNER setzen
    python3 start.py test [--quick | --long] [Argumente für pytest]
    python3 start.py bench NAME [--full]
    python3 start.py release VERSION ORDNER   das Archiv einer Version mit ihren Paketen
    python3 start.py lock              die gesperrten Pakete neu bestimmen (braucht uv)
"""
NO_VENV = (
    "Diesem Python fehlt das Modul venv. Auf Debian und Ubuntu hilft: apt install python3-venv"
)
FAILED = (
    "Die Einrichtung ist nicht gelungen; die Zeilen darüber sagen, woran es lag. Ohne Internet: "
    "auf einem anderen Gerät `python3 start.py wheels ORDNER`, dann hier KRRU_WHEELS=ORDNER setzen."
)
WITHOUT = "  Noch einmal ohne Sprachausgabe, PostgreSQL und Brotli …"
KEPT = " Die bisherige Umgebung ist unversehrt: Mit dem vorigen Programm geht es weiter wie zuvor."
GOES_ON = (
    "Die neuen Pakete ließen sich nicht holen. Es geht mit den bisherigen weiter; "
    "der nächste Start mit Internet versucht es noch einmal."
)


class SetupFailed(Exception):
    """An installer ended with an error."""


def lock_files(kind: str) -> list[Path]:
    """Return the lock file of `base` or `dev`, last, after those it contains."""
    base = REQUIREMENTS / "base.txt"
    return [base] if kind == "base" else [base, REQUIREMENTS / "dev.txt"]


def fingerprint(kind: str, place: str = "") -> str:
    """Return what the stamp of a finished installation says: the locks, and their Python."""
    digest = hashlib.sha256(
        f"{sys.version_info[:2]} {sys.platform} {platform.machine()} {place}".encode()
    )
    for path in lock_files(kind):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def stamp(kind: str, folder: Path = VENV) -> Path:
    """Return the file that says that `kind` is installed whole; it is written last."""
    return folder / f".installed-{kind}"


def is_installed(kind: str) -> bool:
    """Tell whether the environment holds exactly what the lock says, wherever it was moved to."""
    mark = stamp(kind)
    # The first version wrote the folder into the stamp.
    wanted = {fingerprint(kind), fingerprint(kind, str(VENV))}
    return PYTHON.exists() and mark.exists() and mark.read_text("ascii").strip() in wanted


def ensure(kind: str) -> None:
    """Make the environment, unless it is there and whole; the one in use stays until then."""
    take_back()
    if is_installed(kind):
        return
    print("KRRU wird eingerichtet, das dauert beim ersten Mal etwa eine Minute …", flush=True)
    uv = find_uv()
    tools = [uv, None] if uv else [None]
    # Upon a copy little has to be fetched; packages of every kind first, then what must be there.
    ways = ((True, True), (False, True), (False, False))
    for (copied, whole), tool in itertools.product(ways, tools):
        if copied and not works(VENV, ["-c", "import pip" if tool is None else "import sys"]):
            continue
        try:
            install(kind, tool, copied=copied, whole=whole)
        except (SetupFailed, OSError, subprocess.CalledProcessError) as error:
            print(f"  {error}", file=sys.stderr, flush=True)
            continue
        swap(["base"] if kind == "base" else ["base", "dev"])
        return
    shutil.rmtree(NEW_VENV, ignore_errors=True)
    if not any(stamp(known).exists() for known in ("base", "dev")):
        sys.exit(FAILED)
    if not has_all_packages(kind):
        sys.exit(FAILED + KEPT)
    print(GOES_ON, file=sys.stderr, flush=True)


def swap(kinds: list[str]) -> None:
    """Put the new environment, which is whole, in the place of the one in use."""
    for known in kinds:
        stamp(known, NEW_VENV).write_text(fingerprint(known) + "\n", encoding="ascii")
    for script in [] if WINDOWS else (NEW_VENV / "bin").iterdir():
        if script.is_file() and not script.is_symlink():
            text = script.read_bytes()
            if text.startswith(b"#!"):
                script.write_bytes(text.replace(bytes(NEW_VENV), bytes(VENV), 1))
    remove(OLD_VENV)
    if VENV.exists() or VENV.is_symlink():
        VENV.rename(OLD_VENV)
    NEW_VENV.rename(VENV)
    remove(OLD_VENV)


def take_back() -> None:
    """Put the former environment back where a swap ended between its two renames."""
    if OLD_VENV.exists() and not (VENV.exists() or VENV.is_symlink()):
        OLD_VENV.rename(VENV)


def remove(folder: Path) -> None:
    """Remove an environment, if it is there."""
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder, ignore_errors=True)


def has_all_packages(kind: str) -> bool:
    """Tell whether the environment in use has every package of the lock, in whatever version."""
    lock = lock_files(kind)[-1].read_text(encoding="utf-8")
    names = re.findall(r"^([a-z0-9-]+)[^ \n]*(?: \\)?$", lock, re.MULTILINE)
    asked = f"from importlib.metadata import version; [version(name) for name in {names!r}]"
    return works(VENV, ["-c", asked])


def find_uv() -> str | None:
    """Return uv if it is there and works; it installs some ten times faster than pip."""
    uv = shutil.which("uv")
    if uv is None or os.environ.get("KRRU_NO_UV"):
        return None
    works = subprocess.run([uv, "--version"], capture_output=True, check=False).returncode == 0
    return uv if works else None


def install(kind: str, uv: str | None, *, copied: bool, whole: bool) -> None:
    """Install a lock with its hashes into a new environment, with uv or with pip.

    :raises SetupFailed: the installer said no.
    """
    has_pip = uv is None
    if has_pip and importlib.util.find_spec("ensurepip") is None:
        sys.exit(NO_VENV)
    lock = lock_files(kind)[-1]
    needed = None if whole else without_optional(lock)
    remove(NEW_VENV)
    if copied:
        shutil.copytree(VENV, NEW_VENV, symlinks=True)
    else:
        venv.create(NEW_VENV, with_pip=has_pip, symlinks=not WINDOWS)
    for known in ("base", "dev"):
        stamp(known, NEW_VENV).unlink(missing_ok=True)
    python = str(NEW_VENV / IN_VENV)
    tool = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install"]
    named = os.environ.get("KRRU_WHEELS")
    brought = WHEELS if WHEELS.is_dir() and kind == "base" else None
    folder = Path(named).expanduser().resolve() if named else brought
    sources = [["--no-index", "--find-links", str(folder)]] if folder else []
    if needed is not None:
        lock = NEW_VENV / "lock.txt"
        lock.write_text(needed, encoding="utf-8")
        print(WITHOUT, file=sys.stderr, flush=True)
    # What a release brings may be for another system; what somebody names is all there is.
    for source in sources if named else [*sources, []]:
        command = [*tool, "--quiet", *source, "--require-hashes", "-r", str(lock)]
        if subprocess.run(command, check=False, env=clean_environment()).returncode == 0:
            return
    raise SetupFailed("Die Pakete ließen sich nicht installieren.")


def without_optional(lock: Path) -> str:
    """Return a lock without the packages that need not be there; without any the setup failed."""
    entries = re.split(r"\n(?=\S)", lock.read_text(encoding="utf-8"))
    kept = [entry for entry in entries if re.split(r"[=\[]", entry)[0] not in OPTIONAL]
    if len(kept) == len(entries):
        raise SetupFailed("Ohne diese Pakete geht es nicht.")
    return "\n".join(kept) + "\n"


def works(folder: Path, arguments: list[str]) -> bool:
    """Tell whether an environment's Python is this one and runs the given code."""
    python = folder / IN_VENV
    if not python.exists():
        return False
    version = f"import sys; assert sys.version_info[:2] == {sys.version_info[:2]}"
    for command in (["-c", version], arguments):
        if subprocess.run([str(python), *command], capture_output=True, check=False).returncode:
            return False
    return True


def clean_environment() -> dict[str, str]:
    """Return the environment without what would lead the other Python astray."""
    gone = {"PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__"}
    return {name: value for name, value in os.environ.items() if name not in gone}


def run(arguments: list[str]) -> NoReturn:
    """Go on in the environment's Python; its exit code is ours."""
    command = [str(PYTHON), *arguments]
    environment = {**clean_environment(), "PYTHONUTF8": "1"}
    if not WINDOWS:
        # The same process goes on, so signals need no passing on.
        os.execve(command[0], command, environment)
    process = subprocess.Popen(command, env=environment)
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:
            # The child got Ctrl-C as well and is ending in good order.
            continue


def manage(*arguments: str) -> NoReturn:
    """Run a management command."""
    ensure("base")
    run([str(BASE / "manage.py"), *arguments])


def develop(module: str, arguments: list[str]) -> NoReturn:
    """Run a developers' tool from the project's folder."""
    ensure("dev")
    os.chdir(BASE)
    run(["-m", module, *arguments])


def fetch(command: str, arguments: list[str]) -> NoReturn:
    """Run what gets packages, which needs no environment, from the project's folder."""
    environment = {**os.environ, "PYTHONPATH": str(BASE)}
    command_line = [sys.executable, "-m", "krru.devtools.packages", command, *arguments]
    sys.exit(subprocess.run(command_line, check=False, env=environment).returncode)


def main(arguments: list[str]) -> NoReturn:
    """Do what the first argument says."""
    if arguments and arguments[0] in {"-h", "--help", "help"}:
        print(HELP)
        sys.exit(0)
    has_command = bool(arguments) and not arguments[0].startswith("-")
    command, rest = (arguments[0], arguments[1:]) if has_command else ("serve", arguments)
    if command in {"serve", "demo", "backup", "restore"}:
        manage(command, *rest)
    elif command == "manage":
        manage(*rest)
    elif command == "test":
        develop("krru.devtools.testing", rest)
    elif command == "bench":
        develop("bench", rest)
    elif command == "release":
        develop("krru.devtools.release", rest)
    elif command in {"wheels", "lock"}:
        fetch(command, rest)
    sys.exit(f"„{command}“ kenne ich nicht.\n\n{HELP}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit("\nAbgebrochen.")
