"""The URLs of the whole program, from all packages."""

from django.urls import include, path

from krru.observing import health

urlpatterns = [
    path("sprache/", include("django.conf.urls.i18n")),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("metrics", health.metrics_page, name="metrics"),
    path("", include("tournaments.urls")),
]

handler500 = "krru.observing.errors.server_error"
