"""The Python files of the program, as they lie in the tree. Migrations and tests are not of it."""

from krru.data.folder import BASE_DIR

PACKAGES = ("tournaments", "clock", "krru")


def python_sources():
    """Yield the path and the text of each."""
    paths = [BASE_DIR / "manage.py", BASE_DIR / "start.py"]
    for folder in (*PACKAGES, "bench"):
        paths += sorted((BASE_DIR / folder).rglob("*.py"))
    for path in paths:
        if "migrations" not in path.parts:
            yield path.relative_to(BASE_DIR).as_posix(), path.read_text("utf-8")
