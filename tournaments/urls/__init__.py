"""The addresses of the tournaments package, by audience."""

from tournaments.urls import (
    api,
    contact,
    desk,
    director,
    events,
    floor,
    people,
    public,
    screens,
    staff,
)

urlpatterns = [
    *public.urlpatterns,
    *staff.urlpatterns,
    *screens.urlpatterns,
    *desk.urlpatterns,
    *floor.urlpatterns,
    *director.urlpatterns,
    *events.urlpatterns,
    *api.urlpatterns,
    *contact.urlpatterns,
    *people.urlpatterns,
]
