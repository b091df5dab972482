"""Who may ask for which address, by which methods: a line for each."""

from dataclasses import dataclass, field

LEADS_CLUB = frozenset({"director"})
LEAD = LEADS_CLUB | {"director of the event"}
DESK = LEAD | {"desk"}
ARBITERS = LEAD | {"arbiter"}
STAFF = DESK | ARBITERS
STRANGERS = frozenset({"player or visitor", "revoked", "director elsewhere", "forged cookie"})
EVERYBODY = STAFF | STRANGERS

READ, ACT, FORM = frozenset({"GET"}), frozenset({"POST"}), frozenset({"GET", "POST"})


METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True)
class Line:
    """Who may ask, by which methods; `args` names values of the hall that differ from the usual."""

    who: frozenset[str]
    methods: frozenset[str] = READ
    args: dict[str, str] = field(default_factory=dict)
    ask: dict[str, str] = field(default_factory=dict)
    # What is not done by a staff page answers a stranger in its own way.
    is_ours: bool = True


LINES = {
    # Everybody
    "set_language": Line(EVERYBODY, METHODS, is_ours=False),
    "home": Line(EVERYBODY),
    "health": Line(EVERYBODY),
    "screen": Line(EVERYBODY),
    "screen-state": Line(EVERYBODY),
    "screen-sounds": Line(EVERYBODY),
    "speech": Line(EVERYBODY),
    "signal": Line(EVERYBODY, args={"name": "signal"}),
    "tournament": Line(EVERYBODY),
    "register": Line(EVERYBODY, FORM),
    "results": Line(EVERYBODY),
    "results-csv": Line(EVERYBODY),
    "results-json": Line(EVERYBODY),
    "draws": Line(EVERYBODY),
    # Whoever has the secret of the link
    "player": Line(EVERYBODY, args={"token": "player_token"}),
    "player-card": Line(EVERYBODY, args={"token": "player_token"}),
    "player-withdraw": Line(EVERYBODY, FORM, args={"token": "player_token"}),
    "sign-in": Line(EVERYBODY, FORM, args={"token": "link_token"}),
    "sign-out": Line(EVERYBODY, ACT),
    # A big screen itself, by its own cookie
    "screen-any": Line(EVERYBODY, FORM),
    "screen-report": Line(EVERYBODY, ACT, is_ours=False),
    "screen-hall": Line(EVERYBODY, is_ours=False),
    # The big screens, directed
    "screens": Line(LEAD),
    "screens-list": Line(LEAD),
    "screen-claim": Line(LEAD, ACT),
    "screen-change": Line(LEAD, FORM),
    "screen-retire": Line(LEAD, ACT),
    "screen-undo": Line(LEAD, ACT),
    # Staff devices
    "staff": Line(LEAD),
    "staff-devices": Line(LEAD),
    "staff-link": Line(LEAD, FORM, ask={"link": "link"}),
    "staff-revoke": Line(LEAD, ACT),
    # The desk
    "desk": Line(DESK),
    "desk-list": Line(DESK),
    "desk-register": Line(DESK, FORM),
    "desk-check-in": Line(DESK, FORM),
    "desk-correct": Line(DESK, FORM),
    "desk-withdraw": Line(DESK, ACT),
    "slips": Line(DESK),
    "slip": Line(DESK),
    "import": Line(DESK, FORM),
    "import-confirm": Line(DESK, ACT),
    # The floor
    "floor": Line(STAFF),
    "floor-tables": Line(STAFF),
    "floor-find": Line(STAFF),
    "floor-player": Line(STAFF),
    "floor-table": Line(STAFF),
    "floor-table-panel": Line(STAFF),
    "floor-cards": Line(STAFF),
    "floor-out": Line(ARBITERS, ACT),
    "floor-many": Line(ARBITERS),
    "floor-out-many": Line(ARBITERS, ACT),
    "announce": Line(ARBITERS, FORM),
    "floor-dealer": Line(ARBITERS, ACT),
    "floor-hand": Line(ARBITERS, ACT),
    "floor-call-start": Line(ARBITERS, ACT),
    "floor-call": Line(STAFF),
    "floor-call-stop": Line(ARBITERS, ACT),
    "floor-call-over": Line(ARBITERS, ACT),
    "floor-in-force": Line(STAFF),
    "action-undo": Line(STAFF, ACT),
    # The director
    "director": Line(LEAD),
    "director-clock": Line(LEAD),
    "director-tables": Line(LEAD),
    "director-due": Line(LEAD),
    "director-in-force": Line(LEAD),
    "director-log": Line(LEAD),
    "director-counts": Line(LEAD),
    "count-change": Line(LEAD, ACT),
    "clock-start": Line(LEAD, ACT),
    "clock-pause": Line(LEAD, ACT),
    "clock-next": Line(LEAD, ACT),
    "clock-previous": Line(LEAD, ACT),
    "clock-adjust": Line(LEAD, ACT),
    "clock-jump": Line(LEAD, FORM),
    "clock-last-hands": Line(LEAD, ACT),
    "clock-hand": Line(ARBITERS, ACT),
    "clock-counting-table": Line(LEAD, ACT),
    "clock-break-stop": Line(LEAD, ACT),
    "clock-plan-start": Line(LEAD, ACT),
    "seats-draw": Line(LEAD, ACT),
    "hall-number": Line(LEAD, ACT),
    "table-open": Line(LEAD, ACT),
    "table-close": Line(LEAD, ACT),
    "table-break": Line(LEAD, FORM),
    "final-table": Line(LEAD, FORM),
    "balance-step": Line(LEAD, ACT),
    "entry-move": Line(LEAD, FORM),
    "disqualify": Line(LEAD, FORM),
    "dq-count": Line(LEAD, FORM, args={"entry": "disqualified"}),
    # Making and changing tournaments
    "new-event": Line(LEADS_CLUB, FORM),
    "event-copy": Line(LEADS_CLUB, FORM),
    "event-settings": Line(LEAD, FORM),
    "event-schedule": Line(LEAD, FORM),
    "schedule-edit": Line(LEAD, FORM),
    "clock-at": Line(STAFF),
    "event-cancel": Line(LEAD, FORM),
    "event-end": Line(LEAD, FORM),
    "sample-remove": Line(LEAD, ACT),
    "director-log-all": Line(STAFF),
    "club-settings": Line(LEADS_CLUB, FORM),
    "backup-now": Line(LEADS_CLUB, ACT),
}
