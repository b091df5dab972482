"""start.bat, which no test can run here: read line by line, as the command processor would."""

import re

from krru.data.folder import BASE_DIR

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
