"""The rows of a blind schedule in the editor, and a queried instant."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from django import forms
from django.forms.utils import from_current_timezone
from django.utils.translation import gettext_lazy as _

from clock.domain import AnteKind, Level, LevelKind
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import MOST, whole
from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.chips import CHIP_COLOURS, MOST_CHIPS, MOST_VALUES
from tournaments.event.domain.games import Mix
from tournaments.event.domain.planning.planner import raised
from tournaments.event.domain.schedule_files import AMOUNTS
from tournaments.event.forms.event import LONGEST_LEVEL_MINUTES
from tournaments.event.forms.fields import NameField
from tournaments.event.selectors.labels import COLOURS, LIMITS
from tournaments.event.services.names import LONGEST_NAME
from tournaments.models import ChipSet

MOST_HANDS = 200
USUAL_BREAK = timedelta(minutes=10)
BEHIND_MORE = {"hands", "game", "limit", "small_bet", "bring_in", "colour_up"}
NEW = 0
_ChipsField = partial(WholeNumberField, least=0, most=MOST_CHIPS, required=False)
OPERATIONS = ("up", "down", "remove", "play", "break", "bbante", "noante", "raise")


class LevelForm(forms.Form):
    """One row before its start. Empty fields mean zero: no ante, no big bet."""

    id = forms.IntegerField(min_value=0, max_value=MOST, widget=forms.HiddenInput)
    kind = forms.ChoiceField(
        choices=[(kind.value, kind.value) for kind in LevelKind], widget=forms.HiddenInput
    )
    minutes = WholeNumberField(
        label=_("Minuten"), least=1, most=LONGEST_LEVEL_MINUTES, required=False
    )
    hands = WholeNumberField(label=_("Hände"), least=1, most=MOST_HANDS, required=False)
    small_blind = _ChipsField(label=_("Small Blind"))
    big_blind = _ChipsField(label=_("Big Blind"))
    big_bet = _ChipsField(label=_("Big Bet"))
    small_bet = _ChipsField(label=_("Small Bet (Stud)"))
    ante = _ChipsField(label=_("Ante"))
    is_big_blind_ante = forms.BooleanField(label=_("nur Big Blind"), required=False)
    bring_in = _ChipsField(label=_("Bring-in"))
    game = forms.CharField(label=_("Spiel"), max_length=40, required=False)
    limit = forms.ChoiceField(
        label=_("Limit"), choices=[("", _("wie im Turnier")), *LIMITS.items()], required=False
    )
    colour_up = forms.TypedMultipleChoiceField(
        label=_("Diese Chips gehen hier aus dem Spiel"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": _("Diesen Chip gibt es nicht.")},
    )

    @property
    def more_is_wrong(self) -> bool:
        """Tell whether a field behind "Mehr" has an error."""
        return not BEHIND_MORE.isdisjoint(self.errors)

    def __init__(
        self, *args: Any, chips: Sequence[int] = (), has_big_bet: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        if not has_big_bet:
            del self.fields["big_bet"]
        known = {*chips, *self.initial.get("colour_up", ())}
        choices = [(value, str(value)) for value in sorted(known)]
        self.fields["colour_up"].choices = choices  # type: ignore[attr-defined]

    def level(self) -> Level:
        data = self.cleaned_data
        is_break = data["kind"] == LevelKind.BREAK
        minutes = data["minutes"]
        shared: dict[str, Any] = {
            "id": data["id"],
            "kind": LevelKind(data["kind"]),
            "duration": None if minutes is None else timedelta(minutes=minutes),
            "hands": data["hands"],
            "colour_up": tuple(sorted(data["colour_up"])),
        }
        if is_break:
            return Level(**shared)
        shared |= {name: data.get(name) or 0 for name in AMOUNTS}
        if not shared["big_bet"]:  # in stud: twice the small bet, unless typed
            shared["big_bet"] = 2 * shared["small_bet"]
        is_one = data["is_big_blind_ante"] and shared["ante"] > 0
        shared["ante_kind"] = AnteKind.BIG_BLIND if is_one else AnteKind.EACH
        return Level(**shared, game=data["game"].strip(), limit=data["limit"])


LevelRows = forms.formset_factory(LevelForm, extra=0, max_num=200, absolute_max=200)


def initial_of(level: Level) -> dict[str, Any]:
    """Return the initial values of a row's fields: empty for zero."""
    minutes = None if level.duration is None else level.duration / timedelta(minutes=1)
    return {
        "id": level.id,
        "kind": level.kind.value,
        "minutes": None if minutes is None else int(minutes),
        "hands": level.hands,
        "game": level.game,
        "limit": level.limit,
        "is_big_blind_ante": level.is_big_blind_ante,
        "colour_up": list(level.colour_up),
        **{name: getattr(level, name) or None for name in AMOUNTS},
    }


def as_stored(
    typed: Iterable[Level], stored: Mapping[int, Level], *, hides_bets: bool
) -> list[Level]:
    """Restore values without a field: seconds of the length, marks of breaks, hidden big bets.

    Where the big blind changed, a hidden big bet becomes twice it, as in a limit schedule: below
    the blind, an invisible field would cause a refusal.
    """
    rows = []
    for row in typed:
        before, kept = stored.get(row.id), dict[str, Any]()
        if before is not None:
            kept["is_unplanned"] = before.is_unplanned
            if initial_of(before)["minutes"] == initial_of(row)["minutes"]:
                kept |= {"duration": before.duration, "rest_of": before.rest_of}
            if hides_bets and before.big_bet and not row.small_bet:
                is_same = before.big_blind == row.big_blind
                kept["big_bet"] = before.big_bet if is_same else 2 * row.big_blind
        rows.append(replace(row, **kept))
    return rows


def operated(
    levels: Sequence[Level],
    fixed: int,
    operation: str,
    begun: Collection[int] = (),
    chips: Sequence[int] = (),
) -> list[Level]:
    """Return the rows after a press on one of their buttons, such as "up-3".

    :param fixed: How many rows at the beginning cannot be moved.
    :param begun: The ids of the rows further on that stay as they are, too.
    :param chips: The values that can pay raised levels.
    :raises Refused: When there is no such row or button.
    """
    rows = list(levels)
    if not operation:
        return rows
    what, _dash, number = operation.partition("-")
    row = whole(number)
    if what not in OPERATIONS or row is None:
        raise Refused(_("Diesen Knopf gibt es nicht. Bitte neu laden."), code="bad_operation")
    first = max(fixed - 1, 0) if what in ("play", "break", "raise") else fixed
    if not first <= row < len(rows):
        raise Refused(_("Diese Zeile gibt es nicht mehr. Bitte neu laden."), code="bad_operation")
    if what == "remove":
        del rows[row]
    elif what == "play":
        rows.insert(row + 1, _level_after(rows, row))
    elif what == "break":
        lasting = next((level.duration for level in rows if level.is_break), None) or USUAL_BREAK
        rows.insert(row + 1, Level(id=NEW, kind=LevelKind.BREAK, duration=lasting))
    elif what == "raise":
        rows = raised(rows, row, chips, begun)
    elif what in ("bbante", "noante"):
        rows[row:] = [
            level if level.id in begun else _with_ante(level, what) for level in rows[row:]
        ]
    else:
        other = row - 1 if what == "up" else row + 1
        if fixed <= other < len(rows):
            rows[row], rows[other] = rows[other], rows[row]
    return rows


def _with_ante(level: Level, what: str) -> Level:
    if not level.big_blind:  # as in stud
        return level
    if what == "noante":
        return replace(level, ante=0, ante_kind=AnteKind.EACH)
    return replace(level, ante=level.big_blind, ante_kind=AnteKind.BIG_BLIND)


def _level_after(rows: Sequence[Level], row: int) -> Level:
    """Return a new level: a copy of the one before, doubled at the end of the schedule."""
    played = [level for level in rows[: row + 1] if not level.is_break]
    like = played[-1] if played else next(level for level in rows if not level.is_break)
    is_last = all(level.is_break for level in rows[row + 1 :])
    factor = 2 if is_last and played else 1
    amounts = {name: getattr(like, name) * factor for name in AMOUNTS}
    return replace(like, id=NEW, number=None, added_at=None, colour_up=(), **amounts)


class InstantForm(forms.Form):
    """An instant of the evening; without a day, its last occurrence."""

    day = forms.DateField(
        label=_("Tag"),
        required=False,
        error_messages={"invalid": _("Bitte einen Tag angeben, den es gibt.")},
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    time = forms.TimeField(
        label=_("Uhrzeit"),
        error_messages={
            "required": _("Bitte die Uhrzeit angeben."),
            "invalid": _("Bitte eine Uhrzeit wie 21:14:30 angeben."),
        },
        widget=forms.TimeInput(format="%H:%M:%S", attrs={"type": "time", "step": "1"}),
    )
    table = forms.IntegerField(
        label=_("Tisch"),
        required=False,
        min_value=1,
        max_value=MOST,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), _("Bitte die Nummer des Tisches angeben.")
        ),
        help_text=_("Mit Tisch: was dort zu diesem Zeitpunkt galt."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def instant(self, today: date, now: datetime) -> datetime:
        """Return the instant.

        :raises forms.ValidationError: When the clocks are changed over it.
        """
        day = self.cleaned_data["day"]
        found = from_current_timezone(datetime.combine(day or today, self.cleaned_data["time"]))
        if day is None and found > now:
            found = from_current_timezone(
                datetime.combine(today - timedelta(days=1), self.cleaned_data["time"])
            )
        return found


# --- The rotation of games, chosen on the schedule's page


MIX_NAMES = {
    Mix.HORSE: _("HORSE: Texas, Omaha Hi-Lo, Razz, Stud, Stud Hi-Lo"),
    Mix.EIGHT_GAME: _("Eight-Game: Triple Draw, HORSE, No Limit Texas, Pot Limit Omaha"),
    Mix.DEALERS_CHOICE: _("Dealer’s Choice: das Spiel sagt an, wer den Button hat"),
}


class MixForm(Refusable):
    """The games, changing with each level or after so many hands."""

    mix = forms.ChoiceField(label=_("Spiele"), choices=list(MIX_NAMES.items()))
    hands = WholeNumberField(
        label=_("Wechsel nach so vielen Händen"),
        least=1,
        most=MOST_HANDS,
        required=False,
        help_text=_("Leer: Jede Stufe ist ein anderes Spiel. Sonst wird jede Stufe in jedem Spiel "
                    "gespielt, je so viele Hände."),
    )  # fmt: skip


class PaceForm(Refusable):
    """The minutes of all levels not yet begun."""

    rest_minutes = WholeNumberField(
        label=_("Restliche Stufen zu … Minuten"), least=1, most=LONGEST_LEVEL_MINUTES
    )


# --- The form for a club's chips: a name, and a row for each value


class ChipSetForm(Refusable):
    """A chip set; empty rows are ignored."""

    name = NameField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        required_words=_("Der Satz braucht einen Namen."),
    )

    def __init__(self, *args: Any, chip_set: ChipSet | None = None, **kwargs: Any) -> None:
        rows = chip_set.pieces if chip_set else []
        initial = {"name": chip_set.name if chip_set else ""}
        for number, row in enumerate(rows):
            initial |= {f"{name}_{number}": row.get(name, "") for name in ("value", "count")}
            initial[f"colour_{number}"] = row.get("colour", "")
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
        choices = [(colour, COLOURS[colour]) for colour in CHIP_COLOURS]
        for number in range(MOST_VALUES):
            for name, label in (("value", _("Wert")), ("count", _("Anzahl"))):
                self.fields[f"{name}_{number}"] = WholeNumberField(
                    label=label, least=1, most=MOST_CHIPS, required=False
                )
            self.fields[f"colour_{number}"] = forms.ChoiceField(
                label=_("Farbe"),
                choices=choices,
                required=False,
                initial=CHIP_COLOURS[number],
            )

    @property
    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField, forms.BoundField]]:
        """Return the fields of each row: value, count, colour."""
        return [
            (self[f"value_{n}"], self[f"count_{n}"], self[f"colour_{n}"])
            for n in range(MOST_VALUES)
        ]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        pieces: dict[int, tuple[int, str]] = {}
        for number in range(MOST_VALUES):
            value, count = data.get(f"value_{number}"), data.get(f"count_{number}")
            if value is None and count is None:
                continue
            if value is None or count is None:
                empty = "value" if value is None else "count"
                if f"{empty}_{number}" not in self.errors:
                    self.add_error(f"{empty}_{number}", _("Wert und Anzahl gehören zusammen."))
            elif value in pieces:
                self.add_error(f"value_{number}", _("Diesen Wert gibt es oben schon."))
            else:
                colour = data.get(f"colour_{number}") or CHIP_COLOURS[number]
                pieces[value] = (count, colour)
        if not pieces and not self.errors:
            self.add_error("value_0", _("Bitte mindestens einen Chip eintragen."))
        return data | {"pieces": pieces}
