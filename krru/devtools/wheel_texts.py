"""The wheel's translations, compiled when it is built: its folder may be read-only later."""

import tempfile
from pathlib import Path
from typing import Any

import polib
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelTexts(BuildHookInterface[Any]):
    """Adds each catalogue of the checkout to the wheel, compiled."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues into a folder of their own and name them for the wheel."""
        made = Path(tempfile.mkdtemp(prefix="krru-texts-"))
        for source in sorted(Path(self.root, "locale").glob("*/LC_MESSAGES/*.po")):
            language = source.parts[-3]
            target = made / f"{language}.mo"
            polib.pofile(str(source)).save_as_mofile(str(target))
            place = f"krru/resources/locale/{language}/LC_MESSAGES/{source.stem}.mo"
            build_data["force_include"][str(target)] = place
