"""URLs of `privacy`."""

from django.urls import URLPattern, path

from tournaments.privacy.views import privacy

_OWN = "p/<str:token>/"

urlpatterns: list[URLPattern] = [
    path("datenschutz/", privacy.kept, name="privacy"),
    path("verein/datenschutz/", privacy.privacy_settings, name="privacy-settings"),
    path(f"{_OWN}daten/", privacy.own_data, name="own-data"),
    path(f"{_OWN}daten.json", privacy.own_data_json, name="own-data-json"),
    path(f"{_OWN}daten/loeschen/", privacy.own_data_erase, name="own-data-erase"),
]
