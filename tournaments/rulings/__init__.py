"""Rulings at the table: bets and raises, pots, showdowns, stud; and what was decided."""
