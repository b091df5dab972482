"""The addresses of the big screen."""

from django.urls import path

from clock import views

urlpatterns = [
    path("t/<slug:slug>/screen/", views.screen, name="screen"),
    path("t/<slug:slug>/screen/state.json", views.screen_state, name="screen-state"),
    path(
        "t/<slug:slug>/screen/toene/<str:language>.json", views.screen_sounds, name="screen-sounds"
    ),
    path("stimme/<str:language>/<str:signed>.wav", views.speech, name="speech"),
    path("signal/<str:name>.wav", views.signal, name="signal"),
]
