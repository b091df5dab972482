"""URLs of `api`."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.api import app

_API = "api/v1/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(f"{_API}docs/", app.docs, name="api-docs"),
    path(f"{_API}docs/<str:name>", app.docs_file, name="api-docs-file"),
    path(f"{_API}openapi.json", app.description, name="api-openapi"),
    path(_API, include(app.interface.patterns())),
    path(_API, app.nowhere, name="api-root"),
    path(f"{_API}<path:path>", app.nowhere, name="api-nowhere"),
]
