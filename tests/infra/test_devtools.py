"""The test run's own promises: nothing that ran nothing passes, and what it starts is ended."""

from pathlib import Path

import psycopg
import pytest

from krru.devtools.postgres import Postgres
from krru.devtools.testing import Run

OK = ("python", "-c", "pass")


def run_of(*arguments: str) -> Run:
    run = Run([*arguments])
    # pytest alone: what this project adds to it takes seconds to load.
    run.env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return run


def test_step_that_ran_nothing_fails_the_run_unless_tests_are_chosen(capfd, tmp_path) -> None:
    """Of a choice of tests some must be found somewhere."""
    nothing = ("pytest", "-q", "-c", "/dev/null", "--rootdir", str(tmp_path), str(tmp_path))
    for chosen, steps, code in (
        ((), (OK, nothing), 1),
        (("-k", "something"), (nothing, OK), 0),
        (("-k", "something"), (nothing,), 1),
    ):
        run = run_of(*chosen)
        for number, step in enumerate(steps):
            run.step(str(number), *step)
        assert run.finish() == code
    assert "Nothing ran." in capfd.readouterr().out


def test_skipped_step_fails_only_where_it_must(capfd) -> None:
    for fails in (False, True):
        run = run_of()
        run.step("one", *OK)
        run.skip("browser", "no browser", fails=fails)
        assert run.finish() == int(fails)


@pytest.mark.parametrize(("program", "code"), [("good", 0), ("bad", 1)])
def test_step_beside_is_waited_for_shown_and_counted(capfd, program, code) -> None:
    run = run_of()
    source = f"import time; time.sleep(0.2); print('{program} at last'); raise SystemExit({code})"
    run.step_beside("beside", "python", "-c", source, env={})
    run.step("one", *OK)
    assert [outcome.name for outcome in run.outcomes] == ["one"]

    assert run.finish() == code
    assert f"{program} at last" in capfd.readouterr().out
    assert [outcome.is_bad for outcome in run.outcomes] == [False, bool(code)]


def test_step_beside_is_ended_with_the_run() -> None:
    run = run_of()
    run.step_beside("beside", "python", "-c", "import time; time.sleep(600)", env={})
    run.end()
    (one,) = run.beside
    one.output.close()
    assert one.process.returncode != 0


def test_postgresql_is_ours_alone_and_leaves_nothing() -> None:
    with Postgres() as server:
        with psycopg.connect(server.url) as database:
            (folder,) = database.execute("SHOW data_directory").fetchone()
        assert Path(folder).stat().st_uid != 0
        assert Path(folder).stat().st_mode & 0o077 == 0

    assert not Path(folder).parent.exists()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(server.url, connect_timeout=2)
