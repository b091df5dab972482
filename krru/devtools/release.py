"""The archive of a version: the program and its packages, to start offline.

The packages fit the system and the Python of this machine; elsewhere `start.py` fetches them.
"""

import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from krru import __version__
from krru.data.folder import BASE_DIR
from krru.devtools import packages

VERSION = re.compile(r"\d+\.\d+\.\d+")
# Left out of the archive: developers' files.
LEFT_OUT = (".ci/", "tests/", "bench/", "fixtures/releases/", ".git")
UNRELEASED = "## [Unreleased]"


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
    """Write the version into its files and close the changelog's open section."""
    for name, pattern, text in (
        ("pyproject.toml", r'^version = ".*"', f'version = "{version}"'),
        ("krru/__init__.py", r'^__version__ = ".*"', f'__version__ = "{version}"'),
    ):
        path = base / name
        path.write_text(
            re.sub(pattern, text, path.read_text("utf-8"), count=1, flags=re.MULTILINE), "utf-8"
        )
    path = base / "CHANGELOG.md"
    heading = f"{UNRELEASED}\n\n## [{version}] - {datetime.now(UTC):%Y-%m-%d}"
    path.write_text(path.read_text("utf-8").replace(UNRELEASED, heading, 1), "utf-8")


def numbers(version: str) -> tuple[int, ...]:
    """Return the sort key of a version.

    >>> numbers("0.10.0") > numbers("0.9.1")
    True
    """
    return tuple(map(int, version.split(".")))


def main(arguments: list[str]) -> int:
    """Raise the version, fetch the packages, write the archive."""
    if len(arguments) != 2 or not VERSION.fullmatch(arguments[0]):
        sys.exit("So geht es: python3 start.py release 0.3.0 ORDNER")
    version, folder = arguments[0], Path(arguments[1]).expanduser().resolve()
    if numbers(version) < numbers(__version__):
        sys.exit(f"Die Version ist schon {__version__}.")
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    if packages.wheels(wheels):
        sys.exit("Die Pakete ließen sich nicht holen.")
    if f"## [{version}]" not in (BASE_DIR / "CHANGELOG.md").read_text("utf-8"):
        raise_version(version)
    archive = write_archive(folder / f"krru-{version}.zip", wheels)
    sys.stdout.write(
        f"{archive}\nDann: git commit -am 'Release {version}' und git tag v{version}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
