"""Addresses of messages, mail, and of what is kept of people."""

from django.urls import URLPattern, path

from tournaments.views import mailing, messages, privacy

_OWN = "p/<str:token>/"
_EVENT = "t/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path("datenschutz/", privacy.kept, name="privacy"),
    path("verein/datenschutz/", privacy.privacy_settings, name="privacy-settings"),
    path(f"{_OWN}daten/", privacy.own_data, name="own-data"),
    path(f"{_OWN}daten.json", privacy.own_data_json, name="own-data-json"),
    path(f"{_OWN}daten/loeschen/", privacy.own_data_erase, name="own-data-erase"),
    path(f"{_OWN}nachrichten/", messages.player_messages, name="player-messages"),
    path(f"{_OWN}gelesen/", messages.player_messages_read, name="player-messages-read"),
    path(f"{_EVENT}nachricht/", messages.message, name="message"),
    path(f"{_EVENT}nachricht/suche/", messages.message_find, name="message-find"),
    path(f"{_EVENT}anmeldung/mail/", mailing.desk_mail, name="desk-mail"),
    path(f"{_EVENT}anmeldung/mail/<int:mail>/", mailing.resend, name="mail-resend"),
    path(
        f"{_EVENT}anmeldung/<int:registration>/neuer-link/", mailing.renew_link, name="link-renew"
    ),
]
