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
    "club-style": Line(EVERYBODY, args={"digest": "style_digest"}),
    "club-logo": Line(EVERYBODY, args={"digest": "logo_digest"}),
    "tournament": Line(EVERYBODY),
    "register": Line(EVERYBODY, FORM),
    "results": Line(EVERYBODY),
    "results-csv": Line(EVERYBODY),
    "results-json": Line(EVERYBODY),
    "draws": Line(EVERYBODY),
    # Whoever has the secret of the link
    "player": Line(EVERYBODY, args={"token": "player_token"}),
    "player-card": Line(EVERYBODY, args={"token": "player_token"}),
    "player-arrived": Line(EVERYBODY, ACT, args={"token": "player_token"}),
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
    "floor-order": Line(ARBITERS, ask={"entry": "two"}),
    "floor-outs": Line(ARBITERS),
    "floor-knockout": Line(ARBITERS, ACT),
    "floor-out-correct": Line(ARBITERS, ACT),
    "floor-leave": Line(STAFF, ACT),
    "floor-return": Line(STAFF, ACT),
    "floor-penalty": Line(ARBITERS, FORM),
    "floor-penalty-serve": Line(ARBITERS, ACT),
    "floor-arrived": Line(STAFF, ACT),
    "floor-stack": Line(STAFF, ACT),
    "floor-all-arrived": Line(STAFF, ACT),
    "announce": Line(ARBITERS, FORM),
    "floor-dealer": Line(ARBITERS, ACT),
    "floor-hand": Line(ARBITERS, ACT),
    "floor-button": Line(STAFF),
    "floor-button-mark": Line(ARBITERS, FORM),
    "floor-call-start": Line(ARBITERS, ACT),
    "floor-call": Line(STAFF),
    "floor-call-stop": Line(ARBITERS, ACT),
    "floor-call-over": Line(ARBITERS, ACT),
    "floor-in-force": Line(STAFF),
    "floor-hand-for-hand": Line(STAFF),
    "floor-reported": Line(ARBITERS, ACT),
    "floor-heads": Line(ARBITERS, ACT),
    "floor-scene": Line(STAFF),
    "action-undo": Line(STAFF, ACT),
    "undo-preview": Line(STAFF, ACT),
    # The director
    "director": Line(LEAD),
    "director-clock": Line(LEAD),
    "director-tables": Line(LEAD),
    "director-due": Line(LEAD),
    "director-in-force": Line(LEAD),
    "director-log": Line(LEAD),
    "director-bubble": Line(LEAD),
    "hand-for-hand-begin": Line(LEAD, ACT),
    "round-release": Line(LEAD, ACT),
    "hand-for-hand-end": Line(LEAD, ACT),
    "money-reach": Line(LEAD, ACT),
    "director-counts": Line(LEAD),
    "count-change": Line(LEAD, ACT),
    "clock-start": Line(LEAD, ACT),
    "clock-pause": Line(LEAD, ACT),
    "clock-next": Line(LEAD, ACT),
    "clock-previous": Line(LEAD, ACT),
    "clock-adjust": Line(LEAD, ACT),
    "clock-jump": Line(LEAD, FORM),
    "clock-last-hands": Line(LEAD, FORM),
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
    "tables-redraw": Line(LEAD, FORM),
    "table-halt": Line(LEAD, FORM),
    "seat-lock": Line(LEAD, FORM),
    "seat-place": Line(LEAD, ACT),
    "seats-swap": Line(LEAD, ACT),
    "slips-moved": Line(DESK),
    "keep-apart": Line(DESK, FORM),
    "keep-apart-drop": Line(DESK, ACT, args={"wish": "wish"}),
    "entry-move": Line(LEAD, FORM),
    "disqualify": Line(LEAD, FORM),
    "dq-count": Line(LEAD, FORM, args={"entry": "disqualified"}),
    # Making and changing tournaments
    "new-event": Line(LEADS_CLUB, FORM),
    "rehearsal": Line(LEADS_CLUB, FORM),
    "event-copy": Line(LEADS_CLUB, FORM),
    "event-settings": Line(LEAD, FORM),
    "event-schedule": Line(LEAD, FORM),
    "schedule-edit": Line(LEAD, FORM),
    "clock-at": Line(STAFF),
    "event-cancel": Line(LEAD, FORM),
    "event-end": Line(LEAD, FORM),
    "sample-remove": Line(LEAD, ACT),
    "director-log-all": Line(STAFF),
    "log-csv": Line(STAFF),
    "log-json": Line(STAFF),
    "club-settings": Line(LEADS_CLUB, FORM),
    "backup-now": Line(LEADS_CLUB, ACT),
    "club-colour": Line(LEADS_CLUB, ACT),
    "club-logo-set": Line(LEADS_CLUB, ACT),
    "club-logo-remove": Line(LEADS_CLUB, ACT),
}
