"""A folder is taken in at a glance: where it grows, a part of it becomes a folder of its own."""

from collections import Counter

from krru.data.folder import BASE_DIR

MOST = 20
PACKAGES = ("tournaments", "clock", "krru")


def modules_by_folder():
    paths = (path for name in PACKAGES for path in (BASE_DIR / name).rglob("*.py"))
    modules = (path.relative_to(BASE_DIR) for path in paths if path.name != "__init__.py")
    return Counter(path.parent.as_posix() for path in modules)


def test_no_folder_holds_more_modules_than_one_can_take_in():
    found = modules_by_folder()
    assert all(found[folder] > 5 for folder in ("tournaments/event/selectors", "clock", "krru/web"))
    assert {folder: count for folder, count in found.items() if count > MOST} == {}


def test_every_folder_of_modules_is_a_package():
    """Without `__init__.py` the services in it would not be loaded, and their kinds be unknown."""
    missing = [one for one in modules_by_folder() if not (BASE_DIR / one / "__init__.py").exists()]
    assert missing == []
