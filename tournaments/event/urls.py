"""URLs of `event`."""

from django.urls import URLPattern, path

from tournaments.event.views import clock, events, schedule, settings

_DIRECTOR = "t/<slug:slug>/leitung/"
_CLOCK = f"{_DIRECTOR}uhr/"
_EVENT = "t/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path(f"{_DIRECTOR}zaehlen/", clock.count, name="count-change"),
    path(f"{_CLOCK}start/", clock.start, name="clock-start"),
    path(f"{_CLOCK}pause/", clock.pause, name="clock-pause"),
    path(f"{_CLOCK}weiter/", clock.next_level, name="clock-next"),
    path(f"{_CLOCK}zurueck/", clock.previous_level, name="clock-previous"),
    path(f"{_CLOCK}stellen/", clock.adjust, name="clock-adjust"),
    path(f"{_CLOCK}auf/", clock.put, name="clock-set"),
    path(f"{_CLOCK}vor-dem-ausfall/", clock.put_back, name="clock-back"),
    path(f"{_CLOCK}uhr-des-rechners/", clock.computer_time, name="computer-time"),
    path(f"{_CLOCK}pause-jetzt/", clock.break_now, name="clock-break"),
    path(f"{_CLOCK}berichtigen/", clock.correct_level, name="level-correct"),
    path(f"{_CLOCK}springen/", clock.jump, name="clock-jump"),
    path(f"{_CLOCK}letzte-haende/", clock.last_hands, name="clock-last-hands"),
    path(f"{_CLOCK}hand/", clock.hand, name="clock-hand"),
    path(f"{_CLOCK}aufruf/", clock.call_start, name="clock-call-start"),
    path(f"{_CLOCK}zaehltisch/", clock.counting_table, name="clock-counting-table"),
    path(f"{_CLOCK}pausenende/", clock.break_stop, name="clock-break-stop"),
    path(f"{_CLOCK}planstart/", clock.plan_start, name="clock-plan-start"),
    path("neu/", events.new_event, name="new-event"),
    path(f"{_EVENT}kopieren/", events.copy, name="event-copy"),
    path(f"{_EVENT}einstellungen/", settings.settings, name="event-settings"),
    path(f"{_EVENT}blindplan/", schedule.schedule, name="event-schedule"),
    path(f"{_EVENT}blindplan/stufen/", schedule.edit, name="schedule-edit"),
    path(f"{_EVENT}blindplan/spiele/", schedule.mix, name="schedule-mix"),
    path(f"{_EVENT}blindplan/tempo/", schedule.pace, name="schedule-pace"),
    path(f"{_EVENT}blindplan/behalten/", schedule.save, name="event-schedule-save"),
    path(f"{_EVENT}chips/", schedule.chips, name="event-chips"),
    path(f"{_EVENT}chips/blatt/", schedule.sheet, name="paper-chips"),
    path(f"{_EVENT}chips/waehlen/", schedule.choose, name="event-chips-choose"),
    path(f"{_EVENT}chips/plan/", schedule.plan, name="event-chips-plan"),
    path(f"{_EVENT}absagen/", events.cancel, name="event-cancel"),
    path(f"{_EVENT}beenden/", events.end, name="event-end"),
]
