"""Compile the translations without the gettext programs and without Django."""

from krru.data.folder import RESOURCES


def compile_texts() -> int:
    """Compile the changed catalogues. Return their number."""
    count = 0
    for source in sorted(RESOURCES.glob("locale/*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        import polib  # noqa: PLC0415 - only needed when texts changed

        draft = target.with_suffix(".mo.part")
        polib.pofile(str(source)).save_as_mofile(str(draft))
        draft.replace(target)
        count += 1
    return count
