"""The addresses of the tournaments package, by audience."""

from tournaments.urls import desk, director, events, floor, public, screens, staff

urlpatterns = [
    *public.urlpatterns,
    *staff.urlpatterns,
    *screens.urlpatterns,
    *desk.urlpatterns,
    *floor.urlpatterns,
    *director.urlpatterns,
    *events.urlpatterns,
]
