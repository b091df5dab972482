"""URLs of `screens`."""

from django.urls import URLPattern, path

from tournaments.screens.views import big_screen, screens

_ANY = "leinwand/"
_SCREENS = "t/<slug:slug>/leinwaende/"
_OWN = f"{_SCREENS}eigene/"

urlpatterns: list[URLPattern] = [
    path(_ANY, big_screen.screen_any, name="screen-any"),
    path(f"{_ANY}meldung/", big_screen.report, name="screen-report"),
    path(f"{_ANY}saal.json", big_screen.hall, name="screen-hall"),
    path("lobby/", big_screen.lobby, name="lobby"),
    path("lobby/stand.json", big_screen.lobby_state, name="lobby-state"),
    path(_SCREENS, screens.screens, name="screens"),
    path(f"{_SCREENS}liste/", screens.screen_list, name="screens-list"),
    path(f"{_SCREENS}code/", screens.claim, name="screen-claim"),
    path(f"{_SCREENS}hier/", big_screen.open_here, name="screen-open"),
    path(f"{_SCREENS}<num:screen>/", screens.change, name="screen-change"),
    path(f"{_SCREENS}<num:screen>/abgeben/", screens.retire, name="screen-retire"),
    path(f"{_SCREENS}ruecknahme/<num:screen_action>/", screens.undo, name="screen-undo"),
    path(_OWN, screens.own_page, name="own-face"),
    path(f"{_OWN}bild/", screens.own_preview, name="own-face-preview"),
    path(f"{_OWN}zahlen/", screens.own_arrange, name="own-face-arrange"),
    path(f"{_OWN}seite/", screens.slide_ask, name="slide-add"),
    path(f"{_OWN}<num:slide>/weg/", screens.slide_gone, name="slide-remove"),
    path(f"{_OWN}<num:slide>/frueher/", screens.slide_earlier, name="slide-move"),
    path(f"{_OWN}ruecknahme/<num:face_action>/", screens.own_undo, name="own-face-undo"),
    path("leinwand/bild/<slug:digest>/", screens.slide_picture, name="slide-file"),
    path("t/<slug:slug>/screen/", big_screen.screen, name="screen"),
    path("t/<slug:slug>/screen/state.json", big_screen.screen_state, name="screen-state"),
    path("t/<slug:slug>/screen/cash.json", big_screen.screen_cash, name="screen-cash"),
    path(
        "t/<slug:slug>/screen/toene/<str:language>.json",
        big_screen.screen_sounds,
        name="screen-sounds",
    ),
    path("stimme/<str:language>/<str:signed>.wav", big_screen.speech, name="speech"),
    path("signal/<str:name>.wav", big_screen.signal, name="signal"),
]
