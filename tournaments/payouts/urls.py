"""Addresses of `payouts`."""

from django.urls import URLPattern, path

from tournaments.payouts.views import deals, prizes

_DIRECTOR = "t/<slug:slug>/leitung/"
_TABLES = "t/<slug:slug>/tische/"
_PAYOUTS = "t/<slug:slug>/auszahlen/"

urlpatterns: list[URLPattern] = [
    path(f"{_DIRECTOR}deal/", deals.deal, name="deal"),
    path(f"{_DIRECTOR}deal/stand/", deals.panel, name="deal-panel"),
    path(f"{_DIRECTOR}deal/erlauben/", deals.allow, name="deal-allow"),
    path(f"{_DIRECTOR}deal/vorschlagen/", deals.offer, name="deal-offer"),
    path(f"{_DIRECTOR}deal/<num:deal>/zurueckziehen/", deals.withdraw, name="deal-withdraw"),
    path(f"{_DIRECTOR}deal/blatt/", deals.sheet, name="deal-sheet"),
    path(f"{_TABLES}deal/", deals.floor, name="floor-deal"),
    path(f"{_TABLES}deal/stand/", deals.floor_panel, name="floor-deal-panel"),
    path(f"{_TABLES}deal/<num:share>/", deals.answer, name="floor-deal-answer"),
    path(f"{_TABLES}kopfgelder/", prizes.bounties, name="bounties"),
    path(f"{_TABLES}kopfgelder/stand/", prizes.bounties_panel, name="bounties-panel"),
    path(f"{_TABLES}kopfgelder/<num:entry>/umschlag/", prizes.draw, name="mystery-draw"),
    path(f"{_DIRECTOR}umschlaege/", prizes.begin, name="mystery-begin"),
    path(f"{_DIRECTOR}preise/", prizes.prizes, name="prizes"),
    path(f"{_DIRECTOR}preise/fest/", prizes.freeze, name="prizes-freeze"),
    path(_PAYOUTS, prizes.payouts, name="payouts"),
    path(f"{_PAYOUTS}unterschriften/", prizes.sheet, name="payouts-sheet"),
    path(f"{_PAYOUTS}<num:registration>/", prizes.pay, name="payout-pay"),
    path(f"{_PAYOUTS}<num:registration>/zurueck/", prizes.settle, name="payout-settle"),
    path(f"{_TABLES}stapel/", deals.worth, name="stacks-worth"),
]
