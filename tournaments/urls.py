"""The addresses of all areas, put together."""

from importlib import import_module

from django.urls import register_converter
from django.urls.converters import IntConverter


class Number(IntConverter):
    """A number in an address: with more digits it is none, because no database counts so far."""

    regex = "[0-9]{1,18}"


register_converter(Number, "num")

# Most requests are for the first areas, and each looks at one address after the other.
AREAS = (
    "public",
    "api",
    "dashboard",
    "practice",
    "screens",
    "log",
    "undo",
    "privacy",
    "seasons",
    "notices",
    "imports",
    "contests",
    "papers",
    "payouts",
    "cashgame",
    "rulings",
    "forecast",
    "play",
    "rebuys",
    "door",
    "money",
    "seating",
    "club",
    "rules",
    "event",
    "post",
)

urlpatterns = [
    address for area in AREAS for address in import_module(f"tournaments.{area}.urls").urlpatterns
]
