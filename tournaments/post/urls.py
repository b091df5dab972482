"""URLs of `post`."""

from django.urls import URLPattern, path

from tournaments.post.views import messages

_OWN = "p/<str:token>/"
_EVENT = "t/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path(f"{_OWN}nachrichten/", messages.player_messages, name="player-messages"),
    path(f"{_OWN}gelesen/", messages.player_messages_read, name="player-messages-read"),
    path(f"{_EVENT}nachricht/", messages.message, name="message"),
    path(f"{_EVENT}nachricht/suche/", messages.message_find, name="message-find"),
    path("t/<slug:slug>/durchsage/", messages.announce, name="announce"),
]
