"""The addresses of the big screen."""

from django.urls import path

from clock import views

urlpatterns = [
    path("t/<slug:slug>/screen/", views.screen, name="screen"),
    path("t/<slug:slug>/screen/state.json", views.screen_state, name="screen-state"),
]
