"""The addresses of the whole program, put together from the packages' own."""

from django.urls import include, path

urlpatterns = [
    path("sprache/", include("django.conf.urls.i18n")),
    path("", include("tournaments.urls")),
]
