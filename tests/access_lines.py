"""Who may ask for which address, by which methods."""

from dataclasses import dataclass, field

LEADS_CLUB = frozenset({"director"})
LEAD = LEADS_CLUB | {"director of the event"}
DESK = LEAD | {"desk"}
ARBITERS = LEAD | {"arbiter"}
STAFF = DESK | ARBITERS
STRANGERS = frozenset({"player or visitor", "revoked", "director elsewhere", "forged cookie"})
EVERYBODY = STAFF | STRANGERS
# Whose token is good for something, if not for this event.
HOLDERS = STAFF | {"director elsewhere"}

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
    # The interface for scripts: who asks shows a token, and cookies count for nothing.
    by_token: bool = False


def scripts(who: frozenset[str], methods: frozenset[str] = READ) -> Line:
    return Line(who, methods, by_token=True)


def each(line: Line, names: str) -> dict[str, Line]:
    """Return one line for several addresses."""
    return dict.fromkeys(names.split(), line)


LINES = {
    # Everybody
    "set_language": Line(EVERYBODY, METHODS, is_ours=False),
    **each(
        Line(EVERYBODY),
        "home health health-live connection connection-certificate screen screen-state "
        "screen-cash screen-sounds speech embed evenings-json imprint leagues-public robots "
        "lobby lobby-state manifest club-preview preview tournament calendar calendar-feed "
        "results results-csv review results-json bag-list draws rules ruling-desk hands-page "
        "privacy start start-worker",
    ),
    # `health-ready` says 503 while a test holds the database in a transaction of its own.
    **each(Line(EVERYBODY, is_ours=False), "health-ready metrics"),
    "signal": Line(EVERYBODY, args={"name": "signal"}),
    "overlay": Line(EVERYBODY, args={"element": "element", "key": "overlay_key"}),
    "club-style": Line(EVERYBODY, args={"digest": "style_digest"}),
    "club-logo": Line(EVERYBODY, args={"digest": "logo_digest"}),
    "slide-file": Line(EVERYBODY, args={"digest": "slide_digest"}),
    **each(
        Line(EVERYBODY, args={"league": "league_slug"}),
        "league league-csv league-embed league-xlsx",
    ),
    "league-team": Line(EVERYBODY, args={"league": "league_slug"}, ask={"name": "team"}),
    "league-player": Line(EVERYBODY, args={"league": "league_slug", "person": "ranked"}),
    "profile": Line(EVERYBODY, args={"person": "profiled"}),
    "register": Line(EVERYBODY, FORM),
    "rules-then": Line(EVERYBODY, args={"number": "rule_state"}),
    # Whoever has the secret of the link
    **each(
        Line(EVERYBODY, args={"token": "player_token"}),
        "player own-calendar player-card player-rank player-moves player-receipt "
        "player-messages own-data own-data-json",
    ),
    **each(
        Line(EVERYBODY, ACT, args={"token": "player_token"}),
        "player-arrived player-buys player-unasks player-here player-unsay player-later "
        "player-confirm player-accept player-decline player-cash player-deal player-bag "
        "player-messages-read player-stack",
    ),
    **each(
        Line(EVERYBODY, FORM, args={"token": "player_token"}),
        "player-change player-withdraw own-profile own-data-erase player-notices",
    ),
    "sign-in": Line(EVERYBODY, FORM, args={"token": "link_token"}),
    **each(Line(EVERYBODY, FORM), "sign-in-code sign-out"),
    # A big screen itself, by its own cookie
    "screen-any": Line(EVERYBODY, FORM),
    "screen-report": Line(EVERYBODY, ACT, is_ours=False),
    "screen-hall": Line(EVERYBODY, is_ours=False),
    # The big screens, directed
    **each(Line(LEAD), "screens screens-list"),
    **each(Line(LEAD, ACT), "screen-claim screen-open screen-retire screen-undo"),
    "screen-change": Line(LEAD, FORM),
    **each(Line(LEAD), "own-face own-face-preview"),
    **each(Line(LEAD, ACT), "own-face-arrange slide-remove slide-move own-face-undo"),
    "slide-add": Line(LEAD, FORM),
    "overlays": Line(LEAD),
    "overlays-renew": Line(LEAD, ACT),
    "live-picture": Line(EVERYBODY, args={"digest": "post_digest"}),
    "live-post": Line(ARBITERS, FORM),
    # Staff devices
    **each(Line(LEAD), "staff staff-devices"),
    "staff-link": Line(LEAD, FORM, ask={"link": "link"}),
    **each(Line(LEAD, ACT), "staff-token staff-revoke"),
    # The desk
    **each(Line(DESK), "desk desk-list desk-mail purchases-open"),
    **each(Line(DESK, FORM), "desk-register desk-check-in desk-correct link-renew"),
    "carry-over": Line(LEAD, FORM),
    **each(
        Line(DESK, ACT),
        "desk-known desk-withdraw desk-cash-guest desk-rate mail-resend desk-arrived desk-accept",
    ),
    "desk-place": Line(LEAD, ACT),
    "purchase": Line(STAFF),
    "addons": Line(STAFF, FORM),
    **each(Line(STAFF, ACT), "purchase-buy purchase-ask purchase-unask"),
    **each(Line(ARBITERS, ACT), "rebuy-decline floor-surrender floor-target"),
    # Money: an arbiter by the drawer he was given, of which there is none in this hall
    **each(Line(DESK, FORM), "fee-pay fee-refund"),
    **each(Line(DESK), "fees-open receipt ticket"),
    **each(Line(DESK, ACT), "receipt-mail ticket-redeem"),
    "tickets": Line(LEADS_CLUB),
    **each(Line(STAFF), "pay-change drawer"),
    **each(Line(DESK, ACT), "drawer-open drawer-fill"),
    **each(Line(STAFF, ACT), "drawer-move drawer-hand drawer-close"),
    # The cash game
    **each(
        Line(STAFF),
        "cash-game cash-game-panel cash-settling cash-table cash-table-panel cash-seat",
    ),
    **each(
        Line(LEAD, ACT),
        "cash-open cash-end cash-last-hands cash-close cash-terms cash-difference",
    ),
    "cash-settling-shared": Line(EVERYBODY),
    **each(Line(ARBITERS, ACT), "cash-count cash-hand cash-turn"),
    **each(
        Line(STAFF, ACT),
        "cash-tip cash-tips cash-wait cash-offer cash-sit cash-chips cash-move cash-presence "
        "cash-link cash-paid",
    ),
    **each(
        Line(DESK),
        "evening-report export-receipts-csv export-receipts-xlsx papers paper-poster "
        "paper-chips paper-seats paper-tables paper-cash paper-blank paper-hall slips slip",
    ),
    "club-means": Line(LEADS_CLUB, FORM),
    "club-hall": Line(LEADS_CLUB, FORM),
    "outside": Line(LEADS_CLUB),
    **each(Line(LEADS_CLUB, ACT), "outside-bot webhook-add webhook-remove delivery-resend"),
    "device-notices": Line(STAFF, FORM),
    **each(Line(DESK, ACT), "noshows-release import-confirm"),
    "import": Line(DESK, FORM),
    # The floor
    **each(
        Line(STAFF),
        "floor floor-tables floor-find floor-player floor-table floor-table-panel chip-races "
        "stack-counts floor-cards rulings floor-button floor-call floor-in-force "
        "floor-hand-for-hand floor-scene",
    ),
    **each(
        Line(ARBITERS, FORM),
        "floor-race stack-count floor-penalty announce message floor-button-mark seat-cards",
    ),
    **each(
        Line(ARBITERS, ACT),
        "floor-out floor-out-many floor-knockout floor-out-correct floor-penalty-serve "
        "floor-dealer floor-dealers floor-hand floor-call-start floor-call-stop floor-call-over "
        "floor-reported floor-heads bag-say",
    ),
    **each(Line(ARBITERS), "bags floor-many floor-outs message-find"),
    "floor-order": Line(ARBITERS, ask={"entry": "two"}),
    **each(
        Line(STAFF, ACT),
        "floor-leave ruling-note floor-summon floor-summons-settle floor-return floor-arrived "
        "floor-stack floor-all-arrived action-undo undo-preview",
    ),
    "floor-summons-come": Line(LEAD, ACT),
    # The director
    **each(
        Line(LEAD),
        "director director-clock clock-in-round director-facts director-end forecast "
        "director-tables director-due director-in-force director-log director-bubble "
        "director-cash director-counts",
    ),
    **each(
        Line(LEAD, ACT),
        "hand-for-hand-begin round-release hand-for-hand-end closing-announce money-reach "
        "count-change clock-start clock-call-start clock-pause clock-next clock-previous "
        "clock-adjust clock-set clock-back computer-time clock-counting-table clock-break-stop "
        "day-draw last-hands-draw pool-carry clock-plan-start hall-number table-open table-close "
        "chair-add balance-step seat-place seats-swap due-aside",
    ),
    **each(
        Line(LEAD, FORM),
        "clock-break level-correct clock-jump clock-last-hands seats-draw table-break "
        "final-table tables-redraw table-halt seat-lock balance-round",
    ),
    "clock-hand": Line(ARBITERS, ACT),
    "slips-moved": Line(DESK),
    # Everything as a file
    **each(
        Line(DESK),
        "export export-registrations-csv export-registrations-xlsx export-waiting-csv "
        "export-waiting-xlsx export-fees-csv export-fees-xlsx export-entries-csv "
        "export-entries-xlsx export-results-csv export-results-xlsx export-prizes-csv "
        "export-prizes-xlsx export-seats-csv export-seats-xlsx export-sites-csv "
        "export-sites-xlsx",
    ),
    "keep-apart": Line(DESK, FORM),
    "keep-apart-drop": Line(DESK, ACT, args={"wish": "wish"}),
    **each(Line(LEAD, FORM), "entry-move disqualify place-overrule late-tap"),
    "dq-count": Line(LEAD, FORM, args={"entry": "disqualified"}),
    "noshow-remove": Line(LEAD, FORM),
    # Making and changing tournaments
    **each(
        Line(LEADS_CLUB, FORM),
        "new-event rehearsal event-copy club-settings league-new league-edit league-final person "
        "person-merge members privacy-settings contest-new contest-edit stage-new stage-edit "
        "evening-file",
    ),
    **each(
        Line(LEAD, ACT),
        "rehearsal-play rehearsal-halt rehearsal-step event-preset event-preset-save "
        "event-schedule-save schedule-mix schedule-pace event-chips-choose event-chips-plan "
        "prizes-freeze deal-allow deal-offer mystery-begin sample-remove",
    ),
    **each(Line(LEAD), "director-rehearsal event-chips deal-panel deal-sheet"),
    **each(
        Line(LEAD, FORM),
        "event-settings event-rules event-schedule schedule-edit schedule-plan event-cancel "
        "event-end day-end deal prizes",
    ),
    **each(
        Line(STAFF),
        "clock-at bounties bounties-panel director-log-all log-csv log-xlsx log-json",
    ),
    **each(Line(DESK), "payouts payouts-sheet"),
    "deal-withdraw": Line(LEAD, ACT, args={"deal": "number"}),
    **each(Line(ARBITERS), "floor-deal floor-deal-panel"),
    "floor-deal-answer": Line(ARBITERS, ACT, args={"share": "number"}),
    "mystery-draw": Line(ARBITERS, ACT),
    "payout-pay": Line(DESK, ACT, args={"registration": "number"}),
    "payout-settle": Line(LEAD, ACT, args={"registration": "number"}),
    "stacks-worth": Line(ARBITERS, FORM),
    "log-heads": Line(EVERYBODY),
    **each(
        Line(LEADS_CLUB),
        "archive contest club-statistics leagues league-evenings league-final-csv people "
        "people-csv people-xlsx",
    ),
    **each(
        Line(LEADS_CLUB, ACT),
        "league-evening-set league-correct league-correction-withdraw league-team-set "
        "league-guest-set stage-remove league-remove league-restore person-unmerge "
        "members-confirm backup-now evening-confirm backup-passphrase backup-passphrase-end",
    ),
    # The interface for scripts
    **each(Line(EVERYBODY), "api-docs api-openapi"),
    "api-docs-file": Line(EVERYBODY, args={"name": "docs_file"}),
    **each(Line(EVERYBODY, METHODS, is_ours=False), "api-root api-nowhere"),
    "api-token": scripts(HOLDERS),
    **each(
        scripts(EVERYBODY),
        "api-events api-event api-clock api-screen api-schedule api-results api-ruling",
    ),
    **each(
        scripts(LEAD, ACT),
        "api-start api-pause api-next-level api-previous-level api-adjust api-move",
    ),
    "api-registrations": scripts(DESK, FORM),
    "api-registration": scripts(DESK),
    **each(scripts(DESK, ACT), "api-withdraw api-check-in"),
    **each(scripts(STAFF), "api-tables api-table api-log"),
    **each(
        scripts(ARBITERS, ACT),
        "api-begin-hand api-eliminate api-announce api-decline api-takers",
    ),
    **each(scripts(STAFF, ACT), "api-rebuy api-addon api-reentry api-pay"),
    "api-undo": scripts(STAFF, ACT),
    "api-copy": scripts(LEADS_CLUB, ACT),
    **each(
        Line(LEADS_CLUB, ACT),
        "preset-rename preset-delete schedule-import own-schedule-rename own-schedule-delete "
        "chip-set-delete club-about club-colour club-logo-set club-logo-remove",
    ),
    "schedule-file": Line(LEADS_CLUB),
    **each(Line(LEADS_CLUB, FORM), "chip-set-new chip-set"),
}
