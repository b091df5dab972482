"""Make the files of a release: package, archives, notes, checksums.

The packages in the archive fit the system and the Python of this machine; elsewhere `start.py`
fetches them. The folder for Windows has a Python of its own.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from krru import __version__
from krru.data.folder import BASE_DIR
from krru.data.releases import numbers
from krru.devtools import packages

VERSION = re.compile(r"\d+\.\d+\.\d+")
# Left out of the archive: developers' files.
LEFT_OUT = (".ci/", "tests/", "bench/", "fixtures/releases/", ".git")
UNRELEASED = "## [Unreleased]"
SUMS = "SHA256SUMS"
# The embeddable Python, from python.org.
EMBEDDABLE = "python-3.*-embed-amd64.zip"
START_ON_WINDOWS = """\
@echo off\r
rem Starts KRRU by a double click. The window stays open if it fails.\r
set PYTHONUTF8=1\r
"%~dp0python\\python.exe" -m krru %*\r
if errorlevel 1 pause\r
"""


def program_files(base: Path = BASE_DIR) -> Iterator[Path]:
    """Yield the program's files in the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=base, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if not name.startswith(LEFT_OUT):
            yield base / name


def write_archive(target: Path, wheels: Path, base: Path = BASE_DIR) -> Path:
    """Write the program and its packages into a zip with one folder."""
    root = target.name.removesuffix(".zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in program_files(base):
            archive.write(path, f"{root}/{path.relative_to(base).as_posix()}")
        for path in sorted(wheels.glob("*.whl")):
            # Wheels are compressed already.
            archive.write(path, f"{root}/wheels/{path.name}", zipfile.ZIP_STORED)
    return target


def raise_version(version: str, base: Path = BASE_DIR) -> None:
    """Write the version into the program and close the changelog's open section."""
    path = base / "krru/__init__.py"
    line = re.compile(r'^__version__ = ".*"', re.MULTILINE)
    text = line.sub(f'__version__ = "{version}"', path.read_text("utf-8"), count=1)
    path.write_text(text, "utf-8")
    path = base / "CHANGELOG.md"
    heading = f"{UNRELEASED}\n\n## [{version}] - {datetime.now(UTC):%Y-%m-%d}"
    path.write_text(path.read_text("utf-8").replace(UNRELEASED, heading, 1), "utf-8")


def notes(version: str, base: Path = BASE_DIR) -> str:
    """Return the version's section of the changelog, without its heading."""
    _, _, rest = (base / "CHANGELOG.md").read_text("utf-8").partition(f"## [{version}]")
    return rest.partition("\n")[2].partition("\n## [")[0].strip() + "\n"


def build_package(folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=BASE_DIR, check=True, stdout=subprocess.DEVNULL)
    return max(folder.glob("krru-*.whl"), key=lambda path: path.stat().st_mtime)


def windows_packages(wheel: Path, python: Path, site: Path) -> None:
    """Install the program and the locked packages for an embeddable Python into a folder.

    :raises CalledProcessError: Something is not to be had for it.
    """
    uv = shutil.which("uv") or sys.exit("Für Windows wird uv gebraucht.")
    version = ".".join(python.name.split("-")[1].split(".")[:2])
    command = [uv, "pip", "install", "--quiet", "--target", str(site), "--only-binary", ":all:"]
    command += ["--python-platform", "x86_64-pc-windows-msvc", "--python-version", version]
    lock = ["--require-hashes", "-r", str(packages.REQUIREMENTS / "base.txt")]
    subprocess.run([*command, *lock], check=True)
    subprocess.run([*command, "--no-deps", str(wheel)], check=True)


def write_windows_folder(target: Path, python: Path, site: Path) -> Path:
    """Write Python, packages and a file to double-click into a zip with one folder."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        with zipfile.ZipFile(python) as embedded:
            for name in embedded.namelist():
                data = embedded.read(name)
                # This file alone sets its search path.
                archive.writestr(
                    f"KRRU/python/{name}",
                    data + b"\r\n..\\site\r\n" if name.endswith("._pth") else data,
                )
        for path in sorted(site.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                archive.write(path, f"KRRU/site/{path.relative_to(site).as_posix()}")
        archive.writestr("KRRU/KRRU.bat", START_ON_WINDOWS)
    return target


def write_sums(folder: Path) -> None:
    """Write the checksums of the files of a folder, as `sha256sum -c` reads them."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    lines = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (folder / SUMS).write_text("".join(lines), "utf-8")


def write_all(version: str, folder: Path) -> None:
    """Write all files of a release; report what is missing for Windows."""
    wheels, site = folder / "wheels", folder / "windows"
    if packages.wheels(wheels):
        sys.exit("Die Pakete ließen sich nicht holen.")
    wheel = build_package(folder)
    write_archive(folder / f"krru-{version}.zip", wheels)
    if python := next(iter(sorted(folder.glob(EMBEDDABLE), reverse=True)), None):
        windows_packages(wheel, python, site)
        write_windows_folder(folder / f"krru-{version}-windows.zip", python, site)
    else:
        sys.stdout.write(f"Für Windows fehlt {EMBEDDABLE} (von python.org) in {folder}.\n")
    (folder / f"krru-{version}.md").write_text(notes(version), "utf-8")
    for made in (wheels, site):
        shutil.rmtree(made, ignore_errors=True)
    write_sums(folder)


def main(arguments: list[str]) -> int:
    """Raise the version and write the files of its release."""
    if len(arguments) != 2 or not VERSION.fullmatch(arguments[0]):
        sys.exit("So geht es: python3 start.py release 0.3.0 ORDNER")
    version, folder = arguments[0], Path(arguments[1]).expanduser().resolve()
    if numbers(version) < numbers(__version__):
        sys.exit(f"Die Version ist schon {__version__}.")
    folder.mkdir(parents=True, exist_ok=True)
    if f"## [{version}]" not in (BASE_DIR / "CHANGELOG.md").read_text("utf-8"):
        raise_version(version)
    write_all(version, folder)
    sys.stdout.write(f"{folder}\nDann: git commit -am 'Release {version}' und git tag v{version}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
