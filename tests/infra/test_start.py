"""start.py itself, run as a person runs it, with an empty lock; start.bat, read line by line."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from krru.data.folder import BASE_DIR
from tests.infra.laptops import ran

SETTING_UP = "wird eingerichtet"


LOCK_OF_NOTHING = "no-such-thing==1.0 \\\n    --hash=sha256:" + "0" * 64 + "\n"


OFFLINE = {"UV_OFFLINE": "1", "UV_NO_INDEX": "1"}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A project with start.py, an empty lock and a manage.py that says what it was given."""
    return lay_out(tmp_path)


def lay_out(folder: Path) -> Path:
    (folder / "requirements").mkdir()
    (folder / "requirements" / "base.txt").write_text("# nothing\n")
    shutil.copy(BASE_DIR / "start.py", folder)
    (folder / "manage.py").write_text("import sys\nprint(sys.prefix, sys.argv[1:])\nsys.exit(3)\n")
    return folder


@pytest.fixture(scope="module")
def started_once(tmp_path_factory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """Such a project after its first start, for the tests to copy, and what that start said."""
    folder = lay_out(tmp_path_factory.mktemp("started"))
    return folder, start(folder, "manage", "hello", "--world", KRRU_NO_UV="1")


@pytest.fixture
def started(started_once, tmp_path: Path) -> Path:
    """A project whose environment was made: a folder may be copied, and goes on with it."""
    return shutil.copytree(started_once[0], tmp_path / "project", symlinks=True)


def start(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    here = {**os.environ, "PIP_NO_INDEX": "1", **env}
    return ran(sys.executable, folder / "start.py", *arguments, cwd=folder.parent, env=here)


def test_second_start_installs_nothing_and_a_changed_lock_is_installed(started: Path) -> None:
    done = start(started, "--port", "8001")
    assert SETTING_UP not in done.stdout
    assert "['serve', '--port', '8001']" in done.stdout
    (started / ".venv.new").mkdir()
    (started / ".venv.new" / "rubbish").write_text("half of it")
    (started / "requirements" / "base.txt").write_text("# something else\n")

    done = start(started, "manage", "y")

    assert SETTING_UP in done.stdout
    assert "['y']" in done.stdout
    assert not (started / ".venv.new").exists()
    assert not (started / ".venv" / "rubbish").exists()


def test_makes_the_environment_and_hands_on_arguments_and_exit_code(started_once) -> None:
    folder, done = started_once
    assert SETTING_UP in done.stdout
    assert f"{folder / '.venv'} ['hello', '--world']" in done.stdout
    assert done.returncode == 3


@pytest.mark.parametrize("harm", ["python", "everything"])
def test_interrupted_or_broken_environment_recovers(started: Path, harm: str) -> None:
    venv = started / ".venv"
    if harm == "python":
        for path in (venv / "bin").glob("python*"):
            path.unlink()
    else:
        shutil.rmtree(venv)
        venv.mkdir()
        (venv / "rubbish").write_text("half of it")

    done = start(started, "manage", "again")

    assert "['again']" in done.stdout
    assert SETTING_UP not in start(started, "manage", "x").stdout


def test_package_that_cannot_be_had_is_said_plainly(copy: Path) -> None:
    (copy / "requirements" / "base.txt").write_text(LOCK_OF_NOTHING)

    done = start(copy, "manage", "x", **OFFLINE, KRRU_WHEELS=str(copy))

    assert "Die Einrichtung ist nicht gelungen" in done.stderr
    assert done.returncode == 1
    assert not (copy / ".venv" / ".installed-base").exists()


def test_a_failed_upgrade_leaves_the_environment_as_it_was(started: Path) -> None:
    """Without internet, a lock that names another version: the old program starts as before."""
    lock = started / "requirements" / "base.txt"
    before = lock.read_text()
    inside = sorted(path.name for path in (started / ".venv").rglob("*"))
    lock.write_text(LOCK_OF_NOTHING)

    failed = start(started, "manage", "x", **OFFLINE)

    assert failed.returncode == 1
    assert "Die bisherige Umgebung ist unversehrt" in failed.stderr
    assert not (started / ".venv.new").exists()
    assert sorted(path.name for path in (started / ".venv").rglob("*")) == inside
    lock.write_text(before)
    back = start(started, "manage", "again", PATH="/nowhere")
    assert SETTING_UP not in back.stdout
    assert "['again']" in back.stdout


def test_a_new_lock_of_packages_that_are_there_starts_with_the_old_ones(started: Path) -> None:
    lock = started / "requirements" / "base.txt"
    lock.write_text(f"pip==99.0 \\\n    --hash=sha256:{'0' * 64}\n")

    done = start(started, "manage", "still", KRRU_NO_UV="1")

    assert "Es geht mit den bisherigen weiter" in done.stderr
    assert "['still']" in done.stdout
    lock.write_text("# they can be had now\n")
    assert SETTING_UP in start(started, "manage", "x", KRRU_NO_UV="1").stdout, "it is tried again"


def test_an_optional_package_that_cannot_be_had_does_not_stop_the_start(copy: Path) -> None:
    names = ("brotli", "psycopg-binary")
    lock = "".join(LOCK_OF_NOTHING.replace("no-such-thing", name) for name in names)
    (copy / "requirements" / "base.txt").write_text(lock)

    done = start(copy, "manage", "x", **OFFLINE, KRRU_WHEELS=str(copy))

    assert "ohne Sprachausgabe, PostgreSQL und Brotli" in done.stderr
    assert "['x']" in done.stdout


def test_the_folder_may_be_moved_and_a_swap_killed_half_way_goes_on(started: Path) -> None:
    pip = (started / ".venv" / "bin" / "pip").read_text()
    assert re.match(r"#!\S+/\.venv/bin/python", pip)
    moved = started.parent / "anderswo mit ä"
    started.rename(moved)
    assert "['here']" in start(moved, "manage", "here", PATH="/nowhere").stdout
    (moved / ".venv").rename(moved / ".venv.old")

    done = start(moved, "manage", "again", PATH="/nowhere")

    assert SETTING_UP not in done.stdout
    assert "['again']" in done.stdout
    assert not (moved / ".venv.old").exists()


def test_missing_venv_module_is_said_plainly(copy: Path) -> None:
    without = (
        "import importlib.util, runpy, sys\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name: None if name == 'ensurepip' else find(name)\n"
        "sys.argv = ['start.py']\n"
        "runpy.run_path('start.py', run_name='__main__')\n"
    )
    done = ran(sys.executable, "-c", without, cwd=copy, env={**os.environ, "KRRU_NO_UV": "1"})

    assert "apt install python3-venv" in done.stderr
    assert done.returncode == 1


def test_a_backup_is_made_by_its_own_name_and_what_is_unknown_is_answered_in_german(
    started: Path,
) -> None:
    assert "['backup', '--quiet']" in start(started, "backup", "--quiet").stdout
    done = start(started, "sichern")
    assert done.returncode == 1
    assert "„sichern“ kenne ich nicht" in done.stderr
    assert "python3 start.py backup            jetzt sichern" in done.stderr
    assert "bench NAME" in done.stderr
    assert done.stderr.split("\n\n")[1] in start(started, "--help").stdout


def test_old_pythons_get_as_far_as_the_sentence_about_them_and_it_needs_nothing_else() -> None:
    source = (BASE_DIR / "start.py").read_text(encoding="utf-8")

    ast.parse(source, feature_version=(3, 7))
    assert source.index("sys.version_info") < source.index("import hashlib")
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else alias.name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {name.split(".")[0] for name in imported if name} <= sys.stdlib_module_names


RAW = (BASE_DIR / "start.bat").read_bytes()
LINES = RAW.decode("latin-1").split("\r\n")
BUILT_IN = {"echo", "rem", "setlocal", "set", "if", "goto", "pause", "exit"}
# Of a line that is only said, every character of these would mean something else.
MEANT = set("<>|&^%()")


def test_windows_reads_it_and_it_calls_only_what_windows_has_and_python() -> None:
    assert RAW.isascii(), "the console's code page is not ours"
    assert RAW.endswith(b"\r\n")
    assert RAW.count(b"\n") == RAW.count(b"\r\n") == RAW.count(b"\r")
    assert LINES[0] == "@echo off"
    commands = [line.split()[0].lstrip("@").lower() for line in LINES if line and line[0] != ":"]
    assert {name for name in commands if not name.startswith("%krru_python%")} <= BUILT_IN
    assert not [line for line in LINES if line.startswith("echo ") and MEANT & set(line)]
    # By its own folder: a path among the arguments is meant from where one stands.
    assert not [line for line in LINES if line.startswith(("cd ", "chdir ", "pushd "))]
    text = "\n".join(LINES)
    labels = set(re.findall(r"^:(\w+)$", text, re.MULTILINE))
    assert set(re.findall(r"goto (\w+)", text)) == labels


def test_the_launcher_is_tried_before_python_and_everything_is_handed_on() -> None:
    launcher, python = LINES.index("set KRRU_PYTHON=py -3"), LINES.index("set KRRU_PYTHON=python")
    missing = next(n for n, line in enumerate(LINES) if "braucht Python 3.11 oder neuer" in line)
    start = LINES.index(":start")

    assert launcher < python < missing
    for tried in (launcher, python):
        # That the name is found says nothing: the Store has a placeholder of it.
        assert LINES[tried + 1] == '%KRRU_PYTHON% -c "import venv" >nul 2>nul'
        assert LINES[tried + 2] == "if not errorlevel 1 goto start"
    said = LINES[missing : LINES.index("pause", missing)]
    assert "python.org" in " ".join(said)
    assert LINES[missing + len(said) :][:2] == ["pause", "exit /b 1"]
    assert LINES[start + 1 :] == [
        '%KRRU_PYTHON% "%~dp0start.py" %*',
        "set KRRU_CODE=%errorlevel%",
        'if not "%KRRU_CODE%"=="0" pause',
        "exit /b %KRRU_CODE%",
        "",
    ]
