"""Addresses of `play`."""

from django.urls import URLPattern, path

from tournaments.play.views import (
    bubble,
    calls,
    chip_races,
    conduct,
    disqualifications,
    eliminations,
    floor,
    hands,
    past_level,
    places,
    rebuy_chances,
    stacks,
    summons,
)

_DIRECTOR = "t/<slug:slug>/leitung/"
_EVENT = "t/<slug:slug>/"
_TABLES = "t/<slug:slug>/tische/"

urlpatterns: list[URLPattern] = [
    path(f"{_DIRECTOR}hand-fuer-hand/", bubble.begin, name="hand-for-hand-begin"),
    path(f"{_DIRECTOR}hand-fuer-hand/frei/", bubble.release, name="round-release"),
    path(f"{_DIRECTOR}hand-fuer-hand/ende/", bubble.end, name="hand-for-hand-end"),
    path(f"{_DIRECTOR}im-geld/", bubble.money, name="money-reach"),
    path(
        f"{_DIRECTOR}disqualifikation/<int:entry>/", disqualifications.disqualify, name="disqualify"
    ),
    path(f"{_DIRECTOR}rang/<int:entry>/", places.overrule, name="place-overrule"),
    path(f"{_DIRECTOR}stapel/<int:entry>/", disqualifications.count_stack, name="dq-count"),
    path(f"{_EVENT}blindplan/zeitpunkt/", past_level.at, name="clock-at"),
    path(_TABLES, floor.tables, name="floor"),
    path(f"{_TABLES}liste/", floor.table_list, name="floor-tables"),
    path(f"{_TABLES}suche/", floor.find, name="floor-find"),
    path(f"{_TABLES}aus/", eliminations.out_many, name="floor-out-many"),
    path(f"{_TABLES}spieler/<int:entry>/", floor.player, name="floor-player"),
    path(f"{_TABLES}spieler/<int:entry>/aus/", eliminations.out, name="floor-out"),
    path(f"{_TABLES}spieler/<int:entry>/kein-rebuy/", rebuy_chances.decline, name="rebuy-decline"),
    path(f"{_TABLES}<int:number>/", floor.table, name="floor-table"),
    path(f"{_TABLES}<int:number>/stand/", floor.table_panel, name="floor-table-panel"),
    path(f"{_TABLES}<int:number>/mehrere/", eliminations.many, name="floor-many"),
    path(f"{_TABLES}geber/", floor.dealers, name="floor-dealers"),
    path(f"{_TABLES}<int:number>/geber/", floor.dealer, name="floor-dealer"),
    path(f"{_TABLES}chip-race/", chip_races.races, name="chip-races"),
    path(f"{_TABLES}<int:number>/chip-race/", chip_races.race, name="floor-race"),
    path(f"{_TABLES}zaehlen/", stacks.counts, name="stack-counts"),
    path(f"{_TABLES}<int:number>/zaehlen/", stacks.count, name="stack-count"),
    path(f"{_TABLES}<int:number>/karten/", floor.cards, name="floor-cards"),
    path(f"{_TABLES}<int:number>/hand/", hands.begin, name="floor-hand"),
    path(f"{_TABLES}<int:number>/button/", hands.button, name="floor-button"),
    path(f"{_TABLES}<int:number>/button/setzen/", hands.mark, name="floor-button-mark"),
    path(f"{_TABLES}spieler/<int:entry>/uhr/", calls.start, name="floor-call-start"),
    path(f"{_TABLES}uhr/<int:call>/", calls.count, name="floor-call"),
    path(f"{_TABLES}uhr/<int:call>/gehandelt/", calls.stop, name="floor-call-stop"),
    path(f"{_TABLES}uhr/<int:call>/abgelaufen/", calls.run_out, name="floor-call-over"),
    path(f"{_TABLES}<int:number>/nacheinander/", eliminations.order, name="floor-order"),
    path(f"{_TABLES}ausgeschieden/", eliminations.outs, name="floor-outs"),
    path(f"{_TABLES}ausgeschieden/gegen/", eliminations.knockout, name="floor-knockout"),
    path(f"{_TABLES}ausgeschieden/berichtigen/", eliminations.correct, name="floor-out-correct"),
    path(f"{_TABLES}spieler/<int:entry>/weg/", conduct.leave, name="floor-leave"),
    path(f"{_TABLES}spieler/<int:entry>/zurueck/", conduct.back, name="floor-return"),
    path(f"{_TABLES}spieler/<int:entry>/strafe/", conduct.penalty, name="floor-penalty"),
    path(f"{_TABLES}strafe/<int:penalty>/abgesessen/", conduct.serve, name="floor-penalty-serve"),
    path(f"{_TABLES}platz/<int:seating>/angekommen/", conduct.arrived, name="floor-arrived"),
    path(f"{_TABLES}platz/<int:seating>/stapel/", conduct.stack, name="floor-stack"),
    path(f"{_TABLES}<int:number>/alle-da/", conduct.all_arrived, name="floor-all-arrived"),
    path(f"{_TABLES}<int:number>/ruf/", summons.call, name="floor-summon"),
    path(f"{_TABLES}<int:number>/ruf/kommt/", summons.come, name="floor-summons-come"),
    path(f"{_TABLES}<int:number>/ruf/erledigt/", summons.settle, name="floor-summons-settle"),
    path(f"{_TABLES}<int:number>/bubble/", bubble.floor_panel, name="floor-hand-for-hand"),
    path(f"{_TABLES}<int:number>/fertig/", bubble.reported, name="floor-reported"),
    path(f"{_TABLES}<int:number>/koepfe/", bubble.heads, name="floor-heads"),
    path(f"{_TABLES}<int:number>/stufe/", hands.in_force, name="floor-in-force"),
]
