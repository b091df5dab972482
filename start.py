#!/usr/bin/env python3
"""The one command: makes the environment `.venv`, then serves, tests, measures or manages.

    python3 start.py [serve] [--port 8000] [--host 0.0.0.0]
    python3 start.py test [--long] [pytest arguments]
    python3 start.py bench NAME [--full]
    python3 start.py manage COMMAND ...
    python3 start.py restore FILE
    python3 start.py wheels FOLDER     fetch what a machine without internet needs;
                                       there, set KRRU_WHEELS=FOLDER
    python3 start.py lock              make the lock files anew (needs uv)

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
REQUIREMENTS = BASE / "requirements"
WINDOWS = sys.platform == "win32"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")

NO_VENV = (
    "Diesem Python fehlt das Modul venv. Auf Debian und Ubuntu hilft: apt install python3-venv"
)
FAILED = (
    "Die Einrichtung ist nicht gelungen; die Zeilen darüber sagen, woran es lag. Ohne Internet: "
    "auf einem anderen Gerät `python3 start.py wheels ORDNER`, dann hier KRRU_WHEELS=ORDNER setzen."
)


class SetupFailed(Exception):
    """An installer ended with an error."""


def lock_files(kind: str) -> list[Path]:
    """Return the lock file of `base` or `dev`, last, after those it contains."""
    base = REQUIREMENTS / "base.txt"
    return [base] if kind == "base" else [base, REQUIREMENTS / "dev.txt"]


def fingerprint(kind: str) -> str:
    """Return what the stamp of a finished installation says: the locks, and their Python."""
    digest = hashlib.sha256(
        f"{sys.version_info[:2]} {sys.platform} {platform.machine()} {VENV}".encode()
    )
    for path in lock_files(kind):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def stamp(kind: str) -> Path:
    """Return the file that says that `kind` is installed whole; it is written last."""
    return VENV / f".installed-{kind}"


def is_installed(kind: str) -> bool:
    """Tell whether the environment holds exactly what the lock says."""
    mark = stamp(kind)
    return (
        PYTHON.exists()
        and mark.exists()
        and mark.read_text(encoding="ascii").strip() == fingerprint(kind)
    )


def ensure(kind: str) -> None:
    """Make the environment, unless it is there and whole; a broken one is built anew."""
    if is_installed(kind):
        return
    print("KRRU wird eingerichtet, das dauert beim ersten Mal etwa eine Minute …", flush=True)
    for known in ("base", "dev"):
        stamp(known).unlink(missing_ok=True)
    uv = find_uv()
    attempts = [(uv, False), (uv, True)] if uv else []
    for tool, afresh in [*attempts, (None, False), (None, True)]:
        try:
            install(kind, tool, afresh=afresh)
        except (SetupFailed, OSError, subprocess.CalledProcessError) as error:
            print(f"  {error}", file=sys.stderr, flush=True)
            continue
        break
    else:
        sys.exit(FAILED)
    done = ["base"] if kind == "base" else ["base", "dev"]
    for known in done:
        stamp(known).write_text(fingerprint(known) + "\n", encoding="ascii")


def find_uv() -> str | None:
    """Return uv if it is there and works; it installs some ten times faster than pip."""
    uv = shutil.which("uv")
    if uv is None or os.environ.get("KRRU_NO_UV"):
        return None
    works = subprocess.run([uv, "--version"], capture_output=True, check=False).returncode == 0
    return uv if works else None


def install(kind: str, uv: str | None, *, afresh: bool) -> None:
    """Install a lock with its hashes into the environment, with uv or with pip.

    :raises SetupFailed: the installer said no.
    """
    has_pip = uv is None
    if has_pip and importlib.util.find_spec("ensurepip") is None:
        sys.exit(NO_VENV)
    if afresh or not works(["-c", "import pip" if has_pip else "import sys"]):
        venv.create(VENV, clear=VENV.exists(), with_pip=has_pip, symlinks=not WINDOWS)
    tool = (
        [uv, "pip", "install", "--quiet", "--python", str(PYTHON)]
        if uv
        else [str(PYTHON), "-m", "pip", "install", "--quiet", "--quiet"]
    )
    wheels = os.environ.get("KRRU_WHEELS")
    if wheels:
        tool += ["--no-index", "--find-links", str(Path(wheels).expanduser().resolve())]
    command = [*tool, "--require-hashes", "-r", str(lock_files(kind)[-1])]
    if subprocess.run(command, check=False, env=clean_environment()).returncode != 0:
        raise SetupFailed("Die Pakete ließen sich nicht installieren.")


def works(arguments: list[str]) -> bool:
    """Tell whether the environment's Python is this one and runs the given code."""
    if not PYTHON.exists():
        return False
    version = f"import sys; assert sys.version_info[:2] == {sys.version_info[:2]}"
    for command in (["-c", version], arguments):
        if subprocess.run([str(PYTHON), *command], capture_output=True, check=False).returncode:
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
    run(["-m", f"krru.devtools.{module}", *arguments])


def fetch_wheels(arguments: list[str]) -> NoReturn:
    """Download the wheels of the base lock into a folder, for the same system and Python 3.x.

    Conditions in the lock are left out: another 3.x.y may need what this one does not.
    """
    if len(arguments) != 1:
        sys.exit("So geht es: python3 start.py wheels ORDNER")
    folder = Path(arguments[0]).expanduser().resolve()
    folder.mkdir(parents=True, exist_ok=True)
    everything = folder / "everything.txt"
    locked = lock_files("base")[-1].read_text(encoding="utf-8")
    everything.write_text(
        re.sub(r" ; .*(?= \\$)", "", locked, flags=re.MULTILINE), encoding="utf-8"
    )
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--require-hashes", "--only-binary=:all:", "-r", str(everything), "-d", str(folder)]
    code = subprocess.run(command, check=False).returncode
    everything.unlink()
    if code == 0:
        print(f"Auf dem Gerät ohne Internet: KRRU_WHEELS={folder} setzen und starten.")
    sys.exit(code)


def lock() -> NoReturn:
    """Make the lock files anew from pyproject.toml; they carry hashes and no addresses."""
    uv = find_uv() or sys.exit("Dafür wird uv gebraucht.")
    for kind, groups in (("base", []), ("dev", ["--group", "dev"])):
        command = [uv, "pip", "compile", "pyproject.toml", *groups, "--universal"]
        command += ["--python-version", "3.11", "--generate-hashes", "--no-emit-index-url"]
        command += ["--no-header", "--no-annotate", "--quiet"]
        command += ["--output-file", str(REQUIREMENTS / f"{kind}.txt")]
        subprocess.run(command, cwd=BASE, check=True)
    sys.exit(0)


def main(arguments: list[str]) -> NoReturn:
    """Do what the first argument says."""
    if arguments and arguments[0] in {"-h", "--help", "help"}:
        sys.exit(__doc__)
    has_command = bool(arguments) and not arguments[0].startswith("-")
    command, rest = (arguments[0], arguments[1:]) if has_command else ("serve", arguments)
    if command in {"serve", "restore"}:
        manage(command, *rest)
    elif command == "manage":
        manage(*rest)
    elif command == "test":
        develop("testing", rest)
    elif command == "bench":
        develop("bench", rest)
    elif command == "wheels":
        fetch_wheels(rest)
    elif command == "lock":
        lock()
    sys.exit(f"„{command}“ kenne ich nicht.\n\n{__doc__}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit("\nAbgebrochen.")
