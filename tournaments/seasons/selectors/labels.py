"""Texts of leagues: terms, errors of formulas, points."""

from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.seasons.domain.formula import LONGEST, MOST_DEAR, FormulaError
from tournaments.seasons.domain.points import WHOLE, Counts, Terms, TieBreak, Ties, Way

WAYS = {
    Way.LINEAR: gettext_lazy("Feld minus Platz plus 1"),
    Way.ROOT: gettext_lazy("10 × √Feld ÷ √Platz"),
    Way.TABLE: gettext_lazy("feste Punkte je Platz"),
    Way.POOL: gettext_lazy("Anteile an einem Topf"),
    Way.FORMULA: gettext_lazy("eigene Formel"),
}
TIES = {
    Ties.SHARED: gettext_lazy("jeder den Schnitt der geteilten Plätze"),
    Ties.BEST: gettext_lazy("jeder die Punkte des Platzes"),
}
COUNTS = {
    Counts.FIRST: gettext_lazy("nur der erste Einstieg"),
    Counts.BEST: gettext_lazy("der beste Einstieg"),
}
TIE_BREAKS = {
    TieBreak.WINS: gettext_lazy("mehr Siege"),
    TieBreak.PLACES: gettext_lazy("bessere Plätze, vom ersten an verglichen"),
    TieBreak.TOTAL: gettext_lazy("mehr Punkte ohne Streichen"),
    TieBreak.BEST: gettext_lazy("der bessere beste Abend"),
    TieBreak.EVENINGS: gettext_lazy("mehr Abende"),
    TieBreak.KNOCKOUTS: gettext_lazy("mehr Spieler ausgeschieden"),
}


def points_in_words(hundredths: int) -> str:
    """Return points for display: 12, 12,5 or 12,25."""
    sign = "−" if hundredths < 0 else ""
    text = points_typed(abs(hundredths)).replace(",", ".")
    return sign + number_format(text, use_l10n=True, force_grouping=True)


def points_typed(hundredths: int) -> str:
    """Return points for a form: with a comma, without groups."""
    sign = "-" if hundredths < 0 else ""
    whole, rest = divmod(abs(hundredths), WHOLE)
    return f"{sign}{whole}" + (f",{rest:02}".rstrip("0") if rest else "")


def share_in_words(count: int | Fraction) -> str:
    """Return a number of knockouts, with fractions for shared ones."""
    if isinstance(count, int) or count.denominator == 1:
        return str(int(count))
    return number_format(round(float(count), 1), decimal_pos=1)


def formula_fault(error: FormulaError) -> str:
    """Return the error of a formula as a sentence."""
    sentences = {
        "empty": _("Die Formel ist leer."),
        "too_long": _("Die Formel ist zu lang: höchstens %(most)d Zeichen, nicht zu tief "
                      "geklammert, höchstens %(dear)d Mal ^ oder Logarithmus.")
                    % {"most": LONGEST, "dear": MOST_DEAR},
        "syntax": _("Die Formel lässt sich bei „%(what)s“ nicht lesen."),
        "unknown": _("„%(what)s“ kennt die Formel nicht. Es gibt: platz, spieler, einstiege, ko, "
                     "kopfgeld, startgeld, ausgaben, rebuys, addons, preis, topf, schnitt; wurzel, "
                     "log, ln, hoch, runden, abrunden, aufrunden, min, max, wenn, und, oder."),
        "arguments": _("„%(what)s“ braucht andere Werte in der Klammer, getrennt durch ein "
                       "Semikolon."),
        "zero": _("Die Formel teilt durch null."),
        "negative": _("Die Formel zieht bei „%(what)s“ aus einer negativen Zahl."),
        "too_large": _("Die Formel ergibt eine zu große Zahl."),
    }  # fmt: skip
    return sentences[error.code] % {"what": error.what or "…"}


def reckoning_in_words(terms: Terms) -> list[str]:
    """Return a league's terms, a sentence for each unusual one."""
    way = {
        Way.LINEAR: _("Wer mitspielt, bekommt einen Punkt, und einen für jeden hinter sich."),
        Way.ROOT: _("Punkte eines Platzes: 10 × √Spieler ÷ √Platz."),
        Way.TABLE: _("Punkte vom ersten Platz an: %(list)s."),
        Way.POOL: _("Jeder bringt %(each)s Punkte in den Topf. Davon bekommen die Plätze vom "
                    "ersten an in Prozent: %(list)s."),
        Way.FORMULA: _("Punkte eines Platzes: %(formula)s."),
    }[terms.way]  # fmt: skip
    listed = " · ".join(points_in_words(value) for value in terms.table)
    lines = [way % {"list": listed, "each": points_in_words(terms.each), "formula": terms.formula}]
    if terms.best:
        lines.append(_("Es zählen die besten Abende: %(best)d.") % {"best": terms.best})
    lines += _beside_the_place(terms)
    lines.append(
        _("Wer mehrmals einsteigt, für den zählt nur der erste Einstieg.")
        if terms.counts is Counts.FIRST
        else _("Wer mehrmals einsteigt, für den zählt der beste Einstieg.")
    )
    lines.append(
        _("Wer einen Platz teilt, bekommt den Schnitt der geteilten Plätze.")
        if terms.ties is Ties.SHARED
        else _("Wer einen Platz teilt, bekommt dessen Punkte ganz.")
    )
    if terms.tie_breaks:
        listed = ", ".join(str(TIE_BREAKS[way]) for way in terms.tie_breaks)
        lines.append(_("Bei gleichen Punkten entscheiden der Reihe nach: %(list)s.")
                    % {"list": listed})  # fmt: skip
    return lines


def _beside_the_place(terms: Terms) -> list[str]:
    lines = []
    if terms.attendance:
        points = {"points": points_in_words(terms.attendance)}
        lines.append(_("Für jeden Abend gibt es %(points)s dazu, auch für gestrichene.") % points)
    if terms.knockout:
        points = {"points": points_in_words(terms.knockout)}
        lines.append(_("Für jeden, den man ausscheiden lässt, gibt es %(points)s.") % points)
    if terms.leader:
        points = {"points": points_in_words(terms.leader)}
        lines.append(
            _("Wer dem Ersten der Tabelle einen Stapel abnimmt, bekommt %(points)s dazu.") % points
        )
    if terms.run:
        more = {"run": terms.run, "points": points_in_words(terms.run_bonus)}
        lines.append(_("Für je %(run)d Abende in Folge gibt es %(points)s dazu.") % more)
    return lines


def span_in_words(minutes: int) -> str:
    """Return a duration in hours and minutes."""
    hours, rest = divmod(max(0, minutes), 60)
    if not hours:
        return _("%(minutes)d min") % {"minutes": rest}
    return _("%(hours)d h %(minutes)02d min") % {"hours": hours, "minutes": rest}
