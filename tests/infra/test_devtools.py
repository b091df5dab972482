"""The test run's own promises: nothing that ran nothing passes, and what it starts is ended."""

from pathlib import Path

import psycopg
import pytest

from krru.data.folder import BASE_DIR
from krru.devtools.postgres import Postgres
from krru.devtools.testing import AT_WORK, Run
from krru.devtools.valkey import valkey

SOME_TESTS = """
def test_one(): pass
def test_another(): pass
"""
# pytest alone: what this project adds to it takes seconds to load.
ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


@pytest.fixture
def quick(tmp_path: Path) -> tuple[str, ...]:
    """Return a step that runs two tests in no time."""
    (tmp_path / "test_some.py").write_text(SOME_TESTS)
    return "pytest", "-q", "-c", "/dev/null", "--rootdir", str(tmp_path), str(tmp_path)


def run_of(*arguments: str) -> Run:
    run = Run([*arguments])
    run.env |= ALONE
    return run


def test_step_that_ran_nothing_fails_the_run(capfd, quick) -> None:
    run = run_of()
    run.step("one", *quick)
    run.step("two", *quick, "-k", "no_such_test")

    assert run.finish() == 1
    assert "failed" in capfd.readouterr().out


@pytest.mark.parametrize(("second", "code"), [("test_another", 0), ("no_such_test", 1)])
def test_choice_of_tests_must_find_some_somewhere(capfd, quick, second, code) -> None:
    run = run_of("-k", "something")
    run.step("one", *quick, "-k", "no_such_test")
    run.step("two", *quick, "-k", second)

    assert run.finish() == code


def test_skipped_step_fails_only_where_it_must(capfd, quick) -> None:
    for fails in (False, True):
        run = run_of()
        run.step("one", *quick)
        run.skip("browser", "no browser", fails=fails)
        assert run.finish() == int(fails)


def test_what_is_chosen_at_work_is_there_and_quick_is_no_word_for_pytest() -> None:
    run = Run(["--quick", "--long"])
    assert (run.is_quick, run.arguments, run.chosen) == (True, ["--long"], [])
    assert all(any(BASE_DIR.glob(one)) for one in AT_WORK)


@pytest.mark.parametrize(("program", "code"), [("good", 0), ("bad", 1)])
def test_step_beside_is_waited_for_shown_and_counted(capfd, quick, program, code) -> None:
    run = run_of()
    source = f"import time; time.sleep(0.2); print('{program} at last'); raise SystemExit({code})"
    run.step_beside("beside", "python", "-c", source, env={})
    run.step("one", *quick)
    assert [outcome.name for outcome in run.outcomes] == ["one"]

    assert run.finish() == code
    assert f"{program} at last" in capfd.readouterr().out
    assert [outcome.is_bad for outcome in run.outcomes] == [False, bool(code)]


def test_step_beside_is_ended_with_the_run() -> None:
    run = Run([])
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


def test_valkey_answers_while_it_is_wanted() -> None:
    import redis

    with valkey() as url, redis.Redis.from_url(url) as client:
        assert client.ping()
    with redis.Redis.from_url(url) as client, pytest.raises(redis.ConnectionError):
        client.ping()
