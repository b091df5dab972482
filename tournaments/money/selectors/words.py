"""The names of the journal's accounts."""

from django.utils.translation import gettext_lazy

from tournaments.money.domain.accounts import Account

ACCOUNTS = {
    Account.CASH: gettext_lazy("Kassa"),
    Account.FEES: gettext_lazy("Startgelder"),
    Account.POOL: gettext_lazy("Preisgeld"),
    Account.BOUNTY: gettext_lazy("Kopfgeld"),
    Account.HOUSE: gettext_lazy("Haus"),
    Account.EXTRA: gettext_lazy("Beitrag"),
    Account.CREDIT: gettext_lazy("Guthaben"),
    Account.PRIZES: gettext_lazy("ausbezahlte Preise"),
    Account.BOUNTIES: gettext_lazy("ausbezahlte Kopfgelder"),
    Account.SEATS: gettext_lazy("vergebene Plätze"),
    Account.FLOAT: gettext_lazy("Wechselgeld"),
    Account.OTHER: gettext_lazy("Einlage oder Entnahme"),
    Account.DIFFERENCE: gettext_lazy("Differenz"),
    Account.CHIPS: gettext_lazy("Chips an Cash-Tischen"),
    Account.RAKE: gettext_lazy("Hausgebühr"),
    Account.TIPS: gettext_lazy("Trinkgeld"),
    Account.CARRIED: gettext_lazy("Tischwechsel"),
    Account.MISSING: gettext_lazy("Differenz an Cash-Tischen"),
    Account.OWED: gettext_lazy("untereinander offen"),
}
