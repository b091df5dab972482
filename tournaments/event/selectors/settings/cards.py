"""The settings by subject: six cards, each a sentence with its values in bold."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clock.domain import Level
from clock.selectors import clock_plan
from tournaments.changes.access import Sentence
from tournaments.event.domain.prices import parts_cents
from tournaments.event.selectors.event import sells_again, takes_bags_only
from tournaments.event.selectors.labels import CASH_UNITS, DRAW_MODES, GAMES, LIMITS, money
from tournaments.event.selectors.level_words import level_in_words
from tournaments.event.selectors.plans import breaks_after, level_minutes_of, plan_to_copy
from tournaments.event.selectors.settings.declared import (
    PHASES,
    SETTINGS,
    is_of_cash,
    phase_words,
    said_of,
)
from tournaments.event.selectors.settings.setting import Section, Setting
from tournaments.event.selectors.stakes import event_has_money
from tournaments.models import Action, Event

CARDS: Mapping[Section, tuple[Sentence, str]] = {
    Section.EVENING: (gettext_lazy("Abend"), "calendar"),
    Section.BLINDS: (gettext_lazy("Blinds"), "clock"),
    Section.PLACES: (gettext_lazy("Plätze"), "armchair"),
    Section.REGISTRATION: (gettext_lazy("Anmeldung"), "users"),
    Section.MONEY: (gettext_lazy("Geld"), "trophy"),
    Section.ABOUT: (gettext_lazy("Seite für alle"), "map-pin"),
}
OF_CASH_TABLES = {"cash_unit", "shows_cash_results"}
MOST_NAMED = 2
MINUTES_AN_HOUR = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """A value other than last time."""

    label: str
    was: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card as it is read: its sentence, what is other than last time, why something is fixed.

    :param others: The values other than last time, the first of them.
    :param more: How many others there are besides.
    """

    section: Section
    title: Sentence
    icon: str
    sentence: SafeString
    others: tuple[Other, ...] = ()
    more: int = 0
    lock: str = ""


def settings_in_sight(event: Event) -> list[Setting]:
    """Return the settings of the cards; without money or cash tables none of these."""
    left_out = set() if event.has_cash_game else set(OF_CASH_TABLES)
    if not (event.has_cash_game or club_has_cash_games(event.club_id)):
        left_out.add("kind")
    if not event.club.hall and not event.hall_tables:
        left_out.add("hall_tables")
    has_money = event_has_money(event)
    return [
        setting
        for setting in _askable(event)
        if setting.name not in left_out and (has_money or setting.section != Section.MONEY)
    ]


def settings_of_card(event: Event, section: Section, focus: str = "") -> list[Setting]:
    """Return the settings of an open card: those in sight, and what was asked for by name."""
    in_sight = {setting.name for setting in settings_in_sight(event)}
    return [
        setting
        for setting in _askable(event)
        if setting.section == section
        and (setting.name in in_sight or setting.name == focus or section == Section.MONEY)
    ]


def _askable(event: Event) -> list[Setting]:
    return [s for s in SETTINGS if s.section and (is_of_cash(s) or not event.is_cash_only)]


def club_has_cash_games(club: int) -> bool:
    """Tell whether the club has had evenings with cash tables."""
    rows = Event.objects.filter(club=club, is_sample=False)
    return rows.exclude(kind=Event.Kind.TOURNAMENT).exists()


def copied_from(event: Event) -> Event | None:
    """Return the evening that this one is a copy of."""
    of_club = Action.objects.filter(club=event.club_id, event=None)  # by the index of its log
    made = of_club.filter(kind="event.copied", payload__event=event.pk).first()
    rows = Event.objects.select_related("clock")
    return rows.filter(pk=made.payload["source"]).first() if made else None


def cards_of(event: Event, obstacles: Mapping[str, str], source: Event | None) -> list[Card]:
    """Return the cards of an evening's settings.

    :param obstacles: Why settings are fixed, by name.
    :param source: The evening to compare with.
    """
    shown, found = settings_in_sight(event), []
    fixed = set[str]() if event.is_over else set(obstacles)
    if not event.bounty_kind:
        fixed -= {"bounty_kind", "bounty_cut"}
    for section, (title, icon) in CARDS.items():
        names = [setting.name for setting in shown if setting.section == section]
        if not names:
            continue
        others = _others(event, source, section) if source else {}
        card = Card(
            section=section,
            title=title,
            icon=icon,
            sentence=sentence_of(event, section, others),
            others=tuple(others.values())[:MOST_NAMED],
            more=max(len(others) - MOST_NAMED, 0),
            lock=next((obstacles[name] for name in names if name in fixed), ""),
        )
        found.append(card)
    return found


def _others(event: Event, source: Event, section: Section) -> dict[str, Other]:
    """Return the card's values other than those of the source, by name."""
    found = {}
    for setting in SETTINGS:
        if setting.section != section or not setting.is_column or not setting.is_copied:
            continue
        names = [setting.name, *filter(None, [PHASES.get(setting.name)])]
        if any(getattr(event, name) != getattr(source, name) for name in names):
            label = setting.heading if setting.name in PHASES else setting.label
            label = str(label or setting.field_label)
            found[setting.name] = Other(label=label, was=said_of(source, setting.name))
    if section == Section.BLINDS and not event.is_cash_only:
        now, was = _plan(clock_plan(event.clock), event), _plan(plan_to_copy(source).levels, source)
        labels = {"minutes": _("Minuten je Stufe"), "first": _("Beginn"), "breaks": _("Pausen")}
        found |= {
            name: Other(label=labels[name], was=was[name]) for name in now if now[name] != was[name]
        }
    return found


def _plan(levels: Iterable[Level], event: Event) -> dict[str, str]:
    rows = list(levels)
    first = next((level for level in rows if not level.is_break), None)
    return {
        "minutes": _minutes(level_minutes_of(rows) or 0),
        "first": level_in_words(first, event).replace(" / ", "\u00a0/\u00a0") if first else "",
        "breaks": _breaks(rows),
    }


def _breaks(levels: Iterable[Level]) -> str:
    *first, last = [*map(str, breaks_after(levels))] or [""]
    if not last:
        return _("keine Pausen")
    if not first:
        return _("Pause nach Stufe %(last)s") % {"last": last}
    return _("Pausen nach Stufe %(first)s und %(last)s") % {"first": ", ".join(first), "last": last}


def _minutes(count: int) -> str:
    return ngettext("%(count)d\u00a0Minute", "%(count)d\u00a0Minuten", count) % {"count": count}


# --- The search


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A setting found by a word, with its card and its value."""

    setting: Setting
    title: Sentence
    icon: str
    value: str

    @property
    def label(self) -> Sentence:
        return self.setting.label or self.setting.field_label


def settings_found(event: Event, typed: str) -> list[Hit]:
    """Return the settings with this word, those called so first."""
    word, found = _plain(typed), []
    for setting in _askable(event):
        rank = _rank(setting, word)
        if rank is not None and setting.section:
            title, icon = CARDS[setting.section]
            value = said_of(event, setting.name) if setting.is_column else event.schedule_name
            found.append((rank, Hit(setting=setting, title=title, icon=icon, value=value)))
    return [hit for _rank_of_it, hit in sorted(found, key=lambda one: one[0])]


def _rank(setting: Setting, word: str) -> int | None:
    """Return how near a word is to a setting; None where it is in none of its texts."""
    title = CARDS[setting.section][0] if setting.section else ""
    choices = " ".join(map(str, (setting.choices or {}).values()))
    name = f"{setting.label} {setting.field_label} {choices}"
    texts = (name, setting.heading, setting.help_text, title)
    ranks = [rank for rank, text in enumerate(texts) if word and word in _plain(str(text))]
    return min(ranks, default=None)


def _plain(text: str) -> str:
    return text.casefold().replace("-", "").strip()


# --- The sentences


class _Teller:
    """Writes sentences of an event with its values in bold, those other than last time marked."""

    def __init__(self, event: Event, others: Iterable[str]) -> None:
        self.event, self.others = event, frozenset(others)

    def value(self, text: object, *names: str) -> SafeString:
        """Return a value in bold; marked if one of these settings is other than last time."""
        return format_html("<{0}>{1}</{0}>", "b" if self.others.isdisjoint(names) else "mark", text)

    @staticmethod
    def say(pattern: str, **values: SafeString) -> SafeString:
        """Return a clause with its values."""
        return SafeString(escape(pattern) % values)


def sentence_of(event: Event, section: Section, others: Iterable[str] = ()) -> SafeString:
    """Return a card's sentence.

    :param others: The names of settings other than last time.
    """
    clauses = _SENTENCES[section](_Teller(event, others), event)
    return SafeString(" ".join(clause for clause in clauses if clause))


def _evening(tell: _Teller, event: Event) -> list[Any]:
    when = date_format(localtime(event.starts_at), _("l, j. F, H:i"))
    begins = tell.say("%(when)s.", when=tell.value(when))
    unit = CASH_UNITS.get(event.cash_unit, "")
    closing = event.closing_time and tell.say(
        _("Sperrstunde um %(time)s."), time=tell.value(event.closing_time, "closing_time")
    )
    if event.is_cash_only:
        played = tell.say(_("Cash Game um %(unit)s."), unit=tell.value(unit, "kind", "cash_unit"))
        return [begins, played]
    game = tell.value(GAMES.get(event.game, ""), "game")
    limit = tell.value(LIMITS.get(event.limit, ""), "limit")
    text = _("%(game)s, %(limit)s, um nichts.")
    if event_has_money(event):
        text = _("%(game)s, %(limit)s.")
    elif sells_again(event):
        text = _("%(game)s, %(limit)s, um nichts, mit Re-buy.")
    played = tell.say(text, game=game, limit=limit)
    beside = event.has_cash_game and tell.say(
        _("Daneben Cash Game um %(unit)s."), unit=tell.value(unit, "kind", "cash_unit")
    )
    return [begins, played, beside, closing]


def _blinds(tell: _Teller, event: Event) -> list[Any]:
    plan = _plan(clock_plan(event.clock), event)
    minutes, first, breaks = (tell.value(plan[name], name) for name in plan)
    text = (
        _("%(minutes)s je Stufe, los geht es mit %(first)s.")
        if level_minutes_of(clock_plan(event.clock))
        else _("Stufen nach Händen, los geht es mit %(first)s.")
    )
    stack = tell.value(intcomma(event.starting_stack), "starting_stack")
    with_stack = tell.say(_("Startstapel %(stack)s, %(breaks)s."), stack=stack, breaks=breaks)
    return [tell.say(text, minutes=minutes, first=first), with_stack]


def _places(tell: _Teller, event: Event) -> list[Any]:
    seats, final = event.seats_per_table, event.final_table_seats
    count = -(-event.capacity // seats)
    tables = ngettext("%(count)d Tisch zu %(seats)d", "%(count)d Tische zu %(seats)d", count)
    at_tables = tell.value(tables % {"count": count, "seats": seats}, "seats_per_table")
    most = tell.value(intcomma(event.capacity), "capacity")
    mode = tell.value(DRAW_MODES.get(event.draw_mode, ""), "draw_mode")
    last = final and tell.value(final, "final_table_seats")
    return [
        tell.say(_("%(tables)s, höchstens %(most)s Spieler."), tables=at_tables, most=most),
        tell.say(_("Ausgelost: %(mode)s."), mode=mode),
        last and tell.say(_("Finaltisch zu %(seats)s."), seats=last),
    ]


def _registration(tell: _Teller, event: Event) -> list[Any]:
    state = tell.value(_("Offen") if event.is_registration_open else _("Geschlossen"))
    if event.is_cash_only:
        return [tell.say("%(state)s.", state=state)]
    until = phase_words(event, "late_registration_level")
    late = tell.value(until or _("ohne Nachmelden"), "late_registration_level")
    text = _("%(state)s, einsteigen %(until)s.") if until else "%(state)s, %(until)s."
    if takes_bags_only(event):
        text = _("Aus den Flights, %(until)s.")
    offer = tell.value(_span(event.offer_minutes), "offer_minutes")
    return [
        tell.say(text, state=state, until=late),
        tell.say(_("Wer nachrückt, hat %(span)s Zeit."), span=offer)
        if event.offer_minutes
        else tell.say(_("Wer wartet, rückt ungefragt nach.")),
        event.least_entries
        and tell.say(
            _("Findet statt ab %(count)s Anmeldungen."),
            count=tell.value(intcomma(event.least_entries), "least_entries", "least_hours"),
        ),
    ]


def _span(minutes: int) -> str:
    hours, rest = divmod(minutes, MINUTES_AN_HOUR)
    if rest or not hours:
        return _minutes(minutes)
    return ngettext("%(count)d\u00a0Stunde", "%(count)d\u00a0Stunden", hours) % {"count": hours}


def _money(tell: _Teller, event: Event) -> list[Any]:
    if event.is_cash_only:
        limit = event.payout_limit_cents
        text = _("Ohne Leitung ausgezahlt: %(most)s.")
        most = _("höchstens %(most)s") % {"most": money(limit)} if limit else _("ohne Grenze")
        return [tell.say(text, most=tell.value(most, "payout_limit_cents"))]
    return [_price(tell, event), _rates(tell, event), *_purchases(tell, event), _paid(tell, event)]


def _price(tell: _Teller, event: Event) -> SafeString:
    if not event.fee_cents:
        return tell.say("%(none)s.", none=tell.value(_("Kein Startgeld"), "fee_cents"))
    fee = tell.value(money(event.fee_cents), "fee_cents")
    apart = parts_cents(event.fee_parts)
    if not apart:
        return tell.say(_("%(fee)s, alles in den Topf."), fee=fee)
    pool = tell.value(money(event.fee_cents - apart), "fee_parts")
    if not event.bounty_kind:
        return tell.say(_("%(fee)s, davon %(pool)s in den Topf."), fee=fee, pool=pool)
    head = tell.value(money(event.bounty_cents), "fee_parts", "bounty_kind", "bounty_cut")
    text = _("%(fee)s, davon %(pool)s in den Topf, %(head)s Bounty.")
    return tell.say(text, fee=fee, pool=pool, head=head)


def _rates(tell: _Teller, event: Event) -> SafeString | str:
    rates = ", ".join(f"{name} {money(cents)}" for name, cents, _parts in event.fee_rates)
    return tell.say("%(rates)s.", rates=tell.value(rates, "fee_rates")) if rates else ""


def _purchases(tell: _Teller, event: Event) -> list[SafeString]:
    found = []
    until = phase_words(event, "rebuy_level")
    if until:
        price = tell.value(money(event.rebuy_cents), "rebuy_cents")
        is_alike = event.rebuy_cents == event.fee_cents and "rebuy_cents" not in tell.others
        text = _("Re-buy %(until)s.") if is_alike else _("Re-buy %(price)s %(until)s.")
        found.append(tell.say(text, price=price, until=tell.value(until, "rebuy_level")))
    if phase_words(event, "addon_level"):
        price = tell.value(money(event.addon_cents), "addon_cents", "addon_level")
        found.append(tell.say(_("Add-on %(price)s."), price=price))
    if event.reentry_most:
        times = tell.value(event.reentry_most, "reentry_most", "reentry_cents")
        found.append(tell.say(_("Re-entry bis zu %(times)s Mal."), times=times))
    return found


def _paid(tell: _Teller, event: Event) -> SafeString | str:
    if not event.paid_places:
        return ""
    places = ngettext("%(count)d Platz", "%(count)d Plätze", event.paid_places)
    count = tell.value(places % {"count": event.paid_places}, "paid_places")
    return tell.say(_("%(places)s bezahlt."), places=count)


def _about(tell: _Teller, event: Event) -> list[Any]:
    place = event.about.place
    own = [name for name in ("venue", "address") if getattr(event, name)]
    where = place and tell.say("%(place)s.", place=tell.value(place, "venue", "address"))
    texts = ("description", "contact", "house_text")
    if any(getattr(event, name) for name in texts):
        return [where, tell.value(_("Mit eigenen Texten."), *texts)]
    return [where, _("Sonst wie beim Verein.") if own else _("Alles wie beim Verein.")]


_SENTENCES = {
    Section.EVENING: _evening,
    Section.BLINDS: _blinds,
    Section.PLACES: _places,
    Section.REGISTRATION: _registration,
    Section.MONEY: _money,
    Section.ABOUT: _about,
}
