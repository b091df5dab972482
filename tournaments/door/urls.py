"""Addresses of `door`."""

from django.urls import URLPattern, path

from tournaments.door.views import desk, desk_people, paying

_EVENT = "t/<slug:slug>/"
_PERSON = f"{_EVENT}anmeldung/<num:registration>/"

urlpatterns: list[URLPattern] = [
    path(f"{_EVENT}anmeldung/mail/", desk_people.desk_mail, name="desk-mail"),
    path(f"{_EVENT}anmeldung/mail/<num:mail>/", desk_people.resend, name="mail-resend"),
    path(f"{_PERSON}neuer-link/", desk_people.personal_link, name="link-renew"),
    path(f"{_EVENT}anmeldung/", desk.desk, name="desk"),
    path(f"{_EVENT}anmeldung/liste/", desk.desk_list, name="desk-list"),
    path(f"{_EVENT}anmeldung/wie-letztes-mal/", desk.carry_over, name="carry-over"),
    path(f"{_EVENT}anmeldung/neu/", desk.desk_register, name="desk-register"),
    path(f"{_EVENT}anmeldung/bekannt/<num:person>/", desk.desk_known, name="desk-known"),
    path(f"{_PERSON}einchecken/", desk_people.desk_check_in, name="desk-check-in"),
    path(f"{_PERSON}daten/", desk_people.desk_correct, name="desk-correct"),
    path(f"{_PERSON}abmelden/", desk_people.desk_withdraw, name="desk-withdraw"),
    path(f"{_PERSON}nur-cash/", desk_people.desk_cash_guest, name="desk-cash-guest"),
    path(f"{_PERSON}preis/", desk_people.desk_rate, name="desk-rate"),
    path(f"{_PERSON}da/", desk.arrived, name="desk-arrived"),
    path(f"{_PERSON}platz/", desk.place, name="desk-place"),
    path(f"{_PERSON}angebot/", desk.accept, name="desk-accept"),
    path(f"{_PERSON}bezahlt/", paying.pay, name="fee-pay"),
    path(f"{_PERSON}zurueckgegeben/", paying.refund, name="fee-refund"),
    path(f"{_PERSON}ticket/<num:ticket>/", paying.redeem, name="ticket-redeem"),
    path(f"{_EVENT}kassa/offen/", paying.open_fees, name="fees-open"),
    path(f"{_EVENT}kassa/rueckgeld/", paying.change_back, name="pay-change"),
    path(f"{_EVENT}anmeldung/nicht-gekommen/", desk.release, name="noshows-release"),
    path(f"{_EVENT}anmeldung/stapel/<num:entry>/", desk.noshow, name="noshow-remove"),
]
