"""Packages: download the wheels of a lock, and make the locks.

Run by `start.py` before there is an environment: standard library only.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

BASE = Path(__file__).resolve().parents[2]
REQUIREMENTS = BASE / "requirements"


def wheels(folder: Path) -> int:
    """Download the wheels of the base lock into a folder, for this system and any Python 3.x.y."""
    folder.mkdir(parents=True, exist_ok=True)
    everything = folder / "everything.txt"
    locked = (REQUIREMENTS / "base.txt").read_text(encoding="utf-8")
    everything.write_text(without_conditions(locked), encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--require-hashes", "--only-binary=:all:", "-r", str(everything), "-d", str(folder)]
    code = subprocess.run(command, check=False).returncode
    everything.unlink()
    return code


def without_conditions(locked: str) -> str:
    r"""Return a lock without its conditions: another 3.x.y may need other packages.

    A package locked in two versions keeps the conditions, as only one of them fits.

    >>> print(without_conditions("a==1 ; x < '3.11.4' \\\nb==1 ; y \\\nb==2 ; z \\"))
    a==1 \
    b==1 ; y \
    b==2 ; z \
    """
    times = Counter(re.findall(r"^[\w.\-\[\]]+(?===)", locked, flags=re.MULTILINE))

    def bare(line: re.Match[str]) -> str:
        return line["package"] if times[line["name"]] == 1 else line[0]

    pattern = r"^(?P<package>(?P<name>[\w.\-\[\]]+)==\S+) ; .*(?= \\$)"
    return re.sub(pattern, bare, locked, flags=re.MULTILINE)


def lock() -> int:
    """Make the lock files from pyproject.toml, with hashes and without addresses."""
    uv = shutil.which("uv") or sys.exit("Dafür wird uv gebraucht.")
    for kind, groups in (("base", []), ("dev", ["--group", "dev"])):
        command = [uv, "pip", "compile", "pyproject.toml", *groups, "--universal"]
        command += ["--python-version", "3.11", "--generate-hashes", "--no-emit-index-url"]
        command += ["--no-header", "--no-annotate", "--quiet"]
        command += ["--output-file", str(REQUIREMENTS / f"{kind}.txt")]
        subprocess.run(command, cwd=BASE, check=True)
    return 0


def main(arguments: list[str]) -> int:
    """Run the command of the first argument."""
    command, rest = arguments[0], arguments[1:]
    if command == "lock":
        return lock()
    if len(rest) != 1:
        sys.exit("So geht es: python3 start.py wheels ORDNER")
    folder = Path(rest[0]).expanduser().resolve()
    code = wheels(folder)
    if code == 0:
        sys.stdout.write(f"Auf dem Gerät ohne Internet: KRRU_WHEELS={folder} setzen und starten.\n")
    return code


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    sys.exit(main(sys.argv[1:]))
