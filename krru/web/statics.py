"""Static files: bundled, hashed and compressed."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from krru.web.bundles import SCRIPTS, STYLES, bundled


class Storage(CompressedManifestStaticFilesStorage):
    """Collect as WhiteNoise does, and bundle our scripts and styles first."""

    has_bundles = True

    @cache  # noqa: B019
    def url(self, name: str, force: bool = False) -> str:
        """Return the address of a file; cached, as a page has a hundred icons."""
        return str(super().url(name, force))

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Hash and compress the collected files and their bundles."""
        if not options.get("dry_run"):
            # Read the sources: a collected file may be a bundle of the same name.
            def text_of(name: str) -> str:
                source, path = paths[name]
                with source.open(path) as file:
                    return str(file.read().decode())

            texts = {name: bundled(name, text_of) for name in (*SCRIPTS, *STYLES)}
            for name, text in texts.items():
                self.delete(name)
                self._save(name, ContentFile(text.encode()))
                paths[name] = (self, name)
        yield from super().post_process(paths, *args, **options)
