"""The test run's own promise: nothing that ran nothing passes."""

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
