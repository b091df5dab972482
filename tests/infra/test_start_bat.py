"""start.bat, which no test can run here: read line by line, as the command processor would."""

import re

from krru.data.folder import BASE_DIR

RAW = (BASE_DIR / "start.bat").read_bytes()
LINES = RAW.decode("latin-1").split("\r\n")
BUILT_IN = {"echo", "rem", "setlocal", "set", "if", "goto", "pause", "exit"}
# Of a line that is only said, every character of these would mean something else.
MEANT = set("<>|&^%()")


def position_of(pattern: str, after: int = 0) -> int:
    """Return which line after another one is this."""
    return next(n for n, line in enumerate(LINES) if n >= after and re.fullmatch(pattern, line))


def test_windows_reads_it() -> None:
    assert RAW.isascii(), "the console's code page is not ours"
    assert RAW.endswith(b"\r\n")
    assert RAW.count(b"\n") == RAW.count(b"\r\n") == RAW.count(b"\r")
    assert LINES[0] == "@echo off"


def test_it_calls_only_what_windows_has_and_python() -> None:
    commands = [line.split()[0].lstrip("@").lower() for line in LINES if line and line[0] != ":"]

    assert {name for name in commands if not name.startswith("%krru_python%")} <= BUILT_IN
    for line in LINES:
        if line.startswith("echo "):
            assert not MEANT & set(line), line


def test_the_launcher_is_tried_before_python_and_neither_is_said() -> None:
    launcher, python = position_of("set KRRU_PYTHON=py -3"), position_of("set KRRU_PYTHON=python")
    missing = position_of("echo KRRU braucht Python 3.11 oder neuer.*")

    assert launcher < python < missing
    for tried in (launcher, python):
        # That the name is found says nothing: the Store has a placeholder of it.
        assert LINES[tried + 1] == '%KRRU_PYTHON% -c "import venv" >nul 2>nul'
        assert LINES[tried + 2] == "if not errorlevel 1 goto start"
    said = LINES[missing : position_of("pause", missing)]
    assert "python.org" in " ".join(said)
    assert LINES[missing + len(said) :][:2] == ["pause", "exit /b 1"]


def test_everything_is_handed_on_and_its_end_is_ours() -> None:
    start = position_of(":start")

    assert (BASE_DIR / "start.py").exists()
    # By its own folder: a path among the arguments is meant from where one stands.
    assert not [line for line in LINES if line.startswith(("cd ", "chdir ", "pushd "))]
    assert LINES[start + 1 :] == [
        '%KRRU_PYTHON% "%~dp0start.py" %*',
        "set KRRU_CODE=%errorlevel%",
        'if not "%KRRU_CODE%"=="0" pause',
        "exit /b %KRRU_CODE%",
        "",
    ]


def test_every_jump_has_its_label() -> None:
    text = "\n".join(LINES)
    wanted = set(re.findall(r"goto (\w+)", text))

    assert wanted == set(re.findall(r"^:(\w+)$", text, re.MULTILINE))
