"""Calling a service as tests like to: with one bag of arguments, of which some make its command."""

from typing import Any

from tournaments.changes.commands import ClubCommand, Command
from tournaments.models import Action

OF_EVENT = ("event", "by", "at", "key", "recorded_at", "seen")
OF_CLUB = ("club", "by", "at", "key")


def call_service(service: Any, /, **given: Any) -> Action:
    """Call a service with its command made of what belongs to it, and the rest as arguments."""
    kind, names = (ClubCommand, OF_CLUB) if "club" in given else (Command, OF_EVENT)
    own = {name: given.pop(name) for name in names if name in given}
    return service(kind(**own), **given)
