"""URLs of `club`."""

from django.urls import URLPattern, path

from tournaments.club.views import club, signin, staff

PRESET, SCHEDULE, CHIPS = {"what": "preset"}, {"what": "schedule"}, {"what": "chip_set"}
urlpatterns: list[URLPattern] = [
    path("verein/", club.settings, name="club-settings"),
    path("verein/sicherung/", club.backup, name="backup-now"),
    path("verein/sicherung/kennwort/", club.save, {"part": "passphrase"}, name="backup-passphrase"),
    path("verein/sicherung/ohne/", club.passphrase_end, name="backup-passphrase-end"),
    path("verein/regeln/<slug:preset>/name/", club.rename, PRESET, name="preset-rename"),
    path("verein/regeln/<slug:preset>/loeschen/", club.delete, PRESET, name="preset-delete"),
    path("verein/blindplan/einlesen/", club.from_file, name="schedule-import"),
    path("verein/blindplan/<num:plan>/datei/", club.as_file, name="schedule-file"),
    path("verein/blindplan/<num:plan>/name/", club.rename, SCHEDULE, name="own-schedule-rename"),
    path(
        "verein/blindplan/<num:plan>/loeschen/", club.delete, SCHEDULE, name="own-schedule-delete"
    ),
    path("verein/chips/neu/", club.chip_set, name="chip-set-new"),
    path("verein/chips/<num:chips>/", club.chip_set, name="chip-set"),
    path("verein/chips/<num:chips>/loeschen/", club.delete, CHIPS, name="chip-set-delete"),
    path("verein/saal/", club.hall, name="club-hall"),
    path("verein/angaben/", club.save, {"part": "about"}, name="club-about"),
    path("verein/farbe/", club.save, {"part": "colour"}, name="club-colour"),
    path("verein/farbe/<slug:digest>.css", club.style_file, name="club-style"),
    path("verein/logo/", club.save, {"part": "logo"}, name="club-logo-set"),
    path("verein/logo/entfernen/", club.logo_remove, name="club-logo-remove"),
    path("verein/logo/<slug:digest>/", club.logo_file, name="club-logo"),
    path("in/", signin.sign_in_code, name="sign-in-code"),
    path("in/<str:token>/", signin.sign_in, name="sign-in"),
    path("abmelden/", signin.sign_out, name="sign-out"),
    path("t/<slug:slug>/geraete/", staff.devices, name="staff"),
    path("t/<slug:slug>/geraete/liste/", staff.device_list, name="staff-devices"),
    path("t/<slug:slug>/geraete/zugang/", staff.link_new, name="staff-link"),
    path("t/<slug:slug>/geraete/skript/", staff.token_new, name="staff-token"),
    path("t/<slug:slug>/geraete/<num:device>/abmelden/", staff.revoke, name="staff-revoke"),
]
